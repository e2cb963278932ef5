//! The façade: everything that an agent's harness needs, kept up to date.
//!
//! A [`SkillSystem`] is a handle: a clone is the same system, and any number of threads may use it. Reading never waits
//! for a search: each call works on the [`Snapshot`] of its moment. There is no global state and no runtime; what the
//! world is like comes in through the [`Builder`].
//!
//! ```text
//!   Builder ─build→ SkillSystem ─snapshot→ Snapshot ─→ catalog · activate · read_file · search · matches · status
//!                        ↑ rescan · reload · watch       └→ changes ─→ events
//! ```
//!
//! A turn of an agent, without its model:
//!
//! ```
//! use skillful::{Ambient, Budget, Invoker, Message, Range, Request, Session, SkillSystem, catalog};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let directory = tempfile::tempdir()?;
//! # let place = directory.path().join("skills/pdf-forms");
//! # std::fs::create_dir_all(&place)?;
//! # std::fs::write(place.join("SKILL.md"), "---\nname: pdf-forms\ndescription: Fills forms. Use when asked.\n---\nRead fields.md.\n")?;
//! # std::fs::write(place.join("fields.md"), "One line for each field.\n")?;
//! # let project = directory.path();
//! let skills = SkillSystem::builder().root(project.join("skills")).build()?;
//! let mut session = Session::default();
//!
//! // What a person's message brings up by itself.
//! let message = Message { text: "Fill in this form.", ..Message::default() };
//! let matches = skills.matches(&message, Ambient::None, Some(20));
//! assert!(matches.skills.is_empty(), "it is left to the model");
//!
//! // What the model may choose from.
//! let budget = Budget { tokens: Some(2_000), ..Budget::default() };
//! let catalog = skills.catalog(&catalog::Options { budget, ..catalog::Options::default() });
//! assert_eq!(catalog.included, ["pdf-forms"]);
//!
//! // It chooses, and is given the text, unless it has it already.
//! let request = Request { invoker: Invoker::Model, ..Request::default() };
//! let mut activation = skills.activate("pdf-forms", &request)?;
//! session.note(&mut activation);
//! assert!(!activation.already_active);
//!
//! // The text leads it to a file.
//! let file = skills.read_file("pdf-forms", "fields.md", Range::Whole)?;
//! assert_eq!(file.content.as_bytes(), b"One line for each field.\n");
//!
//! // And it helped.
//! skills.record_win("pdf-forms")?;
//! # Ok(())
//! # }
//! ```

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwap;
use skillful_store::Store;

use crate::events::{EventKind, Events, Happening, Subscription};
use crate::guard::Unchanged;
use crate::schedule::Zone;
use crate::snapshot::Snapshot;

mod announce;
mod builder;
mod last_good;
mod lifecycle;
mod refresh;
mod schedules;
mod serve;
mod texts;
mod watching;
mod world;

pub use builder::{Builder, Clock};
pub use lifecycle::LifecycleError;
pub use serve::{Matched, Matches, SearchResult, Status, UseError};
use texts::Texts;
pub use watching::Watching;
use world::{Made, World};

/// All skills of a machine, for an agent to use.
#[derive(Clone, Debug)]
pub struct SkillSystem(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    snapshot: ArcSwap<Snapshot>,
    /// What a new snapshot is made from. Whoever holds it is the one writer.
    world: Mutex<World>,
    events: Events,
    store: Arc<dyn Store>,
    clock: Clock,
    /// What was handed over, for the case that it turns broken.
    texts: Texts,
    /// Which files are known to be those that the guard looked at.
    seen: Unchanged,
    /// The time zone of schedules that name none.
    zone: Zone,
    /// The agent whose switches count.
    agent: Option<String>,
}

/// What a change of the snapshot is told as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// Some files changed.
    Files,
    /// Everything was searched anew.
    Search,
}

impl SkillSystem {
    /// Begins to set up a system.
    pub fn builder() -> Builder {
        Builder::default()
    }

    fn start(mut world: World, zone: Zone) -> Self {
        let Made { setup, library, .. } = world.scan();
        let first = Arc::new(Snapshot::first(setup, library));
        world.note(&first);
        Self(Arc::new(Inner {
            snapshot: ArcSwap::new(first),
            events: Events::default(),
            store: Arc::clone(&world.store),
            agent: world.agent.clone(),
            clock: world.clock.clone(),
            texts: Texts::default(),
            seen: Unchanged::default(),
            zone,
            world: Mutex::new(world),
        }))
    }

    /// All skills as they are known at this moment. Never waits.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.0.snapshot.load_full()
    }

    /// Follows what happens from now on.
    pub fn subscribe(&self) -> Subscription {
        self.0.events.subscribe()
    }

    /// Follows what happened after the event with this number; see [`Events::subscribe_from`].
    pub fn subscribe_from(&self, sequence: u64) -> Subscription {
        self.0.events.subscribe_from(sequence)
    }

    /// Reads the configuration and searches all roots anew.
    pub fn rescan(&self) -> Arc<Snapshot> {
        self.0.update(Cause::Search, |world, _| world.scan())
    }

    /// Looks again at these paths, relative to the working directory: files, or directories with all that lies below.
    /// What did not change costs nothing. The outcome is that of [`SkillSystem::rescan`], but a file that turned broken
    /// keeps its last good version.
    pub fn reload(&self, paths: impl IntoIterator<Item = PathBuf>) -> Arc<Snapshot> {
        let paths = paths.into_iter().collect();
        self.0
            .update(Cause::Files, |world, before| world.reload(before, paths))
    }
}

impl Inner {
    fn world(&self) -> MutexGuard<'_, World> {
        // A panic while a library was made leaves the world as it was: it is changed only afterwards.
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the next snapshot, swaps it in and tells what changed. Where nothing did, the present one stays.
    fn update(&self, cause: Cause, make: impl FnOnce(&World, &Snapshot) -> Made) -> Arc<Snapshot> {
        let mut world = self.world();
        let before = self.snapshot.load_full();
        let Made {
            setup,
            mut library,
            config,
            errors,
        } = make(&world, &before);
        for error in errors {
            self.tell_records(error.to_string());
        }
        self.tell_notices();
        library.registry.share_with(before.registry());
        let next = Arc::new(before.next(setup, library));
        if next.changes().is_empty() && next.has_the_surroundings_of(&before) {
            self.tell_search(cause, &before);
            return before;
        }
        world.note(&next);
        self.snapshot.store(Arc::clone(&next));
        if next.setup().config != before.setup().config {
            announce::config(&self.events, &config);
        }
        announce::changes(&self.events, &next);
        self.tell_search(cause, &next);
        next
    }

    fn tell_search(&self, cause: Cause, snapshot: &Snapshot) {
        if cause == Cause::Search {
            let detail = format!("{} found", announce::count(snapshot.skills().len()));
            self.events
                .publish(Happening::new(EventKind::Reloaded).saying(detail));
        }
    }
}

#[cfg(test)]
mod tests;
