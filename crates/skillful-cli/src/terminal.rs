//! Standard output as the command uses it: colours only where they are wanted, nothing hostile on the screen, and a
//! reader that goes away is no failure.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anstream::{AutoStream, ColorChoice as StreamChoice};
use anstyle::{AnsiColor, Style};
use serde::Serialize;

use crate::args::ColorChoice;

/// What was found wrong: red.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// What deserves a look: yellow.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default();
/// What is fine: green.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// What matters least on a line.
pub(crate) const DIM: Style = Style::new().dimmed();
/// Headlines and names.
pub(crate) const BOLD: Style = Style::new().bold();

/// Standard output for people: buffered, with colours taken out where they are not wanted.
pub(crate) type Out = BufWriter<AutoStream<Stdout>>;

/// Opens standard output for text with styles.
pub(crate) fn stdout(choice: ColorChoice) -> Out {
    let stdout = io::stdout();
    let choice = match choice {
        ColorChoice::Always => StreamChoice::Always,
        ColorChoice::Never => StreamChoice::Never,
        ColorChoice::Auto => AutoStream::choice(&stdout),
    };
    BufWriter::with_capacity(BUFFER, AutoStream::new(stdout, choice))
}

const BUFFER: usize = 64 * 1024;

/// Whether a JSON document was printed.
static PRINTED_JSON: AtomicBool = AtomicBool::new(false);

/// Whether standard output has its JSON document already.
pub(crate) fn has_printed_json() -> bool {
    PRINTED_JSON.load(Ordering::Relaxed)
}

/// Prints one JSON document. It goes to a program and is passed through as it is.
pub(crate) fn print_json(document: &impl Serialize) -> io::Result<()> {
    PRINTED_JSON.store(true, Ordering::Relaxed);
    let mut out = BufWriter::with_capacity(BUFFER, io::stdout().lock());
    serde_json::to_writer(&mut out, document)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Prints text that goes to a program or a model, as it is.
pub(crate) fn print_raw(text: &str) -> io::Result<()> {
    print_bytes(text.as_bytes())
}

/// Prints bytes that go to a program, as they are.
pub(crate) fn print_bytes(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

/// Whether text on standard output is to have styles.
pub(crate) fn is_styled(choice: ColorChoice) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => AutoStream::choice(&io::stdout()) != StreamChoice::Never,
    }
}

/// Columns of the terminal on standard output; wide where there is none, so that a pipe gets whole lines.
pub(crate) fn width() -> usize {
    if io::stdout().is_terminal() {
        terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0))
    } else {
        usize::MAX
    }
}

/// Says on standard error what went wrong without ending the work.
pub(crate) fn warn(message: &str) {
    let mut stream = anstream::stderr();
    // If standard error is gone, there is nobody to tell.
    let _ = writeln!(
        stream,
        "{WARNING}warning{WARNING:#}: {}",
        printable(message)
    );
}

/// Whether a person sits at both ends, so that questions may be asked.
pub(crate) fn is_interactive() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// The text with everything that could move the cursor, hide text or reorder it shown as a visible escape. All that
/// comes from a skill goes through here before it is printed for people.
pub(crate) fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' => shown.push(' '),
            _ if is_dangerous(character) => shown.extend(character.escape_unicode()),
            _ => shown.push(character),
        }
    }
    shown
}

/// The same for a text of several lines, which stay lines.
pub(crate) fn printable_lines(text: &str) -> String {
    let lines = text
        .split('\n')
        .map(|line| printable(line.strip_suffix('\r').unwrap_or(line)));
    lines.collect::<Vec<_>>().join("\n")
}

/// Control characters, bidirectional overrides, zero-width characters and tags.
pub(crate) fn is_dangerous(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{200B}'
                | '\u{200E}'
                | '\u{200F}'
                | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{FEFF}'
                | '\u{E0000}'..='\u{E007F}'
        )
}

/// A number with its noun: `1 fix`, `2 fixes`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    let ending = match count {
        1 => "",
        _ if noun.ends_with('x') => "es",
        _ => "s",
    };
    format!("{count} {noun}{ending}")
}

/// The text cut to at most `width` characters, with an ellipsis where something was cut off.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_cannot_move_the_cursor() {
        assert_eq!(printable("a\u{1b}[2Jb"), "a\\u{1b}[2Jb");
        assert_eq!(printable("a\u{202e}b\nc"), "a\\u{202e}b c");
        assert_eq!(
            printable("👨\u{200d}👩 ش"),
            "👨\u{200d}👩 ش",
            "joiners and right-to-left letters stay"
        );
        assert_eq!(printable_lines("a\r\n\n\u{7}b\n"), "a\n\n\\u{7}b\n");
    }

    #[test]
    fn cutting_counts_characters() {
        assert_eq!(cut("äöü", 3), "äöü");
        assert_eq!(cut("äöü word", 6), "äöü w…");
    }
}
