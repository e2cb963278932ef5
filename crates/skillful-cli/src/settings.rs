//! Changing configuration files: which file is meant, and a change of it that loses nothing.
//!
//! A file that is not TOML is refused with the place. A link is followed to the file that it leads to, but a project's
//! file must not lead out of the project. Two processes that change one file take turns.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde_json::Value as Json;
use skillful::Problem;
use skillful::config::edit::{self, EditError};
use skillful::config::{ConfigFile, KeyPath, Level, Value, read_files, schema};
use skillful::contract::ChangeDocument;
use skillful_manage::Change;
use skillful_manage::named::Rewrite;

use crate::args::{GlobalArgs, Layer};
use crate::error::CommandError;
use crate::input::World;
use crate::terminal::{BOLD, DIM, Out, printable, warn};
use crate::write::Scribe;

/// How often another process is waited for, and how long each time.
const TURNS: u32 = 100;
const TURN: Duration = Duration::from_millis(20);

/// The file of a layer, and what became of it.
#[derive(Debug)]
pub(crate) struct Changed {
    pub(crate) file: ConfigFile,
    /// Whether it is different from before.
    pub(crate) is_new: bool,
    /// What it holds now.
    text: String,
}

impl Changed {
    /// What the file says under a key now.
    pub(crate) fn says(&self, key: &KeyPath) -> Option<Value> {
        let text = edit::given(&self.text, key)?;
        Value::from_text(schema::find(key)?.kind, &text).ok()
    }

    /// The document of a change of one key; without a value it was taken out.
    pub(crate) fn document(&self, key: &KeyPath, value: Option<&Value>) -> ChangeDocument<'_> {
        let value = value.map_or(Json::Null, Value::to_json);
        ChangeDocument::new(key, value, self.file.level, &self.file.path, self.is_new)
    }
}

/// Says what a change of one key did.
pub(crate) fn write_change(
    out: &mut Out,
    world: &World,
    key: &KeyPath,
    value: Option<&Value>,
    changed: &Changed,
) -> io::Result<()> {
    let what = match value {
        Some(value) => format!("{key} = {value}"),
        None => format!("{key} is not set"),
    };
    let how = if changed.is_new { "" } else { "already " };
    let place = world.shown(&changed.file.path);
    writeln!(
        out,
        "{how}{BOLD}{}{BOLD:#} {DIM}in {}{DIM:#}",
        printable(&what),
        printable(&place)
    )
}

/// Changes the file of a layer; it is made when it is not there. `by` gives the new text, or nothing to leave the file
/// as it is. `change` says in the history what it is for.
pub(crate) fn change(
    world: &World,
    layer: Layer,
    change: Change,
    by: impl Fn(&str) -> Result<Option<String>, EditError>,
) -> Result<Changed, CommandError> {
    let file = target(world, layer)?;
    let edited = || -> Result<Edited, CommandError> {
        let old = text(file)?;
        let new = by(old.as_deref().unwrap_or_default()).map_err(|error| refused(file, &error))?;
        let new = new.filter(|new| Some(new) != old.as_ref());
        Ok(Edited { old, new })
    };
    let mut outcome = edited()?;
    // What changes nothing makes no directory.
    if outcome.new.is_some() {
        let directory = file.path.parent().unwrap_or(Path::new("."));
        let mut scribe = Scribe::of(&world.host, &world.options)?;
        let real = real_path(file)?;
        // The history has a lock for all that it keeps; where there is none, the directory is locked.
        let _turn = if scribe.keeps_history() {
            None
        } else {
            fs::create_dir_all(directory).map_err(|error| cannot(directory, &error))?;
            take_turn(real.parent().unwrap_or(directory), &file.path)?
        };
        // Another process may have changed the file meanwhile.
        outcome = edited()?;
        if let Some(new) = &outcome.new {
            let rewrite = Rewrite {
                path: real,
                before: outcome.old.clone().map(String::into_bytes),
                after: new.clone().into_bytes(),
            };
            scribe.rewrite(change, &rewrite)?;
        }
    }
    Ok(Changed {
        file: file.clone(),
        is_new: outcome.new.is_some(),
        text: outcome.new.or(outcome.old).unwrap_or_default(),
    })
}

