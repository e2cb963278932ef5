//! The list of what we published: the only files that are ever replaced or removed.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::PublishError;
use super::site::Site;
use crate::pack::{Prepared, digest_of_bytes};

/// The list's file, in the directory that is published into.
pub(super) const FILE: &str = ".skillful-published.json";

/// What we published, by the names of skills.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ledger {
    version: u32,
    pub(super) skills: BTreeMap<String, BTreeMap<String, String>>,
}

impl Ledger {
    /// A list of nothing.
    pub(super) fn new() -> Self {
        Self {
            version: 1,
            skills: BTreeMap::new(),
        }
    }

    /// Reads the list.
    pub(super) fn read(site: &Site) -> Result<Self, PublishError> {
        let Some(bytes) = site.read(FILE)? else {
            return Ok(Self::new());
        };
        serde_json::from_slice(&bytes).map_err(|error| PublishError::Index {
            path: site.shown(FILE),
            reason: error.to_string(),
        })
    }

    /// Writes the list, if it says anything else than what was written last.
    pub(super) fn write(&self, site: &Site, last: &mut Self) -> Result<(), PublishError> {
        if self == last {
            return Ok(());
        }
        site.write(FILE, &self.to_bytes(), false)?;
        *last = self.clone();
        Ok(())
    }

    /// The text of the list.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.skills.contains_key(name)
    }

    /// The digest that a file of a skill had when we wrote it.
    pub(super) fn digest(&self, name: &str, path: &str) -> Option<&str> {
        self.skills.get(name)?.get(path).map(String::as_str)
    }

    /// Notes a file of a skill.
    pub(super) fn add(&mut self, name: &str, path: &str, digest: String) {
        let files = self.skills.entry(name.to_owned()).or_default();
        files.insert(path.to_owned(), digest);
    }

    /// The names that are on the list and not among these.
    pub(super) fn others(&self, skills: &[&Prepared]) -> Vec<String> {
        let now: BTreeSet<&str> = skills.iter().map(|skill| skill.name.as_str()).collect();
        let names = self.skills.keys();
        names
            .filter(|name| !now.contains(name.as_str()))
            .cloned()
            .collect()
    }

    /// Removes those files of a skill that are as we wrote them and that `stays` does not name.
    pub(super) fn remove(
        &mut self,
        site: &Site,
        name: &str,
        stays: &BTreeSet<String>,
    ) -> Result<(), PublishError> {
        for (path, digest) in self.take_out(name, stays) {
            if let Some(bytes) = site.read(&path)?
                && digest_of_bytes(&bytes) == digest
            {
                site.remove(&path)?;
            }
        }
        Ok(())
    }

    /// Takes those files of a skill off the list that `stays` does not name. Gives them with their digests.
    pub(super) fn take_out(
        &mut self,
        name: &str,
        stays: &BTreeSet<String>,
    ) -> BTreeMap<String, String> {
        let Some(files) = self.skills.remove(name) else {
            return BTreeMap::new();
        };
        let (kept, gone): (BTreeMap<_, _>, BTreeMap<_, _>) = files
            .into_iter()
            .partition(|(path, _)| stays.contains(path));
        if !kept.is_empty() {
            self.skills.insert(name.to_owned(), kept);
        }
        gone
    }

    /// Whether the file that is to have this digest is there already. What is there and not as we wrote it is refused.
    pub(super) fn check(
        &self,
        site: &Site,
        name: &str,
        path: &str,
        digest: &str,
    ) -> Result<bool, PublishError> {
        let there = site.read(path)?.map(|bytes| digest_of_bytes(&bytes));
        match there.as_deref() {
            Some(there) if there == digest => Ok(true),
            Some(there) if self.digest(name, path) != Some(there) => {
                Err(PublishError::NotOurs(site.shown(path)))
            }
            _ => Ok(false),
        }
    }

    /// Writes a file of a skill, unless the very same is there. What is there and not as we wrote it is refused.
    pub(super) fn put(
        &mut self,
        site: &Site,
        name: &str,
        path: &str,
        bytes: &[u8],
        executable: bool,
    ) -> Result<bool, PublishError> {
        let digest = digest_of_bytes(bytes);
        let is_same = self.check(site, name, path, &digest)?;
        if !is_same {
            site.write(path, bytes, executable)?;
        }
        self.add(name, path, digest);
        Ok(!is_same)
    }
}
