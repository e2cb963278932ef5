//! Values to TOML: one-line entries first, tables last.

use std::str::FromStr;

use crate::document::Language;
use crate::node::{Node, Pair, Resolved, Scalar, ScalarStyle, Value};
use crate::quote::double_quoted;
use crate::shape::{Place, Shape, flag};

/// Whether strings may take several lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lines {
    /// `"""`, where it is safe. Only for texts whose lines end with LF: the value would hold the line breaks of the file.
    Several,
    /// Line breaks are escaped.
    One,
}

/// Writes values that were read from one language as TOML.
#[derive(Debug)]
pub(crate) struct Writer {
    source: Language,
    lines: Lines,
    out: String,
    /// Paths of values that TOML cannot hold: those that are nothing.
    pub(crate) nulls: Vec<String>,
}

impl Writer {
    pub(crate) fn new(source: Language, lines: Lines) -> Self {
        Self {
            source,
            lines,
            out: String::new(),
            nulls: Vec::new(),
        }
    }

    /// What was written since the last call.
    pub(crate) fn take(&mut self) -> String {
        std::mem::take(&mut self.out)
    }

    /// Writes the lines of one top-level entry, the last line break included; nothing for a value that is nothing.
    pub(crate) fn entry(&mut self, key: &str, value: &Value) {
        let name = written_key(key);
        match value {
            Value::Mapping(pairs) => self.table(
                &name,
                &format!("[{name}]"),
                pairs,
                Place::top_level().below(key),
            ),
            Value::Sequence(items) if is_array_of_tables(value) => {
                self.array_of_tables(&name, items, Place::top_level().below(key));
            }
            other => {
                if let Some(written) = self.value(other, &name, Below::of(Place::top_level(), key))
                {
                    self.pair(&name, &written);
                }
            }
        }
    }

    fn pair(&mut self, name: &str, written: &str) {
        self.out.extend([name, " = ", written, "\n"]);
    }

    /// A table under its header: its own values first, for those below a later header would belong to that one.
    fn table(&mut self, path: &str, header: &str, pairs: &[Pair], place: Place) {
        self.out.push_str(header);
        self.out.push('\n');
        for pair in pairs.iter().filter(|pair| !is_table(&pair.value.value)) {
            let name = written_key(&pair.key);
            let below = Below::of(place, &pair.key);
            let path = format!("{path}.{name}");
            if let Some(written) = self.value(&pair.value.value, &path, below) {
                self.pair(&name, &written);
            }
        }
        for pair in pairs.iter().filter(|pair| is_table(&pair.value.value)) {
            let path = format!("{path}.{}", written_key(&pair.key));
            let place = place.below(&pair.key);
            match &pair.value.value {
                Value::Mapping(pairs) => self.table(&path, &format!("\n[{path}]"), pairs, place),
                Value::Sequence(items) => {
                    self.out.push('\n');
                    self.array_of_tables(&path, items, place);
                }
                Value::Scalar(_) => {}
            }
        }
    }

    fn array_of_tables(&mut self, path: &str, items: &[Node], place: Place) {
        for (index, item) in items.iter().enumerate() {
            if let Value::Mapping(pairs) = &item.value {
                let gap = if index == 0 { "" } else { "\n" };
                self.table(path, &format!("{gap}[[{path}]]"), pairs, place);
            }
        }
    }

    /// A value after `=`; nothing where TOML has no word for it.
    fn value(&mut self, value: &Value, path: &str, below: Below) -> Option<String> {
        match value {
            Value::Scalar(scalar) => {
                let written = self.scalar(scalar, below.shape, self.lines);
                if written.is_none() {
                    self.nulls.push(path.to_owned());
                }
                written
            }
            _ => self.inline(value, path, below),
        }
    }

    /// A value on one line.
    fn inline(&mut self, value: &Value, path: &str, below: Below) -> Option<String> {
        match value {
            Value::Scalar(scalar) => {
                let written = self.scalar(scalar, below.shape, Lines::One);
                if written.is_none() {
                    self.nulls.push(path.to_owned());
                }
                written
            }
            Value::Sequence(items) => {
                let items: Vec<_> = items
                    .iter()
                    .enumerate()
                    .filter_map(|(index, item)| {
                        self.inline(&item.value, &format!("{path}[{index}]"), below)
                    })
                    .collect();
                Some(format!("[{}]", items.join(", ")))
            }
            Value::Mapping(pairs) => {
                let pairs: Vec<_> = pairs
                    .iter()
                    .filter_map(|pair| {
                        let name = written_key(&pair.key);
                        let below = Below::of(below.place, &pair.key);
                        let path = format!("{path}.{name}");
                        let written = self.inline(&pair.value.value, &path, below)?;
                        Some(format!("{name} = {written}"))
                    })
                    .collect();
                Some(if pairs.is_empty() {
                    "{}".to_owned()
                } else {
                    format!("{{ {} }}", pairs.join(", "))
                })
            }
        }
    }

