//! Directories that have to be made so that there is a place for a target, and that go when it goes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::{ChangeError, PathFault};

/// The directories above `path` that do not exist, outermost first.
pub(super) fn missing_above(path: &Path) -> Result<Vec<PathBuf>, ChangeError> {
    let mut missing = Vec::new();
    for directory in path.ancestors().skip(1) {
        match fs::metadata(directory) {
            Ok(found) if found.is_dir() => break,
            // A link that leads nowhere cannot be told from nothing without looking at the link itself.
            Err(error)
                if error.kind() == io::ErrorKind::NotFound
                    && directory.symlink_metadata().is_err() =>
            {
                missing.push(directory.to_owned());
            }
            Ok(_) => return Err(no_directory(path)),
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                return Err(no_directory(path));
            }
            Err(error) => return Err(ChangeError::io(directory)(error)),
        }
    }
    missing.reverse();
    Ok(missing)
}

fn no_directory(path: &Path) -> ChangeError {
    ChangeError::Path {
        path: path.to_owned(),
        fault: PathFault::NoDirectory,
    }
}

/// Makes a directory, unless somebody made it meanwhile.
pub(super) fn make(directory: &Path) -> Result<(), ChangeError> {
    match fs::create_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && directory.is_dir() => Ok(()),
        result => result.map_err(ChangeError::io(directory)),
    }
}

/// Removes those of the directories, given outermost first, that are empty. Others hold what somebody put there, and
/// stay; so do links.
pub(super) fn remove_empty(directories: &[PathBuf]) {
    for directory in directories.iter().rev() {
        let _ = fs::remove_dir(directory);
    }
}

/// The path that a path really is, as far as it exists: links of directories above it are followed.
pub(super) fn real(path: &Path) -> PathBuf {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return path.to_owned();
    };
    match fs::canonicalize(parent) {
        Ok(parent) => parent.join(name),
        Err(_) => real(parent).join(name),
    }
}
