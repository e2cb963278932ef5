//! `skillful deps`: how the programs that a skill needs can be had.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use skillful::Skill;
use skillful_manage::contract::DepsDocument;
use skillful_manage::deps::{
    self, ApplyError, Consent, Done, Ended, HttpWeb, Outcome as StepOutcome, Places, Plan,
    PlanError, Report, Step, Way, Wishes,
};
use skillful_manage::progress::{Progress, Step as Event};
use skillmd::install::InstallKind;

use crate::args::{DepsArgs, GlobalArgs};
use crate::ask;
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::interrupt::Interrupt;
use crate::lookup;
use crate::render::table::{self, Cell};
use crate::terminal::{
    BOLD, DIM, ERROR, GOOD, Out, WARNING, counted, is_interactive, print_json, printable,
    printable_lines, stdout, warn, width,
};

pub(crate) fn run(global: &GlobalArgs, args: &DepsArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let library = world.scan()?;
    let skill = lookup::searched(&world, &library, &args.id)?;
    let places = Places::new(&world.host, &world.options, is_interactive());
    let plan = deps::plan(skill, &places, &wishes(&world, args)).map_err(cannot_plan)?;
    let is_json = args.format.is_json();
    if !args.install || args.dry_run {
        if is_json {
            print_json(&DepsDocument::new(&plan, None))?;
        } else {
            let mut out = stdout(global.color);
            write_plan(&mut out, &world, &plan)?;
            write_next(&mut out, &plan)?;
            out.flush()?;
        }
        let is_fine = plan.refused.is_none() && plan.unmet.is_empty();
        return Ok(found(is_fine && unusable(&plan, args).is_none()));
    }
    if !is_json {
        let mut out = stdout(global.color);
        write_plan(&mut out, &world, &plan)?;
        out.flush()?;
    }
    if plan.refused.is_some() {
        if is_json {
            print_json(&DepsDocument::new(&plan, None))?;
        }
        return Ok(Outcome::Found);
    }
    if let Some(way) = unusable(&plan, args) {
        let reason = way.reason();
        let message = format_args!("`{}` cannot be used: {reason}", way.id);
        return Err(CommandError::failed(message));
    }
    let is_idle = plan.steps().next().is_none();
    if !is_idle && !agreed(args)? {
        return Err(CommandError::failed("nothing was installed"));
    }
    let report = install(&plan, skill, &places, args)?;
    if is_json {
        print_json(&DepsDocument::new(&plan, Some(&report)))?;
    } else {
        let mut out = stdout(global.color);
        write_report(&mut out, &world, &report)?;
        out.flush()?;
    }
    Ok(found(report.is_success()))
}

/// A way that was asked for by its name and cannot be taken.
fn unusable<'p>(plan: &'p Plan, args: &DepsArgs) -> Option<&'p Way> {
    let mut ways = plan.ways.iter();
    ways.find(|way| args.spec.contains(&way.id) && way.step.is_err())
}

const fn found(is_fine: bool) -> Outcome {
    if is_fine {
        Outcome::Fine
    } else {
        Outcome::Found
    }
}

/// The preferred of the command line come before those of the configuration.
fn wishes(world: &World, args: &DepsArgs) -> Wishes {
    let mut prefer = args.prefer.clone();
    for name in world.config.preferred_installers() {
        match name.parse::<InstallKind>() {
            Ok(kind) if !prefer.contains(&kind) => prefer.push(kind),
            Ok(_) => {}
            Err(error) => warn(&format!("`install.prefer`: {error}")),
        }
    }
    Wishes {
        prefer,
        specs: args.spec.clone(),
        sha256: args.sha256.map(|digest| digest.to_string()),
    }
}

fn cannot_plan(error: PlanError) -> CommandError {
    match error {
        PlanError::UnknownSpec { .. } => CommandError::usage(error),
        PlanError::Changing(_) => CommandError::failed(error),
    }
}

/// Whether somebody said yes. Without a terminal it must have been said beforehand.
fn agreed(args: &DepsArgs) -> Result<bool, CommandError> {
    if args.yes {
        return Ok(true);
    }
    if !is_interactive() {
        return Err(
            CommandError::usage("there is no terminal to ask on whether to install")
                .hint("look at the plan without --install, then say --install --yes"),
        );
    }
    ask::yes("Install?")
}

