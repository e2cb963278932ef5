//! What `scan` answers.

use serde::Serialize;
use skillful_guard::report::BundleReport;
use skillful_guard::{Category, Confidence, Rule, Severity, Verdict};

use super::VERSION;
use super::accept::AcceptedJson;

/// Scanned bundles: `{"version", "bundles", "summary"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScanDocument<'a> {
    version: u32,
    bundles: Vec<&'a ScannedBundle>,
    summary: ScanSummary,
}

impl<'a> ScanDocument<'a> {
    /// The document of these bundles, in this order.
    pub fn new(bundles: impl IntoIterator<Item = &'a ScannedBundle>) -> Self {
        let bundles: Vec<_> = bundles.into_iter().collect();
        Self {
            version: VERSION,
            summary: ScanSummary::of(bundles.iter().copied()),
            bundles,
        }
    }
}

/// One bundle: the guard's report, and which skill it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScannedBundle {
    /// The skill's id; nothing for what is no skill.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What suppressions and acceptances are bound to; nothing where there is no digest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// By what these very files are accepted, whatever was found: the verdict is what it would be without.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<AcceptedJson>,
    /// Findings that the baseline knows, which are not among the others.
    #[serde(skip_serializing_if = "is_none")]
    pub known: usize,
    /// What was found.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(with = "super::schema::Bundle"))]
    pub report: BundleReport,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
fn is_none(count: &usize) -> bool {
    *count == 0
}

/// How much was found in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScanSummary {
    /// Bundles that were scanned.
    pub bundles: usize,
    /// Those that look like an attack.
    pub dangerous: usize,
    /// Those that need a look.
    pub caution: usize,
    /// Those with nothing to worry about.
    pub safe: usize,
    /// Those that could not be read whole.
    pub incomplete: usize,
    /// Findings in all of them.
    pub findings: usize,
    /// Findings that a baseline knows.
    pub known: usize,
    /// Findings that a person accepted.
    pub suppressed: usize,
}

impl ScanSummary {
    /// Counts.
    pub fn of<'a>(bundles: impl IntoIterator<Item = &'a ScannedBundle>) -> Self {
        let mut summary = Self::default();
        for bundle in bundles {
            summary.bundles += 1;
            match bundle.report.verdict {
                Verdict::Dangerous => summary.dangerous += 1,
                Verdict::Caution => summary.caution += 1,
                Verdict::Safe => summary.safe += 1,
            }
            summary.incomplete += usize::from(!bundle.report.complete);
            summary.findings += bundle.report.findings.len();
            summary.known += bundle.known;
            summary.suppressed += bundle.report.suppressed.len();
        }
        summary
    }
}

/// The guard's rules: `{"version", "rules"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RulesDocument<'a> {
    version: u32,
    rules: Vec<RuleJson<'a>>,
}

impl<'a> RulesDocument<'a> {
    /// The document of these rules, in this order.
    pub fn new(rules: impl IntoIterator<Item = &'a Rule>) -> Self {
        Self {
            version: VERSION,
            rules: rules.into_iter().map(RuleJson::from).collect(),
        }
    }
}

/// The page of one rule: that of [`RulesDocument`] with `"version"` and `"explanation"`, in Markdown.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuleDocument<'a> {
    #[serde(flatten)]
    rule: RuleJson<'a>,
    version: u32,
    explanation: String,
}

impl<'a> From<&'a Rule> for RuleDocument<'a> {
    fn from(rule: &'a Rule) -> Self {
        Self {
            rule: RuleJson::from(rule),
            version: VERSION,
            explanation: rule.page(),
        }
    }
}

/// One rule: `{"rule", "category", "severity", "confidence", "owasp", "summary"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct RuleJson<'a> {
    rule: &'a str,
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    category: Category,
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    severity: Severity,
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    confidence: Confidence,
    owasp: &'a [String],
    summary: &'a str,
}

impl<'a> From<&'a Rule> for RuleJson<'a> {
    fn from(rule: &'a Rule) -> Self {
        Self {
            rule: &rule.id,
            category: rule.category(),
            severity: rule.severity,
            confidence: rule.confidence,
            owasp: &rule.owasp,
            summary: &rule.title,
        }
    }
}
