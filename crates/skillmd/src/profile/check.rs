//! Lays a document beside a profile.

use super::{NameRule, NameUse, Profile, Response, StandIn, SyntaxFault};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Reporter, Severity};
use crate::document::Document;
use crate::excerpt::excerpt;
use crate::manifest::Manifest;
use crate::name;
use crate::span::Span;
use crate::validate::Context;

/// What the client would make of the skill, sorted by place: [`Code::ClientSkips`] for each reason why it would not load
/// it, [`Code::ClientReadsDifferently`] and [`Code::ClientIgnoresKey`] for what it would load otherwise than written.
pub fn check_for(
    profile: &Profile,
    document: &Document,
    manifest: &Manifest,
    context: &Context,
) -> Vec<Diagnostic> {
    let mut reporter = Reporter::new(document.text());
    let mut check = Check {
        profile,
        document,
        manifest,
        context,
        reporter: &mut reporter,
    };
    check.file();
    if check.frontmatter() {
        check.name();
        check.description();
        check.keys();
        check.tools();
    }
    check.body();
    reporter.finish()
}

/// A document beside a profile.
pub(super) struct Check<'d, 'r> {
    pub(super) profile: &'d Profile,
    pub(super) document: &'d Document,
    pub(super) manifest: &'d Manifest,
    pub(super) context: &'d Context,
    pub(super) reporter: &'r mut Reporter<'d>,
}

impl Check<'_, '_> {
    pub(super) fn skips(&mut self, span: Span, why: &str) -> &mut Diagnostic {
        let message = format!("{} skips the skill: {why}", self.profile.title);
        self.reporter.report(Code::ClientSkips, span, message)
    }

    pub(super) fn differs(&mut self, span: Span, how: &str) -> &mut Diagnostic {
        let message = format!("{} {how}", self.profile.title);
        self.reporter
            .report(Code::ClientReadsDifferently, span, message)
    }

    fn respond(&mut self, response: Response, span: Span, what: &str) {
        match response {
            Response::Loads => {}
            Response::Unknown => {
                self.differs(span, &format!("may not load the skill: {what}"));
            }
            Response::Skips => {
                self.skips(span, what);
            }
        }
    }

    /// The file itself: its name, size, encoding and depth.
    fn file(&mut self) {
        let start = Span::at(0);
        if let Some(file_name) = self.context.file_name.as_deref()
            && file_name != "SKILL.md"
        {
            let what = format!("the file is named `{}`, not `SKILL.md`", excerpt(file_name));
            self.respond(self.profile.other_file_name, start, &what);
        }
        let size = self.document.text().len();
        if let Some(limit) = self.profile.file_bytes.filter(|&limit| size > limit) {
            self.skips(
                start,
                &format!("the file has {size} bytes; {limit} are read"),
            );
        }
        if let (Some(depth), Some(limit)) = (self.context.depth, self.profile.depth)
            && depth > limit
        {
            let what =
                format!("it lies {depth} levels below the skills directory; {limit} are searched");
            self.skips(start, &what);
        }
        let notes = self.document.diagnostics();
        if notes.iter().any(|note| note.code == Code::Utf16) {
            self.skips(start, "the file is in UTF-16");
        }
        if notes.iter().any(|note| note.code == Code::ByteOrderMark) {
            let response = self.profile.byte_order_mark;
            self.respond(response, start, "the file begins with a byte order mark");
        }
        if let Some(note) = notes
            .iter()
            .find(|note| note.code == Code::FrontmatterNotFirst)
        {
            // A comment is not blank: whoever trims blanks does not find the fence behind it.
            let is_blank = note.span.slice(self.document.text()).trim().is_empty();
            let response = match self.profile.blank_first {
                Response::Loads if !is_blank => Response::Skips,
                response => response,
            };
            self.respond(response, note.span, &note.message);
        }
    }

