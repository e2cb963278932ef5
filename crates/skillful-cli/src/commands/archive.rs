//! `skillful archive`: puts a skill away.

use std::io::Write;

use skillful::contract::LifecycleDocument;
use skillful::records::key_of;
use skillful_store::{Applied, Archived, Choice, Store};

use crate::args::{ArchiveArgs, GlobalArgs};
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::lookup;
use crate::records::{now, report_notices};
use crate::terminal::{BOLD, DIM, GOOD, print_json, printable, stdout};

pub(crate) fn run(global: &GlobalArgs, args: &ArchiveArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let library = world.scan()?;
    let skill = lookup::searched(&world, &library, &args.id)?;
    let key = key_of(skill);
    let store = world.store()?;
    let archived = Archived {
        at: now(),
        reason: args.reason.clone(),
    };
    let applied = store
        .choose(&key, Choice::Archive(archived))
        .map_err(CommandError::failed)?;
    report_notices(&store);
    // What was chosen first counts, with its time and reason.
    let choices = store.choices().map_err(CommandError::failed)?;
    let archived = choices.archived(&key);
    let outcome = match applied {
        Applied::Changed => "archived",
        Applied::Unchanged => "already-archived",
    };
    if args.format.is_json() {
        print_json(&LifecycleDocument::new(
            outcome,
            &skill.id,
            Some(&skill.path),
            archived,
        ))?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    let id = printable(&skill.id);
    match (applied, archived) {
        (Applied::Changed, _) => writeln!(
            out,
            "{GOOD}archived{GOOD:#} {BOLD}{id}{BOLD:#}; `skillful restore {id}` brings it back"
        )?,
        (Applied::Unchanged, Some(archived)) => writeln!(
            out,
            "{BOLD}{id}{BOLD:#} {DIM}is archived since {}{DIM:#}",
            archived.at.day()
        )?,
        (Applied::Unchanged, None) => writeln!(out, "{BOLD}{id}{BOLD:#} {DIM}is archived{DIM:#}")?,
    }
    out.flush()?;
    Ok(Outcome::Fine)
}
