//! `accept`: what became of it.

use std::path::{Path, PathBuf};

use serde::Serialize;
use skillful_store::{Approval, Reason, Timestamp};

use super::{PathText, VERSION};
use crate::guard::Accepted;

/// What became of accepting a skill's files: `{"version", "outcome", "id", "path"?, "digest"?, "accepted_at"?,
/// "reason"?, "still_accepted_in"?}`. Without a digest nothing is accepted for this skill in its place.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AcceptDocument<'a> {
    version: u32,
    outcome: &'static str,
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<PathText<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    accepted_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    /// Configuration files whose `guard.accept` still accepts what was revoked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    still_accepted_in: Vec<PathText<'a>>,
}

impl<'a> AcceptDocument<'a> {
    /// The document of an outcome, and of what is accepted now.
    pub fn new(
        outcome: &'static str,
        id: &'a str,
        path: Option<&'a Path>,
        accepted: Option<&'a Approval>,
    ) -> Self {
        Self {
            version: VERSION,
            outcome,
            id,
            path: path.map(PathText),
            digest: accepted.map(|accepted| &*accepted.digest),
            accepted_at: accepted.map(|accepted| accepted.at),
            reason: accepted
                .and_then(|accepted| accepted.reason.as_ref())
                .map(Reason::as_str),
            still_accepted_in: Vec::new(),
        }
    }

    /// The same, naming the configuration files that accept the files all the same.
    #[must_use]
    pub fn still_accepted_in(mut self, files: &'a [PathBuf]) -> Self {
        self.still_accepted_in = files.iter().map(|path| PathText(path)).collect();
        self
    }
}

/// By what the files of a skill are accepted as they are: `{"by", "at"?, "reason"?}`. `by` is `choice` for a person who
/// accepted them for this skill in its place, and `configuration` for an entry of `guard.accept`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AcceptedJson {
    by: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl From<Accepted<'_>> for AcceptedJson {
    fn from(accepted: Accepted<'_>) -> Self {
        Self {
            by: accepted.by(),
            at: accepted.at(),
            reason: accepted.reason().map(str::to_owned),
        }
    }
}
