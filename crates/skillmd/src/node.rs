//! The value tree that YAML and TOML frontmatter share.
//!
//! A scalar keeps the text that its author wrote (`1.0` stays `1.0`), with the style it was written in; what type it
//! has is answered on demand by [`Scalar::resolve`] under the YAML 1.2 core schema. Every node knows its place.

use crate::span::Span;

/// A value and the bytes it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Where it stands in the decoded text: quotes, block headers and brackets included.
    pub span: Span,
}

/// A frontmatter value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Text, number, boolean or nothing: see [`Scalar::resolve`].
    Scalar(Scalar),
    /// A list.
    Sequence(Vec<Node>),
    /// Keys and values in source order. Keys may repeat; look-ups take the first.
    Mapping(Vec<Pair>),
}

/// One `key: value` of a mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The key's text.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

/// A scalar: its text after quotes and escapes are taken off, and how it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The text.
    pub text: String,
    /// The notation in the source.
    pub style: ScalarStyle,
}

/// The notation of a scalar in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarStyle {
    /// Without quotes; in TOML a number, boolean or date.
    Plain,
    /// `'…'`; in TOML a literal string.
    SingleQuoted,
    /// `"…"`; in TOML a basic string.
    DoubleQuoted,
    /// `|`; in TOML a multi-line string.
    Literal,
    /// `>`.
    Folded,
}

/// A scalar's value under the YAML 1.2 core schema.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Resolved<'a> {
    /// Nothing was written, or `null` or `~`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Float(f64),
    /// Anything else.
    Text(&'a str),
}

impl Node {
    /// A scalar node.
    pub fn scalar(text: impl Into<String>, style: ScalarStyle, span: Span) -> Self {
        Self {
            value: Value::Scalar(Scalar {
                text: text.into(),
                style,
            }),
            span,
        }
    }

    /// The scalar, when the node is one.
    pub fn as_scalar(&self) -> Option<&Scalar> {
        match &self.value {
            Value::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// The text of a scalar that is not null.
    pub fn as_text(&self) -> Option<&str> {
        self.as_scalar()
            .filter(|scalar| scalar.resolve() != Resolved::Null)
            .map(|scalar| scalar.text.as_str())
    }

    /// The items, when the node is a list.
    pub fn as_sequence(&self) -> Option<&[Node]> {
        match &self.value {
            Value::Sequence(items) => Some(items),
            _ => None,
        }
    }

    /// The pairs, when the node is a mapping.
    pub fn as_mapping(&self) -> Option<&[Pair]> {
        match &self.value {
            Value::Mapping(pairs) => Some(pairs),
            _ => None,
        }
    }

    /// The value of the first pair with exactly this key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.as_mapping()?
            .iter()
            .find(|pair| pair.key == key)
            .map(|pair| &pair.value)
    }

    /// Whether the node is a null scalar.
    pub fn is_null(&self) -> bool {
        self.value.is_null()
    }

    /// The word for the node's type in messages: `text`, `number`, `list`, …
    pub fn type_name(&self) -> &'static str {
        match &self.value {
            Value::Sequence(_) => "a list",
            Value::Mapping(_) => "a mapping",
            Value::Scalar(scalar) => match scalar.resolve() {
                Resolved::Null => "empty",
                Resolved::Bool(_) => "a boolean",
                Resolved::Integer(_) | Resolved::Float(_) => "a number",
                Resolved::Text(_) => "text",
            },
        }
    }

    /// The source of a list in brackets, out of the text that the node was read from.
    pub(crate) fn bracketed_source<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.as_sequence()?;
        let source = self.span.slice(text).trim();
        (source.starts_with('[') && source.ends_with(']')).then_some(source)
    }

    /// From the first child's start to the last one's end, for a collection that has any.
    pub(crate) fn children_span(&self) -> Option<Span> {
        match &self.value {
            Value::Sequence(items) => {
                Some(Span::new(items.first()?.span.start, items.last()?.span.end))
            }
            Value::Mapping(pairs) => Pair::span_of_all(pairs),
            Value::Scalar(_) => None,
        }
    }

    /// Whether two nodes hold the same data, whatever their places and notation.
    pub fn same_data(&self, other: &Self) -> bool {
        match (&self.value, &other.value) {
            (Value::Scalar(a), Value::Scalar(b)) => a.text == b.text,
            (Value::Sequence(a), Value::Sequence(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same_data(b))
            }
            (Value::Mapping(a), Value::Mapping(b)) => {
                a.len() == b.len()
                    && a.iter()
                        .zip(b)
                        .all(|(a, b)| a.key == b.key && a.value.same_data(&b.value))
            }
            _ => false,
        }
    }
}

