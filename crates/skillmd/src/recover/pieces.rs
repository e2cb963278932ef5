//! A block of YAML, valid or not, cut at its keys.

use crate::code::Code;
use crate::diagnostic::Reporter;
use crate::key_line::{key_of, key_of_words};
use crate::keys::known_top_level;
use crate::lines::Line;
use crate::node::{Node, Pair};
use crate::span::Span;

/// One key line at the block's own indentation and all lines up to the next.
pub(super) struct Piece<'t> {
    /// The key line.
    pub(super) first: Line<'t>,
    /// Where the key stands.
    pub(super) key: &'t str,
    key_start: usize,
    /// Offset past the colon.
    pub(super) value_start: usize,
    /// From the key to the end of the piece's last line.
    pub(super) span: Span,
    /// The text under a header `|` or `>`.
    pub(super) text: BlockText,
}

impl Piece<'_> {
    fn key_span(&self) -> Span {
        let raw = &self.first.text[self.key_start - self.first.start..];
        let quotes = if raw.starts_with(['"', '\'']) { 2 } else { 0 };
        Span::new(self.key_start, self.key_start + self.key.len() + quotes)
    }

    pub(super) fn pair(&self, value: Node) -> Pair {
        Pair {
            key: self.key.to_owned(),
            key_span: self.key_span(),
            value,
        }
    }
}

/// How the text that a key's line announces stands below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockText {
    /// The line has no header.
    None,
    /// None of it has come yet.
    Announced,
    /// As it should be.
    Indented,
    /// At the first column of its key, or before.
    Flat,
}

impl BlockText {
    /// Nothing has come yet below a key's line with this value.
    fn under(value: &str) -> Self {
        let value = value.trim();
        let header = match value.split_once(" #") {
            Some((header, _)) => header.trim_end(),
            None => value,
        };
        let is_header = header.strip_prefix(['|', '>']).is_some_and(|rest| {
            rest.len() <= 2
                && rest
                    .bytes()
                    .all(|b| b.is_ascii_digit() || b"+-".contains(&b))
        });
        if is_header {
            Self::Announced
        } else {
            Self::None
        }
    }

    /// Takes note of the next line.
    fn begin(&mut self, is_indented: bool) {
        if *self == Self::Announced {
            *self = if is_indented {
                Self::Indented
            } else {
                Self::Flat
            };
        }
    }

    /// Whether a line that is not indented may be part of the text.
    fn goes_on(self) -> bool {
        matches!(self, Self::Announced | Self::Flat)
    }
}

/// Whether a line `key: …` that is not indented ends the text above it rather than being part of it: sentences begin with
/// a capital, and none of them with a key that clients know.
pub(super) fn ends_text(key: &str) -> bool {
    let is_word = !key.contains(' ') && !key.starts_with(char::is_uppercase);
    is_word || known_top_level(key).is_some()
}

/// Cuts a block at the keys of its own indentation, which is that of its first key. Lines above it are stray.
pub(super) fn cut_at_keys<'t>(
    text: &'t str,
    block: Span,
    strays: &mut Vec<Span>,
    reporter: &mut Reporter<'_>,
) -> Vec<Piece<'t>> {
    let mut pieces: Vec<Piece<'t>> = Vec::new();
    let mut own_indent = None;
    for line in Line::within(text, block) {
        let (content, span) = line.trimmed();
        let indent = line.indent();
        let in_prose = pieces.last().is_some_and(|piece| is_prose(piece.key));
        let in_text = pieces.last().is_some_and(|piece| piece.text.goes_on());
        let key = key_of(content)
            .or_else(|| key_of_words(content).filter(|(key, _)| !in_prose || is_name(key)))
            .filter(|(key, _)| !in_text || ends_text(key))
            .filter(|_| own_indent.is_none_or(|own| indent <= own));
        match (key, pieces.last_mut()) {
            (Some((key, length)), _) => {
                own_indent.get_or_insert(indent);
                pieces.push(Piece {
                    first: line,
                    key,
                    key_start: span.start,
                    value_start: span.start + length,
                    span: Span::new(span.start, line.next),
                    text: BlockText::under(&content[length..]),
                });
            }
            // A comment belongs to the value above it only when more of the value follows.
            (None, Some(_)) if content.starts_with('#') && Some(indent) <= own_indent => {}
            (None, Some(piece)) if content.is_empty() && piece.span.end < line.start => {}
            (None, Some(piece)) => {
                piece.span.end = line.next;
                if !content.is_empty() {
                    piece.text.begin(Some(indent) > own_indent);
                }
            }
            (None, None) if content.is_empty() || content.starts_with('#') => {}
            (None, None) => report_stray(span, strays, reporter),
        }
    }
    pieces
}

pub(super) fn report_stray(span: Span, strays: &mut Vec<Span>, reporter: &mut Reporter<'_>) {
    strays.push(span);
    reporter
        .report(Code::YamlStrayLine, span, "this line belongs to no entry")
        .help("indent it under the value it continues, or delete it");
}

/// Whether people write whole sentences under a key, and so break its lines as in prose.
pub(super) fn is_prose(key: &str) -> bool {
    matches!(
        key,
        "description" | "when_to_use" | "when-to-use" | "summary" | "compatibility"
    )
}

/// Whether words that stand before a colon in a line of prose are rather a key: prose begins its lines with a capital, or
/// has more words there.
fn is_name(words: &str) -> bool {
    words.starts_with(|c: char| c.is_ascii_lowercase()) && words.split(' ').count() <= 2
}
