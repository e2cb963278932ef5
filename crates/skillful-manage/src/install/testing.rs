//! What the tests of installing and of adopting share: a home and a project in a directory of their own.

use std::fs;
use std::path::PathBuf;

use skillful::{Clients, Host, Options, Setup};
use skillful_store::Choices;

use super::Installer;
use crate::gate::Gate;
use crate::targets::Reach;

/// A home and a project in a directory of their own.
pub(super) struct World {
    directory: tempfile::TempDir,
    setup: Setup,
}

impl World {
    /// Where no client was used yet.
    pub(super) fn new() -> Self {
        Self::with(&["home", "project"])
    }

    /// Where these directories are, the home and the project among them.
    pub(super) fn with(directories: &[&str]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let top = directory.path().canonicalize().unwrap();
        for path in directories {
            fs::create_dir_all(top.join(path)).unwrap();
        }
        let host = Host::new(top.join("project")).with_home(top.join("home"));
        let options = Options {
            home: Some(top.join("home")),
            project: Some(top.join("project")),
            ..Options::default()
        };
        let clients = Clients::built_in().unwrap();
        let setup = Setup::read(host, clients, options, None, Choices::default());
        Self { directory, setup }
    }

    pub(super) fn at(&self, path: &str) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join(path)
    }

    pub(super) fn write(&self, path: &str, text: &str) -> &Self {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    pub(super) fn installer(&self, reach: Reach) -> Installer<'_> {
        let gate = Gate::of(&self.setup.config).unwrap();
        Installer::new(&self.setup, reach, gate).unwrap()
    }

    pub(super) fn project(&self) -> Installer<'_> {
        self.installer(Reach::Project(self.at("project")))
    }

    pub(super) fn user(&self) -> Installer<'_> {
        self.installer(Reach::User)
    }
}
