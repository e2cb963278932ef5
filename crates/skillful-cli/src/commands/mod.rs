//! The verbs, one file each: arguments in, a call into the library, a report out.

mod accept;
mod add;
mod adopt;
mod archive;
mod author;
mod capture;
mod check;
mod completions;
mod config;
mod convert;
mod deps;
mod diff;
mod explain;
mod fix;
mod fmt;
mod history;
mod install;
mod learned;
mod list;
mod matches;
mod mcp;
mod new;
mod overview;
mod pack;
mod placed;
mod prompt;
mod publish;
mod read;
mod restore;
mod scan;
mod schedule;
mod search;
mod serve;
mod show;
mod status;
mod switches;
mod test;
mod token;
mod undo;
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
        Some(Command::Accept(args)) => accept::run(global, args),
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
        Some(Command::Deps(args)) => deps::run(global, args),
        Some(Command::Pack(args)) => pack::run(global, args),
        Some(Command::Publish(args)) => publish::run(global, args),
        Some(Command::Enable(args)) => switches::enable(global, args),
        Some(Command::Disable(args)) => switches::disable(global, args),
        Some(Command::Pin(args)) => switches::pin(global, args),
        Some(Command::Mode(args)) => switches::mode(global, args),
        Some(Command::Config(args)) => config::run(global, args),
        Some(Command::Check(args)) => check::run(global, args),
        Some(Command::Scan(args)) => scan::run(global, args),
        Some(Command::Fmt(args)) => fmt::run(global, args),
        Some(Command::Fix(args)) => fix::run(global, args),
        Some(Command::Explain(args)) => explain::run(global, args),
        Some(Command::New(args)) => new::run(global, args),
        Some(Command::Create(args)) => author::create(global, args),
        Some(Command::Edit(args)) => author::edit(global, args),
        Some(Command::Patch(args)) => author::patch(global, args),
        Some(Command::Rename(args)) => author::rename(global, args),
        Some(Command::WriteFile(args)) => author::write_file(global, args),
        Some(Command::RemoveFile(args)) => author::remove_file(global, args),
        Some(Command::Delete(args)) => author::delete(global, args),
        Some(Command::Capture(args)) => capture::run(global, args),
        Some(Command::Learned(args)) => learned::run(global, args),
        Some(Command::History(args)) => history::run(global, args),
        Some(Command::Undo(args)) => undo::undo(global, args),
        Some(Command::Redo(args)) => undo::redo(global, args),
        Some(Command::Convert(args)) => convert::run(global, args),
        Some(Command::Prompt(args)) => prompt::run(global, args),
        Some(Command::Serve(args)) => serve::run(global, args),
        Some(Command::Token(args)) => token::run(global, args),
        Some(Command::Watch(args)) => watch::run(global, args),
        Some(Command::Mcp(args)) => mcp::run(global, args),
        Some(Command::Completions(args)) => completions::run(args),
    }
}
