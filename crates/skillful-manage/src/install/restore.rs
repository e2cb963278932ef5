//! From the lock to the disk: the same bytes in the same places, on this machine and on any other.
//!
//! Nothing is fetched here. What the cache does not hold is [`Restoration::missing`]; whoever may fetch does so, and plans
//! anew.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use skillful::discover::Form;
use skillful_guard::Decision;
use skillful_store::journal::{Digest, Entry, Operation, State, Swap};

use super::Installer;
use super::error::InstallError;
use super::files::path_between;
use super::plan::Refusal;
use crate::change::{Change, Writer};
use crate::gate::Gated;
use crate::install::apply::Consent;
use crate::lock::LockedSkill;
use crate::state::observe;
use crate::targets::{self, Method};
use crate::wanted::WantedSkill;

/// What has to be done so that the disk is as the lock says.
#[derive(Clone, Debug, Default)]
pub struct Restoration {
    /// The skills whose files are at hand, sorted by id.
    pub skills: Vec<RestoredSkill>,
    /// The skills whose files have to be fetched.
    pub missing: Vec<LockedSkill>,
    /// The skills that are wanted and that the lock does not have from there, by id.
    pub unlocked: Vec<(String, WantedSkill)>,
    /// The ids of skills that the lock has and nobody wants.
    pub unwanted: Vec<String>,
}

/// What has to be done with one skill.
#[derive(Clone, Debug)]
pub struct RestoredSkill {
    /// Its entry in the lock.
    pub locked: LockedSkill,
    /// What the gate says of the files.
    pub gated: Gated,
    /// The places that are not as they should be.
    pub swaps: Vec<Swap>,
    /// Why it is not placed.
    pub refusal: Option<Refusal>,
}

/// What was done.
#[derive(Clone, Debug, Default)]
pub struct Restored {
    /// The ids of the skills of which something was placed.
    pub placed: Vec<String>,
    /// The entry in the history; nothing when there was nothing to do.
    pub entry: Option<Entry>,
}

impl Restoration {
    /// What the lock and the file of what is wanted disagree about, in words.
    pub fn differences(&self) -> Vec<String> {
        let unlocked = self.unlocked.iter();
        let unlocked =
            unlocked.map(|(id, _)| format!("`{id}` is wanted and not locked from there"));
        let unwanted = self.unwanted.iter();
        let unwanted = unwanted.map(|id| format!("`{id}` is locked and not wanted"));
        unlocked.chain(unwanted).collect()
    }

    /// The skills that a person has to say yes to because of their findings.
    pub fn to_be_asked(&self) -> impl Iterator<Item = &RestoredSkill> {
        let is_asked = |skill: &&RestoredSkill| {
            let is_placed = skill.refusal.is_none() && !skill.swaps.is_empty();
            is_placed && skill.gated.decision == Decision::Ask
        };
        self.skills.iter().filter(is_asked)
    }

    /// The skills that are not placed, each with the reason.
    pub fn refused(&self) -> impl Iterator<Item = (&RestoredSkill, &Refusal)> {
        let refused = |skill| {
            let skill: &RestoredSkill = skill;
            Some((skill, skill.refusal.as_ref()?))
        };
        self.skills.iter().filter_map(refused)
    }
}

