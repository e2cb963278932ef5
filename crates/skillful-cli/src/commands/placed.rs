//! `skillful verify`, `remove`, `link` and `unlink`: what becomes of skills that are installed.

use std::io::Write;
use std::path::PathBuf;

use skillful_manage::contract::{LinkDocument, RemoveDocument, VerifyDocument};
use skillful_manage::install::{DriftKind, Linked};

use crate::args::{FormatArgs, GlobalArgs, LinkArgs, RemoveArgs, UnlinkArgs, VerifyArgs};
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::manage::{clients_of, failed, installer, installer_for};
use crate::render::table::{self, Cell};
use crate::terminal::{
    BOLD, DIM, ERROR, GOOD, WARNING, counted, print_json, printable, stdout, width,
};

pub(crate) fn verify(global: &GlobalArgs, args: &VerifyArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let installer = installer(&world, args.reach)?;
    let drift = installer.verify().map_err(failed)?;
    let outcome = if drift.is_empty() {
        Outcome::Fine
    } else {
        Outcome::Found
    };
    if args.format.is_json() {
        print_json(&VerifyDocument::new(&drift))?;
        return Ok(outcome);
    }
    let mut out = stdout(global.color);
    if drift.is_empty() {
        let count = installer.lock().map_err(failed)?.skills().len();
        let skills = counted(count, "skill");
        writeln!(out, "{GOOD}as installed{GOOD:#}: {skills}")?;
    } else {
        let rows = drift.iter().map(|drift| {
            let style = match drift.kind {
                DriftKind::Added | DriftKind::NotLocked | DriftKind::NotWanted => WARNING,
                _ => ERROR,
            };
            vec![
                Cell::new(&drift.id, BOLD),
                Cell::new(drift.kind.as_str(), style),
                Cell::plain(&drift.path),
            ]
        });
        let rows: Vec<Vec<Cell>> = rows.collect();
        table::write(&mut out, &rows, width())?;
        writeln!(
            out,
            "{DIM}`skillful diff` shows edits; `skillful install` restores what is missing{DIM:#}"
        )?;
    }
    out.flush()?;
    Ok(outcome)
}

pub(crate) fn remove(global: &GlobalArgs, args: &RemoveArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let mut installer = installer(&world, args.reach)?;
    installer.discard_edits = args.discard_edits;
    let removed = installer.remove(&args.ids).map_err(failed)?;
    if args.format.is_json() {
        print_json(&RemoveDocument::new(&removed))?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    for id in &removed.ids {
        writeln!(out, "{GOOD}removed{GOOD:#} {BOLD}{}{BOLD:#}", printable(id))?;
    }
    write_paths(&mut out, &world, &removed.paths)?;
    let seq = removed.entry.seq;
    writeln!(out, "{DIM}`skillful undo {seq}` brings it back{DIM:#}")?;
    out.flush()?;
    Ok(Outcome::Fine)
}

pub(crate) fn link(global: &GlobalArgs, args: &LinkArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let installer = installer_for(&world, args.installed.reach, &args.clients)?;
    let linked = installer.link(&args.installed.id).map_err(failed)?;
    tell(global, &world, args.installed.format, &linked, "linked")
}

pub(crate) fn unlink(global: &GlobalArgs, args: &UnlinkArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let mut installer = installer(&world, args.installed.reach)?;
    installer.clients = clients_of(&args.clients);
    installer.discard_edits = args.discard_edits;
    let unlinked = installer.unlink(&args.installed.id).map_err(failed)?;
    tell(global, &world, args.installed.format, &unlinked, "unlinked")
}

fn tell(
    global: &GlobalArgs,
    world: &World,
    format: FormatArgs,
    linked: &Linked,
    done: &'static str,
) -> Result<Outcome, CommandError> {
    if format.is_json() {
        print_json(&LinkDocument::new(linked, done))?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    let id = printable(&linked.id);
    match &linked.entry {
        Some(entry) => {
            writeln!(out, "{GOOD}{done}{GOOD:#} {BOLD}{id}{BOLD:#}")?;
            write_paths(&mut out, world, &linked.paths)?;
            let seq = entry.seq;
            writeln!(out, "{DIM}`skillful undo {seq}` takes it back{DIM:#}")?;
        }
        None => writeln!(out, "{DIM}nothing to do for{DIM:#} {BOLD}{id}{BOLD:#}")?,
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

fn write_paths(out: &mut impl Write, world: &World, paths: &[PathBuf]) -> std::io::Result<()> {
    for path in paths {
        writeln!(out, "  {}", printable(&world.shown(path)))?;
    }
    Ok(())
}
