//! `skillful restore`: brings back a skill that was put away.

use std::io::Write;

use skillful::contract::LifecycleDocument;
use skillful_store::{Applied, Choice, Store};

use crate::args::{GlobalArgs, RestoreArgs};
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::records::report_notices;
use crate::target::Target;
use crate::terminal::{BOLD, DIM, GOOD, print_json, printable, stdout};

pub(crate) fn run(global: &GlobalArgs, args: &RestoreArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let target = Target::of(&world, &args.id, |standing| standing.archived.is_some())?;
    let store = world.store()?;
    let mut restored = false;
    for key in &target.keys {
        let applied = store
            .choose(key, Choice::Restore)
            .map_err(CommandError::failed)?;
        restored |= applied == Applied::Changed;
    }
    report_notices(&store);
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
