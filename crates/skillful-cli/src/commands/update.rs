//! `skillful outdated`, `update` and `hold`: whether there is something newer, and taking it over.

use std::io::Write;

use skillful_manage::contract::{HoldDocument, OutdatedDocument, UpdateDocument};
use skillful_manage::install::{
    Consent, Installer, Standing, StandingKind, UpdatePlan, UpdateWish, Updated,
};

use crate::args::{ConsentArgs, GlobalArgs, HoldArgs, OutdatedArgs, UpdateArgs};
use crate::ask;
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::manage::{failed, installer};
use crate::progress::Work;
use crate::render::table::{self, Cell};
use crate::render::update as render;
use crate::terminal::{
    BOLD, DIM, ERROR, GOOD, WARNING, counted, print_json, printable, stdout, warn, width,
};

pub(crate) fn outdated(global: &GlobalArgs, args: &OutdatedArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let installer = installer(&world, args.installed.reach)?;
    let standings = {
        let progress = Work::start();
        let fetcher = installer.fetcher();
        installer.outdated(&args.installed.ids, &fetcher, &progress)
    };
    let standings = standings.map_err(failed)?;
    let outcome = if standings.iter().any(|it| it.kind.is_outdated()) {
        Outcome::Found
    } else {
        Outcome::Fine
    };
    if args.installed.format.is_json() {
        print_json(&OutdatedDocument::new(&standings))?;
        return Ok(outcome);
    }
    let mut out = stdout(global.color);
    if standings.is_empty() {
        writeln!(out, "{DIM}no skill is installed here{DIM:#}")?;
    } else {
        let rows: Vec<Vec<Cell>> = standings.iter().map(row).collect();
        table::write(&mut out, &rows, width())?;
        if outcome == Outcome::Found {
            let hint = "`skillful update --dry-run` shows what would change";
            writeln!(out, "{DIM}{hint}{DIM:#}")?;
        }
    }
    out.flush()?;
    Ok(outcome)
}

fn row(standing: &Standing) -> Vec<Cell> {
    let style = match standing.kind {
        StandingKind::Current => GOOD,
        StandingKind::Held | StandingKind::Pinned => DIM,
        StandingKind::Update
        | StandingKind::Moved
        | StandingKind::Renamed
        | StandingKind::Unknown => WARNING,
        StandingKind::Removed
        | StandingKind::TagMoved
        | StandingKind::Rewritten
        | StandingKind::Unreachable => ERROR,
    };
    let current = render::short(&standing.current);
    let latest = standing.latest.as_deref().map(render::short);
    let versions = match latest {
        Some(latest) if latest != current => format!("{current} → {latest}"),
        _ => current,
    };
    vec![
        Cell::new(&standing.id, BOLD),
        Cell::new(standing.kind.as_str(), style),
        Cell::plain(&versions),
        Cell::new(standing.detail.as_deref().unwrap_or_default(), DIM),
    ]
}

pub(crate) fn update(global: &GlobalArgs, args: &UpdateArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let mut installer = installer(&world, args.reach)?;
    installer.discard_edits = args.consent.discard_edits;
    let wish = UpdateWish {
        ids: args.ids.clone(),
        prune: args.prune,
    };
    let plan = {
        let progress = Work::start();
        let fetcher = installer.fetcher();
        installer.plan_update(&wish, &fetcher, &progress)
    };
    let plan = plan.map_err(failed)?;
    let is_json = args.format.is_json();
    if !is_json {
        for note in &plan.notes {
            warn(note);
        }
        render::write(&mut stdout(global.color), &world, &plan)?;
    }
    let updated = decide(&installer, &plan, args.consent, is_json)?;
    if is_json {
        print_json(&UpdateDocument::new(&plan, updated.as_ref()))?;
    } else if let Some(updated) = &updated {
        render::write_done(&mut stdout(global.color), updated)?;
    }
    let is_left_undone = !args.consent.dry_run && plan.changes_something() && updated.is_none();
    Ok(if plan.has_failures() || is_left_undone {
        Outcome::Found
    } else {
        Outcome::Fine
    })
}

/// Asks, and does what is agreed to. Gives what was done; nothing when it was not to be done.
fn decide(
    installer: &Installer<'_>,
    plan: &UpdatePlan,
    consent: ConsentArgs,
    is_json: bool,
) -> Result<Option<Updated>, CommandError> {
    let changes = plan.changes_something();
    if consent.dry_run || !(changes || plan.records_something()) {
        return Ok(None);
    }
    if changes && !consent.yes && !is_agreed(plan, is_json)? {
        return Ok(None);
    }
    let updated = installer.apply_update(plan, Consent::Given);
    Ok(Some(updated.map_err(failed)?))
}

fn is_agreed(plan: &UpdatePlan, is_json: bool) -> Result<bool, CommandError> {
    let changed = plan.skills.iter().filter(|skill| skill.changes_files());
    let special = changed
        .clone()
        .filter(|skill| !skill.questions().is_empty());
    let (changed, special) = (changed.count(), special.count());
    let what = counted(changed, "skill");
    let question = if special == 0 {
        format!("Change {what}?")
    } else {
        format!("Change {what}, {special} of them with a question above?")
    };
    let undone = "nothing was changed: there is nobody to ask";
    ask::agreed(&question, is_json, undone)
}

pub(crate) fn hold(global: &GlobalArgs, args: &HoldArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let installer = installer(&world, args.installed.reach)?;
    let reason = args.reason.as_deref().filter(|_| !args.release);
    let held = installer.hold(&args.installed.id, reason).map_err(failed)?;
    if args.installed.format.is_json() {
        print_json(&HoldDocument::new(&held))?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    let id = printable(&held.id);
    let already = if held.entry.is_some() { "" } else { "already " };
    match &held.reason {
        Some(reason) => writeln!(
            out,
            "{already}{GOOD}held{GOOD:#} {BOLD}{id}{BOLD:#}: {}",
            printable(reason)
        )?,
        None => writeln!(out, "{already}{GOOD}released{GOOD:#} {BOLD}{id}{BOLD:#}")?,
    }
    out.flush()?;
    Ok(Outcome::Fine)
}
