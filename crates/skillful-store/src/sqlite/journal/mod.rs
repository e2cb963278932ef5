//! The journal in a file of its own, so that a damaged database of counts never costs a history, nor the other way round.

mod open;
mod rows;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::Connection;

use super::schema::failed;
use crate::error::StoreError;
use crate::journal::{
    ChangeId, Entry, Journal, JournalError, NewEntry, Pruned, Query, Retention, State,
};
use crate::limits;
use crate::time::Timestamp;

/// Keeps the journal in an SQLite database. Each entry is on the disk when [`Journal::append`] returns.
///
/// A damaged file is an error and left as it is: what was changed can no longer be undone then, and people should know
/// before anything else is changed.
#[derive(Debug)]
pub struct SqliteJournal {
    path: PathBuf,
    patience: Duration,
    connection: Mutex<Option<Connection>>,
}

impl SqliteJournal {
    /// The journal in this file, which is usually called `journal.db`. Opens and makes nothing yet.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            patience: limits::PATIENCE,
            connection: Mutex::default(),
        }
    }

    /// Does `work` with the database, which is made if there is none.
    fn with<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, Failure<E>>,
    ) -> Result<T, E> {
        let mut slot = self
            .connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let connection = match &mut *slot {
            Some(connection) => connection,
            None => slot.insert(open::open(&self.path, self.patience)?),
        };
        work(connection).map_err(|failure| self.error(failure))
    }

    /// The same for what only reads: where there is no database, none is made and the result is that of an empty one.
    fn read<T: Default>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Failure<StoreError>>,
    ) -> Result<T, StoreError> {
        if !self.path.exists() {
            return Ok(T::default());
        }
        let mut slot = self
            .connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(connection) = &*slot {
            return work(connection).map_err(|failure| self.error(failure));
        }
        match open::open(&self.path, self.patience) {
            Ok(connection) => work(slot.insert(connection)).map_err(|failure| self.error(failure)),
            // A history can be read where nothing can be written, as on a disk that is mounted so.
            Err(error @ (StoreError::File { .. } | StoreError::ReadOnly { .. })) => {
                let connection = open::open_to_read(&self.path, self.patience);
                let connection = connection.map_err(|_| error)?;
                work(&connection).map_err(|failure| self.error(failure))
            }
            Err(error) => Err(error),
        }
    }

    fn error<E: From<StoreError>>(&self, failure: Failure<E>) -> E {
        match failure {
            Failure::Sql(error) => failed(&self.path, &error).into(),
            Failure::Content(reason) => StoreError::Damaged {
                path: self.path.clone(),
                reason,
            }
            .into(),
            Failure::Refused(error) => error,
        }
    }
}

/// Why work with the database ended.
enum Failure<E> {
    Sql(rusqlite::Error),
    /// A row does not hold what it ought to.
    Content(String),
    Refused(E),
}

impl<E> From<rusqlite::Error> for Failure<E> {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl<E> From<serde_json::Error> for Failure<E> {
    fn from(error: serde_json::Error) -> Self {
        Self::Content(error.to_string())
    }
}

impl Journal for SqliteJournal {
    fn append(&self, entry: NewEntry) -> Result<Entry, JournalError> {
        self.with(|connection| rows::append(connection, entry))
    }

    fn make_ready(&self) -> Result<(), StoreError> {
        self.with(|_| Ok(()))
    }

    fn entry(&self, seq: u64) -> Result<Option<Entry>, StoreError> {
        self.read(|connection| rows::entry(connection, seq))
    }

    fn entry_of(&self, change: &ChangeId) -> Result<Option<Entry>, StoreError> {
        self.read(|connection| rows::entry_of(connection, change))
    }

    fn entries(&self, query: &Query) -> Result<Vec<Entry>, StoreError> {
        self.read(|connection| rows::entries(connection, query))
    }

    fn places(&self) -> Result<BTreeMap<PathBuf, State>, StoreError> {
        self.read(rows::places)
    }

    fn place(&self, path: &Path) -> Result<Option<State>, StoreError> {
        self.read(|connection| rows::place(connection, path))
    }

    fn states(&self) -> Result<BTreeSet<State>, StoreError> {
        self.read(rows::states)
    }

    fn prune(&self, retention: &Retention, now: Timestamp) -> Result<Pruned, StoreError> {
        self.with(|connection| rows::prune(connection, retention, now))
    }
}