    fn scalar(&self, scalar: &Scalar, shape: Shape, lines: Lines) -> Option<String> {
        let text = scalar.text.as_str();
        if scalar.style == ScalarStyle::Plain {
            match self.source {
                // Types are kept as they were written.
                Language::Toml if is_typed(text) => return Some(text.to_owned()),
                Language::Toml => {}
                Language::Yaml => {
                    if scalar.resolve() == Resolved::Null {
                        return None;
                    }
                    if let Some(typed) = typed(scalar, shape) {
                        return Some(typed);
                    }
                }
            }
        } else if let (Language::Yaml, Shape::Flag, Some(flag)) = (self.source, shape, flag(scalar))
        {
            return Some(flag.to_string());
        }
        Some(string(text, lines))
    }
}

/// A scalar on one line, as the value of a top-level `key`; nothing for one that is nothing.
pub(crate) fn one_line(key: &str, scalar: &Scalar) -> Option<String> {
    let shape = Place::top_level().shape(key);
    Writer::new(Language::Yaml, Lines::One).scalar(scalar, shape, Lines::One)
}

/// What is known about the values under a key.
#[derive(Clone, Copy)]
struct Below {
    place: Place,
    shape: Shape,
}

impl Below {
    fn of(place: Place, key: &str) -> Self {
        Self {
            place: place.below(key),
            shape: place.shape(key),
        }
    }
}

/// The TOML type of an unquoted YAML scalar that is not text.
fn typed(scalar: &Scalar, shape: Shape) -> Option<String> {
    match shape {
        Shape::Text => return None,
        Shape::Flag => {
            if let Some(flag) = flag(scalar) {
                return Some(flag.to_string());
            }
        }
        Shape::Any => {}
    }
    match scalar.resolve() {
        Resolved::Bool(flag) => Some(flag.to_string()),
        Resolved::Integer(number) => Some(number.to_string()),
        Resolved::Float(_) if is_typed(&scalar.text) => Some(scalar.text.clone()),
        // Always with a point or an exponent; infinity and not-a-number have the same words in TOML.
        Resolved::Float(number) => Some(format!("{number:?}").replace("NaN", "nan")),
        Resolved::Null | Resolved::Text(_) => None,
    }
}

/// Whether an unquoted text is a number, boolean or date of TOML.
pub(crate) fn is_typed(text: &str) -> bool {
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b"+-.:_ ".contains(&b);
    !text.is_empty()
        && text.bytes().all(is_word)
        && text.trim() == text
        && toml_edit::Value::from_str(text).is_ok()
}

pub(crate) fn is_table(value: &Value) -> bool {
    matches!(value, Value::Mapping(_)) || is_array_of_tables(value)
}

fn is_array_of_tables(value: &Value) -> bool {
    let Value::Sequence(items) = value else {
        return false;
    };
    let is_mapping = |item: &Node| matches!(item.value, Value::Mapping(_));
    !items.is_empty() && items.iter().all(is_mapping)
}

pub(crate) fn written_key(key: &str) -> String {
    let is_bare = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    if !key.is_empty() && key.bytes().all(is_bare) {
        key.to_owned()
    } else {
        one_line_string(key)
    }
}

/// A text as a TOML string.
fn string(text: &str, lines: Lines) -> String {
    let has_odd_break = text.contains('\r')
        || text
            .chars()
            .any(|c| c != '\n' && c != '\t' && c.is_control());
    if lines == Lines::Several && text.contains('\n') && !has_odd_break && !holds_fence(text) {
        // The library picks the plainest of TOML's notations.
        toml_edit::Value::from(text).to_string()
    } else {
        one_line_string(text)
    }
}

/// Whether the text holds a frontmatter's fence: some readers take the next one anywhere for the closing one.
fn holds_fence(text: &str) -> bool {
    text.contains("+++")
}

fn one_line_string(text: &str) -> String {
    let is_literal = text.contains(['"', '\\'])
        && !text.contains('\'')
        && !holds_fence(text)
        && !text.chars().any(char::is_control);
    if is_literal {
        return format!("'{text}'");
    }
    double_quoted(text, '+', char::is_control, |code| format!("\\u{code:04X}"))
}
