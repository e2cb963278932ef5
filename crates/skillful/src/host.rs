//! The outside world as a value: home, working directory, environment, operating system.
//!
//! Nothing in this crate asks the process for any of these. They are gathered once, by [`Host::from_environment`] or
//! by whoever embeds the crate, so that every decision can be tested and explained without the machine it was made on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// An operating system, as far as skills tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Os {
    /// Linux.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
    /// Any other.
    Other,
}

impl Os {
    /// The operating system that the program was built for.
    pub const fn current() -> Self {
        if cfg!(target_os = "linux") {
            Self::Linux
        } else if cfg!(target_os = "macos") {
            Self::MacOs
        } else if cfg!(windows) {
            Self::Windows
        } else {
            Self::Other
        }
    }
}

/// What the world around the library is like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    home: Option<PathBuf>,
    working_directory: PathBuf,
    environment: BTreeMap<String, String>,
    os: Os,
}

impl Host {
    /// A host without a home and without environment variables, on the operating system of the build.
    pub fn new(working_directory: impl Into<PathBuf>) -> Self {
        Self {
            home: None,
            working_directory: working_directory.into(),
            environment: BTreeMap::new(),
            os: Os::current(),
        }
    }

    /// The host that the process runs on. The only place where the crate reads the process's environment.
    ///
    /// Variables whose name or value is not Unicode are left out. A working directory that cannot be determined (it
    /// was deleted) becomes the empty path, below which nothing is found.
    pub fn from_environment() -> Self {
        Self {
            home: std::env::home_dir().filter(|home| home.is_absolute()),
            working_directory: std::env::current_dir().unwrap_or_default(),
            environment: std::env::vars_os()
                .filter_map(|(name, value)| {
                    Some((name.into_string().ok()?, value.into_string().ok()?))
                })
                .collect(),
            os: Os::current(),
        }
    }

    /// The same host with this home.
    #[must_use]
    pub fn with_home(mut self, home: impl Into<PathBuf>) -> Self {
        self.home = Some(home.into());
        self
    }

    /// The same host with one more environment variable.
    #[must_use]
    pub fn with_variable(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.environment.insert(name.into(), value.into());
        self
    }

    /// The same host with another operating system.
    #[must_use]
    pub fn with_os(mut self, os: Os) -> Self {
        self.os = os;
        self
    }

    /// The user's home directory, where one is known.
    pub fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// The directory that the user works in.
    pub fn working_directory(&self) -> &Path {
        &self.working_directory
    }

    /// The value of an environment variable. An empty one counts as missing.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.environment
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// The operating system.
    pub fn os(&self) -> Os {
        self.os
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_variable_counts_as_missing() {
        let host = Host::new("/work")
            .with_variable("A", "")
            .with_variable("B", "x");
        assert_eq!(host.variable("A"), None);
        assert_eq!(host.variable("B"), Some("x"));
        assert_eq!(host.variable("C"), None);
    }

    #[test]
    fn the_process_has_a_working_directory() {
        assert!(Host::from_environment().working_directory().is_absolute());
    }
}
