//! The lock that keeps changes apart.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use super::error::ChangeError;

/// How long to wait before another look at a lock that somebody else holds.
const PAUSE: Duration = Duration::from_millis(5);

/// Held until it is dropped, or the process ends in whatever way. Not to be taken twice by one thread.
#[derive(Debug)]
pub(super) struct Lock {
    /// Closing it lets go of the lock.
    _file: File,
}

impl Lock {
    pub(super) fn take(path: &Path, patience: Duration) -> Result<Self, ChangeError> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        let file = options.open(path).map_err(ChangeError::io(path))?;
        let begin = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::Error(error)) => return Err(ChangeError::io(path)(error)),
                Err(TryLockError::WouldBlock) if begin.elapsed() >= patience => {
                    return Err(ChangeError::Busy {
                        path: path.to_owned(),
                        waited: patience,
                    });
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            }
        }
    }
}
