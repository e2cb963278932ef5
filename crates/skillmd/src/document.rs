//! A SKILL.md as it stands: its text, its fences, and the place of every top-level entry.
//!
//! The text is never rebuilt from the values: an unedited document gives back its bytes, and an edit replaces the
//! bytes of one entry.

use crate::decode::Encoding;
use crate::diagnostic::Diagnostic;
use crate::node::{Node, Value};
use crate::span::Span;

/// The language of a frontmatter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// Between lines `---`.
    Yaml,
    /// Between lines `+++`.
    Toml,
}

impl Language {
    /// The line that opens and closes a frontmatter of this language.
    pub const fn fence(self) -> &'static str {
        match self {
            Self::Yaml => "---",
            Self::Toml => "+++",
        }
    }
}

/// Where the frontmatter stands. Blank lines and comments before it belong to neither it nor the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frontmatter {
    /// What the block is written in.
    pub language: Language,
    /// The opening fence's line, without its line break; empty where it is missing.
    pub opener: Span,
    /// The lines between the fences.
    pub block: Span,
    /// The closing fence's line, without its line break, where there is one.
    pub closer: Option<Span>,
}

/// One top-level entry of the frontmatter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key as it is written, quotes taken off.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// The whole lines of the entry, the last line break included. Comments and blank lines between entries belong to none.
    pub span: Span,
    /// The value.
    pub value: Node,
    /// Whether the value could only be read as literal text.
    pub recovered: bool,
    /// Whether an earlier entry has the same key; this one does not count, but is kept.
    pub duplicate: bool,
}

impl Entry {
    /// Whether the value is the empty scalar.
    pub fn is_empty(&self) -> bool {
        matches!(&self.value.value, Value::Scalar(scalar) if scalar.text.is_empty())
    }
}

/// A parsed SKILL.md. Made by [`crate::parse`] and [`crate::parse_text`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    pub(crate) text: String,
    pub(crate) encoding: Encoding,
    pub(crate) frontmatter: Option<Frontmatter>,
    pub(crate) entries: Vec<Entry>,
    /// Text of the block that belongs to no entry and is no comment, in no order.
    pub(crate) strays: Vec<Span>,
    pub(crate) body: Span,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Document {
    /// The decoded text, without a byte order mark. All spans point into it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The decoded text, for who needs nothing else any more.
    pub fn into_text(self) -> String {
        self.text
    }

    /// How the bytes were encoded.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The bytes of the document: of an unedited one exactly those it was read from.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.encoding.encode(&self.text)
    }

    /// The frontmatter's place, when there is one.
    pub fn frontmatter(&self) -> Option<&Frontmatter> {
        self.frontmatter.as_ref()
    }

    /// The top-level entries in source order, duplicates included.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry that counts for exactly this key.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries
            .iter()
            .find(|entry| entry.key == key && !entry.duplicate)
    }

    /// The value of the entry that counts for exactly this key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The text of a scalar entry that is not null.
    pub fn get_text(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(Node::as_text)
    }

    /// The body: all that follows the closing fence's line, byte for byte.
    pub fn body(&self) -> &str {
        self.body.slice(&self.text)
    }

    /// Where the body stands.
    pub fn body_span(&self) -> Span {
        self.body
    }

    /// What was found while reading, sorted by place.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Whether the entries hold the same keys and data in the same order, whatever the notation.
    pub fn same_data(&self, other: &Self) -> bool {
        fn counted(document: &Document) -> impl Iterator<Item = &Entry> {
            document.entries.iter().filter(|entry| !entry.duplicate)
        }
        counted(self).count() == counted(other).count()
            && counted(self)
                .zip(counted(other))
                .all(|(a, b)| a.key == b.key && a.value.same_data(&b.value))
    }
}
