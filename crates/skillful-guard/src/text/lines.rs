//! From offsets to lines and columns, in a time that does not depend on the number of questions.

use memchr::{memchr_iter, memrchr};

/// How far apart the places are whose line is remembered, in bytes. Remembering every line would take more than a text
/// of empty lines does.
const STEP: usize = 4 * 1024;

/// The lines of a text.
#[derive(Debug)]
pub(crate) struct Lines<'t> {
    text: &'t str,
    /// How many line breaks stand before each multiple of [`STEP`].
    before: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let mut before = vec![0];
        let mut count = 0;
        for block in text.as_bytes().chunks(STEP) {
            count += memchr_iter(b'\n', block).count();
            before.push(count);
        }
        Self { text, before }
    }

    /// The line that holds the offset, from 1.
    pub(crate) fn line(&self, offset: usize) -> usize {
        let offset = offset.min(self.text.len());
        let block = offset / STEP;
        let rest = self.bytes(block * STEP, offset);
        self.before.get(block).copied().unwrap_or(0) + memchr_iter(b'\n', rest).count() + 1
    }

    /// Line and column, both from 1, the column in characters.
    pub(crate) fn position(&self, offset: usize) -> (usize, usize) {
        let before = self.bytes(0, offset.min(self.text.len()));
        let start = memrchr(b'\n', before).map_or(0, |at| at + 1);
        let in_line = self.text.get(start..offset).unwrap_or_default();
        (self.line(offset), in_line.chars().count() + 1)
    }

    /// The text of a line, from 1, without its end.
    pub(crate) fn text_of(&self, line: usize) -> &'t str {
        // The break that ends the line before stands in the last block with fewer breaks before it.
        let breaks = line.saturating_sub(1);
        let block = self
            .before
            .partition_point(|&before| before < breaks)
            .saturating_sub(1);
        let known = self.before.get(block).copied().unwrap_or(0);
        let start = match breaks.checked_sub(known + 1) {
            Some(further) => memchr_iter(b'\n', self.bytes(block * STEP, self.text.len()))
                .nth(further)
                .map_or(self.text.len(), |at| block * STEP + at + 1),
            None => 0,
        };
        let rest = self.text.get(start..).unwrap_or_default();
        rest.lines().next().unwrap_or_default()
    }

    fn bytes(&self, from: usize, to: usize) -> &'t [u8] {
        self.text.as_bytes().get(from..to).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_become_lines_and_columns() {
        let lines = Lines::new("a\nöb\n");
        assert_eq!(lines.position(0), (1, 1));
        assert_eq!(lines.position(2), (2, 1));
        assert_eq!(lines.position(4), (2, 2));
        assert_eq!(lines.position(99), (3, 1));
        assert_eq!(lines.text_of(2), "öb");
        assert_eq!(lines.text_of(1), "a");
        assert_eq!(lines.text_of(9), "");
    }

    #[test]
    fn lines_of_long_texts_are_found_on_both_sides_of_every_step() {
        let numbered: Vec<String> = (0..3_000).map(|n| format!("line {n}\n\n")).collect();
        let text = numbered.concat();
        let lines = Lines::new(&text);
        for n in 0..3_000 {
            let line = 2 * n + 1;
            let expected = format!("line {n}");
            assert_eq!(lines.text_of(line), expected);
            assert_eq!(lines.text_of(line + 1), "");
            let at = text.find(&format!("{expected}\n")).unwrap();
            assert_eq!(lines.position(at + 2), (line, 3));
        }
    }
}