    /// Whether the client finds a frontmatter that it can read.
    fn frontmatter(&mut self) -> bool {
        let fault = self
            .document
            .diagnostics()
            .iter()
            .find(|found| found.severity == Severity::Error && is_about_fences(found.code));
        let Some(frontmatter) = self.document.frontmatter().filter(|_| fault.is_none()) else {
            let (span, message) = fault.map_or((Span::at(0), "there is no frontmatter"), |fault| {
                (fault.span, fault.message.as_str())
            });
            self.without_frontmatter(span, message);
            return false;
        };
        if frontmatter.language != self.profile.language {
            let what = format!(
                "it reads frontmatter between lines `{}` only",
                self.profile.language.fence()
            );
            self.skips(frontmatter.opener, &what);
            return false;
        }
        let end = frontmatter
            .closer
            .map_or(frontmatter.block.end, |closer| closer.end);
        if let Some(window) = self
            .profile
            .frontmatter_window
            .filter(|&window| end > window)
        {
            let what =
                format!("the frontmatter ends at byte {end}; {window} bytes are searched for it");
            self.skips(frontmatter.opener, &what)
                .help("shorten the description, or move keys to the client's own file");
        }
        self.syntax()
    }

    /// A client that has a stand-in for everything loads the body alone.
    fn without_frontmatter(&mut self, span: Span, message: &str) {
        let has_stand_ins = self.profile.missing_name != StandIn::Nothing
            && self.profile.missing_description != StandIn::Nothing;
        if has_stand_ins {
            let how = format!("goes by the directory's name and the first paragraph: {message}");
            self.differs(span, &how);
        } else {
            self.skips(span, message);
        }
    }

    /// Whether the entries can be read at all.
    fn syntax(&mut self) -> bool {
        let fault = self
            .document
            .diagnostics()
            .iter()
            .find(|found| found.severity == Severity::Error && is_about_syntax(found.code));
        let Some(fault) = fault else {
            return true;
        };
        let message = &fault.message;
        match self.profile.syntax_fault {
            SyntaxFault::Skips => {
                self.skips(fault.span, message);
            }
            SyntaxFault::Unknown => {
                self.differs(fault.span, &format!("may not load the skill: {message}"));
            }
            SyntaxFault::Recovers => {
                let how = format!(
                    "reads the frontmatter line by line, and may miss nested keys: {message}"
                );
                self.differs(fault.span, &how);
            }
            SyntaxFault::DropsFrontmatter => {
                let how = format!(
                    "ignores the whole frontmatter, so that the model never brings the skill up: {message}"
                );
                self.differs(fault.span, &how);
                return false;
            }
        }
        true
    }

    /// The text and place of a standard key, where it is spelt as it should be and not blank.
    pub(super) fn text(&self, key: &str) -> Option<(&str, Span)> {
        let value = self.document.get(key)?;
        let text = value.as_text().map(str::trim)?;
        (!text.is_empty()).then_some((text, value.span))
    }

    fn name(&mut self) {
        let profile = self.profile;
        let Some((name, span)) = self
            .text("name")
            .map(|(name, span)| (name.to_owned(), span))
        else {
            self.stand_in("name", profile.missing_name);
            return;
        };
        if !profile.name_rule.allows(&name) {
            let what = format!(
                "the name `{}` is not {}",
                excerpt(&name),
                profile.name_rule.describe()
            );
            self.skips(span, &what);
        }
        let characters = name.chars().count();
        if let Some(limit) = profile.name_chars.filter(|&limit| characters > limit) {
            self.skips(
                span,
                &format!("the name has {characters} characters; {limit} are allowed"),
            );
        }
        let lower = name.to_lowercase();
        if let Some(word) = profile.reserved.iter().find(|word| lower.contains(**word)) {
            self.skips(span, &format!("the word `{word}` is reserved in names"));
        }
        self.tags("name", &name, span);
        self.use_of_name(&name, span);
    }

    fn use_of_name(&mut self, name: &str, span: Span) {
        let other_directory = self
            .context
            .directory
            .clone()
            .filter(|directory| !name::same_name(name, directory));
        if let Some(directory) = &other_directory {
            let what = format!("the directory is named `{}`", excerpt(directory));
            self.respond(self.profile.other_directory, span, &what);
        }
        let used = match self.profile.name_use {
            NameUse::AsWritten => return,
            NameUse::Label => match other_directory {
                Some(directory) => directory,
                None => return,
            },
            NameUse::FileSafe => name.replace([':', '\\', '/', '<', '>', '*', '?', '"', '|'], "-"),
            NameUse::Hyphenated => name.to_lowercase().replace(' ', "-"),
        };
        if used != name {
            self.differs(span, &format!("calls the skill `{}`", excerpt(&used)));
        }
    }

