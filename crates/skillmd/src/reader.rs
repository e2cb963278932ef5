//! Reads one value as what its key asks for, tolerantly, and reports what does not fit.
//!
//! Null is "not said" for every type and never a fault.

use std::str::FromStr;

use crate::code::Code;
use crate::diagnostic::{Diagnostic, Reporter, Severity};
use crate::list;
use crate::node::{Node, Value};
use crate::platform::Os;
use crate::span::Span;
use crate::spelling::fold;

/// A value on its way into a field.
#[derive(Debug)]
pub(crate) struct Reader<'s, 't> {
    /// The key as it is written; messages call the value by it.
    pub(crate) key: &'s str,
    /// The value.
    pub(crate) node: &'s Node,
    /// Where faults go.
    pub(crate) reporter: &'s mut Reporter<'t>,
    /// How faults are reported.
    pub(crate) faults: Faults,
}

/// How the faults of a value are reported.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Faults {
    /// Under the codes for wrong types and invalid values.
    Value,
    /// The same, but a wrong type is an error.
    Essential,
    /// Under one code, whatever it is.
    As(Code),
    /// Not at all: a rule elsewhere does it.
    Silent,
}

/// How a text is split into a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Separator {
    /// Commas and blanks.
    Words,
    /// Commas only.
    Phrases,
}

/// An item of a list and its place.
pub(crate) struct Item {
    pub(crate) text: String,
    pub(crate) span: Span,
}

