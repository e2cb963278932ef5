//! What `adopt` answers.

use serde::Serialize;

use super::{PathText, VERSION};
use crate::install::{Adoptable, Adopted, Adoption, Tool};

/// What would be or was adopted: `{"version", "skills", "not_adopted", "faults", "mentions", "applied", "adopted", "seq"?}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AdoptDocument<'a> {
    version: u32,
    skills: Vec<AdoptableJson<'a>>,
    not_adopted: Vec<NotAdoptedJson<'a>>,
    faults: Vec<FaultJson<'a>>,
    mentions: Vec<MentionJson<'a>>,
    applied: bool,
    adopted: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
}

/// `{"id", "tool", "source", "commit"?, "digest", "verdict", "directory", "targets"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct AdoptableJson<'a> {
    id: &'a str,
    /// Null where nobody tells.
    tool: Option<&'static str>,
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<&'a str>,
    digest: &'a str,
    verdict: &'static str,
    directory: PathText<'a>,
    targets: Vec<TargetJson<'a>>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TargetJson<'a> {
    client: Option<&'a str>,
    path: &'a str,
    method: &'static str,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct NotAdoptedJson<'a> {
    name: &'a str,
    tool: Option<&'static str>,
    reason: String,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FaultJson<'a> {
    path: PathText<'a>,
    reason: &'a str,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct MentionJson<'a> {
    tool: &'static str,
    name: &'a str,
    version: Option<&'a str>,
}

impl<'a> AdoptDocument<'a> {
    /// The document of a plan, with what was done of it.
    pub fn new(adoption: &'a Adoption, adopted: Option<&'a Adopted>) -> Self {
        let entry = adopted.and_then(|adopted| adopted.entry.as_ref());
        let refused = adoption.refused.iter().map(|it| NotAdoptedJson {
            name: &it.name,
            tool: it.tool.map(Tool::as_str),
            reason: it.reason.to_string(),
        });
        let faults = adoption.faults.iter().map(|it| FaultJson {
            path: PathText(&it.path),
            reason: &it.reason,
        });
        let mentions = adoption.mentions.iter().map(|it| MentionJson {
            tool: it.tool.as_str(),
            name: &it.name,
            version: it.version.as_deref(),
        });
        Self {
            version: VERSION,
            skills: adoption.skills.iter().map(AdoptableJson::from).collect(),
            not_adopted: refused.collect(),
            faults: faults.collect(),
            mentions: mentions.collect(),
            applied: entry.is_some(),
            adopted: adopted.map_or(&[], |adopted| &adopted.ids),
            seq: entry.map(|entry| entry.seq),
        }
    }
}

impl<'a> From<&'a Adoptable> for AdoptableJson<'a> {
    fn from(skill: &'a Adoptable) -> Self {
        let targets = skill.locked.targets.iter().map(|target| TargetJson {
            client: target.client.as_deref(),
            path: &target.path,
            method: target.method.as_str(),
        });
        Self {
            id: &skill.locked.id,
            tool: skill.tool.map(Tool::as_str),
            source: &skill.locked.source,
            commit: skill.locked.resolved.commit.as_deref(),
            digest: &skill.locked.digest,
            verdict: skill.gated.verdict().as_str(),
            directory: PathText(&skill.directory),
            targets: targets.collect(),
        }
    }
}
