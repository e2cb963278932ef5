//! `skillful learned`: what agents learned, whether it helps, and whether it still holds.

use std::io::Write;

use skillful::contract::{
    CheckApprovalDocument, DecayedJson, GradedJson, LearnedDocument, LearnedJson, PathText,
};
use skillful_manage::author::Where;
use skillful_manage::learn::{Grade, LearnError, LearnedSkill, Learner, Shell};
use skillful_store::Applied;

use crate::args::{
    CheckApprovalArgs, DecayArgs, GlobalArgs, LearnedAction, LearnedArgs, LearnedListArgs,
    RegradeArgs,
};
use crate::authoring::{Desk, place};
use crate::error::{CommandError, Outcome};
use crate::render::table::{self, Cell};
use crate::terminal::{BOLD, DIM, GOOD, WARNING, counted, print_json, printable, stdout, width};

pub(crate) fn run(global: &GlobalArgs, args: &LearnedArgs) -> Result<Outcome, CommandError> {
    match &args.action {
        None => list(global, &args.list),
        Some(LearnedAction::List(args)) => list(global, args),
        Some(LearnedAction::Decay(args)) => decay(global, args),
        Some(LearnedAction::Regrade(args)) => regrade(global, args),
        Some(LearnedAction::Approve(args)) => approval(global, args, true),
        Some(LearnedAction::Withdraw(args)) => approval(global, args, false),
    }
}

/// A learner for a place.
pub(super) fn learner(desk: &Desk, place: Where) -> Result<Learner<'_>, CommandError> {
    let store = desk.store()?;
    Ok(Learner::new(
        &desk.world,
        &desk.data,
        desk.gate(),
        store,
        place,
    ))
}

/// What went wrong, with the way out.
pub(super) fn failed(desk: &Desk, error: &LearnError) -> CommandError {
    match error {
        LearnError::Author(error) => desk.refused(error),
        LearnError::NotLearned(_) => {
            CommandError::failed(error).hint("`skillful learned` lists those that were learned")
        }
        _ => CommandError::failed(error),
    }
}

