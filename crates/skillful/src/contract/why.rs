//! `why`: a skill's state with every reason, and what was said about it.

use serde::Serialize;
use skillful_guard::Finding;
use skillmd::invocation::Scope;

use super::accept::AcceptedJson;
use super::config::SettingJson;
use super::{PathText, VERSION};
use crate::config::Config;
use crate::eligibility::{self, Explanation};
use crate::guard::{Accepted, Inspection};
use crate::limits;
use crate::state::{Blocker, State};

/// Why a skill stands as it does: `{"version", "id", "state", "eligible", "blockers": [{"kind", "detail", "help"?}], …}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WhyDocument<'a> {
    version: u32,
    id: &'a str,
    path: PathText<'a>,
    /// The agent that is asked about; nothing = all that nothing special is said of.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<&'a str>,
    state: &'static str,
    /// Whether it is ready.
    eligible: bool,
    blockers: Vec<ReasonJson<'a>>,
    /// What the guard knows of its files; null when it did not look at them.
    guard: Option<GuardJson<'a>>,
    /// What would be of use to it and is not there.
    notes: Vec<ReasonJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shadowed_by: Option<PathText<'a>>,
    shadows: Vec<PathText<'a>>,
    /// What holds for it: see [`crate::Mode`].
    mode: &'static str,
    /// What holds for it; nothing for a skill that could not be read.
    scope: Option<&'static str>,
    invocation: InvocationJson,
    /// All that is said of it, for all agents.
    settings: Vec<SettingJson<'a>>,
}

/// What the guard knows of a skill's files: `{"verdict", "digest", "complete", "suppressed", "total", "findings": [{"rule",
/// "category", "severity", "confidence", "path", "line", "column", "excerpt", "help"}], "accepted"?}`, the worst finding
/// first, at most [`limits::GUARD_EXCERPTS`] of them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct GuardJson<'a> {
    verdict: &'static str,
    digest: Option<&'a str>,
    complete: bool,
    /// How many findings a person accepted.
    suppressed: usize,
    /// How many findings there are: of each rule in each file, one for each confidence.
    total: usize,
    findings: Vec<FindingJson<'a>>,
    /// By what these very files are accepted, whatever was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<AcceptedJson>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FindingJson<'a> {
    rule: &'a str,
    category: &'static str,
    severity: &'static str,
    confidence: &'static str,
    path: &'a str,
    line: usize,
    column: usize,
    excerpt: &'a str,
    help: &'a str,
}

impl<'a> GuardJson<'a> {
    fn new(inspection: &'a Inspection, accepted: Option<Accepted<'_>>) -> Self {
        let finding = |finding: &'a Finding| FindingJson {
            rule: finding.rule,
            category: finding.category.as_str(),
            severity: finding.severity.as_str(),
            confidence: finding.confidence.as_str(),
            path: &finding.path,
            line: finding.line,
            column: finding.column,
            excerpt: &finding.excerpt,
            help: finding.help.trim(),
        };
        let findings = inspection.findings();
        let shown = findings.iter().take(limits::GUARD_EXCERPTS);
        Self {
            verdict: inspection.verdict().as_str(),
            digest: inspection.digest(),
            complete: inspection.is_complete(),
            suppressed: inspection.suppressed().len(),
            total: findings.len(),
            findings: shown.map(finding).collect(),
            accepted: accepted.map(AcceptedJson::from),
        }
    }
}

/// Who may bring a skill up.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct InvocationJson {
    model: bool,
    person: bool,
}

/// A blocker or a note, with its way out.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReasonJson<'a> {
    kind: &'a str,
    detail: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

impl<'a> ReasonJson<'a> {
    /// The reasons, in their order.
    pub fn list(blockers: &'a [Blocker]) -> Vec<Self> {
        let reason = |blocker: &'a Blocker| Self {
            kind: &blocker.kind,
            detail: &blocker.detail,
            help: blocker.help.as_deref(),
        };
        blockers.iter().map(reason).collect()
    }
}

impl<'a> WhyDocument<'a> {
    /// The document of an explanation; `config` is what the skill was judged by.
    pub fn new(it: &'a Explanation<'a>, config: &'a Config) -> Self {
        let skill = it.skill;
        let manifest = skill.manifest.as_deref();
        let scope = manifest.map(|manifest| eligibility::scope(manifest, &it.switches));
        Self {
            version: VERSION,
            id: &skill.id,
            path: PathText(&skill.path),
            agent: it.agent,
            state: it.standing.state.as_str(),
            eligible: it.standing.state == State::Ready,
            blockers: ReasonJson::list(&it.standing.blockers),
            guard: (skill.inspection.as_deref())
                .map(|inspection| GuardJson::new(inspection, it.accepted)),
            notes: ReasonJson::list(&it.notes),
            shadowed_by: skill.shadowed_by.as_deref().map(PathText),
            shadows: it
                .shadows
                .iter()
                .map(|skill| PathText(&skill.path))
                .collect(),
            mode: it.switches.mode().as_str(),
            scope: scope.map(Scope::as_str),
            invocation: InvocationJson {
                model: it.invocability.model,
                person: it.invocability.person,
            },
            settings: config
                .said_of(&skill.id)
                .map(|(key, setting)| SettingJson::new(key, setting))
                .collect(),
        }
    }
}