fn install(
    plan: &Plan,
    skill: &Skill,
    places: &Places,
    args: &DepsArgs,
) -> Result<Report, CommandError> {
    let timeout = Duration::from_secs(args.timeout);
    let digest = args.digest.clone().or_else(|| plan.digest.clone());
    let consent = Consent {
        digest: digest.unwrap_or_default(),
        timeout,
    };
    let onlooker = Onlooker {
        interrupt: Interrupt::catch()?,
        is_shown: !args.format.is_json() && io::stderr().is_terminal(),
    };
    let web = HttpWeb::new(timeout);
    deps::apply(plan, skill, &consent, places, &web, &onlooker).map_err(|error| {
        let failure = CommandError::failed(&error);
        match error {
            ApplyError::Changed { .. } => {
                failure.hint("`skillful deps` shows the plan for the files as they are")
            }
            _ => failure,
        }
    })
}

/// Shows what managers say, on a terminal.
struct Onlooker {
    interrupt: Interrupt,
    is_shown: bool,
}

impl Progress for Onlooker {
    fn step(&self, step: Event<'_>) {
        if !self.is_shown {
            return;
        }
        let mut terminal = anstream::stderr();
        // If standard error is gone, there is nobody to tell.
        let _ = match step {
            Event::Begin(what) => writeln!(terminal, "{BOLD}{}{BOLD:#}", printable(what)),
            Event::Line(line) => writeln!(terminal, "{DIM}  {}{DIM:#}", printable(line)),
            _ => Ok(()),
        };
    }

    fn is_cancelled(&self) -> bool {
        self.interrupt.is_noted()
    }
}

fn write_plan(out: &mut Out, world: &World, plan: &Plan) -> io::Result<()> {
    let id = printable(&plan.id);
    if let Some(refused) = &plan.refused {
        writeln!(
            out,
            "{ERROR}nothing is installed for{ERROR:#} {BOLD}{id}{BOLD:#}: {}\n",
            printable(&refused.to_string())
        )?;
    }
    if plan.needs.is_empty() {
        writeln!(out, "{BOLD}{id}{BOLD:#} names no program that it needs")?;
    } else {
        let programs = counted(plan.needs.len(), "program");
        writeln!(out, "{BOLD}{id}{BOLD:#} asks for {programs}\n")?;
    }
    let rows: Vec<Vec<Cell>> = plan
        .needs
        .iter()
        .map(|need| {
            let (text, style) = match &need.found {
                Some(file) => (world.shown(file), GOOD),
                None => ("missing".to_owned(), ERROR),
            };
            vec![
                Cell::plain(""),
                Cell::new(&need.program, BOLD),
                Cell::new(need.kind.as_str(), DIM),
                Cell::new(&text, style),
            ]
        })
        .collect();
    table::write(out, &rows, width())?;
    if !plan.ways.is_empty() {
        writeln!(out, "\nHow to get them:")?;
    }
    for way in &plan.ways {
        write_way(out, world, way)?;
    }
    if !plan.unmet.is_empty() {
        let missing = plan.unmet.join(", ");
        writeln!(
            out,
            "\nNo way leads to {BOLD}{}{BOLD:#}",
            printable(&missing)
        )?;
    }
    Ok(())
}

fn write_way(out: &mut Out, world: &World, way: &Way) -> io::Result<()> {
    let (mark, style) = match (&way.step, way.is_chosen) {
        (Ok(_), true) => ("+", GOOD),
        (Ok(_), false) => ("-", DIM),
        (Err(_), _) => ("x", WARNING),
    };
    let id = printable(&way.id);
    writeln!(
        out,
        "{style}{mark}{style:#} {BOLD}{id}{BOLD:#}  {}",
        printable(&way.label)
    )?;
    let indent = "    ";
    match &way.step {
        Ok(Step::Command(step)) => {
            writeln!(out, "{indent}{}", printable(&step.arguments.join(" ")))?;
            if let Some(tap) = step.package.tap() {
                writeln!(
                    out,
                    "{indent}{DIM}adds the tap {}, a repository of third parties{DIM:#}",
                    printable(tap)
                )?;
            }
            if let Some(destination) = &step.destination {
                writeln!(
                    out,
                    "{indent}{DIM}into {}{DIM:#}",
                    printable(&world.shown(destination))
                )?;
            }
        }
        Ok(Step::Download(step)) => {
            writeln!(out, "{indent}{}", printable(step.url.as_str()))?;
            writeln!(out, "{indent}{DIM}SHA-256 {}{DIM:#}", step.sha256)?;
            let (bins, place) = (step.bins.join(", "), world.shown(&step.destination));
            writeln!(
                out,
                "{indent}{DIM}{} into {}{DIM:#}",
                printable(&bins),
                printable(&place)
            )?;
        }
        Err(_) => {}
    }
    writeln!(out, "{indent}{style}{}{style:#}", printable(&way.reason()))
}

