//! Installing: from skills in a source to skills in the clients' directories, and everything that keeps them there.
//!
//! ```text
//! Offers ─plan→ Plan ─(a person says yes)→ apply → one change: places, skills.toml, skills.lock
//! lock ─restore→ Plan        lock ─verify→ Drift        lock ─remove, link, unlink→ one change
//! ```
//!
//! Whatever is done is one change with the lock in it: either both are as before or both are as wanted.

mod adopt;
mod apply;
mod diff;
mod error;
mod files;
mod from_source;
mod hold;
mod locked;
mod offer;
mod placement;
mod plan;
mod proposal;
mod remove;
mod restore;
mod update;
mod verify;

#[cfg(test)]
#[cfg(unix)]
mod testing;
#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use skillful::config::Config;
use skillful::roots::ClientDirectories;
use skillful::{Client, Setup};
use skillful_guard::Trust;
use skillful_store::journal::{Actor, Digest};

use crate::data::DataDirectory;
use crate::gate::Gate;
use crate::lock::{Lock, LockedSkill};
use crate::source::fetch::{Fetcher, Settings};
use crate::targets::{self, Directory, Ground, Reach, WantedClients};

pub use adopt::{
    Adoptable, Adopted, Adoption, Mention, NotAdopted, NotAdoptedReason, ReadFault, Tool, Wish,
};
pub use apply::{Applied, Consent};
pub use diff::{Divergence, FoundThere};
pub use error::InstallError;
pub use files::{Files, path_between};
pub use hold::Held;
pub use offer::{Kept, Offer, keep};
pub use placement::{Placement, placements};
pub use plan::{Plan, PlannedSkill, Refusal, Step};
pub use proposal::{Proposal, ProposalError, surroundings};
pub use remove::{Linked, Removed};
pub use restore::{Restoration, Restored, RestoredSkill};
pub use update::{
    NextVersion, PlannedUpdate, Standing, StandingKind, UpdatePlan, UpdateStep, UpdateWish, Updated,
};
pub use verify::{Drift, DriftKind};

/// Installs for one project, for the user, or into one directory.
#[derive(Debug)]
pub struct Installer<'a> {
    /// Host, clients and configuration.
    pub setup: &'a Setup,
    /// Where our own things lie.
    pub data: DataDirectory,
    /// What every skill passes through.
    pub gate: Gate,
    /// Whose skills are meant.
    pub reach: Reach,
    /// The clients that are to have them.
    pub clients: WantedClients,
    /// Whether every client gets a copy.
    pub copy: bool,
    /// Whether places that were changed since are replaced. What they hold is kept, and comes back by an undo.
    pub discard_edits: bool,
    /// Who wants it.
    pub actor: Actor,
    files: Files,
}

impl<'a> Installer<'a> {
    /// An installer for this reach, for the clients that are there.
    ///
    /// # Errors
    ///
    /// [`InstallError::NoHome`] where there is no place for our own things, or for the user's files.
    pub fn new(setup: &'a Setup, reach: Reach, gate: Gate) -> Result<Self, InstallError> {
        let data = DataDirectory::of(&setup.host, &setup.options).ok_or(InstallError::NoHome)?;
        let files = Files::of(setup, &reach).ok_or(InstallError::NoHome)?;
        Ok(Self {
            setup,
            data,
            gate,
            reach,
            clients: WantedClients::Present,
            copy: false,
            discard_edits: false,
            actor: Actor::USER,
            files,
        })
    }

    /// What fetches sources: answers from the web are kept among our own things.
    pub fn fetcher(&self) -> Fetcher {
        Fetcher::new(Settings {
            answers: Some(self.data.answers()),
            ..Settings::default()
        })
    }

    /// The files that say what is wanted and what was placed.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// What was placed so far.
    ///
    /// # Errors
    ///
    /// When the lock cannot be read or understood.
    pub fn lock(&self) -> Result<Lock, InstallError> {
        lock_of(&self.files.lock)
    }

