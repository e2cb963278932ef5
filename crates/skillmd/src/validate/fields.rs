//! The rules of the standard's six fields (specification, "Frontmatter").

use super::Rules;
use crate::code::Code;
use crate::diagnostic::{Edit, Fix};
use crate::document::{Entry, Language};
use crate::excerpt::excerpt;
use crate::keys::{keys_under, readers_of};
use crate::limits;
use crate::lines::Line;
use crate::list;
use crate::name::{self, NameProblem, skill_id};
use crate::node::{Node, Pair, Resolved, ScalarStyle};
use crate::quote::yaml_line;
use crate::span::Span;

impl Rules<'_, '_> {
    pub(super) fn check_fields(&mut self) {
        self.check_language();
        self.check_name();
        self.check_description();
        self.check_license();
        self.check_compatibility();
        self.check_metadata();
        self.check_allowed_tools();
    }

    fn check_language(&mut self) {
        if self.frontmatter.language == Language::Toml {
            self.reporter
                .report(
                    Code::TomlNotStandard,
                    self.frontmatter.opener,
                    "the frontmatter is TOML; the standard asks for YAML between lines `---`",
                )
                .help("`skillful convert` writes it as YAML");
        }
    }

    fn check_name(&mut self) {
        let Some(entry) = self.document.entry("name") else {
            self.report_missing_name();
            return;
        };
        let Some(text) = filled_text(&entry.value) else {
            let fix = self
                .directory_id()
                .and_then(|id| self.rename(entry, &id, "name it after its directory"));
            let message = format!("`name` is {}, not text", blank_or_type(&entry.value));
            self.reporter
                .report(Code::NameMissing, entry.value.span, message)
                .help("the name is that of the skill's directory")
                .fix = fix;
            return;
        };
        self.warn_of_other_type(entry);
        self.check_name_text(entry, text);
    }

    fn check_name_text(&mut self, entry: &Entry, text: &str) {
        let problems = name::problems(text, self.context.directory.as_deref());
        let fix = self.valid_name(text, &problems).and_then(|id| {
            let title = format!("rename the skill to `{id}`");
            self.rename(entry, &id, &title)
        });
        for problem in problems {
            let message = name_message(text, &problem, self.context.directory.as_deref());
            let diagnostic = self
                .reporter
                .report(problem.code(), entry.value.span, message);
            diagnostic.fix.clone_from(&fix);
            if problem == NameProblem::DirectoryMismatch {
                diagnostic.help("rename either of the two");
            }
        }
    }

    /// The name that mends all problems: the directory's, or the id that the name stands for. A name is not cut.
    fn valid_name(&self, text: &str, problems: &[NameProblem]) -> Option<String> {
        let too_long = problems
            .iter()
            .any(|problem| matches!(problem, NameProblem::TooLong { .. }));
        self.directory_id()
            .or_else(|| Some(skill_id(text)?.into_owned()).filter(|_| !too_long))
    }

    /// The directory's name, where it is a valid one.
    fn directory_id(&self) -> Option<String> {
        let directory = self.context.directory.as_deref()?;
        name::problems(directory, None)
            .is_empty()
            .then(|| name::normalize(directory).into_owned())
    }

    fn report_missing_name(&mut self) {
        let id = self.directory_id();
        let message = "the skill has no `name`";
        let diagnostic = self
            .reporter
            .report(Code::NameMissing, self.frontmatter.opener, message);
        if self.manifest.name().is_some() {
            diagnostic.help("the key must be spelt `name`");
            return;
        }
        diagnostic.help("add a line `name: …` with the name of the skill's directory");
        if let Some(id) = id {
            let line = match self.frontmatter.language {
                Language::Yaml => format!("name: {}\n", yaml_line(&id)),
                Language::Toml => format!("name = \"{id}\"\n"),
            };
            let top = self.frontmatter.block.start;
            diagnostic.fix(format!("name it `{id}`"), Edit::insert(top, line));
        }
    }

    /// The edit that gives the name's entry another value on its line.
    fn rename(&self, entry: &Entry, id: &str, title: &str) -> Option<Fix> {
        let span = entry.value.span;
        let is_line = !span.slice(self.document.text()).contains('\n');
        let is_so_named = entry.value.as_text() == Some(id);
        if entry.recovered || !is_line || is_so_named {
            return None;
        }
        let edit = match self.frontmatter.language {
            Language::Toml if span.is_empty() => return None,
            Language::Toml => Edit::replace(span, format!("\"{id}\"")),
            // An empty value has no place of its own.
            Language::Yaml if span.is_empty() => {
                Edit::insert(self.after_colon(entry)?, format!(" {}", yaml_line(id)))
            }
            Language::Yaml => Edit::replace(span, yaml_line(id)),
        };
        Some(Fix {
            title: title.to_owned(),
            edits: vec![edit],
        })
    }

