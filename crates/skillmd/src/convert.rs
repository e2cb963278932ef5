//! A whole document from YAML to TOML and back.
//!
//! Data, types, comments and the body go along. What one language can say and the other cannot is in the notes.

use std::fmt;

use crate::document::{Document, Language};
use crate::format::{assemble, toml_block, unix_lines, yaml_block};
use crate::node::{Node, Scalar, ScalarStyle, Value};
use crate::outline::Outline;
use crate::quote::reads_alike;
use crate::toml_write::{self, Lines};

/// A document in another form, and what did not go along as it stood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// The new text, to be written as UTF-8.
    pub text: String,
    /// What was left out, moved or turned into text.
    pub notes: Vec<Note>,
}

/// Something that a conversion could not carry over as it stood. Keys are paths from the top level, joined by dots.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// An entry stands elsewhere now.
    Moved {
        /// Its key in the source.
        from: String,
        /// Its key in the new text.
        to: String,
    },
    /// A value that was no text is one now.
    BecameText {
        /// Its key in the new text.
        key: String,
        /// The text.
        text: String,
    },
    /// An entry is not in the new text.
    LeftOut {
        /// Its key in the source.
        key: String,
        /// Its value, as JSON.
        value: String,
        /// Why.
        reason: LeftOut,
    },
    /// The frontmatter holds text that is no entry, so that the document is as it was.
    Unreadable,
}

/// Why an entry was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LeftOut {
    /// It has no value, which the new form has no notation for.
    Empty,
    /// The place where it belongs is taken by another entry.
    Taken,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Moved { from, to } => write!(f, "`{from}` is now `{to}`"),
            Self::BecameText { key, text } => write!(f, "`{key}` is now the text `{text}`"),
            Self::LeftOut { key, value, reason } => match reason {
                LeftOut::Empty => write!(f, "`{key}` has no value and was left out"),
                LeftOut::Taken => write!(
                    f,
                    "`{key}` was left out because its place is taken; its value was {value}"
                ),
            },
            Self::Unreadable => f.write_str(
                "the frontmatter holds text that belongs to no entry; nothing was changed",
            ),
        }
    }
}

impl Conversion {
    /// The document as it is.
    pub(crate) fn unchanged(document: &Document) -> Self {
        let is_unreadable = document.frontmatter().is_some();
        Self {
            text: document.text().to_owned(),
            notes: is_unreadable
                .then_some(Note::Unreadable)
                .into_iter()
                .collect(),
        }
    }
}

/// `document` with its frontmatter in the language `to`, in canonical form. All lines end with LF, those of the body too.
///
/// A document without frontmatter stays as it is. TOML knows no empty values; YAML readers agree on no dates and on few
/// notations of numbers, so that others become text.
pub fn convert(document: &Document, to: Language) -> Conversion {
    let from = document
        .frontmatter()
        .map(|frontmatter| frontmatter.language);
    let (Some(from), Some(mut outline)) = (from, Outline::of(document)) else {
        return Conversion::unchanged(document);
    };
    let mut notes = Vec::new();
    let block = match to {
        Language::Yaml => {
            if from == Language::Toml {
                for entry in &mut outline.entries {
                    from_toml(&mut entry.value, &entry.key, &mut notes);
                }
            }
            yaml_block(&outline)
        }
        Language::Toml => {
            let mut left_out = outline.take_empty_entries();
            let mut writer = toml_write::Writer::new(from, Lines::Several);
            let block = toml_block(&outline, &mut writer);
            left_out.append(&mut writer.nulls);
            notes.extend(left_out.into_iter().map(|key| Note::LeftOut {
                key,
                value: "null".to_owned(),
                reason: LeftOut::Empty,
            }));
            block
        }
    };
    Conversion {
        text: assemble(to, &block, &unix_lines(&outline.body)),
        notes,
    }
}

