//! From what changed on disk to the library of the next snapshot, without a look at what did not.
//!
//! Each path is looked at again as a search of its root would; where only a search can tell, as when a directory of
//! skills appears, the root is searched. The outcome is that of a search of everything.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::last_good;
use crate::discover::{self, Candidate, Look};
use crate::library::Library;
use crate::load::load;
use crate::registry::{Registry, read_sidecar};
use crate::roots::Root;

/// The library as it is after changes in roots: the paths to look at again, and the roots to search again, each root by
/// its path.
pub(super) fn refresh(
    before: &Library,
    looks: &BTreeMap<PathBuf, BTreeSet<PathBuf>>,
    searches: &BTreeSet<PathBuf>,
) -> Library {
    let mut refresh = Refresh {
        before: &before.registry,
        library: before.clone(),
    };
    for root in &before.roots {
        let mut looks = looks.get(&root.path).into_iter().flatten();
        let is_certain =
            !searches.contains(&root.path) && looks.all(|path| refresh.look_again(root, path));
        if !is_certain {
            refresh.search_again(root);
        }
    }
    refresh.library
}

struct Refresh<'a> {
    before: &'a Registry,
    library: Library,
}

impl Refresh<'_> {
    /// Looks again at one path of a root. Gives whether that is certain to be all that changed there.
    fn look_again(&mut self, root: &Arc<Root>, path: &Path) -> bool {
        match discover::look(root, path) {
            Look::Search => return false,
            Look::Nothing => self.library.registry.remove_at(root, path),
            Look::Skill(candidate) => self.replace(root, *candidate),
        }
        true
    }

    /// Puts in a skill in place of all that was found there before.
    fn replace(&mut self, root: &Arc<Root>, candidate: Candidate) {
        let directory = candidate.form.directory(&candidate.path);
        // A skill in the root itself stands beside the others there.
        let place = directory
            .filter(|directory| *directory != root.path || root.single)
            .unwrap_or(&candidate.path);
        self.library.registry.remove_at(root, place);
        let old = self.before.at(root, &candidate.path);
        let mut skill = load(candidate, root);
        if let Some(old) = old {
            // It was looked at because a file of it changed. Where that was not its SKILL.md, it was another one.
            let is_other_file = skill.fingerprint == old.fingerprint;
            skill.revision = old.revision + u32::from(is_other_file);
        }
        let mut skill = last_good::keep(old, skill);
        read_sidecar(&mut skill);
        self.library.registry.insert(skill);
    }

    fn search_again(&mut self, root: &Arc<Root>) {
        let before = self.before;
        self.library.search_again(root, |skill| {
            last_good::keep(before.at(root, &skill.path), skill)
        });
    }
}
