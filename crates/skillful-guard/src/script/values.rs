//! Expressions to values: what is known of a value, and what went into it.

use super::calls::is_credential_slot;
use super::evaluate::Evaluator;
use super::fold;
use super::tree::{Call, Expression, Statement};
use crate::flow::consequences::is_secret_variable;
use crate::flow::{Flow, PathKind, Taint, path_kind};
use crate::limits::{SYNTAX_ITEMS, SYNTAX_NODES};

/// What stands in a command for a value that is not known.
pub(super) const UNKNOWN: &str = "\"$_\"";

/// Longest text that is looked at as a path, in bytes.
const PATH_BYTES: usize = 300;

/// More picked values than that in one sum spell a word.
const PICKED_LETTERS: usize = 3;

impl Evaluator<'_> {
    pub(super) fn value(&mut self, expression: &Expression) -> Flow {
        self.steps += 1;
        if self.steps > SYNTAX_NODES {
            return Flow::default();
        }
        match expression {
            Expression::Text { text, escaped } => literal(text, *escaped),
            Expression::Number(number) => Flow::text(number.to_string()),
            Expression::Name(name) => self.name(name),
            Expression::Member { object, name } => self.member(object, name),
            Expression::Index { object, index } => self.index(object, index),
            Expression::Call(call) => self.call(call),
            Expression::Binary {
                operator,
                left,
                right,
            } => self.binary(operator, left, right),
            Expression::Joined(parts) => {
                let mut value = Flow::text("");
                for part in parts {
                    let part = self.value(part);
                    value = value.then(&part);
                }
                value
            }
            Expression::List(items) => self.list(items),
            Expression::Other(items) => {
                let mut value = Flow::default();
                for item in items {
                    let item = self.value(item);
                    value.absorb(&item);
                    if items.len() == 1 {
                        value.text = item.text;
                        value.items = item.items;
                    }
                }
                value
            }
            Expression::Pairs(pairs) => {
                let mut value = Flow::default();
                for (key, item) in pairs {
                    let item = self.value(item);
                    if !is_credential_slot(key) {
                        value.absorb(&item);
                    }
                }
                value
            }
            Expression::Reversed(inner) => {
                let value = self.value(inner);
                fold::reversed(&value)
            }
            Expression::Each {
                variable,
                source,
                body,
            } => self.each(variable, source, body),
            Expression::Function { parameters, body } => {
                for parameter in parameters {
                    self.variables.entry(parameter.clone()).or_default();
                }
                self.callback(body)
            }
        }
    }

    /// Walks the body of a function without a name and gives what it returns.
    pub(super) fn callback(&mut self, body: &[Statement]) -> Flow {
        let outer = self.function.take();
        let mut returned = Flow::default();
        for statement in body {
            if let Statement::Return(value) = statement {
                let value = self.value(value);
                returned.absorb(&value);
                returned.text = value.text;
            } else {
                self.statement(statement);
            }
        }
        self.function = outer;
        returned
    }

    /// Gives the parameters of the functions among a call's arguments what the call's object holds.
    pub(super) fn give_to_callbacks(&mut self, call: &Call, object: &Flow) {
        for argument in &call.arguments {
            if let Expression::Function { parameters, .. } = &argument.value {
                for parameter in parameters {
                    let given = Flow {
                        text: None,
                        items: Vec::new(),
                        ..object.clone()
                    };
                    self.variables.insert(parameter.clone(), given);
                }
            }
        }
    }

    fn list(&mut self, items: &[Expression]) -> Flow {
        let mut value = Flow::default();
        let mut texts = Vec::new();
        for item in items {
            let item = self.value(item);
            value.absorb(&item);
            texts.extend(item.text);
        }
        if texts.len() == items.len() && texts.len() <= SYNTAX_ITEMS {
            value.items = texts;
        } else if !texts.is_empty() && items.len() <= SYNTAX_ITEMS {
            // What is not known is a variable of the command that the list may become.
            value.items = items
                .iter()
                .map(|item| self.constant(item).unwrap_or_else(|| UNKNOWN.to_owned()))
                .collect();
        }
        value
    }

    /// The text of an expression of constants, with no other effect.
    pub(super) fn constant(&self, expression: &Expression) -> Option<String> {
        match expression {
            Expression::Text { text, .. } => Some(text.clone()),
            Expression::Name(name) => self.variables.get(name)?.text.clone(),
            Expression::Joined(parts) => parts.iter().map(|part| self.constant(part)).collect(),
            Expression::Binary {
                operator,
                left,
                right,
            } if operator == "+" => Some(self.constant(left)? + &self.constant(right)?),
            _ => None,
        }
    }

    /// The body for each part of the source, one by one where the parts are known.
    fn each(&mut self, variable: &str, source: &Expression, body: &Expression) -> Flow {
        let source = self.value(source);
        if source.items.is_empty() {
            // `for name, value in …`: each of them holds a part.
            for name in variable.split(',') {
                let part = Flow {
                    text: None,
                    ..source.clone()
                };
                self.assign_name(name.trim_matches(['(', ')', '[', ']', ' ']), part);
            }
            let mut value = self.value(body);
            value.text = None;
            return value;
        }
        let mut value = Flow::of(source.taint);
        let mut texts = Vec::new();
        for item in &source.items {
            self.variables.insert(
                variable.to_owned(),
                Flow {
                    taint: source.taint,
                    ..Flow::text(item.as_str())
                },
            );
            let part = self.value(body);
            value.absorb(&part);
            texts.extend(part.text);
        }
        if texts.len() == source.items.len() {
            value.items = texts;
        }
        value
    }

    fn name(&self, name: &str) -> Flow {
        if let Some(value) = self.variables.get(name) {
            return value.clone();
        }
        match self.aliases.get(name).map(String::as_str) {
            Some("os.environ" | "process.env") => Flow::of(Taint::ENVIRONMENT),
            _ => Flow::default(),
        }
    }

    fn member(&mut self, object: &Expression, name: &str) -> Flow {
        let path = match self.path(object) {
            Some(path) => format!("{path}.{name}"),
            None => name.to_owned(),
        };
        match path.as_str() {
            "os.environ" | "process.env" => return Flow::of(Taint::ENVIRONMENT),
            "document.cookie" | "window.document.cookie" => return Flow::of(Taint::SECRET),
            _ => {}
        }
        if let Some(variable) = path.strip_prefix("process.env.") {
            return variable_of_environment(variable);
        }
        let mut value = self
            .variables
            .get(&format!(".{name}"))
            .cloned()
            .unwrap_or_default();
        value.absorb(&self.value(object));
        value
    }

    fn index(&mut self, object: &Expression, index: &Expression) -> Flow {
        let key = self.value(index);
        let path = self.path(object);
        if matches!(path.as_deref(), Some("os.environ" | "process.env")) {
            return match &key.text {
                Some(name) => variable_of_environment(name),
                None => Flow::of(Taint::ENVIRONMENT),
            };
        }
        let mut value = self.value(object);
        let picked = key
            .text
            .as_deref()
            .and_then(|index| index.parse::<usize>().ok());
        value.text = picked.and_then(|index| value.items.get(index).cloned());
        value.items.clear();
        value
    }

    fn binary(&mut self, operator: &str, left: &Expression, right: &Expression) -> Flow {
        let picks = operator == "+" && picked(left) + picked(right) > PICKED_LETTERS;
        let pieces = summands(left) + summands(right);
        let left = self.value(left);
        let right = self.value(right);
        match operator {
            "+" => {
                let items = [left.items.clone(), right.items.clone()].concat();
                let mut value = left.then(&right);
                value.items = items;
                value.items.truncate(SYNTAX_ITEMS);
                if picks || is_shredded(pieces, value.known()) {
                    value.taint |= Taint::ASSEMBLED;
                }
                value
            }
            "/" => {
                let joined = left.then(&Flow::text("/")).then(&right);
                Self::as_path(joined)
            }
            "%" => fold::method(
                "format",
                &Flow {
                    text: left.text.as_ref().map(|text| text.replace("%s", "{}")),
                    ..left
                },
                &[right],
            ),
            "^" => {
                let mut value = left;
                value.absorb(&right);
                value.text = None;
                value.taint |= Taint::ASSEMBLED;
                value
            }
            _ => {
                let mut value = left;
                value.absorb(&right);
                value.text = None;
                value
            }
        }
    }

    /// A path that was put together names what the whole names.
    pub(super) fn as_path(value: Flow) -> Flow {
        match &value.text {
            Some(text) => {
                let named = literal(text, false).taint;
                Flow {
                    taint: value.taint | named,
                    ..value
                }
            }
            None => value,
        }
    }
}

