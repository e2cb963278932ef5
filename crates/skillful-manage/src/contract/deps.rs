//! What `deps` answers.

use std::path::Path;

use serde::Serialize;

use super::{PathText, VERSION};
use crate::deps::{ArchiveForm, Done, Ended, Need, Outcome, Plan, Report, Step, Way};

/// What would be, or was, installed for a skill: `{"version", "plan", "applied", "result"?}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DepsDocument<'a> {
    version: u32,
    plan: PlanJson<'a>,
    /// Whether anything was run.
    applied: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<ResultJson<'a>>,
}

impl<'a> DepsDocument<'a> {
    /// The document of a plan, and of what became of it where somebody said yes.
    pub fn new(plan: &'a Plan, report: Option<&'a Report>) -> Self {
        Self {
            version: VERSION,
            plan: PlanJson::from(plan),
            applied: report.is_some(),
            result: report.map(ResultJson::from),
        }
    }
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PlanJson<'a> {
    id: &'a str,
    path: PathText<'a>,
    /// What a yes is bound to.
    digest: Option<&'a str>,
    /// Whether all that the skill cannot do without is there.
    satisfied: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
    needs: Vec<NeedJson<'a>>,
    /// The preferred first.
    ways: Vec<WayJson<'a>>,
    /// The missing programs that no way leads to.
    unmet: &'a [String],
}

impl<'a> From<&'a Plan> for PlanJson<'a> {
    fn from(plan: &'a Plan) -> Self {
        Self {
            id: &plan.id,
            path: PathText(&plan.path),
            digest: plan.digest.as_deref(),
            satisfied: plan.is_satisfied(),
            refused: plan.refused.as_ref().map(ToString::to_string),
            needs: plan.needs.iter().map(NeedJson::from).collect(),
            ways: plan.ways.iter().map(WayJson::from).collect(),
            unmet: &plan.unmet,
        }
    }
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct NeedJson<'a> {
    program: &'a str,
    /// `required`, `any-of`, `advised` or `provided`.
    kind: &'static str,
    /// Its file, where it is there.
    found: Option<PathText<'a>>,
}

impl<'a> From<&'a Need> for NeedJson<'a> {
    fn from(need: &'a Need) -> Self {
        Self {
            program: &need.program,
            kind: need.kind.as_str(),
            found: need.found.as_deref().map(PathText),
        }
    }
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct WayJson<'a> {
    id: &'a str,
    kind: &'static str,
    label: &'a str,
    bins: &'a [String],
    usable: bool,
    chosen: bool,
    /// The missing programs that it was chosen for.
    #[serde(rename = "for")]
    chosen_for: &'a [String],
    /// Why it was chosen or not.
    reason: String,
    /// The whole argument vector.
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    download: Option<DownloadJson<'a>>,
    /// The directory that programs go to, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    destination: Option<PathText<'a>>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct DownloadJson<'a> {
    url: &'a str,
    sha256: String,
    /// `zip` or `tar.gz`; nothing for a single file.
    archive: Option<&'static str>,
    strip_components: usize,
}

impl<'a> From<&'a Way> for WayJson<'a> {
    fn from(way: &'a Way) -> Self {
        let (mut command, mut download) = (None, None);
        let mut destination: Option<&Path> = None;
        match &way.step {
            Ok(Step::Command(step)) => {
                command = Some(&step.arguments[..]);
                destination = step.destination.as_deref();
            }
            Ok(Step::Download(step)) => {
                download = Some(DownloadJson {
                    url: step.url.as_str(),
                    sha256: step.sha256.to_string(),
                    archive: step.archive.map(ArchiveForm::as_str),
                    strip_components: step.strip,
                });
                destination = Some(&step.destination);
            }
            Err(_) => {}
        }
        Self {
            id: &way.id,
            kind: way.kind.as_str(),
            label: &way.label,
            bins: &way.bins,
            usable: way.step.is_ok(),
            chosen: way.is_chosen,
            chosen_for: &way.chosen_for,
            reason: way.reason(),
            command,
            download,
            destination: destination.map(PathText),
        }
    }
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ResultJson<'a> {
    /// Whether every step was done and nothing is missing.
    ok: bool,
    interrupted: bool,
    steps: Vec<StepJson<'a>>,
    /// All programs that the skill asks for, looked up again.
    needs: Vec<NeedJson<'a>>,
    /// Programs that are there and not on the search path.
    off_path: Vec<OffPathJson<'a>>,
    missing: &'a [String],
}

impl<'a> From<&'a Report> for ResultJson<'a> {
    fn from(report: &'a Report) -> Self {
        Self {
            ok: report.is_success(),
            interrupted: report.interrupted,
            steps: report.steps.iter().map(StepJson::from).collect(),
            needs: report.needs.iter().map(NeedJson::from).collect(),
            off_path: report
                .off_path
                .iter()
                .map(|(program, file)| OffPathJson {
                    program,
                    path: PathText(file),
                })
                .collect(),
            missing: &report.missing,
        }
    }
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct OffPathJson<'a> {
    program: &'a str,
    path: PathText<'a>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct StepJson<'a> {
    /// The id of the way.
    id: &'a str,
    ok: bool,
    /// `done`, `failed`, `timed-out`, `interrupted`, `not-started`, `no-rights`, `placed`, `not-fetched` or `not-placed`.
    outcome: &'static str,
    /// The manager's exit code.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<i32>,
    /// The last of what the manager printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<&'a str>,
    /// Whether the beginning of the output is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    truncated: Option<bool>,
    /// The programs that were placed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    placed: Vec<PathText<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl<'a> From<&'a Done> for StepJson<'a> {
    fn from(done: &'a Done) -> Self {
        let mut step = Self {
            id: &done.id,
            ok: done.is_success(),
            outcome: done.outcome.as_str(),
            code: None,
            output: None,
            truncated: None,
            placed: Vec::new(),
            reason: None,
        };
        match &done.outcome {
            Outcome::Ran(ran) => {
                step.output = Some(&ran.output);
                step.truncated = Some(ran.truncated);
                match &ran.ended {
                    Ended::Exited(code) => step.code = *code,
                    Ended::NotStarted(reason) => step.reason = Some(reason.clone()),
                    Ended::TimedOut | Ended::Interrupted => {}
                }
            }
            Outcome::NoRights => {}
            Outcome::Placed(files) => {
                step.placed = files.iter().map(|file| PathText(file)).collect();
            }
            Outcome::NotFetched(error) => step.reason = Some(error.to_string()),
            Outcome::NotPlaced(error) => step.reason = Some(error.to_string()),
        }
        step
    }
}
