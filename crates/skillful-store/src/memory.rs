//! Records that end with the process: for tests, for hosts that keep none, and where no directory is known.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::choices::{Applied, Choice, Choices};
use crate::error::{Notice, StoreError};
use crate::key::Key;
use crate::store::{Records, Store};
use crate::time::Day;
use crate::usage::{DayUsage, Event, Usage};

/// Keeps records in memory. Never fails.
#[derive(Debug, Default)]
pub struct MemoryStore {
    memory: Mutex<Memory>,
}

#[derive(Debug, Default)]
struct Memory {
    records: Records,
    days: BTreeMap<Key, BTreeMap<Day, DayUsage>>,
}

impl MemoryStore {
    /// A store without records.
    pub fn new() -> Self {
        Self::default()
    }

    /// A thread that panicked while it held the memory left whole records: each change is one call.
    fn lock(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for MemoryStore {
    fn record(&self, events: &[Event]) -> Result<(), StoreError> {
        let mut memory = self.lock();
        let memory = &mut *memory;
        for Event { key, activity, at } in events {
            let usage = memory.records.usage.entry(key.clone()).or_default();
            usage.count(*activity, *at);
            let days = memory.days.entry(key.clone()).or_default();
            let day = days
                .entry(at.day())
                .or_insert_with_key(|day| DayUsage::empty(*day));
            day.add(*activity, 1);
        }
        Ok(())
    }

    fn usage(&self, key: &Key) -> Result<Usage, StoreError> {
        let memory = self.lock();
        Ok(memory.records.usage.get(key).copied().unwrap_or_default())
    }

    fn usages(&self) -> Result<BTreeMap<Key, Usage>, StoreError> {
        Ok(self.lock().records.usage.clone())
    }

    fn days(&self, key: &Key, days: RangeInclusive<Day>) -> Result<Vec<DayUsage>, StoreError> {
        if days.is_empty() {
            return Ok(Vec::new());
        }
        let memory = self.lock();
        let known = memory.days.get(key);
        Ok(known
            .into_iter()
            .flat_map(|known| known.range(days.clone()))
            .map(|(_, day)| *day)
            .collect())
    }

    fn choices(&self) -> Result<Choices, StoreError> {
        Ok(self.lock().records.choices.clone())
    }

    fn choose(&self, key: &Key, choice: Choice) -> Result<Applied, StoreError> {
        Ok(self.lock().records.choices.apply(key, choice))
    }

    fn rename(&self, from: &Key, to: &Key) -> Result<(), StoreError> {
        if from == to {
            return Ok(());
        }
        let mut memory = self.lock();
        memory.records.choices.rename(from, to);
        let usage = memory.records.usage.remove(from);
        memory.records.usage.remove(to);
        memory
            .records
            .usage
            .extend(usage.map(|usage| (to.clone(), usage)));
        let days = memory.days.remove(from);
        memory.days.remove(to);
        memory.days.extend(days.map(|days| (to.clone(), days)));
        Ok(())
    }

    fn forget_usage(&self, key: &Key) -> Result<(), StoreError> {
        let mut memory = self.lock();
        memory.records.usage.remove(key);
        memory.days.remove(key);
        Ok(())
    }

    fn take_notices(&self) -> Vec<Notice> {
        Vec::new()
    }
}
