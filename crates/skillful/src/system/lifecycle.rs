//! What people choose for skills: put away, brought back, pinned, approved.

use skillful_store::{Applied, Archived, Choice, Reason, StoreError};

use super::world::World;
use super::{Cause, SkillSystem};
use crate::guard::{self, AcceptError};
use crate::load::Skill;
use crate::records::{NoDigest, approval_of, key_of};
use crate::registry::LookUpError;
use crate::schedule::ChoiceError;

/// Why a choice was not made.
#[derive(Debug, thiserror::Error)]
pub enum LifecycleError {
    /// What was named does not lead to one skill.
    #[error(transparent)]
    LookUp(#[from] LookUpError),
    /// The records cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There are no files that an approval could hold for.
    #[error(transparent)]
    NoDigest(#[from] NoDigest),
    /// The skill is not what a person looked at.
    #[error(transparent)]
    Accept(#[from] AcceptError),
    /// There is no such schedule, or not one alone.
    #[error(transparent)]
    Schedule(#[from] ChoiceError),
}

impl SkillSystem {
    /// Puts a skill away: it leaves the catalog, and stays on disk.
    ///
    /// # Errors
    ///
    /// [`LifecycleError`]; nothing was chosen then.
    pub fn archive(&self, id: &str, reason: Option<Reason>) -> Result<Applied, LifecycleError> {
        let at = self.0.now();
        self.choose(id, |_| Ok(Choice::Archive(Archived { at, reason })))
    }

    /// Brings back a skill that was put away.
    ///
    /// # Errors
    ///
    /// As [`SkillSystem::archive`].
    pub fn restore(&self, id: &str) -> Result<Applied, LifecycleError> {
        self.choose(id, |_| Ok(Choice::Restore))
    }

    /// Keeps a skill from becoming stale, however little it is used.
    ///
    /// # Errors
    ///
    /// As [`SkillSystem::archive`].
    pub fn pin(&self, id: &str) -> Result<Applied, LifecycleError> {
        let at = self.0.now();
        self.choose(id, |_| Ok(Choice::Pin(at)))
    }

    /// Treats a pinned skill like any other.
    ///
    /// # Errors
    ///
    /// As [`SkillSystem::archive`].
    pub fn unpin(&self, id: &str) -> Result<Applied, LifecycleError> {
        self.choose(id, |_| Ok(Choice::Unpin))
    }

    /// Allows a skill something, such as [`crate::agent::INLINE_SHELL`], with its files as they are now.
    ///
    /// # Errors
    ///
    /// As [`SkillSystem::archive`]; [`LifecycleError::NoDigest`] when its files cannot be read; [`LifecycleError::Accept`]
    /// for [`guard::GUARD`], which [`SkillSystem::accept`] is for.
    pub fn approve(&self, id: &str, what: &str) -> Result<Applied, LifecycleError> {
        let at = self.0.now();
        self.choose(id, |skill| {
            if what == guard::GUARD {
                return Err(AcceptError::Unseen(skill.id.clone()).into());
            }
            let what = what.to_owned();
            let approval = approval_of(skill, at)?;
            Ok(Choice::Approve { what, approval })
        })
    }

    /// Accepts the files of a skill whatever the guard found in them. `digest` is that of the files that a person looked
    /// at. To be called for a person alone, never for an agent.
    ///
    /// # Errors
    ///
    /// As [`SkillSystem::archive`]; [`LifecycleError::Accept`] when the files are other ones by now.
    pub fn accept(
        &self,
        id: &str,
        digest: &str,
        reason: Reason,
    ) -> Result<Applied, LifecycleError> {
        let at = self.0.now();
        self.choose(id, |skill| Ok(guard::accept(skill, digest, reason, at)?))
    }

    /// Takes back what a skill was allowed, or, for [`guard::GUARD`], that its files were accepted.
    ///
    /// # Errors
    ///
    /// As [`SkillSystem::archive`].
    pub fn withdraw(&self, id: &str, what: &str) -> Result<Applied, LifecycleError> {
        let what = what.to_owned();
        self.choose(id, |_| Ok(Choice::Withdraw { what }))
    }

    /// Makes a choice for the skill that is meant.
    pub(super) fn choose(
        &self,
        id: &str,
        choice: impl FnOnce(&Skill) -> Result<Choice, LifecycleError>,
    ) -> Result<Applied, LifecycleError> {
        let snapshot = self.snapshot();
        let skill = snapshot.find(id)?;
        let applied = self.0.store.choose(&key_of(skill), choice(skill)?)?;
        self.0.tell_notices();
        if applied == Applied::Changed {
            self.0.update(Cause::Files, World::judge_anew);
        }
        Ok(applied)
    }
}
