//! What would be placed where, and what stands against it. A plan changes nothing where a client looks.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use skillful_guard::Decision;
use skillful_store::journal::{Digest, State};

use super::error::InstallError;
use super::hidden::secret_files;
use super::offer::{Kept, Offer, keep};
use super::placement::{Placement, placements};
use super::{Installer, lock_of};
use crate::gate::Gated;
use crate::lock::{Lock, LockedSkill};
use crate::progress::{Progress, Step as Work};
use crate::source::Source;
use crate::targets::{self, Directory};
use crate::unpack::is_device;

/// What would be done.
#[derive(Clone, Debug)]
pub struct Plan {
    /// One for each skill that was offered, sorted by id.
    pub skills: Vec<PlannedSkill>,
}

/// What would be done with one skill.
#[derive(Clone, Debug)]
pub struct PlannedSkill {
    /// The skill.
    pub offer: Offer,
    /// Its files.
    pub kept: Kept,
    /// What the gate says.
    pub gated: Gated,
    /// Where it goes.
    pub placements: Vec<Placement>,
    /// What is placed of it so far.
    pub previous: Option<LockedSkill>,
    /// What is to be done.
    pub step: Step,
}

/// What is to be done with one skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// It is put where there is none.
    Add,
    /// Another version of it is replaced, or it is put into more directories.
    Replace,
    /// All is as it should be.
    Nothing,
    /// It is not placed.
    Refuse(Refusal),
}

/// Why a skill is not placed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The scan says that it is dangerous, and nobody accepted this digest.
    #[error("it looks like an attack")]
    Dangerous,
    /// Not all of it could be read, or it is over a limit, so that nothing could be bound to what was looked at.
    #[error("not all of it can be read, or it is over a limit")]
    Unreadable,
    /// Its SKILL.md cannot be read as one.
    #[error("it cannot be used: {reason}")]
    Broken {
        /// What is wrong with it.
        reason: String,
    },
    /// Another skill of the plan has the same id.
    #[error("{other} has the same id")]
    Twin {
        /// Where the other one lies in its source.
        other: String,
    },
    /// A skill with this id was placed from another source.
    #[error("a skill with this id was installed from {source_text}")]
    OtherSource {
        /// The other source.
        source_text: String,
    },
    /// It would be installed onto itself.
    #[error("{} is the source itself, which is used where it lies", path.display())]
    Itself {
        /// The directory.
        path: PathBuf,
    },
    /// Something is there that we did not put there.
    #[error("{} is there, and was not placed by skillful", path.display())]
    Occupied {
        /// What is in the way.
        path: PathBuf,
    },
    /// It was changed since it was placed.
    #[error("{} was changed since it was installed", path.display())]
    Edited {
        /// What was changed.
        path: PathBuf,
    },
    /// Its id cannot be the name of a directory everywhere.
    #[error("`{folder}` cannot be the name of a directory on Windows")]
    Folder {
        /// The name.
        folder: String,
    },
}

impl Refusal {
    /// What to do about it.
    pub fn help(&self, id: &str) -> String {
        match self {
            Self::Dangerous => {
                "read the findings; when they are wrong, `[[guard.accept]]` in your own skills.toml, not the project's, takes the digest"
                    .to_owned()
            }
            Self::Unreadable => "`skillful scan` on its source says what cannot be read".to_owned(),
            Self::Broken { .. } => "`skillful check` on its source says more".to_owned(),
            Self::Twin { .. } => "name one of them by its path in the source".to_owned(),
            Self::OtherSource { .. } => format!("`skillful remove {id}` makes room for it"),
            Self::Itself { .. } => {
                "nothing has to be installed; name a source that lies elsewhere".to_owned()
            }
            Self::Occupied { .. } => {
                "move it away, or let `skillful adopt` keep it as it is".to_owned()
            }
            Self::Edited { .. } => format!(
                "`skillful diff {id}` shows the change; `--discard-edits` replaces it, and `skillful undo` brings it back"
            ),
            Self::Folder { .. } => "its author has to rename it".to_owned(),
        }
    }
}

