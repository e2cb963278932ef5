//! What a package may be called, manager by manager.
//!
//! A name comes from a skill, so from a stranger, and becomes an argument of a program that runs with the user's rights.
//! A [`Package`] is a name that means one package of the manager's own registry and nothing else: it cannot be taken for
//! an option, a path, an address, a pattern, or an order to remove something. The grammars are narrower than the
//! managers' own on purpose.

use std::fmt;

use skillmd::install::InstallKind;

use crate::limits;

/// A manager of packages, run as a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Manager {
    /// Homebrew, for formulae.
    Brew,
    /// Homebrew, for casks.
    BrewCask,
    /// APT, of Debian and its kin.
    Apt,
    /// Scoop, on Windows.
    Scoop,
    /// `WinGet`, on Windows.
    Winget,
    /// npm.
    Npm,
    /// uv, for tools.
    Uv,
    /// `go install`.
    Go,
    /// `cargo install`.
    Cargo,
    /// pipx.
    Pipx,
}

impl Manager {
    /// All managers.
    pub const ALL: [Self; 10] = [
        Self::Brew,
        Self::BrewCask,
        Self::Apt,
        Self::Scoop,
        Self::Winget,
        Self::Npm,
        Self::Uv,
        Self::Go,
        Self::Cargo,
        Self::Pipx,
    ];

    /// The manager of a kind of spec; nothing for a download.
    pub const fn of(kind: InstallKind, is_cask: bool) -> Option<Self> {
        Some(match kind {
            InstallKind::Brew if is_cask => Self::BrewCask,
            InstallKind::Brew => Self::Brew,
            InstallKind::Apt => Self::Apt,
            InstallKind::Scoop => Self::Scoop,
            InstallKind::Winget => Self::Winget,
            InstallKind::Npm => Self::Npm,
            InstallKind::Uv => Self::Uv,
            InstallKind::Go => Self::Go,
            InstallKind::Cargo => Self::Cargo,
            InstallKind::Pipx => Self::Pipx,
            InstallKind::Download => return None,
        })
    }

    /// The program that is run.
    pub const fn program(self) -> &'static str {
        match self {
            Self::Brew | Self::BrewCask => "brew",
            Self::Apt => "apt-get",
            Self::Scoop => "scoop",
            Self::Winget => "winget",
            Self::Npm => "npm",
            Self::Uv => "uv",
            Self::Go => "go",
            Self::Cargo => "cargo",
            Self::Pipx => "pipx",
        }
    }
}

/// The name of a package, with a version where the manager takes one, that obeys its manager's grammar.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Package {
    manager: Manager,
    text: String,
}

/// Why a text is no name of a package. Each says which rule it breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PackageFault {
    /// There is none.
    #[error("no package is named")]
    Missing,
    /// Longer than [`limits::PACKAGE_BYTES`].
    #[error(
        "the name of the package has more than {} bytes",
        limits::PACKAGE_BYTES
    )]
    TooLong,
    /// It would be an option.
    #[error("`{0}` begins with `-` and would be taken for an option")]
    Option(String),
    /// A blank, a control character, or anything but ASCII.
    #[error("`{}` has a character that no package has: {character:?}", text.escape_debug())]
    Character {
        /// The text.
        text: String,
        /// The first such character.
        character: char,
    },
    /// An address where a name is due.
    #[error("`{0}` is an address; only packages of the manager's own registry are installed")]
    Address(String),
    /// A path where a name is due.
    #[error("`{0}` is a path or a file; only packages of the manager's own registry are installed")]
    Path(String),
    /// Anything else.
    #[error("`{text}` is no package of {manager}: {rule}")]
    Grammar {
        /// The text.
        text: String,
        /// The manager's program.
        manager: &'static str,
        /// What such a name looks like.
        rule: &'static str,
    },
}

impl Package {
    /// Takes the name of a package of this manager. What surrounds it stays: blanks are faults.
    ///
    /// # Errors
    ///
    /// [`PackageFault`], which names the rule.
    pub fn parse(manager: Manager, text: &str) -> Result<Self, PackageFault> {
        check_general(text)?;
        let grammar = Grammar::of(manager);
        if !(grammar.accepts)(text) {
            return Err(PackageFault::Grammar {
                text: text.to_owned(),
                manager: manager.program(),
                rule: grammar.rule,
            });
        }
        // `go install` takes a version outside of a module.
        let text = match manager {
            Manager::Go if !text.contains('@') => format!("{text}@latest"),
            _ => text.to_owned(),
        };
        Ok(Self { manager, text })
    }

