//! What can go wrong with records, and what a store did about it by itself.

use std::io;
use std::path::{Path, PathBuf};

/// Records could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process holds them for longer than [`crate::limits::PATIENCE`].
    #[error("{} is in use by another process; try again when it is done", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// They may be read but not written.
    #[error("{} is read-only; what it holds stays as it is", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// There is no room left.
    #[error("there is no room left for {}; make some, nothing that it holds is lost", path.display())]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// A newer program wrote them. They are left as they are.
    #[error(
        "{} was written by a newer version of this program: its format is {found}, and this one knows {known}; update this program",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of its format.
        found: u32,
        /// The newest version that this program knows.
        known: u32,
    },
    /// The file is not what it ought to be.
    #[error("{} is damaged: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file could not be read or written for a reason that the operating system gives.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// The database refused for another reason.
    #[error("{place}: {reason}")]
    Database {
        /// The database, without any password.
        place: String,
        /// What it says.
        reason: String,
    },
}

/// Something that a store put right by itself and that people should know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Notice {
    /// The usage database was damaged. A new one was made.
    #[error(
        "the usage database was damaged ({reason}); it was kept as {} and a new one was made, {}",
        kept.display(),
        saved_in_words(lost)
    )]
    DatabaseRebuilt {
        /// Where the damaged file lies now.
        kept: PathBuf,
        /// What was wrong with it.
        reason: String,
        /// What could not be taken over into the new one, such as `counts`. Choices are kept elsewhere.
        lost: Vec<&'static str>,
    },
    /// The file of choices was damaged or gone. They were taken from their copy.
    #[error(
        "the file of choices could not be used ({reason}); what is archived, pinned and approved was taken from its copy in the database"
    )]
    ChoicesRestored {
        /// What was wrong with it.
        reason: String,
    },
    /// The file of choices was damaged and there was no copy.
    #[error(
        "the file of choices could not be used ({reason}) and there is no copy: nothing counts as archived, pinned or approved until it is chosen again"
    )]
    ChoicesLost {
        /// What was wrong with it.
        reason: String,
    },
    /// A damaged file of choices was moved out of the way.
    #[error("the damaged file of choices was kept as {}", kept.display())]
    ChoicesKeptAside {
        /// Where it lies now.
        kept: PathBuf,
    },
    /// A choice holds, but its copy could not be written.
    #[error("the choice holds, but its copy in the database could not be written: {reason}")]
    ChoiceNotCopied {
        /// Why not.
        reason: String,
    },
}

impl StoreError {
    /// What the operating system says about a file.
    pub(crate) fn file(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full { path },
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { path },
            _ => Self::File { path, source },
        }
    }
}

fn saved_in_words(lost: &[&str]) -> String {
    if lost.is_empty() {
        "with all that could be read from the old one".to_owned()
    } else {
        format!("without {} from the old one", lost.join(" and "))
    }
}
