//! What `read` answers: a skill that was activated, or one of its files.

use std::path::Path;

use serde::Serialize;

use super::{PathText, ResourcesJson, VERSION};
use crate::activate::{Activation, Claims, CommandReport, Outcome};
use crate::bundle::{Content, FileContent, Resource};
use crate::part::Part;

/// An activated skill: `{"version", "id", "digest", "directory", "content", "resources", …}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ActivationDocument<'a> {
    version: u32,
    /// See [`Activation::id`].
    id: &'a str,
    /// See [`Activation::name`].
    name: &'a str,
    /// Nothing when the files are over a limit or cannot be read.
    digest: Option<&'a str>,
    /// Nothing for a skill without a directory.
    directory: Option<PathText<'a>>,
    /// The text, in its frame.
    content: &'a str,
    /// Files that may be asked for.
    resources: ResourcesJson<'a>,
    /// How many files are not in the list.
    more_resources: usize,
    /// What stands around the text.
    framing: &'static str,
    /// Which part of the skill's text it is.
    part: PartJson,
    /// Tokens of the content, estimated.
    tokens: usize,
    /// See [`Activation::already_active`].
    already_active: bool,
    /// What the skill wants.
    claims: ClaimsJson<'a>,
    /// What became of inline commands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    commands: Vec<CommandJson<'a>>,
}

impl<'a> From<&'a Activation> for ActivationDocument<'a> {
    fn from(activation: &'a Activation) -> Self {
        Self {
            version: VERSION,
            id: &activation.id,
            name: &activation.name,
            digest: activation.digest.as_deref(),
            directory: activation.directory.as_deref().map(PathText),
            content: &activation.content,
            resources: ResourcesJson(&activation.resources),
            more_resources: activation.more_resources,
            framing: activation.framing.as_str(),
            part: PartJson::from(&activation.part),
            tokens: activation.tokens,
            already_active: activation.already_active,
            claims: ClaimsJson::from(&activation.claims),
            commands: activation.commands.iter().map(CommandJson::from).collect(),
        }
    }
}

/// A file of a skill: `{"version", "id", "digest", "directory", "path", "encoding", "content", "resources", …}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileDocument<'a> {
    version: u32,
    /// The skill's id.
    id: &'a str,
    /// The digest of all files of the skill.
    digest: Option<&'a str>,
    /// Nothing for a skill without a directory.
    directory: Option<PathText<'a>>,
    /// The file's path in the skill.
    path: &'a str,
    /// `text` or `base64`.
    encoding: &'static str,
    /// The content of the part.
    content: String,
    /// Always empty: a file has no files.
    resources: ResourcesJson<'a>,
    /// Length of the whole file in bytes.
    bytes: usize,
    /// Which part of the file it is.
    part: PartJson,
}

impl<'a> FileDocument<'a> {
    /// The document of a file of the skill with this id; the digest and the directory are those of its activation.
    pub fn new(
        id: &'a str,
        digest: Option<&'a str>,
        directory: Option<&'a Path>,
        file: &'a FileContent,
    ) -> Self {
        const NONE: &[Resource] = &[];
        let (encoding, content) = match &file.content {
            Content::Text(text) => ("text", text.clone()),
            Content::Binary(_) => ("base64", file.content.to_base64()),
        };
        Self {
            version: VERSION,
            id,
            digest,
            directory: directory.map(PathText),
            path: file.path.as_str(),
            encoding,
            content,
            resources: ResourcesJson(NONE),
            bytes: file.bytes,
            part: PartJson::from(&file.part),
        }
    }
}

/// Where a part lies: `{"unit", "start", "length", "total", "next"}`, lines from 1, characters and bytes from 0.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PartJson {
    unit: &'static str,
    start: usize,
    length: usize,
    total: usize,
    next: Option<usize>,
}

impl From<&Part> for PartJson {
    fn from(part: &Part) -> Self {
        Self {
            unit: part.unit.as_str(),
            start: part.start,
            length: part.length,
            total: part.total,
            next: part.next,
        }
    }
}

/// What a skill wants; what it does not say is left out.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ClaimsJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed_tools: Option<&'a [String]>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    disallowed_tools: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    permissions: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tool_rounds: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effort: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    hooks: bool,
}

impl<'a> From<&'a Claims> for ClaimsJson<'a> {
    fn from(claims: &'a Claims) -> Self {
        Self {
            allowed_tools: claims.allowed_tools.as_deref(),
            disallowed_tools: &claims.disallowed_tools,
            permissions: &claims.permissions,
            max_tool_rounds: claims.max_tool_rounds,
            model: claims.model.as_deref(),
            effort: claims.effort.as_deref(),
            context: claims.context.as_deref(),
            agent: claims.agent.as_deref(),
            hooks: claims.hooks,
        }
    }
}

/// An inline command: `{"command", "outcome", "detail"?, "truncated"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct CommandJson<'a> {
    command: &'a str,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    truncated: bool,
}

impl<'a> From<&'a CommandReport> for CommandJson<'a> {
    fn from(report: &'a CommandReport) -> Self {
        let (outcome, detail) = match &report.outcome {
            Outcome::Done => ("done", None),
            Outcome::Failed(code) => ("failed", code.map(|code| format!("exit code {code}"))),
            Outcome::TimedOut => ("timed-out", None),
            Outcome::NotStarted(reason) => ("not-started", Some(reason.clone())),
            Outcome::NotRun(reason) => ("not-run", Some(reason.to_string())),
        };
        Self {
            command: &report.command,
            outcome,
            detail,
            truncated: report.truncated,
        }
    }
}
