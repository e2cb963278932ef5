//! `skillful schedule`: what skills suggest to run by the clock, and what a person approves of it.

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

use skillful::contract::{ApprovalDocument, SchedulesDocument};
use skillful::records::key_of;
use skillful::schedule::{self, Fired, Moment, Schedule, ScheduleChoice, Schedules, Standing};
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
    let may_be_approved = |it: &&Schedule| {
        matches!(it.standing, Standing::Unapproved | Standing::Outdated)
    };
    if let Some(one) = schedules.iter().find(may_be_approved) {
        let id = printable(&one.declared.key.id);
        writeln!(out, "{DIM}`skillful schedule approve {id}` lets it run{DIM:#}")?;
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
    let what = match declared.run.prompt() {
        Some(prompt) => prompt,
        None => "use the skill",
    };
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
    let Cow::Borrowed(skill) = lookup::skill(&world, &library, &args.id)? else {
        return Err(lookup::not_searched(&world, &args.id));
    };
    let store = world.store()?;
    let ScheduleChoice { expression, choice } =
        schedule::approve(skill, args.expression.as_deref(), now())
            .map_err(|error| CommandError::failed(error).hint(LIST))?;
    let applied = store
        .choose(&key_of(skill), choice)
        .map_err(CommandError::failed)?;
    report_notices(&store);
    let done = Done {
        outcome: match applied {
            Applied::Changed => "approved",
            Applied::Unchanged => "already-approved",
        },
        words: match applied {
            Applied::Changed => "approved",
            Applied::Unchanged => "was approved already",
        },
        id: &skill.id,
        path: Some(&skill.path),
        expression: Some(&expression),
    };
    done.tell(global, args.format)
}

const LIST: &str = "`skillful schedule` lists what skills suggest";
