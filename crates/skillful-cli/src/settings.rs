//! Changing configuration files: which file is meant, and a change of it that loses nothing.
//!
//! A file that is not TOML is refused with the place. A link is followed to the file that it leads to, but a project's
//! file must not lead out of the project. Two processes that change one file take turns.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use skillful::Problem;
use skillful::config::edit::EditError;
use skillful::config::{ConfigFile, Level, read_files};

use crate::args::{GlobalArgs, Layer};
use crate::error::CommandError;
use crate::input::World;
use crate::terminal::warn;
use crate::write;

/// How often another process is waited for, and how long each time.
const TURNS: u32 = 100;
const TURN: Duration = Duration::from_millis(20);

/// The file of a layer, and what became of it.
#[derive(Debug)]
pub(crate) struct Changed {
    pub(crate) file: ConfigFile,
    /// Whether it is different from before.
    pub(crate) changed: bool,
}

/// Changes the file of a layer; it is made when it is not there. `edit` gives the new text, or nothing to leave the file
/// as it is.
pub(crate) fn change(
    world: &World,
    layer: Layer,
    edit: impl Fn(&str) -> Result<Option<String>, EditError>,
) -> Result<Changed, CommandError> {
    let file = target(world, layer)?.clone();
    let directory = file.path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(directory).map_err(|error| cannot(directory, &error))?;
    let real = real_path(&file)?;
    let _turn = take_turn(real.parent().unwrap_or(directory), &file.path)?;
    let old = text(&file)?;
    let new = edit(old.as_deref().unwrap_or_default()).map_err(|error| {
        let place = match error {
            EditError::Syntax { .. } => format!("{}:{error}", file.path.display()),
            _ => format!("{}: {error}", file.path.display()),
        };
        CommandError::failed(place).hint("the file was left as it is; mend it and try again")
    })?;
    let changed = new.filter(|new| Some(new) != old.as_ref());
    match (&changed, old) {
        (None, _) => {}
        (Some(new), Some(_)) => write::replace(&real, new.as_bytes())?,
        (Some(new), None) => write::create(&real, new.as_bytes())?,
    }
    Ok(Changed {
        file,
        changed: changed.is_some(),
    })
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

fn cannot(path: &Path, error: &std::io::Error) -> CommandError {
    CommandError::failed(format_args!("{}: {error}", path.display()))
}
