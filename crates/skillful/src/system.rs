//! The façade: everything that an agent's harness needs, kept up to date.
//!
//! ```no_run
//! use skillful::{Request, SkillSystem};
//!
//! let skills = SkillSystem::builder().build()?;
//! let prompt = skills.catalog(&Default::default()).text; // goes into the system prompt
//! let activation = skills.activate("pdf-forms", &Request::default())?; // when the model asks for a skill
//! println!("{}", activation.content);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`SkillSystem`] is a handle: a clone is the same system, and any number of threads may use it. Reading never waits
//! for a search: each call works on the [`Snapshot`] of its moment. There is no global state and no runtime; what the
//! world is like comes in through the [`Builder`].

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwap;

use crate::events::{Events, Subscription};
use crate::library::Library;
use crate::snapshot::Snapshot;

mod announce;
mod builder;
mod last_good;
mod refresh;
mod serve;
mod world;

pub use builder::{BuildError, Builder};
use world::World;

/// All skills of a machine, for an agent to use.
#[derive(Clone, Debug)]
pub struct SkillSystem(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    snapshot: ArcSwap<Snapshot>,
    /// What a new snapshot is made from. Whoever holds it is the one writer.
    world: Mutex<World>,
    events: Events,
}
