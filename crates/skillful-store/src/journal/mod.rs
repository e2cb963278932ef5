//! What was changed on disk, by whom, and from what to what: the record that undoing is made from.
//!
//! ```text
//! NewEntry ─append→ Journal ─entries(Query)→ Entry …        history, newest first
//!                           ─places→ path → State           what the last change of each path left there
//! ```
//!
//! An [`Entry`] is one change: its swaps, each of which took one path from one [`State`] to another. The journal holds
//! states, never content; whoever keeps the content asks [`Journal::states`] what is still needed. Entries are added
//! and never changed, but for one mark: which entry undid it, set once and in the same step that adds that entry, so
//! that two processes never undo the same thing.
//!
//! [`MemoryJournal`] forgets with the process; with the feature `sqlite`, [`SqliteJournal`] keeps a file.

mod entry;
mod memory;
mod query;
mod state;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

#[cfg(feature = "sqlite")]
pub use crate::sqlite::SqliteJournal;
pub use entry::{Actor, ChangeId, Entry, NewEntry, Operation, Swap};
pub use memory::MemoryJournal;
pub use query::{Pruned, Query, Retention};
pub use state::{Digest, InvalidDigest, State};

use crate::error::StoreError;
use crate::time::Timestamp;

/// Keeps the entries of one store of skills. Any number of threads and processes may read one at the same time.
pub trait Journal: fmt::Debug + Send + Sync {
    /// Adds an entry, and marks those that it undoes: all of it, or nothing when there is an error. When it returns, the
    /// entry outlasts a crash of the machine as far as the backend outlasts the process.
    ///
    /// # Errors
    ///
    /// [`JournalError::AlreadyUndone`] and [`JournalError::NoEntry`] about an entry that it undoes; else see
    /// [`StoreError`].
    fn append(&self, entry: NewEntry) -> Result<Entry, JournalError>;

    /// Makes what entries are kept in, so that a later [`Self::append`] has to wait for nobody but other appends.
    ///
    /// # Errors
    ///
    /// See [`StoreError`].
    fn make_ready(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// The entry of this number, unless there is none or it was pruned.
    ///
    /// # Errors
    ///
    /// See [`StoreError`].
    fn entry(&self, seq: u64) -> Result<Option<Entry>, StoreError>;

    /// The entry of this change.
    ///
    /// # Errors
    ///
    /// See [`StoreError`].
    fn entry_of(&self, change: &ChangeId) -> Result<Option<Entry>, StoreError>;

    /// The entries that a query asks for, newest first.
    ///
    /// # Errors
    ///
    /// See [`StoreError`].
    fn entries(&self, query: &Query) -> Result<Vec<Entry>, StoreError>;

    /// Every path that was ever changed and did not end absent, with the state that the last change left there. It
    /// outlives pruned entries: it tells what was placed by us.
    ///
    /// # Errors
    ///
    /// See [`StoreError`].
    fn places(&self) -> Result<BTreeMap<PathBuf, State>, StoreError>;

    /// The same for one path.
    ///
    /// # Errors
    ///
    /// See [`StoreError`].
    fn place(&self, path: &Path) -> Result<Option<State>, StoreError>;

    /// Every state that an entry or a place refers to.
    ///
    /// # Errors
    ///
    /// See [`StoreError`].
    fn states(&self) -> Result<BTreeSet<State>, StoreError>;

    /// Forgets the oldest entries beyond what is to be kept. The newest stays in any case.
    ///
    /// # Errors
    ///
    /// See [`StoreError`].
    fn prune(&self, retention: &Retention, now: Timestamp) -> Result<Pruned, StoreError>;
}

/// An entry could not be added.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// What was to be undone is undone already.
    #[error("entry {seq} was already undone by entry {by}; to have it back, undo entry {by}")]
    AlreadyUndone {
        /// The entry that was to be undone.
        seq: u64,
        /// The entry that did.
        by: u64,
    },
    /// There is no such entry, or no longer.
    #[error(
        "there is no entry {seq} in the journal; the history lists those that can be undone, older ones may have been \
         pruned"
    )]
    NoEntry {
        /// The number that was asked for.
        seq: u64,
    },
    /// The journal could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}
