//! `accept`: what became of it.

use std::path::Path;

use serde::Serialize;
use skillful_store::{Approval, Reason, Timestamp};

use super::{PathText, VERSION};

/// What became of accepting a skill's files: `{"version", "outcome", "id", "path"?, "digest"?, "accepted_at"?,
/// "reason"?}`. Without a digest nothing is accepted.
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
        }
    }
}
