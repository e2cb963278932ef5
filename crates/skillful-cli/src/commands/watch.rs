//! `skillful watch`: what happens to skills, as it happens.

use std::io::Write;
use std::time::Duration;

use skillful::contract::EventLine;
use skillful::events::{Event, EventKind};
use skillful::watch::{Backend, WatchOptions};
use skillful::{Clients, Host, Options, SkillSystem};

use crate::args::{GlobalArgs, WatchArgs};
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::terminal::{BOLD, DIM, ERROR, GOOD, Out, WARNING, counted, printable, stdout, warn};

pub(crate) fn run(global: &GlobalArgs, args: &WatchArgs) -> Result<Outcome, CommandError> {
    // What is wrong with the options is told as by every other verb.
    let world = World::gather(global)?;
    world.scan()?;
    let system = system(global, args)?;
    let events = system.subscribe();
    let _watching = system
        .watch(options(args))
        .map_err(|error| CommandError::failed(format_args!("cannot watch: {error}")))?;
    let mut out = stdout(global.color);
    if !args.format.is_json() {
        let skills = counted(system.snapshot().skills().len(), "skill");
        writeln!(out, "{DIM}watching {skills}; Ctrl-C ends{DIM:#}")?;
        out.flush()?;
    }
    for problem in system.snapshot().problems() {
        warn(&problem.to_string());
    }
    for event in events {
        if args.format.is_json() {
            serde_json::to_writer(&mut out, &EventLine::from(&*event))
                .map_err(std::io::Error::from)?;
            writeln!(out)?;
        } else {
            write_event(&mut out, &world, &event)?;
        }
        // A reader in a pipe must not wait for more events to come.
        out.flush()?;
    }
    Ok(Outcome::Fine)
}

fn system(global: &GlobalArgs, args: &WatchArgs) -> Result<SkillSystem, CommandError> {
    let host = Host::from_environment();
    let options = Options {
        roots: global.root.clone(),
        project: global.project.clone(),
        home: global.home.clone(),
        extra: Vec::new(),
    };
    let store = crate::records::store_at(&host, &options);
    let mut builder = SkillSystem::builder()
        .host(host)
        .clients(Clients::built_in().map_err(CommandError::failed)?)
        .options(options)
        .zone(args.zone.zone.clone());
    if let Some(store) = store {
        builder = builder.store(store);
    }
    if let Some(config) = &global.config {
        builder = builder.config(config);
    }
    if let Some(agent) = &args.agent {
        builder = builder.agent(agent);
    }
    builder.build().map_err(CommandError::failed)
}

fn options(args: &WatchArgs) -> WatchOptions {
    let usual = WatchOptions::default();
    match args.poll {
        Some(seconds) => WatchOptions {
            backend: Backend::Poll,
            poll_interval: Duration::from_secs(seconds),
            ..usual
        },
        None => usual,
    }
}

/// The width of the column of kinds.
const KIND_WIDTH: usize = "became-ineligible".len();

fn write_event(out: &mut Out, world: &World, event: &Event) -> std::io::Result<()> {
    let happening = &event.happening;
    let style = match happening.kind {
        EventKind::Broken | EventKind::BecameIneligible => ERROR,
        EventKind::Loaded | EventKind::BecameEligible | EventKind::Recovered => GOOD,
        EventKind::Due => BOLD,
        EventKind::Polling | EventKind::Records | EventKind::Resync => WARNING,
        _ => DIM,
    };
    let kind = happening.kind.as_str();
    write!(out, "{style}{kind:KIND_WIDTH$}{style:#}")?;
    if let Some(id) = &happening.id {
        write!(out, "  {BOLD}{}{BOLD:#}", printable(id))?;
    }
    if let Some(path) = &happening.path {
        write!(out, "  {DIM}{}{DIM:#}", printable(&world.shown(path)))?;
    }
    if let Some(detail) = &happening.detail {
        write!(out, "  {}", printable(detail))?;
    }
    writeln!(out)
}
