//! `skillful undo` and `redo`.

use std::io::Write;

use skillful::contract::UndoDocument;
use skillful_manage::author::{AuthorError, Undone, WhatHappened};
use skillful_manage::difference::{self, Version};
use skillful_manage::{Actor, ChangeError, ChangeId, Mismatch, Operation, State};

use super::author::refusal;
use crate::args::{FormatArgs, GlobalArgs, RedoArgs, UndoArgs};
use crate::authoring::Desk;
use crate::error::{CommandError, Outcome};
use crate::render::diff;
use crate::render::update::write_changes;
use crate::terminal::{BOLD, DIM, GOOD, Out, print_json, printable, stdout};

/// Any actor's changes.
const ANY: &str = "any";

pub(crate) fn undo(global: &GlobalArgs, args: &UndoArgs) -> Result<Outcome, CommandError> {
    let desk = Desk::gather(global)?;
    let author = desk.author("user", None);
    let undone = match (args.seq, &args.transaction) {
        (Some(seq), _) => author.undo(seq),
        (None, Some(id)) => author.undo_transaction(&ChangeId(id.clone())),
        (None, None) if args.actor == ANY => author.undo_last(None),
        (None, None) => author.undo_last(Some(&Actor::new(&args.actor))),
    };
    tell(global, &desk, args.format, undone)
}

pub(crate) fn redo(global: &GlobalArgs, args: &RedoArgs) -> Result<Outcome, CommandError> {
    let desk = Desk::gather(global)?;
    let author = desk.author("user", None);
    let undone = match args.seq {
        Some(seq) => author.undo(seq),
        None => author.redo_last(None),
    };
    tell(global, &desk, args.format, undone)
}

fn tell(
    global: &GlobalArgs,
    desk: &Desk,
    format: FormatArgs,
    undone: Result<Undone, AuthorError>,
) -> Result<Outcome, CommandError> {
    let undone = match undone {
        Ok(undone) => undone,
        Err(error) => {
            if format.is_json() {
                let mut document = refusal("", &error);
                document.id = None;
                print_json(&document)?;
            } else if let AuthorError::Change(ChangeError::ChangedSince { paths, .. }) = &error {
                write_differences(&mut stdout(global.color), desk, paths)?;
            }
            return Err(desk.refused(&error));
        }
    };
    let is_redo = undone.entry.operation == Operation::REDO;
    if format.is_json() {
        let files = undone.files.iter();
        let files = files.map(|file| (file.path.as_path(), word(file.what)));
        let outcome = if is_redo { "redone" } else { "undone" };
        print_json(&UndoDocument::new(outcome, &undone.entry, files))?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    let seq = undone.entry.seq;
    for change in &undone.changes {
        let what = printable(&change.message);
        if is_redo {
            writeln!(out, "{GOOD}made again{GOOD:#} {BOLD}{what}{BOLD:#}")?;
        } else {
            let number = change.seq;
            writeln!(
                out,
                "{GOOD}undone{GOOD:#} {BOLD}{what}{BOLD:#} {DIM}(change {number}){DIM:#}"
            )?;
        }
    }
    for file in &undone.files {
        let path = printable(&desk.world.shown(&file.path));
        writeln!(out, "  {} {path}", file.what)?;
    }
    if is_redo {
        writeln!(out, "{DIM}`skillful undo {seq}` takes it back{DIM:#}")?;
    } else {
        writeln!(out, "{DIM}`skillful redo {seq}` makes it again{DIM:#}")?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

/// Writes how what is there differs from what the change had left, as far as that is text.
fn write_differences(out: &mut Out, desk: &Desk, paths: &[Mismatch]) -> Result<(), CommandError> {
    let objects = desk.data.objects();
    for Mismatch {
        path,
        expected,
        found,
    } in paths
    {
        let shown = desk.world.shown(path);
        match (expected, found) {
            (State::File { sha256, .. }, State::File { .. }) => {
                let texts = (objects.read_file(sha256), std::fs::read(path));
                let (Ok(left), Ok(there)) = texts else {
                    continue;
                };
                if let (Ok(left), Ok(there)) = (String::from_utf8(left), String::from_utf8(there)) {
                    diff::write(out, &shown, &left, &there)?;
                }
            }
            (State::Tree { digest }, State::Tree { .. }) => {
                let left = Version::at(&objects.tree_path(digest));
                if let (Ok(left), Ok(there)) = (left, Version::at(path)) {
                    write_changes(out, &shown, &difference::between(&left, &there))?;
                }
            }
            _ => {}
        }
    }
    out.flush()?;
    Ok(())
}

fn word(what: WhatHappened) -> &'static str {
    match what {
        WhatHappened::PutBack => "put-back",
        WhatHappened::Restored => "restored",
        WhatHappened::Removed => "removed",
    }
}
