//! A fresh store of each kind.

use skillful_store::{Activity, Event, Key, MemoryStore, SqliteStore, Store, Timestamp};
use tempfile::TempDir;

/// A store, and how to open another one on the same records.
pub(crate) trait Backend {
    fn fresh() -> Self;
    fn store(&self) -> &dyn Store;
    /// Forgets all that is not on record.
    fn reopen(&mut self);
}

pub(crate) struct Memory(MemoryStore);

impl Backend for Memory {
    fn fresh() -> Self {
        Self(MemoryStore::new())
    }

    fn store(&self) -> &dyn Store {
        &self.0
    }

    fn reopen(&mut self) {}
}

pub(crate) struct Sqlite {
    directory: TempDir,
    store: SqliteStore,
}

impl Backend for Sqlite {
    fn fresh() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let store = SqliteStore::at(directory.path().join("deep/records"));
        Self { directory, store }
    }

    fn store(&self) -> &dyn Store {
        &self.store
    }

    fn reopen(&mut self) {
        self.store = SqliteStore::at(self.directory.path().join("deep/records"));
    }
}

pub(crate) fn event(key: &Key, activity: Activity, seconds: i64) -> Event {
    Event {
        key: key.clone(),
        activity,
        at: Timestamp::from_seconds(seconds),
    }
}
