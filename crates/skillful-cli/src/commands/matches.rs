//! `skillful match`: what a message brings up by itself.

use std::io::Write;

use skillful::contract::MatchDocument;
use skillful::matching::{Ambient, Candidate, Match, Message, RoundCap, matches, max_tool_rounds};

use crate::args::{GlobalArgs, MatchArgs};
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::render::table::{self, Cell};
use crate::terminal::{BOLD, DIM, Out, print_json, printable, stdout, width};

pub(crate) fn run(global: &GlobalArgs, args: &MatchArgs) -> Result<Outcome, CommandError> {
    let library = World::gather(global)?.scan()?;
    let candidates: Vec<Candidate<'_>> = library
        .registry
        .skills()
        .iter()
        .filter_map(|skill| Candidate::of_skill(skill))
        .collect();
    let paths: Vec<&str> = args.paths.iter().map(String::as_str).collect();
    let message = Message {
        text: &args.message,
        skill: args.skill.as_deref(),
        schedule: args.schedule.as_deref(),
        paths: &paths,
    };
    let ambient = if args.ambient {
        Ambient::Untriggered
    } else {
        Ambient::None
    };
    let found = matches(&candidates, &message, ambient);
    let cap = max_tool_rounds(&candidates, &found, args.rounds);
    if args.format.is_json() {
        print_json(&MatchDocument::new(&found, cap))?;
    } else {
        let mut out = stdout(global.color);
        write_text(&mut out, &found, cap)?;
        out.flush()?;
    }
    Ok(Outcome::Fine)
}

fn write_text(
    out: &mut Out,
    found: &[Match<'_>],
    cap: Option<RoundCap<'_>>,
) -> std::io::Result<()> {
    if found.is_empty() {
        return writeln!(out, "{DIM}no skill comes up by itself{DIM:#}");
    }
    let rows: Vec<Vec<Cell>> = found
        .iter()
        .map(|found| {
            vec![
                Cell::new(found.id, BOLD),
                Cell::new(found.kind.as_str(), DIM),
                Cell::plain(&found.why),
            ]
        })
        .collect();
    table::write(out, &rows, width())?;
    if let Some(cap) = cap {
        let id = printable(cap.id);
        writeln!(
            out,
            "{DIM}{id} drives the turn and allows {} rounds of tool calls{DIM:#}",
            cap.rounds
        )?;
    }
    Ok(())
}
