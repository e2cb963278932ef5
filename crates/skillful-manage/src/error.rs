//! Why the state of a path is not known.

use std::io;
use std::path::{Path, PathBuf};

use crate::limits;

/// What is at a path could not be read, or is nothing that can be kept.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A pipe, a socket, a device.
    #[error("{} is {what}; only files, directories and links can be kept", path.display())]
    Special {
        /// The path.
        path: PathBuf,
        /// What is there.
        what: &'static str,
    },
    /// A file where a directory is needed, or the other way round.
    #[error("{} is not {expected}", path.display())]
    NotA {
        /// The path.
        path: PathBuf,
        /// What it ought to be.
        expected: &'static str,
    },
    /// Too many entries.
    #[error(
        "{} holds more than {} files and directories, the limit; move what does not belong there",
        path.display(), limits::TREE_ENTRIES
    )]
    TooManyEntries {
        /// The directory that was read.
        path: PathBuf,
    },
    /// Too many bytes.
    #[error("{} has more than {limit} bytes, the limit", path.display())]
    TooLarge {
        /// The file or directory.
        path: PathBuf,
        /// The limit that applies.
        limit: u64,
    },
    /// Too many directories in each other.
    #[error("{} lies deeper than {} directories, the limit", path.display(), limits::TREE_DEPTH)]
    TooDeep {
        /// The directory.
        path: PathBuf,
    },
    /// A name or the text of a link could not be written down.
    #[error(
        "{} has a name, or is a link to one, that is not Unicode or too long; rename it",
        path.display()
    )]
    NotUnicode {
        /// The path, as well as it can be shown.
        path: PathBuf,
    },
    /// The operating system says no.
    #[error("{}: {source}", path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// What it says.
        source: io::Error,
    },
}

impl ReadError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }
}
