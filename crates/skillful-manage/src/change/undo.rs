//! Taking a change back by making its inverse.

use std::collections::BTreeMap;
use std::path::PathBuf;

use skillful_store::journal::{Actor, ChangeId, Entry, JournalError, Operation, Query, Swap};

use super::error::ChangeError;
use super::plan::Undone;
use super::{Change, Writer};

impl Writer {
    /// Undoes the change of this number, as a change of its own. To undo an undo is to make the change again.
    ///
    /// # Errors
    ///
    /// [`JournalError::AlreadyUndone`] and [`JournalError::NoEntry`], as [`ChangeError::Journal`];
    /// [`ChangeError::ChangedSince`] when what it changed was changed again.
    pub fn undo(&mut self, seq: u64, actor: Actor) -> Result<Entry, ChangeError> {
        let entry = self.journal.entry(seq)?;
        let entry = entry.ok_or(JournalError::NoEntry { seq })?;
        if let Some(by) = entry.undone_by {
            return Err(JournalError::AlreadyUndone { seq, by }.into());
        }
        self.take_back_entries(&[entry], actor)
    }

    /// Undoes the newest change that a query asks for and that is neither undone nor an undo: again and again, it goes
    /// further back.
    ///
    /// # Errors
    ///
    /// [`ChangeError::NothingToUndo`]; else as [`Self::undo`].
    pub fn undo_last(&mut self, query: &Query, actor: Actor) -> Result<Entry, ChangeError> {
        let newest = self.journal.entries(&query.clone().undoable().limit(1))?;
        let newest = newest.first().ok_or(ChangeError::NothingToUndo)?;
        self.undo(newest.seq, actor)
    }

    /// Undoes all changes of a transaction that are not undone, in one step.
    ///
    /// # Errors
    ///
    /// [`ChangeError::NothingToUndo`] where there are none; [`ChangeError::NotOneStep`] where other changes came in
    /// between; else as [`Self::undo`].
    pub fn undo_transaction(
        &mut self,
        transaction: &ChangeId,
        actor: Actor,
    ) -> Result<Entry, ChangeError> {
        let query = Query::transaction(transaction.clone()).undoable();
        let entries = self.journal.entries(&query)?;
        if entries.is_empty() {
            return Err(ChangeError::NothingToUndo);
        }
        self.take_back_entries(&entries, actor)
    }

    /// Makes the inverse of all these entries, which are given newest first.
    fn take_back_entries(&mut self, entries: &[Entry], actor: Actor) -> Result<Entry, ChangeError> {
        let Some(newest) = entries.first() else {
            return Err(ChangeError::NothingToUndo);
        };
        let operation = if newest.operation == Operation::UNDO {
            Operation::REDO
        } else {
            Operation::UNDO
        };
        let mut change = Change::new(operation, actor).saying(message(newest));
        for entry in entries {
            for skill in &entry.skills {
                if !change.skills.contains(skill) {
                    change.skills.push(skill.clone());
                }
            }
        }
        change.swaps = inverse(entries)?;
        let undone = Undone {
            undoes: entries.iter().map(|entry| entry.seq).collect(),
            vacated_directories: vacated(entries),
        };
        let planned = self.plan(change, undone).map_err(|error| match error {
            ChangeError::Changed(paths) => ChangeError::ChangedSince {
                seq: newest.seq,
                paths,
            },
            error => error,
        })?;
        self.carry_out(planned)
    }
}

fn message(entry: &Entry) -> String {
    if entry.message.is_empty() {
        format!("{} {}", entry.operation, entry.skills.join(", "))
    } else {
        entry.message.clone()
    }
}

/// One swap for each path, from what the newest entry left there to what the oldest found.
fn inverse(entries: &[Entry]) -> Result<Vec<Swap>, ChangeError> {
    let mut swaps: BTreeMap<&PathBuf, Swap> = BTreeMap::new();
    for entry in entries {
        for swap in &entry.swaps {
            match swaps.get_mut(&swap.path) {
                None => {
                    swaps.insert(&swap.path, swap.inverse());
                }
                Some(composed) if composed.after == swap.after => {
                    composed.after = swap.before.clone();
                }
                Some(_) => {
                    return Err(ChangeError::NotOneStep {
                        transaction: entry.transaction.to_string(),
                        path: swap.path.clone(),
                    });
                }
            }
        }
    }
    Ok(swaps.into_values().collect())
}

/// The directories that were made by what is undone, outermost first.
fn vacated(entries: &[Entry]) -> Vec<PathBuf> {
    let made = entries.iter().flat_map(|entry| &entry.made_directories);
    let mut directories: Vec<PathBuf> = made.cloned().collect();
    directories.sort();
    directories.dedup();
    directories
}