fn list(global: &GlobalArgs, args: &LearnedListArgs) -> Result<Outcome, CommandError> {
    let desk = Desk::gather(global)?;
    let learner = learner(&desk, place(args.place.owner))?;
    let skills = learner.list().map_err(|error| failed(&desk, &error))?;
    if args.format.is_json() {
        print_json(&LearnedDocument::new(skills.iter().map(json)))?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    if skills.is_empty() {
        writeln!(out, "{DIM}nothing was learned here{DIM:#}")?;
    } else {
        let rows: Vec<Vec<Cell>> = skills.iter().map(row).collect();
        table::write(&mut out, &rows, width())?;
        writeln!(
            out,
            "{DIM}{}{DIM:#}",
            counted(skills.len(), "learned skill")
        )?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

fn json(skill: &LearnedSkill) -> LearnedJson<'_> {
    let reason = skill.archived.as_deref();
    LearnedJson {
        id: &skill.id,
        path: PathText(&skill.path),
        title: &skill.title,
        tags: &skill.tags,
        check: skill.check.as_deref(),
        approved: skill.approved,
        offers: skill.offers,
        evidence: skill.evidence.into(),
        archived: skill.archived.is_some(),
        reason: reason.filter(|reason| !reason.is_empty()),
        pinned: skill.pinned,
    }
}

fn row(skill: &LearnedSkill) -> Vec<Cell> {
    let grade = skill.tags.get(1).map_or("", String::as_str);
    let evidence = skill.evidence;
    let seen = format!("helped {} of {}", evidence.wins, evidence.reads);
    let check = match (&skill.check, skill.approved) {
        (None, _) => "no check",
        (Some(_), true) => "check approved",
        (Some(_), false) => "check not approved",
    };
    let away = if skill.archived.is_some() {
        "archived"
    } else {
        ""
    };
    vec![
        Cell::new(&printable(&skill.id), BOLD),
        Cell::plain(&printable(grade)),
        Cell::plain(&seen),
        Cell::new(check, DIM),
        Cell::new(away, WARNING),
        Cell::new(&printable(&skill.title), DIM),
    ]
}

fn decay(global: &GlobalArgs, args: &DecayArgs) -> Result<Outcome, CommandError> {
    let desk = Desk::gather(global)?;
    let learner = learner(&desk, place(args.place.owner))?;
    let decayed = learner.decay(args.dry_run);
    let decayed = decayed.map_err(|error| failed(&desk, &error))?;
    if args.format.is_json() {
        print_json(&LearnedDocument::new(decayed.iter().map(|skill| {
            DecayedJson {
                id: &skill.id,
                path: PathText(&skill.path),
                evidence: skill.evidence.into(),
                archived: skill.archived,
                reason: &skill.reason,
            }
        })))?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    for skill in &decayed {
        let (id, reason) = (printable(&skill.id), printable(&skill.reason));
        if skill.archived {
            writeln!(out, "{GOOD}archived{GOOD:#} {BOLD}{id}{BOLD:#}: {reason}")?;
        } else {
            writeln!(
                out,
                "{BOLD}{id}{BOLD:#} {DIM}would be archived{DIM:#}: {reason}"
            )?;
        }
    }
    if decayed.is_empty() {
        writeln!(
            out,
            "{DIM}nothing that was learned is to be put away{DIM:#}"
        )?;
    } else if !args.dry_run {
        writeln!(out, "{DIM}`skillful restore ID` brings one back{DIM:#}")?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

fn regrade(global: &GlobalArgs, args: &RegradeArgs) -> Result<Outcome, CommandError> {
    let desk = Desk::gather(global)?;
    let shell = Shell::of(&desk.world.host, desk.world.program_directory());
    let learner = learner(&desk, place(args.place.owner))?.with_checker(&shell);
    let graded = learner.regrade(args.id.as_deref());
    let graded = graded.map_err(|error| failed(&desk, &error))?;
    if args.format.is_json() {
        print_json(&LearnedDocument::new(graded.iter().map(|skill| {
            GradedJson {
                id: &skill.id,
                path: PathText(&skill.path),
                check: &skill.check,
                outcome: skill.grade.as_str(),
                reason: skill.grade.reason(),
                seq: skill.seq,
            }
        })))?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    for skill in &graded {
        let id = printable(&skill.id);
        let (style, words) = match &skill.grade {
            Grade::Verified => (GOOD, "verified".to_owned()),
            Grade::Flaky(reason) => (WARNING, format!("failed once, then passed: {reason}")),
            Grade::Archived(reason) => (
                WARNING,
                format!("archived, its check failed twice: {reason}"),
            ),
            Grade::NotApproved => (DIM, format!("its check is not approved: `{}`", skill.check)),
            Grade::NotRun(reason) => (DIM, format!("its check did not run: {reason}")),
        };
        writeln!(
            out,
            "{BOLD}{id}{BOLD:#} {style}{}{style:#}",
            printable(&words)
        )?;
    }
    if graded.is_empty() {
        writeln!(out, "{DIM}no learned skill has a check{DIM:#}")?;
    } else if graded.iter().any(|it| it.grade == Grade::NotApproved) {
        writeln!(
            out,
            "{DIM}`skillful learned approve ID` lets a check run{DIM:#}"
        )?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

fn approval(
    global: &GlobalArgs,
    args: &CheckApprovalArgs,
    approve: bool,
) -> Result<Outcome, CommandError> {
    let desk = Desk::gather(global)?;
    let learner = learner(&desk, place(args.place.owner))?;
    let chosen = if approve {
        learner.approve_check(&args.id)
    } else {
        learner.withdraw_check(&args.id)
    };
    let (skill, applied) = chosen.map_err(|error| failed(&desk, &error))?;
    let outcome = match (approve, applied) {
        (true, Applied::Changed) => "approved",
        (true, Applied::Unchanged) => "already-approved",
        (false, Applied::Changed) => "withdrawn",
        (false, Applied::Unchanged) => "not-approved",
    };
    let check = skill.check.as_deref();
    if args.format.is_json() {
        print_json(&CheckApprovalDocument::new(
            outcome,
            &skill.id,
            &skill.path,
            check,
        ))?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    let style = if applied == Applied::Changed {
        GOOD
    } else {
        DIM
    };
    writeln!(
        out,
        "{style}{}{style:#} {BOLD}{}{BOLD:#} `{}`",
        outcome.replace('-', " "),
        printable(&skill.id),
        printable(check.unwrap_or_default())
    )?;
    out.flush()?;
    Ok(Outcome::Fine)
}
