//! Setting up a system.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::SkillSystem;
use super::world::World;
use crate::clients::{Clients, ClientsError};
use crate::host::Host;
use crate::roots::Options;
use crate::watch::affected::SkillPlaces;

/// What a system is made from. What is not said is as on the machine that the process runs on.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    host: Option<Host>,
    clients: Option<Clients>,
    options: Options,
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
        Ok(SkillSystem::start(World {
            host: self.host.unwrap_or_else(Host::from_environment),
            clients,
            options: self.options,
            places: SkillPlaces::default(),
            config_files: BTreeSet::new(),
        }))
    }
}
