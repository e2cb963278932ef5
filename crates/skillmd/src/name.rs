//! Names: what the standard asks of them, and the id that any name is turned into.
//!
//! The standard's text speaks of lower-case letters, digits and hyphens; its reference library takes that as Unicode
//! letters and numbers after compatibility normalisation (NFKC), and so does this module. An id is the name that the
//! author might have meant: it obeys the standard, whatever it was made from.

use std::borrow::Cow;

use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{UnicodeNormalization, is_nfkc};

use crate::code::Code;
use crate::limits;

/// The id of a name: NFKC, lower case, blanks and `_` as `-`, all but letters, numbers and hyphens dropped, hyphens
/// collapsed and trimmed, at most 64 characters. `None` when nothing is left; borrowed when the name is an id already.
///
/// An id is a valid name, and the id of an id is itself.
pub fn skill_id(name: &str) -> Option<Cow<'_, str>> {
    if is_plain_id(name) {
        return Some(Cow::Borrowed(name));
    }
    let mut kept = String::with_capacity(name.len());
    for character in name.nfkc().collect::<String>().to_lowercase().nfkc() {
        if is_letter_or_number(character) {
            kept.push(character);
        } else if is_separator(character) && !kept.is_empty() && !kept.ends_with('-') {
            kept.push('-');
        }
    }
    // What was dropped may have stood between characters that compose (parts of a Hangul syllable).
    let id: String = kept.nfkc().take(limits::NAME_CHARS).collect();
    let id = id.trim_end_matches('-');
    (!id.is_empty()).then(|| Cow::Owned(id.to_owned()))
}

/// Whether a name is its own id, judged by its bytes alone: the case of nearly all names.
fn is_plain_id(name: &str) -> bool {
    (1..=limits::NAME_CHARS).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        && !has_edge_hyphen(name)
        && !name.contains("--")
}

/// A way in which a name breaks the standard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameProblem {
    /// Nothing but blanks.
    Empty,
    /// More than 64 characters.
    TooLong {
        /// How many there are, after NFKC.
        characters: usize,
    },
    /// An upper-case letter.
    NotLowercase,
    /// A hyphen at the beginning or the end.
    EdgeHyphen,
    /// Two hyphens in a row.
    DoubleHyphen,
    /// Characters other than letters, numbers and hyphens, each once, in the order of their appearance.
    InvalidCharacters(Vec<char>),
    /// The directory has another name.
    DirectoryMismatch,
}

impl NameProblem {
    /// The diagnostic code of the problem.
    pub const fn code(&self) -> Code {
        match self {
            Self::Empty => Code::NameMissing,
            Self::TooLong { .. } => Code::NameTooLong,
            Self::NotLowercase => Code::NameNotLowercase,
            Self::EdgeHyphen | Self::DoubleHyphen => Code::NameHyphen,
            Self::InvalidCharacters(_) => Code::NameInvalidCharacter,
            Self::DirectoryMismatch => Code::NameDirectoryMismatch,
        }
    }
}

/// All problems of a name under the standard (specification, "name field"), in the order in which the reference
/// library finds them. The directory's name is compared when it is known.
pub fn problems(name: &str, directory: Option<&str>) -> Vec<NameProblem> {
    let name = normalize(name);
    if name.is_empty() {
        return vec![NameProblem::Empty];
    }
    let mut problems = Vec::new();
    let characters = name.chars().count();
    if characters > limits::NAME_CHARS {
        problems.push(NameProblem::TooLong { characters });
    }
    if name.to_lowercase() != name {
        problems.push(NameProblem::NotLowercase);
    }
    if has_edge_hyphen(&name) {
        problems.push(NameProblem::EdgeHyphen);
    }
    if name.contains("--") {
        problems.push(NameProblem::DoubleHyphen);
    }
    let invalid = invalid_characters(&name);
    if !invalid.is_empty() {
        problems.push(NameProblem::InvalidCharacters(invalid));
    }
    if directory.is_some_and(|directory| !same_name(&name, directory)) {
        problems.push(NameProblem::DirectoryMismatch);
    }
    problems
}

/// Whether two names are equal under the standard: after NFKC.
pub fn same_name(a: &str, b: &str) -> bool {
    a == b || a.nfkc().eq(b.nfkc())
}

/// The name that is judged: without blanks around it, in NFKC.
pub fn normalize(name: &str) -> Cow<'_, str> {
    let name = name.trim();
    if is_nfkc(name) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(name.nfkc().collect())
    }
}

fn has_edge_hyphen(name: &str) -> bool {
    name.starts_with('-') || name.ends_with('-')
}

fn is_separator(character: char) -> bool {
    character.is_whitespace() || matches!(character, '-' | '_')
}

fn invalid_characters(name: &str) -> Vec<char> {
    let mut invalid = Vec::new();
    for character in name.chars() {
        if !is_letter_or_number(character) && character != '-' && !invalid.contains(&character) {
            invalid.push(character);
        }
    }
    invalid
}

/// Whether a character is of the Unicode categories L or N, as the reference library's alphanumeric test asks.
///
/// Rust's alphabetic test has more than the letters: combining vowel signs (category M), so that Devanagari words
/// pass, and letters in circles and squares (category S).
fn is_letter_or_number(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric();
    }
    character.is_numeric()
        || (character.is_alphabetic()
            && !is_combining_mark(character)
            && !is_enclosed_letter(character))
}

