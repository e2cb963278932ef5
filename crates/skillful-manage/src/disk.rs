//! What the operating system offers for changes that are whole or not at all: renames that exchange or that never
//! replace, and waiting until something is on the disk.

use std::io;

use cap_std::fs::Dir;

/// Gives `from` the name `to`, which must be free.
pub(crate) fn rename_to_free(from: &Dir, name: &str, to: &Dir, new_name: &str) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    {
        use rustix::fs::{RenameFlags, renameat_with};
        match renameat_with(from, name, to, new_name, RenameFlags::NOREPLACE) {
            Err(error) if is_unsupported(error) => {}
            result => return Ok(result?),
        }
    }
    match to.symlink_metadata(new_name) {
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => from.rename(name, to, new_name),
        Err(error) => Err(error),
    }
}

/// Exchanges two names of one directory in one step. Gives false where system or file system cannot.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(crate) fn exchange(directory: &Dir, a: &str, b: &str) -> io::Result<bool> {
    use rustix::fs::{RenameFlags, renameat_with};
    match renameat_with(directory, a, directory, b, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(error) if is_unsupported(error) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Windows has no such call.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
#[expect(
    clippy::unnecessary_wraps,
    reason = "where it can be done, it can fail"
)]
pub(crate) fn exchange(_: &Dir, _: &str, _: &str) -> io::Result<bool> {
    Ok(false)
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn is_unsupported(error: rustix::io::Errno) -> bool {
    use rustix::io::Errno;
    // Not every system has two numbers for the last two.
    error == Errno::INVAL
        || error == Errno::NOSYS
        || error == Errno::OPNOTSUPP
        || error == Errno::NOTSUP
}

/// Waits until the names in a directory are on the disk.
#[cfg(unix)]
pub(crate) fn sync_directory(directory: &Dir) -> io::Result<()> {
    readable(directory)?.sync_all()
}

/// Windows has no such call; NTFS keeps the order of renames in its journal.
#[cfg(not(unix))]
#[expect(
    clippy::unnecessary_wraps,
    reason = "where it can be done, it can fail"
)]
pub(crate) fn sync_directory(_: &Dir) -> io::Result<()> {
    Ok(())
}

/// Whether a file system can be waited for as a whole.
pub(crate) const CAN_SYNC_FILE_SYSTEM: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// Waits until everything on the file system of this directory is on the disk. Gives false where that cannot be asked.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn sync_file_system(directory: &Dir) -> io::Result<bool> {
    rustix::fs::syncfs(readable(directory)?)?;
    Ok(true)
}

/// Linux alone can wait for that.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
#[expect(
    clippy::unnecessary_wraps,
    reason = "where it can be done, it can fail"
)]
pub(crate) fn sync_file_system(_: &Dir) -> io::Result<bool> {
    Ok(false)
}

/// A handle that can be read and waited for; that of a [`Dir`] may be good for nothing but opening what lies in it.
#[cfg(unix)]
fn readable(directory: &Dir) -> io::Result<std::fs::File> {
    use rustix::fs::{Mode, OFlags, openat};
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(openat(directory, ".", flags, Mode::empty())?.into())
}

/// Removes whatever has this name, and everything in it. Links are not followed. Nothing there is fine, also when somebody
/// else was quicker.
pub(crate) fn remove(directory: &Dir, name: &str) -> io::Result<()> {
    match remove_existing(directory, name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

fn remove_existing(directory: &Dir, name: &str) -> io::Result<()> {
    if !directory.symlink_metadata(name)?.is_dir() {
        return directory.remove_file(name);
    }
    match directory.remove_dir_all(name) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            let opened = cap_fs_ext::DirExt::open_dir_nofollow(directory, name)?;
            make_removable(&opened, crate::limits::TREE_DEPTH)?;
            directory.remove_dir_all(name)
        }
        result => result,
    }
}

/// Gives the owner the right to remove what lies in a directory.
fn make_removable(directory: &Dir, depth: usize) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let private = std::fs::Permissions::from_mode(0o700);
        directory.set_permissions(".", cap_std::fs::Permissions::from_std(private))?;
    }
    if depth == 0 {
        return Ok(());
    }
    for entry in directory.entries()? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            let below = cap_fs_ext::DirExt::open_dir_nofollow(directory, entry.file_name())?;
            make_removable(&below, depth - 1)?;
        }
    }
    Ok(())
}

/// Which file system a directory lies on.
pub(crate) fn device(directory: &Dir) -> io::Result<u64> {
    Ok(cap_fs_ext::MetadataExt::dev(&directory.dir_metadata()?))
}
