//! The Agent Skills runtime: finds every skill of every client, says what state each is in, and gives an agent what it
//! may use.
//!
//! ```text
//! Host, Clients ─resolve→ roots ─search→ candidates ─load→ skills ─register→ Registry ─judge→ Snapshot
//! Snapshot ─→ Catalog · Activation · Matches · search · status · events
//! ```
//!
//! Who embeds it begins with a [`SkillSystem`], which goes the whole way and keeps up with the disk; its module has an
//! example, and `docs/embedding.md` tells the rest. Who only wants to look takes [`Library::scan`]. Every arrow is also
//! a function of its own, in the module of its name.
//!
//! What the world is like comes in as a [`Host`]; nothing here asks the process for its environment. Nothing vanishes:
//! every candidate ends in exactly one [`State`], with its reasons, and what went wrong around the skills is a
//! [`Problem`]. The crate never writes into a skill's directory.
//!
//! At the root of the crate is what a turn of an agent needs. Several modules have a type `Options`; the one here is
//! what narrows the search of roots, and the others go by their module: [`catalog::Options`], [`search::Options`].

pub mod activate;
pub mod agent;
pub mod bundle;
pub mod bundled;
pub mod catalog;
pub mod check;
pub mod clients;
pub mod config;
pub mod contract;
pub mod details;
pub mod discover;
pub mod eligibility;
pub mod events;
pub mod guard;
pub mod host;
mod library;
pub mod limits;
pub mod load;
pub mod matching;
pub mod mend;
mod mode;
pub mod part;
pub mod places;
pub mod problem;
pub mod programs;
mod read;
pub mod records;
pub mod refusal;
pub mod registry;
pub mod retrieval;
pub mod roots;
pub mod schedule;
pub mod search;
mod setup;
pub mod snapshot;
pub mod state;
pub mod status;
pub mod system;
pub mod tokens;
pub mod watch;

pub use activate::{Activation, Arguments, Request, Session};
pub use agent::Agent;
pub use bundle::{Bundle, Resource};
pub use catalog::{Budget, Catalog};
pub use clients::{Client, Clients, ClientsError};
pub use config::Config;
pub use eligibility::{Conditions, Records, evaluate};
pub use events::{Event, EventKind, Subscription};
pub use host::{Host, Os};
pub use library::Library;
pub use load::Skill;
pub use matching::{Ambient, Message};
pub use mode::{Mode, UnknownMode};
pub use part::Range;
pub use problem::Problem;
pub use programs::Programs;
pub use refusal::{Invoker, Refusal};
pub use registry::{LookUpError, Registry};
pub use roots::{Options, Root, Source, Trust};
pub use setup::Setup;
/// The scanner, whose types are those of [`guard`].
pub use skillful_guard as scanner;
/// Where usage is counted and people's choices are kept. With the feature `sqlite` it has a store for files.
pub use skillful_store as store;
pub use snapshot::{Change, ChangeKind, Snapshot};
pub use state::{Blocker, Standing, State};
pub use system::{
    Builder, Clock, LifecycleError, Matched, Matches, SkillSystem, UseError, Watching,
};
pub use watch::WatchOptions;
