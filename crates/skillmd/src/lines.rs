//! Lines of a text with their places, and the few questions asked of a line. A line ends with LF, CR LF or, as YAML
//! has it too, CR alone.

use crate::span::Span;

/// One line: its content without the line break, and the place of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line<'t> {
    /// The content without its line break.
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
        let end = memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
        let line_break = match &rest.as_bytes()[end..] {
            [b'\r', b'\n', ..] => 2,
            [_, ..] => 1,
            [] => 0,
        };
        Some(Self {
            text: &rest[..end],
            start,
            next: start + end + line_break,
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
        .rposition(|&byte| byte == b'\n' || byte == b'\r')
        .map_or(0, |newline| newline + 1)
}

/// Offset past the line break of the line that holds byte `offset`.
pub(crate) fn line_end(text: &str, offset: usize) -> usize {
    // The offset may lie inside a character, so this is about bytes.
    let rest = text.as_bytes().get(offset..).unwrap_or_default();
    match memchr::memchr2(b'\n', b'\r', rest) {
        Some(end) if rest[end..].starts_with(b"\r\n") => offset + end + 2,
        Some(end) => offset + end + 1,
        None => text.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_three_ways() {
        let text = "a\nb\r\nc\rd😀";
        let all = Span::new(0, text.len());
        let lines: Vec<&str> = Line::within(text, all).map(|line| line.text).collect();
        assert_eq!(lines, ["a", "b", "c", "d😀"]);
        assert_eq!(line_end(text, 0), 2);
        assert_eq!(line_end(text, 2), 5);
        assert_eq!(line_end(text, 5), 7);
        assert_eq!(
            line_end(text, text.len() - 1),
            text.len(),
            "inside a character"
        );
        assert_eq!(line_start(text, text.len() - 1), 7);
    }
}
