//! One scenario for every kind of change, made by this test program itself, which runs again as the victim.

use std::cell::Cell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use skillful_manage::{
    Actor, Change, Objects, Observer, Operation, Options, State, Step, Swap, Writer, observe,
};

use crate::harness::{READY, Scenario, Stage};

const SCENARIO: &str = "SKILLFUL_KILL_SCENARIO";
const STAGE: &str = "SKILLFUL_KILL_STAGE";
const TWO_STEPS: &str = "SKILLFUL_KILL_TWO_STEPS";
/// At which step the victim ends itself.
const ABORT_AT: &str = "SKILLFUL_KILL_ABORT_AT";

/// Every kind of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    CreateTree,
    CreateDeep,
    ReplaceTree,
    RemoveTree,
    CreateFile,
    ReplaceFile,
    RemoveFile,
    CreateLink,
    ReplaceLink,
    LinkToTree,
    TreeToFile,
    /// A skill gets another name: two trees, a link and a lock file at once.
    Rename,
    UndoRename,
    RedoRename,
    UndoCreateDeep,
}

pub(crate) const KINDS: [Kind; 15] = [
    Kind::CreateTree,
    Kind::CreateDeep,
    Kind::ReplaceTree,
    Kind::RemoveTree,
    Kind::CreateFile,
    Kind::ReplaceFile,
    Kind::RemoveFile,
    Kind::CreateLink,
    Kind::ReplaceLink,
    Kind::LinkToTree,
    Kind::TreeToFile,
    Kind::Rename,
    Kind::UndoRename,
    Kind::RedoRename,
    Kind::UndoCreateDeep,
];

/// A kind of change, made in one of two ways.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Own {
    pub(crate) kind: Kind,
    pub(crate) two_steps: bool,
    /// How many files the new tree has.
    pub(crate) files: usize,
    pub(crate) abort_at: Option<usize>,
}

impl Own {
    pub(crate) fn new(kind: Kind, two_steps: bool) -> Self {
        Self {
            kind,
            two_steps,
            files: 4,
            abort_at: None,
        }
    }

    pub(crate) fn options(self, observer: Option<Box<dyn Observer>>) -> Options {
        let mut options = Options {
            two_steps: self.two_steps,
            ..Options::default()
        };
        if let Some(observer) = observer {
            options.observer = observer;
        }
        options
    }

    /// Makes the change, unless it was made.
    pub(crate) fn act(self, stage: &Path, options: Options) -> Result<(), String> {
        let data = skillful_manage::DataDirectory::at(stage.join("data"));
        let mut writer = Writer::open_with(&data, options).map_err(|error| error.to_string())?;
        let entries = writer.journal().entries(&skillful_manage::Query::default());
        let last = entries.unwrap().into_iter().next();
        let is_undo = |operation| {
            last.as_ref()
                .is_some_and(|last| last.operation == operation)
        };
        let done = match self.kind {
            Kind::UndoRename | Kind::UndoCreateDeep if !is_undo(Operation::UNDO) => {
                writer.undo(last.unwrap().seq, Actor::AGENT)
            }
            Kind::RedoRename if !is_undo(Operation::REDO) => {
                writer.undo(last.unwrap().seq, Actor::AGENT)
            }
            Kind::UndoRename | Kind::UndoCreateDeep | Kind::RedoRename => return Ok(()),
            kind => {
                let change = change(kind, &stage.join("world"), writer.objects(), self.files);
                match writer.commit(change) {
                    Err(skillful_manage::ChangeError::Nothing) => return Ok(()),
                    done => done,
                }
            }
        };
        done.map(drop).map_err(|error| error.to_string())
    }
}

impl Scenario for Own {
    fn prepare(&self, stage: &Stage) {
        let world = stage.world();
        let skills = world.join("skills");
        write_tree(&skills.join("old"), "old", 3);
        write_tree(&skills.join("other"), "other", 2);
        fs::write(world.join("skills.lock"), "old lock").unwrap();
        fs::write(world.join("notes"), "notes").unwrap();
        symlink("skills/old", &world.join("link"));
        let act = |kind| {
            let own = Self { kind, ..*self };
            own.act(stage.path(), own.options(None)).unwrap();
        };
        match self.kind {
            Kind::UndoRename => act(Kind::Rename),
            Kind::RedoRename => {
                act(Kind::Rename);
                act(Kind::UndoRename);
            }
            Kind::UndoCreateDeep => act(Kind::CreateDeep),
            _ => {}
        }
    }

    fn victim(&self, stage: &Stage) -> Command {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args([
                "--exact",
                "scenarios::victim",
                "--nocapture",
                "--test-threads=1",
            ])
            .env(STAGE, stage.path())
            .env(SCENARIO, format!("{:?}/{}", self.kind, self.files));
        if self.two_steps {
            command.env(TWO_STEPS, "1");
        }
        if let Some(step) = self.abort_at {
            command.env(ABORT_AT, step.to_string());
        }
        command
    }