    fn description(&mut self) {
        let profile = self.profile;
        let text = self.text("description");
        let Some((text, span)) = text.map(|(text, span)| (text.to_owned(), span)) else {
            self.stand_in("description", profile.missing_description);
            return;
        };
        let characters = text.chars().count();
        if let Some(limit) = profile
            .description_limit
            .filter(|&limit| characters > limit)
        {
            let what = format!("the description has {characters} characters; {limit} are allowed");
            self.skips(span, &what);
        }
        let when = self.manifest.invocation.when_to_use.as_deref();
        let added = when
            .filter(|_| self.reads("when_to_use"))
            .map_or(0, |when| when.chars().count());
        let shown = characters + added;
        if let Some(limit) = profile.description_shown.filter(|&limit| shown > limit) {
            let how = format!("shows the model {limit} of the description's {shown} characters");
            self.differs(span, &how).help("say what matters first");
        }
        self.tags("description", &text, span);
    }

    fn stand_in(&mut self, key: &str, stand_in: StandIn) {
        let value = self.document.get(key).map(|value| value.span);
        let opener = self
            .document
            .frontmatter()
            .map(|frontmatter| frontmatter.opener);
        let span = value.or(opener).unwrap_or_default();
        let instead = match stand_in {
            StandIn::Nothing => {
                self.skips(span, &format!("it has no `{key}`"));
                return;
            }
            StandIn::Directory => "the directory's name",
            StandIn::FirstParagraph => "the first paragraph of the body",
            StandIn::Empty => "nothing",
        };
        self.differs(span, &format!("takes {instead} for the missing `{key}`"));
    }

    fn tags(&mut self, key: &str, text: &str, span: Span) {
        if self.profile.no_tags_in.contains(&key) && has_tag(text) {
            self.skips(span, &format!("`{key}` contains an XML tag"));
        }
    }
}

impl NameRule {
    /// Whether a name without blanks around it has this form. Its length is another question.
    fn allows(self, name: &str) -> bool {
        let is_small = |c: char| c.is_lowercase() || c.is_numeric();
        match self {
            Self::Any => true,
            Self::Standard => name::problems(name, None)
                .iter()
                .all(|problem| matches!(problem, name::NameProblem::TooLong { .. })),
            Self::Ascii => name.is_ascii() && Self::Standard.allows(name),
            Self::SmallLetters => {
                Self::Standard.allows(name) && name.chars().all(|c| c == '-' || is_small(c))
            }
            Self::Words => {
                let is_word = |b: u8| b.is_ascii_alphanumeric() || b"._- ".contains(&b);
                name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.bytes().all(is_word)
            }
            Self::NoSlash => !name.contains('/'),
            Self::OneLine => !name.contains('\n'),
        }
    }

    fn describe(self) -> &'static str {
        match self {
            Self::Any => "text",
            Self::Standard => "lower-case letters and digits parted by single hyphens",
            Self::Ascii => "`a` to `z` and `0` to `9` parted by single hyphens",
            Self::SmallLetters => "small letters and digits parted by single hyphens",
            Self::Words => {
                "letters, digits, `.`, `_`, `-` and blanks, beginning with a letter or digit"
            }
            Self::NoSlash => "free of `/`",
            Self::OneLine => "on one line",
        }
    }
}

/// Whether the frontmatter as such is not found.
fn is_about_fences(code: Code) -> bool {
    matches!(
        code,
        Code::FileEmpty
            | Code::FrontmatterMissing
            | Code::FrontmatterUnclosed
            | Code::FrontmatterEmpty
            | Code::FrontmatterNotMapping
            | Code::FrontmatterFurtherDown
            | Code::FrontmatterInCodeFence
            | Code::FrontmatterOpenerMissing
            | Code::FrontmatterOpenerGlued
            | Code::FrontmatterWrongFence
            | Code::FrontmatterCloserGlued
    )
}

/// Whether a YAML or TOML parser stumbles.
fn is_about_syntax(code: Code) -> bool {
    let code = code.as_str();
    code.starts_with("yaml-") || code == Code::TomlInvalid.as_str()
}

/// Whether something like `<tag>` or `</tag>` stands in the text.
fn has_tag(text: &str) -> bool {
    text.split('<').skip(1).any(|after| {
        let name = after.strip_prefix('/').unwrap_or(after);
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.contains('>')
    })
}