fn write_next(out: &mut Out, plan: &Plan) -> io::Result<()> {
    if plan.refused.is_some() {
        return Ok(());
    }
    if plan.steps().next().is_some() {
        writeln!(
            out,
            "\n`skillful deps {} --install` runs what is marked with +",
            printable(&plan.id)
        )
    } else if plan.is_satisfied() && !plan.needs.is_empty() {
        writeln!(out, "\nNothing is missing.")
    } else if plan.needs.is_empty() && !plan.ways.is_empty() {
        writeln!(
            out,
            "\nChoose one with --spec; the skill does not say which it needs."
        )
    } else {
        Ok(())
    }
}

fn write_report(out: &mut Out, world: &World, report: &Report) -> io::Result<()> {
    if !report.steps.is_empty() {
        writeln!(out)?;
    }
    for done in &report.steps {
        write_done(out, world, done)?;
    }
    for (program, file) in &report.off_path {
        let directory = file.parent().unwrap_or(file);
        writeln!(
            out,
            "{WARNING}{}{WARNING:#} is in {}, which is not on the search path: add it to PATH",
            printable(program),
            printable(&world.shown(directory))
        )?;
    }
    if report.interrupted {
        writeln!(out, "{ERROR}interrupted{ERROR:#}")?;
    }
    if report.missing.is_empty() {
        writeln!(out, "Nothing is missing any more.")
    } else {
        let missing = report.missing.join(", ");
        writeln!(out, "Still missing: {BOLD}{}{BOLD:#}", printable(&missing))
    }
}

fn write_done(out: &mut Out, world: &World, done: &Done) -> io::Result<()> {
    let style = if done.is_success() { GOOD } else { ERROR };
    let id = printable(&done.id);
    write!(
        out,
        "{style}{}{style:#} {BOLD}{id}{BOLD:#}",
        done.outcome.as_str()
    )?;
    match &done.outcome {
        StepOutcome::Ran(ran) => {
            match &ran.ended {
                Ended::Exited(Some(code)) if *code != 0 => write!(out, " with exit code {code}")?,
                Ended::Exited(None) => write!(out, " by a signal")?,
                Ended::NotStarted(reason) => write!(out, ": {}", printable(reason))?,
                Ended::Exited(Some(_)) | Ended::TimedOut | Ended::Interrupted => {}
            }
            writeln!(out)?;
            if !done.is_success() && !ran.output.trim().is_empty() {
                writeln!(
                    out,
                    "{DIM}{}{DIM:#}",
                    printable_lines(last_lines(&ran.output))
                )?;
            }
            Ok(())
        }
        StepOutcome::NoRights => writeln!(out, ": the right to run it was not given"),
        StepOutcome::Placed(files) => {
            let files: Vec<String> = files.iter().map(|file| world.shown(file)).collect();
            writeln!(out, " {}", printable(&files.join(", ")))
        }
        StepOutcome::NotFetched(error) => writeln!(out, ": {}", printable(&error.to_string())),
        StepOutcome::NotPlaced(error) => writeln!(out, ": {}", printable(&error.to_string())),
    }
}

/// The lines of an output that tell most of a failure.
fn last_lines(output: &str) -> &str {
    const LINES: usize = 20;
    let output = output.trim_end();
    let start = output.rmatch_indices('\n').nth(LINES - 1);
    start.map_or(output, |(place, _)| {
        output.get(place + 1..).unwrap_or(output)
    })
}
