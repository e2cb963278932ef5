//! Why a change was not made.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use skillful_store::StoreError;
use skillful_store::journal::{JournalError, State};

use crate::error::ReadError;
use crate::limits;
use crate::objects::ObjectError;

/// A change was not made: every path is as it was, unless the error says otherwise.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// Somebody else holds the lock.
    #[error(
        "another process has been changing skills for more than {} seconds ({} is locked); try again when it is done",
        waited.as_secs(), path.display()
    )]
    Busy {
        /// The lock.
        path: PathBuf,
        /// How long it was waited for.
        waited: Duration,
    },
    /// What is on disk is not what the change was planned for. Nothing was touched.
    #[error("{}; look again, and repeat what you wanted to do", mismatches(.0))]
    Changed(Vec<Mismatch>),
    /// What is to be undone or made again was changed since. Nothing was touched.
    #[error(
        "entry {seq} cannot be undone, because what it changed was changed again since: {}; undo or move the newer \
         change first",
        mismatches(paths)
    )]
    ChangedSince {
        /// The entry.
        seq: u64,
        /// The paths that are in the way.
        paths: Vec<Mismatch>,
    },
    /// A path cannot be that of a swap.
    #[error("{} cannot be changed: {fault}", path.display())]
    Path {
        /// The path.
        path: PathBuf,
        /// What is wrong with it.
        fault: PathFault,
    },
    /// The change changes nothing.
    #[error("there is nothing to change: everything is as it is to be already")]
    Nothing,
    /// There is nothing that could be undone.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// Too many swaps.
    #[error("a change of {0} paths is too large; the limit is {limit}", limit = limits::SWAPS)]
    TooLarge(usize),
    /// The entries of a transaction do not follow on each other, so that they cannot be undone in one step.
    #[error(
        "the entries of transaction {transaction} cannot be undone in one step, because {} was changed in between by \
         something else; undo them one by one", path.display()
    )]
    NotOneStep {
        /// The transaction.
        transaction: String,
        /// The path.
        path: PathBuf,
    },
    /// The content cannot be kept or is not there.
    #[error(transparent)]
    Object(#[from] ObjectError),
    /// What is on disk cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The journal refuses.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The operating system says no.
    #[error("{}: {source}; nothing was changed", path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// What it says.
        source: io::Error,
    },
    /// The change failed, and not all of it could be taken back.
    #[error(
        "{error}. Taking the change back failed as well: {reason}; the next change on this machine completes it"
    )]
    NotTakenBack {
        /// Why the change was not made.
        error: Box<ChangeError>,
        /// What is in the way of taking it back.
        reason: String,
    },
    /// The change failed and was taken back, except where somebody else changed a path at the same time.
    #[error("{error}. {} was changed by somebody else at the same time and was left alone", paths(.left_alone))]
    LeftAlone {
        /// Why the change was not made.
        error: Box<ChangeError>,
        /// The paths that are neither as before nor as afterwards.
        left_alone: Vec<PathBuf>,
    },
    /// What an interrupted change left cannot be completed.
    #[error(
        "a change that was interrupted cannot be completed: {error}; mend that, and it is completed before anything else \
         (it is told in {})",
        intent.display()
    )]
    Recovery {
        /// Where the change is told.
        intent: PathBuf,
        /// What is in the way.
        error: Box<ChangeError>,
    },
    /// The file that tells of an interrupted change cannot be used.
    #[error("{} cannot be read: {reason}; it tells of a change that was interrupted", path.display())]
    Intent {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

/// A path that is not in the state that was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The path.
    pub path: PathBuf,
    /// What should be there.
    pub expected: State,
    /// What is there.
    pub found: State,
}

/// What is wrong with the path of a swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathFault {
    /// Relative, with `..`, or without a name.
    #[error("an absolute path without `..` that ends in a name is needed")]
    NotPlain,
    /// Not Unicode.
    #[error("it is not Unicode, and could not be written into the journal")]
    NotUnicode,
    /// Two swaps of one change are about the same path, or one lies in the other.
    #[error("the same change touches it, or a directory that it lies in, a second time")]
    Twice,
    /// It is where our own things lie.
    #[error("it is where Skillful keeps its own files, or holds them")]
    Ours,
    /// A file or a link that leads nowhere is in the way of its directory.
    #[error("it lies in something that is no directory")]
    NoDirectory,
}

impl ChangeError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }
}

impl From<StoreError> for ChangeError {
    fn from(error: StoreError) -> Self {
        Self::Journal(error.into())
    }
}

fn mismatches(mismatches: &[Mismatch]) -> String {
    let parts: Vec<String> = mismatches
        .iter()
        .map(
            |Mismatch {
                 path,
                 expected,
                 found,
             }| {
                format!(
                    "at {} there is {found} instead of {expected}",
                    path.display()
                )
            },
        )
        .collect();
    parts.join(", ")
}

fn paths(paths: &[PathBuf]) -> String {
    let parts: Vec<String> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    parts.join(", ")
}
