//! What use showed of learned skills, and putting away those that do not help.

use std::path::PathBuf;

use skillful::records::key_of;
use skillful_store::{Activity, Applied, Archived, Choice, Event, Evidence};

use super::{LearnError, Learner};
use crate::limits;

/// A learned skill that does not help.
#[derive(Clone, Debug, PartialEq)]
pub struct Decayed {
    /// Its id.
    pub id: String,
    /// Its SKILL.md.
    pub path: PathBuf,
    /// What was seen of it.
    pub evidence: Evidence,
    /// The reason that is on record.
    pub reason: String,
    /// Whether it was put away; false where that was only looked at.
    pub archived: bool,
}

impl Learner<'_> {
    /// Puts away the learned skills of this place that were read at least [`limits::DECAY_READS`] times and of which it is
    /// less sure than [`limits::DECAY_CONFIDENCE`] that they help. Nothing is deleted, and pinned ones stay. With
    /// `dry_run` it is only told which they are.
    ///
    /// # Errors
    ///
    /// [`LearnError::Store`]; what was put away until then stays so.
    pub fn decay(&self, dry_run: bool) -> Result<Vec<Decayed>, LearnError> {
        let mut decayed = Vec::new();
        for skill in self.list()? {
            let evidence = skill.evidence;
            let helps = evidence.reads < limits::DECAY_READS
                || evidence.confidence() >= limits::DECAY_CONFIDENCE;
            if helps || skill.pinned || skill.archived.is_some() {
                continue;
            }
            let Evidence { reads, wins } = evidence;
            let reason = format!("it helped {wins} of {reads} times that it was read");
            if !dry_run {
                self.put_away(&skill.key, &reason)?;
            }
            decayed.push(Decayed {
                id: skill.id,
                path: skill.path,
                evidence,
                reason,
                archived: !dry_run,
            });
        }
        Ok(decayed)
    }

    /// Puts a skill away for a reason.
    pub(super) fn put_away(
        &self,
        key: &skillful_store::Key,
        reason: &str,
    ) -> Result<Applied, LearnError> {
        let archived = Archived {
            at: self.author.now(),
            reason: reason.parse().ok(),
        };
        Ok(self.records.choose(key, Choice::Archive(archived))?)
    }

    /// Counts that skills were read, and whether that went well. Each id counts once; unknown ones do not.
    ///
    /// # Errors
    ///
    /// [`LearnError::Store`]; nothing was counted then.
    pub fn reinforce(&self, ids: &[&str], success: bool) -> Result<usize, LearnError> {
        let library = self.search();
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        ids.dedup();
        let at = self.author.now();
        let skills = ids.iter().filter_map(|id| library.registry.get(id));
        let keys: Vec<_> = skills.map(|skill| key_of(skill)).collect();
        let mut events = Vec::new();
        for key in &keys {
            for activity in [Activity::Read, Activity::Win] {
                if activity == Activity::Read || success {
                    events.push(Event {
                        key: key.clone(),
                        activity,
                        at,
                    });
                }
            }
        }
        self.records.record(&events)?;
        Ok(keys.len())
    }
}
