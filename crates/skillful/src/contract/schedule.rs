//! What `schedule` answers.

use std::path::Path;

use serde::Serialize;
use skillful_store::Timestamp;

use super::{DiagnosticJson, PathText, VERSION};
use crate::schedule::{Refused, Run, Schedule, Schedules, Standing};

/// Runs by the clock that skills suggest: `{"version", "schedules", "refused"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SchedulesDocument<'a> {
    version: u32,
    schedules: Vec<ScheduleJson<'a>>,
    refused: Vec<DiagnosticJson<'a>>,
}

impl<'a> SchedulesDocument<'a> {
    /// The document of these, in their order.
    pub fn new(schedules: &'a Schedules) -> Self {
        let refused = |refused: &'a Refused| DiagnosticJson {
            diagnostic: &refused.diagnostic,
            path: &refused.path,
        };
        Self {
            version: VERSION,
            schedules: schedules.schedules.iter().map(ScheduleJson::from).collect(),
            refused: schedules.refused.iter().map(refused).collect(),
        }
    }
}

/// One of them: `{"id", "path", "expression", "kind", "approved", "standing", "digest"?, "approved_at"?, "last"?, "next"?,
/// "prompt"?, "deliver"?, "no_agent"?}`, times in RFC 3339.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ScheduleJson<'a> {
    id: &'a str,
    path: PathText<'a>,
    expression: &'a str,
    /// `skill` or `automation`.
    kind: &'static str,
    approved: bool,
    /// See [`Standing::as_str`].
    standing: &'static str,
    /// Of the skill's files as they are now.
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    approved_at: Option<Timestamp>,
    /// When it last ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    last: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    next: Option<Timestamp>,
    #[serde(flatten)]
    run: RunJson<'a>,
}

impl<'a> From<&'a Schedule> for ScheduleJson<'a> {
    fn from(schedule: &'a Schedule) -> Self {
        let declared = &schedule.declared;
        let approval = match &schedule.standing {
            Standing::Approved(approval) => Some(approval),
            _ => None,
        };
        Self {
            id: &declared.key.id,
            path: PathText(&declared.path),
            expression: &declared.expression,
            kind: declared.run.as_str(),
            approved: approval.is_some(),
            standing: schedule.standing.as_str(),
            digest: declared.digest.as_deref(),
            approved_at: approval.map(|approval| approval.at),
            last: approval.and_then(|approval| approval.used),
            next: schedule.next.map(Timestamp::from),
            run: RunJson::from(&declared.run),
        }
    }
}

/// What is to be run: `{"prompt"?, "deliver"?, "no_agent"?}`; nothing of it for the skill itself.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct RunJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deliver: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_agent: Option<bool>,
}

impl<'a> From<&'a Run> for RunJson<'a> {
    fn from(run: &'a Run) -> Self {
        let (deliver, no_agent) = match run {
            Run::Skill => (None, None),
            Run::Automation {
                deliver, no_agent, ..
            } => (deliver.as_deref(), Some(*no_agent)),
        };
        Self {
            prompt: run.prompt(),
            deliver,
            no_agent,
        }
    }
}

/// What became of the approval of a schedule: `{"version", "outcome", "id", "path"?, "expression"?}`. There is no path for
/// a skill that is on record and not on disk, and no schedule where none was approved.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ApprovalDocument<'a> {
    version: u32,
    outcome: &'static str,
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<PathText<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expression: Option<&'a str>,
}

impl<'a> ApprovalDocument<'a> {
    /// The document of an outcome.
    pub fn new(
        outcome: &'static str,
        id: &'a str,
        path: Option<&'a Path>,
        expression: Option<&'a str>,
    ) -> Self {
        Self {
            version: VERSION,
            outcome,
            id,
            path: path.map(PathText),
            expression,
        }
    }
}
