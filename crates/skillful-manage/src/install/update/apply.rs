//! Doing what was planned: one change with every place of every skill, what is wanted, and the lock.

use skillful_store::journal::{Operation, State, Swap};

use super::{NextVersion, PlannedUpdate, UpdatePlan, UpdateStep, Updated};
use crate::change::{Change, Writer};
use crate::install::Installer;
use crate::install::apply::{Consent, Records};
use crate::install::error::InstallError;
use crate::lock::{LockedSkill, LockedTarget};
use crate::state::observe;
use crate::wanted::{self, WantedSkill};

impl Installer<'_> {
    /// Does what a plan says. Without consent, only what no question stands against.
    ///
    /// # Errors
    ///
    /// When the change cannot be made, as when a place is no longer as the plan saw it. Nothing was changed then.
    pub fn apply_update(
        &self,
        plan: &UpdatePlan,
        consent: Consent,
    ) -> Result<Updated, InstallError> {
        let is_taken = |skill: &&PlannedUpdate| {
            let is_agreed = consent == Consent::Given || skill.questions().is_empty();
            skill.step == UpdateStep::Record || (skill.changes_files() && is_agreed)
        };
        let taken: Vec<&PlannedUpdate> = plan.skills.iter().filter(is_taken).collect();
        let mut updated = Updated::default();
        if taken.is_empty() {
            return Ok(updated);
        }
        let mut writer = Writer::open(&self.data)?;
        let mut records = Records::read(self)?;
        let mut change = Change::new(Operation::UPDATE, self.actor.clone());
        for skill in taken {
            let id = &skill.locked.id;
            let is_as_planned = records.lock.get(id).is_some_and(|now| {
                now.digest == skill.locked.digest && now.targets == skill.locked.targets
            });
            if !is_as_planned {
                return Err(InstallError::EntryChanged { id: id.clone() });
            }
            change = change.about(id);
            match (&skill.step, &skill.next) {
                (UpdateStep::Remove, _) => {
                    change = self.taken_from_all(change, &skill.locked)?;
                    self.forget(&mut records, id)?;
                    updated.removed.push(id.clone());
                }
                (UpdateStep::Record, next) => {
                    let mut locked = skill.locked.clone();
                    match next {
                        Some(next) => locked.resolved = next.offer.resolved.clone(),
                        None => locked.resolved.commit.clone_from(&skill.commit),
                    }
                    records.lock.insert(locked);
                }
                (UpdateStep::Rename { to }, Some(next)) => {
                    change = self.taken_from_all(change, &skill.locked)?.about(to);
                    change = placed(change, next);
                    self.rename(&mut records, &skill.locked, next)?;
                    updated.updated.push(to.clone());
                }
                (_, Some(next)) => {
                    change = placed(change, next);
                    records.lock.insert(self.next_entry(&skill.locked, next));
                    updated.updated.push(id.clone());
                }
                (_, None) => {}
            }
        }
        let change = records.swap_into(self, writer.objects(), change)?;
        if change.swaps.is_empty() {
            return Ok(updated);
        }
        writer.objects().sync()?;
        updated.entry = Some(writer.commit(change)?);
        Ok(updated)
    }

    /// The swaps that take a skill away from every place that it has.
    fn taken_from_all(
        &self,
        mut change: Change,
        skill: &LockedSkill,
    ) -> Result<Change, InstallError> {
        for target in &skill.targets {
            let path = self.place(skill, &target.path)?;
            let before = observe(&path)?;
            if before.is_absent() {
                continue;
            }
            if !self.may_replace(&before, skill, &path)? {
                let id = skill.id.clone();
                return Err(InstallError::Edited { id, path });
            }
            change = change.swap(Swap::new(path, before, State::Absent));
        }
        Ok(change)
    }

    fn forget(&self, records: &mut Records, id: &str) -> Result<(), InstallError> {
        let forgotten = records.forget(id);
        forgotten.map_err(|fault| fault.at(&self.files.wanted))
    }

    /// Moves what is written down about a skill to its new id. What a person wrote stays.
    fn rename(
        &self,
        records: &mut Records,
        skill: &LockedSkill,
        next: &NextVersion,
    ) -> Result<(), InstallError> {
        let wanted = wanted::read(&records.wanted).map_err(|error| InstallError::Wanted {
            path: self.files.wanted.clone(),
            error,
        })?;
        let mut wanted: WantedSkill = wanted.get(&skill.id).cloned().unwrap_or_default();
        wanted.source.clone_from(&next.offer.source);
        self.forget(records, &skill.id)?;
        records.lock.insert(self.next_entry(skill, next));
        let noted = records.want(&next.offer.id, wanted);
        noted.map_err(|fault| fault.at(&self.files.wanted))
    }

    /// The entry of the new version in the lock.
    fn next_entry(&self, skill: &LockedSkill, next: &NextVersion) -> LockedSkill {
        let targets = next.placements.iter().map(|placement| LockedTarget {
            path: self.files.shorten(&placement.path),
            client: placement.client.as_deref().map(str::to_owned),
            method: placement.method,
        });
        LockedSkill {
            id: next.offer.id.clone(),
            source: next.offer.source.clone(),
            resolved: next.offer.resolved.clone(),
            digest: next.kept.digest().to_string(),
            files: next.kept.files(),
            targets: targets.collect(),
            license: next.offer.license.clone(),
            verdict: Some(next.gated.verdict().as_str().to_owned()),
            other: skill.other.clone(),
        }
    }
}

/// The swaps that put the new version into its places.
fn placed(mut change: Change, next: &NextVersion) -> Change {
    for placement in next.placements.iter().filter(|it| !it.is_done()) {
        change = change.swap(Swap::new(
            &placement.path,
            placement.before.clone(),
            placement.after.clone(),
        ));
    }
    change
}
