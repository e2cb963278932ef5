//! What a system searches, and under which conditions.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::refresh;
use crate::clients::Clients;
use crate::host::Host;
use crate::library::Library;
use crate::registry::Registry;
use crate::roots::{Options, Root};
use crate::snapshot::{ChangeKind, Snapshot};
use crate::watch::Batch;
use crate::watch::affected::{Known, SkillPlaces, affected};

/// All that a snapshot is made from.
#[derive(Debug)]
pub(super) struct World {
    pub(super) host: Host,
    pub(super) clients: Clients,
    pub(super) options: Options,
    /// Where the skills of the present snapshot lie.
    pub(super) places: SkillPlaces,
    pub(super) config_files: BTreeSet<PathBuf>,
}

impl World {
    /// Searches everything.
    pub(super) fn scan(&mut self) -> Library {
        Library::scan(&self.host, &self.clients, &self.options)
    }

    /// The library after these paths changed.
    pub(super) fn reload(&mut self, before: &Library, paths: Vec<PathBuf>) -> Library {
        let mut batch = Batch::default();
        for path in paths {
            let path = self.host.working_directory().join(path);
            for root in &before.roots {
                let place: Arc<Path> = Arc::from(&*root.path);
                for path in shown_in(root, &before.registry, &path) {
                    batch.add_path(&place, path);
                }
            }
        }
        self.follow(before, &batch)
    }

    /// The library after a batch of changes.
    pub(super) fn follow(&mut self, before: &Library, batch: &Batch) -> Library {
        let known = Known {
            roots: &before.roots,
            skills: &self.places,
            config: &self.config_files,
        };
        let work = affected(batch, known);
        if work.resolve || !work.config.is_empty() {
            return self.scan();
        }
        refresh::refresh(before, &work.looks, &work.searches)
    }

    /// Notes where the skills of a new snapshot lie.
    pub(super) fn note(&mut self, snapshot: &Snapshot) {
        for change in snapshot.changes() {
            let skill = &change.skill;
            if change.kind != ChangeKind::Removed {
                self.places.insert(skill);
            } else if snapshot.at_path(&skill.path).is_none() {
                self.places.remove(skill);
            }
        }
    }
}

/// The paths that a search of a root shows something under: the root may be a link, and links in it may lead elsewhere.
fn shown_in(root: &Root, registry: &Registry, path: &Path) -> BTreeSet<PathBuf> {
    let direct = path.strip_prefix(&root.path);
    let below = direct.or_else(|_| path.strip_prefix(&root.real));
    let linked = registry.skills().iter().filter_map(|skill| {
        let real = skill.real_directory.as_ref()?;
        let is_of_root = skill.root.order == root.order;
        let below = path.strip_prefix(real).ok().filter(|_| is_of_root)?;
        Some(skill.path.parent()?.join(below))
    });
    let below = below.map(|below| root.path.join(below));
    below.into_iter().chain(linked).collect()
}
