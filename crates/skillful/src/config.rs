//! `skills.toml`: what a project or a user wants otherwise than by default.
//!
//! ```toml
//! [check]
//! ignore = ["description-no-when"]   # diagnostics that are not reported
//!
//! [clients.my-agent]                 # a client that is not in the built-in table; see `Clients::lay_over_config`
//! project = [".my-agent/skills"]
//! ```
//!
//! The user's own file and the project's are both read; what they say adds up.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use skillmd::Code;

/// The name of the file in a project.
pub const FILE_NAME: &str = "skills.toml";

/// Where the user's own file lies, below the home directory.
pub const USER_FILE: &str = ".config/skillful/skills.toml";

/// What the configuration files say together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// Diagnostics that `check` does not report.
    pub ignored: BTreeSet<Code>,
}

/// A configuration file cannot be used. It is never overwritten.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct ConfigError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it, with the place where that is known.
    pub reason: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ConfigFile {
    check: CheckSection,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct CheckSection {
    ignore: Vec<String>,
}

impl Config {
    /// Reads the files that exist, in this order.
    ///
    /// # Errors
    ///
    /// The first file that cannot be read, is not TOML, or ignores a diagnostic that does not exist.
    pub fn load<'p>(files: impl IntoIterator<Item = &'p Path>) -> Result<Self, ConfigError> {
        let mut config = Self::default();
        for path in files {
            match std::fs::read_to_string(path) {
                Ok(text) => config.add(path, &text)?,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(failed(path, &error)),
            }
        }
        Ok(config)
    }

    /// Adds what a file says, whose text was read from `path`.
    ///
    /// # Errors
    ///
    /// As [`Config::load`].
    pub fn add(&mut self, path: &Path, text: &str) -> Result<(), ConfigError> {
        let file: ConfigFile = toml::from_str(text).map_err(|error| failed(path, &error))?;
        for name in file.check.ignore {
            let code = name
                .parse::<Code>()
                .map_err(|error| failed(path, &format_args!("check.ignore: {error}")))?;
            self.ignored.insert(code);
        }
        Ok(())
    }
}

fn failed(path: &Path, reason: &dyn std::fmt::Display) -> ConfigError {
    ConfigError {
        path: path.to_owned(),
        reason: reason.to_string().trim_end().to_owned(),
    }
}

/// The nearest `skills.toml` from `directory` up to `top`, which is the last one looked at.
pub fn nearest(directory: &Path, top: &Path) -> Option<PathBuf> {
    directory
        .ancestors()
        .take_while(|level| level.starts_with(top))
        .map(|level| level.join(FILE_NAME))
        .find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_add_up() {
        let mut config = Config::default();
        let path = Path::new("skills.toml");
        config
            .add(path, "[check]\nignore = [\"body-empty\"]\n")
            .unwrap();
        config
            .add(
                path,
                "[check]\nignore = [\"body-too-long\"]\n[other]\nx = 1\n",
            )
            .unwrap();
        assert_eq!(
            config.ignored,
            BTreeSet::from([Code::BodyEmpty, Code::BodyTooLong])
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |text: &str| {
            Config::default()
                .add(Path::new("skills.toml"), text)
                .unwrap_err()
                .to_string()
        };
        let unknown = error("[check]\nignore = [\"no-such\"]\n");
        assert!(
            unknown.contains("skills.toml") && unknown.contains("no-such"),
            "{unknown}"
        );
        assert!(error("[check]\nignored = []\n").contains("ignored"));
        assert!(error("[check\n").contains("line 1"));
    }
}
