//! Backslash escapes, as shells, Python and JavaScript share them.

/// The text with its numeric escapes resolved; `None` when there are none. Other backslashes stay.
pub(crate) fn unescape(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut bytes: Vec<u8> = Vec::new();
    let mut found = false;
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, from) = rest.split_at(at);
        if !before.is_empty() {
            flush(&mut bytes, &mut out);
            out.push_str(before);
        }
        match numeric(from) {
            Some((Escape::Byte(byte), length)) => {
                bytes.push(byte);
                found = true;
                rest = from.get(length..).unwrap_or_default();
            }
            Some((Escape::Character(character), length)) => {
                flush(&mut bytes, &mut out);
                out.push(character);
                found = true;
                rest = from.get(length..).unwrap_or_default();
            }
            None => {
                flush(&mut bytes, &mut out);
                // The backslash and what it escapes go together, so that `\\x41` stays.
                let length = 1 + from.chars().nth(1).map_or(0, char::len_utf8);
                out.push_str(from.get(..length).unwrap_or_default());
                rest = from.get(length..).unwrap_or_default();
            }
        }
    }
    flush(&mut bytes, &mut out);
    out.push_str(rest);
    found.then_some(out)
}

enum Escape {
    Byte(u8),
    Character(char),
}

/// The escape at the start of the text, with its length.
fn numeric(text: &str) -> Option<(Escape, usize)> {
    let kind = text.as_bytes().get(1)?;
    match kind {
        b'x' => {
            if let Some(inside) = text.get(2..).and_then(|rest| rest.strip_prefix('{')) {
                return braced(inside, 3);
            }
            let value = u8::from_str_radix(text.get(2..4)?, 16).ok()?;
            Some((Escape::Byte(value), 4))
        }
        b'u' => {
            if let Some(inside) = text.get(2..).and_then(|rest| rest.strip_prefix('{')) {
                return braced(inside, 3);
            }
            let value = u32::from_str_radix(text.get(2..6)?, 16).ok()?;
            Some((Escape::Character(char::from_u32(value)?), 6))
        }
        b'U' => {
            let value = u32::from_str_radix(text.get(2..10)?, 16).ok()?;
            Some((Escape::Character(char::from_u32(value)?), 10))
        }
        b'0'..=b'7' => {
            let digits: usize = text
                .bytes()
                .skip(1)
                .take(4)
                .take_while(|byte| (b'0'..=b'7').contains(byte))
                .count();
            // One digit alone is a group of a regular expression; a leading zero allows four.
            let digits = if text.as_bytes().get(1) == Some(&b'0') {
                digits
            } else {
                digits.min(3)
            };
            let value = u8::from_str_radix(text.get(1..=digits)?, 8).ok()?;
            (digits >= 3).then_some((Escape::Byte(value), digits + 1))
        }
        _ => None,
    }
}

fn braced(inside: &str, before: usize) -> Option<(Escape, usize)> {
    let end = inside.find('}')?;
    let value = u32::from_str_radix(inside.get(..end)?, 16).ok()?;
    Some((Escape::Character(char::from_u32(value)?), before + end + 1))
}

fn flush(bytes: &mut Vec<u8>, out: &mut String) {
    if !bytes.is_empty() {
        out.push_str(&String::from_utf8_lossy(bytes));
        bytes.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_characters_and_other_backslashes_stay() {
        assert_eq!(unescape(r"\x63\x75rl").as_deref(), Some("curl"));
        assert_eq!(
            unescape(r"\u0063\u{75}\U0000006fa").as_deref(),
            Some("cuoa")
        );
        assert_eq!(unescape(r"\143\0165rl").as_deref(), Some("curl"));
        assert_eq!(unescape(r"\xc3\xa4").as_deref(), Some("ä"));
        assert_eq!(unescape(r"\n \\x41 \1"), None);
        assert_eq!(unescape("\\"), None);
        assert_eq!(unescape(r"\u{zz} \xZZ \ä"), None);
    }
}
