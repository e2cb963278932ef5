//! What a store of records can do, whatever it keeps them in.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use crate::choices::{Applied, Choice, Choices};
use crate::error::{Notice, StoreError};
use crate::key::Key;
use crate::time::Day;
use crate::usage::{DayUsage, Event, Usage};
use crate::verdicts::{Scanned, Sightings};

/// Keeps records. Any number of threads and processes may use one at the same time; nothing that one of them counted is
/// lost by what another does.
pub trait Store: fmt::Debug + Send + Sync {
    /// Counts what happened: all of it, or nothing when there is an error.
    ///
    /// # Errors
    ///
    /// See [`StoreError`]. The caller's work goes on without the count.
    fn record(&self, events: &[Event]) -> Result<(), StoreError>;

    /// The usage of one skill; all zero when nothing was recorded.
    ///
    /// # Errors
    ///
    /// See [`StoreError`].
    fn usage(&self, key: &Key) -> Result<Usage, StoreError>;

    /// The usage of every skill of which something was recorded.
    ///
    /// # Errors
    ///
    /// See [`StoreError`].
    fn usages(&self) -> Result<BTreeMap<Key, Usage>, StoreError>;

    /// The usage of one skill day by day, in order. Days on which nothing happened are left out.
    ///
    /// # Errors
    ///
    /// See [`StoreError`].
    fn days(&self, key: &Key, days: RangeInclusive<Day>) -> Result<Vec<DayUsage>, StoreError>;

    /// What was chosen for all skills.
    ///
    /// # Errors
    ///
    /// See [`StoreError`].
    fn choices(&self) -> Result<Choices, StoreError>;

    /// Makes a choice for a skill. When it returns, the choice outlasts a crash of the machine as far as the backend
    /// outlasts the process.
    ///
    /// # Errors
    ///
    /// See [`StoreError`]. The choice was not made then.
    fn choose(&self, key: &Key, choice: Choice) -> Result<Applied, StoreError>;

    /// Puts everything on record of one skill down to another key, because the skill got another id. What was on record
    /// there, of a skill that had that id before, goes.
    ///
    /// # Errors
    ///
    /// See [`StoreError`]. Usage may have been moved and choices not.
    fn rename(&self, from: &Key, to: &Key) -> Result<(), StoreError>;

    /// Forgets the usage of one skill: what was counted was about a text that is no longer there. Choices stay.
    ///
    /// # Errors
    ///
    /// See [`StoreError`].
    fn forget_usage(&self, key: &Key) -> Result<(), StoreError>;

    /// What is known of skills' files by the places where they lie, under these rules.
    ///
    /// # Errors
    ///
    /// See [`StoreError`].
    fn sightings(&self, rules: &str) -> Result<Sightings, StoreError>;

    /// What a scan of the content with this digest came to under these rules; nothing when there was none, or it is
    /// forgotten.
    ///
    /// # Errors
    ///
    /// See [`StoreError`].
    fn outcome(&self, rules: &str, digest: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Keeps what scans under these rules came to: all of it, or nothing when there is an error. What other rules said is
    /// dropped, and so are the oldest beyond [`crate::limits::VERDICTS`].
    ///
    /// # Errors
    ///
    /// See [`StoreError`]. The work goes on, and scans again the next time.
    fn keep_verdicts(&self, rules: &str, scanned: &[Scanned]) -> Result<(), StoreError>;

    /// The file that changes whenever any process makes a choice, for who wants to notice; nothing where there is none.
    fn choices_file(&self) -> Option<PathBuf> {
        None
    }

    /// Keeps all others from making choices while the file of choices is replaced by somebody who keeps a history of
    /// it. Where there is a file of choices, it exists from then on.
    ///
    /// # Errors
    ///
    /// See [`StoreError`].
    fn hold_choices(&self) -> Result<ChoicesHeld, StoreError> {
        Ok(ChoicesHeld::default())
    }

    /// Takes note that the file of choices was replaced. Not to be called while choices are held.
    ///
    /// # Errors
    ///
    /// See [`StoreError`]. What the file says counts all the same.
    fn choices_replaced(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// What the store put right by itself since the last call.
    fn take_notices(&self) -> Vec<Notice>;
}

/// While this lives nobody else makes a choice. It ends with the process at the latest.
#[derive(Debug, Default)]
pub struct ChoicesHeld {
    /// Closing it lets go of the lock.
    _file: Option<File>,
}

impl ChoicesHeld {
    /// Held by the lock on this file.
    pub fn by(file: File) -> Self {
        Self { _file: Some(file) }
    }
}

/// What is on record of all skills at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Records {
    /// How each was used.
    pub usage: BTreeMap<Key, Usage>,
    /// What was chosen for each.
    pub choices: Choices,
}

impl Records {
    /// Reads all records. A part that cannot be read is empty, and its error is given beside it.
    pub fn read(store: &dyn Store) -> (Self, Vec<StoreError>) {
        let mut errors = Vec::new();
        let usage = store.usages().unwrap_or_else(|error| {
            errors.push(error);
            BTreeMap::new()
        });
        let choices = store.choices().unwrap_or_else(|error| {
            errors.push(error);
            Choices::default()
        });
        (Self { usage, choices }, errors)
    }
}
