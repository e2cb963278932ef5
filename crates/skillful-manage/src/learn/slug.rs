//! From a title to a name that every client takes: ASCII letters and digits, parted by single hyphens.

use skillmd::limits::NAME_CHARS;

use crate::unpack::is_device;

/// What a title without any ASCII letter or digit is called.
const NAMELESS: &str = "lesson";

/// A name, and whether it says all that the title says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slug {
    /// The name.
    pub(super) text: String,
    /// False when the title was too long or had nothing to make a name of, so that other titles have the same.
    pub(super) is_whole: bool,
}

impl Slug {
    /// The name of a title.
    pub(super) fn of(title: &str) -> Self {
        let mut text = String::new();
        for c in title.chars() {
            if c.is_ascii_alphanumeric() {
                text.push(c.to_ascii_lowercase());
            } else if !text.is_empty() && !text.ends_with('-') {
                text.push('-');
            }
        }
        let whole = text.trim_end_matches('-').len();
        text.truncate(whole.min(NAME_CHARS));
        text.truncate(text.trim_end_matches('-').len());
        if text.is_empty() {
            return Self {
                text: NAMELESS.to_owned(),
                is_whole: false,
            };
        }
        if is_device(&text) {
            return Self {
                text: format!("{text}-{NAMELESS}"),
                is_whole: false,
            };
        }
        Self {
            is_whole: whole <= NAME_CHARS && title.is_ascii(),
            text,
        }
    }

    /// The name, and from the second on the name with a number.
    pub(super) fn numbered(&self, number: usize) -> String {
        if number <= 1 {
            return self.text.clone();
        }
        let ending = format!("-{number}");
        let room = NAME_CHARS.saturating_sub(ending.len());
        let stem = self.text.get(..room.min(self.text.len()));
        let stem = stem.unwrap_or(&self.text).trim_end_matches('-');
        format!("{stem}{ending}")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn titles_become_names() {
        for (title, name) in [
            ("Reset the Widget", "reset-the-widget"),
            ("a  --  b", "a-b"),
            ("  !Hello!  ", "hello"),
            ("!!!", "lesson"),
            ("部署", "lesson"),
            ("Con", "con-lesson"),
            ("C++ & Rust", "c-rust"),
        ] {
            assert_eq!(Slug::of(title).text, name);
        }
        let long = "word ".repeat(40);
        let slug = Slug::of(&long);
        assert_eq!(slug.text, format!("{}word", "word-".repeat(12)));
        assert!(!slug.is_whole && Slug::of("whole").is_whole);
        assert_eq!(Slug::of("x").numbered(2), "x-2");
        assert_eq!(slug.numbered(10).len(), 64);
    }

    proptest! {
        #[test]
        fn every_name_is_conformant(title in ".{0,90}", number in 1usize..200) {
            let name = Slug::of(&title).numbered(number);
            prop_assert_eq!(skillmd::name::problems(&name, None), []);
            prop_assert_eq!(skillmd::skill_id(&name).unwrap(), &*name);
        }
    }
}
