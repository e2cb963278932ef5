//! Text to YAML scalars that every YAML reader takes for the same text.
//!
//! YAML 1.1 readers (`PyYAML`, libyaml) and YAML 1.2 readers (the JavaScript and Rust ones) differ in which unquoted
//! words are numbers, dates or booleans, and in which characters break a line. What is written here avoids all of it:
//! a text stands unquoted only when no reader can take it for something else. Lines are never folded.

use std::borrow::Cow;

use crate::node::{Resolved, Scalar, ScalarStyle};

/// `text` as a YAML scalar on one line, for the value of a block mapping or the item of a block list.
///
/// ```
/// use skillmd::quote::yaml_line;
///
/// assert_eq!(yaml_line("Use it for tests"), "Use it for tests");
/// assert_eq!(yaml_line("Use when: testing"), "\"Use when: testing\"");
/// assert_eq!(yaml_line("yes"), "\"yes\"");
/// assert_eq!(yaml_line("one\ntwo"), r#""one\ntwo""#);
/// ```
pub fn yaml_line(text: &str) -> Cow<'_, str> {
    if is_safe_unquoted(text) {
        return Cow::Borrowed(text);
    }
    if holds_fence(text) || text.chars().any(needs_escape) {
        return Cow::Owned(escaped(text));
    }
    Cow::Owned(if !text.contains(['"', '\\']) {
        format!("\"{text}\"")
    } else if text.contains('\'') {
        escaped(text)
    } else {
        format!("'{text}'")
    })
}

/// `text` as a YAML scalar, over several lines (`|`) where it has several and no reader can misread them.
///
/// `indent` is the number of spaces that the lines below the first begin with: more than those of the entry or item
/// that the value belongs to. The last line has no line break.
///
/// ```
/// use skillmd::quote::yaml_scalar;
///
/// assert_eq!(yaml_scalar("one\ntwo", 2), "|-\n  one\n  two");
/// ```
pub fn yaml_scalar(text: &str, indent: usize) -> Cow<'_, str> {
    let Some(lines) = block_lines(text) else {
        return yaml_line(text);
    };
    let mut block = String::from(if text.ends_with('\n') { "|" } else { "|-" });
    for line in lines.split('\n') {
        block.push('\n');
        if !line.is_empty() {
            block.extend(std::iter::repeat_n(' ', indent));
            block.push_str(line);
        }
    }
    Cow::Owned(block)
}

/// `text` as the key of a YAML mapping. Keys that are not plain words are quoted.
pub fn yaml_key(text: &str) -> Cow<'_, str> {
    if is_safe_unquoted(text) && !text.contains([':', '#', '"', '\'']) {
        return Cow::Borrowed(text);
    }
    match yaml_line(text) {
        Cow::Borrowed(_) => Cow::Owned(escaped(text)),
        quoted @ Cow::Owned(_) => quoted,
    }
}

/// Whether all readers give an unquoted scalar the same type and the same value, and write it back as it stands:
/// `true`, `null`, `12`, `-5`, `1.5`; not `1.0`, `0x1F`, `1_000` or a date.
pub fn reads_alike(scalar: &Scalar) -> bool {
    // Above this, readers that know only 64-bit floats round.
    const EXACT_DIGITS: usize = 15;
    if scalar.style != ScalarStyle::Plain {
        return false;
    }
    let text = scalar.text.as_str();
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    match scalar.resolve() {
        Resolved::Null | Resolved::Bool(_) => true,
        Resolved::Integer(number) => digits <= EXACT_DIGITS && number.to_string() == text,
        Resolved::Float(number) => {
            digits <= EXACT_DIGITS && number.is_finite() && number.to_string() == text
        }
        Resolved::Text(_) => false,
    }
}

/// The lines of a text of several lines, its last line break left out, when they can stand as a block.
fn block_lines(text: &str) -> Option<&str> {
    let lines = text.strip_suffix('\n').unwrap_or(text);
    let fits = text.contains('\n')
        // Readers find the indentation by the first line, and differ in how many line breaks they keep at the end.
        && !lines.starts_with('\n')
        && !lines.ends_with('\n')
        && !lines.is_empty()
        && !holds_fence(lines)
        && lines.split('\n').enumerate().all(|(index, line)| {
            // A line of blanks alone reads back as an empty one, or not.
            let is_blank = !line.is_empty() && line.trim().is_empty();
            let moves_indent = line.starts_with('\t') || (index == 0 && line.starts_with(' '));
            !is_blank && !moves_indent
        })
        && lines.chars().all(|c| c == '\n' || c == '\t' || !needs_escape(c));
    fits.then_some(lines)
}

