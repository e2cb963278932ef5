//! Why nothing could be planned or done at all. What stands against a single skill is a [`super::Refusal`].

use std::io;
use std::path::PathBuf;

use skillful_store::StoreError;

use crate::change::ChangeError;
use crate::error::ReadError;
use crate::lock::LockError;
use crate::objects::ObjectError;
use crate::source::SourceError;
use crate::targets::TargetError;
use crate::wanted::WantedError;

/// The work could not be done. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// There is no home, and nothing else was named.
    #[error("there is no home to install into")]
    NoHome,
    /// The lock cannot be used.
    #[error("{}: {error}", path.display())]
    Lock {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: LockError,
    },
    /// What is wanted cannot be understood or changed.
    #[error("{}: {error}", path.display())]
    Wanted {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: WantedError,
    },
    /// A file cannot be read.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// A place in the lock leads to where nothing of it may be.
    #[error("{}: the place `{place}` of `{id}` is in no client's directory of skills, or leads elsewhere", path.display())]
    Outside {
        /// The lock.
        path: PathBuf,
        /// The skill's id.
        id: String,
        /// The place.
        place: String,
    },
    /// A link leads a directory of skills out of the project.
    #[error("{} leads out of the project by a link", .0.display())]
    LeadsOut(PathBuf),
    /// No skill with this id was installed.
    #[error("`{id}` is not installed here")]
    NotInstalled {
        /// The id.
        id: String,
        /// Ids that look like it.
        near: Vec<String>,
    },
    /// The places that are to go are the ones that hold the skill.
    #[error("nothing would be left of `{id}`; `skillful remove {id}` takes it away")]
    LastPlace {
        /// The id.
        id: String,
    },
    /// What is at a path is not what was put there.
    #[error("{} was changed since `{id}` was installed", path.display())]
    Edited {
        /// The skill's id.
        id: String,
        /// The path.
        path: PathBuf,
    },
    /// Somebody else changed what is installed.
    #[error("another process changed `{id}` in the lock meanwhile; look again, and repeat it")]
    EntryChanged {
        /// The skill's id.
        id: String,
    },
    /// The lock names files that are nowhere to be had without fetching.
    #[error("the files of {} are not in the cache", ids.join(", "))]
    NotCached {
        /// Ids of the skills.
        ids: Vec<String>,
    },
    /// What is wanted and what is locked are not the same.
    #[error("the lock does not say what {} says: {}", wanted.display(), differences.join("; "))]
    OutOfStep {
        /// The file that says what is wanted.
        wanted: PathBuf,
        /// What differs.
        differences: Vec<String>,
    },
    /// A text in the lock or in what is wanted is no source.
    #[error("`{id}`: {error}")]
    Source {
        /// The skill's id.
        id: String,
        /// What is wrong with it.
        error: Box<SourceError>,
    },
    /// What was fetched is not what the lock names.
    #[error(
        "{source_text} does not hold `{id}` as the lock has it: {} is locked, {} was found",
        locked, found.as_deref().unwrap_or("nothing")
    )]
    NotAsLocked {
        /// The skill's id.
        id: String,
        /// Its source.
        source_text: String,
        /// The digest in the lock.
        locked: String,
        /// The digest that was found.
        found: Option<String>,
    },
    /// No directory can be chosen.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// What is at a path cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Content cannot be kept or handed out.
    #[error(transparent)]
    Object(#[from] ObjectError),
    /// The change could not be made.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// The history cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}
