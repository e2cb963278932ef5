//! Updates and differences, for people.

use std::io::{self, Write};

use skillful_guard::{Severity, Verdict};
use skillful_manage::capability::Capability;
use skillful_manage::difference::{Comparison, FileChange};
use skillful_manage::install::{
    NextVersion, PlannedUpdate, StandingKind, UpdatePlan, UpdateStep, Updated,
};

use super::diff;
use crate::input::World;
use crate::terminal::{BOLD, DIM, ERROR, GOOD, Out, WARNING, counted, cut, printable};

/// Most lines of differences of one skill that are shown; JSON has all.
const LINES: usize = 400;

/// Most findings of one skill that are shown.
const FINDINGS: usize = 5;

/// Writes what an update would do. Skills with nothing to do are counted.
pub(crate) fn write(out: &mut Out, world: &World, plan: &UpdatePlan) -> io::Result<()> {
    let mut untold = 0;
    for skill in &plan.skills {
        let is_quiet = matches!(skill.step, UpdateStep::Nothing | UpdateStep::Record)
            && skill.notes.is_empty()
            && skill.standing.kind != StandingKind::Held;
        if is_quiet {
            untold += 1;
        } else {
            write_skill(out, world, skill)?;
        }
    }
    if plan.skills.is_empty() {
        writeln!(out, "{DIM}no skill is installed here{DIM:#}")?;
    } else if untold > 0 {
        let skills = counted(untold, "skill");
        let verb = if untold == 1 { "is" } else { "are" };
        writeln!(out, "{DIM}{skills} {verb} up to date{DIM:#}")?;
    }
    out.flush()
}

fn write_skill(out: &mut Out, world: &World, skill: &PlannedUpdate) -> io::Result<()> {
    let id = printable(&skill.locked.id);
    let standing = &skill.standing;
    let detail = standing.detail.as_deref().unwrap_or_default();
    let (step, style) = match &skill.step {
        UpdateStep::Nothing if standing.kind == StandingKind::Held => ("held", DIM),
        UpdateStep::Nothing | UpdateStep::Record => ("up to date", DIM),
        UpdateStep::Replace => ("update", GOOD),
        UpdateStep::Rename { .. } => ("rename", WARNING),
        UpdateStep::Gone => ("gone at its source", WARNING),
        UpdateStep::Remove => ("remove", WARNING),
        UpdateStep::Refuse(_) => ("refused", ERROR),
        UpdateStep::Unreachable(_) => ("unreachable", ERROR),
    };
    let versions = match &standing.latest {
        Some(latest) if skill.next.is_some() => {
            format!("{} → {}", short(&standing.current), short(latest))
        }
        _ => short(&standing.current),
    };
    writeln!(
        out,
        "{BOLD}{id}{BOLD:#}  {style}{step}{style:#}  {}",
        printable(&versions)
    )?;
    writeln!(out, "  from    {}", printable(&skill.locked.source))?;
    match &skill.step {
        UpdateStep::Refuse(refusal) => {
            let reason = world.with_short_home(&refusal.to_string());
            writeln!(out, "  {ERROR}because{ERROR:#} {}", printable(&reason))?;
            let help = refusal.help(&skill.locked.id);
            writeln!(out, "  {GOOD}help{GOOD:#}    {help}")?;
        }
        UpdateStep::Unreachable(reason) => {
            writeln!(out, "  {ERROR}because{ERROR:#} {}", printable(reason))?;
        }
        UpdateStep::Gone => writeln!(
            out,
            "  {GOOD}help{GOOD:#}    it stays as it is; `--prune` takes it away"
        )?,
        _ if !detail.is_empty() => {
            writeln!(out, "  {DIM}because{DIM:#} {}", printable(detail))?;
        }
        _ => {}
    }
    for note in &skill.notes {
        writeln!(out, "  {WARNING}note{WARNING:#}    {}", printable(note))?;
    }
    match &skill.next {
        Some(next) if skill.step != UpdateStep::Record && skill.step != UpdateStep::Nothing => {
            write_next(out, skill, next)
        }
        _ => Ok(()),
    }
}