impl Plan {
    /// Whether anything would be changed.
    pub fn changes_something(&self) -> bool {
        let changes = |skill: &PlannedSkill| matches!(skill.step, Step::Add | Step::Replace);
        self.skills.iter().any(changes)
    }

    /// The skills that are not placed, each with the reason.
    pub fn refused(&self) -> impl Iterator<Item = (&PlannedSkill, &Refusal)> {
        self.skills.iter().filter_map(|skill| match &skill.step {
            Step::Refuse(refusal) => Some((skill, refusal)),
            _ => None,
        })
    }

    /// The skills that a person has to say yes to because of their findings, or of files that may hold keys.
    pub fn to_be_asked(&self) -> impl Iterator<Item = &PlannedSkill> {
        let is_asked = |skill: &&PlannedSkill| {
            let is_placed = matches!(skill.step, Step::Add | Step::Replace);
            is_placed && skill.needs_a_yes()
        };
        self.skills.iter().filter(is_asked)
    }
}

impl PlannedSkill {
    /// Whether a person has to say yes to it in particular.
    pub fn needs_a_yes(&self) -> bool {
        self.gated.decision == Decision::Ask || !secret_files(&self.kept.tree).is_empty()
    }
}

impl Installer<'_> {
    /// Looks at every skill, and says what would be done with it.
    ///
    /// # Errors
    ///
    /// When the files of what is installed cannot be understood, or something cannot be read or kept. What stands
    /// against a single skill is no error but a [`Refusal`] in the plan.
    pub fn plan(
        &self,
        mut offers: Vec<Offer>,
        progress: &dyn Progress,
    ) -> Result<Plan, InstallError> {
        offers.sort_by(|a, b| (&a.id, &a.resolved.path).cmp(&(&b.id, &b.resolved.path)));
        let lock = lock_of(&self.files.lock)?;
        let directories = self.directories()?;
        progress.step(Work::Begin("scanning"));
        let total = offers.len() as u64;
        let done = AtomicU64::new(0);
        let planned = offers.par_iter().map(|offer| {
            let planned = self.look(offer, &lock, &directories);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            progress.step(Work::Count { done, total });
            planned
        });
        let skills = planned.collect::<Result<Vec<_>, InstallError>>()?;
        progress.step(Work::End);
        Ok(Plan {
            skills: settle_twins(skills),
        })
    }

    fn look(
        &self,
        offer: &Offer,
        lock: &Lock,
        directories: &[Directory],
    ) -> Result<PlannedSkill, InstallError> {
        let objects = self.data.objects();
        let gathered = skillful::guard::gather(&offer.form, &offer.path);
        let kept = keep(&gathered.bundle, &offer.form, &objects)?;
        let gated = self.gate.judge(
            &gathered.bundle,
            gathered.digest,
            self.trust_of(&offer.source),
        );
        let tree = kept.digest();
        let reach = &self.reach;
        let placements = placements(directories, &offer.id, &tree, reach, &objects)?;
        let previous = lock.get(&offer.id).cloned();
        let step = self.step(offer, &gated, &placements, previous.as_ref())?;
        Ok(PlannedSkill {
            offer: offer.clone(),
            kept,
            gated,
            placements,
            previous,
            step,
        })
    }

    fn step(
        &self,
        offer: &Offer,
        gated: &Gated,
        placements: &[Placement],
        previous: Option<&LockedSkill>,
    ) -> Result<Step, InstallError> {
        if is_device(&offer.id) {
            let folder = offer.id.clone();
            return Ok(Step::Refuse(Refusal::Folder { folder }));
        }
        if let Some(reason) = offer.broken.clone() {
            return Ok(Step::Refuse(Refusal::Broken { reason }));
        }
        if gated.digest.is_none() {
            return Ok(Step::Refuse(Refusal::Unreadable));
        }
        if gated.decision == Decision::Deny {
            return Ok(Step::Refuse(Refusal::Dangerous));
        }
        if let Some(previous) = previous.filter(|previous| previous.source != offer.source) {
            let source_text = previous.source.clone();
            return Ok(Step::Refuse(Refusal::OtherSource { source_text }));
        }
        if let Ok(Source::Local(source)) = self.files.source(&offer.source) {
            // To take it for what was placed would let a later verb remove the only copy.
            let source = targets::real(&source);
            let is_it = |placement: &&Placement| {
                !placement.before.is_absent() && targets::real(&placement.path) == source
            };
            if let Some(itself) = placements.iter().find(is_it) {
                let path = itself.path.clone();
                return Ok(Step::Refuse(Refusal::Itself { path }));
            }
        }
        for placement in placements.iter().filter(|placement| !placement.is_done()) {
            if let Some(refusal) = self.in_the_way(placement, previous)? {
                return Ok(Step::Refuse(refusal));
            }
        }
        let is_recorded = previous.is_some_and(|previous| {
            let digest = gated.digest.as_deref();
            let recorded = placements.iter().all(|placement| {
                let path = self.files.shorten(&placement.path);
                previous.targets.iter().any(|target| target.path == path)
            });
            recorded && digest == Some(previous.digest.as_str())
        });
        if is_recorded && placements.iter().all(Placement::is_done) {
            return Ok(Step::Nothing);
        }
        let is_there = |placement: &Placement| !placement.before.is_absent();
        Ok(if placements.iter().any(is_there) {
            Step::Replace
        } else {
            Step::Add
        })
    }

    /// What must not be replaced: what we did not place, and what was changed since.
    fn in_the_way(
        &self,
        placement: &Placement,
        previous: Option<&LockedSkill>,
    ) -> Result<Option<Refusal>, InstallError> {
        if placement.before.is_absent() {
            return Ok(None);
        }
        let path = placement.path.clone();
        let text = self.files.shorten(&path);
        let target = previous.and_then(|skill| {
            let target = skill.targets.iter().find(|target| target.path == text)?;
            Some((skill, target))
        });
        let Some((skill, _)) = target else {
            return Ok(Some(Refusal::Occupied { path }));
        };
        if self.discard_edits || self.is_as_placed(&placement.before, skill, &path)? {
            return Ok(None);
        }
        Ok(Some(Refusal::Edited { path }))
    }

    /// Whether what is at a path is what the lock says was put there.
    pub(super) fn is_as_placed(
        &self,
        found: &State,
        skill: &LockedSkill,
        path: &Path,
    ) -> Result<bool, InstallError> {
        let locked: Option<Digest> = skill.digest.parse().ok();
        Ok(match found {
            State::Tree { digest } => Some(*digest) == locked,
            // A link is ours when it leads to the skill's object, or to another of its places.
            State::Link { .. } => self.leads_to(path, skill, locked.as_ref())?,
            State::Absent | State::File { .. } => false,
        })
    }
}

/// Of several skills with one id the first is taken if all have the same files, as in repositories that keep a copy for
/// every client. Else none is placed: to choose would be to guess.
fn settle_twins(skills: Vec<PlannedSkill>) -> Vec<PlannedSkill> {
    let mut by_id: BTreeMap<String, Vec<PlannedSkill>> = BTreeMap::new();
    for skill in skills {
        by_id.entry(skill.offer.id.clone()).or_default().push(skill);
    }
    let settle = |mut twins: Vec<PlannedSkill>| {
        let digests: BTreeSet<Digest> = twins.iter().map(|twin| twin.kept.digest()).collect();
        if digests.len() == 1 {
            twins.truncate(1);
            return twins;
        }
        let places: Vec<String> = twins.iter().map(|twin| twin.offer.place()).collect();
        for (index, twin) in twins.iter_mut().enumerate() {
            let other = places.get(usize::from(index == 0)).cloned();
            twin.step = Step::Refuse(Refusal::Twin {
                other: other.unwrap_or_default(),
            });
        }
        twins
    };
    by_id.into_values().flat_map(settle).collect()
}