    fn directories(&self) -> Result<Vec<Directory>, InstallError> {
        let ground = Ground {
            host: &self.setup.host,
            clients: &self.setup.clients,
            options: &self.setup.options,
        };
        let directories = ground.choose(&self.reach, &self.clients, self.copy)?;
        match directories.iter().find(|it| !self.stays_inside(&it.path)) {
            Some(outside) => Err(InstallError::LeadsOut(outside.path.clone())),
            None => Ok(directories),
        }
    }

    /// How far a source is trusted: as far as the operator's list says.
    fn trust_of(&self, source: &str) -> Trust {
        if is_trusted(&self.setup.config, source) {
            Trust::Trusted
        } else {
            Trust::Community
        }
    }

    /// Whether the link at `path` leads to the object of a skill, or to another place of it.
    fn leads_to(
        &self,
        path: &Path,
        skill: &LockedSkill,
        digest: Option<&Digest>,
    ) -> Result<bool, InstallError> {
        let Ok(real) = fs::canonicalize(path) else {
            return Ok(false);
        };
        let objects = self.data.objects();
        let object = digest.map(|digest| targets::real(&objects.tree_path(digest)));
        if object.is_some_and(|object| object == real) {
            return Ok(true);
        }
        for target in &skill.targets {
            let place = self.place(skill, &target.path)?;
            if place != path && targets::real(&place) == real {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The absolute path of a place in the lock.
    fn place(&self, skill: &LockedSkill, text: &str) -> Result<PathBuf, InstallError> {
        let place = self.files.expand(&self.reach, text);
        place
            .filter(|place| self.may_hold(place))
            .ok_or_else(|| InstallError::Outside {
                path: self.files.lock.clone(),
                id: skill.id.clone(),
                place: text.to_owned(),
            })
    }

    /// Whether a skill may lie at a path: in a directory that some client keeps skills in, and really there. A lock may
    /// come from a stranger's repository, and must not name `.git` or whatever a link in the repository leads to.
    fn may_hold(&self, place: &Path) -> bool {
        let setup = self.setup;
        let lies_in = |directory: &PathBuf| {
            place.strip_prefix(directory).is_ok_and(|below| {
                let mut names = below.iter().map(|name| name.to_string_lossy());
                below.components().next().is_some() && names.all(|name| !name.starts_with('.'))
            })
        };
        let lies_in_some = |of: &dyn Fn(&Client) -> ClientDirectories| {
            setup.clients.iter().any(|client| {
                let directories = of(client);
                directories.own.iter().chain(&directories.also).any(lies_in)
            })
        };
        let is_known = match &self.reach {
            Reach::Directory(root) => lies_in(root),
            Reach::Project(project) => {
                lies_in_some(&|client| ClientDirectories::in_project(client, project))
            }
            Reach::User => lies_in_some(&|client| {
                ClientDirectories::of_user(client, &setup.host, &setup.options)
            }),
        };
        is_known && self.stays_inside(place.parent().unwrap_or(place))
    }

    /// Whether no link leads a directory of skills out of the project. In the user's home links are the user's own.
    fn stays_inside(&self, directory: &Path) -> bool {
        match &self.reach {
            Reach::User => true,
            Reach::Project(base) | Reach::Directory(base) => {
                targets::real(directory).starts_with(targets::real(base))
            }
        }
    }
}

/// Whether a source is one that the operator trusts: the entry itself, or something below it.
pub fn is_trusted(config: &Config, source: &str) -> bool {
    config.trusted_sources().iter().any(|trusted| {
        let trusted = trusted.trim_end_matches('/');
        source
            .strip_prefix(trusted)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '#', '@']))
    })
}

/// The text of a file; empty when there is none.
fn text_of(path: &Path) -> Result<String, InstallError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(InstallError::File {
            path: path.to_owned(),
            error,
        }),
    }
}

/// The lock at a path; an empty one when there is no file.
fn lock_of(path: &Path) -> Result<Lock, InstallError> {
    let text = text_of(path)?;
    if text.is_empty() {
        return Ok(Lock::default());
    }
    Lock::parse(&text).map_err(|error| InstallError::Lock {
        path: path.to_owned(),
        error,
    })
}
