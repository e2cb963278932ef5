//! What a model may call, a file for each.
//!
//! Each tool is a type: its fields are the arguments, their comments are what a model reads about them. What is not one of
//! them is refused, so that a slip is told and not passed over. All that goes wrong is a result that says what to do next.

mod capture;
mod install;
mod list;
mod manage;
mod matching;
mod read;
mod schema;
mod search;
mod status;

use rmcp::ErrorData;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::reply::Reply;
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};

/// A call that was understood.
pub(super) trait Call: Send {
    /// Does it.
    fn answer(self: Box<Self>, engine: &Engine) -> Result<Reply, Failure>;
}

/// What the arguments of a tool are.
trait Arguments: Call + DeserializeOwned + JsonSchema + 'static {
    const NAME: &'static str;
    const TITLE: &'static str;
    /// What it does and when to call it, for a model. Clients cut off what is longer than 2,048 bytes.
    const DESCRIPTION: &'static str;

    /// What clients may rely on. Most tools change nothing, ask nobody outside, and answer the same twice.
    fn annotations() -> ToolAnnotations {
        ToolAnnotations::new()
            .read_only(true)
            .idempotent(true)
            .open_world(false)
    }

    /// What the structured content of an answer is; nothing for an answer that is a text.
    fn output_schema() -> Option<Value>;
}

/// A tool.
#[derive(Clone, Copy)]
pub(super) struct Named {
    name: &'static str,
    writes: bool,
    definition: fn() -> Tool,
    parse: fn(JsonObject) -> Result<Box<dyn Call>, Failure>,
}

impl Named {
    const fn of<T: Arguments>(writes: bool) -> Self {
        Self {
            name: T::NAME,
            writes,
            definition: definition::<T>,
            parse: parse::<T>,
        }
    }

    /// Reads the arguments of a call.
    pub(super) fn parse(&self, arguments: JsonObject) -> Result<Box<dyn Call>, Failure> {
        (self.parse)(arguments)
    }
}

/// All tools, those that a model needs first before the others.
const TOOLS: &[Named] = &[
    Named::of::<search::SkillSearch>(false),
    Named::of::<list::SkillList>(false),
    Named::of::<read::SkillRead>(false),
    Named::of::<status::SkillStatus>(false),
    Named::of::<matching::SkillMatch>(false),
    Named::of::<manage::SkillManage>(true),
    Named::of::<capture::SkillCapture>(true),
    Named::of::<install::SkillInstall>(true),
];

/// What clients are told of the tools.
pub(super) fn definitions(allow_write: bool) -> Vec<Tool> {
    let allowed = TOOLS.iter().filter(|tool| allow_write || !tool.writes);
    allowed.map(|tool| (tool.definition)()).collect()
}

/// The tool of this name, if it may be called.
pub(super) fn named(name: &str, allow_write: bool) -> Option<Named> {
    let tool = TOOLS.iter().find(|tool| tool.name == name)?;
    (allow_write || !tool.writes).then_some(*tool)
}

/// That there is no tool of this name, or that it may not be called.
pub(super) fn unknown(name: &str, allow_write: bool) -> ErrorData {
    let is_write = TOOLS.iter().any(|tool| tool.name == name && tool.writes);
    let message = if is_write {
        format!(
            "`{name}` changes skills, and this server only reads; whoever runs it allows that with --allow-write"
        )
    } else {
        let names: Vec<&str> = TOOLS
            .iter()
            .filter(|tool| allow_write || !tool.writes)
            .map(|tool| tool.name)
            .collect();
        format!(
            "there is no tool `{name}`; the tools are {}",
            names.join(", ")
        )
    };
    ErrorData::invalid_params(message, None)
}

fn definition<T: Arguments>() -> Tool {
    let mut tool = Tool::new(T::NAME, T::DESCRIPTION, schema::of::<T>())
        .with_title(T::TITLE)
        .with_annotations(T::annotations());
    if let Some(Value::Object(schema)) = T::output_schema() {
        tool = tool.with_raw_output_schema(schema.into());
    }
    tool
}

fn parse<T: Arguments>(arguments: JsonObject) -> Result<Box<dyn Call>, Failure> {
    match serde_json::from_value::<T>(Value::Object(arguments)) {
        Ok(call) => Ok(Box::new(call)),
        Err(error) => {
            let message = format!("these arguments of {} cannot be taken: {error}", T::NAME);
            let schema = schema::of::<T>();
            let names = schema.get("properties").and_then(Value::as_object);
            let names: Vec<&str> = names
                .into_iter()
                .flatten()
                .map(|(name, _)| &**name)
                .collect();
            Err(Failure::new(FailureKind::Invalid, message).hint(format!(
                "call it again with arguments out of: {}",
                names.join(", ")
            )))
        }
    }
}

/// The schema of an object with these properties, the required ones first.
fn object(required: &Value, optional: &Value) -> Value {
    let fields = [required, optional]
        .into_iter()
        .filter_map(Value::as_object);
    let properties: JsonObject = fields
        .flatten()
        .map(|(name, it)| (name.clone(), it.clone()))
        .collect();
    let names: Vec<&String> = required
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name)
        .collect();
    json!({"type": "object", "properties": properties, "required": names})
}

/// The schema of a document: the same with its version.
fn document(required: Value, optional: &Value) -> Value {
    let mut all = json!({"version": {"type": "integer"}});
    if let (Some(all), Value::Object(required)) = (all.as_object_mut(), required) {
        all.extend(required);
    }
    object(&all, optional)
}

/// The schema of a part of a list of skills.
fn page(skill: &Value, optional: &Value) -> Value {
    let mut all = json!({
        "next_offset": {"type": "integer", "description": "The offset of the rest; absent at the end."},
    });
    if let (Some(all), Value::Object(optional)) = (all.as_object_mut(), optional) {
        all.extend(optional.clone());
    }
    document(
        json!({
            "total": {"type": "integer", "description": "How many skills are meant, on all pages."},
            "skills": {"type": "array", "items": skill},
        }),
        &all,
    )
}

/// What an answer about a change holds.
fn written() -> Value {
    document(
        json!({
            "outcome": {"type": "string", "description": "What was done, such as created, patched or skipped."},
        }),
        &json!({
            "id": {"type": ["string", "null"]},
            "path": {"type": ["string", "null"]},
            "seq": {"type": ["integer", "null"], "description": "The number of the change, for undo."},
            "reason": {"type": "string", "description": "Why nothing was done, in one word."},
            "message": {"type": "string"},
            "digest": {"type": "string"},
        }),
    )
}

/// How many entries an answer has.
fn limit(wanted: Option<usize>) -> usize {
    let wanted = wanted.unwrap_or(crate::limits::MCP_LISTED);
    wanted.clamp(1, crate::limits::MCP_LISTED_MAX)
}

/// How to get the rest of a list; nothing where this is the end.
fn rest(offset: usize, shown: usize, total: usize) -> Option<usize> {
    (offset + shown < total).then_some(offset + shown)
}

#[cfg(test)]
mod tests;
