//! Values to YAML in block style: the form that every reader of YAML 1.1 and 1.2 takes the same way.
//!
//! Mappings and lists are indented by two, empty ones are `{}` and `[]`. There are no anchors, tags, tabs or folded
//! lines.

use crate::node::{Node, Pair, Resolved, Scalar, Value};
use crate::quote::{escaped, reads_alike, yaml_key, yaml_line, yaml_scalar};
use crate::shape::{Place, Shape, flag};

/// Spaces that each level of nesting is indented by.
const STEP: usize = 2;

/// Longest key, in characters, that a reader must find the colon after (YAML 1.2.2, 7.4.2: 1,024, quotes included). Longer
/// ones are marked with `?`.
const IMPLICIT_KEY_CHARS: usize = 1_000;

/// Deepest level of block style. Readers limit it, so that what is deeper goes on in one line of flow style.
const BLOCK_DEPTH: usize = 24;

/// The lines of one top-level entry, the last line break included.
pub(crate) fn entry(key: &str, value: &Value) -> String {
    pair(key, value, Place::top_level())
}

/// The lines of a pair of a mapping at the first column, the last line break included.
pub(crate) fn pair(key: &str, value: &Value, place: Place) -> String {
    let mut writer = Writer { out: String::new() };
    writer.pair(key, value, place, Level::TOP);
    writer.out
}

/// A scalar on one line, as the value of a top-level `key`.
pub(crate) fn one_line(key: &str, scalar: &Scalar) -> String {
    let shape = Place::top_level().shape(key);
    typed(scalar, shape).unwrap_or_else(|| yaml_line(&scalar.text).into_owned())
}

/// How far in a collection stands.
#[derive(Clone, Copy)]
struct Level {
    /// Collections around it.
    depth: usize,
    /// Column of its keys or hyphens.
    indent: usize,
}

impl Level {
    const TOP: Self = Self {
        depth: 0,
        indent: 0,
    };

    fn deeper(self) -> Self {
        Self {
            depth: self.depth + 1,
            indent: self.indent + STEP,
        }
    }
}

struct Writer {
    out: String,
}

impl Writer {
    fn indent(&mut self, level: Level) {
        self.out.extend(std::iter::repeat_n(' ', level.indent));
    }

    /// A pair, its first line's indentation left out.
    fn pair(&mut self, key: &str, value: &Value, place: Place, level: Level) {
        let written = yaml_key(key);
        if written.chars().count() > IMPLICIT_KEY_CHARS {
            self.out.push_str("? ");
            self.out.push_str(&written);
            self.out.push('\n');
            self.indent(level);
        } else {
            self.out.push_str(&written);
        }
        self.out.push(':');
        let below = Below {
            place: place.below(key),
            shape: place.shape(key),
        };
        match value {
            Value::Mapping(pairs) if !pairs.is_empty() && level.depth < BLOCK_DEPTH => {
                self.out.push('\n');
                self.indent(level.deeper());
                self.mapping(pairs, below.place, level.deeper());
            }
            Value::Sequence(items) if !items.is_empty() && level.depth < BLOCK_DEPTH => {
                self.out.push('\n');
                self.indent(level.deeper());
                self.sequence(items, below, level.deeper());
            }
            other => self.on_key_line(other, below, level),
        }
    }

    /// Pairs, the first line's indentation left out.
    fn mapping(&mut self, pairs: &[Pair], place: Place, level: Level) {
        for (index, pair) in pairs.iter().enumerate() {
            if index > 0 {
                self.indent(level);
            }
            self.pair(&pair.key, &pair.value.value, place, level);
        }
    }

    /// Items, the first line's indentation left out.
    fn sequence(&mut self, items: &[Node], below: Below, level: Level) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.indent(level);
            }
            self.out.push('-');
            match &item.value {
                Value::Mapping(pairs) if !pairs.is_empty() && level.depth < BLOCK_DEPTH => {
                    self.out.push(' ');
                    self.mapping(pairs, below.place, level.deeper());
                }
                Value::Sequence(items) if !items.is_empty() && level.depth < BLOCK_DEPTH => {
                    self.out.push(' ');
                    self.sequence(items, below, level.deeper());
                }
                other => self.on_key_line(other, below, level),
            }
        }
    }

    /// A value that begins on the line of its key or hyphen, and the line break after it.
    fn on_key_line(&mut self, value: &Value, below: Below, level: Level) {
        let written = match value {
            Value::Scalar(scalar) => typed(scalar, below.shape)
                .unwrap_or_else(|| yaml_scalar(&scalar.text, level.deeper().indent).into_owned()),
            collection => flow(collection, below),
        };
        if !written.is_empty() {
            self.out.push(' ');
            self.out.push_str(&written);
        }
        self.out.push('\n');
    }
}

/// What is known about the values under a key.
#[derive(Clone, Copy)]
struct Below {
    place: Place,
    shape: Shape,
}

/// How a scalar is written that is not text: flags as `true` or `false`, and other types where all readers see the same.
fn typed(scalar: &Scalar, shape: Shape) -> Option<String> {
    let as_written = |fits: bool| fits.then(|| scalar.text.clone());
    match shape {
        Shape::Flag => flag(scalar)
            .map(|flag| flag.to_string())
            .or_else(|| typed(scalar, Shape::Any)),
        Shape::Any => as_written(reads_alike(scalar)),
        Shape::Text => as_written(scalar.resolve() == Resolved::Null),
    }
}

/// A value on one line, in the notation that JSON shares: brackets, and double quotes around every text.
fn flow(value: &Value, below: Below) -> String {
    match value {
        Value::Scalar(scalar) => {
            if scalar.resolve() == Resolved::Null {
                return "null".to_owned();
            }
            typed(scalar, below.shape).unwrap_or_else(|| escaped(&scalar.text))
        }
        Value::Sequence(items) => {
            let items: Vec<_> = items.iter().map(|item| flow(&item.value, below)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Mapping(pairs) => {
            let pairs: Vec<_> = pairs
                .iter()
                .map(|pair| {
                    let below = Below {
                        place: below.place.below(&pair.key),
                        shape: below.place.shape(&pair.key),
                    };
                    let key = escaped(&pair.key);
                    format!("{key}: {}", flow(&pair.value.value, below))
                })
                .collect();
            format!("{{{}}}", pairs.join(", "))
        }
    }
}
