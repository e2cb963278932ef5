//! `skillful history`: what was changed, when and by whom.

use std::io::Write;

use skillful::config::id_form;
use skillful::contract::HistoryDocument;
use skillful_manage::author::HistoryQuery;
use skillful_manage::{Actor, Entry};

use crate::args::{GlobalArgs, HistoryArgs};
use crate::authoring::Desk;
use crate::error::{CommandError, Outcome};
use crate::render::table::{self, Cell};
use crate::terminal::{BOLD, DIM, print_json, printable, stdout, width};

pub(crate) fn run(global: &GlobalArgs, args: &HistoryArgs) -> Result<Outcome, CommandError> {
    let desk = Desk::gather_to_look(global)?;
    let query = HistoryQuery {
        skill: match &args.id {
            Some(id) => Some(id_of(&desk, id)?),
            None => None,
        },
        actor: args.actor.as_ref().map(Actor::new),
        limit: Some(args.limit),
    };
    let author = desk.author("user", None);
    let entries = author
        .history(&query)
        .map_err(|error| desk.refused(&error))?;
    if args.format.is_json() {
        print_json(&HistoryDocument::new(&entries))?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    if entries.is_empty() {
        writeln!(out, "{DIM}nothing was changed{DIM:#}")?;
    } else {
        let rows: Vec<Vec<Cell>> = entries.iter().map(row).collect();
        table::write(&mut out, &rows, width())?;
        writeln!(
            out,
            "{DIM}`skillful undo NUMBER` takes a change back{DIM:#}"
        )?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

/// The id that is meant: that of a skill that is there, else the text itself, for one that is gone.
fn id_of(desk: &Desk, text: &str) -> Result<String, CommandError> {
    let library = desk.world.scan()?;
    match crate::lookup::searched(&desk.world, &library, text) {
        Ok(skill) => Ok(skill.id.clone()),
        Err(error) => id_form(text).ok_or(error),
    }
}

fn row(entry: &Entry) -> Vec<Cell> {
    let undone = entry
        .undone_by
        .map_or_else(String::new, |by| format!("undone by {by}"));
    let message = if entry.message.is_empty() {
        entry.skills.join(", ")
    } else {
        entry.message.clone()
    };
    vec![
        Cell::new(&entry.seq.to_string(), BOLD),
        Cell::new(&entry.at.to_string(), DIM),
        Cell::plain(entry.operation.as_str()),
        Cell::plain(&printable(&message)),
        Cell::new(&format!("by {}", entry.actor), DIM),
        Cell::new(&undone, DIM),
    ]
}
