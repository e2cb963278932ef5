//! `skillful schedule`: what skills suggest to run by the clock, and what a person approves of it.

use std::io::Write;
use std::path::Path;

use skillful::contract::{ApprovalDocument, SchedulesDocument};
use skillful::records::key_of;
use skillful::schedule::{self, ChoiceError, Schedule, ScheduleChoice, Schedules, Standing};
use skillful_store::{Applied, Store, Timestamp};

use crate::args::{
    ApproveArgs, FormatArgs, GlobalArgs, ScheduleAction, ScheduleArgs, ScheduleListArgs,
    WithdrawArgs,
};
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::lookup;
use crate::records::{now, report_notices};
use crate::render::table::{self, Cell};
use crate::target::Target;
use crate::terminal::{
    BOLD, DIM, GOOD, Out, WARNING, counted, print_json, printable, stdout, warn, width,
};

pub(crate) fn run(global: &GlobalArgs, args: &ScheduleArgs) -> Result<Outcome, CommandError> {
    match &args.action {
        None => list(global, &args.list),
        Some(ScheduleAction::List(args)) => list(global, args),
        Some(ScheduleAction::Approve(args)) => approve(global, args),
        Some(ScheduleAction::Withdraw(args)) => withdraw(global, args),
    }
}

fn list(global: &GlobalArgs, args: &ScheduleListArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let library = world.scan()?;
    let skills = library.registry.skills().iter().map(AsRef::as_ref);
    let choices = world.conditions().records.choices();
    let schedules = Schedules::of(skills, choices, &args.zone.zone);
    if args.format.is_json() {
        print_json(&SchedulesDocument::new(&schedules))?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    write_table(&mut out, &schedules.schedules)?;
    out.flush()?;
    for refused in &schedules.refused {
        let path = world.shown(&refused.path);
        warn(&format!("{path}: {}", refused.diagnostic.message));
    }
    Ok(Outcome::Fine)
}

fn write_table(out: &mut Out, schedules: &[Schedule]) -> std::io::Result<()> {
    if schedules.is_empty() {
        return writeln!(out, "{DIM}no skill suggests a run by the clock{DIM:#}");
    }
    let rows: Vec<Vec<Cell>> = schedules.iter().map(row).collect();
    table::write(out, &rows, width())?;
    let approved = schedules
        .iter()
        .filter(|it| matches!(it.standing, Standing::Approved(_)))
        .count();
    let all = counted(schedules.len(), "schedule");
    writeln!(out, "{DIM}{approved} of {all} approved{DIM:#}")?;
    let may_be_approved =
        |it: &Schedule| matches!(it.standing, Standing::Unapproved | Standing::Outdated);
    if schedules.iter().any(may_be_approved) {
        writeln!(
            out,
            "{DIM}`skillful schedule approve ID` lets one run{DIM:#}"
        )?;
    }
    Ok(())
}

fn row(schedule: &Schedule) -> Vec<Cell> {
    let declared = &schedule.declared;
    let (words, style) = match &schedule.standing {
        Standing::Approved(_) => ("approved", GOOD),
        Standing::Outdated => ("changed since it was approved", WARNING),
        Standing::Unapproved => ("not approved", DIM),
        Standing::ByName => ("by its name", DIM),
    };
    let next = schedule
        .next
        .map(|next| format!("due {}", Timestamp::from(next)));
    let what = declared.run.prompt().unwrap_or("use the skill");
    vec![
        Cell::new(&declared.key.id, BOLD),
        Cell::plain(&declared.expression),
        Cell::new(words, style),
        Cell::plain(&next.unwrap_or_default()),
        Cell::new(what, DIM),
    ]
}

fn approve(global: &GlobalArgs, args: &ApproveArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let library = world.scan()?;
    let skill = lookup::searched(&world, &library, &args.id)?;
    let store = world.store()?;
    let approval = schedule::approve(skill, args.expression.as_deref(), now());
    let ScheduleChoice { expression, choice } = approval.map_err(refused)?;
    let applied = store
        .choose(&key_of(skill), choice)
        .map_err(CommandError::failed)?;
    report_notices(&store);
    let done = Done {
        outcome: match applied {
            Applied::Changed => "approved",
            Applied::Unchanged => "already-approved",
        },
        id: &skill.id,
        path: Some(&skill.path),
        expression: Some(&expression),
    };
    done.tell(global, args.format)
}

fn withdraw(global: &GlobalArgs, args: &WithdrawArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let is_approved = |standing: &skillful_store::Standing| !standing.approvals.is_empty();
    let target = Target::of(&world, &args.id, is_approved)?;
    let store = world.store()?;
    let choices = store.choices().map_err(CommandError::failed)?;
    let mut withdrawn = None;
    for key in &target.keys {
        let withdrawal = schedule::withdraw(key, &choices, args.expression.as_deref());
        let Some(ScheduleChoice { expression, choice }) = withdrawal.map_err(refused)? else {
            continue;
        };
        let applied = store.choose(key, choice).map_err(CommandError::failed)?;
        if applied == Applied::Changed {
            withdrawn = Some(expression);
        }
    }
    report_notices(&store);
    let done = Done {
        outcome: match withdrawn {
            Some(_) => "withdrawn",
            None => "not-approved",
        },
        id: &target.id,
        path: target.path.as_deref(),
        expression: withdrawn.as_deref().or(args.expression.as_deref()),
    };
    done.tell(global, args.format)
}

fn refused(error: ChoiceError) -> CommandError {
    CommandError::failed(error).hint("`skillful schedule` lists what skills suggest")
}

/// What became of the approval of a schedule.
struct Done<'a> {
    outcome: &'static str,
    id: &'a str,
    path: Option<&'a Path>,
    expression: Option<&'a str>,
}

impl Done<'_> {
    fn tell(&self, global: &GlobalArgs, format: FormatArgs) -> Result<Outcome, CommandError> {
        let Self {
            outcome,
            id,
            path,
            expression,
        } = *self;
        if format.is_json() {
            print_json(&ApprovalDocument::new(outcome, id, path, expression))?;
            return Ok(Outcome::Fine);
        }
        let mut out = stdout(global.color);
        let style = match outcome {
            "approved" | "withdrawn" => GOOD,
            _ => DIM,
        };
        write!(
            out,
            "{style}{}{style:#} {BOLD}{}{BOLD:#}",
            outcome.replace('-', " "),
            printable(id)
        )?;
        if let Some(expression) = expression {
            write!(out, " `{}`", printable(expression))?;
        }
        writeln!(out)?;
        out.flush()?;
        Ok(Outcome::Fine)
    }
}
