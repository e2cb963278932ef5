//! What a writer needs to know about a key: whether its values are text, or a flag, or anything.

use crate::keys::find::{Branch, root};
use crate::keys::{KEYS, Shape as KeyShape};
use crate::node::Scalar;
use crate::spelling::fold;

/// Keys that are flags wherever they stand, in kebab case.
const FLAGS: [&str; 2] = ["always", "enabled"];

/// A mapping of the frontmatter, as far as the table of keys knows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    branch: Option<&'static Branch>,
    is_metadata: bool,
}

/// What the scalars of a key are meant to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Text, whatever it looks like: `version: 1.0` is the text `1.0`.
    Text,
    /// `true` or `false`, in any of the spellings that authors use.
    Flag,
    /// Whatever it looks like.
    Any,
}

impl Place {
    /// The frontmatter itself.
    pub(crate) fn top_level() -> Self {
        Self {
            branch: Some(root()),
            is_metadata: false,
        }
    }

    /// A mapping of which nothing is known.
    pub(crate) const UNKNOWN: Self = Self {
        branch: None,
        is_metadata: false,
    };

    /// The mapping under `key`.
    pub(crate) fn below(self, key: &str) -> Self {
        let child = self.branch.and_then(|branch| branch.child(key));
        let is_top_level = self
            .branch
            .is_some_and(|branch| std::ptr::eq(branch, root()));
        Self {
            branch: child.map(|child| &child.branch),
            is_metadata: is_top_level && key == "metadata",
        }
    }

    /// Whether a list in brackets under `key` is meant as the text that it is, as in `argument-hint: [FILE]`.
    pub(crate) fn is_verbatim(self, key: &str) -> bool {
        let child = self.branch.and_then(|branch| branch.child(key));
        let row = child.and_then(|child| KEYS.get(child.row?));
        row.is_some_and(|row| row.shape == KeyShape::Verbatim)
    }

    /// What the value of `key` is meant to be in a mapping here. In `metadata` all is text (standard, "metadata field").
    pub(crate) fn shape(self, key: &str) -> Shape {
        if self.is_metadata {
            return Shape::Text;
        }
        let child = self.branch.and_then(|branch| branch.child(key));
        let row = child.and_then(|child| KEYS.get(child.row?));
        match row.map(|row| row.shape) {
            Some(KeyShape::Flag | KeyShape::InvertedFlag) => Shape::Flag,
            Some(
                KeyShape::Text
                | KeyShape::Verbatim
                | KeyShape::OneOf(_)
                | KeyShape::Words
                | KeyShape::Phrases
                | KeyShape::Platforms
                | KeyShape::Triggers
                | KeyShape::Scope,
            ) => Shape::Text,
            None if FLAGS.contains(&fold(key).as_ref()) => Shape::Flag,
            _ => Shape::Any,
        }
    }
}

/// The flag that a scalar spells, as authors do: `true`, `yes`, `on`, `1` and their opposites, in any case.
pub(crate) fn flag(scalar: &Scalar) -> Option<bool> {
    let is_one_of = |words: [&str; 4]| {
        words
            .iter()
            .any(|word| scalar.text.trim().eq_ignore_ascii_case(word))
    };
    if is_one_of(["true", "yes", "on", "1"]) {
        Some(true)
    } else if is_one_of(["false", "no", "off", "0"]) {
        Some(false)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::ScalarStyle;

    #[test]
    fn keys_have_the_same_shape_in_every_spelling() {
        for key in ["user-invocable", "user_invocable", "userInvocable"] {
            assert_eq!(Place::top_level().shape(key), Shape::Flag);
        }
        assert_eq!(Place::top_level().shape("version"), Shape::Text);
        assert_eq!(Place::top_level().shape("priority"), Shape::Any);
        assert_eq!(Place::UNKNOWN.shape("always"), Shape::Flag);
        assert_eq!(Place::UNKNOWN.shape("version"), Shape::Any);
    }

    #[test]
    fn metadata_is_text_one_level_down() {
        let metadata = Place::top_level().below("metadata");
        assert_eq!(metadata.shape("always"), Shape::Text);
        let openclaw = metadata.below("openclaw");
        assert_eq!(openclaw.shape("always"), Shape::Flag);
        assert_eq!(openclaw.shape("primaryEnv"), Shape::Text);
        assert_eq!(openclaw.below("requires").shape("bins"), Shape::Text);
    }

    #[test]
    fn flags_in_all_spellings() {
        let read = |text: &str| {
            flag(&Scalar {
                text: text.to_owned(),
                style: ScalarStyle::Plain,
            })
        };
        assert_eq!(read("Yes"), Some(true));
        assert_eq!(read("off"), Some(false));
        assert_eq!(read("0"), Some(false));
        assert_eq!(read("maybe"), None);
        assert_eq!(read(""), None);
    }
}
