//! The lock that processes hold while they make or mend the files of a directory.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use super::files::open_private;
use crate::error::StoreError;

/// The file that is locked. It is empty, and stays.
const FILE_NAME: &str = "records.lock";

/// How long to wait before another look at a lock that somebody else holds.
const PAUSE: Duration = Duration::from_millis(5);

/// Held until it is dropped, or the process ends in whatever way. Not to be taken twice by one thread.
#[derive(Debug)]
pub(super) struct Lock {
    /// Closing it lets go of the lock.
    file: File,
}

impl Lock {
    /// Takes the lock of a directory, which is made if it does not exist.
    pub(super) fn take(directory: &Path, patience: Duration) -> Result<Self, StoreError> {
        let path = directory.join(FILE_NAME);
        let file = open_private(&path)?;
        let begin = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { file }),
                Err(TryLockError::Error(error)) => return Err(StoreError::file(&path, error)),
                Err(TryLockError::WouldBlock) if begin.elapsed() >= patience => {
                    return Err(StoreError::Locked { path });
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            }
        }
    }

    /// The file, which goes on to hold the lock.
    pub(super) fn into_file(self) -> File {
        self.file
    }
}