    /// Its manager.
    pub fn manager(&self) -> Manager {
        self.manager
    }

    /// The name as the manager is given it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The tap that Homebrew adds to itself for it: a third party's repository of packages.
    pub fn tap(&self) -> Option<&str> {
        match self.manager {
            Manager::Brew | Manager::BrewCask => self.text.rsplit_once('/').map(|(tap, _)| tap),
            _ => None,
        }
    }
}

impl fmt::Display for Package {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What holds for every manager.
fn check_general(text: &str) -> Result<(), PackageFault> {
    if text.is_empty() {
        return Err(PackageFault::Missing);
    }
    if text.len() > limits::PACKAGE_BYTES {
        return Err(PackageFault::TooLong);
    }
    let mut characters = text.chars();
    if let Some(character) = characters.find(|c| !c.is_ascii_graphic()) {
        let text = text.to_owned();
        return Err(PackageFault::Character { text, character });
    }
    let owned = || text.to_owned();
    if text.starts_with('-') {
        return Err(PackageFault::Option(owned()));
    }
    let lower = text.to_ascii_lowercase();
    let is_remote = lower.starts_with("git+") || lower.starts_with("git@") && lower.contains(':');
    if lower.contains("://") || is_remote {
        return Err(PackageFault::Address(owned()));
    }
    let is_path = lower.starts_with(['/', '.', '~'])
        || lower.contains('\\')
        || lower.ends_with('/')
        || lower.contains("..")
        || FILES.iter().any(|ending| lower.ends_with(ending));
    if is_path {
        return Err(PackageFault::Path(owned()));
    }
    Ok(())
}

/// Endings by which managers tell a local file from a name.
const FILES: &[&str] = &[
    ".tgz", ".tar", ".tar.gz", ".tar.bz2", ".tar.xz", ".zip", ".whl", ".deb", ".rb", ".json",
];

/// What names look like.
struct Grammar {
    rule: &'static str,
    accepts: fn(&str) -> bool,
}

impl Grammar {
    const fn of(manager: Manager) -> Self {
        match manager {
            Manager::Brew => Self {
                rule: "NAME, NAME@VERSION, or USER/TAP/NAME",
                accepts: formula,
            },
            Manager::BrewCask => Self {
                rule: "CASK, CASK@VERSION, or USER/TAP/CASK",
                accepts: formula,
            },
            Manager::Apt => Self {
                rule: "NAME, NAME:ARCHITECTURE, or NAME=VERSION, with a name of lower-case letters, digits, `+`, `-` \
                       and `.` that does not end with `-`, which would remove the package",
                accepts: apt,
            },
            Manager::Scoop => Self {
                rule: "NAME, BUCKET/NAME, each with @VERSION or without",
                accepts: scoop,
            },
            Manager::Winget => Self {
                rule: "the package's id, such as PUBLISHER.NAME",
                accepts: winget,
            },
            Manager::Npm => Self {
                rule: "NAME or @SCOPE/NAME, each with @VERSION or @TAG or without",
                accepts: npm,
            },
            Manager::Uv => Self {
                rule: "NAME or NAME[EXTRA], with ==VERSION or @VERSION or without",
                accepts: uv,
            },
            Manager::Go => Self {
                rule: "HOST/MODULE/PATH, with @VERSION or without",
                accepts: go,
            },
            Manager::Cargo => Self {
                rule: "NAME or NAME@VERSION",
                accepts: cargo,
            },
            Manager::Pipx => Self {
                rule: "NAME or NAME[EXTRA], with ==VERSION or without",
                accepts: python,
            },
        }
    }
}

/// A word that begins with a letter or digit and goes on with those and some marks.
fn is_word(text: &str, marks: &[char]) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || marks.contains(&c))
}

/// The parts around a mark, the second only where there is one.
fn split(text: &str, mark: char) -> (&str, Option<&str>) {
    match text.split_once(mark) {
        Some((name, version)) => (name, Some(version)),
        None => (text, None),
    }
}

