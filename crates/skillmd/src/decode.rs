//! Bytes to text: UTF-8, UTF-8 with a byte order mark, and UTF-16 with one; nothing else is guessed.

use std::fmt;

/// How a file's bytes spell its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// UTF-8 without a byte order mark.
    Utf8,
    /// UTF-8 with a byte order mark.
    Utf8WithMark,
    /// UTF-16, little end first, with a byte order mark.
    Utf16Le,
    /// UTF-16, big end first, with a byte order mark.
    Utf16Be,
}

const UTF8_MARK: &[u8] = b"\xEF\xBB\xBF";
const UTF16_LE_MARK: &[u8] = b"\xFF\xFE";
const UTF16_BE_MARK: &[u8] = b"\xFE\xFF";

impl Encoding {
    /// The byte order mark that files of this encoding begin with; empty for plain UTF-8.
    pub const fn mark(self) -> &'static [u8] {
        match self {
            Self::Utf8 => b"",
            Self::Utf8WithMark => UTF8_MARK,
            Self::Utf16Le => UTF16_LE_MARK,
            Self::Utf16Be => UTF16_BE_MARK,
        }
    }

    /// The bytes of `text` in this encoding, byte order mark included.
    pub fn encode(self, text: &str) -> Vec<u8> {
        let mut bytes = self.mark().to_vec();
        match self {
            Self::Utf8 | Self::Utf8WithMark => bytes.extend_from_slice(text.as_bytes()),
            Self::Utf16Le => bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
            Self::Utf16Be => bytes.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
        }
        bytes
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utf8 => "UTF-8",
            Self::Utf8WithMark => "UTF-8 with a byte order mark",
            Self::Utf16Le => "UTF-16 (little endian)",
            Self::Utf16Be => "UTF-16 (big endian)",
        })
    }
}

/// The bytes are not text in an encoding that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not {expected}: byte {offset} cannot be read")]
pub struct DecodeError {
    /// What the bytes were taken for: UTF-8 unless a byte order mark says otherwise.
    pub expected: Encoding,
    /// Offset of the first bad byte in the file, from 0.
    pub offset: usize,
}

/// Turns bytes into text without a byte order mark, and says how they were encoded.
///
/// [`Encoding::encode`] is the inverse: it gives back exactly the bytes that were decoded.
///
/// # Errors
///
/// [`DecodeError`] with the offset of the first byte that does not belong to a character, or of a NUL in the first line.
pub fn decode(bytes: Vec<u8>) -> Result<(String, Encoding), DecodeError> {
    if bytes.starts_with(UTF16_LE_MARK) {
        return decode_utf16(&bytes, Encoding::Utf16Le, u16::from_le_bytes);
    }
    if bytes.starts_with(UTF16_BE_MARK) {
        return decode_utf16(&bytes, Encoding::Utf16Be, u16::from_be_bytes);
    }
    let encoding = if bytes.starts_with(UTF8_MARK) {
        Encoding::Utf8WithMark
    } else {
        Encoding::Utf8
    };
    let mut text = String::from_utf8(bytes).map_err(|error| DecodeError {
        expected: encoding,
        offset: error.utf8_error().valid_up_to(),
    })?;
    if encoding == Encoding::Utf8WithMark {
        text.drain(..UTF8_MARK.len());
    }
    refuse_binary(&text, encoding)?;
    Ok((text, encoding))
}

fn decode_utf16(
    bytes: &[u8],
    expected: Encoding,
    unit: fn([u8; 2]) -> u16,
) -> Result<(String, Encoding), DecodeError> {
    let mark = expected.mark().len();
    let (pairs, rest) = bytes[mark..].as_chunks::<2>();
    let mut text = String::with_capacity(bytes.len() / 2);
    let mut offset = mark;
    for character in char::decode_utf16(pairs.iter().map(|&pair| unit(pair))) {
        let character = character.map_err(|_| DecodeError { expected, offset })?;
        offset += 2 * character.len_utf16();
        text.push(character);
    }
    if !rest.is_empty() {
        return Err(DecodeError { expected, offset });
    }
    refuse_binary(&text, expected)?;
    Ok((text, expected))
}

/// A NUL in the first line tells that the bytes are no text in this encoding, though all could be read: a program or a
/// picture begins so, and UTF-16 or UTF-32 taken for something else. Further down it is a fault of its place only.
fn refuse_binary(text: &str, expected: Encoding) -> Result<(), DecodeError> {
    let end = memchr::memchr3(0, b'\n', b'\r', text.as_bytes());
    match end {
        Some(end) if text.as_bytes()[end] == 0 => Err(DecodeError {
            expected,
            offset: expected.encode(&text[..end]).len(),
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_round_trips() {
        let text = "---\r\nname: ö😀\n---\n";
        for encoding in [
            Encoding::Utf8,
            Encoding::Utf8WithMark,
            Encoding::Utf16Le,
            Encoding::Utf16Be,
        ] {
            let bytes = encoding.encode(text);
            let (decoded, found) = decode(bytes.clone()).unwrap();
            assert_eq!((decoded.as_str(), found), (text, encoding));
            assert_eq!(found.encode(&decoded), bytes);
        }
    }

    #[test]
    fn only_one_mark_is_taken_off() {
        let (text, _) = decode(b"\xEF\xBB\xBF\xEF\xBB\xBFx".to_vec()).unwrap();
        assert_eq!(text, "\u{FEFF}x");
    }

    #[test]
    fn the_first_bad_byte_is_named() {
        let bad = |bytes: &[u8]| decode(bytes.to_vec()).unwrap_err().offset;
        assert_eq!(bad(b"abc\xFFd"), 3);
        assert_eq!(bad(b"\xEF\xBB\xBFa\xC3"), 4);
        assert_eq!(bad(b"\xFF\xFEa\0\x00\xD8b\0"), 4, "a lone surrogate");
        assert_eq!(bad(b"\xFF\xFEa\0b"), 4, "half a unit");
    }

    #[test]
    fn binary_files_are_no_text() {
        let bad = |bytes: &[u8]| decode(bytes.to_vec()).unwrap_err().offset;
        assert_eq!(bad(b"-\0-\0-\0\n\0"), 1, "UTF-16 without a mark");
        assert_eq!(bad(b"\xFF\xFE\0\0-\0\0\0"), 2, "UTF-32");
        assert_eq!(bad(b"\xEF\xBB\xBF\x7FELF\x02\x01\0"), 9);
        assert_eq!(bad(&[0; 100]), 0);
        assert!(decode(b"---\nname: a\0b\n---\n".to_vec()).is_ok());
    }
}
