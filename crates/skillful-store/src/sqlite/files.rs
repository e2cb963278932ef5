//! Files as records need them: private, replaced as a whole, and kept when they are damaged.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::error::StoreError;
use crate::limits;

/// Opens a file that its owner alone may read and write, and makes it and its directories if they do not exist.
pub(super) fn private_file(path: &Path) -> Result<File, StoreError> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
        builder.mode(0o700);
        options.mode(0o600);
    }
    builder
        .create(directory_of(path))
        .and_then(|()| options.open(path))
        .map_err(|error| StoreError::file(path, error))
}

/// Replaces a file. A process or machine that stops at any point leaves the old file or the new one.
pub(super) fn replace(path: &Path, text: &str) -> Result<(), StoreError> {
    let directory = directory_of(path);
    let replaced = || {
        // Its permissions are those of a private file.
        let mut staged = tempfile::Builder::new()
            .prefix(".staged-")
            .tempfile_in(directory)?;
        staged.write_all(text.as_bytes())?;
        staged.as_file().sync_all()?;
        staged.persist(path).map_err(|error| error.error)?;
        // The name must last as well. Windows has no such call.
        #[cfg(unix)]
        File::open(directory)?.sync_all()?;
        Ok(())
    };
    replaced().map_err(|error| StoreError::file(path, error))
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
