//! Making a change, and taking it back when something is in the way.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use skillful_store::journal::{Entry, JournalError, NewEntry, Swap};

use super::error::{ChangeError, Mismatch, PathFault};
use super::intent::Intent;
use super::observer::Step;
use super::plan::Undone;
use super::slot::Slot;
use super::{Change, Writer, directories};
use crate::objects::Kept;
use crate::place::Place;
use crate::{disk, limits};

impl Writer {
    /// Makes a change: all of it, or nothing when there is an error.
    ///
    /// # Errors
    ///
    /// [`ChangeError::Changed`] when a path is not in the state that the change was planned for; see [`ChangeError`] for
    /// everything else.
    pub fn commit(&mut self, change: Change) -> Result<Entry, ChangeError> {
        let entry = self.plan(change, Undone::default())?;
        self.carry_out(entry)
    }

    /// Makes a change that was checked.
    pub(super) fn carry_out(&mut self, mut entry: NewEntry) -> Result<Entry, ChangeError> {
        self.report(Step::Checked, self.data.path())?;
        entry.bytes = self.keep(&entry.swaps)?;
        let mut intent = Intent::record(&self.data.intents(), entry)?;
        if let Err(error) = self.stage(&intent.entry).and_then(|()| intent.decide()) {
            return Err(self.abandon(intent, error));
        }
        match self.swap_and_note(&intent.entry) {
            Ok(entry) => {
                // What cannot be cleaned now is cleaned by the next writer, which the intent tells of it.
                if self.clean(&intent.entry).is_ok() {
                    let _ = intent.remove();
                }
                Ok(entry)
            }
            Err(error) => Err(self.take_back(intent, error)),
        }
    }

    /// Makes objects of what targets hold. Gives how many bytes that is.
    fn keep(&self, swaps: &[Swap]) -> Result<u64, ChangeError> {
        let mut bytes = 0;
        for swap in swaps {
            match self.objects.keep(&swap.before, &swap.path)? {
                Kept::Bytes(kept) => bytes += kept,
                Kept::Other(found) => {
                    return Err(ChangeError::Changed(vec![Mismatch {
                        path: swap.path.clone(),
                        expected: swap.before.clone(),
                        found,
                    }]));
                }
            }
            self.report(Step::Kept(&swap.path), &swap.path)?;
        }
        Ok(bytes)
    }

    /// Puts the new content beside every target, and waits until it is on the disk.
    fn stage(&self, entry: &NewEntry) -> Result<(), ChangeError> {
        self.report(Step::Recorded, self.data.path())?;
        for directory in &entry.made_directories {
            directories::make(directory)?;
            self.report(Step::MadeDirectory(directory), directory)?;
        }
        let slots = self.slots(entry)?;
        let mut nodes = 0;
        for slot in &slots {
            nodes += slot.stage(&self.objects)?;
            self.report(Step::Staged(&slot.swap.path), &slot.swap.path)?;
        }
        make_durable(&slots, nodes)?;
        for directory in &entry.made_directories {
            sync_parent(directory)?;
        }
        Ok(())
    }

    fn swap_and_note(&self, entry: &NewEntry) -> Result<Entry, ChangeError> {
        self.report(Step::Decided, self.data.path())?;
        let slots = self.slots(entry)?;
        for slot in &slots {
            let path = &slot.swap.path;
            slot.forward(&|step| self.options.observer.reached(step))?;
            self.report(Step::Swapped(path), path)?;
        }
        sync_parents(&slots)?;
        for slot in &slots {
            slot.confirm()?;
            self.report(Step::Confirmed(&slot.swap.path), &slot.swap.path)?;
        }
        let noted = self.note(entry)?;
        let _ = self.options.observer.reached(Step::Journaled);
        Ok(noted)
    }

    /// Adds the entry to the journal, unless it is there.
    pub(super) fn note(&self, entry: &NewEntry) -> Result<Entry, ChangeError> {
        match self.journal.append(entry.clone()) {
            Ok(entry) => Ok(entry),
            // A journal that could not say so may have added it all the same.
            Err(error @ JournalError::Store(_)) => match self.journal.entry_of(&entry.id) {
                Ok(Some(entry)) => Ok(entry),
                _ => Err(error.into()),
            },
            Err(error) => Err(error.into()),
        }
    }

    /// Removes what is beside targets, and the directories that are no longer needed.
    pub(super) fn clean(&self, entry: &NewEntry) -> Result<(), ChangeError> {
        for slot in self.slots_that_exist(entry)? {
            slot.clean()?;
            let _ = self
                .options
                .observer
                .reached(Step::Removed(&slot.swap.path));
        }
        directories::remove_empty(&entry.vacated_directories);
        Ok(())
    }

