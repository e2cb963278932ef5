//! What an agent asks for: the catalog, a skill's text and files, skills for a request or a message, and the status of all.
//!
//! Each call works on the snapshot of its moment. What it does to usage is recorded; where that fails, the call goes on,
//! and subscribers are told.

use std::sync::Arc;

use skillful_store::{Activity, Event, Key, Records, Timestamp};

use super::{Inner, SkillSystem};
use crate::activate::{self, Activation, ActivationError, Request};
use crate::agent::Agent;
use crate::bundle::{self, FileContent, ReadError};
use crate::catalog::{self, Catalog};
use crate::events::{EventKind, Happening};
use crate::load::Skill;
use crate::matching::{self, Ambient, Match, Message, RoundCap};
use crate::part::Range;
use crate::records::key_of;
use crate::registry::LookUpError;
use crate::search;
use crate::snapshot::Snapshot;
use crate::state::State;
use crate::status::{self, Circumstances, StatusEntry};

/// Why a skill or one of its files is not handed over.
#[derive(Debug, thiserror::Error)]
pub enum UseError {
    /// What was asked for does not lead to one skill.
    #[error(transparent)]
    LookUp(#[from] LookUpError),
    /// The skill is not handed over.
    #[error(transparent)]
    Activation(#[from] ActivationError),
    /// The file is not.
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// A skill that fits a request.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The skill.
    pub skill: Arc<Skill>,
    /// How well it fits; comparable within one search only.
    pub score: f64,
}

/// What a message brings up.
#[derive(Clone, Debug, PartialEq)]
pub struct Matches {
    /// The skills, the surest first: id, kind, score, and why.
    pub skills: Vec<Matched>,
    /// The most rounds of tool calls that the turn may take, where the skill that drives it says so.
    pub max_tool_rounds: Option<u32>,
}

/// A skill that a message brings up; see [`Match`].
#[derive(Clone, Debug, PartialEq)]
pub struct Matched {
    /// Its id.
    pub id: String,
    /// What brought it up.
    pub kind: matching::Kind,
    /// How sure it is that it is wanted, from 0 to 1.
    pub score: f64,
    /// Why, for people.
    pub why: String,
    /// What follows the command, as it was typed; see [`crate::activate::Arguments::parse`].
    pub arguments: String,
}

/// The status of all skills at one moment.
#[derive(Debug)]
pub struct Status {
    snapshot: Arc<Snapshot>,
    records: Records,
    now: Timestamp,
    agent: Option<String>,
}

impl SkillSystem {
    /// The catalog that the model is shown: in a system prompt, or wherever its harness puts it. An offer is recorded for
    /// each skill in it. Where the options say nothing of the budget, the configuration does.
    pub fn catalog(&self, options: &catalog::Options<'_>) -> Catalog {
        let snapshot = self.snapshot();
        let agent = self.0.agent(&snapshot);
        let (records, now) = (self.0.records(), self.0.now());
        let usage_of = |skill: &Skill| {
            let usage = records.usage.get(&key_of(skill));
            usage.map_or_else(catalog::Usage::default, |usage| {
                catalog::Usage::at(now, usage)
            })
        };
        let entries = agent.entries(snapshot.skills(), options.form, &usage_of);
        let options = catalog::Options {
            budget: agent.budget(options.budget),
            ..*options
        };
        let catalog = catalog::render(&entries, &options);
        let included = catalog.included.iter();
        let offered = included.filter_map(|id| snapshot.registry().get(id));
        let keys: Vec<Key> = offered.map(|skill| key_of(skill)).collect();
        self.0.record(keys, &[Activity::Offer]);
        catalog
    }

    /// Hands over a skill by its id, exact name or directory name. A read and a use are recorded.
    ///
    /// # Errors
    ///
    /// [`UseError`] when there is no such skill, or it is not for this use.
    pub fn activate(&self, id: &str, request: &Request) -> Result<Activation, UseError> {
        let snapshot = self.looked_at(id)?;
        let skill = snapshot.find(id)?;
        let permissions = self.0.agent(&snapshot).permissions(skill);
        let mut activation = activate::activate(skill, request, &permissions);
        if activation.is_ok() {
            self.0.texts.keep(skill);
        } else if skill.kept_note().is_some()
            && let Some(bytes) = self.0.texts.of(skill)
        {
            // The file turned broken while the skill was in use.
            activation = activate::activate_bytes(skill, bytes, request, &permissions);
        }
        let activation = activation?;
        let activities = [Activity::Read, Activity::Use];
        self.0.record([key_of(skill)], &activities);
        Ok(activation)
    }

    /// One file of a skill, as text or bytes. A read is recorded.
    ///
    /// # Errors
    ///
    /// [`UseError`] when there is no such skill or file, or it is not for this use.
    pub fn read_file(&self, id: &str, path: &str, range: Range) -> Result<FileContent, UseError> {
        let snapshot = self.looked_at(id)?;
        let skill = snapshot.find(id)?;
        let file = bundle::read_file(skill, path, range)?;
        self.0.record([key_of(skill)], &[Activity::Read]);
        Ok(file)
    }

    /// The skill's own file, byte for byte: what [`SkillSystem::read_file`] gives for a path in it. A read is recorded.
    ///
    /// # Errors
    ///
    /// As [`SkillSystem::read_file`].
    pub fn read_own_file(&self, id: &str) -> Result<FileContent, UseError> {
        let snapshot = self.looked_at(id)?;
        let skill = snapshot.find(id)?;
        let file = bundle::read_own_file(skill)?;
        self.0.record([key_of(skill)], &[Activity::Read]);
        Ok(file)
    }

    /// The snapshot to hand a skill over from. Files that changed since the guard looked at them, which a watcher may not
    /// have told of yet, are looked at first; that makes a new snapshot.
    ///
    /// # Errors
    ///
    /// When there is no such skill.
    pub fn looked_at(&self, id: &str) -> Result<Arc<Snapshot>, LookUpError> {
        let snapshot = self.snapshot();
        let skill = snapshot.find(id)?;
        match &skill.inspection {
            Some(inspection)
                if matches!(skill.state, State::Ready | State::Withheld)
                    && !self.0.seen.is_unchanged(skill, inspection, self.0.now()) =>
            {
                let place = skill.form.place(&skill.path).to_owned();
                Ok(self.reload([place]))
            }
            _ => Ok(snapshot),
        }
    }

    /// The ready skills that fit a request, the best first; how useful they were decides only between equals. The first
    /// search after a change makes an index anew.
    pub fn search(&self, request: &str, limit: usize) -> Vec<SearchResult> {
        let snapshot = self.snapshot();
        let records = self.0.records();
        let evidence = |id: &str| {
            let skill = snapshot.registry().get(id);
            let usage = skill.and_then(|skill| records.usage.get(&key_of(skill)));
            usage.map_or(0.0, |usage| {
                skillful_store::Evidence::of(usage).lower_bound(skillful_store::Z_95)
            })
        };
        let options = search::Options {
            limit,
            evidence: Some(&evidence),
            ..search::Options::default()
        };
        let found = snapshot.search(request, &options).into_iter();
        found
            .map(|found| SearchResult {
                skill: Arc::clone(found.skill),
                score: found.hit.score,
            })
            .collect()
    }

    /// The skills that a message brings up without the model's own choice. `limit` is how many rounds of tool calls a turn
    /// may take anyway; a skill can only lower it.
    pub fn matches(
        &self,
        message: &Message<'_>,
        ambient: Ambient<'_>,
        limit: Option<u32>,
    ) -> Matches {
        let snapshot = self.snapshot();
        let candidates = self.0.agent(&snapshot).candidates(snapshot.skills());
        let matches = matching::matches(&candidates, message, ambient);
        let cap = matching::max_tool_rounds(&candidates, &matches, limit);
        Matches {
            max_tool_rounds: cap.map(|RoundCap { rounds, .. }| rounds),
            skills: matches.into_iter().map(Matched::from).collect(),
        }
    }

    /// The status of all skills.
    pub fn status(&self) -> Status {
        Status {
            snapshot: self.snapshot(),
            records: self.0.records(),
            now: self.0.now(),
            agent: self.0.agent.clone(),
        }
    }

    /// Records that what a skill was read for went well: evidence for ranking, and for whoever cleans up.
    ///
    /// # Errors
    ///
    /// [`UseError`] when there is no such skill.
    pub fn record_win(&self, id: &str) -> Result<(), UseError> {
        let snapshot = self.snapshot();
        let key = key_of(snapshot.find(id)?);
        self.0.record([key], &[Activity::Win]);
        Ok(())
    }
}

impl From<Match<'_>> for Matched {
    fn from(found: Match<'_>) -> Self {
        Self {
            id: found.id.to_owned(),
            kind: found.kind,
            score: found.score,
            why: found.why,
            arguments: found.arguments,
        }
    }
}

impl Status {
    /// The skills with their status, sorted by id, those with one id by precedence.
    pub fn entries(&self) -> Vec<StatusEntry<'_>> {
        let circumstances = Circumstances {
            agent: self.snapshot.setup().agent(self.agent.as_deref()),
            records: &self.records,
            now: self.now,
            digests: false,
        };
        status::full_status(self.snapshot.registry(), &circumstances)
    }
}

