//! Plans and what came of them, for people.

use std::io::{self, Write};

use anstyle::Style;
use skillful_guard::{Decision, Finding, Severity, Verdict};
use skillful_manage::capability::Capability;
use skillful_manage::install::{
    Applied, Placement, Plan, PlannedSkill, Restoration, Restored, Step, hidden_files, secret_files,
};

use crate::input::World;
use crate::terminal::{BOLD, DIM, ERROR, GOOD, Out, WARNING, counted, cut, printable};

/// Most findings of one skill that are shown.
const FINDINGS: usize = 5;

/// Most skills that are told one by one; of more, only those that need a look are.
const SKILLS: usize = 20;

/// Writes what would be done.
pub(crate) fn write(out: &mut Out, world: &World, plan: &Plan) -> io::Result<()> {
    if plan.skills.is_empty() {
        writeln!(out, "{DIM}there is no skill to install{DIM:#}")?;
        return out.flush();
    }
    let is_long = plan.skills.len() > SKILLS;
    let mut untold = 0;
    for skill in &plan.skills {
        let needs_a_look = !matches!(skill.step, Step::Add | Step::Replace | Step::Nothing)
            || skill.gated.decision != Decision::Allow
            || skill.needs_a_yes();
        if is_long && !needs_a_look {
            untold += 1;
            continue;
        }
        write_skill(out, world, skill)?;
    }
    if untold > 0 {
        let skills = counted(untold, "skill");
        writeln!(out, "{DIM}and {skills} more with nothing to look at{DIM:#}")?;
    }
    out.flush()
}

fn write_skill(out: &mut Out, world: &World, skill: &PlannedSkill) -> io::Result<()> {
    let (step, style) = match &skill.step {
        Step::Add => ("add", GOOD),
        Step::Replace => ("replace", GOOD),
        Step::Nothing => ("as it is", DIM),
        Step::Refuse(_) => ("refused", ERROR),
    };
    let id = printable(&skill.offer.id);
    let verdict = skill.gated.verdict();
    let look = verdict_style(verdict);
    writeln!(
        out,
        "{BOLD}{id}{BOLD:#}  {style}{step}{style:#}  {look}{}{look:#}",
        verdict.as_str()
    )?;
    let description = cut(&printable(&skill.offer.description), 100);
    writeln!(out, "  {DIM}{description}{DIM:#}")?;
    writeln!(out, "  from    {}", printable(&origin(skill)))?;
    if let Step::Refuse(refusal) = &skill.step {
        writeln!(
            out,
            "  {ERROR}because{ERROR:#} {}",
            printable(&refusal.to_string())
        )?;
        writeln!(
            out,
            "  {GOOD}help{GOOD:#}    {}",
            refusal.help(&skill.offer.id)
        )?;
    } else {
        for placement in &skill.placements {
            write_placement(out, world, placement)?;
        }
    }
    write_capabilities(out, skill)?;
    write_findings(out, &skill.gated.worst())?;
    for fault in &skill.offer.faults {
        writeln!(out, "  {WARNING}check{WARNING:#}   {}", printable(fault))?;
    }
    let secrets = secret_files(&skill.kept.tree);
    let hidden = hidden_files(&skill.kept.tree);
    let hidden: Vec<&str> = hidden
        .into_iter()
        .filter(|path| !secrets.contains(path))
        .collect();
    write_files(out, WARNING, "keys?   ", &secrets)?;
    write_files(out, DIM, "hidden  ", &hidden)?;
    for left_out in &skill.kept.left_out {
        writeln!(
            out,
            "  {WARNING}left out{WARNING:#} {}",
            printable(left_out)
        )?;
    }
    Ok(())
}

fn verdict_style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Safe => GOOD,
        Verdict::Caution => WARNING,
        Verdict::Dangerous => ERROR,
    }
}

fn origin(skill: &PlannedSkill) -> String {
    let resolved = &skill.offer.resolved;
    let commit = resolved.commit.as_deref().and_then(|it| it.get(..12));
    match (commit, &resolved.version) {
        (Some(commit), _) => format!("{} at {commit}", skill.offer.source),
        (None, Some(version)) => format!("{} {version}", skill.offer.source),
        (None, None) => skill.offer.source.clone(),
    }
}