impl Value {
    /// Whether the value is a null scalar.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Scalar(scalar) if scalar.resolve() == Resolved::Null)
    }
}

impl Pair {
    /// From the first key to the end of the last value.
    pub(crate) fn span_of_all(pairs: &[Self]) -> Option<Span> {
        let last = pairs.last()?;
        // A value that is not written stands before the end of its key.
        let end = last.value.span.end.max(last.key_span.end);
        Some(Span::new(pairs.first()?.key_span.start, end))
    }
}

impl Scalar {
    /// Whether it is written as a block under a header `|` or `>`; in TOML, as a multi-line string.
    pub(crate) fn is_block(&self) -> bool {
        matches!(self.style, ScalarStyle::Literal | ScalarStyle::Folded)
    }

    /// The typed value under the YAML 1.2 core schema (YAML 1.2.2, 10.3). Only plain scalars can be anything but text.
    pub fn resolve(&self) -> Resolved<'_> {
        if self.style != ScalarStyle::Plain {
            return Resolved::Text(&self.text);
        }
        match self.text.as_str() {
            "" | "~" | "null" | "Null" | "NULL" => Resolved::Null,
            "true" | "True" | "TRUE" => Resolved::Bool(true),
            "false" | "False" | "FALSE" => Resolved::Bool(false),
            text => integer(text)
                .map(Resolved::Integer)
                .or_else(|| float(text).map(Resolved::Float))
                .unwrap_or(Resolved::Text(text)),
        }
    }
}

fn integer(text: &str) -> Option<i64> {
    let radix = |digits: &str, radix: u32| {
        digits
            .bytes()
            .all(|byte| (byte as char).is_digit(radix))
            .then(|| i64::from_str_radix(digits, radix).ok())
            .flatten()
    };
    if let Some(octal) = text.strip_prefix("0o") {
        return radix(octal, 8);
    }
    if let Some(hexadecimal) = text.strip_prefix("0x") {
        return radix(hexadecimal, 16);
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

fn float(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    match unsigned {
        ".inf" | ".Inf" | ".INF" => {
            return Some(if text.starts_with('-') {
                f64::NEG_INFINITY
            } else {
                f64::INFINITY
            });
        }
        ".nan" | ".NaN" | ".NAN" if unsigned == text => return Some(f64::NAN),
        _ => {}
    }
    let mut has_digit = false;
    for byte in unsigned.bytes() {
        match byte {
            b'0'..=b'9' => has_digit = true,
            b'.' | b'e' | b'E' | b'+' | b'-' => {}
            _ => return None,
        }
    }
    // `Infinity`, `NaN` and the like are words in YAML; what is left is a number if Rust says so, and `e5` is not.
    (has_digit && unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.'))
        .then(|| text.parse().ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(text: &str) -> Resolved<'_> {
        // The scalar must outlive the answer; a leak in a test is the plainest way.
        let scalar = Box::leak(Box::new(Scalar {
            text: text.to_owned(),
            style: ScalarStyle::Plain,
        }));
        scalar.resolve()
    }

    #[test]
    fn core_schema() {
        assert_eq!(resolve(""), Resolved::Null);
        assert_eq!(resolve("~"), Resolved::Null);
        assert_eq!(resolve("TRUE"), Resolved::Bool(true));
        assert_eq!(resolve("yes"), Resolved::Text("yes"));
        assert_eq!(resolve("0o14"), Resolved::Integer(12));
        assert_eq!(resolve("014"), Resolved::Integer(14));
        assert_eq!(resolve("0x1F"), Resolved::Integer(31));
        assert_eq!(resolve("-5"), Resolved::Integer(-5));
        assert_eq!(resolve("1.10"), Resolved::Float(1.1));
        assert_eq!(resolve("1e3"), Resolved::Float(1000.0));
        assert_eq!(resolve("12:30:45"), Resolved::Text("12:30:45"));
        assert_eq!(resolve("2026-01-01"), Resolved::Text("2026-01-01"));
        assert_eq!(resolve("1.2.3"), Resolved::Text("1.2.3"));
        assert_eq!(resolve("e5"), Resolved::Text("e5"));
        assert_eq!(resolve("+"), Resolved::Text("+"));
        assert_eq!(resolve("."), Resolved::Text("."));
        assert_eq!(resolve("-"), Resolved::Text("-"));
        assert_eq!(resolve(".inf"), Resolved::Float(f64::INFINITY));
        assert_eq!(resolve("0x"), Resolved::Text("0x"));
    }
}
