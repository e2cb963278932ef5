//! Operating systems as skills name them: every client has its own words for the same three.

use std::fmt;
use std::str::FromStr;

/// An operating system that a skill may be bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Os {
    /// `linux`.
    Linux,
    /// `macos`; also `darwin`, `mac`, `osx`.
    MacOs,
    /// `windows`; also `win`, `win32`, `win64`.
    Windows,
}

impl Os {
    /// The canonical name: `linux`, `macos` or `windows`, as in [`std::env::consts::OS`].
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Linux => "linux",
            Self::MacOs => "macos",
            Self::Windows => "windows",
        }
    }
}

impl fmt::Display for Os {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text names no operating system that is known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an operating system that is known: use `linux`, `macos` or `windows`")]
pub struct UnknownOs(pub String);

impl FromStr for Os {
    type Err = UnknownOs;

    /// Case and surrounding blanks do not matter.
    fn from_str(text: &str) -> Result<Self, UnknownOs> {
        const NAMES: [(&str, Os); 10] = [
            ("linux", Os::Linux),
            ("macos", Os::MacOs),
            ("darwin", Os::MacOs),
            ("mac", Os::MacOs),
            ("osx", Os::MacOs),
            ("mac os", Os::MacOs),
            ("windows", Os::Windows),
            ("win", Os::Windows),
            ("win32", Os::Windows),
            ("win64", Os::Windows),
        ];
        let word = text.trim();
        NAMES
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(word))
            .map(|&(_, os)| os)
            .ok_or_else(|| UnknownOs(word.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_client_word_is_understood() {
        for (word, os) in [
            (" LINUX ", Os::Linux),
            ("darwin", Os::MacOs),
            ("macOS", Os::MacOs),
            ("OSX", Os::MacOs),
            ("win32", Os::Windows),
            ("Win", Os::Windows),
        ] {
            assert_eq!(word.parse(), Ok(os));
        }
        for os in [Os::Linux, Os::MacOs, Os::Windows] {
            assert_eq!(os.as_str().parse(), Ok(os));
        }
        assert!("freebsd".parse::<Os>().is_err());
        assert!("".parse::<Os>().is_err());
    }
}
