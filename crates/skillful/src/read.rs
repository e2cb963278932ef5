//! Reading files that strangers put there: never hanging on a pipe, never reading more than a limit.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Whether a link in the last component of a path is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    Follow,
    Refuse,
}

/// Why there are no bytes.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// The path is not that of a regular file.
    NotRegular,
    /// The file is larger than the limit; its size in bytes.
    TooLarge(u64),
    /// The operating system says no.
    Io(io::Error),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The bytes of a regular file of at most `limit` bytes.
pub(crate) fn read(path: &Path, links: Links, limit: usize) -> Result<Vec<u8>, ReadError> {
    let (file, size) = open_checked(path, links, limit as u64)?;
    contents(file, size, limit)
}

/// A regular file of at most `limit` bytes, open for reading.
pub(crate) fn open_regular(path: &Path, links: Links, limit: u64) -> Result<File, ReadError> {
    Ok(open_checked(path, links, limit)?.0)
}

/// Whether an error says that there is nothing under a path.
pub(crate) fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// The file is opened without waiting for a pipe's other end, then asked what it is: there is no moment between check
/// and use in which it could be exchanged.
fn open_checked(path: &Path, links: Links, limit: u64) -> Result<(File, u64), ReadError> {
    let file = open(path, links)?;
    let metadata = file.metadata()?;
    if !is_regular(&metadata, links) {
        return Err(ReadError::NotRegular);
    }
    if metadata.len() > limit {
        return Err(ReadError::TooLarge(metadata.len()));
    }
    Ok((file, metadata.len()))
}

/// One read into a buffer of the right size, one more to see the end. A file that grows meanwhile is read to its new
/// end, up to the limit.
fn contents(mut file: File, size: u64, limit: usize) -> Result<Vec<u8>, ReadError> {
    let expected = usize::try_from(size).unwrap_or(limit).min(limit);
    let mut bytes = vec![0; expected + 1];
    let mut filled = 0;
    loop {
        if filled == bytes.len() {
            if filled > limit {
                return Err(ReadError::TooLarge(filled as u64));
            }
            bytes.resize(filled.saturating_mul(2).max(1024).min(limit + 1), 0);
        }
        let Some(free) = bytes.get_mut(filled..) else {
            break;
        };
        match file.read(free) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
        // A short read at the expected size is the end of a regular file.
        if filled == expected {
            break;
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

#[cfg(unix)]
fn open(path: &Path, links: Links) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;

    let mut flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    if links == Links::Refuse {
        flags |= OFlags::NOFOLLOW;
    }
    let flags = i32::try_from(flags.bits()).unwrap_or_default();
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

#[cfg(unix)]
fn is_regular(metadata: &Metadata, _links: Links) -> bool {
    metadata.is_file()
}

/// Windows: the link itself is opened, so that the metadata tell that it is one; junctions count as links.
#[cfg(windows)]
fn open(path: &Path, links: Links) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;

    const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
    const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;

    let mut flags = FILE_FLAG_BACKUP_SEMANTICS;
    if links == Links::Refuse {
        flags |= FILE_FLAG_OPEN_REPARSE_POINT;
    }
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

#[cfg(windows)]
fn is_regular(metadata: &Metadata, links: Links) -> bool {
    metadata.is_file() && (links == Links::Follow || !metadata.file_type().is_symlink())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_counts_bytes() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x");
        std::fs::write(&path, b"12345").unwrap();
        assert_eq!(read(&path, Links::Refuse, 5).unwrap(), b"12345");
        assert!(matches!(
            read(&path, Links::Refuse, 4),
            Err(ReadError::TooLarge(5))
        ));
        std::fs::write(&path, b"").unwrap();
        assert_eq!(read(&path, Links::Refuse, 5).unwrap(), b"");
    }

    #[test]
    fn a_directory_is_not_regular() {
        let directory = tempfile::tempdir().unwrap();
        let result = read(directory.path(), Links::Refuse, 5);
        assert!(matches!(result, Err(ReadError::NotRegular)), "{result:?}");
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_not_waited_for() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RWXU).unwrap();
        let result = read(&path, Links::Refuse, 5);
        assert!(matches!(result, Err(ReadError::NotRegular)), "{result:?}");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_followed_only_on_request() {
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("x"), directory.path().join("link"));
        std::fs::write(&file, b"x").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert!(matches!(
            read(&link, Links::Refuse, 5),
            Err(ReadError::Io(_))
        ));
        assert_eq!(read(&link, Links::Follow, 5).unwrap(), b"x");
    }
}
