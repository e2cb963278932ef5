//! A unified diff of one file, for people and for `patch`.

use std::io::{self, Write};

use similar::TextDiff;

use crate::terminal::{BOLD, ERROR, GOOD, is_dangerous};

/// Writes the changes from `before` to `after` as a unified diff.
pub(crate) fn write(out: &mut impl Write, path: &str, before: &str, after: &str) -> io::Result<()> {
    // The prefix that `patch -p1` takes off ends with a slash of its own.
    let path = path.trim_start_matches('/');
    let diff = TextDiff::from_lines(before, after);
    let unified = diff
        .unified_diff()
        .header(&format!("a/{path}"), &format!("b/{path}"))
        .to_string();
    write_lines(out, &unified)
}

/// Writes a unified diff of one file that lies in a place: its name is shown with the place before it.
pub(crate) fn write_unified(out: &mut impl Write, place: &str, unified: &str) -> io::Result<()> {
    let place = place.trim_start_matches('/');
    let mut lines = unified.splitn(3, '\n');
    let (before, after) = (lines.next(), lines.next());
    for line in [before, after].into_iter().flatten() {
        // `--- a/PATH` and `+++ b/PATH`.
        let (mark, path) = line.split_at_checked("--- a/".len()).unwrap_or((line, ""));
        writeln!(
            out,
            "{BOLD}{}{BOLD:#}",
            visible(&format!("{mark}{place}/{path}"))
        )?;
    }
    write_lines(out, lines.next().unwrap_or_default())
}

fn write_lines(out: &mut impl Write, unified: &str) -> io::Result<()> {
    for line in unified.split_inclusive('\n') {
        let style = match line.as_bytes() {
            [b'+' | b'-', second, ..] if *second == line.as_bytes()[0] => BOLD,
            [b'+', ..] => GOOD,
            [b'-', ..] => ERROR,
            _ => anstyle::Style::new(),
        };
        let shown = visible(line.trim_end_matches('\n'));
        writeln!(out, "{style}{shown}{style:#}")?;
    }
    Ok(())
}

/// The line with dangerous characters escaped; tabs stay, they mean something in a diff.
fn visible(line: &str) -> String {
    line.chars()
        .flat_map(|character| {
            let escape = is_dangerous(character) && character != '\t';
            let escaped = escape.then(|| character.escape_unicode());
            escaped
                .into_iter()
                .flatten()
                .chain((!escape).then_some(character))
        })
        .collect()
}
