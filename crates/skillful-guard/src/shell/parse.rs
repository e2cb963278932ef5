//! tree-sitter's tree of a script → ours.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use tree_sitter::Node;

use super::tree::{Command, Part, Redirect, RedirectKind, Statement, Word};
use super::word;
use crate::limits::{SHELL_BYTES, SYNTAX_DEPTH};
use crate::syntax::{self, NoTree, children, text_of};

/// Reads a script, faults and all.
pub(crate) fn parse(text: &str, steps_left: &mut usize) -> Result<Vec<Statement>, NoTree> {
    if text.len() > SHELL_BYTES {
        return Err(NoTree::TooLarge(SHELL_BYTES));
    }
    let masked = without_foreign(text);
    let masked = without_disguises(&masked);
    let tree = syntax::parse(&tree_sitter_bash::LANGUAGE.into(), &masked, steps_left)?;
    let reader = Reader { text };
    Ok(reader.statements(tree.root_node(), 0))
}

/// The text with letters in place of all that is not ASCII, byte for byte, so that every place stays what it is.
///
/// The grammar's own C code asks the C library whether a character behind `{` is a digit, which reads outside a table for
/// characters above U+00FF and ends the program (tree-sitter-bash 0.25.1, its issue 337). What is reported is taken from
/// the text itself.
fn without_foreign(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let bytes = text.bytes();
    Cow::Owned(
        bytes
            .map(|byte| {
                if byte.is_ascii() {
                    char::from(byte)
                } else {
                    'x'
                }
            })
            .collect(),
    )
}