fn write_next(out: &mut Out, skill: &PlannedUpdate, next: &NextVersion) -> io::Result<()> {
    let verdict = next.gated.verdict();
    let style = match verdict {
        Verdict::Safe => GOOD,
        Verdict::Caution => WARNING,
        Verdict::Dangerous => ERROR,
    };
    writeln!(out, "  verdict {style}{}{style:#}", verdict.as_str())?;
    for question in &next.questions {
        writeln!(out, "  {WARNING}asks{WARNING:#}    {}", printable(question))?;
    }
    write_capabilities(out, "new", "can", &next.capabilities.added)?;
    write_capabilities(out, "no more", "could", &next.capabilities.removed)?;
    for finding in next.findings.iter().take(FINDINGS) {
        let style = match finding.severity {
            Severity::Critical | Severity::High => ERROR,
            Severity::Medium => WARNING,
            Severity::Low | Severity::Info => DIM,
        };
        writeln!(
            out,
            "  {style}{}{style:#} {}:{} {} {DIM}(new){DIM:#}",
            finding.severity.as_str(),
            printable(&finding.path),
            finding.line,
            finding.rule,
        )?;
    }
    let more = next.findings.len().saturating_sub(FINDINGS);
    if more > 0 {
        writeln!(
            out,
            "  {DIM}and {} more{DIM:#}",
            counted(more, "new finding")
        )?;
    }
    for left_out in &next.kept.left_out {
        let left_out = printable(left_out);
        writeln!(out, "  {WARNING}left out{WARNING:#} {left_out}")?;
    }
    write_changes(out, &skill.locked.id, &next.changes)
}

fn write_capabilities(
    out: &mut Out,
    when: &str,
    verb: &str,
    capabilities: &std::collections::BTreeSet<Capability>,
) -> io::Result<()> {
    for capability in capabilities {
        let detail = capability.detail().unwrap_or("yes");
        let detail = cut(&printable(detail), 90);
        let kind = capability.kind();
        let style = if when == "new" { WARNING } else { DIM };
        writeln!(
            out,
            "  {style}{verb:<7}{style:#} {kind}: {detail} {DIM}({when}){DIM:#}"
        )?;
    }
    Ok(())
}

/// Writes what differs, file by file: texts line by line, of all else the size.
pub(crate) fn write_changes(out: &mut Out, place: &str, changes: &[FileChange]) -> io::Result<()> {
    let mut room = LINES;
    for change in changes {
        if let Comparison::Lines(lines) = &change.content {
            let count = lines.lines().count();
            if count <= room {
                room -= count;
                diff::write_unified(out, place, lines)?;
                continue;
            }
        }
        let what = match &change.content {
            Comparison::Lines(_) | Comparison::TooLong => "too long to be shown",
            Comparison::Binary => "no text",
            Comparison::NotKept => "what was there is not kept",
            Comparison::Same => "may be executed, or may not any more",
        };
        let size = match (change.bytes_before, change.bytes_after) {
            (Some(before), Some(after)) => format!("{before} → {after} bytes"),
            (Some(bytes), None) | (None, Some(bytes)) => format!("{bytes} bytes"),
            (None, None) => String::new(),
        };
        writeln!(
            out,
            "{BOLD}{}{BOLD:#} {} {DIM}({what}) {size}{DIM:#}",
            change.kind.as_str(),
            printable(&format!("{place}/{}", change.path)),
        )?;
    }
    Ok(())
}

/// A version as people read it: a hash by its first digits.
pub(crate) fn short(version: &str) -> String {
    let (prefix, digits) = match version.split_once(':') {
        Some((prefix, digits)) => (format!("{prefix}:"), digits),
        None => (String::new(), version),
    };
    let is_hash = digits.len() >= 40 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    match digits.get(..12) {
        Some(first) if is_hash => format!("{prefix}{first}"),
        _ => version.to_owned(),
    }
}

/// Writes what was done.
pub(crate) fn write_done(out: &mut Out, updated: &Updated) -> io::Result<()> {
    let Some(entry) = &updated.entry else {
        return out.flush();
    };
    let mut done = Vec::new();
    if !updated.updated.is_empty() {
        done.push(format!(
            "updated {}",
            counted(updated.updated.len(), "skill")
        ));
    }
    if !updated.removed.is_empty() {
        done.push(format!(
            "removed {}",
            counted(updated.removed.len(), "skill")
        ));
    }
    if done.is_empty() {
        writeln!(
            out,
            "{DIM}the lock took note of newer commits; no skill changed{DIM:#}"
        )?;
    } else {
        let (done, seq) = (done.join(", "), entry.seq);
        writeln!(
            out,
            "{GOOD}{done}{GOOD:#}; {DIM}`skillful undo {seq}` takes it back{DIM:#}"
        )?;
    }
    out.flush()
}
