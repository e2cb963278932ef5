//! The Agent Skills runtime: finds every skill of every client and says what state each is in.
//!
//! ```text
//! Host, Clients ─resolve→ roots ─search→ candidates ─load→ skills ─register→ Registry
//! ```
//!
//! [`Library::scan`] goes the whole way. What the world is like comes in as a [`Host`]; nothing here asks the process
//! for its environment. Nothing vanishes: every candidate ends in exactly one [`State`], with its reasons, and what
//! went wrong around the skills is a [`Problem`]. The crate never writes into a skill's directory.

pub mod bundle;
pub mod bundled;
pub mod catalog;
pub mod check;
pub mod clients;
pub mod config;
pub mod contract;
pub mod details;
pub mod discover;
pub mod host;
mod library;
pub mod limits;
pub mod load;
pub mod mend;
mod mode;
pub mod places;
pub mod problem;
mod read;
pub mod registry;
pub mod roots;
pub mod state;
pub mod tokens;

pub use bundle::{Bundle, Resource};
pub use clients::{Client, Clients, ClientsError};
pub use host::{Host, Os};
pub use library::Library;
pub use load::Skill;
pub use mode::{Mode, UnknownMode};
pub use problem::Problem;
pub use registry::{LookUpError, Registry};
pub use roots::{Options, Root, Source, Trust};
pub use state::{Blocker, State};
