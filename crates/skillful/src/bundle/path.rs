//! Paths of files in a skill, as they come from a model or a skill's text.
//!
//! A path that passes is relative and plain on every system, so that a skill that works on one does not become an
//! escape on another. What is hidden is not handed over: `.git`, `.env` and the like are nobody's instructions.

use std::fmt;

use crate::limits;

/// A path that leads to a place in a skill and nowhere else: `/` between its parts, none of them hidden, `..`, or
/// special on some system.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResourcePath(String);

/// What is wrong with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathFault {
    /// There is none.
    #[error("it is empty")]
    Empty,
    /// It has more than [`limits::RESOURCE_PATH_BYTES`] bytes or more than [`limits::BUNDLE_DEPTH`] parts.
    #[error("it is longer than any path in a skill may be")]
    TooLong,
    /// It begins at the top of the file system.
    #[error("it is absolute; paths are relative to the skill's directory")]
    Absolute,
    /// It leads upwards.
    #[error("`..` leads out of the skill")]
    Upwards,
    /// A separator on Windows, and part of a name elsewhere.
    #[error("it has a backslash; the parts of a path are parted by `/`")]
    Backslash,
    /// A drive or a hidden stream on Windows.
    #[error("it has a colon, which on Windows means a drive or a hidden stream")]
    Colon,
    /// NUL, a line break, and the like.
    #[error("it has a control character")]
    Control,
    /// Two slashes in a row, or one at the end.
    #[error("one of its parts is empty")]
    EmptyPart,
    /// A part begins with a dot.
    #[error("hidden files are not handed over")]
    Hidden,
    /// Windows drops blanks and dots at the end of a name.
    #[error("a part ends with a blank or a dot, which Windows drops")]
    TrailingDot,
    /// A device on Windows, whatever follows its first dot.
    #[error("a part is the name of a device on Windows")]
    Device,
}

impl ResourcePath {
    /// Takes a path as it was given. `./` at its beginning is dropped.
    ///
    /// # Errors
    ///
    /// [`PathFault`], on every system the same.
    pub fn parse(text: &str) -> Result<Self, PathFault> {
        if text.len() > limits::RESOURCE_PATH_BYTES {
            return Err(PathFault::TooLong);
        }
        if text.chars().any(char::is_control) {
            return Err(PathFault::Control);
        }
        if text.contains('\\') {
            return Err(PathFault::Backslash);
        }
        if text.starts_with('/') {
            return Err(PathFault::Absolute);
        }
        let text = text.strip_prefix("./").unwrap_or(text);
        if text.is_empty() || text == "." {
            return Err(PathFault::Empty);
        }
        text.split('/').try_for_each(check_part)?;
        if text.split('/').count() > limits::BUNDLE_DEPTH {
            return Err(PathFault::TooLong);
        }
        Ok(Self(text.to_owned()))
    }

    /// The path, with `/` between its parts.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The directories on the way, and the file's own name.
    pub(super) fn split(&self) -> (impl Iterator<Item = &str>, &str) {
        let (directories, name) = self.0.rsplit_once('/').unwrap_or(("", &self.0));
        let directories = directories.split('/').filter(|part| !part.is_empty());
        (directories, name)
    }
}

impl fmt::Display for ResourcePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn check_part(part: &str) -> Result<(), PathFault> {
    if part.is_empty() {
        Err(PathFault::EmptyPart)
    } else if part == ".." {
        Err(PathFault::Upwards)
    } else if part.contains(':') {
        Err(PathFault::Colon)
    } else if part.starts_with('.') {
        Err(PathFault::Hidden)
    } else if part.ends_with([' ', '.']) {
        Err(PathFault::TrailingDot)
    } else if is_device(part) {
        Err(PathFault::Device)
    } else {
        Ok(())
    }
}

/// Windows: these names mean devices in every directory and with every ending, the superscript digits too
/// (Microsoft, "Naming Files, Paths, and Namespaces").
fn is_device(part: &str) -> bool {
    const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
    let stem = part.split('.').next().unwrap_or(part).trim_end();
    let stem = stem.to_ascii_lowercase();
    let number = ["com", "lpt"]
        .into_iter()
        .find_map(|port| stem.strip_prefix(port));
    DEVICES.contains(&&*stem)
        || number.is_some_and(|number| {
            let mut digits = number.chars();
            matches!(digits.next(), Some('1'..='9' | '¹' | '²' | '³')) && digits.next().is_none()
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn plain_paths_pass() {
        for path in [
            "a",
            "scripts/run.sh",
            "references/über uns.md",
            "con-figuration.md",
            "com10",
            "a..b/c",
        ] {
            assert_eq!(ResourcePath::parse(path).unwrap().as_str(), path);
        }
        assert_eq!(ResourcePath::parse("./a/b").unwrap().as_str(), "a/b");
    }

    #[test]
    fn every_other_path_is_refused_with_its_fault() {
        use PathFault::*;
        for (path, fault) in [
            ("", Empty),
            (".", Empty),
            ("./", Empty),
            ("/etc/passwd", Absolute),
            ("..", Upwards),
            ("a/../../b", Upwards),
            ("a/..", Upwards),
            ("..\\b", Backslash),
            ("\\\\server\\share", Backslash),
            ("C:/x", Colon),
            ("a.md:stream", Colon),
            ("a\0b", Control),
            ("a\nb", Control),
            ("a//b", EmptyPart),
            ("a/", EmptyPart),
            (".env", Hidden),
            ("a/.git/config", Hidden),
            ("././a", Hidden),
            ("a./b", TrailingDot),
            ("a /b", TrailingDot),
            ("x/NUL", Device),
            ("aux.md", Device),
            ("Com1.txt", Device),
            ("lpt³", Device),
            ("con .txt", Device),
        ] {
            assert_eq!(ResourcePath::parse(path), Err(fault), "{path:?}");
        }
        assert_eq!(ResourcePath::parse(&"a".repeat(2_000)), Err(TooLong));
        assert_eq!(ResourcePath::parse(&["a"; 40].join("/")), Err(TooLong));
    }

    proptest! {
        #[test]
        fn what_passes_stays_below_on_every_system(path in r"[./\\a:~ ]{0,12}") {
            if let Ok(path) = ResourcePath::parse(&path) {
                let mut parts = path.as_str().split('/');
                prop_assert!(parts.all(|part| !part.is_empty() && !part.starts_with('.')));
                prop_assert!(!path.as_str().contains(['\\', ':']));
            }
        }
    }
}
