//! What `outdated`, `update`, `hold` and `diff` answer.

use serde::Serialize;

use super::changes::{FileChangeJson, changes};
use super::install::{FindingJson, PlacementJson, findings};
use super::{PathText, VERSION};
use crate::capability::Capability;
use crate::install::{
    Divergence, FoundThere, Held, PlannedUpdate, Standing, UpdatePlan, UpdateStep, Updated,
};

/// How skills stand with their sources: `{"version", "skills": [{"id", "current", "latest", "kind", "detail"?,
/// "renamed_to"?}]}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutdatedDocument<'a> {
    version: u32,
    skills: Vec<StandingJson<'a>>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct StandingJson<'a> {
    id: &'a str,
    current: &'a str,
    /// Null where it is not known.
    latest: Option<&'a str>,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'a str>,
    /// The id that the source calls it by now.
    #[serde(skip_serializing_if = "Option::is_none")]
    renamed_to: Option<&'a str>,
}

impl<'a> OutdatedDocument<'a> {
    /// The document of these standings.
    pub fn new(standings: &'a [Standing]) -> Self {
        let json = |standing: &'a Standing| StandingJson {
            id: &standing.id,
            current: &standing.current,
            latest: standing.latest.as_deref(),
            kind: standing.kind.as_str(),
            detail: standing.detail.as_deref(),
            renamed_to: standing.renamed_to.as_deref(),
        };
        Self {
            version: VERSION,
            skills: standings.iter().map(json).collect(),
        }
    }
}

/// What an update would do or did: `{"version", "plan": {"skills"}, "applied", "updated", "removed", "seq"?, "notes"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UpdateDocument<'a> {
    version: u32,
    plan: UpdatePlanJson<'a>,
    /// Whether anything was changed.
    applied: bool,
    /// Ids of the skills that were replaced, as they are called now.
    updated: Vec<&'a String>,
    /// Ids of the skills that were taken away.
    removed: Vec<&'a String>,
    /// The number of the change in the history.
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
    notes: &'a [String],
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct UpdatePlanJson<'a> {
    skills: Vec<UpdateJson<'a>>,
}

/// One skill. Without a new version the members about it are not there.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct UpdateJson<'a> {
    id: &'a str,
    source: &'a str,
    kind: &'static str,
    current: &'a str,
    latest: Option<&'a str>,
    /// `nothing`, `record`, `replace`, `rename`, `gone`, `remove`, `refuse` or `unreachable`.
    step: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    renamed_to: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
    notes: &'a [String],
    #[serde(flatten)]
    next: Option<NextJson<'a>>,
}

/// The new version.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct NextJson<'a> {
    digest: String,
    verdict: &'static str,
    decision: &'static str,
    /// Why a person has to say yes to it in particular.
    questions: &'a [String],
    capabilities: Vec<String>,
    capabilities_added: Vec<String>,
    capabilities_removed: Vec<String>,
    findings_added: Vec<FindingJson<'a>>,
    changes: Vec<FileChangeJson<'a>>,
    placements: Vec<PlacementJson<'a>>,
}

impl<'a> UpdateDocument<'a> {
    /// The document of a plan, with what was done of it.
    pub fn new(plan: &'a UpdatePlan, updated: Option<&'a Updated>) -> Self {
        let entry = updated.and_then(|updated| updated.entry.as_ref());
        Self {
            version: VERSION,
            plan: UpdatePlanJson {
                skills: plan.skills.iter().map(UpdateJson::from).collect(),
            },
            applied: entry.is_some(),
            updated: updated.iter().flat_map(|it| &it.updated).collect(),
            removed: updated.iter().flat_map(|it| &it.removed).collect(),
            seq: entry.map(|entry| entry.seq),
            notes: &plan.notes,
        }
    }
}

impl<'a> From<&'a PlannedUpdate> for UpdateJson<'a> {
    fn from(skill: &'a PlannedUpdate) -> Self {
        let id = &skill.locked.id;
        let (reason, help) = match &skill.step {
            UpdateStep::Refuse(refusal) => (Some(refusal.to_string()), Some(refusal.help(id))),
            UpdateStep::Unreachable(reason) => (Some(reason.clone()), None),
            _ => (skill.standing.detail.clone(), None),
        };
        let renamed_to = match &skill.step {
            UpdateStep::Rename { to } => Some(to.as_str()),
            _ => None,
        };
        let words = |set: &std::collections::BTreeSet<Capability>| {
            set.iter().map(Capability::to_string).collect()
        };
        Self {
            id,
            source: &skill.locked.source,
            kind: skill.standing.kind.as_str(),
            current: &skill.standing.current,
            latest: skill.standing.latest.as_deref(),
            step: skill.step.as_str(),
            renamed_to,
            reason,
            help,
            notes: &skill.notes,
            next: skill.next.as_ref().map(|next| NextJson {
                digest: next.kept.digest().to_string(),
                verdict: next.gated.verdict().as_str(),
                decision: next.gated.decision.as_str(),
                questions: &next.questions,
                capabilities: words(&next.gated.capabilities),
                capabilities_added: words(&next.capabilities.added),
                capabilities_removed: words(&next.capabilities.removed),
                findings_added: findings(&next.findings),
                changes: changes(&next.changes),
                placements: next.placements.iter().map(PlacementJson::from).collect(),
            }),
        }
    }
}

/// Whether a skill is held: `{"version", "outcome": "held|released|unchanged", "id", "reason", "seq"?}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HoldDocument<'a> {
    version: u32,
    outcome: &'static str,
    id: &'a str,
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
}

impl<'a> HoldDocument<'a> {
    /// The document of what was done.
    pub fn new(held: &'a Held) -> Self {
        Self {
            version: VERSION,
            outcome: match (&held.entry, &held.reason) {
                (None, _) => "unchanged",
                (Some(_), Some(_)) => "held",
                (Some(_), None) => "released",
            },
            id: &held.id,
            reason: held.reason.as_deref(),
            seq: held.entry.as_ref().map(|entry| entry.seq),
        }
    }
}

/// What was changed since it was installed: `{"version", "places": [{"id", "path", "kind", "reason"?, "files"}]}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DiffDocument<'a> {
    version: u32,
    places: Vec<DivergenceJson<'a>>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct DivergenceJson<'a> {
    id: &'a str,
    path: PathText<'a>,
    /// `edited`, `unlinked`, `missing`, `replaced` or `unreadable`.
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    files: Vec<FileChangeJson<'a>>,
}

impl<'a> DiffDocument<'a> {
    /// The document of these places.
    pub fn new(divergences: &'a [Divergence]) -> Self {
        let json = |it: &'a Divergence| DivergenceJson {
            id: &it.id,
            path: PathText(&it.path),
            kind: it.found.as_str(),
            reason: match &it.found {
                FoundThere::Unreadable(reason) => Some(reason),
                _ => None,
            },
            files: changes(&it.files),
        };
        Self {
            version: VERSION,
            places: divergences.iter().map(json).collect(),
        }
    }
}