/// Whether the text holds a frontmatter's fence: some readers look for the closing one anywhere, not only at the
/// start of a line.
fn holds_fence(text: &str) -> bool {
    text.contains("---")
}

fn is_safe_unquoted(text: &str) -> bool {
    let Some(first) = text.chars().next() else {
        return false;
    };
    text.trim() == text
        && !"-?:,[]{}#&*!|>'\"%@`=".contains(first)
        // At the first column, the end of a document.
        && !text.starts_with("...")
        && !text.ends_with(':')
        && !text.contains(": ")
        && !text.contains(" #")
        && !holds_fence(text)
        && !text.chars().any(needs_escape)
        && !looks_typed(text)
}

/// Whether a YAML reader may refuse the character, or take it for a line break.
pub(crate) fn needs_escape(c: char) -> bool {
    match c {
        // Line and paragraph separator, byte order mark.
        '\u{2028}' | '\u{2029}' | '\u{FEFF}' => true,
        // Control characters of ASCII and Latin 1, NEL among them.
        c if c.is_control() => true,
        // The two last code points of each plane are no characters.
        c => u32::from(c) & 0xFFFE == 0xFFFE,
    }
}

/// Whether some reader of YAML 1.1 or 1.2 may take the unquoted text for a boolean, nothing, a number, a date, a time
/// or a merge key.
fn looks_typed(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "<<", "=", ".inf",
        "+.inf", "-.inf", ".nan",
    ];
    WORDS.iter().any(|word| text.eq_ignore_ascii_case(word)) || looks_numeric(text)
}

/// Whether the text is made like a number, date or time. Asks for quotes too often rather than too rarely.
fn looks_numeric(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let lower = unsigned.to_ascii_lowercase();
    // Some readers ask for no digit at all (`+_`), others for none before the exponent (`e1`).
    let may_begin = |c: char| c.is_ascii_digit() || c == '.' || c == '_';
    let is_exponent = lower.starts_with('e') && lower.contains(|c: char| c.is_ascii_digit());
    if !lower.starts_with(may_begin) && !is_exponent {
        return false;
    }
    let prefixed = ["0x", "0o", "0b"]
        .iter()
        .find_map(|prefix| lower.strip_prefix(prefix));
    if let Some(digits) = prefixed {
        return digits.bytes().all(|b| b.is_ascii_hexdigit() || b == b'_');
    }
    !is_version(text) && lower.bytes().all(|b| b"0123456789_.:+-etz ".contains(&b))
}

/// Whether the text is digits with two dots or more between them, such as `1.2.3`, which no reader takes for a number.
fn is_version(text: &str) -> bool {
    text.split('.').count() > 2
        && text
            .split('.')
            .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
}

/// The text in double quotes, with escapes.
pub(crate) fn escaped(text: &str) -> String {
    double_quoted(text, '-', needs_escape, |code| match code {
        0..=0xFF => format!("\\x{code:02X}"),
        0x100..=0xFFFF => format!("\\u{code:04X}"),
        _ => format!("\\U{code:08X}"),
    })
}

