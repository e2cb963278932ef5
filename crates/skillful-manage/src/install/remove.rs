//! Taking skills away, and making them known to more clients or to fewer.

use std::path::{Path, PathBuf};

use skillful_store::journal::{Entry, Operation, State, Swap};

use super::Installer;
use super::apply::Records;
use super::error::InstallError;
use super::placement::placements;
use super::restore::relative_link;
use crate::change::{Change, Writer};
use crate::lock::{Lock, LockedSkill, LockedTarget};
use crate::state::observe;
use crate::targets::Method;

/// What was taken away.
#[derive(Clone, Debug)]
pub struct Removed {
    /// The ids of the skills, sorted.
    pub ids: Vec<String>,
    /// The paths that were taken away.
    pub paths: Vec<PathBuf>,
    /// The entry in the history.
    pub entry: Entry,
}

/// What was made known, or is no longer.
#[derive(Clone, Debug)]
pub struct Linked {
    /// The skill's id.
    pub id: String,
    /// The places that are new, or gone.
    pub paths: Vec<PathBuf>,
    /// The entry in the history; nothing when there was nothing to do.
    pub entry: Option<Entry>,
}

impl Installer<'_> {
    /// Takes skills away from everywhere they were put. Their files are kept and come back by an undo.
    ///
    /// # Errors
    ///
    /// [`InstallError::NotInstalled`], and [`InstallError::Edited`] for a place that was changed since unless edits are
    /// to be discarded. Nothing was changed then.
    pub fn remove(&self, ids: &[String]) -> Result<Removed, InstallError> {
        let mut writer = Writer::open(&self.data)?;
        let mut records = Records::read(self)?;
        let mut change = Change::new(Operation::REMOVE, self.actor.clone());
        let mut paths = Vec::new();
        let mut ids = ids.to_vec();
        ids.sort();
        ids.dedup();
        for id in &ids {
            let skill = find(&records.lock, id)?.clone();
            change = change.about(id);
            for target in &skill.targets {
                let path = self.place(&skill, &target.path)?;
                if let Some(swap) = self.taken_away(&skill, &path)? {
                    change = change.swap(swap);
                    paths.push(path);
                }
            }
            records
                .forget(id)
                .map_err(|fault| fault.at(&self.files.wanted))?;
        }
        let change = records.swap_into(self, writer.objects(), change)?;
        let entry = writer.commit(change)?;
        Ok(Removed { ids, paths, entry })
    }

    /// Makes an installed skill known to the clients of this installer.
    ///
    /// # Errors
    ///
    /// [`InstallError::NotInstalled`], [`InstallError::NotCached`] when its files are nowhere, and
    /// [`InstallError::Edited`] where something else is in the way.
    pub fn link(&self, id: &str) -> Result<Linked, InstallError> {
        let mut writer = Writer::open(&self.data)?;
        let mut records = Records::read(self)?;
        let mut skill = find(&records.lock, id)?.clone();
        let missing = || InstallError::NotCached {
            ids: vec![id.to_owned()],
        };
        let tree = skill.digest.parse().map_err(|_| missing())?;
        if !writer.objects().contains(&State::Tree { digest: tree }) {
            return Err(missing());
        }
        let mut directories = self.directories()?;
        // The files are where they are; what is added leads to them.
        if let Some(first) = skill.targets.first() {
            let first = self.place(&skill, &first.path)?;
            if let Some(parent) = first.parent()
                && directories.iter().all(|directory| directory.path != parent)
            {
                let held = crate::targets::Directory {
                    path: parent.to_owned(),
                    client: None,
                    method: Method::Copy,
                    readers: Vec::new(),
                };
                for directory in &mut directories {
                    if !self.copy {
                        directory.method = Method::Link;
                    }
                }
                directories.insert(0, held);
            }
        }
        let placed = placements(&directories, id, &tree, &self.reach, writer.objects())?;
        let mut change = Change::new(Operation::LINK, self.actor.clone()).about(id);
        let mut paths = Vec::new();
        for placement in placed {
            let text = self.files.shorten(&placement.path);
            if skill.targets.iter().any(|target| target.path == text) {
                continue;
            }
            if !placement.before.is_absent() && !placement.is_done() {
                return Err(InstallError::Edited {
                    id: id.to_owned(),
                    path: placement.path,
                });
            }
            if !placement.is_done() {
                change = change.swap(Swap::new(
                    &placement.path,
                    placement.before,
                    placement.after,
                ));
            }
            skill.targets.push(LockedTarget {
                path: text,
                client: placement.client.as_deref().map(str::to_owned),
                method: placement.method,
            });
            paths.push(placement.path);
        }
        if paths.is_empty() {
            return Ok(Linked {
                id: id.to_owned(),
                paths,
                entry: None,
            });
        }
        records.lock.insert(skill);
        let change = records.swap_into(self, writer.objects(), change)?;
        let entry = writer.commit(change)?;
        Ok(Linked {
            id: id.to_owned(),
            paths,
            entry: Some(entry),
        })
    }

    /// Takes an installed skill from the clients of this installer.
    ///
    /// # Errors
    ///
    /// As [`Installer::remove`], and [`InstallError::LastPlace`] when nothing would be left of it.
    pub fn unlink(&self, id: &str) -> Result<Linked, InstallError> {
        let mut writer = Writer::open(&self.data)?;
        let mut records = Records::read(self)?;
        let mut skill = find(&records.lock, id)?.clone();
        let directories = self.directories()?;
        let is_meant = |target: &LockedTarget| {
            let path = self.files.expand(&self.reach, &target.path);
            let parent = path.as_deref().and_then(Path::parent);
            directories
                .iter()
                .any(|directory| Some(directory.path.as_path()) == parent)
        };
        let (gone, mut kept): (Vec<_>, Vec<_>) = skill.targets.iter().cloned().partition(is_meant);
        let leads_here = |target: &LockedTarget| target.method == Method::Copy;
        let mut change = Change::new(Operation::UNLINK, self.actor.clone()).about(id);
        let mut paths = Vec::new();
        if kept.is_empty() {
            return Err(InstallError::LastPlace { id: id.to_owned() });
        }
        for target in &gone {
            let path = self.place(&skill, &target.path)?;
            if let Some(swap) = self.taken_away(&skill, &path)? {
                change = change.swap(swap);
                paths.push(path);
            }
        }
        if gone.iter().any(leads_here) && !kept.iter().any(leads_here) {
            change = self.hand_over(&skill, &mut kept, change)?;
        }
        if gone.is_empty() {
            return Ok(Linked {
                id: id.to_owned(),
                paths,
                entry: None,
            });
        }
        skill.targets = kept;
        records.lock.insert(skill);
        let change = records.swap_into(self, writer.objects(), change)?;
        let entry = writer.commit(change)?;
        Ok(Linked {
            id: id.to_owned(),
            paths,
            entry: Some(entry),
        })
    }

    /// Where the place that holds the files goes, the first of the others gets them, and the rest lead there.
    fn hand_over(
        &self,
        skill: &LockedSkill,
        kept: &mut [LockedTarget],
        mut change: Change,
    ) -> Result<Change, InstallError> {
        let tree = skill.digest.parse().map_err(|_| InstallError::NotCached {
            ids: vec![skill.id.clone()],
        })?;
        let mut first: Option<PathBuf> = None;
        for target in kept {
            let path = self.place(skill, &target.path)?;
            let after = match &first {
                None => {
                    target.method = Method::Copy;
                    State::Tree { digest: tree }
                }
                Some(first) => relative_link(&path, first),
            };
            let before = observe(&path)?;
            if !self.discard_edits && !self.is_as_placed(&before, skill, &path)? {
                return Err(InstallError::Edited {
                    id: skill.id.clone(),
                    path,
                });
            }
            if before != after {
                change = change.swap(Swap::new(&path, before, after));
            }
            first.get_or_insert(path);
        }
        Ok(change)
    }

    /// The swap that takes a place away; nothing when nothing is there.
    fn taken_away(&self, skill: &LockedSkill, path: &Path) -> Result<Option<Swap>, InstallError> {
        let before = observe(path)?;
        if before.is_absent() {
            return Ok(None);
        }
        if !self.discard_edits && !self.is_as_placed(&before, skill, path)? {
            return Err(InstallError::Edited {
                id: skill.id.clone(),
                path: path.to_owned(),
            });
        }
        Ok(Some(Swap::new(path, before, State::Absent)))
    }
}

/// The entry of a skill.
pub(super) fn find<'l>(lock: &'l Lock, id: &str) -> Result<&'l LockedSkill, InstallError> {
    lock.get(id).ok_or_else(|| {
        let is_near = |skill: &&LockedSkill| strsim::jaro_winkler(&skill.id, id) > 0.8;
        let near = lock.skills().filter(is_near);
        InstallError::NotInstalled {
            id: id.to_owned(),
            near: near.map(|skill| skill.id.clone()).collect(),
        }
    })
}