    /// Offset past the colon between key and value.
    fn after_colon(&self, entry: &Entry) -> Option<usize> {
        let after_key = Span::new(entry.key_span.end, entry.span.end);
        let colon = after_key.slice(self.document.text()).find(':')?;
        Some(after_key.start + colon + 1)
    }

    fn report_empty_description(&mut self, entry: &Entry) {
        if let Some(comment) = self.text_after_hash(entry) {
            let text = comment.slice(self.document.text());
            self.reporter
                .report(
                    Code::DescriptionMissing,
                    comment,
                    "`description` is empty: the `#` makes a comment of the text behind it",
                )
                .help("put the text in quotes, or take the `#` out")
                .fix(
                    "put the text in quotes",
                    Edit::replace(comment, yaml_line(text)),
                );
            return;
        }
        let message = format!("`description` is {}, not text", blank_or_type(&entry.value));
        self.reporter
            .report(Code::DescriptionMissing, entry.value.span, message)
            .help("say what the skill does and when to use it");
    }

    /// The comment on the line of an entry without a value, when it has words.
    fn text_after_hash(&self, entry: &Entry) -> Option<Span> {
        if !entry.value.is_null() || !entry.value.span.is_empty() {
            return None;
        }
        let text = self.document.text();
        let line = Line::at(text, self.after_colon(entry)?)?;
        let (comment, span) = line.trimmed();
        let words = comment.strip_prefix('#')?;
        words.contains(char::is_alphanumeric).then_some(span)
    }

    fn check_description(&mut self) {
        let Some(entry) = self.document.entry("description") else {
            let help = if self.manifest.description().is_some() {
                "the key must be spelt `description`"
            } else {
                "add a line `description: …` that says what the skill does and when to use it"
            };
            self.reporter
                .report(
                    Code::DescriptionMissing,
                    self.frontmatter.opener,
                    "the skill has no `description`",
                )
                .help(help);
            return;
        };
        let Some(text) = filled_text(&entry.value) else {
            self.report_empty_description(entry);
            return;
        };
        self.warn_of_other_type(entry);
        // Blanks around the text count, as in the reference library.
        let characters = text.chars().count();
        if characters > limits::DESCRIPTION_CHARS {
            self.reporter
                .report(
                    Code::DescriptionTooLong,
                    entry.value.span,
                    format!(
                        "the description has {characters} characters; {} are allowed",
                        limits::DESCRIPTION_CHARS
                    ),
                )
                .help("what does not help to choose the skill belongs in the body");
        }
    }

    fn check_license(&mut self) {
        if let Some(entry) = self.document.entry("license") {
            self.warn_of_other_type(entry);
        }
    }

    fn check_compatibility(&mut self) {
        let Some(entry) = self.document.entry("compatibility") else {
            return;
        };
        let value = &entry.value;
        if value.as_scalar().is_none() {
            let message = format!("`compatibility` is {}, not text", value.type_name());
            self.reporter
                .report(Code::CompatibilityNotText, value.span, message)
                .help("say in a sentence what the skill needs");
            return;
        }
        let Some(text) = filled_text(value) else {
            self.reporter
                .report(
                    Code::CompatibilityEmpty,
                    entry.key_span,
                    "`compatibility` says nothing",
                )
                .help("leave it out")
                .fix("delete the entry", Edit::delete(entry.span));
            return;
        };
        self.warn_of_other_type(entry);
        let characters = text.chars().count();
        if characters > limits::COMPATIBILITY_CHARS {
            let message = format!(
                "the compatibility text has {characters} characters; {} are allowed",
                limits::COMPATIBILITY_CHARS
            );
            self.reporter
                .report(Code::CompatibilityTooLong, value.span, message)
                .help("details belong in the body");
        }
    }

    fn check_metadata(&mut self) {
        let Some(entry) = self.document.entry("metadata") else {
            return;
        };
        if let Some(pairs) = entry.value.as_mapping() {
            for pair in pairs {
                self.check_metadata_value(pair);
            }
        } else {
            let message = format!(
                "`metadata` is {}, not a set of keys and values",
                entry.value.type_name()
            );
            self.reporter
                .report(Code::MetadataNotMapping, entry.value.span, message);
        }
    }

    fn check_metadata_value(&mut self, pair: &Pair) {
        if is_text(&pair.value) {
            return;
        }
        let message = format!(
            "`metadata.{}` is {}; the standard's metadata holds text only",
            excerpt(&pair.key),
            pair.value.type_name()
        );
        let readers = readers_of_metadata(&pair.key);
        let fix = self.quote(&pair.value);
        let diagnostic = self
            .reporter
            .report(Code::MetadataValueNotText, pair.value.span, message);
        if !readers.is_empty() {
            diagnostic.help(format!("read in this form by: {}", readers.join(", ")));
        }
        diagnostic.fix = fix;
    }

