//! What `add`, `install`, `remove`, `link` and `verify` answer.

use std::path::{Path, PathBuf};

use serde::Serialize;
use skillful_guard::Finding;

use super::{PathText, VERSION};
use crate::install::{
    Drift, Linked, Placement, Plan, PlannedSkill, Removed, Restoration, Restored, RestoredSkill,
    Step, hidden_files, secret_files,
};
use crate::lock::{Lock, LockedSkill, LockedTarget};

/// What would be or was placed: `{"version", "plan": {"skills"}, "applied", "placed", "seq"?}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanDocument<'a> {
    version: u32,
    plan: PlanJson<'a>,
    /// Whether anything was changed.
    applied: bool,
    /// Ids of the skills that were placed.
    placed: Vec<&'a str>,
    /// The number of the change in the history.
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
    /// What is worth knowing about the sources.
    notes: &'a [String],
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PlanJson<'a> {
    skills: Vec<PlannedJson<'a>>,
}

/// One skill: `{"id", "name", "source", "path", "commit"?, "digest", "verdict", "trust", "decision", "step", "reason"?,
/// "help"?, "capabilities": ["kind:detail"], "findings", "placements", "left_out", "hidden", "secrets"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PlannedJson<'a> {
    id: &'a str,
    name: &'a str,
    source: &'a str,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<&'a str>,
    digest: String,
    verdict: &'static str,
    trust: &'static str,
    decision: &'static str,
    /// `add`, `replace`, `nothing` or `refuse`.
    step: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
    capabilities: Vec<String>,
    findings: Vec<FindingJson<'a>>,
    placements: Vec<PlacementJson<'a>>,
    left_out: &'a [String],
    /// Files that a directory listing does not show.
    hidden: Vec<&'a str>,
    /// Files whose name says that they hold somebody's keys.
    secrets: Vec<&'a str>,
    /// What the standard does not allow of it.
    faults: &'a [String],
}

/// A finding, in short; `scan` tells all of it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct FindingJson<'a> {
    rule: &'a str,
    severity: &'static str,
    confidence: &'static str,
    path: &'a str,
    line: usize,
}

/// `{"client", "path", "method", "changes"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct PlacementJson<'a> {
    client: Option<&'a str>,
    path: PathText<'a>,
    method: &'static str,
    /// Whether something has to be done there.
    changes: bool,
}

impl<'a> PlanDocument<'a> {
    /// The document of a plan, with what was done of it.
    pub fn new(
        plan: &'a Plan,
        applied: Option<&'a crate::install::Applied>,
        notes: &'a [String],
    ) -> Self {
        let placed = applied.iter().flat_map(|applied| &applied.placed);
        Self {
            version: VERSION,
            plan: PlanJson {
                skills: plan.skills.iter().map(PlannedJson::from).collect(),
            },
            applied: applied.is_some_and(|applied| applied.entry.is_some()),
            placed: placed.map(String::as_str).collect(),
            seq: applied.and_then(|applied| Some(applied.entry.as_ref()?.seq)),
            notes,
        }
    }
}

impl<'a> From<&'a PlannedSkill> for PlannedJson<'a> {
    fn from(skill: &'a PlannedSkill) -> Self {
        let (step, refusal) = match &skill.step {
            Step::Add => ("add", None),
            Step::Replace => ("replace", None),
            Step::Nothing => ("nothing", None),
            Step::Refuse(refusal) => ("refuse", Some(refusal)),
        };
        Self {
            id: &skill.offer.id,
            name: &skill.offer.name,
            source: &skill.offer.source,
            path: &skill.offer.resolved.path,
            commit: skill.offer.resolved.commit.as_deref(),
            digest: skill.kept.digest().to_string(),
            verdict: skill.gated.verdict().as_str(),
            trust: skill.gated.trust.as_str(),
            decision: skill.gated.decision.as_str(),
            step,
            reason: refusal.map(ToString::to_string),
            help: refusal.map(|refusal| refusal.help(&skill.offer.id)),
            capabilities: skill
                .gated
                .capabilities
                .iter()
                .map(ToString::to_string)
                .collect(),
            findings: findings(&skill.gated.judged.findings),
            placements: skill.placements.iter().map(PlacementJson::from).collect(),
            left_out: &skill.kept.left_out,
            hidden: hidden_files(&skill.kept.tree),
            secrets: secret_files(&skill.kept.tree),
            faults: &skill.offer.faults,
        }
    }
}

pub(super) fn findings(findings: &[Finding]) -> Vec<FindingJson<'_>> {
    let finding = |finding| {
        let finding: &Finding = finding;
        FindingJson {
            rule: finding.rule,
            severity: finding.severity.as_str(),
            confidence: finding.confidence.as_str(),
            path: &finding.path,
            line: finding.line,
        }
    };
    findings.iter().map(finding).collect()
}

impl<'a> From<&'a Placement> for PlacementJson<'a> {
    fn from(placement: &'a Placement) -> Self {
        Self {
            client: placement.client.as_deref(),
            path: PathText(&placement.path),
            method: placement.method.as_str(),
            changes: !placement.is_done(),
        }
    }
}

/// What was restored: `{"version", "skills", "missing", "unlocked", "unwanted", "applied", "placed", "seq"?}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RestoreDocument<'a> {
    version: u32,
    skills: Vec<RestoredJson<'a>>,
    /// Ids of locked skills whose files are not at hand.
    missing: Vec<&'a str>,
    /// Ids of skills that are wanted and not locked.
    unlocked: Vec<&'a str>,
    /// Ids of skills that are locked and not wanted.
    unwanted: &'a [String],
    applied: bool,
    placed: Vec<&'a String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
}