/// Numbers in notations that all YAML readers share; what has none is noted, and written as text.
fn from_toml(value: &mut Value, path: &str, notes: &mut Vec<Note>) {
    match value {
        Value::Scalar(scalar) => from_toml_scalar(scalar, path, notes),
        Value::Sequence(items) => {
            for (index, Node { value, .. }) in items.iter_mut().enumerate() {
                from_toml(value, &format!("{path}[{index}]"), notes);
            }
        }
        Value::Mapping(pairs) => {
            for pair in pairs {
                from_toml(
                    &mut pair.value.value,
                    &format!("{path}.{}", pair.key),
                    notes,
                );
            }
        }
    }
}

fn from_toml_scalar(scalar: &mut Scalar, path: &str, notes: &mut Vec<Note>) {
    if scalar.style != ScalarStyle::Plain || !toml_write::is_typed(&scalar.text) {
        return;
    }
    if let Ok(toml_edit::Value::Integer(number)) = scalar.text.parse() {
        scalar.text = number.value().to_string();
    }
    if !reads_alike(scalar) {
        scalar.style = ScalarStyle::DoubleQuoted;
        notes.push(Note::BecameText {
            key: path.to_owned(),
            text: scalar.text.clone(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Encoding;
    use crate::parse::parse_text;

    fn converted(text: &str, to: Language) -> Conversion {
        convert(&parse_text(text.to_owned(), Encoding::Utf8), to)
    }

    #[test]
    fn yaml_becomes_toml() {
        let yaml = "---\n# about\nname: a\ndescription: |\n  one\n  two\nversion: 1.0\nmax_tool_rounds: 3\nalways: yes\nratio: 1.50\nempty:\ntriggers: [\"command:x\"] # why\nrequires:\n  tools: [t, ~]\nmore:\n  - a: 1\n  - {}\n---\nBody\r\n";
        let conversion = converted(yaml, Language::Toml);
        assert_eq!(
            conversion.text,
            "+++\n# about\nname = \"a\"\ndescription = \"\"\"\none\ntwo\n\"\"\"\nversion = \"1.0\"\n# why\ntriggers = [\"command:x\"]\nmax_tool_rounds = 3\nalways = true\nratio = 1.50\n\n[requires]\ntools = [\"t\"]\n\n[[more]]\na = 1\n\n[[more]]\n+++\nBody\n"
        );
        let left_out: Vec<_> = conversion.notes.iter().map(Note::to_string).collect();
        assert_eq!(
            left_out,
            [
                "`empty` has no value and was left out",
                "`requires.tools[1]` has no value and was left out"
            ]
        );
    }

    #[test]
    fn toml_becomes_yaml() {
        let toml = "+++\nname = 'a'\nversion = 1.0\nmax_tool_rounds = 0xF\nsince = 2026-01-01\nratio = 1.5\ntriggers = [\n  \"command:x\", # why\n]\n# needs\n[requires]\ntools = [\"t\"]\n+++\nBody\n";
        let conversion = converted(toml, Language::Yaml);
        assert_eq!(
            conversion.text,
            "---\nname: a\nversion: \"1.0\"\nmax_tool_rounds: 15\nsince: \"2026-01-01\"\nratio: 1.5\n# why\ntriggers:\n  - command:x\n# needs\nrequires:\n  tools:\n    - t\n---\nBody\n"
        );
        let text = |key: &str, text: &str| Note::BecameText {
            key: key.to_owned(),
            text: text.to_owned(),
        };
        assert_eq!(
            conversion.notes,
            [text("version", "1.0"), text("since", "2026-01-01")]
        );
    }

    #[test]
    fn there_and_back_is_the_canonical_form() {
        let text = "---\nname: a\ndescription: \"b: c\"\nversion: 1.2.3\nlist:\n  - 1\n  - x\nmetadata:\n  k: v\n---\n# Title\n";
        let toml = converted(text, Language::Toml);
        assert_eq!(converted(&toml.text, Language::Yaml).text, text);
    }

    #[test]
    fn what_cannot_be_read_is_not_converted() {
        let list = "---\n- a\n---\nBody\n";
        let conversion = converted(list, Language::Toml);
        assert_eq!(conversion.text, list);
        assert_eq!(conversion.notes, [Note::Unreadable]);
        let plain = converted("Body\n", Language::Toml);
        assert_eq!((plain.text.as_str(), plain.notes.len()), ("Body\n", 0));
    }
}
