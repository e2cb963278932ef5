//! `skills.lock`: which skills were placed, from where, with which bytes, and into which directories.
//!
//! ```text
//! text ─parse→ Lock ─change→ Lock ─to_text→ text
//! ```
//!
//! The file is for version control: sorted, without times, with paths relative to itself or below `~`. Members that this
//! version does not know are kept. It sits beside the `skills.toml` that says what is wanted; `skills.toml` is for people,
//! the lock is for machines.

mod read;
mod text;

use std::collections::BTreeMap;

use toml_edit::Item;

use crate::targets::Method;

pub use read::LockError;

/// The name of the file.
pub const FILE_NAME: &str = "skills.lock";

/// The version of the format that is written.
pub const VERSION: i64 = 1;

/// All that was placed for one project, or for the user.
#[derive(Clone, Debug, Default)]
pub struct Lock {
    skills: BTreeMap<String, LockedSkill>,
    /// Members of the file that are not known.
    other: Vec<(String, Item)>,
}

/// One skill that was placed.
#[derive(Clone, Debug, Default)]
pub struct LockedSkill {
    /// Its id.
    pub id: String,
    /// The source that was asked for, in its canonical form.
    pub source: String,
    /// What the source was at that moment.
    pub resolved: Resolved,
    /// The digest of all its files; see [`skillful::bundle::digest`].
    pub digest: String,
    /// Its files, sorted by path.
    pub files: Vec<LockedFile>,
    /// Where it was put, sorted by path.
    pub targets: Vec<LockedTarget>,
    /// What its author says about the licence.
    pub license: Option<String>,
    /// The verdict on it when it was placed.
    pub verdict: Option<String>,
    /// Members of the entry that are not known.
    pub other: Vec<(String, Item)>,
}

/// What a source stood for when the skill was taken from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolved {
    /// Where it was fetched: a repository's address, a URL, or a path.
    pub address: String,
    /// The skill's directory in what was fetched, with `/`; empty for all of it.
    pub path: String,
    /// The commit, of a repository.
    pub commit: Option<String>,
    /// The id of the skill's tree in the repository, which tells without a download whether it changed.
    pub tree: Option<String>,
    /// SHA-256 of the archive or file that was fetched, as `sha256:` and 64 digits.
    pub artifact: Option<String>,
    /// The version that the publisher gave it.
    pub version: Option<String>,
    /// The tag of the answer, which tells without a download whether it changed.
    pub etag: Option<String>,
}

/// One file of a skill.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LockedFile {
    /// Its path in the skill, with `/`.
    pub path: String,
    /// Its length in bytes.
    pub size: u64,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// Whether it may be executed.
    pub executable: bool,
}

/// One place that a skill was put.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LockedTarget {
    /// The directory of the skill: relative to the lock's directory, below `~/`, or absolute. With `/`.
    pub path: String,
    /// The client whose directory it is.
    pub client: Option<String>,
    /// How it got there.
    pub method: Method,
}

impl Lock {
    /// The skill with this id.
    pub fn get(&self, id: &str) -> Option<&LockedSkill> {
        self.skills.get(id)
    }

    /// All skills, sorted by id.
    pub fn skills(&self) -> impl ExactSizeIterator<Item = &LockedSkill> {
        self.skills.values()
    }

    /// Whether nothing was placed.
    pub fn is_empty(&self) -> bool {
        self.skills.is_empty()
    }

    /// Puts a skill in. Members of an entry with its id that are not known are kept.
    pub fn insert(&mut self, mut skill: LockedSkill) {
        skill.files.sort();
        skill.targets.sort();
        if let Some(old) = self.skills.get_mut(&skill.id) {
            let known = |name: &str| skill.other.iter().any(|(other, _)| other == name);
            let mut kept = std::mem::take(&mut old.other);
            kept.retain(|(name, _)| !known(name));
            skill.other.append(&mut kept);
        }
        self.skills.insert(skill.id.clone(), skill);
    }

    /// Takes a skill out.
    pub fn remove(&mut self, id: &str) -> Option<LockedSkill> {
        self.skills.remove(id)
    }

    /// The skill and its place whose directory is `path`, as it stands in the lock.
    pub(crate) fn owner_of(&self, path: &str) -> Option<(&LockedSkill, &LockedTarget)> {
        self.skills().find_map(|skill| {
            let target = skill.targets.iter().find(|target| target.path == path)?;
            Some((skill, target))
        })
    }
}

#[cfg(test)]
mod tests;