/// `{"id", "source", "digest", "verdict", "decision", "paths", "reason"?}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct RestoredJson<'a> {
    id: &'a str,
    source: &'a str,
    digest: &'a str,
    verdict: &'static str,
    decision: &'static str,
    /// Where something has to be placed.
    paths: Vec<PathText<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl<'a> RestoreDocument<'a> {
    /// The document of what had to be done, what was, and the ids of what was added besides.
    pub fn new(restoration: &'a Restoration, restored: &'a Restored, added: &'a [String]) -> Self {
        let missing = restoration.missing.iter();
        let unlocked = restoration.unlocked.iter();
        Self {
            version: VERSION,
            skills: restoration.skills.iter().map(RestoredJson::from).collect(),
            missing: missing.map(|skill| skill.id.as_str()).collect(),
            unlocked: unlocked.map(|(id, _)| id.as_str()).collect(),
            unwanted: &restoration.unwanted,
            applied: restored.entry.is_some() || !added.is_empty(),
            placed: restored.placed.iter().chain(added).collect(),
            seq: restored.entry.as_ref().map(|entry| entry.seq),
        }
    }
}

impl<'a> From<&'a RestoredSkill> for RestoredJson<'a> {
    fn from(skill: &'a RestoredSkill) -> Self {
        Self {
            id: &skill.locked.id,
            source: &skill.locked.source,
            digest: &skill.locked.digest,
            verdict: skill.gated.verdict().as_str(),
            decision: skill.gated.decision.as_str(),
            paths: paths(skill.swaps.iter().map(|swap| &swap.path)),
            reason: skill.refusal.as_ref().map(ToString::to_string),
        }
    }
}

/// What is installed: `{"version", "lock", "skills": [{"id", "source", "commit"?, "version"?, "digest", "verdict"?,
/// "license"?, "targets": [{"client"?, "path", "method"}]}]}`, sorted by id.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InstalledDocument<'a> {
    version: u32,
    /// The lock's file.
    lock: PathText<'a>,
    skills: Vec<InstalledJson<'a>>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct InstalledJson<'a> {
    id: &'a str,
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'a str>,
    digest: &'a str,
    /// What the guard said when it was placed.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    license: Option<&'a str>,
    targets: Vec<TargetJson<'a>>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TargetJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    client: Option<&'a str>,
    /// As the lock has it: relative to its directory where it can be.
    path: &'a str,
    method: &'static str,
}

impl<'a> InstalledDocument<'a> {
    /// The document of a lock in this file.
    pub fn new(path: &'a Path, lock: &'a Lock) -> Self {
        Self {
            version: VERSION,
            lock: PathText(path),
            skills: lock.skills().map(InstalledJson::from).collect(),
        }
    }
}

impl<'a> From<&'a LockedSkill> for InstalledJson<'a> {
    fn from(skill: &'a LockedSkill) -> Self {
        let target = |target: &'a LockedTarget| TargetJson {
            client: target.client.as_deref(),
            path: &target.path,
            method: target.method.as_str(),
        };
        Self {
            id: &skill.id,
            source: &skill.source,
            commit: skill.resolved.commit.as_deref(),
            version: skill.resolved.version.as_deref(),
            digest: &skill.digest,
            verdict: skill.verdict.as_deref(),
            license: skill.license.as_deref(),
            targets: skill.targets.iter().map(target).collect(),
        }
    }
}

/// Whether the disk is as the lock says: `{"version", "ok", "drift": [{"id", "path", "kind"}]}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VerifyDocument<'a> {
    version: u32,
    ok: bool,
    drift: Vec<DriftJson<'a>>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct DriftJson<'a> {
    id: &'a str,
    path: &'a str,
    kind: &'static str,
}

impl<'a> VerifyDocument<'a> {
    /// The document of this drift.
    pub fn new(drift: &'a [Drift]) -> Self {
        let json = |drift: &'a Drift| DriftJson {
            id: &drift.id,
            path: &drift.path,
            kind: drift.kind.as_str(),
        };
        Self {
            version: VERSION,
            ok: drift.is_empty(),
            drift: drift.iter().map(json).collect(),
        }
    }
}

/// What was taken away: `{"version", "outcome": "removed", "ids", "paths", "seq"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RemoveDocument<'a> {
    version: u32,
    outcome: &'static str,
    ids: &'a [String],
    paths: Vec<PathText<'a>>,
    seq: u64,
}

impl<'a> RemoveDocument<'a> {
    /// The document of what was removed.
    pub fn new(removed: &'a Removed) -> Self {
        Self {
            version: VERSION,
            outcome: "removed",
            ids: &removed.ids,
            paths: paths(&removed.paths),
            seq: removed.entry.seq,
        }
    }
}

/// Where a skill was made known, or is no longer: `{"version", "outcome", "id", "paths", "seq"?}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LinkDocument<'a> {
    version: u32,
    /// `linked`, `unlinked` or `unchanged`.
    outcome: &'static str,
    id: &'a str,
    paths: Vec<PathText<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
}

impl<'a> LinkDocument<'a> {
    /// The document of what was done; `done` is the word for it.
    pub fn new(linked: &'a Linked, done: &'static str) -> Self {
        Self {
            version: VERSION,
            outcome: match linked.entry {
                Some(_) => done,
                None => "unchanged",
            },
            id: &linked.id,
            paths: paths(&linked.paths),
            seq: linked.entry.as_ref().map(|entry| entry.seq),
        }
    }
}

fn paths<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Vec<PathText<'a>> {
    paths.into_iter().map(|path| PathText(path)).collect()
}