/// A file before and after an edit.
struct Edited {
    /// Nothing when the file does not exist.
    old: Option<String>,
    /// Nothing when it stays as it is.
    new: Option<String>,
}

fn refused(file: &ConfigFile, error: &EditError) -> CommandError {
    let path = file.path.display();
    let message = match error {
        EditError::Syntax { .. } => format!("{path}:{error}"),
        EditError::NotTable { .. } | EditError::IsTable { .. } => format!("{path}: {error}"),
    };
    CommandError::failed(message).hint("the file was left as it is; mend it and try again")
}

/// The world after a change. What the change made wrong, such as a setting that a project may not make, is told.
pub(crate) fn gather_again(before: &World, global: &GlobalArgs) -> Result<World, CommandError> {
    let world = World::gather(global)?;
    for problem in &world.problems {
        let is_new = |old: &Problem| old.path() != problem.path() || reason(old) != reason(problem);
        if before.problems.iter().all(is_new) {
            warn(&problem.to_string());
        }
    }
    Ok(world)
}

/// What a problem says, wherever in the file.
fn reason(problem: &Problem) -> Option<&str> {
    match problem {
        Problem::Config { reason, .. } => Some(reason),
        _ => None,
    }
}

/// The file that belongs to a layer; a file that was named stands for all.
pub(crate) fn target(world: &World, layer: Layer) -> Result<&ConfigFile, CommandError> {
    let wanted = match layer {
        Layer::User => Level::User,
        Layer::Project => Level::Project,
    };
    let is_meant = |file: &&ConfigFile| file.level == wanted || file.level == Level::Named;
    world.config_files.iter().find(is_meant).ok_or_else(|| {
        let (what, option) = match layer {
            Layer::User => ("no configuration file of yours counts here", "--home DIR"),
            Layer::Project => (
                "no project's configuration file counts here",
                "--project DIR",
            ),
        };
        CommandError::usage(what).hint(format!("{option} or --config FILE says which one is meant"))
    })
}

/// The file that is really written.
fn real_path(file: &ConfigFile) -> Result<PathBuf, CommandError> {
    let path = &file.path;
    if fs::symlink_metadata(path).is_err() {
        return Ok(path.clone());
    }
    let real = fs::canonicalize(path).map_err(|error| cannot(path, &error))?;
    let project = path
        .parent()
        .and_then(|directory| fs::canonicalize(directory).ok());
    if file.level == Level::Project && project.is_some_and(|project| !real.starts_with(project)) {
        let message = format!("{} leads out of the project", path.display());
        return Err(CommandError::failed(message).hint("it was left alone; look at what it is"));
    }
    Ok(real)
}

/// Waits until no other process changes a file in the directory. Where directories cannot be locked, as on Windows, the
/// last one to write counts.
fn take_turn(directory: &Path, path: &Path) -> Result<Option<File>, CommandError> {
    let Ok(lock) = File::open(directory) else {
        return Ok(None);
    };
    for _ in 0..TURNS {
        match lock.try_lock() {
            Ok(()) => return Ok(Some(lock)),
            Err(TryLockError::WouldBlock) => thread::sleep(TURN),
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
    let message = format!("another process is changing {}", path.display());
    Err(CommandError::failed(message).hint("try again when it is done"))
}

/// What the file holds; nothing when it does not exist.
fn text(file: &ConfigFile) -> Result<Option<String>, CommandError> {
    let read = read_files(std::slice::from_ref(file)).into_iter().next();
    let text = read.map(|read| read.text).transpose();
    text.map_err(|reason| {
        CommandError::failed(format_args!("{}: {reason}", file.path.display()))
            .hint("the file was left as it is")
    })
}

fn cannot(path: &Path, error: &io::Error) -> CommandError {
    CommandError::failed(format_args!("{}: {error}", path.display()))
}