/// Blanks that are written in another way: the variable that holds the marks between words, and a list in braces that
/// stands where a command does.
static DISGUISES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\$\{IFS\}|\$IFS(?:\$[0-9@*])?(?-u:\b)|(?m:(?:^|[;&|(`])[ \t]*)(\{[^\s{},;]+(?:,[^\s{},;]+)+\})").ok()
});

/// The text with real blanks in place of disguised ones, byte for byte.
fn without_disguises(text: &str) -> Cow<'_, str> {
    let Some(disguises) = &*DISGUISES else {
        return Cow::Borrowed(text);
    };
    disguises.replace_all(text, |found: &Captures<'_>| {
        let whole = found.get(0).map_or("", |whole| whole.as_str());
        match found.get(1) {
            Some(list) => {
                let before = whole.len() - list.len();
                let list = list.as_str().replace(['{', ',', '}'], " ");
                format!("{}{list}", whole.get(..before).unwrap_or_default())
            }
            None => " ".repeat(whole.len()),
        }
    })
}

struct Reader<'t> {
    text: &'t str,
}

impl Reader<'_> {
    fn statements(&self, node: Node<'_>, depth: usize) -> Vec<Statement> {
        if depth > SYNTAX_DEPTH {
            return Vec::new();
        }
        let mut statements = Vec::new();
        for child in children(node) {
            self.statement(child, depth + 1, &mut statements);
        }
        statements
    }

    fn statement(&self, node: Node<'_>, depth: usize, into: &mut Vec<Statement>) {
        if depth > SYNTAX_DEPTH {
            return;
        }
        match node.kind() {
            "command"
            | "pipeline"
            | "redirected_statement"
            | "subshell"
            | "compound_statement"
            | "test_command" => {
                let pipeline = self.pipeline(node, depth);
                if !pipeline.is_empty() {
                    into.push(Statement::Pipeline(pipeline));
                }
            }
            "variable_assignment" => into.extend(self.assignment(node, depth)),
            "function_definition" => {
                let name = node
                    .child_by_field_name("name")
                    .map(|name| text_of(name, self.text).to_owned());
                let body = node.child_by_field_name("body");
                into.push(Statement::Function {
                    name: name.unwrap_or_default(),
                    body: body
                        .map(|body| self.statements(body, depth + 1))
                        .unwrap_or_default(),
                });
            }
            "for_statement" => {
                let name = node
                    .child_by_field_name("variable")
                    .map(|name| text_of(name, self.text).to_owned());
                let mut cursor = node.walk();
                let words = node.children_by_field_name("value", &mut cursor);
                into.push(Statement::Each {
                    name: name.unwrap_or_default(),
                    words: words.map(|word| self.word(word, depth + 1)).collect(),
                });
                let body = node.child_by_field_name("body");
                into.push(Statement::Block(
                    body.map(|body| self.statements(body, depth + 1))
                        .unwrap_or_default(),
                ));
            }
            "comment" | "word" | "string" | "raw_string" | "variable_name" | "heredoc_body" => {}
            _ => into.push(Statement::Block(self.statements(node, depth + 1))),
        }
    }

    fn assignment(&self, node: Node<'_>, depth: usize) -> Option<Statement> {
        let name = node.child_by_field_name("name")?;
        let value = node.child_by_field_name("value")?;
        Some(Statement::Assign {
            name: text_of(name, self.text).to_owned(),
            value: self.word(value, depth + 1),
        })
    }

    /// The commands of a pipeline; a single command is a pipeline of one.
    fn pipeline(&self, node: Node<'_>, depth: usize) -> Vec<Command> {
        if depth > SYNTAX_DEPTH {
            return Vec::new();
        }
        match node.kind() {
            "pipeline" => children(node)
                .into_iter()
                .flat_map(|child| self.pipeline(child, depth + 1))
                .collect(),
            "redirected_statement" => {
                let mut cursor = node.walk();
                let redirects: Vec<Node<'_>> = node
                    .children_by_field_name("redirect", &mut cursor)
                    .collect();
                let mut commands = match node.child_by_field_name("body") {
                    Some(body) => self.pipeline(body, depth + 1),
                    None => vec![Command {
                        range: node.byte_range(),
                        ..Command::default()
                    }],
                };
                // The redirects stand after the whole, and belong to its last command.
                for redirect in redirects {
                    self.redirect(redirect, depth, &mut commands);
                }
                commands
            }
            "command" => vec![self.command(node, depth)],
            "subshell" | "compound_statement" | "list" | "if_statement" | "while_statement"
            | "for_statement" | "case_statement" | "negated_command" | "ERROR" => vec![Command {
                range: node.byte_range(),
                body: self.statements(node, depth + 1),
                ..Command::default()
            }],
            _ => Vec::new(),
        }
    }

    fn command(&self, node: Node<'_>, depth: usize) -> Command {
        let mut commands = vec![Command {
            range: node.byte_range(),
            ..Command::default()
        }];
        for child in children(node) {
            match child.kind() {
                "file_redirect" | "herestring_redirect" | "heredoc_redirect" => {
                    self.redirect(child, depth, &mut commands);
                }
                "variable_assignment" => {
                    // `NAME=value command`: kept as a word, for `env` and wrappers see it the same way.
                    if let (Some(Statement::Assign { name, mut value }), Some(command)) =
                        (self.assignment(child, depth), commands.first_mut())
                    {
                        value.parts.insert(0, Part::Text(format!("{name}=")));
                        command.words.push(value);
                    }
                }
                _ => {
                    let word = self.word(child, depth + 1);
                    if let Some(command) = commands.first_mut() {
                        command.words.push(word);
                    }
                }
            }
        }
        commands.pop().unwrap_or_default()
    }

    /// Adds a redirect to the last of the commands; a here-document may bring the rest of a pipeline with it.
    fn redirect(&self, node: Node<'_>, depth: usize, commands: &mut Vec<Command>) {
        let Some(last) = commands.last_mut() else {
            return;
        };
        match node.kind() {
            "heredoc_redirect" => {
                for child in children(node) {
                    match child.kind() {
                        "heredoc_body" => last.redirects.push(Redirect {
                            kind: RedirectKind::Here,
                            target: self.word(child, depth + 1),
                        }),
                        "file_redirect" => last.redirects.extend(self.file_redirect(child, depth)),
                        _ => {}
                    }
                }
                let piped: Vec<Command> = children(node)
                    .into_iter()
                    .filter(|child| child.kind() == "pipeline" || child.kind() == "command")
                    .flat_map(|child| self.pipeline(child, depth + 1))
                    .collect();
                commands.extend(piped);
            }
            "herestring_redirect" => {
                let target = children(node).pop().map(|word| self.word(word, depth + 1));
                last.redirects.extend(target.map(|target| Redirect {
                    kind: RedirectKind::Here,
                    target,
                }));
            }
            _ => last.redirects.extend(self.file_redirect(node, depth)),
        }
    }

    fn file_redirect(&self, node: Node<'_>, depth: usize) -> Option<Redirect> {
        let target = node.child_by_field_name("destination")?;
        let text = text_of(node, self.text);
        let operator = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '&');
        Some(Redirect {
            kind: if operator.starts_with('<') && !operator.starts_with("<>") {
                RedirectKind::Read
            } else {
                RedirectKind::Write
            },
            target: self.word(target, depth + 1),
        })
    }

    fn word(&self, node: Node<'_>, depth: usize) -> Word {
        let mut word = Word {
            range: node.byte_range(),
            parts: Vec::new(),
        };
        self.parts(node, depth, &mut word.parts);
        word
    }

    fn parts(&self, node: Node<'_>, depth: usize, into: &mut Vec<Part>) {
        if depth > SYNTAX_DEPTH {
            return;
        }
        let text = text_of(node, self.text);
        match node.kind() {
            "word" | "number" | "variable_name" | "file_descriptor" => {
                into.push(Part::Text(word::unescaped(text)));
            }
            "raw_string" => into.push(Part::Text(text.trim_matches('\'').to_owned())),
            "ansi_c_string" => into.push(Part::Text(word::ansi_c(text))),
            "string_content" => into.push(Part::Text(word::in_double_quotes(text))),
            "simple_expansion" => {
                into.push(Part::Variable(text.trim_start_matches('$').to_owned()));
            }
            "expansion" => into.push(self.expansion(node, text)),
            "command_substitution" => into.push(Part::Output(self.statements(node, depth + 1))),
            "process_substitution" => into.push(Part::Process(self.statements(node, depth + 1))),
            "string" | "heredoc_body" | "concatenation" | "command_name" | "translated_string" => {
                self.parts_between(node, depth, into);
            }
            _ if node.named_child_count() > 0 => self.parts_between(node, depth, into),
            _ => into.push(Part::Text(text.to_owned())),
        }
    }

    /// The parts of a node, with the text between its children.
    fn parts_between(&self, node: Node<'_>, depth: usize, into: &mut Vec<Part>) {
        let is_quoted = matches!(node.kind(), "string" | "translated_string");
        let mut at = node.start_byte();
        let mut end = node.end_byte();
        if is_quoted {
            at += usize::from(text_of(node, self.text).starts_with('"'));
            end -= usize::from(text_of(node, self.text).len() > 1);
        }
        for child in children(node) {
            self.text_between(at, child.start_byte(), into);
            self.parts(child, depth + 1, into);
            at = child.end_byte();
        }
        self.text_between(at, end, into);
    }

    fn text_between(&self, from: usize, to: usize, into: &mut Vec<Part>) {
        let text = self.text.get(from..to).unwrap_or_default();
        let text = text.trim_start_matches('$');
        if !text.is_empty() {
            into.push(Part::Text(word::in_double_quotes(text)));
        }
    }

    /// `${NAME…}`; what a default or a substitution makes of the value does not change what went into it.
    fn expansion(&self, node: Node<'_>, text: &str) -> Part {
        let name = children(node)
            .into_iter()
            .find(|child| child.kind() == "variable_name");
        match name {
            Some(name) if text_of(name, self.text) == "IFS" => Part::Text(" ".to_owned()),
            Some(name) => Part::Variable(text_of(name, self.text).to_owned()),
            None => Part::Text(text.to_owned()),
        }
    }
}
