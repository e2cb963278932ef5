//! Records that end with the process: for tests, for hosts that keep none, and where no directory is known.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::choices::{Applied, Choice, Choices};
use crate::error::{Notice, StoreError};
use crate::key::Key;
use crate::limits;
use crate::store::{Records, Store};
use crate::time::Day;
use crate::usage::{DayUsage, Event, Usage};
use crate::verdicts::{Scanned, Sighting, Sightings};

/// Keeps records in memory. Never fails.
#[derive(Debug, Default)]
pub struct MemoryStore {
    memory: Mutex<Memory>,
}

#[derive(Debug, Default)]
struct Memory {
    records: Records,
    days: BTreeMap<Key, BTreeMap<Day, DayUsage>>,
    verdicts: Verdicts,
}

/// What scans came to under one set of rules. Each entry has a number, by which the oldest is known.
#[derive(Debug, Default)]
struct Verdicts {
    rules: String,
    next: u64,
    outcomes: BTreeMap<String, (u64, Vec<u8>)>,
    /// By place: number, stamp and digest.
    sightings: BTreeMap<String, (u64, Vec<u8>, String)>,
}

impl Verdicts {
    fn keep(&mut self, rules: &str, scanned: &[Scanned], most: usize) {
        if self.rules != rules {
            *self = Self {
                rules: rules.to_owned(),
                ..Self::default()
            };
        }
        for scanned in scanned.iter().filter(|scanned| scanned.is_kept()) {
            self.next += 1;
            let number = self.next;
            let known = self.outcomes.entry(scanned.digest.clone());
            known
                .or_insert((number, Vec::new()))
                .1
                .clone_from(&scanned.outcome);
            if let Some(seen) = &scanned.seen {
                let sighting = (number, seen.stamp.clone(), scanned.digest.clone());
                self.sightings.insert(seen.place.clone(), sighting);
            }
        }
        drop_oldest(&mut self.sightings, most, |(number, ..)| *number);
        drop_oldest(&mut self.outcomes, most, |(number, _)| *number);
        let outcomes = &self.outcomes;
        self.sightings
            .retain(|_, (_, _, digest)| outcomes.contains_key(digest));
    }

    fn sightings(&self) -> Sightings {
        let sighting = |(place, (_, stamp, digest)): (&String, &(u64, Vec<u8>, String))| {
            let (_, outcome) = self.outcomes.get(digest)?;
            let sighting = Sighting {
                stamp: stamp.clone(),
                digest: digest.clone(),
                outcome: outcome.clone(),
            };
            Some((place.clone(), sighting))
        };
        self.sightings.iter().filter_map(sighting).collect()
    }
}

/// Keeps no more than so many entries, those with the highest numbers.
fn drop_oldest<T>(entries: &mut BTreeMap<String, T>, most: usize, number: impl Fn(&T) -> u64) {
    if entries.len() <= most {
        return;
    }
    let mut numbers: Vec<u64> = entries.values().map(&number).collect();
    numbers.sort_unstable_by(|a, b| b.cmp(a));
    let Some(&newest_dropped) = numbers.get(most) else {
        return;
    };
    entries.retain(|_, entry| number(entry) > newest_dropped);
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

    fn sightings(&self, rules: &str) -> Result<Sightings, StoreError> {
        let memory = self.lock();
        let verdicts = &memory.verdicts;
        Ok(if verdicts.rules == rules {
            verdicts.sightings()
        } else {
            Sightings::new()
        })
    }

    fn outcome(&self, rules: &str, digest: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let memory = self.lock();
        let verdicts = &memory.verdicts;
        let known = verdicts
            .outcomes
            .get(digest)
            .filter(|_| verdicts.rules == rules);
        Ok(known.map(|(_, outcome)| outcome.clone()))
    }

    fn keep_verdicts(&self, rules: &str, scanned: &[Scanned]) -> Result<(), StoreError> {
        if !scanned.is_empty() {
            self.lock().verdicts.keep(rules, scanned, limits::VERDICTS);
        }
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdicts::Seen;

    #[test]
    fn the_oldest_verdicts_go_first() {
        let scanned = |digest: &str| Scanned {
            digest: digest.to_owned(),
            outcome: Vec::new(),
            seen: Some(Seen {
                place: format!("/{digest}"),
                stamp: Vec::new(),
            }),
        };
        let mut verdicts = Verdicts::default();
        verdicts.keep("1", &["a", "b", "c"].map(scanned), 2);
        let mut places: Vec<_> = verdicts.sightings().into_keys().collect();
        places.sort();
        assert_eq!(places, ["/b", "/c"]);
        assert_eq!(verdicts.outcomes.keys().collect::<Vec<_>>(), ["b", "c"]);
    }
}
