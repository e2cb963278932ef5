//! An author's text on its way to a model: what could hide in it is taken out, and it has an end.

use std::borrow::Cow;

use skillmd::lint::without_invisible;
use unicode_segmentation::UnicodeSegmentation;

use crate::limits;

/// What becomes of line breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lines {
    /// They stay, as do runs of blanks.
    Keep,
    /// With all other white space they become single blanks.
    Join,
}

/// The text without surrounding blanks, control characters and invisible characters, cut off after
/// [`limits::CATALOG_TEXT_CHARS`].
pub(super) fn clean(text: &str, lines: Lines) -> Cow<'_, str> {
    let text = match beginning(text.trim(), limits::CATALOG_TEXT_CHARS) {
        Some(beginning) => Cow::Owned(format!("{}…", beginning.trim_end())),
        None => Cow::Borrowed(text.trim()),
    };
    if is_clean(&text, lines) {
        return text;
    }
    let visible = without_invisible(&text);
    let mut cleaned = String::with_capacity(visible.len());
    for character in visible.chars() {
        match (character, lines) {
            ('\n' | '\t', Lines::Keep) => cleaned.push(character),
            _ if character.is_whitespace() && lines == Lines::Join => {
                if !cleaned.is_empty() && !cleaned.ends_with(' ') {
                    cleaned.push(' ');
                }
            }
            ('\u{2028}' | '\u{2029}', Lines::Keep) => cleaned.push('\n'),
            _ if character.is_control() => {}
            _ => cleaned.push(character),
        }
    }
    cleaned.truncate(cleaned.trim_end().len());
    Cow::Owned(cleaned)
}

/// Whether nothing is to be done to a text; most texts are printable ASCII.
fn is_clean(text: &str, lines: Lines) -> bool {
    let joins = lines == Lines::Join;
    text.bytes()
        .all(|byte| matches!(byte, b' '..=b'~') || (byte == b'\n' && !joins))
        && !(joins && text.contains("  "))
}

/// The beginning of a text that has more than `chars` characters, cut between graphemes and shorter by one character,
/// so that there is room for an ellipsis.
pub(super) fn beginning(text: &str, chars: usize) -> Option<&str> {
    // A character has a byte at least.
    if text.len() <= chars || text.char_indices().nth(chars).is_none() {
        return None;
    }
    let mut left = chars.saturating_sub(1);
    let mut end = 0;
    for (start, grapheme) in text.grapheme_indices(true) {
        let length = grapheme.chars().count();
        if length > left {
            break;
        }
        left -= length;
        end = start + grapheme.len();
    }
    text.get(..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_hides_in_a_clean_text() {
        let hostile = " a\u{1b}[2J\r\n\n b\u{202e}c\u{200b}\u{e0041}\td\0 ";
        assert_eq!(clean(hostile, Lines::Join), "a[2J bcd".replace("cd", "c d"));
        assert_eq!(clean(hostile, Lines::Keep), "a[2J\n\n bc\td");
        assert!(matches!(clean("plain text", Lines::Join), Cow::Borrowed(_)));
        assert_eq!(clean("a  b", Lines::Keep), "a  b");
        assert_eq!(
            clean("👨\u{200d}👩 schön", Lines::Join),
            "👨\u{200d}👩 schön"
        );
    }

    #[test]
    fn a_long_text_has_an_end() {
        let text = clean(&"word ".repeat(20_000), Lines::Join).into_owned();
        assert!(text.chars().count() <= limits::CATALOG_TEXT_CHARS);
        assert!(text.ends_with("word…"));
    }

    #[test]
    fn graphemes_stay_whole() {
        assert_eq!(beginning("abc", 3), None);
        assert_eq!(beginning("abcd", 3), Some("ab"));
        assert_eq!(
            beginning("ae\u{301}\u{301}bcd", 5),
            Some("ae\u{301}\u{301}")
        );
        assert_eq!(beginning("ae\u{301}\u{301}bcd", 4), Some("a"));
        assert_eq!(beginning("abc", 0), Some(""));
    }
}
