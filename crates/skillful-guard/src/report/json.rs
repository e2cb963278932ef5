//! The JSON contract of `scan --format json`. Fields are added, never changed.

use serde::{Deserialize, Serialize};

use crate::coverage::{Coverage, Gap};
use crate::finding::{Category, Confidence, Finding, Lowering, Severity};
use crate::policy::{Judged, Suppressed, Verdict, fingerprint};

/// A document with the reports of several bundles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// 1.
    pub version: u32,
    /// In the order in which they were asked for.
    pub bundles: Vec<BundleReport>,
}

/// One bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BundleReport {
    /// As the caller names it.
    pub path: String,
    /// What it comes to.
    pub verdict: Verdict,
    /// Whether everything was read.
    pub complete: bool,
    /// Files that were looked at, members of archives included.
    pub files: usize,
    /// Bytes that were looked at.
    pub bytes: u64,
    /// Sorted by path, line, column and rule.
    pub findings: Vec<FindingReport>,
    /// What was not read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<GapReport>,
    /// What a person accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suppressed: Vec<SuppressedReport>,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingReport {
    /// The rule's id.
    pub rule: String,
    /// The rule's category.
    pub category: Category,
    /// The harm if it is true.
    pub severity: Severity,
    /// How sure it is.
    pub confidence: Confidence,
    /// The file in the bundle.
    pub path: String,
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// The line, shortened, without control characters.
    pub excerpt: String,
    /// What the excerpt does not show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Why the confidence is lower than the rule's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lowered: Vec<Lowering>,
    /// What to do.
    pub help: String,
    /// The same for the same finding after lines were added above it.
    pub fingerprint: String,
}

/// Something that was not read.
pub type GapReport = Gap;

/// A finding that a person accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuppressedReport {
    /// What was found.
    #[serde(flatten)]
    pub finding: FindingReport,
    /// Why it does not count.
    pub reason: String,
}

impl Report {
    /// A document of these bundles.
    pub fn new(bundles: Vec<BundleReport>) -> Self {
        Self {
            version: 1,
            bundles,
        }
    }
}

impl BundleReport {
    /// The report of a bundle that the caller calls `path`.
    pub fn new(path: impl Into<String>, coverage: &Coverage, judged: &Judged) -> Self {
        Self {
            path: path.into(),
            verdict: judged.verdict,
            complete: coverage.is_complete(),
            files: coverage.files,
            bytes: coverage.bytes,
            findings: judged.findings.iter().map(FindingReport::from).collect(),
            gaps: coverage.gaps.clone(),
            suppressed: judged
                .suppressed
                .iter()
                .map(SuppressedReport::from)
                .collect(),
        }
    }
}

impl From<&Finding> for FindingReport {
    fn from(finding: &Finding) -> Self {
        Self {
            rule: finding.rule.to_owned(),
            category: finding.category,
            severity: finding.severity,
            confidence: finding.confidence,
            path: finding.path.clone(),
            line: finding.line,
            column: finding.column,
            excerpt: finding.excerpt.clone(),
            note: finding.note.clone(),
            lowered: finding.lowered.clone(),
            help: finding.help.trim().to_owned(),
            fingerprint: fingerprint(finding),
        }
    }
}

impl From<&Suppressed> for SuppressedReport {
    fn from(suppressed: &Suppressed) -> Self {
        Self {
            finding: FindingReport::from(&suppressed.finding),
            reason: suppressed.reason.clone(),
        }
    }
}