/// A text of the program, and whether it names a file of interest.
fn literal(text: &str, escaped: bool) -> Flow {
    let mut value = Flow::text(text);
    if escaped {
        value.taint |= Taint::DECODED;
    }
    if text.len() < PATH_BYTES && text.contains(['.', '/', '\\', ' ']) {
        if path_kind(text, PathKind::Secret) {
            value.taint |= Taint::SECRET_PATH;
        } else if path_kind(text, PathKind::EnvFile) {
            value.taint |= Taint::ENV_PATH;
        } else if path_kind(text, PathKind::Personal) {
            value.taint |= Taint::PERSONAL_PATH;
        }
    }
    value
}

/// How many values a sum is made of.
fn summands(expression: &Expression) -> usize {
    match expression {
        Expression::Binary {
            operator,
            left,
            right,
        } if operator == "+" => summands(left) + summands(right),
        _ => 1,
    }
}

/// Whether a text was cut so small that no piece of it says anything.
pub(super) fn is_shredded(pieces: usize, text: &str) -> bool {
    pieces >= 4 && text.len() >= 8 && text.len() < pieces * 6
}

/// How many values of a sum are picked out of a table by number.
fn picked(expression: &Expression) -> usize {
    match expression {
        Expression::Index { index, .. } => usize::from(matches!(**index, Expression::Number(_))),
        Expression::Binary { left, right, .. } => picked(left) + picked(right),
        _ => 0,
    }
}

/// One variable of the environment: a secret if it is named like one.
pub(super) fn variable_of_environment(name: &str) -> Flow {
    if matches!(name, "HOME" | "USERPROFILE") {
        Flow::text("~")
    } else if is_secret_variable(name) {
        Flow::of(Taint::TOKEN)
    } else {
        Flow::default()
    }
}
