//! Texts that are stretched so that a reader, or a scanner that stops early, does not see their end.

use crate::context::{Form, Language, Unit, Zone};
use crate::facts::Facts;
use crate::limits::LINE_BYTES;
use crate::text::View;

/// So many blank lines in a row separate nothing.
const BLANK_LINES: usize = 200;

/// So many blanks before the text of a line push it out of every window.
const BLANKS: usize = 300;

/// Looks at the layout of a text.
pub(crate) fn scan(text: &str, language: Language, facts: &mut Facts) {
    let mut blank_lines = 0;
    let mut at = 0;
    let unit = Unit::uniform(View::verbatim("", 0), Form::Prose, Zone::Prose);
    for line in text.split_inclusive('\n') {
        let content = line.trim();
        if content.is_empty() {
            blank_lines += 1;
        } else {
            let indent = line.len() - line.trim_start().len();
            if blank_lines >= BLANK_LINES {
                facts.add(
                    &unit,
                    "text-after-padding",
                    &(at..at),
                    Some(format!("after {blank_lines} blank lines")),
                );
            }
            if longest_gap(line) >= BLANKS || indent >= BLANKS {
                facts.add(
                    &unit,
                    "text-after-padding",
                    &(at..at),
                    Some("after hundreds of blanks".to_owned()),
                );
            }
            if line.len() > LINE_BYTES * 10
                && matches!(
                    language,
                    Language::Shell | Language::Python | Language::PowerShell
                )
            {
                facts.add(
                    &unit,
                    "packed-program",
                    &(at..at),
                    Some(format!("a line of {} bytes", line.len())),
                );
            }
            blank_lines = 0;
        }
        at += line.len();
    }
}

/// The longest run of blanks inside a line, between two texts.
fn longest_gap(line: &str) -> usize {
    let trimmed = line.trim();
    if trimmed.len() < BLANKS {
        return 0;
    }
    trimmed
        .split(|c: char| !c.is_whitespace())
        .map(str::len)
        .max()
        .unwrap_or(0)
}
