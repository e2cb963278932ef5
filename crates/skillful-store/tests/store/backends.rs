//! A fresh store of each kind.

use std::sync::Arc;

use skillful_store::{
    Activity, DeferredStore, Event, Key, MemoryStore, SqliteStore, Store, Timestamp,
};
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

/// The same with usage written in the background.
pub(crate) struct Deferred {
    directory: TempDir,
    store: DeferredStore,
}

impl Deferred {
    fn at(directory: &TempDir) -> DeferredStore {
        let store = SqliteStore::at(directory.path().join("deep/records"));
        DeferredStore::new(Arc::new(store))
    }
}

impl Backend for Deferred {
    fn fresh() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let store = Self::at(&directory);
        Self { directory, store }
    }

    fn store(&self) -> &dyn Store {
        &self.store
    }

    fn reopen(&mut self) {
        // The one that is replaced ends after the other began, as two processes do.
        self.store.flush().unwrap();
        self.store = Self::at(&self.directory);
    }
}

pub(crate) fn event(key: &Key, activity: Activity, seconds: i64) -> Event {
    Event {
        key: key.clone(),
        activity,
        at: Timestamp::from_seconds(seconds),
    }
}
