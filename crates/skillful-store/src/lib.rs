//! Records that must last: how often skills are used, what people chose for them, and what scans of them came to.
//!
//! ```text
//! Event ─record→ Store ─usage→ Usage ─┬→ Evidence     how sure it is that a skill helps
//! Choice ─choose→ Store ─choices→ Choices ─┴→ Stage   active, stale or archived
//! ```
//!
//! Two kinds of records, with two kinds of care. **Usage** is counted as it comes and may be lost when a disk is full or
//! a database is locked for long: the work that it tells of goes on. **Choices** (archived, pinned, approved) are what
//! people decided; they are few, are kept twice, and losing one is an error.
//!
//! The **journal** ([`journal`]) is the third: what was changed on disk, and how to take it back.
//!
//! A [`Store`] keeps the first two. [`MemoryStore`] forgets them with the process. With the feature `sqlite`, [`SqliteStore`]
//! Beside them it keeps what can be made again: the **outcomes of scans**, so that content is scanned once.
//!
//! A [`Store`] keeps them all. [`MemoryStore`] forgets them with the process. With the feature `sqlite`, [`SqliteStore`]
//! keeps them in a directory that any number of processes share. No other type here knows about SQL, so that a store
//! for a server can stand in for either. The crate knows skills by their [`Key`] alone, and never asks for the time: it
//! comes in with each event.

mod choices;
pub mod choices_file;
mod deferred;
mod error;
mod evidence;
pub mod journal;
mod key;
pub mod limits;
mod memory;
#[cfg(feature = "sqlite")]
mod sqlite;
mod stage;
mod store;
mod time;
mod usage;
mod verdicts;

pub use choices::{Applied, Approval, Archived, Choice, Choices, InvalidReason, Reason, Standing};
pub use deferred::DeferredStore;
pub use error::{Notice, StoreError};
pub use evidence::{Evidence, Z_95};
pub use key::Key;
pub use memory::MemoryStore;
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteStore;
pub use stage::{STALE_AFTER_DAYS, Stage};
pub use store::{ChoicesHeld, Records, Store};
pub use time::{Day, InvalidTime, Timestamp};
pub use usage::{Activity, DayUsage, Event, Tally, Usage};
pub use verdicts::{Scanned, Seen, Sighting, Sightings};
