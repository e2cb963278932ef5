//! `skillful archive`: puts a skill away.

use std::io::Write;

use skillful::contract::LifecycleDocument;
use skillful::records::key_of;
use skillful_manage::{Actor, Change, Operation};
use skillful_store::{Applied, Archived, Choice};

use crate::args::{ArchiveArgs, GlobalArgs};
use crate::authoring::Desk;
use crate::error::{CommandError, Outcome};
use crate::lookup;
use crate::records::now;
use crate::terminal::{BOLD, DIM, GOOD, print_json, printable, stdout};

pub(crate) fn run(global: &GlobalArgs, args: &ArchiveArgs) -> Result<Outcome, CommandError> {
    let desk = Desk::gather(global)?;
    let library = desk.world.scan()?;
    let skill = lookup::searched(&desk.world, &library, &args.id)?;
    let key = key_of(skill);
    let archived = Archived {
        at: now(),
        reason: args.reason.clone(),
    };
    let change = Change::new(Operation::ARCHIVE, Actor::USER)
        .about(&skill.id)
        .saying(format!("archived {}", skill.id));
    let keys = std::slice::from_ref(&key);
    let chosen = desk.choose(change, keys, &Choice::Archive(archived))?;
    // What was chosen first counts, with its time and reason.
    let archived = chosen.choices.archived(&key);
    let applied = chosen.applied;
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
