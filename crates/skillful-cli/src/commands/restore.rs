//! `skillful restore`: brings back a skill that was put away.

use std::io::Write;
use std::path::PathBuf;

use skillful::contract::LifecycleDocument;
use skillful::records::key_of;
use skillful_store::{Applied, Choice, Key, Store};

use crate::args::{GlobalArgs, RestoreArgs};
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::lookup;
use crate::records::report_notices;
use crate::terminal::{BOLD, DIM, GOOD, print_json, printable, stdout};

pub(crate) fn run(global: &GlobalArgs, args: &RestoreArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let target = Target::of(&world, &args.id)?;
    let store = world.store()?;
    let mut restored = false;
    for key in &target.keys {
        let applied = store
            .choose(key, Choice::Restore)
            .map_err(CommandError::failed)?;
        restored |= applied == Applied::Changed;
    }
    report_notices(&store);
    let outcome = if restored { "restored" } else { "not-archived" };
    if args.format.is_json() {
        let path = target.path.as_deref();
        print_json(&LifecycleDocument::new(outcome, &target.id, path, None))?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    let id = printable(&target.id);
    if restored {
        writeln!(out, "{GOOD}restored{GOOD:#} {BOLD}{id}{BOLD:#}")?;
    } else {
        writeln!(out, "{BOLD}{id}{BOLD:#} {DIM}is not archived{DIM:#}")?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

/// What is to be brought back.
struct Target {
    id: String,
    keys: Vec<Key>,
    /// Nothing for a skill that is not on disk.
    path: Option<PathBuf>,
}

impl Target {
    /// The skill that is called so; or one that was put away and has gone from the disk since, wherever it was.
    fn of(world: &World, text: &str) -> Result<Self, CommandError> {
        let library = world.scan()?;
        let error = match lookup::skill(world, &library, text) {
            Ok(skill) => {
                return Ok(Self {
                    id: skill.id.clone(),
                    keys: vec![key_of(&skill)],
                    path: Some(skill.path.clone()),
                });
            }
            Err(error) => error,
        };
        let choices = world.conditions().records.choices();
        let keys: Vec<Key> = choices
            .iter()
            .filter(|(key, standing)| key.id == text && standing.archived.is_some())
            .map(|(key, _)| key.clone())
            .collect();
        if keys.is_empty() {
            return Err(error);
        }
        Ok(Self {
            id: text.to_owned(),
            keys,
            path: None,
        })
    }
}
