//! Whether there is something newer, and taking it over.
//!
//! ```text
//! lock, skills.toml ─ask each source once→ standings ─→ outdated
//!                                              └ fetch what changed, once for each source ─gate→ UpdatePlan ─→ one change
//! ```
//!
//! Nothing is taken over that nobody looked at: a plan holds, for each skill, what differs line by line, what it could
//! newly do, and what the scan newly found.

mod apply;
mod fetch;
mod plan;
mod standing;

use skillful_guard::Finding;
use skillful_store::journal::Entry;

use super::offer::{Kept, Offer};
use super::placement::Placement;
use super::plan::Refusal;
use crate::capability::CapabilityDiff;
use crate::difference::FileChange;
use crate::gate::Gated;
use crate::lock::LockedSkill;

pub use standing::{Standing, StandingKind};

/// What to update.
#[derive(Clone, Debug, Default)]
pub struct UpdateWish {
    /// Ids of installed skills; all of them when there is none.
    pub ids: Vec<String>,
    /// Whether skills go that their source has no more.
    pub prune: bool,
}

/// What an update would do.
#[derive(Debug, Default)]
pub struct UpdatePlan {
    /// One for each skill that was meant, sorted by id.
    pub skills: Vec<PlannedUpdate>,
    /// What is worth knowing about what was fetched.
    pub notes: Vec<String>,
}

/// What an update would do with one skill.
#[derive(Clone, Debug)]
pub struct PlannedUpdate {
    /// Its entry in the lock.
    pub locked: LockedSkill,
    /// How it stands with its source.
    pub standing: Standing,
    /// The commit that its source is now.
    pub commit: Option<String>,
    /// What is to be done.
    pub step: UpdateStep,
    /// The new version; nothing where none was looked at.
    pub next: Option<NextVersion>,
    /// What a person should know, in plain words.
    pub notes: Vec<String>,
}

/// What is to be done with one skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UpdateStep {
    /// Nothing: it is as its source has it, or it is not to be updated.
    Nothing,
    /// Its files are the same; the lock takes note of the newer state of the source.
    Record,
    /// It is replaced by the new version.
    Replace,
    /// The same, and it gets the id that its source calls it by now.
    Rename {
        /// The new id.
        to: String,
    },
    /// Its source has it no more. It stays, unless skills that are gone are to be removed.
    Gone,
    /// It is taken away.
    Remove,
    /// It stays as it is.
    Refuse(Refusal),
    /// Its source cannot be asked, with the reason.
    Unreachable(String),
}

impl UpdateStep {
    /// The word used in output.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Record => "record",
            Self::Replace => "replace",
            Self::Rename { .. } => "rename",
            Self::Gone => "gone",
            Self::Remove => "remove",
            Self::Refuse(_) => "refuse",
            Self::Unreachable(_) => "unreachable",
        }
    }
}

/// The new version of a skill.
#[derive(Clone, Debug)]
pub struct NextVersion {
    /// The skill, as it was found.
    pub offer: Offer,
    /// Its files.
    pub kept: Kept,
    /// What the gate says.
    pub gated: Gated,
    /// Where it goes.
    pub placements: Vec<Placement>,
    /// What differs, file by file.
    pub changes: Vec<FileChange>,
    /// What it could newly do, and no more.
    pub capabilities: CapabilityDiff,
    /// What the scan found that it did not find before.
    pub findings: Vec<Finding>,
    /// Why a person has to say yes to it in particular, in plain words.
    pub questions: Vec<String>,
}

/// What was done.
#[derive(Clone, Debug, Default)]
pub struct Updated {
    /// Ids of the skills that were replaced, as they are called now.
    pub updated: Vec<String>,
    /// Ids of the skills that were taken away.
    pub removed: Vec<String>,
    /// The entry in the history; nothing when there was nothing to do.
    pub entry: Option<Entry>,
}

impl UpdatePlan {
    /// Whether any skill would be replaced or taken away.
    pub fn changes_something(&self) -> bool {
        self.skills.iter().any(PlannedUpdate::changes_files)
    }

    /// Whether only the lock would take note of something.
    pub fn records_something(&self) -> bool {
        let mut steps = self.skills.iter().map(|skill| &skill.step);
        steps.any(|step| *step == UpdateStep::Record)
    }

    /// The skills that something stands against: refused, or not to be reached.
    pub fn has_failures(&self) -> bool {
        let is_failure =
            |step: &UpdateStep| matches!(step, UpdateStep::Refuse(_) | UpdateStep::Unreachable(_));
        self.skills.iter().any(|skill| is_failure(&skill.step))
    }
}

impl PlannedUpdate {
    /// Whether the skill would be replaced or taken away.
    pub fn changes_files(&self) -> bool {
        matches!(
            self.step,
            UpdateStep::Replace | UpdateStep::Rename { .. } | UpdateStep::Remove
        )
    }

    /// Why a person has to say yes to it in particular.
    pub fn questions(&self) -> &[String] {
        self.next.as_ref().map_or(&[], |next| &next.questions)
    }
}
