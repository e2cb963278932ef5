//! `skillful list`: every candidate with its state.

use std::io::Write;

use skillful::Skill;
use skillful::contract::{ListDocument, problem_diagnostics};

use crate::args::{GlobalArgs, ListArgs};
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::render::table::{self, Cell};
use crate::render::{remark, state_style};
use crate::suggest::nearest;
use crate::terminal::{BOLD, DIM, Out, print_json, stdout, warn, width};

pub(crate) fn run(global: &GlobalArgs, args: &ListArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    check_clients(args, &world)?;
    let library = world.scan()?;
    let skills = library.registry.skills();
    let mut out = stdout(global.color);
    if args.format.is_json() {
        let problems = problem_diagnostics(&library.problems);
        let chosen = |skill: &Skill| is_chosen(skill, args);
        let document = ListDocument::new(skills, &problems).only(chosen);
        print_json(&if args.digests {
            document.with_digests()
        } else {
            document
        })?;
    } else {
        let chosen: Vec<&Skill> = skills
            .iter()
            .map(|skill| &**skill)
            .filter(|skill| is_chosen(skill, args))
            .collect();
        write_table(&mut out, &world, &chosen)?;
        writeln!(
            out,
            "{DIM}{} of {} skills{DIM:#}",
            chosen.len(),
            skills.len()
        )?;
        for problem in &library.problems {
            warn(&problem.to_string());
        }
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

fn check_clients(args: &ListArgs, world: &World) -> Result<(), CommandError> {
    for id in &args.client {
        if world.clients.get(id).is_none() {
            let known = world.clients.iter().map(|client| &*client.id);
            let failure = CommandError::usage(format_args!("no client is called `{id}`"));
            return Err(failure.did_you_mean(nearest(id, known), None));
        }
    }
    Ok(())
}

fn is_chosen(skill: &Skill, args: &ListArgs) -> bool {
    let state = args.state.is_empty() || args.state.iter().any(|name| name == skill.state.as_str());
    let client = args.client.is_empty()
        || skill
            .root
            .clients
            .iter()
            .any(|client| args.client.iter().any(|id| **id == **client));
    state && client
}

fn write_table(out: &mut Out, world: &World, skills: &[&Skill]) -> std::io::Result<()> {
    let rows: Vec<Vec<Cell>> = skills
        .iter()
        .map(|skill| {
            let last = match remark(world, skill) {
                Some((text, style)) => Cell::new(&text, style),
                None => Cell::plain(&skill.description),
            };
            vec![
                Cell::new(&skill.id, BOLD),
                Cell::new(skill.state.as_str(), state_style(skill.state)),
                Cell::new(&world.shown(&skill.root.path), DIM),
                last,
            ]
        })
        .collect();
    table::write(out, &rows, width())
}