impl Installer<'_> {
    /// Compares the lock with the disk and with what is wanted.
    ///
    /// # Errors
    ///
    /// When the files cannot be understood, or something cannot be read.
    pub fn plan_restore(&self) -> Result<Restoration, InstallError> {
        let lock = self.lock()?;
        let wanted = self.read_wanted()?;
        let objects = self.data.objects();
        let mut restoration = Restoration::default();
        let mut at_hand = Vec::new();
        for skill in lock.skills() {
            let is_wanted = wanted
                .get(&skill.id)
                .is_some_and(|wanted| self.is_same_source(&skill.source, &wanted.source));
            if !wanted.contains_key(&skill.id) {
                restoration.unwanted.push(skill.id.clone());
            } else if is_wanted {
                match Self::tree_of(skill)? {
                    tree if objects.verify(&State::Tree { digest: tree }).is_ok() => {
                        at_hand.push((skill, tree));
                    }
                    _ => restoration.missing.push(skill.clone()),
                }
            }
        }
        let skills = at_hand
            .par_iter()
            .map(|(skill, tree)| self.restored(skill, *tree));
        restoration.skills = skills.collect::<Result<_, InstallError>>()?;
        restoration.unlocked = wanted
            .into_iter()
            .filter(|(id, wanted)| {
                let locked = lock.get(id);
                locked.is_none_or(|it| !self.is_same_source(&it.source, &wanted.source))
            })
            .collect();
        Ok(restoration)
    }

    fn tree_of(skill: &LockedSkill) -> Result<Digest, InstallError> {
        skill.digest.parse().map_err(|_| InstallError::NotCached {
            ids: vec![skill.id.clone()],
        })
    }

    fn restored(&self, skill: &LockedSkill, tree: Digest) -> Result<RestoredSkill, InstallError> {
        let object = self.data.objects().tree_path(&tree);
        let main = skill.files.iter().find(|file| is_main(&file.path));
        let main = main.map_or("SKILL.md", |file| file.path.as_str());
        let gated = self.gate.look(
            &Form::Directory,
            &object.join(main),
            self.trust_of(&skill.source),
        );
        let mut swaps = Vec::new();
        let mut refusal = (gated.decision == Decision::Deny).then_some(Refusal::Dangerous);
        let paths = self.paths_of(skill)?;
        let first = skill.targets.iter().zip(&paths);
        let first = first
            .filter(|(target, _)| target.method == Method::Copy)
            .map(|(_, path)| path.as_path())
            .next();
        for (target, path) in skill.targets.iter().zip(&paths) {
            let after = match (target.method, first) {
                (Method::Copy, _) => State::Tree { digest: tree },
                (Method::Link, Some(first)) => relative_link(path, first),
                (Method::Link, None) => State::Link {
                    target: object.to_string_lossy().into_owned(),
                },
            };
            let before = observe(path)?;
            if before == after {
                continue;
            }
            let is_ours = before.is_absent()
                || self.discard_edits
                || matches!(before, State::Link { .. })
                || self.is_as_placed(&before, skill, path)?;
            if !is_ours {
                refusal = refusal.or_else(|| Some(Refusal::Edited { path: path.clone() }));
            }
            swaps.push(Swap::new(path, before, after));
        }
        Ok(RestoredSkill {
            locked: skill.clone(),
            gated,
            swaps,
            refusal,
        })
    }

    fn paths_of(&self, skill: &LockedSkill) -> Result<Vec<PathBuf>, InstallError> {
        let targets = skill.targets.iter();
        targets.map(|it| self.place(skill, &it.path)).collect()
    }

    /// Does what was planned. Neither the lock nor what is wanted is written.
    ///
    /// # Errors
    ///
    /// When the change cannot be made. Nothing was changed then.
    pub fn restore(
        &self,
        restoration: &Restoration,
        consent: Consent,
    ) -> Result<Restored, InstallError> {
        let is_taken = |skill: &&RestoredSkill| {
            let is_allowed = match skill.gated.decision {
                Decision::Allow => true,
                Decision::Ask => consent == Consent::Given,
                Decision::Deny => false,
            };
            is_allowed && skill.refusal.is_none() && !skill.swaps.is_empty()
        };
        let mut change = Change::new(Operation::INSTALL, self.actor.clone());
        let mut placed = Vec::new();
        for skill in restoration.skills.iter().filter(is_taken) {
            change = change.about(&skill.locked.id);
            placed.push(skill.locked.id.clone());
            for swap in &skill.swaps {
                change = change.swap(swap.clone());
            }
        }
        if placed.is_empty() {
            return Ok(Restored::default());
        }
        let entry = Writer::open(&self.data)?.commit(change)?;
        Ok(Restored {
            placed,
            entry: Some(entry),
        })
    }
}

fn is_main(path: &str) -> bool {
    path.eq_ignore_ascii_case("SKILL.md")
}

/// A link beside `path` that leads to another place of the same skill.
pub(super) fn relative_link(path: &Path, to: &Path) -> State {
    let from = path.parent().unwrap_or(path);
    let target = path_between(&targets::real(from), &targets::real_place(to));
    State::Link {
        target: target.to_string_lossy().into_owned(),
    }
}
