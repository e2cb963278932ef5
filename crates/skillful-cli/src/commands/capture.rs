//! `skillful capture`: stores what an agent learned.

use std::io::Write;

use skillful::contract::AuthoredDocument;
use skillful_manage::learn::{CaptureOutcome, Captured, LearnError, Lesson};

use super::author::refusal;
use crate::args::{CaptureArgs, GlobalArgs};
use crate::authoring::{Desk, place, read_named};
use crate::error::{CommandError, Outcome};
use crate::terminal::{BOLD, DIM, GOOD, WARNING, print_json, printable, stdout, warn};

use super::learned::{failed, learner};

pub(crate) fn run(global: &GlobalArgs, args: &CaptureArgs) -> Result<Outcome, CommandError> {
    let lesson = match &args.file {
        Some(file) => {
            Lesson::read(&read_named(file)?).map_err(|error| CommandError::failed(&error))?
        }
        None => Lesson {
            title: args.title.clone().unwrap_or_default(),
            body: args.body.clone().unwrap_or_default(),
            tags: args.tag.clone(),
            check: args.check.clone(),
            description: args.description.clone(),
            requests: args.request.clone(),
        },
    };
    let desk = Desk::gather(global)?;
    let learner = learner(&desk, place(args.place.owner))?.confirming(args.confirm.clone());
    let captured = match learner.capture(&lesson) {
        Ok(captured) => captured,
        Err(error) => {
            if let (LearnError::Author(error), true) = (&error, args.format.is_json()) {
                print_json(&refusal(&lesson.title, error))?;
            }
            return Err(failed(&desk, &error));
        }
    };
    let outcome = match captured.outcome {
        CaptureOutcome::Dropped(_) => Outcome::Found,
        _ => Outcome::Fine,
    };
    if args.format.is_json() {
        print_json(&AuthoredDocument::from(&captured))?;
        return Ok(outcome);
    }
    write_text(global, &desk, &captured)?;
    Ok(outcome)
}

fn write_text(global: &GlobalArgs, desk: &Desk, captured: &Captured) -> Result<(), CommandError> {
    let mut out = stdout(global.color);
    let id = printable(captured.id.as_deref().unwrap_or("the lesson"));
    let path = captured.path.as_deref().map(|path| desk.world.shown(path));
    let word = captured.outcome.as_str();
    match captured.outcome {
        CaptureOutcome::Stored | CaptureOutcome::Refreshed => {
            let path = printable(&path.unwrap_or_default());
            writeln!(
                out,
                "{GOOD}{word}{GOOD:#} {BOLD}{id}{BOLD:#} {DIM}in {path}{DIM:#}"
            )?;
        }
        CaptureOutcome::Skipped(_) | CaptureOutcome::Dropped(_) => {
            let reason = sentence(captured.outcome.reason().unwrap_or_default());
            writeln!(
                out,
                "{WARNING}{word}{WARNING:#} {BOLD}{id}{BOLD:#}: {reason}"
            )?;
            if let Some(detail) = &captured.detail {
                writeln!(out, "  {}", printable(detail))?;
            }
            if let Some(path) = path {
                writeln!(out, "  {DIM}{}{DIM:#}", printable(&path))?;
            }
            if let (Some(gated), Some(digest)) = (&captured.gated, &captured.digest)
                && gated.decision == skillful_guard::Decision::Ask
            {
                writeln!(
                    out,
                    "  {DIM}after a look at it, --confirm {digest} stores it{DIM:#}"
                )?;
            }
        }
    }
    out.flush()?;
    for remark in &captured.remarks {
        warn(&desk.world.with_short_home(&remark.to_string()));
    }
    Ok(())
}

/// A reason for people.
fn sentence(reason: &str) -> &'static str {
    match reason {
        "authored" => "a person wrote a skill of this name, which is left alone",
        "bundled" => "a skill of this name is part of the program",
        "blank" => "it says nothing",
        "near-duplicate" => "this learned skill says nearly the same",
        "unchanged" => "this learned skill says the same already",
        "too-large" => "it is too long for one lesson",
        "pinned" => "the skill that it would refresh is pinned",
        "check-failed" => "its check failed",
        "refused-by-scan" => "the guard stands against it",
        _ => "it was not needed",
    }
}