impl Inner {
    /// The agent that the system is for, by the setup of a snapshot.
    fn agent<'s>(&'s self, snapshot: &'s Snapshot) -> Agent<'s> {
        snapshot.setup().agent(self.agent.as_deref())
    }

    pub(super) fn now(&self) -> Timestamp {
        (self.clock.0)()
    }

    /// All that is on record. What cannot be read counts as nothing, and is told.
    fn records(&self) -> Records {
        let (records, errors) = Records::read(&*self.store);
        for error in errors {
            self.tell_records(error.to_string());
        }
        self.tell_notices();
        records
    }

    fn record(&self, keys: impl IntoIterator<Item = Key>, activities: &[Activity]) {
        let at = self.now();
        let events: Vec<Event> = keys
            .into_iter()
            .flat_map(|key| {
                activities.iter().map(move |&activity| Event {
                    key: key.clone(),
                    activity,
                    at,
                })
            })
            .collect();
        if let Err(error) = self.store.record(&events) {
            self.tell_records(error.to_string());
        }
        self.tell_notices();
    }

    pub(super) fn tell_notices(&self) {
        for notice in self.store.take_notices() {
            self.tell_records(notice.to_string());
        }
    }

    pub(super) fn tell_records(&self, detail: String) {
        self.events
            .publish(Happening::new(EventKind::Records).saying(detail));
    }
}
