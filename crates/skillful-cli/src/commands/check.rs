//! `skillful check`: what is wrong where.

use std::io::Write;
use std::path::PathBuf;

use skillful::check::{Checked, Rules, Subject, check, check_content};
use skillful::contract::{CheckDocument, Summary};
use skillmd::profile;

use crate::args::{CheckArgs, CheckFormat, GlobalArgs};
use crate::error::{CommandError, Outcome};
use crate::input::{self, World};
use crate::render::snippet::SnippetRenderer;
use crate::render::{github, sarif};
use crate::terminal::{
    BOLD, DIM, ERROR, GOOD, Out, WARNING, counted, is_styled, print_json, printable, stdout, warn,
};

/// What standard input is called in reports.
const STDIN: &str = "<stdin>";

pub(crate) fn run(global: &GlobalArgs, args: &CheckArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    for problem in &world.problems {
        warn(&problem.to_string());
    }
    let rules = rules(args, &world)?;
    let checked = check_all(args, &world, &rules)?;
    let summary = Summary::of(&checked);
    let mut out = stdout(global.color);
    match args.format {
        _ if args.json => print_json(&CheckDocument::new(&checked))?,
        CheckFormat::Json => print_json(&CheckDocument::new(&checked))?,
        CheckFormat::Sarif => sarif::write(&mut out, &checked)?,
        CheckFormat::Github => {
            for (file, found) in checked.iter().flat_map(Checked::diagnostics) {
                github::write(&mut out, &world.shown(&file.path), found)?;
            }
        }
        CheckFormat::Text => write_text(
            &mut out,
            &world,
            &checked,
            &summary,
            is_styled(global.color),
        )?,
    }
    out.flush()?;
    let failed = summary.errors > 0 || (args.strict && summary.warnings > 0);
    Ok(if failed {
        Outcome::Found
    } else {
        Outcome::Fine
    })
}

fn rules(args: &CheckArgs, world: &World) -> Result<Rules, CommandError> {
    let mut ignored = world.config.ignored();
    ignored.extend(input::codes(&args.ignore)?);
    let profiles = args
        .clients
        .iter()
        .map(|id| profile::find(id).map_err(CommandError::usage))
        .collect::<Result<_, _>>()?;
    Ok(Rules { profiles, ignored })
}

fn check_all(args: &CheckArgs, world: &World, rules: &Rules) -> Result<Vec<Checked>, CommandError> {
    if input::is_stdin(&args.paths)? {
        let subject = Subject::without_place(STDIN);
        let bytes = input::stdin_bytes()?;
        return Ok(vec![check_content(&subject, Ok(bytes), rules)]);
    }
    let paths = if args.paths.is_empty() {
        default_paths(world)
    } else {
        args.paths.clone()
    };
    input::visit_all(&paths, "checked", |candidate| check(candidate, rules))
}

/// The roots of the project; the working directory when it has none.
fn default_paths(world: &World) -> Vec<PathBuf> {
    let resolved = skillful::roots::resolve(&world.host, &world.clients, &world.options);
    let roots: Vec<PathBuf> = resolved
        .roots
        .into_iter()
        .filter(|root| matches!(root.source, skillful::Source::Workspace { .. }))
        .map(|root| root.path)
        .collect();
    if roots.is_empty() {
        vec![PathBuf::from(".")]
    } else {
        roots
    }
}

fn write_text(
    out: &mut Out,
    world: &World,
    checked: &[Checked],
    summary: &Summary,
    styled: bool,
) -> Result<(), CommandError> {
    let renderer = SnippetRenderer::new(styled);
    for (file, found) in checked.iter().flat_map(Checked::diagnostics) {
        let path = printable(&world.shown(&file.path));
        writeln!(out, "{}\n", renderer.render(&path, &file.text, found))?;
    }
    if summary.skills == 0 {
        writeln!(out, "{WARNING}no skill was found{WARNING:#}")?;
        return Ok(());
    }
    let valid = checked.iter().filter(|skill| skill.is_valid()).count();
    let skills = counted(summary.skills, "skill");
    if summary.errors + summary.warnings + summary.infos == 0 {
        writeln!(out, "{GOOD}{skills} checked, all fine{GOOD:#}")?;
        return Ok(());
    }
    writeln!(
        out,
        "{BOLD}{skills} checked, {valid} valid{BOLD:#}: {ERROR}{}{ERROR:#}, {WARNING}{}{WARNING:#}, {}",
        counted(summary.errors, "error"),
        counted(summary.warnings, "warning"),
        counted(summary.infos, "note"),
    )?;
    writeln!(
        out,
        "{DIM}`skillful explain CODE` explains a diagnostic; `skillful fix --dry-run` shows what can be mended{DIM:#}"
    )?;
    Ok(())
}
