//! The database of a directory: opened when it is needed, made anew when it is damaged.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::Connection;

use super::{rebuild, schema};
use crate::error::{Notice, StoreError};

/// The name of the file in the directory of the records.
const FILE_NAME: &str = "skillful.db";

/// A database that may not be open, or not even there, and what was noticed about it.
#[derive(Debug)]
pub(super) struct Database {
    path: PathBuf,
    /// How long to wait for other processes.
    pub(super) patience: Duration,
    connection: Mutex<Option<Connection>>,
    notices: Mutex<Vec<Notice>>,
}

impl Database {
    pub(super) fn in_directory(directory: &Path, patience: Duration) -> Self {
        Self {
            path: directory.join(FILE_NAME),
            patience,
            connection: Mutex::default(),
            notices: Mutex::default(),
        }
    }

    /// Whether there is one.
    pub(super) fn exists(&self) -> bool {
        self.path.exists()
    }

    /// Another file in the same directory.
    pub(super) fn sibling(&self, name: &str) -> PathBuf {
        self.path.with_file_name(name)
    }

    /// Does `work` with the database, which is made if there is none. One that turns out to be damaged is made anew, and
    /// the work done with the new one.
    pub(super) fn with<T>(
        &self,
        work: impl Fn(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let mut slot = locked(&self.connection);
        match self.attempt(&mut slot, &work) {
            Err(StoreError::Damaged { reason, .. }) => {
                slot.take();
                let notice = rebuild::rebuild(&self.path, self.patience, reason)?;
                locked(&self.notices).extend(notice);
                self.attempt(&mut slot, &work)
            }
            result => result,
        }
    }

    /// The same, but where there is no database, none is made and the result is that of an empty one.
    pub(super) fn with_existing<T: Default>(
        &self,
        work: impl Fn(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        if self.exists() {
            self.with(work)
        } else {
            Ok(T::default())
        }
    }

    /// Remembers what people should know.
    pub(super) fn note(&self, notice: Notice) {
        locked(&self.notices).push(notice);
    }

    pub(super) fn take_notices(&self) -> Vec<Notice> {
        std::mem::take(&mut locked(&self.notices))
    }

    /// Does `work` with the connection in `slot`, which is opened first if need be.
    fn attempt<T>(
        &self,
        slot: &mut Option<Connection>,
        work: impl Fn(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let connection = match slot {
            Some(connection) => connection,
            None => slot.insert(schema::open(&self.path, self.patience)?),
        };
        work(connection).map_err(|error| schema::failed(&self.path, &error))
    }
}

/// A thread that panicked left a connection whose transaction was rolled back, and whole notices.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