impl<'t> Reader<'_, 't> {
    /// Reports that the value is not `wanted`, such as `a list`.
    pub(crate) fn wrong_type(&mut self, wanted: &str) {
        let message = format!(
            "`{}` should be {wanted}, not {}",
            self.key,
            self.node.type_name()
        );
        let is_essential = matches!(self.faults, Faults::Essential);
        if let Some(diagnostic) = self.report(Code::WrongType, self.node.span, message)
            && is_essential
        {
            diagnostic.severity(Severity::Error);
        }
    }

    /// Reports that the value, or the part of it at `span`, is not one that the key allows.
    pub(crate) fn invalid(&mut self, span: Span, message: String) {
        self.report(Code::InvalidValue, span, message);
    }

    fn report(&mut self, code: Code, span: Span, message: String) -> Option<&mut Diagnostic> {
        let code = match self.faults {
            Faults::Value | Faults::Essential => code,
            Faults::As(other) => other,
            Faults::Silent => return None,
        };
        Some(self.reporter.report(code, span, message))
    }

    /// The same reader at another value.
    pub(crate) fn at<'a>(&'a mut self, key: &'a str, node: &'a Node) -> Reader<'a, 't> {
        Reader {
            key,
            node,
            reporter: self.reporter,
            faults: self.faults,
        }
    }

    /// A scalar's text.
    pub(crate) fn text(&mut self) -> Option<String> {
        if self.node.as_scalar().is_none() {
            self.wrong_type("text");
        }
        self.node.as_text().map(str::to_owned)
    }

    /// A scalar's text, or the source of a list in brackets.
    pub(crate) fn verbatim(&mut self) -> Option<String> {
        match self.node.bracketed_source(self.reporter.text()) {
            Some(source) => Some(source.to_owned()),
            None => self.text(),
        }
    }

    /// A scalar that is one of `words`; another is reported but kept, because a client may be newer than the table.
    pub(crate) fn one_of(&mut self, words: &[&str]) -> Option<String> {
        let text = self.text()?;
        if !words
            .iter()
            .any(|word| word.eq_ignore_ascii_case(text.trim()))
        {
            let message = format!("`{}` is `{text}`; known: {}", self.key, words.join(", "));
            self.invalid(self.node.span, message);
        }
        Some(text)
    }

    /// A boolean word.
    pub(crate) fn flag(&mut self) -> Option<bool> {
        const WORDS: [(&str, bool); 8] = [
            ("true", true),
            ("false", false),
            ("yes", true),
            ("no", false),
            ("on", true),
            ("off", false),
            ("1", true),
            ("0", false),
        ];
        if self.node.is_null() {
            return None;
        }
        let word = self.node.as_text().unwrap_or_default().trim();
        let found = WORDS
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(word));
        if found.is_none() {
            self.wrong_type("true or false");
        }
        found.map(|&(_, flag)| flag)
    }

    /// A whole number that is not negative.
    pub(crate) fn count(&mut self) -> Option<u32> {
        if self.node.is_null() {
            return None;
        }
        let word = self.node.as_text().unwrap_or_default().trim();
        // TOML and people group digits by underscores.
        let count = word.replace('_', "").parse().ok();
        if count.is_none() {
            self.wrong_type("a whole number that is not negative");
        }
        count
    }

    /// What a word stands for.
    pub(crate) fn parsed<T: FromStr<Err: ToString>>(&mut self) -> Option<T> {
        let text = self.text()?;
        text.parse()
            .map_err(|error: T::Err| self.invalid(self.node.span, error.to_string()))
            .ok()
    }

    /// The texts of a list, or of a text that is split.
    pub(crate) fn texts(&mut self, separator: Separator) -> Option<Vec<String>> {
        let items = self.items(separator)?;
        Some(items.into_iter().map(|item| item.text).collect())
    }

    /// The items of a list, or of a text that is split. Items that are no scalars are reported and left out.
    pub(crate) fn items(&mut self, separator: Separator) -> Option<Vec<Item>> {
        match &self.node.value {
            Value::Sequence(nodes) => Some(self.sequence_items(nodes, separator)),
            Value::Mapping(_) => {
                self.wrong_type("a list");
                None
            }
            Value::Scalar(_) => {
                let text = self.node.as_text()?;
                let span = self.node.span;
                let item = |text: &str| Item {
                    text: text.to_owned(),
                    span,
                };
                let items: Vec<_> = match separator {
                    Separator::Words => list::words(text).map(item).collect(),
                    Separator::Phrases => list::phrases(text).map(item).collect(),
                };
                (!items.is_empty()).then_some(items)
            }
        }
    }

    fn sequence_items(&mut self, nodes: &[Node], separator: Separator) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::with_capacity(nodes.len());
        // YAML splits `[Bash(git add:*, git commit:*)]` inside the parentheses; where they pair up, it is undone.
        let depths = || {
            nodes
                .iter()
                .filter_map(Node::as_text)
                .map(list::open_parentheses)
        };
        let joins = separator == Separator::Words && depths().sum::<isize>() == 0;
        let mut open = 0;
        for node in nodes {
            if node.is_null() {
                continue;
            }
            let Some(text) = node.as_text() else {
                let message = format!(
                    "an item of `{}` should be text, not {}",
                    self.key,
                    node.type_name()
                );
                self.report(Code::WrongType, node.span, message);
                continue;
            };
            let text = text.trim();
            match items.last_mut() {
                Some(last) if open > 0 => {
                    last.text.push_str(", ");
                    last.text.push_str(text);
                    last.span.end = node.span.end;
                }
                _ => items.push(Item {
                    text: text.to_owned(),
                    span: node.span,
                }),
            }
            if joins {
                open = (open + list::open_parentheses(text)).max(0);
            }
        }
        items
    }

    /// Operating systems. Unknown ones are reported and left out; a list of nothing else is an empty list.
    pub(crate) fn platforms(&mut self) -> Option<Vec<Os>> {
        let mut platforms = Vec::new();
        for item in self.items(Separator::Words)? {
            match item.text.parse::<Os>() {
                Ok(os) if platforms.contains(&os) => {}
                Ok(os) => platforms.push(os),
                Err(unknown) => self.invalid(item.span, unknown.to_string()),
            }
        }
        Some(platforms)
    }

    /// What `read` makes of each item of a list; a mapping is a list of one.
    pub(crate) fn each<T>(
        &mut self,
        mut read: impl FnMut(&mut Reader<'_, 't>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let node = self.node;
        let key = self.key;
        let nodes = match &node.value {
            Value::Sequence(nodes) => nodes.as_slice(),
            Value::Mapping(_) => std::slice::from_ref(node),
            Value::Scalar(_) => {
                if !node.is_null() {
                    self.wrong_type("a list");
                }
                return None;
            }
        };
        let read = |node| read(&mut self.at(key, node));
        Some(nodes.iter().filter_map(read).collect())
    }

    /// The member `name` of a mapping, in kebab case, however it is spelt.
    pub(crate) fn member(&mut self, name: &str) -> Option<Reader<'_, 't>> {
        let pairs = self.node.as_mapping()?;
        let pair = pairs.iter().find(|pair| fold(&pair.key) == name)?;
        Some(Reader {
            key: &pair.key,
            node: &pair.value,
            reporter: self.reporter,
            faults: self.faults,
        })
    }

    /// The text of a member.
    pub(crate) fn member_text(&mut self, name: &str) -> Option<String> {
        self.member(name)?.text()
    }

    /// The flag of a member.
    pub(crate) fn member_flag(&mut self, name: &str) -> Option<bool> {
        self.member(name)?.flag()
    }
}
