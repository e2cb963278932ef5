//! What a person looked at and accepted: one rule, in one state of one bundle, with a reason.

use serde::{Deserialize, Serialize};

use crate::finding::Finding;

/// Accepts the findings of one rule in a bundle, as long as the bundle stays as it is.
///
/// It belongs to whoever uses the skill. A skill cannot bring its own: its author would write it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Suppression {
    /// The rule's id.
    pub rule: String,
    /// The digest of the bundle that was looked at.
    pub digest: String,
    /// Only in this file, if given.
    #[serde(default)]
    pub path: Option<String>,
    /// Why it is acceptable, for the next reader.
    pub reason: String,
}

/// A finding that somebody accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppressed {
    /// What was found.
    pub finding: Finding,
    /// Why it does not count.
    pub reason: String,
}

impl Suppression {
    /// Whether it accepts the finding in the bundle with this digest.
    pub fn covers(&self, finding: &Finding, digest: &str) -> bool {
        self.rule == finding.rule
            && !digest.is_empty()
            && self.digest == digest
            && !self.reason.trim().is_empty()
            && self.path.as_ref().is_none_or(|path| *path == finding.path)
    }
}
