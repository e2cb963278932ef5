//! What scans of skills came to, so that what did not change is not scanned again.
//!
//! The store knows neither files nor rules. A *place* is whatever its caller calls the spot where a skill lies, a *stamp*
//! what the caller wants to recognise its unchanged files by, a *digest* the caller's name for their content, and an
//! *outcome* the caller's own words for what a scan found. All of it can be made again: losing it costs time, no more.

use std::collections::HashMap;

use crate::limits;

/// What is known of the files at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// What they are recognised by while they do not change.
    pub stamp: Vec<u8>,
    /// The name of their content.
    pub digest: String,
    /// What a scan of that content came to.
    pub outcome: Vec<u8>,
}

/// The sightings under one set of rules, by their places.
pub type Sightings = HashMap<String, Sighting>;

/// What a scan came to, to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scanned {
    /// The name of the content that was scanned.
    pub digest: String,
    /// What the scan came to; not kept when it has more than [`crate::limits::OUTCOME_BYTES`].
    pub outcome: Vec<u8>,
    /// Where the content was seen, and by which stamp it is recognised there; nothing when that is not to be kept.
    pub seen: Option<Seen>,
}

impl Scanned {
    /// Whether it is small enough to be kept.
    pub(crate) fn is_kept(&self) -> bool {
        self.outcome.len() <= limits::OUTCOME_BYTES
    }
}

/// Where content was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The place.
    pub place: String,
    /// What the files are recognised by.
    pub stamp: Vec<u8>,
}
