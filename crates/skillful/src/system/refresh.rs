//! From what changed on disk to the library of the next snapshot, without a look at what did not.
//!
//! Each path is looked at again as a search of its root would, in every root that covers it. Where only a search can
//! tell, as when a directory of skills appears, the root is searched. The outcome is that of a search of everything.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::last_good;
use crate::discover::{self, Candidate, Look, SKILL_MD};
use crate::library::Library;
use crate::load::load;
use crate::registry::Registry;
use crate::roots::Root;

/// The library as it is after these paths changed: files, or directories with all that lies below.
pub(super) fn reload(before: &Library, paths: &BTreeSet<PathBuf>) -> Library {
    let mut reload = Reload {
        before: &before.registry,
        library: before.clone(),
    };
    for root in &before.roots {
        let changed = changed_below(root, &before.registry, paths);
        let is_certain = changed.iter().all(|path| reload.look_again(root, path));
        if !is_certain {
            reload.search_again(root);
        }
    }
    reload.library.registry.share_with(&before.registry);
    reload.library
}

struct Reload<'a> {
    before: &'a Registry,
    library: Library,
}

impl Reload<'_> {
    /// Looks again at one path of a root. Gives whether that is certain to be all that changed there.
    fn look_again(&mut self, root: &Arc<Root>, path: &Path) -> bool {
        match discover::look(root, path) {
            Look::Search => return false,
            Look::Nothing => self.remove_at(root, path),
            Look::Skill(candidate) => self.replace(root, path, *candidate),
        }
        true
    }

    /// Puts in the skill that a path is or belongs to, in place of all that was found there before.
    fn replace(&mut self, root: &Arc<Root>, path: &Path, candidate: Candidate) {
        let directory = candidate.form.directory(&candidate.path);
        let is_other_file = directory.is_some_and(|place| place != path) && candidate.path != path;
        // A skill in the root itself stands beside the others there.
        let place = directory
            .filter(|directory| *directory != root.path || root.single)
            .unwrap_or(&candidate.path);
        self.remove_at(root, &place.to_owned());
        let old = self.before.at(root, &candidate.path);
        let mut skill = load(candidate, root);
        skill.revision = old.map_or(0, |old| old.revision + u32::from(is_other_file));
        let skill = last_good::keep(old, skill);
        self.library.registry.insert(skill);
    }

    /// Takes out what was found at a path of a root, or below it.
    fn remove_at(&mut self, root: &Root, path: &Path) {
        self.library.registry.remove_at(root, path);
    }

    fn search_again(&mut self, root: &Arc<Root>) {
        let before = self.before;
        self.library
            .search_again(root, |skill| last_good::keep(before.at(root, &skill.path), skill));
    }
}

/// The changed paths of a root, as its search would come to them. A SKILL.md stands for its directory: whether it is there
/// decides what the directory is.
fn changed_below(
    root: &Root,
    registry: &Registry,
    paths: &BTreeSet<PathBuf>,
) -> BTreeSet<PathBuf> {
    let mut changed = BTreeSet::new();
    for path in paths {
        let direct = path.strip_prefix(&root.path);
        if let Ok(below) = direct.or_else(|_| path.strip_prefix(&root.real)) {
            changed.insert(root.path.join(below));
        }
        changed.extend(through_links(root, registry, path));
    }
    changed.into_iter().map(|path| whole(root, path)).collect()
}

/// Where a path shows in a root through links to directories.
fn through_links(root: &Root, registry: &Registry, path: &Path) -> Vec<PathBuf> {
    let linked = registry.skills().iter().filter(|skill| {
        skill.root.order == root.order && skill.real_directory.is_some()
    });
    linked
        .filter_map(|skill| {
            let below = path.strip_prefix(skill.real_directory.as_ref()?).ok()?;
            Some(skill.path.parent()?.join(below))
        })
        .collect()
}

fn whole(root: &Root, path: PathBuf) -> PathBuf {
    let is_skill_md = path
        .file_name()
        .is_some_and(|name| name.eq_ignore_ascii_case(SKILL_MD));
    match path.parent() {
        Some(parent) if is_skill_md && parent != root.path => parent.to_owned(),
        _ => path,
    }
}
