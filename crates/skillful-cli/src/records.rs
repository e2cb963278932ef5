//! The records of the world that a command works in. Nothing is opened before it is needed, and a record that cannot be
//! read or written is reported without ending the work.

use std::sync::Arc;
use std::time::SystemTime;

use skillful::records::{self, key_of};
use skillful::{Host, Options, Skill};
use skillful_store::{Activity, Choices, Event, Records, SqliteStore, Store, Timestamp};

use crate::error::CommandError;
use crate::input::World;
use crate::terminal::warn;

impl World {
    /// The records that lie below the home. Opens and makes no file.
    ///
    /// # Errors
    ///
    /// When no home is known, or roots replace it.
    pub(crate) fn store(&self) -> Result<SqliteStore, CommandError> {
        records::directory(&self.host, &self.options)
            .map(SqliteStore::at)
            .ok_or_else(|| {
                CommandError::failed("there is no home to keep records in")
                    .hint("name one with --home; --root alone replaces everything outside it")
            })
    }

    /// All that is on record; empty where nothing is kept.
    pub(crate) fn records(&self) -> Records {
        let Ok(store) = self.store() else {
            return Records::default();
        };
        let (records, errors) = Records::read(&store);
        for error in errors {
            warn(&error.to_string());
        }
        report_notices(&store);
        records
    }
}

impl World {
    /// Counts what happened to a skill, where records are kept. That it cannot be counted is reported.
    pub(crate) fn record(&self, skill: &Skill, activities: &[Activity]) {
        let Ok(store) = self.store() else {
            return;
        };
        let (key, at) = (key_of(skill), now());
        let events: Vec<Event> = activities
            .iter()
            .map(|&activity| Event {
                key: key.clone(),
                activity,
                at,
            })
            .collect();
        if let Err(error) = store.record(&events) {
            warn(&error.to_string());
        }
        report_notices(&store);
    }
}

/// The store of records, where there is a place for one. Opens and makes no file.
pub(crate) fn store_at(host: &Host, options: &Options) -> Option<Arc<SqliteStore>> {
    records::directory(host, options).map(|directory| Arc::new(SqliteStore::at(directory)))
}

/// What was chosen for skills; empty where nothing is kept. Reads one small file.
pub(crate) fn choices(host: &Host, options: &Options) -> Choices {
    let Some(store) = store_at(host, options) else {
        return Choices::default();
    };
    let choices = store.choices().unwrap_or_else(|error| {
        warn(&error.to_string());
        Choices::default()
    });
    report_notices(&*store);
    choices
}

/// Says what a store put right by itself.
pub(crate) fn report_notices(store: &dyn Store) {
    for notice in store.take_notices() {
        warn(&notice.to_string());
    }
}

/// The time, for what is put on record.
pub(crate) fn now() -> Timestamp {
    Timestamp::from(SystemTime::now())
}
