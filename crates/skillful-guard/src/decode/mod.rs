//! Takes encodings off: finds encoded pieces in a text, decodes those that hold text, and gives each to the scan again.
//!
//! Rounds, pieces and bytes are bounded. What decodes to anything but text is left: it is a picture, a key, a digest.

mod escapes;
mod fold;
mod pieces;

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::text::View;

pub(crate) use escapes::unescape;
pub(crate) use fold::{fold, hidden_text, is_ignorable as is_invisible};
pub(crate) use pieces::pieces;

/// Padding is optional and stray bits are ignored, as in the decoders that attacks use.
const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT);

/// The text that base64 or hexadecimal digits stand for, if they stand for a text.
pub(crate) fn decode_text(encoded: &str) -> Option<String> {
    let compact: String = encoded
        .chars()
        .filter(|c| !c.is_ascii_whitespace())
        .collect();
    if compact.len() < 8 {
        return None;
    }
    hex_text(&compact).or_else(|| base64_text(&compact))
}

/// The text that base64 stands for, with either alphabet.
pub(crate) fn base64_text(compact: &str) -> Option<String> {
    // A piece that was cut off still tells its beginning.
    let whole = compact.trim_end_matches('=');
    let usable = if whole.len() % 4 == 1 {
        whole.get(..whole.len() - 1)?
    } else {
        whole
    };
    let bytes = STANDARD
        .decode(usable)
        .or_else(|_| URL_SAFE.decode(usable))
        .ok()?;
    text_of(bytes)
}

/// The text that hexadecimal digits stand for.
pub(crate) fn hex_text(compact: &str) -> Option<String> {
    let digits = compact.strip_prefix("0x").unwrap_or(compact).as_bytes();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let bytes: Option<Vec<u8>> = digits
        .chunks_exact(2)
        .map(|pair| {
            let text = str::from_utf8(pair).ok()?;
            u8::from_str_radix(text, 16).ok()
        })
        .collect();
    text_of(bytes?)
}

/// Bytes as text, if they are text: UTF-8 or UTF-16, and hardly a control character.
pub(crate) fn text_of(bytes: Vec<u8>) -> Option<String> {
    let text = match utf16_text(&bytes) {
        Some(text) => text,
        None => String::from_utf8(bytes).ok()?,
    };
    let total = text.chars().count();
    let odd = text
        .chars()
        .filter(|c| (c.is_control() && !c.is_whitespace()) || *c == '\u{fffd}')
        .count();
    (total >= 4 && odd * 20 <= total).then_some(text)
}

/// What PowerShell's `-EncodedCommand` holds: every second byte is zero.
fn utf16_text(bytes: &[u8]) -> Option<String> {
    let zeros = bytes
        .iter()
        .skip(1)
        .step_by(2)
        .filter(|&&byte| byte == 0)
        .count();
    if bytes.len() < 8 || !bytes.len().is_multiple_of(2) || zeros * 10 < bytes.len() / 2 * 8 {
        return None;
    }
    let units: Vec<u16> = bytes
        .chunks_exact(2)
        .map(|pair| {
            u16::from_le_bytes([
                pair.first().copied().unwrap_or(0),
                pair.get(1).copied().unwrap_or(0),
            ])
        })
        .collect();
    String::from_utf16(&units).ok()
}

/// The laws of the decoders, for fuzzing: pieces lie in the text, on borders of characters; folding leads back into
/// the text; an escape is never shorter than
/// what it stands for.
#[doc(hidden)]
pub fn obey_laws(text: &str) -> bool {
    let (found, _) = pieces(text);
    let in_place = found
        .iter()
        .all(|piece| text.get(piece.range.clone()).is_some());
    let view = View::verbatim(text, 0);
    let folded = fold(&view);
    let leads_back = folded.as_ref().is_none_or(|folded| {
        folded
            .text()
            .char_indices()
            .all(|(at, _)| text.is_char_boundary(folded.source_of(at)))
    });
    let is_stable = unescape(text).is_none_or(|once| once.len() <= text.len());
    in_place && leads_back && is_stable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_in_both_alphabets_with_and_without_padding() {
        assert_eq!(
            decode_text("Y3VybCBodHRwOi8v").as_deref(),
            Some("curl http://")
        );
        assert_eq!(
            decode_text("Y3VybCAtcyBhIHwgc2g").as_deref(),
            Some("curl -s a | sh")
        );
        assert_eq!(
            decode_text("Y3VybCAt\ncyBhIHwgc2g=").as_deref(),
            Some("curl -s a | sh")
        );
        assert_eq!(
            decode_text("6375726c2061207c207368").as_deref(),
            Some("curl a | sh")
        );
        assert_eq!(decode_text("SQBFAFgAIABhAA==").as_deref(), Some("IEX a"));
    }

    #[test]
    fn bytes_that_are_no_text_stay_encoded() {
        assert_eq!(decode_text("iVBORw0KGgoAAAANSUhEUgAA"), None);
        assert_eq!(decode_text("d41d8cd98f00b204e9800998ecf8427e"), None);
        assert_eq!(decode_text("short"), None);
    }
}
