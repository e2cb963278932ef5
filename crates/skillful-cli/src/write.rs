//! The one place where the command writes files: whole, next to the old one, then swapped in by rename.

use std::fs;
use std::io::Write;
use std::path::Path;

use tempfile::NamedTempFile;

use crate::error::CommandError;

/// Replaces the file at `path` by `bytes`. A process killed at any point leaves the old file or the new one; the
/// permissions stay. A link is refused: what it points to may belong to somebody else.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    let failed = |error: std::io::Error| {
        CommandError::failed(format_args!(
            "{} could not be written: {error}",
            path.display()
        ))
    };
    let metadata = fs::symlink_metadata(path).map_err(failed)?;
    if metadata.is_symlink() {
        return Err(CommandError::failed(format_args!(
            "{} is a link and was left alone",
            path.display()
        ))
        .hint("name the file that it points to"));
    }
    let mut staged = staged_beside(path).map_err(failed)?;
    staged.write_all(bytes).map_err(failed)?;
    staged
        .as_file()
        .set_permissions(metadata.permissions())
        .map_err(failed)?;
    staged.as_file().sync_all().map_err(failed)?;
    staged.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Writes `bytes` to a new file at `path`; a file that exists is never overwritten.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    let failed = |error: std::io::Error| {
        CommandError::failed(format_args!(
            "{} could not be written: {error}",
            path.display()
        ))
    };
    let mut staged = staged_beside(path).map_err(failed)?;
    staged.write_all(bytes).map_err(failed)?;
    // A staged file is private until it is known what it is; what people write is theirs to read.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let permissions = fs::Permissions::from_mode(0o644);
        staged
            .as_file()
            .set_permissions(permissions)
            .map_err(failed)?;
    }
    staged.as_file().sync_all().map_err(failed)?;
    staged
        .persist_noclobber(path)
        .map_err(|error| failed(error.error))?;
    Ok(())
}

fn staged_beside(path: &Path) -> std::io::Result<NamedTempFile> {
    let directory = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    tempfile::Builder::new()
        .prefix(".skillful-")
        .tempfile_in(directory)
}
