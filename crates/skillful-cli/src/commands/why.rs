//! `skillful why`: why a skill can be used or cannot, and what to do about it.

use std::io::Write;

use skillful::contract::WhyDocument;
use skillful::eligibility::Explanation;
use skillful::guard::Verdict;
use skillful::{Blocker, State};

use crate::args::{GlobalArgs, WhyArgs};
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::render::{
    acceptance_text, blocker_text, origin_text, state_style, verdict_style, verdict_text,
};
use crate::terminal::{BOLD, DIM, GOOD, Out, print_json, printable, stdout, warn};

pub(crate) fn run(global: &GlobalArgs, args: &WhyArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let mut library = world.scan()?;
    let agent = args.agent.as_deref();
    let skill = world.looked_at(&mut library, &args.id, agent)?.clone();
    let skill = &skill;
    let explanation = Explanation::of(skill, &library.registry, &world.conditions(), agent);
    if args.format.is_json() {
        print_json(&WhyDocument::new(&explanation, &world.config))?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    write_state(&mut out, &world, &explanation)?;
    write_verdict(&mut out, &explanation)?;
    write_invocation(&mut out, &explanation)?;
    write_settings(&mut out, &world, &explanation)?;
    out.flush()?;
    for problem in &world.problems {
        warn(&problem.to_string());
    }
    Ok(Outcome::Fine)
}

fn write_state(out: &mut Out, world: &World, it: &Explanation<'_>) -> std::io::Result<()> {
    let state = it.standing.state;
    let style = state_style(state);
    let agent = it
        .agent
        .map_or(String::new(), |agent| format!(" for {agent}"));
    writeln!(
        out,
        "{BOLD}{}{BOLD:#} is {style}{}{style:#}{}",
        printable(&it.skill.id),
        state.as_str(),
        printable(&agent)
    )?;
    writeln!(
        out,
        "{DIM}{}{DIM:#}\n",
        printable(&world.shown(&it.skill.path))
    )?;
    if state == State::Ready {
        writeln!(out, "Nothing that it asks for is missing.")?;
    }
    for blocker in &it.standing.blockers {
        write_reason(out, blocker, &blocker_text(world, it.skill, blocker))?;
    }
    for other in &it.shadows {
        let path = world.shown(&other.path);
        writeln!(out, "It has precedence over {}.", printable(&path))?;
    }
    if !it.notes.is_empty() {
        writeln!(out, "\nOf use to it, but no hindrance:")?;
        for note in &it.notes {
            write_reason(out, note, &note.detail)?;
        }
    }
    Ok(())
}

/// The longest kind has 14 characters.
const KIND: usize = 14;

fn write_reason(out: &mut Out, blocker: &Blocker, detail: &str) -> std::io::Result<()> {
    writeln!(
        out,
        "  {BOLD}{:<KIND$}{BOLD:#}  {}",
        blocker.kind,
        printable(detail)
    )?;
    if let Some(help) = &blocker.help {
        writeln!(out, "  {:<KIND$}  {GOOD}{}{GOOD:#}", "", printable(help))?;
    }
    Ok(())
}

/// Most findings that are shown.
const FINDINGS: usize = 5;

/// What the guard says of its files, and the worst that it found.
fn write_verdict(out: &mut Out, it: &Explanation<'_>) -> std::io::Result<()> {
    let Some(inspection) = &it.skill.inspection else {
        return Ok(());
    };
    let style = verdict_style(inspection.verdict());
    let verdict = verdict_text(it.skill);
    writeln!(out, "\nVerdict: {style}{verdict}{style:#}")?;
    if let Some(accepted) = it.accepted {
        let text = acceptance_text(accepted);
        writeln!(out, "  Its files are accepted {}", printable(&text))?;
    }
    for finding in inspection.findings().iter().take(FINDINGS) {
        let place = format!("{}:{}", finding.path, finding.line);
        writeln!(
            out,
            "  {BOLD}{}{BOLD:#}  {}, confidence {}  {DIM}{}{DIM:#}",
            finding.rule,
            finding.severity,
            finding.confidence,
            printable(&place)
        )?;
        if !finding.excerpt.is_empty() {
            writeln!(out, "    {}", printable(finding.excerpt.trim()))?;
        }
    }
    let more = inspection.findings().len().saturating_sub(FINDINGS);
    if more > 0 {
        writeln!(out, "  {DIM}and {more} more{DIM:#}")?;
    }
    for suppressed in inspection.suppressed() {
        let place = format!("{}:{}", suppressed.finding.path, suppressed.finding.line);
        writeln!(
            out,
            "  {BOLD}{}{BOLD:#}  {DIM}{}{DIM:#}, accepted by guard.suppress: {}",
            suppressed.finding.rule,
            printable(&place),
            printable(&suppressed.reason)
        )?;
    }
    let is_plain = inspection.verdict() == Verdict::Safe
        && inspection.suppressed().is_empty()
        && it.standing.state != State::Withheld;
    if let Some(digest) = inspection.digest().filter(|_| !is_plain) {
        writeln!(out, "  {DIM}{digest}{DIM:#}")?;
    }
    Ok(())
}

fn write_invocation(out: &mut Out, it: &Explanation<'_>) -> std::io::Result<()> {
    let who = match (it.invocability.model, it.invocability.person) {
        (true, true) => "The model and a person may bring it up.",
        (true, false) => "The model may bring it up; a person may not by name.",
        (false, true) => "A person may bring it up by name; the model may not.",
        (false, false) => "Neither the model nor a person may bring it up.",
    };
    writeln!(out, "\n{who}")
}

fn write_settings(out: &mut Out, world: &World, it: &Explanation<'_>) -> std::io::Result<()> {
    let mut said = world.config.said_of(&it.skill.id).peekable();
    if said.peek().is_none() {
        return writeln!(out, "No configuration file says anything about it.");
    }
    writeln!(out, "Configuration:")?;
    for (key, setting) in said {
        let place = origin_text(world, &setting.origin);
        let what = format!("{key} = {}", setting.value);
        writeln!(
            out,
            "  {}  {DIM}{}{DIM:#}",
            printable(&what),
            printable(&place)
        )?;
    }
    Ok(())
}
