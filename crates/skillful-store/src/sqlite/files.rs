//! Files as records need them: private, replaced as a whole, and kept when they are damaged.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::StoreError;
use crate::limits;

/// Opens a file that its owner alone may read and write, and makes it and its directories if they do not exist.
pub(super) fn open_private(path: &Path) -> Result<File, StoreError> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    make_directory(path)?;
    options
        .open(path)
        .map_err(|error| StoreError::file(path, error))
}

/// Makes an empty file that its owner alone may read and write, unless there is one. It gets its name only after it was
/// closed: on Unix, whoever closes a file that SQLite has open in the same process takes SQLite's locks away.
pub(super) fn make_private(path: &Path) -> Result<(), StoreError> {
    if path.exists() {
        return Ok(());
    }
    make_directory(path)?;
    let closed = staged(path)
        .map_err(|error| StoreError::file(path, error))?
        .into_temp_path();
    match closed.persist_noclobber(path) {
        Ok(()) => Ok(()),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(StoreError::file(path, error.error)),
    }
}

/// Replaces a file. A process or machine that stops at any point leaves the old file or the new one.
pub(super) fn replace(path: &Path, text: &str) -> Result<(), StoreError> {
    let replaced = || {
        let mut staged = staged(path)?;
        staged.write_all(text.as_bytes())?;
        staged.as_file().sync_all()?;
        staged.persist(path).map_err(|error| error.error)?;
        // The name must last as well. Windows has no such call.
        #[cfg(unix)]
        File::open(directory_of(path))?.sync_all()?;
        Ok(())
    };
    replaced().map_err(|error| StoreError::file(path, error))
}

/// A new file beside `path`, as private as all of this kind.
fn staged(path: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(".staged-")
        .tempfile_in(directory_of(path))
}

/// Makes the directory that a file is to lie in.
fn make_directory(path: &Path) -> Result<(), StoreError> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder
        .create(directory_of(path))
        .map_err(|error| StoreError::file(path, error))
}

/// Renames a damaged file and its companions to the first free `FILE.damaged-N`, and gives that. The companions first:
/// a log without its database is harmless, and a new database beside an old log is not.
pub(super) fn keep_aside(path: &Path, companions: &[&str]) -> Result<PathBuf, StoreError> {
    let kept = (1..=limits::KEPT_ASIDE)
        .map(|number| with_ending(path, &format!(".damaged-{number}")))
        .find(|kept| !kept.exists())
        .ok_or_else(|| StoreError::Damaged {
            path: path.to_owned(),
            reason: format!(
                "so are {} older ones beside it; find out what damages them, and move them away",
                limits::KEPT_ASIDE
            ),
        })?;
    for companion in companions {
        let from = with_ending(path, companion);
        if from.exists() {
            rename(&from, &with_ending(&kept, companion))?;
        }
    }
    rename(path, &kept)?;
    Ok(kept)
}

/// The directory that a file lies in.
pub(super) fn directory_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("."))
}

fn rename(from: &Path, to: &Path) -> Result<(), StoreError> {
    fs::rename(from, to).map_err(|error| StoreError::file(from, error))
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(ending);
    PathBuf::from(name)
}