fn write_placement(out: &mut Out, world: &World, placement: &Placement) -> io::Result<()> {
    let path = printable(&world.shown(&placement.path));
    let method = placement.method.as_str();
    let readers = match placement.readers.len() {
        0 => String::new(),
        1..=3 => format!(", read by {}", placement.readers.join(", ")),
        more => format!(", read by {more} clients"),
    };
    writeln!(out, "  to      {path} {DIM}({method}{readers}){DIM:#}")
}

fn write_capabilities(out: &mut Out, skill: &PlannedSkill) -> io::Result<()> {
    let mut by_kind: Vec<(&str, Vec<&str>)> = Vec::new();
    for capability in &skill.gated.capabilities {
        let capability: &Capability = capability;
        let detail = capability.detail().unwrap_or("yes");
        match by_kind.last_mut() {
            Some((kind, details)) if *kind == capability.kind() => details.push(detail),
            _ => by_kind.push((capability.kind(), vec![detail])),
        }
    }
    for (kind, details) in by_kind {
        let shown = cut(&printable(&details.join(", ")), 90);
        writeln!(out, "  {DIM}can{DIM:#}     {kind}: {shown}")?;
    }
    Ok(())
}

/// Writes the names of files that a person should know of.
fn write_files(out: &mut Out, style: Style, word: &str, files: &[&str]) -> io::Result<()> {
    if files.is_empty() {
        return Ok(());
    }
    let shown = cut(&printable(&files.join(", ")), 90);
    writeln!(out, "  {style}{word}{style:#}{shown}")
}

fn write_findings(out: &mut Out, findings: &[&Finding]) -> io::Result<()> {
    for finding in findings.iter().take(FINDINGS) {
        let style = match finding.severity {
            Severity::Critical | Severity::High => ERROR,
            Severity::Medium => WARNING,
            Severity::Low | Severity::Info => DIM,
        };
        writeln!(
            out,
            "  {style}{}{style:#} {}:{} {} {DIM}({} confidence){DIM:#}",
            finding.severity.as_str(),
            printable(&finding.path),
            finding.line,
            finding.rule,
            finding.confidence.as_str(),
        )?;
    }
    let more = findings.len().saturating_sub(FINDINGS);
    if more > 0 {
        writeln!(out, "  {DIM}and {} more{DIM:#}", counted(more, "finding"))?;
    }
    Ok(())
}

/// Writes what was done of a plan.
pub(crate) fn write_done(out: &mut Out, applied: &Applied) -> io::Result<()> {
    let Some(entry) = &applied.entry else {
        return out.flush();
    };
    let skills = counted(applied.placed.len(), "skill");
    let seq = entry.seq;
    writeln!(
        out,
        "{GOOD}installed{GOOD:#} {skills}; {DIM}`skillful undo {seq}` takes it back{DIM:#}"
    )?;
    out.flush()
}

/// Writes what was restored from the lock.
pub(crate) fn write_restored(
    out: &mut Out,
    world: &World,
    restoration: &Restoration,
    restored: &Restored,
    added: &[String],
) -> io::Result<()> {
    for (skill, refusal) in restoration.refused() {
        let id = printable(&skill.locked.id);
        writeln!(
            out,
            "{BOLD}{id}{BOLD:#} {ERROR}refused{ERROR:#}: {}",
            printable(&refusal.to_string())
        )?;
        writeln!(
            out,
            "  {GOOD}help{GOOD:#} {}",
            refusal.help(&skill.locked.id)
        )?;
    }
    for skill in &restoration.skills {
        let is_placed = restored.placed.contains(&skill.locked.id);
        let done = if is_placed {
            "restored"
        } else {
            "would restore"
        };
        for swap in &skill.swaps {
            if skill.refusal.is_none() {
                let path = printable(&world.shown(&swap.path));
                writeln!(out, "{GOOD}{done}{GOOD:#} {path}")?;
            }
        }
    }
    for id in added {
        writeln!(
            out,
            "{GOOD}installed{GOOD:#} {BOLD}{}{BOLD:#}",
            printable(id)
        )?;
    }
    for id in &restoration.unwanted {
        writeln!(
            out,
            "{WARNING}not wanted{WARNING:#} {}: it is in the lock and not in skills.toml; `skillful remove` takes it away",
            printable(id)
        )?;
    }
    let is_quiet = restored.entry.is_none() && added.is_empty();
    if is_quiet && restoration.refused().next().is_none() && restoration.missing.is_empty() {
        let skills = counted(restoration.skills.len(), "skill");
        writeln!(out, "{DIM}all is as the lock says: {skills}{DIM:#}")?;
    }
    out.flush()
}
