//! The one way in which anything on disk is changed.
//!
//! ```text
//! check      every target is in the state that the change was planned for      else nothing is touched
//! keep       what targets hold becomes objects
//! record     intents/ID.staging                                                a killed process: cleaned up
//! stage      the new content comes beside each target
//! decide     rename to intents/ID.intent                                       a killed process: completed
//! swap       by an exchange of names; what was displaced is looked at again
//! confirm    every target is read back
//! journal    one entry with all swaps                                          a killed process: cleaned up
//! clean      the old content goes from beside targets, then the intent
//! ```
//!
//! An error up to the journal takes everything back. The next [`Writer`] finishes what a killed process left before it
//! does anything else.

mod commit;
mod directories;
mod error;
mod intent;
mod lock;
mod observer;
mod plan;
mod recover;
mod slot;
mod undo;

use std::fs;
use std::time::{Duration, SystemTime};

use skillful_store::Timestamp;
use skillful_store::journal::{Actor, ChangeId, Journal, Operation, SqliteJournal, Swap};

use crate::data::{self, DataDirectory};
use crate::limits;
use crate::objects::{Objects, sweep};
use lock::Lock;
use observer::Nobody;
use slot::Method;

pub use error::{ChangeError, Mismatch, PathFault};
pub use observer::{Observer, Step};
pub use recover::{Outcome, Recovered};

/// What is to be changed: all of it or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What it does.
    pub operation: Operation,
    /// Who wants it.
    pub actor: Actor,
    /// Ids of the skills that it is about.
    pub skills: Vec<String>,
    /// Every path with the state that it was planned for, and the one that it is to be in. The content of the latter must
    /// be kept ([`Objects::put`]). No path may be that of another or lie in it.
    pub swaps: Vec<Swap>,
    /// What people should read about it in the history; may be empty.
    pub message: String,
    /// The transaction that it belongs to, if it is a part of one.
    pub transaction: Option<ChangeId>,
}

impl Change {
    /// A change that changes nothing yet.
    pub fn new(operation: Operation, actor: Actor) -> Self {
        Self {
            operation,
            actor,
            skills: Vec::new(),
            swaps: Vec::new(),
            message: String::new(),
            transaction: None,
        }
    }

    /// The same, about this skill as well.
    #[must_use]
    pub fn about(mut self, skill: impl Into<String>) -> Self {
        self.skills.push(skill.into());
        self
    }

    /// The same, with this swap as well.
    #[must_use]
    pub fn swap(mut self, swap: Swap) -> Self {
        self.swaps.push(swap);
        self
    }

    /// The same, with this message.
    #[must_use]
    pub fn saying(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// The same, as a part of this transaction; see [`Change::new_transaction`].
    #[must_use]
    pub fn within(mut self, transaction: &ChangeId) -> Self {
        self.transaction = Some(transaction.clone());
        self
    }

    /// The id of a new transaction.
    pub fn new_transaction() -> ChangeId {
        ChangeId(crate::objects::random_name())
    }
}

/// How a writer works.
#[derive(Debug)]
pub struct Options {
    /// How long to wait for another process that changes something.
    pub patience: Duration,
    /// The clock.
    pub clock: fn() -> SystemTime,
    /// Who is told of every step.
    pub observer: Box<dyn Observer>,
    /// Whether to work as on a file system that cannot exchange names: for tests.
    pub two_steps: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            patience: limits::PATIENCE,
            clock: SystemTime::now,
            observer: Box::new(Nobody),
            two_steps: false,
        }
    }
}

/// Changes things on disk. There is one at a time, of all processes that share a data directory.
#[derive(Debug)]
pub struct Writer {
    data: DataDirectory,
    objects: Objects,
    journal: Box<dyn Journal>,
    options: Options,
    recovered: Vec<Recovered>,
    /// Held until the end.
    _lock: Lock,
}

impl Writer {
    /// Waits until nobody else changes anything, and finishes what a killed process left.
    ///
    /// # Errors
    ///
    /// [`ChangeError::Busy`] after [`limits::PATIENCE`]; [`ChangeError::Recovery`] when what was left cannot be
    /// finished.
    pub fn open(data: &DataDirectory) -> Result<Self, ChangeError> {
        Self::open_with(data, Options::default())
    }

    /// The same, working in another way than usual.
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    pub fn open_with(data: &DataDirectory, options: Options) -> Result<Self, ChangeError> {
        let journal = SqliteJournal::at(data.journal());
        Self::open_with_journal(data, Box::new(journal), options)
    }

    /// The same with a journal of the caller's, which must be the one that the data directory was always used with.
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    pub(crate) fn open_with_journal(
        data: &DataDirectory,
        journal: Box<dyn Journal>,
        options: Options,
    ) -> Result<Self, ChangeError> {
        data::make_private(data.path()).map_err(ChangeError::io(data.path()))?;
        let mut writer = Self {
            data: data.clone(),
            objects: data.objects(),
            journal,
            _lock: Lock::take(&data.lock(), options.patience)?,
            options,
            recovered: Vec::new(),
        };
        let staging = data.staging();
        sweep(&staging).map_err(ChangeError::io(&staging))?;
        writer.recover()?;
        Ok(writer)
    }

    /// Finishes what a killed process left, if anything: to be called before something is planned. Makes nothing where no
    /// change is under way; else waits for whoever makes it.
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    pub fn settle(data: &DataDirectory) -> Result<(), ChangeError> {
        // What lies there may be gone before it could be read, when its process is alive.
        let intents = fs::read_dir(data.intents());
        let is_idle = intents.is_ok_and(|mut left| left.next().is_none());
        if is_idle || !data.intents().is_dir() {
            return Ok(());
        }
        Self::open(data).map(drop)
    }

    /// What was left by processes that were killed, and what became of it.
    pub fn recovered(&self) -> &[Recovered] {
        &self.recovered
    }

    /// The content of what was and is to be.
    pub fn objects(&self) -> &Objects {
        &self.objects
    }

    /// What was changed so far.
    pub fn journal(&self) -> &dyn Journal {
        &*self.journal
    }

    /// The data directory.
    pub fn data(&self) -> &DataDirectory {
        &self.data
    }

    fn method(&self) -> Method {
        if self.options.two_steps {
            Method::TwoSteps
        } else {
            Method::Exchange
        }
    }

    pub(crate) fn clock(&self) -> SystemTime {
        (self.options.clock)()
    }

    fn now(&self) -> Timestamp {
        self.clock().into()
    }
}

#[cfg(test)]
mod tests;
