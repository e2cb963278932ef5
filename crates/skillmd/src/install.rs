//! Install specs: how a program that a skill needs can be had.
//!
//! A spec is a claim of the skill's author. Nothing here runs anything; the write side checks each name again.

use std::fmt;
use std::str::FromStr;

use crate::platform::Os;

/// One way to get a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstallSpec {
    /// What the author calls it; for choosing one of several.
    pub id: Option<String>,
    /// What installs it.
    pub kind: InstallKind,
    /// The package: formula, cask, module or crate. Of a download it is where the file goes, and may be missing.
    pub package: Option<String>,
    /// Whether the package is a Homebrew cask.
    pub cask: bool,
    /// What to show to a person.
    pub label: Option<String>,
    /// The programs that are there afterwards.
    pub bins: Vec<String>,
    /// Where it applies; nothing = everywhere, an empty list = nowhere.
    pub os: Option<Vec<Os>>,
    /// What is fetched, of a download.
    pub url: Option<String>,
    /// SHA-256 of what is fetched, in hexadecimal.
    pub sha256: Option<String>,
    /// The archive's format, such as `tar.gz`.
    pub archive: Option<String>,
    /// Whether the archive is unpacked; nothing = if it is one.
    pub extract: Option<bool>,
    /// Leading path components to take off while unpacking.
    pub strip_components: Option<u32>,
    /// Where it is unpacked to.
    pub target_dir: Option<String>,
}

/// What installs a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InstallKind {
    /// Homebrew.
    Brew,
    /// APT, of Debian and its kin.
    Apt,
    /// Scoop, on Windows.
    Scoop,
    /// WinGet, on Windows.
    Winget,
    /// npm; OpenClaw says `node`.
    Npm,
    /// uv.
    Uv,
    /// `go install`.
    Go,
    /// `cargo install`.
    Cargo,
    /// pipx.
    Pipx,
    /// A file from the web.
    Download,
}

impl InstallKind {
    /// All kinds.
    pub const ALL: [Self; 10] = [
        Self::Brew,
        Self::Apt,
        Self::Scoop,
        Self::Winget,
        Self::Npm,
        Self::Uv,
        Self::Go,
        Self::Cargo,
        Self::Pipx,
        Self::Download,
    ];

    /// The name in a skill.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Brew => "brew",
            Self::Apt => "apt",
            Self::Scoop => "scoop",
            Self::Winget => "winget",
            Self::Npm => "npm",
            Self::Uv => "uv",
            Self::Go => "go",
            Self::Cargo => "cargo",
            Self::Pipx => "pipx",
            Self::Download => "download",
        }
    }
}

impl fmt::Display for InstallKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text names no kind of installer that is known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a kind of installer that is known")]
pub struct UnknownInstallKind(pub String);

impl FromStr for InstallKind {
    type Err = UnknownInstallKind;

    /// Case and surrounding blanks do not matter; `node` is npm.
    fn from_str(text: &str) -> Result<Self, UnknownInstallKind> {
        let word = text.trim();
        if word.eq_ignore_ascii_case("node") {
            return Ok(Self::Npm);
        }
        Self::ALL
            .into_iter()
            .find(|kind| kind.as_str().eq_ignore_ascii_case(word))
            .ok_or_else(|| UnknownInstallKind(word.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_parse_back_in_any_case() {
        for kind in InstallKind::ALL {
            assert_eq!(kind.as_str().to_uppercase().parse(), Ok(kind));
        }
        assert_eq!("node".parse(), Ok(InstallKind::Npm));
        assert!("brewx".parse::<InstallKind>().is_err());
    }
}
