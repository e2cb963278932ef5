//! The JSON of what changes skills: one object with `"version": 1` for each verb. Fields are added, never changed.

mod install;

pub use install::{LinkDocument, PlanDocument, RemoveDocument, RestoreDocument, VerifyDocument};

/// The version of every document.
const VERSION: u32 = 1;
