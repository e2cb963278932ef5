//! Whether files are still those that were looked at, asked again and again: what was read once is recognised by its
//! stamp.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use skillful_store::Timestamp;

use super::gather::gather_skill;
use super::inspection::Inspection;
use super::outcome::ContentName;
use super::stamp::Stamp;
use crate::limits;
use crate::load::Skill;

/// The stamps of files that were read, and the names of what was in them.
#[derive(Debug, Default)]
pub(crate) struct Unchanged(Mutex<HashMap<PathBuf, (Stamp, ContentName)>>);

impl Unchanged {
    /// Whether the files of a skill are, at this time, those that were looked at.
    pub(crate) fn is_unchanged(
        &self,
        skill: &Skill,
        inspection: &Inspection,
        now: Timestamp,
    ) -> bool {
        let stamp = Stamp::of(skill);
        if let Some(stamp) = &stamp
            && let Some((known, content)) = self.lock().get(&skill.path)
            && known == stamp
        {
            return content == inspection.content();
        }
        let content = ContentName::of(skill, &gather_skill(skill));
        let is_same = content == *inspection.content();
        if let Some(stamp) = stamp.filter(|stamp| stamp.is_settled(now.as_seconds())) {
            let mut known = self.lock();
            if known.len() >= limits::SEEN_SKILLS {
                known.clear();
            }
            known.insert(skill.path.clone(), (stamp, content));
        }
        is_same
    }

    /// A thread that panicked left whole entries.
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<PathBuf, (Stamp, ContentName)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
