//! Brings a registry up to date without searching what did not change.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::affected::{SkillPlaces, Work, place};
use crate::discover::{self, Candidate, Look, SearchLimits};
use crate::load::{Skill, load};
use crate::problem::Problem;
use crate::registry::Registry;
use crate::roots::Root;

/// A root that was searched again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searched {
    /// The root's path.
    pub root: PathBuf,
    /// What could not be searched; in place of all earlier problems of this root.
    pub problems: Vec<Problem>,
}

/// Does the looks and searches of `work`. Afterwards the registry is what a search of all roots would give.
///
/// Gives the roots that were searched as a whole, because the work says so or because a look did not suffice.
pub fn reload(
    work: &Work,
    roots: &[Arc<Root>],
    registry: &mut Registry,
    places: &mut SkillPlaces,
) -> Vec<Searched> {
    let mut news = News::default();
    for root in roots {
        let paths = work.looks.get(&root.path);
        if work.searches.contains(&root.path) || !news.look(root, paths, places) {
            news.search(root);
        }
    }
    let is_stale = |skill: &Skill| news.stale.iter().any(|stale| stale.covers(skill));
    for skill in registry.skills().iter().filter(|skill| is_stale(skill)) {
        places.remove(skill);
    }
    for skill in &news.skills {
        places.insert(skill);
    }
    registry.replace(is_stale, std::mem::take(&mut news.skills));
    news.searched
}

/// What is to be exchanged in the registry.
#[derive(Debug, Default)]
struct News {
    stale: Vec<Stale>,
    skills: Vec<Skill>,
    searched: Vec<Searched>,
}

/// Skills of a root that were looked at again.
#[derive(Debug)]
struct Stale {
    root: PathBuf,
    /// Their places; nothing = all of the root.
    places: Option<BTreeSet<PathBuf>>,
}

impl Stale {
    fn covers(&self, skill: &Skill) -> bool {
        skill.root.path == self.root
            && self
                .places
                .as_ref()
                .is_none_or(|places| places.contains(place(skill)))
    }
}

impl News {
    fn search(&mut self, root: &Arc<Root>) {
        let load = |candidate| load(candidate, root);
        let mut found = discover::search(root, SearchLimits::default(), load);
        self.skills.append(&mut found.skills);
        self.stale.push(Stale {
            root: root.path.clone(),
            places: None,
        });
        self.searched.push(Searched {
            root: root.path.clone(),
            problems: found.problems,
        });
    }

    /// Looks at paths of a root; `false` when that does not suffice.
    fn look(
        &mut self,
        root: &Arc<Root>,
        paths: Option<&BTreeSet<PathBuf>>,
        places: &SkillPlaces,
    ) -> bool {
        let mut found: Vec<Candidate> = Vec::new();
        let mut stale = BTreeSet::new();
        for path in paths.into_iter().flatten() {
            stale.insert(path.clone());
            stale.extend(places.within(path).cloned());
            match discover::look(root, path) {
                Look::Search => return false,
                Look::Nothing => {}
                Look::Skill(candidate) => {
                    let place = candidate.form.place(&candidate.path);
                    // A skill in the root itself owns nothing or everything below.
                    if place == root.path {
                        return false;
                    }
                    // Known skills within this one do not count any more.
                    stale.extend(places.within(place).cloned());
                    stale.insert(place.to_owned());
                    if found.iter().all(|other| other.path != candidate.path) {
                        found.push(*candidate);
                    }
                }
            }
        }
        if !stale.is_empty() {
            let loaded = found.into_iter().map(|candidate| load(candidate, root));
            self.skills.extend(loaded);
            self.stale.push(Stale {
                root: root.path.clone(),
                places: Some(stale),
            });
        }
        true
    }
}

#[cfg(test)]
mod tests;
