//! Places in a text: byte spans for machines, lines and columns for people.

use std::ops::Range;

/// A half-open range of bytes in the decoded text of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset one past the last byte.
    pub end: usize,
}

impl Span {
    /// A span from `start` up to, not including, `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The empty span at `offset`.
    pub const fn at(offset: usize) -> Self {
        Self::new(offset, offset)
    }

    /// Length in bytes.
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether the span covers nothing.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The same span `by` bytes further on.
    #[must_use]
    pub const fn shifted(self, by: usize) -> Self {
        Self::new(self.start + by, self.end + by)
    }

    /// The text that the span covers, or nothing where it does not fit `text`.
    pub fn slice(self, text: &str) -> &str {
        text.get(Range::from(self)).unwrap_or_default()
    }
}

impl From<Span> for Range<usize> {
    fn from(span: Span) -> Self {
        span.start..span.end
    }
}

/// A place for people: line and column, both from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters (not bytes), from 1.
    pub column: usize,
}

impl Position {
    /// The first character of a text.
    pub const START: Self = Self { line: 1, column: 1 };

    /// The position of byte `offset` of `text`; past the end it is the end.
    pub fn of(text: &str, offset: usize) -> Self {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let mut line = 1;
        let mut line_start = 0;
        for newline in memchr::memchr2_iter(b'\n', b'\r', before) {
            // Of a CR LF the LF counts.
            if before[newline] == b'\n' || text.as_bytes().get(newline + 1) != Some(&b'\n') {
                line += 1;
                line_start = newline + 1;
            }
        }
        // Continuation bytes of UTF-8 do not begin a character.
        let column = 1 + before[line_start..]
            .iter()
            .filter(|&&byte| byte & 0xC0 != 0x80)
            .count();
        Self { line, column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let text = "a\nö😀x";
        let x = text.len() - 1;
        assert_eq!(Position::of(text, x), Position { line: 2, column: 3 });
        assert_eq!(Position::of(text, 0), Position::START);
        assert_eq!(Position::of(text, 99), Position { line: 2, column: 4 });
    }
}
