//! Files that a person named himself: texts that are formatted or mended where they lie, configuration, a new skill in a
//! directory of his choice. No skill is looked up for them and nothing is scanned, for they are his own; they go the way
//! of every change all the same, so that they can be undone.

use std::path::{Component, Path, PathBuf};

use skillful_store::journal::{Entry, State, Swap};

use crate::change::{Change, ChangeError, Writer};
use crate::error::ReadError;
use crate::objects::ObjectError;
use crate::state::observe;
use crate::unpack::is_device;
use crate::{hash, place};

/// A file that gets another content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewrite {
    /// Where it lies; see [`plain_path`].
    pub path: PathBuf,
    /// What it held when it was read; nothing for a file that is new.
    pub before: Option<Vec<u8>>,
    /// What it is to hold.
    pub after: Vec<u8>,
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NamedError {
    /// It is not what was read.
    #[error("{} was changed by somebody else at the same time; look again, and repeat what you wanted to do", .0.display())]
    Changed(PathBuf),
    /// Something is there already.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// It is a link.
    #[error("{} is a link and was left alone", .0.display())]
    Link(PathBuf),
    /// What is on disk cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The content cannot be kept.
    #[error(transparent)]
    Object(#[from] ObjectError),
    /// The change could not be made.
    #[error(transparent)]
    Change(#[from] ChangeError),
}

/// The absolute path of something that was named, without `.` and `..`; nothing for one that no change can be made at,
/// because it is not Unicode or leads nowhere. What lies at its end is not followed.
pub fn plain_path(working_directory: &Path, path: &Path) -> Option<PathBuf> {
    let path: PathBuf = working_directory.join(path).components().collect();
    let is_plain = |path: &Path| path.components().all(|part| part != Component::ParentDir);
    let path = if is_plain(&path) {
        path
    } else {
        // What lies above a link is not what lies before it in the text.
        let parent = std::fs::canonicalize(path.parent()?).ok()?;
        parent.join(path.file_name()?)
    };
    (path.to_str().is_some() && place::split(&path).is_some()).then_some(path)
}

/// Whether a name cannot be that of a file or directory on Windows, which keeps it for a device.
pub fn is_reserved_name(name: &str) -> bool {
    is_device(name)
}

/// Gives files their new content: all of them or none.
///
/// # Errors
///
/// [`NamedError`]. Nothing was written then.
pub fn rewrite(
    writer: &mut Writer,
    mut change: Change,
    files: &[Rewrite],
) -> Result<Entry, NamedError> {
    for file in files {
        let found = observe(&file.path)?;
        let executable = match (&found, &file.before) {
            (State::Link { .. }, _) => return Err(NamedError::Link(file.path.clone())),
            (State::Absent, None) => false,
            (_, None) => return Err(NamedError::Exists(file.path.clone())),
            (
                State::File {
                    sha256, executable, ..
                },
                Some(before),
            ) if *sha256 == hash::of(before) => *executable,
            (_, Some(_)) => return Err(NamedError::Changed(file.path.clone())),
        };
        let after = writer.objects().put_bytes(&file.after, executable)?;
        change = change.swap(Swap::new(&file.path, found, after));
    }
    Ok(writer.commit(change)?)
}

/// Makes a directory with one file in it, where nothing may be.
///
/// # Errors
///
/// [`NamedError`]; [`NamedError::Exists`] when something is there.
pub fn make_directory(
    writer: &mut Writer,
    change: Change,
    path: &Path,
    file: &str,
    bytes: &[u8],
) -> Result<Entry, NamedError> {
    if !observe(path)?.is_absent() {
        return Err(NamedError::Exists(path.to_owned()));
    }
    let staging = writer.objects().stage()?;
    let at = staging.path().join(file);
    std::fs::write(&at, bytes).map_err(ReadError::io(&at))?;
    let tree = writer.objects().put_tree(staging.path())?.state();
    Ok(writer.commit(change.swap(Swap::new(path, State::Absent, tree)))?)
}