fn is_version(version: Option<&str>) -> bool {
    version.is_none_or(|version| is_word(version, &['.', '-', '+', '_']))
}

fn formula(text: &str) -> bool {
    let parts: Vec<&str> = text.split('/').collect();
    let (places, name) = match parts[..] {
        [name] => (&parts[..0], name),
        [_, _, name] => (&parts[..2], name),
        _ => return false,
    };
    let (name, version) = split(name, '@');
    places.iter().all(|part| is_word(part, &['-', '_', '.']))
        && is_word(name, &['-', '_', '.', '+'])
        && is_version(version)
}

/// Debian policy 5.6.1 and 5.6.12. A `-` at the end is an order to remove, a `/` names a release or a file.
fn apt(text: &str) -> bool {
    let (name, version) = split(text, '=');
    let (name, architecture) = split(name, ':');
    let is_name = name.len() > 1
        && is_word(name, &['+', '-', '.'])
        && !name.ends_with('-')
        && !name.contains(|c: char| c.is_ascii_uppercase());
    is_name
        && architecture.is_none_or(|part| is_word(part, &['-']) && !part.ends_with('-'))
        && version.is_none_or(|part| is_word(part, &['.', '+', '-', '~', ':']))
}

fn scoop(text: &str) -> bool {
    let (path, version) = split(text, '@');
    let mut parts = path.split('/');
    let is_short = path.split('/').count() <= 2;
    is_short && parts.all(|part| is_word(part, &['-', '_', '.'])) && is_version(version)
}

fn winget(text: &str) -> bool {
    is_word(text, &['.', '-', '_', '+'])
}

/// Two parts without an `@` before them are a repository on GitHub to npm.
fn npm(text: &str) -> bool {
    let (scope, rest) = match text.strip_prefix('@') {
        Some(rest) => match rest.split_once('/') {
            Some((scope, rest)) => (Some(scope), rest),
            None => return false,
        },
        None => (None, text),
    };
    let (name, version) = split(rest, '@');
    let is_range = |version: &str| {
        let version = version.strip_prefix(['^', '~', '=']).unwrap_or(version);
        is_version(Some(version))
    };
    scope.is_none_or(|scope| is_word(scope, &['-', '_', '.']))
        && is_word(name, &['-', '_', '.'])
        && version.is_none_or(is_range)
}

/// PEP 508 without addresses and markers.
fn python(text: &str) -> bool {
    let (name, version) = match text.split_once("==") {
        Some((name, version)) => (name, Some(version)),
        None => (text, None),
    };
    is_python_name(name)
        && version.is_none_or(|version| is_word(version, &['.', '-', '+', '_', '!']))
}

fn uv(text: &str) -> bool {
    let (name, version) = split(text, '@');
    python(text) || is_python_name(name) && is_version(version)
}

fn is_python_name(text: &str) -> bool {
    let (name, extras) = match text.split_once('[') {
        Some((name, rest)) => match rest.strip_suffix(']') {
            Some(extras) => (name, Some(extras)),
            None => return false,
        },
        None => (text, None),
    };
    let is_name = |part: &str| is_word(part, &['-', '_', '.']) && !part.ends_with(['-', '_', '.']);
    is_name(name) && extras.is_none_or(|extras| extras.split(',').all(is_name))
}

/// A host with a dot first, so that it is neither the standard library nor a directory; `...` is a pattern.
fn go(text: &str) -> bool {
    let (path, version) = split(text, '@');
    let mut parts = path.split('/');
    let is_host = parts.next().is_some_and(|host| {
        host.contains('.') && is_word(host, &['.', '-']) && !host.ends_with('.')
    });
    let rest: Vec<&str> = parts.collect();
    is_host
        && !rest.is_empty()
        && !path.contains("..")
        && rest.iter().all(|part| is_word(part, &['-', '_', '.', '~']))
        && is_version(version)
}

fn cargo(text: &str) -> bool {
    let (name, version) = split(text, '@');
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && is_word(name, &['-', '_'])
        && version.is_none_or(|version| {
            version.starts_with(|c: char| c.is_ascii_digit()) && is_word(version, &['.', '-', '+'])
        })
}

#[cfg(test)]
mod tests;