/// The text in double quotes, with the escapes that YAML and TOML share. What `needs_code` is spelt by `code`, and so is
/// the third in a row of the character that fences consist of.
pub(crate) fn double_quoted(
    text: &str,
    fence: char,
    needs_code: impl Fn(char) -> bool,
    code: impl Fn(u32) -> String,
) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    let mut run = 0;
    quoted.push('"');
    for c in text.chars() {
        run = if c == fence { run + 1 } else { 0 };
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            c if needs_code(c) || run == 3 => {
                quoted.push_str(&code(u32::from(c)));
                run = 0;
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_texts_stand_unquoted() {
        for text in [
            "name",
            "Fills PDF forms. Use when the user has one; 3 of 4 do.",
            "it's mine",
            "a \"quoted\" word",
            "C:\\path",
            "https://example.org/#part",
            "a#b",
            "1.2.3",
            "10.0.0.1",
            "3 steps",
            "2024 guide",
            "~/notes",
            "数据分析",
            "😀 smile",
            "<tag>",
            "x - y -- z",
            "(a, b) [c]",
        ] {
            assert_eq!(yaml_line(text), text);
        }
    }

    #[test]
    fn look_alikes_are_quoted() {
        for text in [
            "",
            "~",
            "null",
            "NULL",
            "yes",
            "No",
            "ON",
            "off",
            "y",
            "N",
            "true",
            "False",
            "=",
            "<<",
            "1",
            "-5",
            "+7",
            "1.0",
            ".5",
            "1_000",
            "0o14",
            "014",
            "0x1F",
            "0b11",
            "1e3",
            "1E-3",
            "e1",
            "+_",
            ".inf",
            "-.Inf",
            ".NaN",
            "12:30:45",
            "190:20:30",
            "2026-01-01",
            "2026-01-01T10:00:00Z",
            "2026-01-01 10:00:00 +2",
            "...",
            "... more",
        ] {
            let written = yaml_line(text);
            assert_eq!(written, format!("\"{text}\""), "{text}");
        }
    }

    #[test]
    fn indicators_and_edges_are_quoted() {
        for text in [
            "- a",
            "-a",
            "? a",
            ": a",
            "[a]",
            "{a}",
            "# a",
            "&a",
            "*a",
            "!a",
            "|a",
            ">a",
            "%a",
            "@a",
            "`a`",
            ", a",
            "a: b",
            "a:",
            "a #b",
            " a",
            "a ",
            "\u{A0}a",
            "a\u{3000}",
        ] {
            let written = yaml_line(text);
            assert_eq!(written, format!("\"{text}\""), "{text}");
        }
    }

    #[test]
    fn the_plainest_quotes_are_chosen() {
        assert_eq!(yaml_line("\"a\": b"), "'\"a\": b'");
        assert_eq!(yaml_line("C:\\x: y"), "'C:\\x: y'");
        assert_eq!(yaml_line("'a': b"), "\"'a': b\"");
        assert_eq!(yaml_line("'a': \"b\""), "\"'a': \\\"b\\\"\"");
    }

    #[test]
    fn odd_characters_are_escaped() {
        assert_eq!(yaml_line("a\tb"), r#""a\tb""#);
        assert_eq!(yaml_line("a\rb"), r#""a\rb""#);
        assert_eq!(yaml_line("a\u{0}\u{7F}\u{85}b"), r#""a\x00\x7F\x85b""#);
        assert_eq!(
            yaml_line("\u{2028}\u{FEFF}\u{FFFE}"),
            r#""\u2028\uFEFF\uFFFE""#
        );
        assert_eq!(yaml_line("\u{1FFFF}"), r#""\U0001FFFF""#);
    }

    #[test]
    fn a_fence_never_stands_in_a_value() {
        assert_eq!(yaml_line("a --- b"), r#""a --\x2D b""#);
        assert_eq!(yaml_line("-------"), r#""--\x2D--\x2D-""#);
        assert_eq!(yaml_scalar("a\n---\nb", 2), r#""a\n--\x2D\nb""#);
    }

    #[test]
    fn several_lines_stand_as_a_block_when_it_is_safe() {
        assert_eq!(yaml_scalar("a\n\n  b: #\n", 4), "|\n    a\n\n      b: #");
        assert_eq!(yaml_scalar("one", 2), "one");
        for text in [
            " a\nb",
            "\na",
            "a\n\n",
            "a\n \nb",
            "a\n\u{A0}\nb",
            "a\r\nb",
            "a\n\r\nb",
            "a\n\tb",
            "a\u{85}\nb",
            "\n",
            "\n\n",
        ] {
            assert!(yaml_scalar(text, 2).starts_with('"'), "{text:?}");
        }
    }

    #[test]
    fn keys_are_words_or_quoted() {
        assert_eq!(yaml_key("allowed-tools"), "allowed-tools");
        assert_eq!(yaml_key("two words"), "two words");
        assert_eq!(yaml_key("a:b"), "\"a:b\"");
        assert_eq!(yaml_key("it's"), "\"it's\"");
        assert_eq!(yaml_key("yes"), "\"yes\"");
        assert_eq!(yaml_key(""), "\"\"");
        assert_eq!(yaml_key("a\nb: c"), r#""a\nb: c""#);
    }

    #[test]
    fn types_that_all_readers_share() {
        let alike = |text: &str| {
            reads_alike(&Scalar {
                text: text.to_owned(),
                style: ScalarStyle::Plain,
            })
        };
        for text in [
            "", "~", "null", "true", "False", "0", "12", "-5", "1.5", "-0.25",
        ] {
            assert!(alike(text), "{text}");
        }
        for text in [
            "yes",
            "1.0",
            "1.10",
            "+5",
            "007",
            "0o14",
            "0x1F",
            "1e3",
            ".5",
            ".inf",
            "12:30",
            "2026-01-01",
            "1_000",
            "9007199254740993",
            "word",
        ] {
            assert!(!alike(text), "{text}");
        }
    }
}
