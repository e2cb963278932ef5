//! What every way to ask works with: the skills of this machine, kept up to date, and where changes of them are kept.
//!
//! The first search runs beside the start of the server, so that a client that only wants to know what there is to call
//! does not wait for it. Whoever asks for a skill does.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

use skillful::records;
use skillful::{
    Clients, ClientsError, Host, Options, SkillSystem, Snapshot, WatchOptions, Watching,
};
use skillful_manage::DataDirectory;
use skillful_store::{DeferredStore, SqliteStore, Store};

use crate::failure::{Failure, FailureKind};

/// Whose skills are served, and how much may be done with them.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The outside world.
    pub host: Host,
    /// What narrows the search.
    pub options: Options,
    /// The configuration file that counts in place of all others.
    pub config: Option<PathBuf>,
    /// The agent whose switches count.
    pub agent: Option<String>,
    /// Whether changes on disk are followed.
    pub watch: bool,
}

/// The skills of this machine for any number of requests at once. A clone is the same engine.
#[derive(Clone, Debug)]
pub struct Engine(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    settings: Settings,
    store: Option<Arc<DeferredStore>>,
    data: Option<DataDirectory>,
    system: OnceLock<Result<SkillSystem, ClientsError>>,
    watching: Mutex<Option<Watching>>,
    /// Changes of skills take turns here, so that each begins where the one before it ended.
    writing: Mutex<()>,
}

impl Engine {
    /// Begins to search. Returns at once.
    pub fn start(settings: Settings) -> Self {
        let directory = records::directory(&settings.host, &settings.options);
        let engine = Self(Arc::new(Inner {
            store: directory.map(|directory| {
                let store = Arc::new(SqliteStore::at(directory));
                Arc::new(DeferredStore::new(store))
            }),
            data: DataDirectory::of(&settings.host, &settings.options),
            settings,
            system: OnceLock::new(),
            watching: Mutex::new(None),
            writing: Mutex::new(()),
        }));
        let searching = engine.clone();
        let search = move || searching.0.search();
        if thread::Builder::new()
            .name("skillful-search".to_owned())
            .spawn(search)
            .is_err()
        {
            engine.0.search();
        }
        engine
    }

    /// All skills, kept up to date. Waits for the first search.
    ///
    /// # Errors
    ///
    /// When the table of clients cannot be read.
    pub fn system(&self) -> Result<&SkillSystem, Failure> {
        let system = self.0.system.wait().as_ref();
        system.map_err(|error| Failure::new(FailureKind::Unavailable, error))
    }

    /// All skills as they are known at this moment.
    ///
    /// # Errors
    ///
    /// As [`Engine::system`].
    pub fn snapshot(&self) -> Result<Arc<Snapshot>, Failure> {
        Ok(self.system()?.snapshot())
    }

    /// Whether the first search is done.
    pub fn is_ready(&self) -> bool {
        self.0.system.get().is_some()
    }

    /// What it was started with.
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// The agent whose switches count.
    pub fn agent(&self) -> Option<&str> {
        self.0.settings.agent.as_deref()
    }

    /// The records; nothing where roots replace everything outside them.
    pub fn store(&self) -> Option<&Arc<DeferredStore>> {
        self.0.store.as_ref()
    }

    /// Writes what was counted and is not on record yet. To be called when a server ends: its threads may outlive it.
    pub fn finish(&self) {
        if let Some(store) = &self.0.store
            && let Err(error) = store.flush()
        {
            tracing::warn!(%error, "what was counted last is not on record");
        }
    }

    /// Where content and history of changes are kept.
    ///
    /// # Errors
    ///
    /// When there is no home.
    pub fn data(&self) -> Result<&DataDirectory, Failure> {
        self.0.data.as_ref().ok_or_else(|| {
            Failure::new(
                FailureKind::Refused,
                "there is no home to keep a history in",
            )
            .hint("start the server with --home DIR")
        })
    }

    /// Waits until nobody else changes skills.
    pub fn turn(&self) -> MutexGuard<'_, ()> {
        self.0
            .writing
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn search(&self) {
        let built = self.system.get_or_init(|| self.build());
        let Ok(system) = built else { return };
        if !self.settings.watch {
            return;
        }
        match system.watch(WatchOptions::default()) {
            Ok(watching) => {
                let mut place = self.watching.lock().unwrap_or_else(PoisonError::into_inner);
                *place = Some(watching);
            }
            Err(error) => tracing::warn!(%error, "changes on disk are not followed"),
        }
    }

    fn build(&self) -> Result<SkillSystem, ClientsError> {
        let settings = &self.settings;
        let mut builder = SkillSystem::builder()
            .host(settings.host.clone())
            .clients(Clients::built_in()?)
            .options(settings.options.clone());
        if let Some(store) = &self.store {
            builder = builder.store(Arc::clone(store) as Arc<dyn Store>);
        }
        if let Some(config) = &settings.config {
            builder = builder.config(config);
        }
        if let Some(agent) = &settings.agent {
            builder = builder.agent(agent);
        }
        builder.build()
    }
}
