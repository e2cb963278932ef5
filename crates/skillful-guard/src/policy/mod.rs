//! From findings to a verdict, and from a verdict to what may happen. All of it is data.

mod baseline;
mod decision;
mod preset;
mod suppress;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::finding::{Confidence, Finding, Severity, words};
use crate::scan::Scan;

pub use baseline::Baseline;
pub(crate) use baseline::fingerprint;
pub use decision::{Decision, Trust, decide};
pub use preset::{Preset, UnknownPreset};
pub use suppress::{Suppressed, Suppression};

words! {
    /// What a scan comes to.
    Verdict {
        /// Nothing to worry about, and everything was read.
        Safe = "safe",
        /// Look before use.
        Caution = "caution",
        /// Looks like an attack.
        Dangerous = "dangerous",
    }
}

/// The least confidence at which one finding of each severity counts; without an entry it never does by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Threshold {
    /// For critical findings.
    pub critical: Option<Confidence>,
    /// For high ones.
    pub high: Option<Confidence>,
    /// For medium ones.
    pub medium: Option<Confidence>,
    /// So many rules with a critical finding of at least medium confidence count together.
    pub critical_rules: Option<usize>,
    /// So many categories with a high finding of high confidence count together.
    pub high_categories: Option<usize>,
    /// So many rules with a medium finding of at least medium confidence count together.
    pub medium_rules: Option<usize>,
}

/// How findings are judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Policy {
    /// When a bundle is dangerous.
    pub dangerous: Threshold,
    /// When a bundle needs a look.
    pub caution: Threshold,
    /// What a person has looked at and accepted.
    #[serde(default)]
    pub suppressions: Vec<Suppression>,
}

/// A scan with its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// What it comes to.
    pub verdict: Verdict,
    /// The findings that count, in the order of the scan.
    pub findings: Vec<Finding>,
    /// Those that somebody accepted, with the reason.
    pub suppressed: Vec<Suppressed>,
}

impl Policy {
    /// Judges a scan of the bundle with this digest.
    pub fn judge(&self, scan: &Scan, digest: &str) -> Judged {
        let (suppressed, findings): (Vec<_>, Vec<_>) = scan
            .findings
            .iter()
            .map(|finding| {
                (
                    finding,
                    self.suppressions
                        .iter()
                        .find(|entry| entry.covers(finding, digest)),
                )
            })
            .partition(|(_, suppression)| suppression.is_some());
        let findings: Vec<Finding> = findings
            .into_iter()
            .map(|(finding, _)| finding.clone())
            .collect();
        let suppressed = suppressed
            .into_iter()
            .filter_map(|(finding, entry)| {
                Some(Suppressed {
                    finding: finding.clone(),
                    reason: entry?.reason.clone(),
                })
            })
            .collect();
        let verdict = if self.dangerous.is_met(&findings) {
            Verdict::Dangerous
        } else if self.caution.is_met(&findings) || !scan.coverage.is_complete() {
            Verdict::Caution
        } else {
            Verdict::Safe
        };
        Judged {
            verdict,
            findings,
            suppressed,
        }
    }
}

impl Threshold {
    fn is_met(&self, findings: &[Finding]) -> bool {
        let counts = |finding: &Finding| {
            let least = match finding.severity {
                Severity::Critical => self.critical,
                Severity::High => self.high,
                Severity::Medium => self.medium,
                Severity::Low | Severity::Info => None,
            };
            least.is_some_and(|least| finding.confidence >= least)
        };
        findings.iter().any(counts) || self.is_met_together(findings)
    }

    /// Whether findings that would not do alone come together in sufficient number.
    fn is_met_together(&self, findings: &[Finding]) -> bool {
        let at_least = |severity: Severity, confidence: Confidence| {
            findings.iter().filter(move |finding| {
                finding.severity >= severity && finding.confidence >= confidence
            })
        };
        // Several rules on one line are several words for one thing.
        let mut places = BTreeSet::new();
        let critical: BTreeSet<_> = at_least(Severity::Critical, Confidence::Medium)
            .filter(|finding| places.insert((&finding.path, finding.line)))
            .map(|finding| finding.rule)
            .collect();
        let high: BTreeSet<_> = at_least(Severity::High, Confidence::High)
            .map(|finding| finding.category)
            .collect();
        let medium: BTreeSet<_> = at_least(Severity::Medium, Confidence::Medium)
            .map(|finding| finding.rule)
            .collect();
        let reaches =
            |least: Option<usize>, count: usize| least.is_some_and(|least| count >= least);
        reaches(self.critical_rules, critical.len())
            || reaches(self.high_categories, high.len())
            || reaches(self.medium_rules, medium.len())
    }
}
