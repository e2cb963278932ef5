//! The documents about learned skills.

use std::path::Path;

use serde::Serialize;
use skillful_store::Evidence;

use super::{PathText, VERSION};

/// Learned skills, each in whatever form the verb tells of it: `{"version", "skills"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LearnedDocument<T> {
    version: u32,
    skills: Vec<T>,
}

impl<T> LearnedDocument<T> {
    /// The document of these skills.
    pub fn new(skills: impl IntoIterator<Item = T>) -> Self {
        Self {
            version: VERSION,
            skills: skills.into_iter().collect(),
        }
    }
}

/// A learned skill with what is known of it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LearnedJson<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its SKILL.md.
    pub path: PathText<'a>,
    /// What it is about.
    pub title: &'a str,
    /// Its tags.
    pub tags: &'a [String],
    /// Its check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<&'a str>,
    /// Whether a person approved the check for its files as they are.
    pub approved: bool,
    /// How often models were shown that it is there.
    pub offers: u64,
    /// What was seen of it.
    #[serde(flatten)]
    pub evidence: EvidenceJson,
    /// Whether it was put away.
    pub archived: bool,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a str>,
    /// Whether somebody keeps it as it is.
    pub pinned: bool,
}

/// What was seen of a skill: `reads`, `wins` and `confidence`.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EvidenceJson {
    reads: u64,
    wins: u64,
    confidence: f64,
}

impl From<Evidence> for EvidenceJson {
    fn from(evidence: Evidence) -> Self {
        Self {
            reads: evidence.reads,
            wins: evidence.wins,
            confidence: evidence.confidence(),
        }
    }
}

/// A learned skill that does not help: `{"id", "path", "reads", "wins", "confidence", "archived", "reason"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DecayedJson<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its SKILL.md.
    pub path: PathText<'a>,
    /// What was seen of it.
    #[serde(flatten)]
    pub evidence: EvidenceJson,
    /// Whether it was put away.
    pub archived: bool,
    /// Why.
    pub reason: &'a str,
}

/// A learned skill whose check was looked at: `{"id", "path", "check", "outcome", "reason"?, "seq"?}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GradedJson<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its SKILL.md.
    pub path: PathText<'a>,
    /// The check.
    pub check: &'a str,
    /// What it came to.
    pub outcome: &'static str,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a str>,
    /// The number of the change in the history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
}

/// What became of the approval of a check: `{"version", "outcome", "id", "path", "check"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckApprovalDocument<'a> {
    version: u32,
    outcome: &'static str,
    id: &'a str,
    path: PathText<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<&'a str>,
}

impl<'a> CheckApprovalDocument<'a> {
    /// The document of an outcome.
    pub fn new(outcome: &'static str, id: &'a str, path: &'a Path, check: Option<&'a str>) -> Self {
        Self {
            version: VERSION,
            outcome,
            id,
            path: PathText(path),
            check,
        }
    }
}
