//! What the verbs that change skills share: the installer for the world of a command, and its errors.

use skillful_manage::gate::Gate;
use skillful_manage::install::{InstallError, Installer};
use skillful_manage::targets::{Reach, TargetError, WantedClients};

use skillful_manage::{ChangeError, DataDirectory, Writer};

use crate::args::{ClientsArgs, ReachArgs};
use crate::error::CommandError;
use crate::input::World;
use crate::terminal::warn;

/// What skills pass through on their way in and out, as it is configured.
pub(crate) fn gate(world: &World) -> Result<Gate, CommandError> {
    let gate = Gate::of(&world.config).map_err(CommandError::failed)?;
    // An entry that does not count, such as an acceptance by the project itself, is no secret.
    for problem in &world.problems {
        warn(&problem.to_string());
    }
    Ok(gate)
}

/// An installer for the clients that are here.
pub(crate) fn installer(world: &World, args: ReachArgs) -> Result<Installer<'_>, CommandError> {
    let installer = unsettled(world, args)?;
    Writer::settle(&installer.data).map_err(CommandError::failed)?;
    Ok(installer)
}

fn unsettled(world: &World, args: ReachArgs) -> Result<Installer<'_>, CommandError> {
    let reach = Reach::usual(world, args.global);
    Installer::new(world, reach, gate(world)?).map_err(failed)
}

/// The same for a verb that only looks: what a killed process left is told where it cannot be finished.
pub(crate) fn installer_to_look(
    world: &World,
    args: ReachArgs,
) -> Result<Installer<'_>, CommandError> {
    let installer = unsettled(world, args)?;
    settle_if_possible(&installer.data);
    Ok(installer)
}

/// Finishes what a killed process left, and goes on where that cannot be done.
pub(crate) fn settle_if_possible(data: &DataDirectory) {
    if let Err(error) = Writer::settle(data) {
        warn(&format!(
            "a change that was under way is not finished: {error}"
        ));
    }
}

/// The clients that were named.
pub(crate) fn clients_of(names: &[String]) -> WantedClients {
    if names.is_empty() {
        WantedClients::Present
    } else if names.iter().any(|name| name == "all") {
        WantedClients::All
    } else {
        WantedClients::Named(names.to_vec())
    }
}

/// An installer for the clients that were named.
pub(crate) fn installer_for<'w>(
    world: &'w World,
    reach: ReachArgs,
    clients: &ClientsArgs,
) -> Result<Installer<'w>, CommandError> {
    let mut installer = installer(world, reach)?;
    installer.clients = clients_of(&clients.clients);
    installer.copy = clients.copy;
    Ok(installer)
}

/// An error of the write side, with the way out.
#[expect(clippy::needless_pass_by_value, reason = "it stands behind `map_err`")]
pub(crate) fn failed(error: InstallError) -> CommandError {
    let failure = match &error {
        InstallError::Target(TargetError::UnknownClient { .. }) => CommandError::usage(&error),
        _ => CommandError::failed(&error),
    };
    match &error {
        InstallError::NoHome => failure.hint("name one with --home"),
        InstallError::LeadsOut(_) => {
            failure.hint("look at where it leads; a project's skills stay in the project")
        }
        InstallError::Target(TargetError::UnknownClient { near, .. })
        | InstallError::NotInstalled { near, .. } => {
            failure.did_you_mean(near.first().map(String::as_str), None)
        }
        InstallError::Target(TargetError::NoDirectory { .. }) => {
            failure.hint("--global, or a project, or another client")
        }
        InstallError::Lock { .. } | InstallError::Wanted { .. } => {
            failure.hint("the file was left as it is; mend it and try again")
        }
        InstallError::Edited { id, .. } => failure
            .hint(format!("`skillful diff {id}` shows the change"))
            .hint("--discard-edits goes on all the same; `skillful undo` brings it back"),
        InstallError::NotCached { .. } => {
            failure.hint("`skillful install --locked` fetches them as the lock says")
        }
        InstallError::OutOfStep { .. } => {
            failure.hint("`skillful install` brings the lock up to date")
        }
        InstallError::Change(ChangeError::Changed(_)) => {
            failure.hint("something changed meanwhile; look again and repeat it")
        }
        _ => failure,
    }
}
