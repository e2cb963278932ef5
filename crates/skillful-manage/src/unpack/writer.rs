//! Makes files below a directory, through its handle and never through a link.

use std::io::{self, Read, Write};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt};
use cap_std::fs::{Dir, File, OpenOptions};

use super::budget::{Budget, Stop, stream};
use super::name::MemberPath;
use super::{Reason, UnpackError};

/// Streams a member into a new file, and counts. `stated` is the size that the header gives.
pub(super) fn write_member(
    into: &Dir,
    path: &MemberPath,
    executable: bool,
    stated: u64,
    content: &mut impl Read,
    budget: &mut Budget,
    fault: impl Fn(&io::Error) -> Reason,
) -> Result<(), UnpackError> {
    let refused = |reason| UnpackError::member(path.as_str().as_bytes(), reason);
    if stated > budget.file_bytes() {
        return Err(refused(Reason::FileTooLarge));
    }
    let mut file = create(into, path.as_str(), executable)?;
    let mut room = content.take(budget.room());
    let streamed = stream(&mut room, |piece, total| {
        if total > stated {
            return Err(Reason::SizeMismatch.into());
        }
        budget.work(piece.len() as u64)?;
        file.write_all(piece).map_err(Stop::Writing)
    });
    match streamed {
        Ok(total) if total < stated => Err(refused(Reason::SizeMismatch)),
        Ok(total) => {
            budget.unpacked.files += 1;
            budget.unpacked.bytes += total;
            Ok(())
        }
        Err(Stop::Refused(reason)) => Err(refused(reason)),
        Err(Stop::Reading(error)) => Err(refused(fault(&error))),
        Err(Stop::Writing(error)) => Err(error.into()),
    }
}

/// Writes a whole file with what it needs of directories. The path was checked.
pub(crate) fn write_file(
    into: &Dir,
    path: &str,
    executable: bool,
    content: &[u8],
) -> io::Result<()> {
    create(into, path, executable)?.write_all(content)
}

fn create(into: &Dir, path: &str, executable: bool) -> io::Result<File> {
    if let Some((parent, _)) = path.rsplit_once('/') {
        into.create_dir_all(parent)?;
    }
    let mut options = OpenOptions::new();
    options
        .write(true)
        .create_new(true)
        .follow(FollowSymlinks::No);
    let file = into.open_with(path, &options)?;
    set_mode(&file, executable)?;
    Ok(file)
}

/// Whatever the process's mask says: the executable bit is part of a skill's digest.
#[cfg(unix)]
fn set_mode(file: &File, executable: bool) -> io::Result<()> {
    use cap_std::fs::{Permissions, PermissionsExt};
    let mode = if executable { 0o755 } else { 0o644 };
    file.set_permissions(Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode(_: &File, _: bool) -> io::Result<()> {
    Ok(())
}
