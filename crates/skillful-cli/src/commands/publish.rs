//! `skillful publish`: skills in a directory for a web server.

use std::io::Write;

use skillful_manage::contract::PublishDocument;
use skillful_manage::publish::{self, BaseUrl, Change, Layout, PublishError, Target};

use super::pack;
use crate::args::{GlobalArgs, LayoutArg, PublishArgs};
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::lookup;
use crate::terminal::{BOLD, DIM, GOOD, print_json, printable, stdout};

pub(crate) fn run(global: &GlobalArgs, args: &PublishArgs) -> Result<Outcome, CommandError> {
    let base_url = match &args.base_url {
        Some(text) => Some(BaseUrl::parse(text).map_err(CommandError::usage)?),
        None => None,
    };
    let world = World::gather(global)?;
    let library = world.scan()?;
    // All of them are looked at before anything is written.
    let wishes = pack::wishes(&world, &args.gate)?;
    let mut skills = Vec::new();
    for id in &args.ids {
        let skill = lookup::anywhere(&world, &library, id)?;
        let prepared = pack::prepared(&skill, &wishes)?;
        pack::warn_of(&prepared);
        skills.push(prepared);
    }
    let target = Target {
        directory: args.to.clone(),
        layout: match args.layout {
            LayoutArg::WellKnown => Layout::WellKnown,
            LayoutArg::Tree => Layout::Tree,
        },
        base_url,
        prune: args.prune,
    };
    let published = publish::publish(&skills, &target).map_err(|error| {
        let failure = CommandError::failed(&error);
        match error {
            PublishError::Foreign { .. } => {
                failure.hint("take the entry out yourself, or publish under another name")
            }
            _ => failure,
        }
    })?;
    if args.format.is_json() {
        print_json(&PublishDocument::new(&target, &published))?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    for skill in &published.skills {
        let style = match skill.change {
            Change::Added | Change::Replaced => GOOD,
            Change::Unchanged | Change::Pruned => DIM,
        };
        let (change, name) = (skill.change.as_str(), printable(&skill.name));
        write!(out, "{style}{change:<9}{style:#}  {BOLD}{name}{BOLD:#}")?;
        if let Some(url) = &skill.url {
            write!(out, "  {DIM}{}{DIM:#}", printable(url))?;
        }
        writeln!(out)?;
    }
    for path in &published.indexes {
        writeln!(out, "{DIM}index{DIM:#} {}", printable(&world.shown(path)))?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}
