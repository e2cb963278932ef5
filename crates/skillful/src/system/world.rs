//! What a system searches, and under which conditions.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use skillful_guard::Policy;
use skillful_store::{Store, StoreError};

use super::{Clock, refresh};
use crate::clients::Clients;
use crate::guard::{Guard, OnLoad};
use crate::host::Host;
use crate::library::Library;
use crate::limits;
use crate::load::Skill;
use crate::registry::Registry;
use crate::roots::{Options, Root};
use crate::setup::Setup;
use crate::snapshot::{ChangeKind, Snapshot};
use crate::watch::Batch;
use crate::watch::affected::{Known, SkillPlaces, affected};

/// All that a snapshot is made from.
#[derive(Debug)]
pub(super) struct World {
    pub(super) host: Host,
    pub(super) clients: Clients,
    pub(super) options: Options,
    /// The configuration file that replaces all others.
    pub(super) config: Option<PathBuf>,
    /// The agent whose switches count.
    pub(super) agent: Option<String>,
    pub(super) store: Arc<dyn Store>,
    pub(super) clock: Clock,
    /// Which skills the guard looks at, and how it judges, in place of what the configuration says.
    pub(super) on_load: Option<OnLoad>,
    pub(super) policy: Option<Policy>,
    /// Where the skills of the present snapshot lie.
    pub(super) places: SkillPlaces,
}

/// What a snapshot is made of.
pub(super) struct Made {
    pub(super) setup: Arc<Setup>,
    pub(super) library: Library,
    /// The configuration files that were told to have changed.
    pub(super) config: BTreeSet<PathBuf>,
    /// What went wrong with the records.
    pub(super) errors: Vec<StoreError>,
}

impl Made {
    fn new(setup: Arc<Setup>, library: Library, errors: Vec<StoreError>) -> Self {
        Self {
            setup,
            library,
            config: BTreeSet::new(),
            errors,
        }
    }
}

impl World {
    /// Reads the configuration and searches everything.
    pub(super) fn scan(&self) -> Made {
        let setup = self.setup();
        let (mut library, errors) =
            self.guarded(|guard| setup.agent(self.agent.as_deref()).scan(guard));
        library.registry.read_sidecars();
        Made::new(setup, library, errors)
    }

    /// The same skills, judged by the configuration and the records as they are now.
    pub(super) fn judge_anew(&self, before: &Snapshot) -> Made {
        let setup = self.setup();
        let mut library = before.library().clone();
        let agent = setup.agent(self.agent.as_deref());
        let ((), errors) = self.guarded(|guard| {
            let mut round = guard.round(&setup);
            round.read_ahead();
            library.registry.inspect(|skill| round.inspection(skill));
            round.keep();
        });
        library.registry.judge(|skill| agent.judge(skill));
        Made::new(setup, library, errors)
    }

    /// Lets a guard look that keeps what it finds in the store. Gives what went wrong with that as well.
    fn guarded<T>(&self, look: impl FnOnce(Guard<'_>) -> T) -> (T, Vec<StoreError>) {
        let errors = Mutex::new(Vec::new());
        let on_error = |error| {
            let mut errors = errors.lock().unwrap_or_else(PoisonError::into_inner);
            errors.push(error);
        };
        let guard = Guard::without_records().with_store(&*self.store, (self.clock.0)());
        let seen = look(Guard {
            on_load: self.on_load,
            policy: self.policy.as_ref(),
            on_error: &on_error,
            ..guard
        });
        let errors = errors.into_inner().unwrap_or_else(PoisonError::into_inner);
        (seen, errors)
    }

    fn setup(&self) -> Arc<Setup> {
        Arc::new(Setup::read(
            self.host.clone(),
            self.clients.clone(),
            self.options.clone(),
            self.config.as_deref(),
            // What cannot be read now is told by whoever records something.
            self.store.choices().unwrap_or_default(),
        ))
    }

    /// What is there after these paths changed.
    pub(super) fn reload(&self, before: &Snapshot, paths: Vec<PathBuf>) -> Made {
        let mut batch = Batch::default();
        for path in paths {
            let path = self.host.working_directory().join(path);
            for root in before.roots() {
                let place: Arc<Path> = Arc::from(&*root.path);
                for path in shown_in(root, before.registry(), &path) {
                    batch.add_path(&place, path);
                }
            }
            let config = config_files(before.setup());
            if config.contains(&path) {
                batch.add_all(&Arc::from(path));
            }
        }
        self.follow(before, &batch)
    }

    /// What is there after a batch of changes.
    pub(super) fn follow(&self, before: &Snapshot, batch: &Batch) -> Made {
        let config = config_files(before.setup());
        let known = Known {
            roots: before.roots(),
            skills: &self.places,
            config: &config,
        };
        let work = affected(batch, known);
        if work.resolve || !work.config.is_empty() {
            return Made {
                config: work.config,
                ..self.scan()
            };
        }
        let setup = before.shared_setup();
        let mut library = refresh::refresh(before.library(), &work.looks, &work.searches);
        let agent = setup.agent(self.agent.as_deref());
        let ((), errors) = self.guarded(|guard| {
            let mut round = guard.round(&setup);
            if library.registry.count_unshared(before.registry()) > limits::LOOKS {
                round.read_ahead();
            }
            let look = |skill: &Skill| round.inspection(skill);
            library.registry.inspect_since(before.registry(), look);
            round.keep();
        });
        library
            .registry
            .judge_since(before.registry(), |skill| agent.judge(skill));
        Made::new(setup, library, errors)
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

/// The configuration files, whether or not they exist.
pub(super) fn config_files(setup: &Setup) -> BTreeSet<PathBuf> {
    let files = setup.config_files.iter();
    files.map(|file| file.path.clone()).collect()
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
