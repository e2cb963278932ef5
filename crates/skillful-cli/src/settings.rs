//! Changing configuration files for the verbs that do, and telling what became of them.

use std::io::{self, Write};

use skillful::Problem;
use skillful::config::edit::EditError;
use skillful::config::{KeyPath, Level, Value};
use skillful_manage::Change;
use skillful_manage::settings::{self, History, SettingsError};

use crate::args::{GlobalArgs, Layer};
use crate::error::CommandError;
use crate::input::World;
use crate::terminal::{BOLD, DIM, Out, printable, warn};
use crate::write::open_history;

pub(crate) use settings::Changed;

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
    let history = History {
        change,
        open: &|| open_history(&world.host, &world.options),
    };
    settings::change(&world.config_files, level(layer), history, by).map_err(|error| failed(&error))
}

const fn level(layer: Layer) -> Level {
    match layer {
        Layer::User => Level::User,
        Layer::Project => Level::Project,
    }
}

/// What went wrong, with the way out.
fn failed(error: &SettingsError) -> CommandError {
    let hint = match error {
        SettingsError::NoFile(level) => {
            let option = match level {
                Level::Project => "--project DIR",
                _ => "--home DIR",
            };
            let hint = format!("{option} or --config FILE says which one is meant");
            return CommandError::usage(error).hint(hint);
        }
        SettingsError::Edit { .. } => "the file was left as it is; mend it and try again",
        SettingsError::LeadsOut(_) => "it was left alone; look at what it is",
        SettingsError::Busy(_) => "try again when it is done",
        SettingsError::Unreadable { .. } => "the file was left as it is",
        SettingsError::Io { .. } | SettingsError::History(_) | SettingsError::Write(_) => {
            return CommandError::failed(error);
        }
    };
    CommandError::failed(error).hint(hint)
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
