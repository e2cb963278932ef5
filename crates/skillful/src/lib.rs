//! The Agent Skills runtime: finds every skill of every client and says what state each is in.
//!
//! ```text
//! Host, Clients ─resolve→ roots ─search→ candidates ─load→ skills ─register→ Registry
//! ```
//!
//! [`Library::scan`] goes the whole way. What the world is like comes in as a [`Host`]; nothing here asks the process
//! for its environment. Nothing vanishes: every candidate ends in exactly one [`State`], with its reasons, and what
//! went wrong around the skills is a [`Problem`]. The crate never writes into a skill's directory.

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
mod programs;
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

pub use agent::Agent;
pub use bundle::{Bundle, Resource};
pub use clients::{Client, Clients, ClientsError};
pub use config::Config;
pub use eligibility::{Conditions, Records, evaluate};
pub use host::{Host, Os};
pub use library::Library;
pub use load::Skill;
pub use mode::{Mode, UnknownMode};
pub use problem::Problem;
pub use programs::Programs;
pub use registry::{LookUpError, Registry};
pub use roots::{Options, Root, Source, Trust};
pub use setup::Setup;
pub use snapshot::{Change, ChangeKind, Snapshot};
pub use state::{Blocker, Standing, State};
pub use system::SkillSystem;
