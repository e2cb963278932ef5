//! Private places of running processes, and what becomes of those whose process is gone.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use crate::data::make_private;
use crate::disk;

/// What the file that is locked while a place is in use ends with.
const LOCK: &str = ".lock";

/// A private directory. It is removed with the value; where a process is killed, by the next writer that finds that
/// nobody holds its lock.
#[derive(Debug)]
pub struct Staging {
    path: PathBuf,
    lock_path: PathBuf,
    lock: Option<File>,
}

impl Staging {
    /// A new one in this directory.
    pub(crate) fn new(directory: &Path) -> io::Result<Self> {
        make_private(directory)?;
        loop {
            let name = random_name();
            let lock_path = directory.join(format!("{name}{LOCK}"));
            let lock = OpenOptions::new()
                .write(true)
                .create_new(true)
                .open(&lock_path)?;
            lock.lock()?;
            // Between making and locking it may have been taken for a leftover and removed.
            if lock_path.symlink_metadata().is_err() {
                continue;
            }
            let path = directory.join(name);
            make_private(&path)?;
            return Ok(Self {
                path,
                lock_path,
                lock: Some(lock),
            });
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // What is left is removed by the next writer.
        if let (Some(parent), Some(name)) = (self.path.parent(), self.path.file_name())
            && let Ok(parent) = Dir::open_ambient_dir(parent, ambient_authority())
            && disk::remove(&parent, &name.to_string_lossy()).is_ok()
        {
            // The lock goes last: a place without one is a leftover. Windows removes no file that is open.
            self.lock.take();
            let _ = fs::remove_file(&self.lock_path);
        }
    }
}

/// Removes what processes that are gone left behind.
pub(crate) fn sweep(directory: &Path) -> io::Result<()> {
    let handle = match Dir::open_ambient_dir(directory, ambient_authority()) {
        Ok(handle) => handle,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in handle.entries()? {
        let name = entry?.file_name();
        let Some(name) = name.to_str() else { continue };
        let place = name.strip_suffix(LOCK).unwrap_or(name);
        let lock_name = format!("{place}{LOCK}");
        // Whoever makes a place makes its lock first, and removes that last.
        let lock = match File::open(directory.join(&lock_name)) {
            Ok(lock) => Some(lock),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        match lock.as_ref().map(File::try_lock) {
            None | Some(Ok(())) => {}
            Some(Err(TryLockError::WouldBlock)) => continue,
            Some(Err(TryLockError::Error(error))) => return Err(error),
        }
        disk::remove(&handle, place)?;
        disk::remove(&handle, &lock_name)?;
    }
    Ok(())
}

/// 32 hexadecimal digits that nobody can foresee.
pub(crate) fn random_name() -> String {
    let half = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", half(), half())
}
