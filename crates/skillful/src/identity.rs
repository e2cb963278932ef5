//! From a name to an id.

use std::borrow::Cow;

use skillmd::limits::NAME_CHARS;
use unicode_normalization::UnicodeNormalization;

/// A name in Agent Skills form: NFKC, lower case, blanks and `_` to `-`, other characters dropped, hyphens collapsed,
/// at most 64 characters. Nothing when nothing is left.
pub(crate) fn skill_id(name: &str) -> Option<Cow<'_, str>> {
    if is_id(name) {
        return Some(Cow::Borrowed(name));
    }
    let mut id = String::new();
    let mut hyphen = false;
    let characters = name.nfkc().flat_map(char::to_lowercase);
    // Lower case may need normalising once more: `İ` becomes an `i` and a dot.
    for character in characters.collect::<String>().nfkc() {
        if character.is_alphanumeric() {
            let length = id.chars().count();
            if length + usize::from(hyphen) >= NAME_CHARS {
                break;
            }
            if hyphen {
                id.push('-');
            }
            id.push(character);
            hyphen = false;
        } else if character.is_whitespace() || matches!(character, '-' | '_') {
            hyphen = !id.is_empty();
        }
    }
    (!id.is_empty()).then_some(Cow::Owned(id))
}

/// Whether a name is in Agent Skills form already, as most are.
fn is_id(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=NAME_CHARS).contains(&name.len())
        && name.bytes().all(plain)
        && !name.starts_with('-')
        && !name.ends_with('-')
        && !name.contains("--")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_ids() {
        for (name, id) in [
            ("pdf-tools", "pdf-tools"),
            ("Git Commit", "git-commit"),
            ("git__commit - now", "git-commit-now"),
            ("--a--", "a"),
            ("a/../b:c.d", "abcd"),
            ("Ｆｕｌｌ\u{3000}width", "full-width"),
            ("Café", "café"),
            ("日本語", "日本語"),
        ] {
            assert_eq!(skill_id(name).as_deref(), Some(id), "{name}");
        }
        assert_eq!(skill_id("!?"), None);
        assert_eq!(skill_id(""), None);
    }

    #[test]
    fn long_names_end_at_the_limit_and_not_with_a_hyphen() {
        let id = skill_id(&format!("{} b", "a".repeat(63)))
            .unwrap()
            .into_owned();
        assert_eq!(id, "a".repeat(63));
        let id = skill_id(&"ä".repeat(100)).unwrap().into_owned();
        assert_eq!(id.chars().count(), 64);
    }
}
