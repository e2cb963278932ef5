//! `skillful diff`: what was changed in installed skills since they were installed.

use std::io::Write;

use skillful_manage::contract::DiffDocument;
use skillful_manage::install::{Divergence, FoundThere};

use crate::args::{DiffArgs, GlobalArgs};
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::manage::{failed, installer};
use crate::render::update::write_changes;
use crate::terminal::{BOLD, DIM, Out, WARNING, print_json, printable, stdout};

pub(crate) fn run(global: &GlobalArgs, args: &DiffArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let installer = installer(&world, args.installed.reach)?;
    let divergences = installer.diff(&args.installed.ids).map_err(failed)?;
    let outcome = if divergences.is_empty() {
        Outcome::Fine
    } else {
        Outcome::Found
    };
    if args.installed.format.is_json() {
        print_json(&DiffDocument::new(&divergences))?;
        return Ok(outcome);
    }
    let mut out = stdout(global.color);
    if divergences.is_empty() {
        writeln!(out, "{DIM}nothing was changed{DIM:#}")?;
    }
    for divergence in &divergences {
        write(&mut out, &world, divergence)?;
    }
    out.flush()?;
    Ok(outcome)
}

fn write(out: &mut Out, world: &World, divergence: &Divergence) -> std::io::Result<()> {
    let what = match &divergence.found {
        FoundThere::Edited => "was edited".to_owned(),
        FoundThere::Unlinked => "was a link, and is a directory of its own now".to_owned(),
        FoundThere::Missing => "is gone".to_owned(),
        FoundThere::Replaced => "was replaced by something else".to_owned(),
        FoundThere::Unreadable(reason) => format!("cannot be read: {reason}"),
    };
    writeln!(
        out,
        "{BOLD}{}{BOLD:#}  {} {WARNING}{}{WARNING:#}",
        printable(&divergence.id),
        printable(&world.shown(&divergence.path)),
        printable(&what)
    )?;
    write_changes(out, &divergence.place, &divergence.files)
}
