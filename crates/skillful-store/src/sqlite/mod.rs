//! Records in a directory of one machine, shared by all processes that use it.
//!
//! ```text
//! skillful.db      usage, verdicts, a copy of the choices  SQLite in WAL mode
//! choices.json     the choices; what it says counts        replaced by rename, under the lock
//! records.lock     held while any of them is made or mended
//! journal.db       what was changed on disk                SQLite in WAL mode, waits for the disk
//! ```
//!
//! Choices live in a file of their own so that they can be read without a database, and survive one that is damaged;
//! the copy in the database serves when the file is. Nothing is made before there is something to keep.

mod choices;
mod copy;
mod database;
mod files;
mod journal;
mod lock;
mod rebuild;
mod schema;
mod usage;
mod verdicts;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use crate::choices::{Applied, Choice, Choices};
use crate::error::{Notice, StoreError};
use crate::key::Key;
use crate::limits;
use crate::store::{ChoicesHeld, Store};
use crate::time::Day;
use crate::usage::{DayUsage, Event, Usage};
use crate::verdicts::{Scanned, Sightings};
use database::Database;

pub use journal::SqliteJournal;

/// Keeps records in a directory.
#[derive(Debug)]
pub struct SqliteStore {
    database: Database,
}

impl SqliteStore {
    /// The store in this directory. Opens and makes nothing yet.
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self {
            database: Database::in_directory(&directory.into(), limits::PATIENCE),
        }
    }

    /// The same, waiting so long for other processes instead of [`limits::PATIENCE`].
    #[must_use]
    pub fn with_patience(mut self, patience: Duration) -> Self {
        self.database.patience = patience;
        self
    }

    /// Makes a database unless there is one.
    fn make(&self) -> Result<(), StoreError> {
        if self.database.exists() {
            return Ok(());
        }
        choices::make_database(&self.database)
    }
}

impl Store for SqliteStore {
    fn record(&self, events: &[Event]) -> Result<(), StoreError> {
        if events.is_empty() {
            return Ok(());
        }
        self.make()?;
        self.database
            .with(|connection| usage::record(connection, events))
    }

    fn usage(&self, key: &Key) -> Result<Usage, StoreError> {
        self.database
            .with_existing(|connection| usage::of(connection, key))
    }

    fn usages(&self) -> Result<BTreeMap<Key, Usage>, StoreError> {
        self.database
            .with_existing(|connection| usage::all(connection))
    }

    fn days(&self, key: &Key, days: RangeInclusive<Day>) -> Result<Vec<DayUsage>, StoreError> {
        self.database
            .with_existing(|connection| usage::days(connection, key, &days))
    }

    fn choices(&self) -> Result<Choices, StoreError> {
        choices::read(&self.database)
    }

    fn choose(&self, key: &Key, choice: Choice) -> Result<Applied, StoreError> {
        choices::choose(&self.database, key, choice)
    }

    fn sightings(&self, rules: &str) -> Result<Sightings, StoreError> {
        self.database
            .with_existing(|connection| verdicts::sightings(connection, rules))
    }

    fn outcome(&self, rules: &str, digest: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.database
            .with_existing(|connection| verdicts::outcome(connection, rules, digest))
    }

    fn keep_verdicts(&self, rules: &str, scanned: &[Scanned]) -> Result<(), StoreError> {
        if scanned.is_empty() {
            return Ok(());
        }
        self.make()?;
        self.database
            .with(|connection| verdicts::keep(connection, rules, scanned))
    }

    fn rename(&self, from: &Key, to: &Key) -> Result<(), StoreError> {
        if from == to {
            return Ok(());
        }
        if self.database.exists() {
            self.database
                .with(|connection| usage::rename(connection, from, to))?;
        }
        choices::rename(&self.database, from, to).map(drop)
    }

    fn forget_usage(&self, key: &Key) -> Result<(), StoreError> {
        if !self.database.exists() {
            return Ok(());
        }
        self.database
            .with(|connection| usage::forget(connection, key))
    }

    fn choices_file(&self) -> Option<PathBuf> {
        Some(self.database.sibling(crate::choices_file::FILE_NAME))
    }

    fn hold_choices(&self) -> Result<ChoicesHeld, StoreError> {
        choices::hold(&self.database).map(|lock| ChoicesHeld::by(lock.into_file()))
    }

    fn choices_replaced(&self) -> Result<(), StoreError> {
        choices::copy_again(&self.database);
        Ok(())
    }

    fn take_notices(&self) -> Vec<Notice> {
        self.database.take_notices()
    }
}

#[cfg(test)]
mod tests;
