//! From offsets to lines and columns, in a time that does not depend on the number of questions.

/// Where the lines of a text begin.
#[derive(Debug)]
pub(crate) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let after_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            text,
            starts: std::iter::once(0).chain(after_breaks).collect(),
        }
    }

    /// The line that holds the offset, from 1.
    pub(crate) fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset).max(1)
    }

    /// Line and column, both from 1, the column in characters.
    pub(crate) fn position(&self, offset: usize) -> (usize, usize) {
        let line = self.line(offset);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        let before = self.text.get(start..offset).unwrap_or_default();
        (line, before.chars().count() + 1)
    }

    /// The text of a line, from 1, without its end.
    pub(crate) fn text_of(&self, line: usize) -> &'t str {
        let start = self
            .starts
            .get(line.saturating_sub(1))
            .copied()
            .unwrap_or(self.text.len());
        let rest = self.text.get(start..).unwrap_or_default();
        rest.lines().next().unwrap_or_default()
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
        assert_eq!(lines.text_of(9), "");
    }
}