/// Letters in circles and squares: the only symbols that Unicode calls alphabetic.
fn is_enclosed_letter(character: char) -> bool {
    matches!(
        character,
        '\u{24B6}'..='\u{24E9}'
            | '\u{1F130}'..='\u{1F149}'
            | '\u{1F150}'..='\u{1F169}'
            | '\u{1F170}'..='\u{1F189}'
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn id(name: &str) -> String {
        skill_id(name).unwrap_or_default().into_owned()
    }

    fn codes(name: &str, directory: &str) -> Vec<&'static str> {
        problems(name, Some(directory))
            .iter()
            .map(|problem| problem.code().as_str())
            .collect()
    }

    #[test]
    fn ids() {
        assert_eq!(id("pdf-tools"), "pdf-tools");
        assert_eq!(id("  Next.js App_Router "), "nextjs-app-router");
        assert_eq!(id("Code – Review"), "code-review");
        assert_eq!(id("--a--b--"), "a-b");
        assert_eq!(id("plugin:skill"), "pluginskill");
        assert_eq!(id("../../etc/passwd"), "etcpasswd");
        assert_eq!(id("ﬁle\u{a0}Ａ"), "file-a");
        assert_eq!(id("技能"), "技能");
        assert_eq!(id("ΟΔΟΣ"), "οδος");
        assert_eq!(id("İstanbul"), "istanbul");
        assert_eq!(id("STRASSE ẞ"), "strasse-ß");
        assert_eq!(id("हिन्दी"), "हनद");
        assert_eq!(skill_id("🚀 / ..."), None);
        assert_eq!(skill_id(""), None);
    }

    #[test]
    fn ids_have_at_most_64_characters_and_no_hyphen_at_the_cut() {
        let name = format!("{} {}", "ä".repeat(63), "b".repeat(10));
        assert_eq!(id(&name), "ä".repeat(63));
        assert_eq!(id(&"x".repeat(65)).len(), 64);
        assert_eq!(id(&"x".repeat(64)), "x".repeat(64));
    }

    #[test]
    fn parts_of_a_syllable_compose_when_what_parts_them_is_dropped() {
        assert_eq!(id("\u{1100}.\u{1161}"), "가");
    }

    #[test]
    fn names_that_the_reference_library_accepts() {
        for name in [
            "a",
            "pdf-tools",
            "1",
            "true",
            "技能",
            "мой-навык",
            "straße",
            "ı",
            "٣",
            "x²",
            "ⅳ",
            "ª",
            " padded ",
            "ά",
        ] {
            assert_eq!(problems(name, None), [], "{name}");
        }
    }

    #[test]
    fn names_and_directories_are_compared_after_normalisation() {
        assert_eq!(codes("ａ", "a"), [""; 0]);
        assert_eq!(codes("ﬁle", "file"), [""; 0]);
        assert_eq!(codes("e\u{301}t", "ét"), [""; 0]);
        assert_eq!(codes("x2", "x²"), [""; 0]);
        assert_eq!(codes("a", "b"), ["name-directory-mismatch"]);
        assert_eq!(codes("a", " a"), ["name-directory-mismatch"]);
    }

    #[test]
    fn names_that_the_reference_library_refuses() {
        for name in ["हिन्दी", "a_b", "a.b", "a b", "a–b", "🚀", "a\u{200b}b", "🅐"]
        {
            assert_eq!(codes(name, name), ["name-invalid-character"], "{name}");
        }
        for name in ["A", "НАВЫК", "Ⓐ"] {
            assert_eq!(codes(name, name), ["name-not-lowercase"], "{name}");
        }
        assert_eq!(codes("", "x"), ["name-missing"]);
        assert_eq!(codes(" \u{a0}", "x"), ["name-missing"]);
        assert_eq!(codes("-a", "-a"), ["name-hyphen"]);
        assert_eq!(codes("a-", "a-"), ["name-hyphen"]);
        assert_eq!(codes("a--b", "a--b"), ["name-hyphen"]);
        let long = "x".repeat(65);
        assert_eq!(codes(&long, &long), ["name-too-long"]);
        assert_eq!(problems(&"技".repeat(64), None), []);
    }

    #[test]
    fn all_problems_are_reported_in_order() {
        let name = format!("-A--_._{}", "b".repeat(64));
        assert_eq!(
            problems(&name, Some("x")),
            [
                NameProblem::TooLong { characters: 71 },
                NameProblem::NotLowercase,
                NameProblem::EdgeHyphen,
                NameProblem::DoubleHyphen,
                NameProblem::InvalidCharacters(vec!['_', '.']),
                NameProblem::DirectoryMismatch,
            ]
        );
    }

    #[test]
    fn every_character_makes_a_valid_id_or_none() {
        /// Few enough to fit into an id.
        const IN_A_ROW: usize = 32;
        let all: Vec<char> = ('\0'..=char::MAX).collect();
        for row in all.chunks(IN_A_ROW) {
            let name: String = ['a'].iter().chain(row).collect();
            let made = id(&name);
            // Most rows are ideographs, which are kept as they are, or unassigned, which are dropped.
            if made == name {
                assert_eq!(problems(&made, None), [], "{name:?}");
            } else if made != "a" {
                for &character in row {
                    check_id_of(character);
                }
            }
        }
    }

    #[track_caller]
    fn check_id_of(character: char) {
        let name = format!("a{character}");
        let made = id(&name);
        assert_eq!(problems(&made, None), [], "{name:?} became {made:?}");
        assert_eq!(id(&made), made, "{name:?}");
    }

    proptest! {
        #[test]
        fn an_id_is_a_valid_name_and_its_own_id(name in any::<String>()) {
            if let Some(made) = skill_id(&name) {
                prop_assert_eq!(problems(&made, None), []);
                prop_assert_eq!(id(&made), made);
            }
        }

        #[test]
        fn the_short_way_agrees_with_the_long_one(name in "[a-z0-9-]{0,70}") {
            let through_the_long_way = id(&format!("{name}!"));
            prop_assert_eq!(id(&name), through_the_long_way);
        }
    }
}
