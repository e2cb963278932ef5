//! A journal that ends with the process: for tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{
    ChangeId, Entry, Journal, JournalError, NewEntry, Pruned, Query, Retention, State, StoreError,
};
use crate::time::Timestamp;

/// Keeps the journal in memory. Nothing but what is asked for fails.
#[derive(Debug, Default)]
pub struct MemoryJournal {
    memory: Mutex<Memory>,
}

#[derive(Debug, Default)]
struct Memory {
    last: u64,
    entries: BTreeMap<u64, Entry>,
    places: BTreeMap<PathBuf, State>,
}

impl MemoryJournal {
    /// A journal without entries.
    pub fn new() -> Self {
        Self::default()
    }

    /// A thread that panicked while it held the memory left whole entries.
    fn lock(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Journal for MemoryJournal {
    fn append(&self, entry: NewEntry) -> Result<Entry, JournalError> {
        let mut memory = self.lock();
        for seq in &entry.undoes {
            let undone = memory.entries.get(seq);
            let undone = undone.ok_or(JournalError::NoEntry { seq: *seq })?;
            if let Some(by) = undone.undone_by {
                return Err(JournalError::AlreadyUndone { seq: *seq, by });
            }
        }
        let seq = memory.last + 1;
        memory.last = seq;
        for undone in &entry.undoes {
            if let Some(undone) = memory.entries.get_mut(undone) {
                undone.undone_by = Some(seq);
            }
        }
        for swap in &entry.swaps {
            if swap.after.is_absent() {
                memory.places.remove(&swap.path);
            } else {
                memory.places.insert(swap.path.clone(), swap.after.clone());
            }
        }
        let entry = Entry {
            seq,
            entry,
            undone_by: None,
        };
        memory.entries.insert(seq, entry.clone());
        Ok(entry)
    }

    fn entry(&self, seq: u64) -> Result<Option<Entry>, StoreError> {
        Ok(self.lock().entries.get(&seq).cloned())
    }

    fn entry_of(&self, change: &ChangeId) -> Result<Option<Entry>, StoreError> {
        let memory = self.lock();
        let mut entries = memory.entries.values();
        Ok(entries.find(|entry| entry.id == *change).cloned())
    }

    fn entries(&self, query: &Query) -> Result<Vec<Entry>, StoreError> {
        let memory = self.lock();
        let asked_for = memory.entries.values().rev();
        Ok(asked_for
            .filter(|entry| query.asks_for(entry))
            .take(query.limit.unwrap_or(usize::MAX))
            .cloned()
            .collect())
    }

    fn places(&self) -> Result<BTreeMap<PathBuf, State>, StoreError> {
        Ok(self.lock().places.clone())
    }

    fn place(&self, path: &Path) -> Result<Option<State>, StoreError> {
        Ok(self.lock().places.get(path).cloned())
    }

    fn states(&self) -> Result<BTreeSet<State>, StoreError> {
        let memory = self.lock();
        let swaps = memory.entries.values().flat_map(|entry| &entry.swaps);
        Ok(swaps
            .flat_map(|swap| [&swap.before, &swap.after])
            .chain(memory.places.values())
            .cloned()
            .collect())
    }

    fn prune(&self, retention: &Retention, now: Timestamp) -> Result<Pruned, StoreError> {
        let mut memory = self.lock();
        let newest_first = memory.entries.values().rev();
        let oldest = retention
            .oldest(newest_first.map(|entry| (entry.seq, now.days_since(entry.at), entry.bytes)));
        let Some(oldest) = oldest else {
            return Ok(Pruned::default());
        };
        let kept = memory.entries.split_off(&oldest);
        let pruned = std::mem::replace(&mut memory.entries, kept);
        Ok(Pruned {
            entries: pruned.len() as u64,
        })
    }
}