    fn check_allowed_tools(&mut self) {
        let Some(entry) = self.document.entry("allowed-tools") else {
            return;
        };
        let value = &entry.value;
        let (message, tools) = if let Some(items) = value.as_sequence() {
            let tools: Option<Vec<_>> = items.iter().map(Node::as_text).collect();
            ("`allowed-tools` is a list", tools.unwrap_or_default())
        } else if let Some(text) = value.as_text() {
            let tools: Vec<_> = list::words(text).collect();
            let words: Vec<_> = text.split_whitespace().collect();
            if tools.join(" ") == words.join(" ") {
                return;
            }
            ("the tools are separated by commas", tools)
        } else if value.is_null() {
            return;
        } else {
            ("`allowed-tools` is a mapping", Vec::new())
        };
        let fix = self.one_text(entry, &tools);
        self.reporter
            .report(
                Code::AllowedToolsNotText,
                value.span,
                format!("{message}; the standard asks for one text separated by blanks"),
            )
            .help("clients that follow the standard to the letter read other tools, or none")
            .fix = fix;
    }

    /// The edit that writes tools as one text separated by blanks.
    fn one_text(&self, entry: &Entry, tools: &[&str]) -> Option<Fix> {
        let is_yaml = self.frontmatter.language == Language::Yaml;
        if tools.is_empty() || entry.recovered || !is_yaml {
            return None;
        }
        // From the colon on, so that the line break before a block list goes as well.
        let place = Span::new(self.after_colon(entry)?, entry.value.span.end);
        let source = place.slice(self.document.text());
        let line_break = if source.ends_with('\n') { "\n" } else { "" };
        let has_comment = source.contains('#');
        (!has_comment).then(|| Fix {
            title: "write one text".to_owned(),
            edits: vec![Edit::replace(
                place,
                format!(" {}{line_break}", yaml_line(&tools.join(" "))),
            )],
        })
    }

    /// Warns of a number or boolean where the standard asks for text: readers that type scalars do not see text.
    fn warn_of_other_type(&mut self, entry: &Entry) {
        if is_text(&entry.value) || entry.value.as_text().is_none() {
            return;
        }
        let fix = self.quote(&entry.value);
        let message = format!(
            "`{}` reads as {}; the standard asks for text",
            entry.key,
            entry.value.type_name()
        );
        self.reporter
            .report(Code::WrongType, entry.value.span, message)
            .help("put the value in quotes")
            .fix = fix;
    }

    /// The edit that puts an unquoted number or boolean in quotes.
    fn quote(&self, value: &Node) -> Option<Fix> {
        let scalar = value.as_scalar()?;
        let source = value.span.slice(self.document.text());
        let is_plain = scalar.style == ScalarStyle::Plain && source == scalar.text;
        (is_plain && !source.is_empty()).then(|| Fix {
            title: "put the value in quotes".to_owned(),
            edits: vec![Edit::replace(value.span, format!("\"{source}\""))],
        })
    }
}

fn name_message(name: &str, problem: &NameProblem, directory: Option<&str>) -> String {
    let name = excerpt(name);
    match problem {
        NameProblem::Empty => "the name is blank".to_owned(),
        NameProblem::TooLong { characters } => format!(
            "the name has {characters} characters; {} are allowed",
            limits::NAME_CHARS
        ),
        NameProblem::NotLowercase => format!("the name `{name}` has upper-case letters"),
        NameProblem::EdgeHyphen => format!("the name `{name}` begins or ends with a hyphen"),
        NameProblem::DoubleHyphen => format!("the name `{name}` has two hyphens in a row"),
        NameProblem::InvalidCharacters(characters) => {
            let listed: String = characters.iter().take(8).collect();
            format!(
                "the name `{name}` has characters other than letters, digits and hyphens: `{}`",
                excerpt(&listed)
            )
        }
        NameProblem::DirectoryMismatch => format!(
            "the name `{name}` differs from the directory's, `{}`",
            excerpt(directory.unwrap_or_default())
        ),
    }
}

/// The text of a scalar that is neither null nor blank.
fn filled_text(value: &Node) -> Option<&str> {
    value.as_text().filter(|text| !text.trim().is_empty())
}

fn blank_or_type(value: &Node) -> &'static str {
    match value.as_text() {
        Some(_) => "blank",
        None => value.type_name(),
    }
}

fn is_text(value: &Node) -> bool {
    value
        .as_scalar()
        .is_some_and(|scalar| matches!(scalar.resolve(), Resolved::Text(_)))
}

/// Ids of the clients that read something under this key of `metadata`.
fn readers_of_metadata(key: &str) -> Vec<&'static str> {
    readers_of(keys_under("metadata").filter(|row| row.names().nth(1) == Some(key)))
}
