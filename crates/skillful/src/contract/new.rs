//! What `new` answers.

use std::path::Path;

use serde::Serialize;

use super::{PathText, VERSION};

/// A new skill: `{"version", "outcome", "id", "path"}`.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewDocument<'a> {
    version: u32,
    outcome: &'static str,
    id: &'a str,
    path: PathText<'a>,
}

impl<'a> NewDocument<'a> {
    /// The document of a skill that was created, and of its SKILL.md.
    pub fn created(id: &'a str, path: &'a Path) -> Self {
        Self {
            version: VERSION,
            outcome: "created",
            id,
            path: PathText(path),
        }
    }
}
