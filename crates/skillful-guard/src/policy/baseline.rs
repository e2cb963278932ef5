//! What was known before: fingerprints of findings, so that a check of a change reports what the change brought.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::finding::Finding;
use crate::hex;

/// The fingerprints of known findings, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Baseline {
    /// 1: the only version so far.
    pub version: u32,
    /// Hexadecimal, sorted.
    pub fingerprints: BTreeSet<String>,
}

impl Baseline {
    /// A baseline that knows these findings.
    pub fn of<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Self {
        Self {
            version: 1,
            fingerprints: findings.into_iter().map(fingerprint).collect(),
        }
    }

    /// Whether the finding is known.
    pub fn knows(&self, finding: &Finding) -> bool {
        self.fingerprints.contains(&fingerprint(finding))
    }
}

/// What stays the same when lines are added above: the rule, the file and the text of the line.
pub(crate) fn fingerprint(finding: &Finding) -> String {
    let mut hasher = Sha256::new();
    for part in [finding.rule, finding.path.as_str(), finding.excerpt.trim()] {
        hasher.update(part);
        hasher.update([0]);
    }
    hex::digits(hasher.finalize().into_iter().take(16))
}
