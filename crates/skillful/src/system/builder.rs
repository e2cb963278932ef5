//! Setting up a system.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use skillful_guard::Policy;
use skillful_store::{MemoryStore, Store, Timestamp};

use super::SkillSystem;
use super::world::World;
use crate::clients::{Clients, ClientsError};
use crate::guard::OnLoad;
use crate::host::Host;
use crate::roots::Options;
use crate::schedule::Zone;
use crate::watch::affected::SkillPlaces;

/// What a system is made from. What is not said is as on the machine that the process runs on.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    host: Option<Host>,
    clients: Option<Clients>,
    options: Options,
    config: Option<PathBuf>,
    agent: Option<String>,
    store: Option<Arc<dyn Store>>,
    clock: Clock,
    zone: Zone,
    on_load: Option<OnLoad>,
    policy: Option<Policy>,
}

/// Where the time comes from.
#[derive(Clone)]
pub struct Clock(pub(super) Arc<dyn Fn() -> Timestamp + Send + Sync>);

impl Clock {
    /// A clock of one's own, for tests above all.
    pub fn new(now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }
}

impl Default for Clock {
    /// The machine's.
    fn default() -> Self {
        Self::new(|| Timestamp::from(SystemTime::now()))
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clock at {:?}", (self.0)())
    }
}

impl Builder {
    /// The outside world; the process's own by default.
    #[must_use]
    pub fn host(mut self, host: Host) -> Self {
        self.host = Some(host);
        self
    }

    /// The clients whose directories are searched; all that are known by default.
    #[must_use]
    pub fn clients(mut self, clients: Clients) -> Self {
        self.clients = Some(clients);
        self
    }

    /// What narrows the search.
    #[must_use]
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Searches only this directory, and others that are named so; the first ranks highest.
    #[must_use]
    pub fn root(mut self, directory: impl Into<PathBuf>) -> Self {
        self.options.roots.push(directory.into());
        self
    }

    /// Reads this configuration file in place of all others.
    #[must_use]
    pub fn config(mut self, file: impl Into<PathBuf>) -> Self {
        self.config = Some(file.into());
        self
    }

    /// The agent whose switches count, by the name that `skills.toml` gives it; by default what is said for all counts.
    #[must_use]
    pub fn agent(mut self, name: impl Into<String>) -> Self {
        self.agent = Some(name.into());
        self
    }

    /// Where usage is counted and choices are kept; by default in memory, until the process ends.
    #[must_use]
    pub fn store(mut self, store: Arc<dyn Store>) -> Self {
        self.store = Some(store);
        self
    }

    /// Where the time of what is recorded comes from; the machine's clock by default.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// The time zone of schedules that name none; UTC by default.
    #[must_use]
    pub fn zone(mut self, zone: Zone) -> Self {
        self.zone = zone;
        self
    }

    /// Which skills the guard looks at before they are used, whatever the configuration says; [`OnLoad::Never`] turns it
    /// off. What it finds is kept in the store: with one that lasts, a start looks only at what is new.
    #[must_use]
    pub fn on_load(mut self, on_load: OnLoad) -> Self {
        self.on_load = Some(on_load);
        self
    }

    /// How the guard judges, whatever the configuration says.
    #[must_use]
    pub fn guard_policy(mut self, policy: Policy) -> Self {
        self.policy = Some(policy);
        self
    }

    /// Searches everything once, and hands over the system.
    ///
    /// # Errors
    ///
    /// [`ClientsError`] when the table of clients cannot be read. What is wrong with skills, roots and configuration is
    /// no error: it is in the snapshot.
    pub fn build(self) -> Result<SkillSystem, ClientsError> {
        let clients = match self.clients {
            Some(clients) => clients,
            None => Clients::built_in()?,
        };
        let world = World {
            host: self.host.unwrap_or_else(Host::from_environment),
            clients,
            options: self.options,
            config: self.config,
            agent: self.agent,
            store: self.store.unwrap_or_else(|| Arc::new(MemoryStore::new())),
            clock: self.clock,
            on_load: self.on_load,
            policy: self.policy,
            places: SkillPlaces::default(),
        };
        Ok(SkillSystem::start(world, self.zone))
    }
}
