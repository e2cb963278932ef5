//! Whether what was placed is still as it was placed, file by file.

use std::collections::BTreeSet;
use std::path::Path;

use skillful_store::journal::State;

use super::Installer;
use super::error::InstallError;
use crate::lock::{Lock, LockedFile, LockedSkill};
use crate::state::observe;
use crate::targets::Method;
use crate::tree::{Node, Tree};
use crate::wanted;

/// One thing that is not as it was placed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Drift {
    /// The skill's id.
    pub id: String,
    /// What differs: a place, or a file in it, as paths stand in the lock.
    pub path: String,
    /// How it differs.
    pub kind: DriftKind,
}

/// How something differs from what was placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DriftKind {
    /// It is gone.
    Missing,
    /// Its bytes differ.
    Modified,
    /// It was not placed.
    Added,
    /// Whether it may be executed differs.
    Mode,
    /// Something else is in its place, such as a link to elsewhere.
    Replaced,
    /// It cannot be read.
    Unreadable,
    /// It is wanted, and the lock does not have it from there.
    NotLocked,
    /// The lock has it, and it is not wanted.
    NotWanted,
}

impl DriftKind {
    /// The word used in output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Modified => "modified",
            Self::Added => "added",
            Self::Mode => "mode",
            Self::Replaced => "replaced",
            Self::Unreadable => "unreadable",
            Self::NotLocked => "not-locked",
            Self::NotWanted => "not-wanted",
        }
    }
}

impl Installer<'_> {
    /// Compares what is on the disk with the lock, and the lock with what is wanted. Sorted by id, then path.
    ///
    /// # Errors
    ///
    /// When the files cannot be understood. What cannot be read on the disk is drift.
    pub fn verify(&self) -> Result<Vec<Drift>, InstallError> {
        let lock = self.lock()?;
        let mut drift = self.wanted_drift(&lock)?;
        for skill in lock.skills() {
            for target in &skill.targets {
                let path = self.place(skill, &target.path)?;
                drift.extend(self.place_drift(skill, &path, target.method)?);
            }
        }
        drift.sort();
        drift.dedup();
        Ok(drift)
    }

    fn wanted_drift(&self, lock: &Lock) -> Result<Vec<Drift>, InstallError> {
        let wanted = self.read_wanted()?;
        let file = self.files.shorten(&self.files.wanted);
        let drift = |id: &str, kind| Drift {
            id: id.to_owned(),
            path: file.clone(),
            kind,
        };
        let unlocked = wanted.iter().filter(|(id, skill)| {
            lock.get(id)
                .is_none_or(|locked| !self.is_same_source(&locked.source, &skill.source))
        });
        let mut all: Vec<Drift> = unlocked
            .map(|(id, _)| drift(id, DriftKind::NotLocked))
            .collect();
        let unwanted = lock
            .skills()
            .filter(|skill| !wanted.contains_key(&skill.id));
        all.extend(unwanted.map(|skill| drift(&skill.id, DriftKind::NotWanted)));
        Ok(all)
    }

    pub(super) fn read_wanted(
        &self,
    ) -> Result<std::collections::BTreeMap<String, wanted::WantedSkill>, InstallError> {
        let path = &self.files.wanted;
        let text = super::text_of(path)?;
        wanted::read(&text).map_err(|error| InstallError::Wanted {
            path: path.clone(),
            error,
        })
    }

    /// What differs in one place of a skill.
    pub(super) fn place_drift(
        &self,
        skill: &LockedSkill,
        path: &Path,
        method: Method,
    ) -> Result<Vec<Drift>, InstallError> {
        let shown = self.files.shorten(path);
        let drift = |path: &str, kind| Drift {
            id: skill.id.clone(),
            path: path.to_owned(),
            kind,
        };
        let found = match observe(path) {
            Ok(State::Absent) => return Ok(vec![drift(&shown, DriftKind::Missing)]),
            Ok(found) => found,
            Err(_) => return Ok(vec![drift(&shown, DriftKind::Unreadable)]),
        };
        let tree = match (&found, method) {
            (State::Tree { digest }, Method::Copy) => {
                if digest.to_string() == skill.digest {
                    return Ok(Vec::new());
                }
                Tree::capture(path)
            }
            (State::Link { .. }, Method::Link) => {
                let locked = skill.digest.parse().ok();
                if !self.leads_to(path, skill, locked.as_ref())? {
                    return Ok(vec![drift(&shown, DriftKind::Replaced)]);
                }
                Tree::capture(&crate::targets::real(path))
            }
            // A link that became a directory is how an edit of an installed skill looks.
            (State::Tree { .. }, Method::Link) => {
                let mut all = vec![drift(&shown, DriftKind::Replaced)];
                if let Ok(tree) = Tree::capture(path) {
                    all.extend(file_drift(skill, &tree, &shown));
                }
                return Ok(all);
            }
            _ => return Ok(vec![drift(&shown, DriftKind::Replaced)]),
        };
        Ok(match tree {
            Ok(tree) => file_drift(skill, &tree, &shown),
            Err(_) => vec![drift(&shown, DriftKind::Unreadable)],
        })
    }
}

/// How the files of a tree differ from those in the lock.
fn file_drift(skill: &LockedSkill, tree: &Tree, place: &str) -> Vec<Drift> {
    let drift = |path: &str, kind| Drift {
        id: skill.id.clone(),
        path: format!("{place}/{path}"),
        kind,
    };
    let kind_of = |file: &LockedFile| match tree.node(&file.path) {
        None => Some(DriftKind::Missing),
        Some(Node::File {
            sha256, executable, ..
        }) => {
            // Windows has no bit for what may be executed.
            let is_other_mode = cfg!(unix) && *executable != file.executable;
            if sha256.hex() == file.sha256 {
                is_other_mode.then_some(DriftKind::Mode)
            } else {
                Some(DriftKind::Modified)
            }
        }
        Some(Node::Link { .. } | Node::EmptyDirectory) => Some(DriftKind::Replaced),
    };
    let locked = skill.files.iter();
    let mut all: Vec<Drift> = locked
        .filter_map(|file| Some(drift(&file.path, kind_of(file)?)))
        .collect();
    let known: BTreeSet<&str> = skill.files.iter().map(|file| file.path.as_str()).collect();
    let added = tree.nodes().filter(|(path, _)| !known.contains(path));
    all.extend(added.map(|(path, _)| drift(path, DriftKind::Added)));
    all
}
