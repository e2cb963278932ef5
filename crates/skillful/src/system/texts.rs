//! The texts that were handed over, for the case that a file turns broken while an agent works with it.
//!
//! Only skills that were activated are kept, and not more than [`limits::KEPT_TEXTS_BYTES`]: the texts of all skills would
//! take more memory than everything else together.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::limits;
use crate::load::Skill;

/// The last good bytes of files, by path.
#[derive(Debug, Default)]
pub(super) struct Texts(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    files: HashMap<PathBuf, Vec<u8>>,
    bytes: usize,
}

impl Texts {
    /// Keeps the bytes of a skill's file as they are now.
    pub(super) fn keep(&self, skill: &Skill) {
        let Ok(bytes) = skill.content() else {
            return;
        };
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.bytes + bytes.len() > limits::KEPT_TEXTS_BYTES {
            // Whoever is still in use is kept again at the next use.
            *kept = Kept::default();
        }
        kept.bytes += bytes.len();
        if let Some(old) = kept.files.insert(skill.path.clone(), bytes) {
            kept.bytes -= old.len();
        }
    }

    /// What was kept of a skill's file.
    pub(super) fn of(&self, skill: &Skill) -> Option<Vec<u8>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.files.get(&skill.path).cloned()
    }
}
