//! Key spellings: kebab, snake and camel case of the same words are one key.

use std::borrow::Cow;

/// The kebab case of `key`: `allowed_tools`, `allowedTools`, `Allowed Tools` and `ALLOWED-TOOLS` are `allowed-tools`.
///
/// Borrowed when nothing changes.
pub(crate) fn fold(key: &str) -> Cow<'_, str> {
    let is_kebab = |byte: u8| !byte.is_ascii_uppercase() && byte != b'_' && byte != b' ';
    if key.bytes().all(is_kebab) {
        return Cow::Borrowed(key);
    }
    let mut folded = String::with_capacity(key.len() + 4);
    let mut after_lower = false;
    for character in key.chars() {
        match character {
            '_' | ' ' => folded.push('-'),
            'A'..='Z' => {
                if after_lower {
                    folded.push('-');
                }
                folded.push(character.to_ascii_lowercase());
            }
            _ => folded.push(character),
        }
        after_lower = character.is_ascii_lowercase() || character.is_ascii_digit();
    }
    Cow::Owned(folded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_key() {
        for key in [
            "allowed-tools",
            "allowed_tools",
            "allowedTools",
            "AllowedTools",
            "Allowed Tools",
            "ALLOWED_TOOLS",
        ] {
            assert_eq!(fold(key), "allowed-tools");
        }
        assert_eq!(fold("OS"), "os");
        assert_eq!(fold("anyBins"), "any-bins");
        assert!(matches!(fold("allowed-tools"), Cow::Borrowed(_)));
        assert!(matches!(fold("名前"), Cow::Borrowed(_)));
    }
}
