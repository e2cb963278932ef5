//! What a writer needs to know about a key: whether its values are text, or a flag, or anything.

use crate::node::Scalar;

/// Where a mapping stands in the frontmatter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The frontmatter itself.
    TopLevel,
    /// The mapping `metadata`, whose values are text by the standard.
    Metadata,
    /// Any mapping further down.
    Nested,
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

/// Keys whose values are text, folded.
const TEXT_KEYS: &[&str] = &[
    "agent",
    "allowedtools",
    "argumenthint",
    "author",
    "category",
    "compatibility",
    "context",
    "description",
    "disallowedtools",
    "effort",
    "emoji",
    "homepage",
    "license",
    "model",
    "name",
    "primaryenv",
    "repository",
    "shell",
    "slug",
    "source",
    "summary",
    "tags",
    "title",
    "triggers",
    "version",
    "whentouse",
];

/// Keys whose values are flags, folded.
const FLAG_KEYS: &[&str] = &[
    "allowinlineshell",
    "always",
    "background",
    "disablemodelinvocation",
    "enabled",
    "userinvocable",
    "userinvokable",
];

impl Place {
    /// The place of the mapping under `key`.
    pub(crate) fn below(self, key: &str) -> Self {
        if self == Self::TopLevel && key == "metadata" {
            Self::Metadata
        } else {
            Self::Nested
        }
    }

    /// What the value of `key` is meant to be in a mapping here.
    pub(crate) fn shape(self, key: &str) -> Shape {
        let folded = fold(key);
        let is_one_of = |keys: &[&str]| keys.contains(&folded.as_str());
        match self {
            Self::Metadata => Shape::Text,
            Self::TopLevel if is_one_of(TEXT_KEYS) => Shape::Text,
            _ if is_one_of(FLAG_KEYS) => Shape::Flag,
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

/// The key without what kebab, snake and camel spellings differ in.
pub(crate) fn fold(key: &str) -> String {
    key.chars()
        .filter(|c| !matches!(c, '-' | '_' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::ScalarStyle;

    #[test]
    fn keys_have_the_same_shape_in_every_spelling() {
        for key in ["user-invocable", "user_invocable", "userInvocable"] {
            assert_eq!(Place::TopLevel.shape(key), Shape::Flag);
        }
        assert_eq!(Place::TopLevel.shape("version"), Shape::Text);
        assert_eq!(Place::TopLevel.shape("priority"), Shape::Any);
        assert_eq!(Place::Nested.shape("always"), Shape::Flag);
        assert_eq!(Place::Nested.shape("version"), Shape::Any);
    }

    #[test]
    fn metadata_is_text_one_level_down() {
        let metadata = Place::TopLevel.below("metadata");
        assert_eq!(metadata.shape("always"), Shape::Text);
        let openclaw = metadata.below("openclaw");
        assert_eq!(openclaw.shape("always"), Shape::Flag);
        assert_eq!(openclaw.below("metadata").shape("always"), Shape::Flag);
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
