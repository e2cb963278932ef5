//! Writing and changing skills, by people and by agents.
//!
//! ```text
//! Author ─(scan)→ Subject: may it be changed, and where does it really lie? ─→ the files as they are to be
//!        ─gate(scan, trust × verdict)→ Change ─commit→ disk, journal ─→ Done
//! ```
//!
//! Everything is for every form of skill: a directory, a single file, YAML or TOML. What is not edited keeps its bytes.
//! Nothing here writes a file: a verb makes a [`Change`], which goes the one way that all changes go and
//! can be undone. A skill that is part of the program, of a plugin or of an archive is refused, and so is one that
//! somebody pinned; a link is never written through.
//!
//! ```
//! use skillful::{Clients, Host, Options, Setup};
//! use skillful_manage::author::{Author, NewSkill};
//! use skillful_manage::gate::Gate;
//! use skillful_manage::{Actor, DataDirectory};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let directory = tempfile::tempdir()?;
//! # let directory = directory.path();
//! let options = Options { home: Some(directory.to_owned()), ..Options::default() };
//! let setup = Setup::read(Host::new(directory), Clients::built_in()?, options, None, Default::default());
//! let data = DataDirectory::at(directory.join("data"));
//! let gate = Gate::of(&setup.config)?;
//! let author = Author::new(&setup, &data, &gate).by(Actor::AGENT);
//!
//! let new = NewSkill::new("Release notes", "Writes release notes. Use when a version is tagged.");
//! let done = author.create(&new)?;
//! assert_eq!(done.id, "release-notes");
//! author.patch(&"release-notes".into(), None, "# Release notes", "# How we write release notes")?;
//! author.undo_last(Some(&Actor::AGENT))?;
//! # Ok(())
//! # }
//! ```

mod choose;
mod create;
mod delete;
mod draft;
mod error;
mod files;
mod history;
mod outcome;
mod rename;
mod root;
mod subject;
mod text;

use std::time::SystemTime;

use skillful::records::key_of;
use skillful::{Library, Mode, Setup, Skill};
use skillful_guard::{Decision, Trust, Verdict};
use skillful_store::{Activity, Event, Key, Store, Timestamp};

use crate::change::{Change, Writer};
use crate::data::DataDirectory;
use crate::gate::{Gate, Gated};
use crate::{Actor, Entry};

pub use choose::Chosen;
pub use create::NewSkill;
pub(crate) use create::{Made, check_strictly, compose};
pub(crate) use draft::{SKILL_MD, put_document};
pub use error::{AuthorError, ReadOnly};
pub use history::{FileChange, HistoryQuery, Undone, WhatHappened};
pub use outcome::{Done, Outcome, Remark};
pub use root::Where;
pub use subject::Target;
pub(crate) use subject::real;

/// Writes and changes skills for one actor.
#[derive(Clone, Debug)]
pub struct Author<'a> {
    pub(crate) setup: &'a Setup,
    pub(crate) data: &'a DataDirectory,
    pub(crate) gate: &'a Gate,
    pub(crate) records: Option<&'a dyn Store>,
    pub(crate) actor: Actor,
    trust: Trust,
    confirmed: Option<String>,
    clock: fn() -> SystemTime,
}

impl<'a> Author<'a> {
    /// A person who writes skills. Nothing is counted.
    pub fn new(setup: &'a Setup, data: &'a DataDirectory, gate: &'a Gate) -> Self {
        Self {
            setup,
            data,
            gate,
            records: None,
            actor: Actor::USER,
            trust: Trust::Trusted,
            confirmed: None,
            clock: SystemTime::now,
        }
    }

    /// The same for somebody else. Only what [`Actor::USER`] writes is trusted.
    #[must_use]
    pub fn by(mut self, actor: Actor) -> Self {
        self.trust = if actor == Actor::USER {
            Trust::Trusted
        } else {
            Trust::Agent
        };
        self.actor = actor;
        self
    }

    /// The same with other trust in what is written, for a server that knows who asks.
    #[must_use]
    pub fn trusting(mut self, trust: Trust) -> Self {
        self.trust = trust;
        self
    }

    /// The same, counting changes here and taking records along when a skill gets another id.
    #[must_use]
    pub fn with_records(mut self, records: &'a dyn Store) -> Self {
        self.records = Some(records);
        self
    }

    /// The same after a person looked at content of this digest and said yes to it, which is what a verdict of caution
    /// asks for. It does not make anything dangerous pass.
    #[must_use]
    pub fn confirming(mut self, digest: Option<String>) -> Self {
        self.confirmed = digest;
        self
    }

    /// The same with another clock.
    #[must_use]
    pub fn with_clock(mut self, clock: fn() -> SystemTime) -> Self {
        self.clock = clock;
        self
    }

    /// Looks for all skills.
    pub(crate) fn search(&self) -> Library {
        let setup = self.setup;
        Library::scan(&setup.host, &setup.clients, &setup.options)
    }

    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::from((self.clock)())
    }

    /// Whether somebody keeps a skill as it is. Where that cannot be known, nothing is changed.
    pub(crate) fn is_pinned(&self, skill: &Skill) -> Result<bool, AuthorError> {
        let mode = self.setup.config.switches(&skill.id, None).mode();
        let key = key_of(skill);
        let is_chosen = match self.records {
            Some(records) => records.choices()?.is_pinned(&key),
            None => self.setup.conditions().records.choices().is_pinned(&key),
        };
        Ok(is_chosen || matches!(mode, Mode::Pinned | Mode::Required))
    }

    /// What the guard says decides. Gives what a person should know all the same.
    pub(crate) fn decide(&self, gated: Gated) -> Result<Option<Remark>, AuthorError> {
        let is_confirmed = self.confirmed.is_some() && self.confirmed == gated.digest;
        match gated.decision {
            Decision::Deny => Err(AuthorError::Dangerous(Box::new(gated))),
            Decision::Ask if !is_confirmed => Err(AuthorError::NeedsConfirmation(Box::new(gated))),
            Decision::Allow | Decision::Ask => {
                Ok((gated.verdict() != Verdict::Safe).then(|| Remark::Verdict(Box::new(gated))))
            }
        }
    }

    /// Makes a change, and counts it for the skill that it is about.
    pub(crate) fn commit(&self, change: Change, key: Option<Key>) -> Result<Entry, AuthorError> {
        let mut writer = Writer::open(self.data)?;
        let entry = writer.commit(change)?;
        if let (Some(records), Some(key)) = (self.records, key) {
            let event = Event {
                key,
                activity: Activity::Patch,
                at: self.now(),
            };
            // The work is done; that it cannot be counted does not undo it.
            let _ = records.record(&[event]);
        }
        Ok(entry)
    }
}
