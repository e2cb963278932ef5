//! A made-up machine: skills of all kinds and in all states, for whoever wants to look around without showing their own.
//!
//! Everything lies in one private directory, which is its home as well, and goes with it: nothing outside is read, and
//! what is tried out there changes nothing anywhere else.

mod personal;
mod shared;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use skillful::records::{directory, key_of};
use skillful::{Clients, ClientsError, Host, Library, Options, Setup, Skill};
use skillful_manage::DataDirectory;
use skillful_manage::author::{Author, AuthorError, NewSkill};
use skillful_manage::gate::Gate;
use skillful_store::{
    Activity, Archived, Choice, Choices, Event, SqliteStore, Store, StoreError, Timestamp,
};
use tempfile::TempDir;

use crate::engine::Settings;

/// The project that the skills are looked at from, below the home.
const PROJECT: &str = "projects/shop";

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How many days back usage goes.
const DAYS: u32 = 28;

/// Skills that are used: how often on a day at most, and how the days differ.
const USED: &[(&str, u32, u32)] = &[
    ("release-notes", 4, 3),
    ("unit-tests", 7, 5),
    ("review-pr", 5, 2),
    ("meeting-notes", 3, 4),
    ("api-style", 6, 7),
    ("incident-review", 1, 6),
    ("checkout-flow", 2, 5),
];

/// A made-up machine. It is there until this is dropped.
#[derive(Debug)]
pub struct Demo {
    home: TempDir,
}

/// A made-up machine could not be made.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// Its files cannot be written.
    #[error("the demonstration cannot be written: {0}")]
    Files(#[from] io::Error),
    /// The table of clients is faulty.
    #[error(transparent)]
    Clients(#[from] ClientsError),
    /// Its records cannot be kept.
    #[error("the records of the demonstration cannot be written: {0}")]
    Records(#[from] StoreError),
    /// A change that belongs to its history was not made.
    #[error("the history of the demonstration cannot be made: {0}")]
    History(#[from] AuthorError),
    /// The guard has no rules.
    #[error("the guard of the demonstration cannot begin: {0}")]
    Guard(String),
}

impl Demo {
    /// Writes it into a private temporary directory.
    ///
    /// # Errors
    ///
    /// See [`DemoError`].
    pub fn make() -> Result<Self, DemoError> {
        let home = tempfile::Builder::new()
            .prefix("skillful-demo-")
            .tempdir()?;
        let demo = Self { home };
        for (path, content) in personal::FILES.iter().chain(shared::FILES) {
            demo.write(path, content.as_bytes())?;
        }
        for (path, content) in shared::BYTES {
            demo.write(path, content)?;
        }
        demo.past()?;
        Ok(demo)
    }

    /// The home of the machine, which is all of it.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// The project that the skills are looked at from.
    pub fn project(&self) -> PathBuf {
        self.home.path().join(PROJECT)
    }

    /// What an engine for it is started with. The environment of the process does not count.
    pub fn settings(&self) -> Settings {
        Settings {
            host: Host::new(self.project()).with_home(self.home.path()),
            options: self.options(),
            config: None,
            agent: None,
            watch: true,
        }
    }

    fn options(&self) -> Options {
        Options {
            project: Some(self.project()),
            home: Some(self.home.path().to_owned()),
            ..Options::default()
        }
    }

    fn write(&self, path: &str, content: &[u8]) -> io::Result<()> {
        let path = self.home.path().join(path);
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory)?;
        }
        fs::write(path, content)
    }

    /// What happened before anybody looks: changes, usage, something put away.
    fn past(&self) -> Result<(), DemoError> {
        let settings = self.settings();
        let clients = Clients::built_in()?;
        let setup = || {
            let (host, options) = (settings.host.clone(), settings.options.clone());
            Setup::read(host, clients.clone(), options, None, Choices::default())
        };
        changes(&setup(), &settings)?;
        let library = Library::scan(&settings.host, &clients, &settings.options);
        let Some(directory) = directory(&settings.host, &settings.options) else {
            return Ok(());
        };
        let store = SqliteStore::at(directory);
        let now = SystemTime::now();
        for skill in library.registry.skills() {
            store.record(&usage(skill, now))?;
            if skill.id == "old-changelog" {
                let archived = Archived {
                    at: Timestamp::from(now - DAY * 9),
                    reason: None,
                };
                store.choose(&key_of(skill), Choice::Archive(archived))?;
            }
        }
        Ok(())
    }
}

/// Changes that somebody made, so that there is a history.
fn changes(setup: &Setup, settings: &Settings) -> Result<(), DemoError> {
    let Some(data) = DataDirectory::of(&settings.host, &settings.options) else {
        return Ok(());
    };
    let gate = Gate::of(&setup.config).map_err(|error| DemoError::Guard(error.to_string()))?;
    let author = Author::new(setup, &data, &gate);
    let new = NewSkill::new(shared::MEETING_NAME, shared::MEETING_DESCRIPTION)
        .with_body(shared::MEETING_BODY);
    author.create(&new)?;
    let target = "meeting-notes".into();
    author.patch(&target, None, "Three headings", "Four headings")?;
    author.write_file(
        &target,
        "references/example.md",
        shared::MEETING_EXAMPLE.as_bytes(),
        None,
    )?;
    Ok(())
}

/// Made-up usage: the same on the same day back, whenever it is made.
fn usage(skill: &Skill, now: SystemTime) -> Vec<Event> {
    let Some((_, most, step)) = USED.iter().find(|(id, ..)| *id == skill.id) else {
        return Vec::new();
    };
    let key = key_of(skill);
    let mut events = Vec::new();
    for back in 0..DAYS {
        let at = Timestamp::from(now - DAY * back);
        // Fewer at the end of the week, and never the same two days in a row.
        let reads = if back % 7 < 2 {
            0
        } else {
            (back * step) % (most + 1)
        };
        let mut add = |activity, count: u32| {
            events.extend((0..count).map(|_| Event {
                key: key.clone(),
                activity,
                at,
            }));
        };
        add(Activity::Offer, reads + 2);
        add(Activity::Read, reads);
        add(Activity::Use, reads / 2);
        add(Activity::Win, reads / 3);
    }
    events
}

#[cfg(test)]
mod tests;
