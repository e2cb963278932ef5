//! `skillful restore`: brings back a skill that was put away.

use std::io::Write;

use skillful::contract::LifecycleDocument;
use skillful_manage::{Actor, Change, Operation};
use skillful_store::{Applied, Choice};

use crate::args::{GlobalArgs, RestoreArgs};
use crate::authoring::Desk;
use crate::error::{CommandError, Outcome};
use crate::target::Target;
use crate::terminal::{BOLD, DIM, GOOD, print_json, printable, stdout};

pub(crate) fn run(global: &GlobalArgs, args: &RestoreArgs) -> Result<Outcome, CommandError> {
    let desk = Desk::gather(global)?;
    let target = Target::of(&desk.world, &args.id, |standing| {
        standing.archived.is_some()
    })?;
    let change = Change::new(Operation::RESTORE, Actor::USER)
        .about(&target.id)
        .saying(format!("restored {}", target.id));
    let chosen = desk.choose(change, &target.keys, &Choice::Restore)?;
    let restored = chosen.applied == Applied::Changed;
    let outcome = if restored { "restored" } else { "not-archived" };
    if args.format.is_json() {
        let path = target.path.as_deref();
        print_json(&LifecycleDocument::new(outcome, &target.id, path, None))?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    let id = printable(&target.id);
    if restored {
        writeln!(out, "{GOOD}restored{GOOD:#} {BOLD}{id}{BOLD:#}")?;
    } else {
        writeln!(out, "{BOLD}{id}{BOLD:#} {DIM}is not archived{DIM:#}")?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}
