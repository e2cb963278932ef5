//! One consistent state of all skills, which never changes again.
//!
//! A reader takes a snapshot and works with it for as long as it likes; a search or a reload makes the next one and
//! swaps it in whole. Each has a sequence number, a hash over what it holds, and what changed since the one before.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use sha2::{Digest, Sha256};

use crate::library::Library;
use crate::load::Skill;
use crate::problem::Problem;
use crate::registry::{LookUpError, Registry};
use crate::roots::Root;
use crate::search::{self, Hit, Index};
use crate::setup::Setup;
use crate::state::State;

mod changes;

pub use changes::{Change, ChangeKind, changes};

/// All skills as they were at one moment.
#[derive(Debug)]
pub struct Snapshot {
    sequence: u64,
    setup: Arc<Setup>,
    library: Library,
    changes: Vec<Change>,
    hash: OnceLock<String>,
    index: OnceLock<Searchable>,
}

/// The skills that a search can find, and their index.
#[derive(Debug)]
struct Searchable {
    skills: Vec<Arc<Skill>>,
    index: Index,
}

impl Snapshot {
    /// The first snapshot of a library. All its skills are new.
    pub fn first(setup: Arc<Setup>, library: Library) -> Self {
        let nothing = Registry::new(Vec::new(), |_, _| false);
        Self {
            sequence: 1,
            setup,
            changes: changes(&nothing, &library.registry),
            library,
            hash: OnceLock::new(),
            index: OnceLock::new(),
        }
    }

    /// The snapshot that comes after this one.
    #[must_use]
    pub fn next(&self, setup: Arc<Setup>, library: Library) -> Self {
        Self {
            sequence: self.sequence + 1,
            setup,
            changes: changes(self.registry(), &library.registry),
            library,
            hash: OnceLock::new(),
            index: OnceLock::new(),
        }
    }

    /// Its number: the first of a system is 1, and each later one is one more than the one before.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// What the skills were searched and judged by.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    pub(crate) fn shared_setup(&self) -> Arc<Setup> {
        Arc::clone(&self.setup)
    }

    /// All skills, each with its state.
    pub fn registry(&self) -> &Registry {
        &self.library.registry
    }

    /// What was found, roots and problems included.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// All skills, sorted by id, those with one id by precedence.
    pub fn skills(&self) -> &[Arc<Skill>] {
        self.library.registry.skills()
    }

    /// The skills that can be used, sorted by id.
    pub fn ready(&self) -> impl Iterator<Item = &Arc<Skill>> {
        let skills = self.skills().iter();
        skills.filter(|skill| skill.state == State::Ready)
    }

    /// The roots that were searched, the one with the highest precedence first.
    pub fn roots(&self) -> &[Arc<Root>] {
        &self.library.roots
    }

    /// What went wrong around the skills.
    pub fn problems(&self) -> &[Problem] {
        &self.library.problems
    }

    /// The skill that is meant by an id, an exact name, or the name of a directory.
    ///
    /// # Errors
    ///
    /// As [`Registry::find`].
    pub fn find(&self, text: &str) -> Result<&Arc<Skill>, LookUpError> {
        self.registry().find(text)
    }

    /// The skill with this path, its SKILL.md's or its directory's.
    pub fn at_path(&self, path: &Path) -> Option<&Arc<Skill>> {
        self.registry().at_path(path)
    }

    /// The ready skills that fit a request, the best first. The first search reads all bodies to make an index.
    pub fn search(&self, request: &str, options: &search::Options<'_>) -> Vec<Found<'_>> {
        let searchable = self.index.get_or_init(|| {
            let skills: Vec<_> = self.ready().cloned().collect();
            let index = Index::of_skills(&skills);
            Searchable { skills, index }
        });
        let hits = searchable.index.search(request, options).into_iter();
        hits.filter_map(|hit| {
            let skill = searchable.skills.get(hit.document)?;
            Some(Found { skill, hit })
        })
        .collect()
    }

    /// What is different from the snapshot before, sorted by id.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Whether the configuration, what people chose, the roots and what went wrong around the skills are as in another one.
    pub(crate) fn has_the_surroundings_of(&self, other: &Self) -> bool {
        let (ours, theirs) = (&self.library, &other.library);
        (Arc::ptr_eq(&self.setup, &other.setup) || self.setup.decides_like(&other.setup))
            && ours.roots == theirs.roots
            && ours.problems == theirs.problems
            && ours.depends_on == theirs.depends_on
    }

    /// A hash over all skills, their places, states and contents: `sha256:` and 64 hex digits. Snapshots that hold the
    /// same have the same hash, whatever their numbers.
    ///
    /// A change of a file beside a SKILL.md counts when the system saw it happen.
    pub fn hash(&self) -> &str {
        self.hash.get_or_init(|| hash(self.skills()))
    }
}

/// A skill that fits a request.
#[derive(Clone, Debug)]
pub struct Found<'s> {
    /// The skill.
    pub skill: &'s Arc<Skill>,
    /// How well it fits, and why.
    pub hit: Hit<'s>,
}

fn hash(skills: &[Arc<Skill>]) -> String {
    let mut hasher = Sha256::new();
    let mut part = |bytes: &[u8]| {
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    for skill in skills {
        part(skill.id.as_bytes());
        part(skill.path.as_os_str().as_encoded_bytes());
        part(&skill.root.order.to_le_bytes());
        part(skill.state.as_str().as_bytes());
        for blocker in &skill.blockers {
            part(blocker.kind.as_bytes());
            part(blocker.detail.as_bytes());
        }
        part(&skill.fingerprint.to_le_bytes());
        part(&skill.revision.to_le_bytes());
    }
    let hex: String = hasher
        .finalize()
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect();
    format!("sha256:{hex}")
}

#[cfg(test)]
mod tests;
