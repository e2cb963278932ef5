//! Doing what was planned: one change with the places of all skills, what is wanted, and the lock.

use std::io;
use std::path::Path;

use skillful_guard::Decision;
use skillful_store::journal::{Entry, Operation, State, Swap};

use super::error::InstallError;
use super::plan::{Plan, PlannedSkill, Step};
use super::{Installer, lock_of, text_of};
use crate::change::{Change, Writer};
use crate::lock::{Lock, LockedSkill, LockedTarget};
use crate::objects::Objects;
use crate::state::observe;
use crate::targets::WantedClients;
use crate::wanted::{self, WantedSkill};

/// What a person said about skills with findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consent {
    /// They may be placed.
    Given,
    /// Only what needs no consent is placed.
    Withheld,
}

/// What was done.
#[derive(Clone, Debug, Default)]
pub struct Applied {
    /// The ids of the skills that were placed, sorted.
    pub placed: Vec<String>,
    /// The entry in the history; nothing when there was nothing to do.
    pub entry: Option<Entry>,
}

impl Installer<'_> {
    /// Places the skills of a plan that are not refused. What is recorded in the lock and in what is wanted is read
    /// anew, so that nothing that another process did meanwhile is lost.
    ///
    /// # Errors
    ///
    /// When the change cannot be made, as when a place is no longer as the plan saw it. Nothing was changed then.
    pub fn apply(
        &self,
        plan: &Plan,
        consent: Consent,
        operation: Operation,
    ) -> Result<Applied, InstallError> {
        let is_taken = |skill: &&PlannedSkill| {
            let is_allowed = match skill.gated.decision {
                Decision::Allow => consent == Consent::Given || !skill.needs_a_yes(),
                Decision::Ask => consent == Consent::Given,
                Decision::Deny => false,
            };
            is_allowed && matches!(skill.step, Step::Add | Step::Replace)
        };
        let taken: Vec<&PlannedSkill> = plan.skills.iter().filter(is_taken).collect();
        if taken.is_empty() {
            return Ok(Applied::default());
        }
        let mut writer = Writer::open(&self.data)?;
        let mut records = Records::read(self)?;
        let mut change = Change::new(operation, self.actor.clone());
        for skill in &taken {
            change = change.about(&skill.offer.id);
            for placement in skill.placements.iter().filter(|it| !it.is_done()) {
                change = change.swap(Swap::new(
                    &placement.path,
                    placement.before.clone(),
                    placement.after.clone(),
                ));
            }
            records.lock.insert(self.locked(skill));
            let wanted = self.wanted(skill);
            records
                .want(&skill.offer.id, wanted)
                .map_err(|fault| fault.at(&self.files.wanted))?;
        }
        let change = records.swap_into(self, writer.objects(), change)?;
        writer.objects().sync()?;
        let entry = writer.commit(change)?;
        Ok(Applied {
            placed: taken.iter().map(|skill| skill.offer.id.clone()).collect(),
            entry: Some(entry),
        })
    }

    /// The entry of a skill in the lock. Places that it has and that the plan does not name stay.
    fn locked(&self, skill: &PlannedSkill) -> LockedSkill {
        let mut targets: Vec<LockedTarget> = skill
            .placements
            .iter()
            .map(|placement| LockedTarget {
                path: self.files.shorten(&placement.path),
                client: placement.client.as_deref().map(str::to_owned),
                method: placement.method,
            })
            .collect();
        let before = skill.previous.iter().flat_map(|skill| &skill.targets);
        for old in before {
            if targets.iter().all(|target| target.path != old.path) {
                targets.push(old.clone());
            }
        }
        LockedSkill {
            id: skill.offer.id.clone(),
            source: skill.offer.source.clone(),
            resolved: skill.offer.resolved.clone(),
            digest: skill.kept.digest().to_string(),
            files: skill.kept.files(),
            targets,
            license: skill.offer.license.clone(),
            verdict: Some(skill.gated.verdict().as_str().to_owned()),
            other: Vec::new(),
        }
    }

    fn wanted(&self, skill: &PlannedSkill) -> WantedSkill {
        let clients = match &self.clients {
            WantedClients::Named(names) => Some(names.clone()),
            WantedClients::All | WantedClients::Present => None,
        };
        WantedSkill {
            source: skill.offer.source.clone(),
            clients,
            copy: self.copy,
            hold: None,
        }
    }
}

/// The lock and the file of what is wanted, as they are while a writer is open.
pub(super) struct Records {
    pub(super) lock: Lock,
    lock_before: State,
    pub(super) wanted: String,
    wanted_before: State,
}

impl Records {
    pub(super) fn read(installer: &Installer<'_>) -> Result<Self, InstallError> {
        let files = &installer.files;
        Ok(Self {
            lock_before: observe(&files.lock)?,
            lock: lock_of(&files.lock)?,
            wanted_before: observe(&files.wanted)?,
            wanted: text_of(&files.wanted)?,
        })
    }

    /// Notes that a skill is wanted. What somebody wrote about it before stays, its source and clients aside.
    pub(super) fn want(&mut self, id: &str, mut skill: WantedSkill) -> Result<(), WantedFault> {
        if let Some(before) = wanted::read(&self.wanted)?.get(id) {
            skill.hold = skill.hold.or_else(|| before.hold.clone());
            skill.clients = skill.clients.or_else(|| before.clients.clone());
        }
        self.wanted = wanted::set(&self.wanted, id, &skill)?;
        Ok(())
    }

    /// Notes that a skill is not wanted.
    pub(super) fn forget(&mut self, id: &str) -> Result<(), WantedFault> {
        self.lock.remove(id);
        if let Some(text) = wanted::unset(&self.wanted, id)? {
            self.wanted = text;
        }
        Ok(())
    }

    /// Adds the two files to a change, as far as they change.
    pub(super) fn swap_into(
        self,
        installer: &Installer<'_>,
        objects: &Objects,
        mut change: Change,
    ) -> Result<Change, InstallError> {
        let files = &installer.files;
        let texts = [
            (&files.wanted, self.wanted_before, self.wanted),
            (&files.lock, self.lock_before, self.lock.to_text()),
        ];
        for (path, before, text) in texts {
            change = swap_text(change, path, before, &text, objects)?;
        }
        Ok(change)
    }
}

/// A fault in what is wanted, without the file that it is in.
pub(super) struct WantedFault(wanted::WantedError);

impl From<wanted::WantedError> for WantedFault {
    fn from(error: wanted::WantedError) -> Self {
        Self(error)
    }
}

impl WantedFault {
    pub(super) fn at(self, path: &Path) -> InstallError {
        InstallError::Wanted {
            path: path.to_owned(),
            error: self.0,
        }
    }
}

fn swap_text(
    change: Change,
    path: &Path,
    before: State,
    text: &str,
    objects: &Objects,
) -> Result<Change, InstallError> {
    if before.is_absent() && text.is_empty() {
        return Ok(change);
    }
    if let State::Link { .. } | State::Tree { .. } = before {
        return Err(InstallError::File {
            path: path.to_owned(),
            error: io::Error::other("it is no regular file"),
        });
    }
    let after = objects.put_bytes(text.as_bytes(), false)?;
    Ok(if before == after {
        change
    } else {
        change.swap(Swap::new(path, before, after))
    })
}