    /// Ends a change that was not decided.
    pub(super) fn abandon(&self, intent: Intent, error: ChangeError) -> ChangeError {
        let abandoned = || {
            for slot in self.slots_that_exist(&intent.entry)? {
                slot.clean()?;
            }
            directories::remove_empty(&intent.entry.made_directories);
            Ok::<(), ChangeError>(())
        };
        match abandoned() {
            Ok(()) => {
                let _ = intent.remove();
                error
            }
            Err(reason) => ChangeError::NotTakenBack {
                error: Box::new(error),
                reason: reason.to_string(),
            },
        }
    }

    /// Takes back a change that was decided, the last swap first.
    fn take_back(&self, intent: Intent, error: ChangeError) -> ChangeError {
        let mut left_alone = Vec::new();
        let mut taken_back = || {
            let slots = self.slots_that_exist(&intent.entry)?;
            for slot in slots.iter().rev() {
                if !slot.back(&self.objects)? {
                    left_alone.push(slot.swap.path.clone());
                }
            }
            sync_parents(&slots)
        };
        if let Err(reason) = taken_back() {
            return ChangeError::NotTakenBack {
                error: Box::new(error),
                reason: reason.to_string(),
            };
        }
        let error = if left_alone.is_empty() {
            error
        } else {
            ChangeError::LeftAlone {
                error: Box::new(error),
                left_alone,
            }
        };
        self.abandon(intent, error)
    }

    /// The targets of a change, each with the directory that it lies in.
    fn slots<'a>(&self, entry: &'a NewEntry) -> Result<Vec<Slot<'a>>, ChangeError> {
        let mut slots = Vec::new();
        for (index, swap) in entry.swaps.iter().enumerate() {
            match Place::open(&swap.path)? {
                Some(place) => slots.push(Slot::new(&entry.id, index, swap, place, self.method())),
                // Nothing is there, and nothing is to be.
                None if swap.after.is_absent() => {}
                None => {
                    return Err(ChangeError::Path {
                        path: swap.path.clone(),
                        fault: PathFault::NoDirectory,
                    });
                }
            }
        }
        Ok(slots)
    }

    /// The same without those whose directory is gone.
    pub(super) fn slots_that_exist<'a>(
        &self,
        entry: &'a NewEntry,
    ) -> Result<Vec<Slot<'a>>, ChangeError> {
        let mut slots = Vec::new();
        for (index, swap) in entry.swaps.iter().enumerate() {
            if let Some(place) = Place::open(&swap.path)? {
                slots.push(Slot::new(&entry.id, index, swap, place, self.method()));
            }
        }
        Ok(slots)
    }

    /// Tells the observer of a step; `path` is what an error is about.
    fn report(&self, step: Step<'_>, path: &Path) -> Result<(), ChangeError> {
        self.options
            .observer
            .reached(step)
            .map_err(ChangeError::io(path))
    }
}

/// Waits until everything that was staged is on the disk. Of much, by asking each file system that it lies on.
fn make_durable(slots: &[Slot<'_>], nodes: usize) -> Result<(), ChangeError> {
    let mut synced = BTreeSet::new();
    for slot in slots {
        let here = |error| ChangeError::io(&slot.swap.path)(error);
        if nodes > limits::SYNCED_ONE_BY_ONE {
            let device = disk::device(&slot.place.parent).map_err(here)?;
            if synced.contains(&device) {
                continue;
            }
            if disk::sync_file_system(&slot.place.parent).map_err(here)? {
                synced.insert(device);
                continue;
            }
        }
        slot.sync_staged()?;
    }
    sync_parents(slots)
}

/// Waits until the names of all targets, and of what is beside them, are on the disk.
pub(super) fn sync_parents(slots: &[Slot<'_>]) -> Result<(), ChangeError> {
    let parents: BTreeMap<_, _> = slots
        .iter()
        .map(|slot| (slot.swap.path.parent(), slot))
        .collect();
    for slot in parents.values() {
        disk::sync_directory(&slot.place.parent).map_err(ChangeError::io(&slot.swap.path))?;
    }
    Ok(())
}

fn sync_parent(directory: &Path) -> Result<(), ChangeError> {
    match Place::open(directory)? {
        Some(place) => disk::sync_directory(&place.parent).map_err(ChangeError::io(directory)),
        None => Ok(()),
    }
}
