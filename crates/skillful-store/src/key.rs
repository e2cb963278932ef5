//! Which skill a record is about.

use serde::{Deserialize, Serialize};

/// A skill as records know it: its id together with where it comes from, so that skills of one name from two places
/// never share a record.
///
/// The store takes both as they are; it is up to the caller to write the same skill the same way each time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key {
    /// The skill's id.
    pub id: String,
    /// Where it comes from, such as the directory that was searched, or the label of a server.
    pub origin: String,
}

impl Key {
    /// The key of the skill with this id from this origin.
    pub fn new(id: impl Into<String>, origin: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            origin: origin.into(),
        }
    }
}
