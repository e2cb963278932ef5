//! `skillful accept`: a person accepts the files of a skill that they looked at.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use skillful::config::read_files;
use skillful::contract::AcceptDocument;
use skillful::guard::{self, AcceptError, GUARD, gather};
use skillful::places;
use skillful::records::key_of;
use skillful_manage::{Actor, Change, Operation};
use skillful_store::{Applied, Approval, Reason};

use crate::args::{AcceptArgs, GlobalArgs};
use crate::authoring::Desk;
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::lookup;
use crate::records::now;
use crate::target::Target;
use crate::terminal::{BOLD, DIM, GOOD, WARNING, print_json, printable, stdout};

pub(crate) fn run(global: &GlobalArgs, args: &AcceptArgs) -> Result<Outcome, CommandError> {
    let desk = Desk::gather(global)?;
    match (&args.digest, &args.reason) {
        (Some(digest), Some(reason)) => accept(global, args, &desk, digest, reason.clone()),
        _ => revoke(global, args, &desk),
    }
}

fn accept(
    global: &GlobalArgs,
    args: &AcceptArgs,
    desk: &Desk,
    digest: &str,
    reason: Reason,
) -> Result<Outcome, CommandError> {
    let world = &desk.world;
    let library = world.scan()?;
    let skill = lookup::searched(world, &library, &args.id)?;
    let choice = guard::accept(skill, digest, reason, now()).map_err(|error| refused(&error))?;
    let key = key_of(skill);
    let change = Change::new(Operation::ACCEPT, Actor::USER)
        .about(&skill.id)
        .saying(format!("accepted {}", skill.id));
    let chosen = desk.choose(change, std::slice::from_ref(&key), &choice)?;
    let done = Done {
        outcome: match chosen.applied {
            Applied::Changed => "accepted",
            Applied::Unchanged => "already-accepted",
        },
        id: &skill.id,
        path: Some(&skill.path),
        // What was chosen first counts, with its time and reason.
        accepted: chosen.choices.approval(&key, GUARD),
        still: Still::default(),
    };
    done.tell(global, args, world)
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

fn revoke(global: &GlobalArgs, args: &AcceptArgs, desk: &Desk) -> Result<Outcome, CommandError> {
    let world = &desk.world;
    let target = Target::of(world, &args.id, |standing| {
        standing.approvals.contains_key(GUARD)
    })?;
    let still = Still::of(world, &target);
    let change = Change::new(Operation::REVOKE, Actor::USER)
        .about(&target.id)
        .saying(format!("took back the acceptance of {}", target.id));
    let chosen = desk.choose(change, &target.keys, &guard::revoke())?;
    let revoked = chosen.applied == Applied::Changed;
    let done = Done {
        outcome: if revoked { "revoked" } else { "not-accepted" },
        id: &target.id,
        path: target.path.as_deref(),
        accepted: None,
        still,
    };
    done.tell(global, args, world)
}

/// What accepts the files of a skill all the same: entries of `guard.accept`, which hold wherever the files lie.
#[derive(Default)]
struct Still {
    /// The digests that are accepted.
    digests: BTreeSet<String>,
    /// The files that say so.
    files: Vec<PathBuf>,
}

impl Still {
    /// What accepts the files as they are, or as they were when somebody accepted them for this skill.
    fn of(world: &World, target: &Target) -> Self {
        let choices = world.conditions().records.choices();
        let chosen = target.keys.iter();
        let mut digests: BTreeSet<String> = chosen
            .filter_map(|key| choices.approval(key, GUARD))
            .map(|approval| approval.digest.clone())
            .collect();
        let place = target.path.as_deref().and_then(places::skill_at);
        digests.extend(place.and_then(|skill| gather(&skill.form, &skill.path).digest));
        let entries = world.config.guard_acceptances();
        digests.retain(|digest| entries.iter().any(|entry| entry.digest == *digest));
        let texts = read_files(&world.config_files);
        let files = texts
            .iter()
            .filter(|text| digests.iter().any(|digest| text.accepts(digest)))
            .map(|text| text.file.path.clone());
        Self {
            files: files.collect(),
            digests,
        }
    }
}

/// What became of an acceptance.
struct Done<'a> {
    outcome: &'static str,
    id: &'a str,
    path: Option<&'a Path>,
    accepted: Option<&'a Approval>,
    still: Still,
}

impl Done<'_> {
    fn tell(
        &self,
        global: &GlobalArgs,
        args: &AcceptArgs,
        world: &World,
    ) -> Result<Outcome, CommandError> {
        let Self {
            outcome,
            id,
            path,
            accepted,
            ref still,
        } = *self;
        if args.format.is_json() {
            let document = AcceptDocument::new(outcome, id, path, accepted);
            print_json(&document.still_accepted_in(&still.files))?;
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
        for file in &still.files {
            let digests: Vec<&str> = still.digests.iter().map(String::as_str).collect();
            writeln!(
                out,
                "{WARNING}still accepted{WARNING:#} by `[[guard.accept]]` in {}, for {} wherever it lies; \
                 take that entry out of the file if you do not want it any more",
                printable(&world.shown(file)),
                printable(&digests.join(", ")),
            )?;
        }
        out.flush()?;
        Ok(Outcome::Fine)
    }
}
