//! Lines of a text with their places, and the few questions asked of a line.

use crate::span::Span;

/// One line: its content without the line break, and the place of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line<'t> {
    /// The content without `\n` or `\r\n`.
    pub text: &'t str,
    /// Offset of the first byte.
    pub start: usize,
    /// Offset past the line break.
    pub next: usize,
}

impl<'t> Line<'t> {
    /// The line of `text` that begins at `start`; nothing at or past the end of the text.
    pub(crate) fn at(text: &'t str, start: usize) -> Option<Self> {
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let (content, length) = match memchr::memchr(b'\n', rest.as_bytes()) {
            Some(newline) => (&rest[..newline], newline + 1),
            None => (rest, rest.len()),
        };
        Some(Self {
            text: content.strip_suffix('\r').unwrap_or(content),
            start,
            next: start + length,
        })
    }

    /// The lines of `text` within `span`, which begins and ends at line borders.
    pub(crate) fn within(text: &'t str, span: Span) -> impl Iterator<Item = Self> + 't {
        let text = text.get(..span.end).unwrap_or(text);
        let mut start = span.start;
        std::iter::from_fn(move || {
            let line = Self::at(text, start)?;
            start = line.next;
            Some(line)
        })
    }

    /// Where the content stands, line break excluded.
    pub(crate) fn span(&self) -> Span {
        Span::new(self.start, self.start + self.text.len())
    }

    /// Whether only blanks stand on the line.
    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// How many blanks (spaces or tabs) the line begins with.
    pub(crate) fn indent(&self) -> usize {
        self.text.len() - self.text.trim_start_matches([' ', '\t']).len()
    }

    /// The content without the blanks around it, and its place.
    pub(crate) fn trimmed(&self) -> (&'t str, Span) {
        let text = self.text.trim();
        let start = self.start + (self.text.len() - self.text.trim_start().len());
        (text, Span::new(start, start + text.len()))
    }
}

/// Offset of the first byte of the line that holds byte `offset`.
pub(crate) fn line_start(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset.min(text.len())]
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |newline| newline + 1)
}

/// Offset past the line break of the line that holds byte `offset`.
pub(crate) fn line_end(text: &str, offset: usize) -> usize {
    let offset = offset.min(text.len());
    text.as_bytes()[offset..]
        .iter()
        .position(|&byte| byte == b'\n')
        .map_or(text.len(), |newline| offset + newline + 1)
}
