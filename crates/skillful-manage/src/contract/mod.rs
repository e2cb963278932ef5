//! The JSON of what changes skills: one object with `"version": 1` for each verb. Fields are added, never changed.

mod adopt;
mod changes;
mod install;
mod update;

pub use adopt::AdoptDocument;
pub use install::{LinkDocument, PlanDocument, RemoveDocument, RestoreDocument, VerifyDocument};
pub use update::{DiffDocument, HoldDocument, OutdatedDocument, UpdateDocument};

/// The version of every document.
const VERSION: u32 = 1;
