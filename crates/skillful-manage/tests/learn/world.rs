//! A home, and learners for the user's place and the project's.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use skillful::{Clients, Host, Options, Setup};
use skillful_manage::DataDirectory;
use skillful_manage::author::Where;
use skillful_manage::gate::Gate;
use skillful_manage::learn::{CheckResult, Checker, Learner, Lesson};
use skillful_store::{Activity, Choices, Event, Key, MemoryStore, Store, Timestamp};
use tempfile::TempDir;

pub(crate) struct World {
    directory: TempDir,
    pub(crate) setup: Setup,
    pub(crate) data: DataDirectory,
    gate: Gate,
    pub(crate) store: MemoryStore,
}

impl World {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let home = fs::canonicalize(directory.path()).unwrap();
        fs::create_dir_all(home.join("work/.git")).unwrap();
        Self {
            setup: setup(&home, Choices::default()),
            data: DataDirectory::at(home.join("data")),
            gate: Gate::of(&skillful::Config::default()).unwrap(),
            store: MemoryStore::new(),
            directory,
        }
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        fs::canonicalize(self.directory.path()).unwrap().join(path)
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    pub(crate) fn learner(&self) -> Learner<'_> {
        self.learner_in(Where::User)
    }

    pub(crate) fn learner_in(&self, place: Where) -> Learner<'_> {
        Learner::new(&self.setup, &self.data, &self.gate, &self.store, place)
    }

    /// Looks at the choices again.
    pub(crate) fn refresh(&mut self) {
        self.setup = setup(&self.at(""), self.store.choices().unwrap());
    }

    /// The key of a skill of the user's place.
    pub(crate) fn key(&self, id: &str) -> Key {
        Key::new(id, self.at(".agents/skills").to_str().unwrap())
    }

    /// Counts reads and wins.
    pub(crate) fn seen(&self, id: &str, reads: usize, wins: usize) {
        let at = Timestamp::from_seconds(5);
        let event = |activity| Event {
            key: self.key(id),
            activity,
            at,
        };
        let mut events = vec![event(Activity::Read); reads];
        events.extend(vec![event(Activity::Win); wins]);
        self.store.record(&events).unwrap();
    }
}

fn setup(home: &Path, choices: Choices) -> Setup {
    let host = Host::new(home.join("work"));
    let options = Options {
        home: Some(home.to_owned()),
        ..Options::default()
    };
    Setup::read(host, Clients::built_in().unwrap(), options, None, choices)
}

pub(crate) fn lesson(title: &str, body: &str) -> Lesson {
    Lesson {
        title: title.to_owned(),
        body: body.to_owned(),
        ..Lesson::default()
    }
}

/// Says in turn how checks end, and notes what it was asked to run.
#[derive(Debug, Default)]
pub(crate) struct Script {
    results: RefCell<Vec<CheckResult>>,
    pub(crate) lines: RefCell<Vec<String>>,
}

impl Script {
    pub(crate) fn of(results: &[CheckResult]) -> Self {
        let mut results = results.to_vec();
        results.reverse();
        Self {
            results: RefCell::new(results),
            lines: RefCell::default(),
        }
    }
}

impl Checker for Script {
    fn check(&self, directory: &Path, line: &str) -> CheckResult {
        assert!(directory.join("SKILL.md").is_file());
        self.lines.borrow_mut().push(line.to_owned());
        let result = self.results.borrow_mut().pop();
        result.unwrap_or(CheckResult::NotRun("the script is over".to_owned()))
    }
}

pub(crate) fn failed() -> CheckResult {
    CheckResult::Failed("exit code 1".to_owned())
}
