//! What went wrong around skills rather than in one of them.

use std::path::{Path, PathBuf};

use skillmd::{Code, Diagnostic, Position};

/// A root, a plugin's manifest or a part of a root that could not be used. The skills that were found are not affected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A root that was named explicitly does not exist.
    #[error("{} does not exist", .0.display())]
    RootMissing(PathBuf),
    /// What was named as a root is not a directory.
    #[error("{} is not a directory", .0.display())]
    RootNotDirectory(PathBuf),
    /// A directory could not be read.
    #[error("{} could not be read: {reason}", path.display())]
    DirectoryUnreadable {
        /// The directory.
        path: PathBuf,
        /// What the operating system says.
        reason: String,
    },
    /// A limit was reached; the directory was not searched any further.
    #[error("{} was not searched any further: more than {limit} {what}", path.display())]
    SearchLimit {
        /// Where the search ended.
        path: PathBuf,
        /// What there were too many of, such as `entries`.
        what: &'static str,
        /// How many there may be.
        limit: usize,
    },
    /// A plugin's `plugin.json`, `marketplace.json` or a list of installed plugins could not be used.
    #[error("{}: {reason}", path.display())]
    PluginManifest {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A configuration file, or one of its keys, could not be used. The file is left as it is.
    #[error("{}:{}:{}: {reason}", path.display(), position.line, position.column)]
    Config {
        /// The file; for an environment variable its name, with a `$` before it.
        path: PathBuf,
        /// Where in the file.
        position: Position,
        /// What is wrong with it.
        reason: String,
    },
    /// A root that a project's configuration adds leads out of the project; it is not searched.
    #[error("{} leads out of the project and was not searched", .0.display())]
    RootOutside(PathBuf),
}

impl Problem {
    /// The file or directory that the problem is about.
    pub fn path(&self) -> &Path {
        match self {
            Self::RootMissing(path)
            | Self::RootNotDirectory(path)
            | Self::RootOutside(path)
            | Self::Config { path, .. }
            | Self::DirectoryUnreadable { path, .. }
            | Self::SearchLimit { path, .. }
            | Self::PluginManifest { path, .. } => path,
        }
    }

    /// The same as a diagnostic about [`Self::path`].
    pub fn diagnostic(&self) -> Diagnostic {
        let code = match self {
            Self::RootMissing(_)
            | Self::RootNotDirectory(_)
            | Self::RootOutside(_)
            | Self::DirectoryUnreadable { .. }
            | Self::PluginManifest { .. } => Code::FileUnreadable,
            Self::SearchLimit { .. } => Code::SearchLimit,
            Self::Config {
                position, reason, ..
            } => {
                let mut diagnostic = Diagnostic::about_file(Code::ConfigInvalid, reason.clone());
                diagnostic.position = *position;
                return diagnostic;
            }
        };
        Diagnostic::about_file(code, self.to_string())
    }
}
