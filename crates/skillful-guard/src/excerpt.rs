//! What of a scanned text may be shown: one line, short, and nothing that a terminal would obey.

use crate::decode::is_invisible;
use crate::limits::EXCERPT_CHARS;

/// The text with every character visible: controls and what leaves no mark become escapes; line breaks stay.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => shown.push('\n'),
            '\t' => shown.push(' '),
            c if c.is_control() || is_invisible(c) => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    shown
}

/// One line for a report: around `column` (in characters, from 1) if the line is long.
pub(crate) fn of_line(line: &str, column: usize) -> String {
    let skipped = if line.chars().count() > EXCERPT_CHARS {
        column.saturating_sub(EXCERPT_CHARS / 4)
    } else {
        0
    };
    let part: String = line.chars().skip(skipped).take(EXCERPT_CHARS).collect();
    short(&part)
}

/// Cut to the length of an excerpt, visible, in one line.
pub(crate) fn short(text: &str) -> String {
    let one_line = visible(text).replace('\n', " ");
    let mut cut: String = one_line.trim().chars().take(EXCERPT_CHARS).collect();
    if cut.len() < one_line.trim().len() {
        cut.push('…');
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        assert_eq!(
            short("a\u{1b}[31mb\u{200b}c\td"),
            "a\\u{1b}[31mb\\u{200b}c d"
        );
        assert_eq!(short(&"x".repeat(500)).chars().count(), EXCERPT_CHARS + 1);
    }

    #[test]
    fn a_long_line_is_shown_around_the_column() {
        let line = format!("{}needle{}", "a".repeat(1000), "b".repeat(1000));
        assert!(of_line(&line, 1001).contains("needle"));
    }
}
