//! A stage that a victim changes something on, and what must hold after it was killed.
//!
//! A stage is a directory with a `world` (everything that a change may reach, and a canary that no change may touch) and
//! a data directory. What must hold is told by looking at all of the world: after recovery it is, to the last bit, the
//! one from before or the one that an undisturbed run makes.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use skillful_manage::journal::history;
use skillful_manage::{DataDirectory, Query, observe};
use tempfile::TempDir;

/// What a victim prints when it is about to begin.
pub(crate) const READY: &str = "the victim is ready";

/// Something that can be done to a stage by a process.
pub(crate) trait Scenario {
    /// Fills the world and the data directory with what is there before.
    fn prepare(&self, stage: &Stage);

    /// The process that makes the change, or completes it if one before it was killed.
    fn victim(&self, stage: &Stage) -> Command;

    /// Has everything finished that killed victims left, without changing anything else.
    fn recover(&self, stage: &Stage);
}

/// Where it happens.
pub(crate) struct Stage {
    directory: TempDir,
}

/// Everything below a directory: paths with kind, mode and content.
pub(crate) type Snapshot = BTreeMap<String, String>;

impl Stage {
    pub(crate) fn new(scenario: &dyn Scenario) -> Self {
        let directory = tempfile::tempdir_in(place_of_stages()).unwrap();
        let stage = Self { directory };
        fs::create_dir_all(stage.world().join("canary/deep")).unwrap();
        for name in [
            "canary/SKILL.md",
            "canary/deep/.skillful-mine",
            "canary.txt",
        ] {
            fs::write(stage.world().join(name), name).unwrap();
        }
        scenario.prepare(&stage);
        stage
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn world(&self) -> PathBuf {
        self.path().join("world")
    }

    pub(crate) fn data(&self) -> DataDirectory {
        DataDirectory::at(self.path().join("data"))
    }

    /// What the world looks like.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let mut snapshot = Snapshot::new();
        self.look(&self.world(), &mut snapshot);
        snapshot
    }

    fn look(&self, directory: &Path, snapshot: &mut Snapshot) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let found = path.symlink_metadata().unwrap();
            let content = if found.is_symlink() {
                let target = fs::read_link(&path).unwrap();
                let stage = self.path().to_str().unwrap();
                format!("link {}", target.to_str().unwrap().replace(stage, "@"))
            } else if found.is_dir() {
                self.look(&path, snapshot);
                format!("directory {}", mode(&found))
            } else {
                let content = fs::read(&path).unwrap();
                format!("file {} {}", mode(&found), content.escape_ascii())
            };
            let name = path.strip_prefix(self.world()).unwrap();
            snapshot.insert(name.to_str().unwrap().to_owned(), content);
        }
    }

    /// How many changes are on record.
    pub(crate) fn entries(&self) -> usize {
        history(&self.data(), &Query::default()).unwrap().len()
    }

    /// Whether a change is under way, or was when its process ended.
    pub(crate) fn is_unfinished(&self) -> bool {
        fs::read_dir(self.data().intents()).is_ok_and(|mut left| left.next().is_some())
    }

    /// Nothing of ours is left anywhere, and the journal tells what is on disk.
    pub(crate) fn assert_tidy(&self) {
        for directory in [self.data().intents(), self.data().staging()] {
            let left: Vec<_> = fs::read_dir(&directory)
                .map(|entries| entries.map(|entry| entry.unwrap().path()).collect())
                .unwrap_or_default();
            assert!(left.is_empty(), "{left:?}");
        }
        let mut seen = Vec::new();
        for entry in history(&self.data(), &Query::default()).unwrap() {
            for swap in &entry.swaps {
                if !seen.contains(&swap.path) {
                    assert_eq!(observe(&swap.path).unwrap(), swap.after, "{entry:?}");
                    seen.push(swap.path.clone());
                }
            }
        }
    }
}

#[cfg(unix)]
fn mode(found: &fs::Metadata) -> String {
    use std::os::unix::fs::PermissionsExt;
    format!("{:o}", found.permissions().mode() & 0o777)
}

#[cfg(not(unix))]
fn mode(_: &fs::Metadata) -> String {
    String::new()
}

/// Where stages lie: what was written outlives a process that is killed even where it outlives nothing else, so that a
/// file system in memory will do and saves the waits for the disk. `SKILLFUL_KILL_DIRECTORY` is for trying others.
fn place_of_stages() -> PathBuf {
    let named = std::env::var_os("SKILLFUL_KILL_DIRECTORY").map(PathBuf::from);
    let memory = || Some(PathBuf::from("/dev/shm")).filter(|memory| memory.is_dir());
    named.or_else(memory).unwrap_or_else(std::env::temp_dir)
}

/// The worlds before and after a change, with the number of entries in the journal.
pub(crate) struct Expected {
    pub(crate) old: (Snapshot, usize),
    pub(crate) new: (Snapshot, usize),
    /// How long the victim takes from when it is ready.
    pub(crate) time: Duration,
}

impl Expected {
    /// What an undisturbed run makes.
    pub(crate) fn of(scenario: &dyn Scenario) -> Self {
        let stage = Stage::new(scenario);
        let old = (stage.snapshot(), stage.entries());
        let time = run(scenario.victim(&stage), None);
        let new = (stage.snapshot(), stage.entries());
        assert_ne!(old.0, new.0, "nothing happened");
        stage.assert_tidy();
        Self { old, new, time }
    }

    /// The world is wholly old or wholly new; gives whether it is new.
    pub(crate) fn assert_one_of_both(&self, stage: &Stage, what: &str) -> bool {
        let found = (stage.snapshot(), stage.entries());
        if found != self.old {
            assert_eq!(found, self.new, "{what}: neither old nor new");
        }
        stage.assert_tidy();
        found == self.new
    }
}

/// Runs a victim to its end, or kills it so long after it was ready. Gives how long it took from then.
pub(crate) fn run(mut victim: Command, kill_after: Option<Duration>) -> Duration {
    let mut child = victim
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let is_ready = lines.any(|line| line.is_ok_and(|line| line.contains(READY)));
    let begin = std::time::Instant::now();
    if let Some(moment) = kill_after {
        std::thread::sleep(moment);
        child.kill().unwrap();
    }
    // What else it prints must not block it.
    lines.for_each(drop);
    let status = child.wait().unwrap();
    let time = begin.elapsed();
    if kill_after.is_none() {
        assert!(is_ready && status.success(), "{status}");
    }
    time
}
