//! The small parts of sources. Each is checked once, when it is made, so that none can become an option of a program, a
//! path that leads elsewhere, or something that a terminal obeys.

use std::fmt;

use super::Fault;
use crate::limits;
use crate::unpack::MemberPath;

macro_rules! text_part {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_part! {
    /// A path inside a repository or an archive: relative, with `/`, no part of it empty, `.` or `..`.
    SubPath
}

impl SubPath {
    /// Takes a path; slashes at its ends are dropped.
    ///
    /// # Errors
    ///
    /// [`Fault::Path`] with the reason.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let trimmed = text.trim_matches('/');
        let path = MemberPath::parse(trimmed.as_bytes(), true).map_err(Fault::Path)?;
        Ok(Self(path.into_string()))
    }
}

text_part! {
    /// The name of a branch or a tag, such as `main`, `v1.2` or `refs/heads/main`.
    RefName
}

impl RefName {
    /// Takes a name that git could take (`git help check-ref-format`).
    ///
    /// # Errors
    ///
    /// [`Fault::Reference`].
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let is_name = !text.is_empty()
            && text.len() <= limits::PATH_BYTES
            && !text.starts_with(['-', '/', '.'])
            && !text.ends_with(['/', '.'])
            && !text.contains("..")
            && !text.contains("//")
            && !text.contains("@{")
            && text != "@"
            && !text.chars().any(|c| {
                c.is_control()
                    || c.is_whitespace()
                    || matches!(
                        c,
                        '~' | '^' | ':' | '?' | '*' | '[' | '\\' | '<' | '>' | '|' | '"'
                    )
            })
            && !text
                .split('/')
                .any(|part| part.starts_with('.') || part.strip_suffix(".lock").is_some());
        if is_name {
            Ok(Self(text.to_owned()))
        } else {
            Err(Fault::Reference)
        }
    }
}

text_part! {
    /// The whole hash of a commit: 40 hexadecimal digits in lower case, or 64 in a repository of SHA-256.
    Commit
}

impl Commit {
    /// Takes a hash in any case; nothing for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let is_hash = matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit());
        is_hash.then(|| Self(text.to_ascii_lowercase()))
    }
}

text_part! {
    /// A name on a registry, of a plugin or of a marketplace: letters, digits, `.`, `_`, `-`, `+`, the first of them a
    /// letter or digit.
    Slug
}

impl Slug {
    /// Takes a name.
    ///
    /// # Errors
    ///
    /// [`Fault::Slug`].
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let is_slug = text.starts_with(|c: char| c.is_ascii_alphanumeric())
            && text.len() <= 128
            && !text.contains("..")
            && text
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b'+'));
        if is_slug {
            Ok(Self(text.to_owned()))
        } else {
            Err(Fault::Slug)
        }
    }
}

/// Which of several skills.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Selector {
    /// All of them, also those that are marked as internal.
    All,
    /// The one with this id, name or directory.
    Named(SkillName),
}

text_part! {
    /// The id, name or directory of a skill, as it was typed.
    SkillName
}

impl Selector {
    /// Takes a name; `*` stands for all.
    ///
    /// # Errors
    ///
    /// [`Fault::Skill`].
    pub fn parse(text: &str) -> Result<Self, Fault> {
        if text == "*" {
            return Ok(Self::All);
        }
        let is_name = !text.is_empty()
            && text.len() <= limits::PATH_BYTES
            && text.trim() == text
            && !text.starts_with('-')
            && !text.contains(['/', '\\', '@', '#', '*', '?'])
            && !text.chars().any(char::is_control);
        if is_name {
            Ok(Self::Named(SkillName(text.to_owned())))
        } else {
            Err(Fault::Skill)
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("*"),
            Self::Named(name) => name.fmt(f),
        }
    }
}
