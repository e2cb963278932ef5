//! The verbs, one file each: arguments in, a call into the library, a report out.

mod add;
mod adopt;
mod archive;
mod check;
mod completions;
mod config;
mod convert;
mod diff;
mod explain;
mod fix;
mod fmt;
mod install;
mod list;
mod matches;
mod new;
mod overview;
mod placed;
mod prompt;
mod read;
mod restore;
mod schedule;
mod search;
mod show;
mod status;
mod switches;
mod test;
mod update;
mod watch;
mod why;

use crate::args::{Cli, Command};
use crate::error::{CommandError, Outcome};

/// Runs what was typed.
pub(crate) fn run(cli: &Cli) -> Result<Outcome, CommandError> {
    let global = &cli.global;
    match &cli.command {
        None => overview::run(global),
        Some(Command::List(args)) => list::run(global, args),
        Some(Command::Show(args)) => show::run(global, args),
        Some(Command::Read(args)) => read::run(global, args),
        Some(Command::Status(args)) => status::run(global, args),
        Some(Command::Add(args)) => add::run(global, args),
        Some(Command::Install(args)) => install::run(global, args),
        Some(Command::Verify(args)) => placed::verify(global, args),
        Some(Command::Remove(args)) => placed::remove(global, args),
        Some(Command::Link(args)) => placed::link(global, args),
        Some(Command::Unlink(args)) => placed::unlink(global, args),
        Some(Command::Outdated(args)) => update::outdated(global, args),
        Some(Command::Update(args)) => update::update(global, args),
        Some(Command::Hold(args)) => update::hold(global, args),
        Some(Command::Diff(args)) => diff::run(global, args),
        Some(Command::Adopt(args)) => adopt::run(global, args),
        Some(Command::Archive(args)) => archive::run(global, args),
        Some(Command::Restore(args)) => restore::run(global, args),
        Some(Command::Schedule(args)) => schedule::run(global, args),
        Some(Command::Search(args)) => search::run(global, args),
        Some(Command::Match(args)) => matches::run(global, args),
        Some(Command::Test(args)) => test::run(global, args),
        Some(Command::Why(args)) => why::run(global, args),
        Some(Command::Enable(args)) => switches::enable(global, args),
        Some(Command::Disable(args)) => switches::disable(global, args),
        Some(Command::Pin(args)) => switches::pin(global, args),
        Some(Command::Mode(args)) => switches::mode(global, args),
        Some(Command::Config(args)) => config::run(global, args),
        Some(Command::Check(args)) => check::run(global, args),
        Some(Command::Fmt(args)) => fmt::run(global, args),
        Some(Command::Fix(args)) => fix::run(global, args),
        Some(Command::Explain(args)) => explain::run(global, args),
        Some(Command::New(args)) => new::run(global, args),
        Some(Command::Convert(args)) => convert::run(global, args),
        Some(Command::Prompt(args)) => prompt::run(global, args),
        Some(Command::Watch(args)) => watch::run(global, args),
        Some(Command::Completions(args)) => completions::run(args),
    }
}
