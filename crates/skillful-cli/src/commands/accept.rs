//! `skillful accept`: a person accepts the files of a skill that they looked at.

use std::io::Write;
use std::path::Path;

use skillful::contract::AcceptDocument;
use skillful::guard::{self, AcceptError, GUARD};
use skillful::records::key_of;
use skillful_store::{Applied, Approval, Reason, Store};

use crate::args::{AcceptArgs, GlobalArgs};
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::lookup;
use crate::records::{now, report_notices};
use crate::target::Target;
use crate::terminal::{BOLD, DIM, GOOD, print_json, printable, stdout};

pub(crate) fn run(global: &GlobalArgs, args: &AcceptArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    match (&args.digest, &args.reason) {
        (Some(digest), Some(reason)) => accept(global, args, &world, digest, reason.clone()),
        _ => revoke(global, args, &world),
    }
}

fn accept(
    global: &GlobalArgs,
    args: &AcceptArgs,
    world: &World,
    digest: &str,
    reason: Reason,
) -> Result<Outcome, CommandError> {
    let library = world.scan()?;
    let skill = lookup::searched(world, &library, &args.id)?;
    let store = world.store()?;
    let choice = guard::accept(skill, digest, reason, now()).map_err(|error| refused(&error))?;
    let key = key_of(skill);
    let applied = store.choose(&key, choice).map_err(CommandError::failed)?;
    report_notices(&store);
    // What was chosen first counts, with its time and reason.
    let choices = store.choices().map_err(CommandError::failed)?;
    let done = Done {
        outcome: match applied {
            Applied::Changed => "accepted",
            Applied::Unchanged => "already-accepted",
        },
        id: &skill.id,
        path: Some(&skill.path),
        accepted: choices.approval(&key, GUARD),
    };
    done.tell(global, args)
}

fn refused(error: &AcceptError) -> CommandError {
    let failure = CommandError::failed(error);
    match error {
        AcceptError::OtherDigest { id, .. } => failure.hint(format!(
            "look at it again: `skillful why {id}` says what was found, and prints the digest"
        )),
        AcceptError::NoDigest(_) => failure.hint(
            "a file cannot be read, or the skill is over a limit; `skillful check` says which",
        ),
        AcceptError::Unseen(_) => failure,
    }
}

fn revoke(global: &GlobalArgs, args: &AcceptArgs, world: &World) -> Result<Outcome, CommandError> {
    let target = Target::of(world, &args.id, |standing| {
        standing.approvals.contains_key(GUARD)
    })?;
    let store = world.store()?;
    let mut revoked = false;
    for key in &target.keys {
        let applied = store.choose(key, guard::revoke());
        revoked |= applied.map_err(CommandError::failed)? == Applied::Changed;
    }
    report_notices(&store);
    let done = Done {
        outcome: if revoked { "revoked" } else { "not-accepted" },
        id: &target.id,
        path: target.path.as_deref(),
        accepted: None,
    };
    done.tell(global, args)
}

/// What became of an acceptance.
struct Done<'a> {
    outcome: &'static str,
    id: &'a str,
    path: Option<&'a Path>,
    accepted: Option<&'a Approval>,
}

impl Done<'_> {
    fn tell(&self, global: &GlobalArgs, args: &AcceptArgs) -> Result<Outcome, CommandError> {
        let Self {
            outcome,
            id,
            path,
            accepted,
        } = *self;
        if args.format.is_json() {
            print_json(&AcceptDocument::new(outcome, id, path, accepted))?;
            return Ok(Outcome::Fine);
        }
        let mut out = stdout(global.color);
        let style = match outcome {
            "accepted" | "revoked" => GOOD,
            _ => DIM,
        };
        let id = printable(id);
        writeln!(
            out,
            "{style}{}{style:#} {BOLD}{id}{BOLD:#}",
            outcome.replace('-', " ")
        )?;
        if let Some(accepted) = accepted {
            writeln!(
                out,
                "{DIM}{} since {}; `skillful accept {id} --revoke` takes it back{DIM:#}",
                printable(&accepted.digest),
                accepted.at.day()
            )?;
        }
        out.flush()?;
        Ok(Outcome::Fine)
    }
}