    fn recover(&self, stage: &Stage) {
        Writer::open_with(&stage.data(), self.options(None)).unwrap();
    }
}

/// What another process runs; for everybody else a test of nothing.
#[test]
fn victim() {
    let Some(stage) = std::env::var_os(STAGE) else {
        return;
    };
    let scenario = std::env::var(SCENARIO).unwrap();
    let (name, files) = scenario.split_once('/').unwrap();
    let kind = KINDS.into_iter().find(|kind| format!("{kind:?}") == name);
    let mut own = Own::new(kind.unwrap(), std::env::var_os(TWO_STEPS).is_some());
    own.files = files.parse().unwrap();
    let observer = std::env::var(ABORT_AT).ok().map(|step| {
        Box::new(Countdown::new(step.parse().unwrap(), || {
            std::process::abort()
        })) as Box<dyn Observer>
    });
    println!("{READY}");
    own.act(&PathBuf::from(stage), own.options(observer))
        .unwrap();
}

/// Does something at the step with a number, counted from 0.
pub(crate) struct Countdown<F> {
    left: Cell<usize>,
    act: F,
}

impl<F: Fn() -> io::Result<()> + Send> Countdown<F> {
    pub(crate) fn new(steps: usize, act: F) -> Self {
        let left = Cell::new(steps);
        Self { left, act }
    }
}

impl<F: Fn() -> io::Result<()> + Send> Observer for Countdown<F> {
    fn reached(&self, _: Step<'_>) -> io::Result<()> {
        let left = self.left.get();
        self.left.set(left.wrapping_sub(1));
        if left == 0 { (self.act)() } else { Ok(()) }
    }
}

fn change(kind: Kind, world: &Path, objects: &Objects, files: usize) -> Change {
    let new_tree = || {
        let staging = objects.stage().unwrap();
        write_tree(&staging.path().join("x"), "new", files);
        objects.put_tree(&staging.path().join("x")).unwrap().state()
    };
    let new_file = || objects.put_bytes(b"new lock", false).unwrap();
    let link = |target: &str| State::Link {
        target: target.to_owned(),
    };
    let at = |path: &str| world.join(path);
    let to: Vec<(PathBuf, State)> = match kind {
        Kind::CreateTree => vec![(at("skills/new"), new_tree())],
        Kind::CreateDeep | Kind::UndoCreateDeep => {
            vec![(at(".agents/skills/new"), new_tree())]
        }
        Kind::ReplaceTree => vec![(at("skills/old"), new_tree())],
        Kind::RemoveTree => vec![(at("skills/old"), State::Absent)],
        Kind::CreateFile => vec![(at("skills/SKILL.md"), new_file())],
        Kind::ReplaceFile => vec![(at("skills.lock"), new_file())],
        Kind::RemoveFile => vec![(at("skills.lock"), State::Absent)],
        Kind::CreateLink => vec![(at("skills/linked"), link("../skills/other"))],
        Kind::ReplaceLink => vec![(at("link"), link("skills/other"))],
        Kind::LinkToTree => vec![(at("link"), new_tree())],
        Kind::TreeToFile => vec![(at("skills/old"), new_file())],
        Kind::Rename | Kind::UndoRename | Kind::RedoRename => vec![
            (at("skills/old"), State::Absent),
            (at("skills/new"), new_tree()),
            (at("link"), link("skills/new")),
            (at("skills.lock"), new_file()),
        ],
    };
    let swaps = to
        .into_iter()
        .map(|(path, after)| Swap::new(&path, observe(&path).unwrap(), after));
    let mut change = Change::new(Operation::EDIT, Actor::USER).about("old");
    change.swaps = swaps.collect();
    change
}

/// A skill with so many more files, some of them in directories, one executable, a link, an empty directory.
fn write_tree(path: &Path, text: &str, files: usize) {
    fs::create_dir_all(path.join("empty/deep")).unwrap();
    fs::create_dir_all(path.join(".git")).unwrap();
    fs::write(path.join("SKILL.md"), text).unwrap();
    fs::write(path.join(".git/HEAD"), text).unwrap();
    for number in 0..files {
        let directory = path.join(format!("d{}", number % 7));
        fs::create_dir_all(&directory).unwrap();
        fs::write(
            directory.join(format!("{number}.txt")),
            text.repeat(number * 9),
        )
        .unwrap();
    }
    let script = path.join("run.sh");
    fs::write(&script, text).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    }
    symlink("SKILL.md", &path.join("a-link"));
}

#[cfg(unix)]
fn symlink(target: &str, link: &Path) {
    std::os::unix::fs::symlink(target, link).unwrap();
}

#[cfg(windows)]
fn symlink(target: &str, link: &Path) {
    std::os::windows::fs::symlink_file(target, link).unwrap();
}
