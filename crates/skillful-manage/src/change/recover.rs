//! Finishing what a killed process left.

use std::path::PathBuf;

use skillful_store::journal::{ChangeId, Entry, Operation, State};

use super::commit::sync_parents;
use super::error::ChangeError;
use super::intent::Intent;
use super::slot::{Settled, Slot};
use super::{Writer, directories};
use crate::place::Place;

/// A change that a process left unfinished when it was killed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// The change.
    pub change: ChangeId,
    /// What it was to do.
    pub operation: Operation,
    /// Ids of the skills that it is about.
    pub skills: Vec<String>,
    /// What became of it.
    pub outcome: Outcome,
    /// Paths that somebody changed in the meantime. They were left alone, and are no part of the entry in the journal.
    pub left_alone: Vec<PathBuf>,
}

/// What became of an unfinished change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It had not been decided; everything is as before.
    NotMade,
    /// It was completed; this is its number in the journal.
    Completed(u64),
    /// It had been made, and what it left beside targets was removed; this is its number in the journal.
    Cleaned(u64),
}

impl Writer {
    /// Finishes all that is unfinished.
    pub(super) fn recover(&mut self) -> Result<(), ChangeError> {
        for intent in Intent::left(&self.data.intents())? {
            let path = intent.path.clone();
            let recovered = self.finish(intent).map_err(|error| ChangeError::Recovery {
                intent: path,
                error: Box::new(error),
            })?;
            self.recovered.push(recovered);
        }
        Ok(())
    }

    fn finish(&self, intent: Intent) -> Result<Recovered, ChangeError> {
        let mut recovered = Recovered {
            change: intent.entry.id.clone(),
            operation: intent.entry.operation.clone(),
            skills: intent.entry.skills.clone(),
            outcome: Outcome::NotMade,
            left_alone: Vec::new(),
        };
        if let Some(entry) = self.journal.entry_of(&intent.entry.id)? {
            recovered.outcome = Outcome::Cleaned(entry.seq);
            self.clean(&intent.entry)?;
        } else if intent.is_decided {
            let (entry, left_alone) = self.complete(&intent)?;
            recovered.left_alone = left_alone;
            if let Some(entry) = entry {
                recovered.outcome = Outcome::Completed(entry.seq);
            }
            self.clean(&intent.entry)?;
        } else {
            for slot in self.slots_that_exist(&intent.entry)? {
                slot.clean()?;
            }
            directories::remove_empty(&intent.entry.made_directories);
        }
        let path = intent.path.clone();
        intent.remove().map_err(ChangeError::io(&path))?;
        Ok(recovered)
    }

    /// Completes a change that was decided. Gives its entry, unless nothing of it could be done, and the paths that were
    /// left alone.
    fn complete(&self, intent: &Intent) -> Result<(Option<Entry>, Vec<PathBuf>), ChangeError> {
        let mut entry = intent.entry.clone();
        let mut left_alone = Vec::new();
        for directory in &intent.entry.made_directories {
            directories::make(directory)?;
        }
        entry.swaps.clear();
        let mut slots = Vec::new();
        for (index, swap) in intent.entry.swaps.iter().enumerate() {
            let Some(place) = Place::open(&swap.path)? else {
                // The directory went, and what it held with it.
                if swap.after == State::Absent {
                    entry.swaps.push(swap.clone());
                } else {
                    left_alone.push(swap.path.clone());
                }
                continue;
            };
            let slot = Slot::new(&intent.entry.id, index, swap, place, self.method());
            let report = |step: super::Step<'_>| self.options.observer.reached(step);
            let settled = match slot.settle(&self.objects, &report) {
                // What cannot be kept was not put there by us.
                Err(ChangeError::Read(error)) if !is_trouble(&error) => Settled::LeftAlone,
                // Somebody changed it between looking and moving.
                Err(ChangeError::Changed(_)) => Settled::LeftAlone,
                settled => settled?,
            };
            match settled {
                Settled::Done => entry.swaps.push(swap.clone()),
                Settled::DoneOver(before) => {
                    let mut swap = swap.clone();
                    swap.before = before;
                    entry.swaps.push(swap);
                }
                Settled::LeftAlone => left_alone.push(swap.path.clone()),
            }
            slots.push(slot);
        }
        sync_parents(&slots)?;
        if entry.swaps.is_empty() {
            return Ok((None, left_alone));
        }
        Ok((Some(self.note(&entry)?), left_alone))
    }
}

/// Whether a path could not be read because of trouble with the disk, rather than for what is there.
fn is_trouble(error: &crate::ReadError) -> bool {
    matches!(error, crate::ReadError::Io { .. })
}
