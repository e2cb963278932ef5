//! `skillful adopt`: takes over what other tools installed.

use std::io::{self, Write};

use skillful_guard::Verdict;
use skillful_manage::contract::AdoptDocument;
use skillful_manage::install::{Adoptable, Adopted, Adoption, Installer, Tool, Wish};
use skillful_manage::source::{Permission, Source, Surroundings};

use crate::args::{AdoptArgs, GlobalArgs};
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::manage::{failed, installer};
use crate::terminal::{
    BOLD, DIM, ERROR, GOOD, Out, WARNING, counted, print_json, printable, stdout, warn,
};

pub(crate) fn run(global: &GlobalArgs, args: &AdoptArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let installer = installer(&world, args.reach)?;
    let wish = Wish {
        tool: args.tool.as_deref().and_then(Tool::of_word),
        ids: args.ids.clone(),
        source: source(&world, &installer, args)?,
    };
    let adoption = installer.plan_adoption(&wish).map_err(failed)?;
    let adopted = if args.dry_run || adoption.skills.is_empty() {
        None
    } else {
        Some(installer.adopt(&adoption).map_err(failed)?)
    };
    if args.format.is_json() {
        print_json(&AdoptDocument::new(&adoption, adopted.as_ref()))?;
    } else {
        write(
            &mut stdout(global.color),
            &world,
            &adoption,
            adopted.as_ref(),
        )?;
    }
    let is_failed = !adoption.refused.is_empty() && !args.ids.is_empty();
    Ok(if is_failed || !adoption.faults.is_empty() {
        Outcome::Found
    } else {
        Outcome::Fine
    })
}

/// The source that was typed, as the lock keeps it.
fn source(
    world: &World,
    installer: &Installer<'_>,
    args: &AdoptArgs,
) -> Result<Option<String>, CommandError> {
    let Some(text) = &args.source else {
        return Ok(None);
    };
    if args.ids.len() != 1 {
        let failure = CommandError::usage("--source is for one skill");
        return Err(failure.hint("name one ID"));
    }
    let surroundings = Surroundings {
        home: skillful::roots::home(&world.host, &world.options),
        working_directory: world.host.working_directory().to_owned(),
        permission: Permission::Encrypted,
    };
    let source = Source::parse(text, &surroundings).map_err(CommandError::usage)?;
    Ok(Some(match source {
        Source::Local(path) => installer.files().local_source(&path),
        other => other.to_string(),
    }))
}

fn write(
    out: &mut Out,
    world: &World,
    adoption: &Adoption,
    adopted: Option<&Adopted>,
) -> io::Result<()> {
    for fault in &adoption.faults {
        let path = world.shown(&fault.path);
        warn(&format!("{path} cannot be read: {}", fault.reason));
    }
    for skill in &adoption.skills {
        write_skill(out, world, skill, adopted.is_some())?;
    }
    for refused in &adoption.refused {
        writeln!(
            out,
            "{BOLD}{}{BOLD:#}  {WARNING}not adopted{WARNING:#}  {} {DIM}{}{DIM:#}",
            printable(&refused.name),
            printable(&refused.reason.to_string()),
            told_by(refused.tool)
        )?;
    }
    for mention in &adoption.mentions {
        let version = mention.version.as_deref().unwrap_or_default();
        writeln!(
            out,
            "{BOLD}{}{BOLD:#}  {DIM}stays with {}{DIM:#}  {}",
            printable(&mention.name),
            mention.tool.as_str(),
            printable(version)
        )?;
    }
    match adopted.and_then(|adopted| adopted.entry.as_ref()) {
        Some(entry) => {
            let skills = counted(adoption.skills.len(), "skill");
            let seq = entry.seq;
            writeln!(
                out,
                "{GOOD}adopted{GOOD:#} {skills}; {DIM}no file of them was touched, and `skillful undo {seq}` takes it back{DIM:#}"
            )?;
        }
        None if adoption.skills.is_empty() => {
            writeln!(out, "{DIM}there is nothing to adopt{DIM:#}")?;
        }
        None => {}
    }
    out.flush()
}

fn told_by(tool: Option<Tool>) -> String {
    tool.map_or_else(String::new, |tool| format!("(by {})", tool.as_str()))
}

fn write_skill(
    out: &mut Out,
    world: &World,
    skill: &Adoptable,
    is_adopted: bool,
) -> io::Result<()> {
    let done = if is_adopted { "adopted" } else { "would adopt" };
    let verdict = skill.gated.verdict();
    let style = match verdict {
        Verdict::Safe => GOOD,
        Verdict::Caution => WARNING,
        Verdict::Dangerous => ERROR,
    };
    writeln!(
        out,
        "{BOLD}{}{BOLD:#}  {GOOD}{done}{GOOD:#}  {style}{}{style:#} {DIM}{}{DIM:#}",
        printable(&skill.locked.id),
        verdict.as_str(),
        told_by(skill.tool)
    )?;
    writeln!(out, "  from    {}", printable(&skill.locked.source))?;
    let directory = printable(&world.shown(&skill.directory));
    writeln!(out, "  at      {directory}")?;
    let others = skill.locked.targets.len().saturating_sub(1);
    if others > 0 {
        let others = counted(others, "more place");
        writeln!(out, "  {DIM}and {others}{DIM:#}")?;
    }
    Ok(())
}
