//! Which places to watch, and from a batch of changes in them to the least work that brings the skills up to date.
//!
//! It does not touch the disk: what a path is now is asked afterwards, by [`crate::discover::look`].

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::{Batch, Changed, Place};
use crate::discover::{self, SKILL_MD};
use crate::limits;
use crate::load::Skill;
use crate::registry::Registry;
use crate::roots::{Dependencies, Root, Source};

/// Where skills lie: directories, flat files, archives. To be kept beside a registry, and changed with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillPlaces {
    /// Each with the number of skills there: roots that lie in each other find the same ones.
    places: BTreeMap<PathBuf, usize>,
}

impl SkillPlaces {
    /// The places of all skills.
    pub fn of(registry: &Registry) -> Self {
        let mut places = Self::default();
        for skill in registry.skills() {
            places.insert(skill);
        }
        places
    }

    /// Adds the place of a skill.
    pub fn insert(&mut self, skill: &Skill) {
        *self.places.entry(place(skill).to_owned()).or_default() += 1;
    }

    /// Removes the place of a skill.
    pub fn remove(&mut self, skill: &Skill) {
        if let Some(count) = self.places.get_mut(place(skill)) {
            *count -= 1;
            if *count == 0 {
                self.places.remove(place(skill));
            }
        }
    }

    /// The places at and below a path.
    pub(super) fn within(&self, path: &Path) -> impl Iterator<Item = &PathBuf> {
        let following = self.places.range(path.to_owned()..);
        following
            .map(|(place, _)| place)
            .take_while(move |place| place.starts_with(path))
    }

    /// The outermost skill below `root` that a path belongs to; the root itself only if it is one skill as a whole.
    fn owner<'p>(&self, path: &'p Path, root: &Root) -> Option<&'p Path> {
        path.ancestors()
            .take_while(|above| above.starts_with(&root.path))
            .filter(|above| *above != root.path || root.single)
            .filter(|above| self.places.contains_key(*above))
            .last()
    }
}

/// The directory, flat file or archive that a skill is.
pub(super) fn place(skill: &Skill) -> &Path {
    skill.form.place(&skill.path)
}

/// The places that everything depends on: the roots, what would be roots if it existed, the files of plugins, and the
/// configuration files.
pub fn places(
    roots: &[Arc<Root>],
    depends_on: &Dependencies,
    config: &BTreeSet<PathBuf>,
) -> Vec<Place> {
    let on_disk = roots.iter().filter(|root| root.source != Source::Bundled);
    let trees = on_disk.map(|root| Place::tree(&root.path, root.depth));
    let entries = depends_on.absent.iter().chain(&depends_on.listings);
    let files = depends_on.files.iter().chain(config);
    trees
        .chain(entries.map(|path| Place::tree(path, 0)))
        .chain(files.map(Place::file))
        .collect()
}

/// What is known of the places that are watched.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// The roots.
    pub roots: &'a [Arc<Root>],
    /// Where the known skills lie.
    pub skills: &'a SkillPlaces,
    /// The configuration files, those that do not exist among them.
    pub config: &'a BTreeSet<PathBuf>,
}

/// What is to be done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// The roots are to be resolved anew: a directory appeared that may be one, or a plugin's manifest changed.
    pub resolve: bool,
    /// Configuration files that are to be read again.
    pub config: BTreeSet<PathBuf>,
    /// Roots that are to be searched again.
    pub searches: BTreeSet<PathBuf>,
    /// By root, the paths that are to be looked at with [`crate::discover::look`]: places of known skills of which any
    /// file changed, and others where a skill may have appeared. A skill at such a path is to be loaded again; where there
    /// is none any more, the known one is gone.
    pub looks: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
}

impl Work {
    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What a batch of changes means. A place that is neither a root nor a configuration file is one whose appearance or
/// change makes [`Work::resolve`] necessary.
pub fn affected(batch: &Batch, known: Known<'_>) -> Work {
    let mut work = Work::default();
    for (place, changed) in &batch.places {
        let root = known.roots.iter().find(|root| *root.path == **place);
        match (root, changed) {
            (Some(root), Changed::All) => {
                work.searches.insert(root.path.clone());
            }
            (Some(root), Changed::Paths(paths)) => work.add(root, paths, known.skills),
            (None, _) if known.config.contains(&**place) => {
                work.config.insert(place.to_path_buf());
            }
            (None, _) => work.resolve = true,
        }
    }
    work
}

impl Work {
    fn add(&mut self, root: &Root, paths: &BTreeSet<PathBuf>, skills: &SkillPlaces) {
        let mut looks = BTreeSet::new();
        for path in paths {
            match meaning(path, root, skills) {
                Meaning::Nothing => {}
                Meaning::Look(path) => {
                    looks.insert(path.to_owned());
                }
                Meaning::Search => {
                    self.searches.insert(root.path.clone());
                    return;
                }
            }
        }
        if looks.len() > limits::LOOKS {
            self.searches.insert(root.path.clone());
        } else if !looks.is_empty() {
            self.looks.insert(root.path.clone(), looks);
        }
    }
}

enum Meaning<'p> {
    Nothing,
    Look(&'p Path),
    Search,
}

/// What the change of one path below a root means.
fn meaning<'p>(path: &'p Path, root: &Root, skills: &SkillPlaces) -> Meaning<'p> {
    let Ok(below) = path.strip_prefix(&root.path) else {
        return Meaning::Nothing;
    };
    if below.as_os_str().is_empty() {
        return Meaning::Search;
    }
    if let Some(owner) = skills.owner(path, root) {
        return Meaning::Look(owner);
    }
    if !is_searched(below) {
        return Meaning::Nothing;
    }
    let is_environment = path
        .file_name()
        .is_some_and(|name| name == discover::VIRTUAL_ENVIRONMENT);
    // A SKILL.md in the root itself owns nothing or everything below.
    let is_top_skill_md = below.as_os_str().eq_ignore_ascii_case(SKILL_MD);
    if is_environment || is_top_skill_md || skills.within(path).next().is_some() {
        return Meaning::Search;
    }
    Meaning::Look(path)
}

/// Whether a search comes by: not below hidden directories, dependencies and build output.
fn is_searched(below: &Path) -> bool {
    let names = below.components().rev().map(Component::as_os_str);
    names.enumerate().all(|(depth, name)| {
        let hidden = name.as_encoded_bytes().starts_with(b".");
        // What is called like build output may be a skill itself, by the SKILL.md in it.
        !hidden && (depth < 2 || !discover::is_not_searched(name))
    })
}

#[cfg(test)]
mod tests;
