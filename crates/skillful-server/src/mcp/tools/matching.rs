//! `skill_match`.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Arguments, Call, document, object};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::mcp::reply::Reply;
use crate::operations::MatchQuery;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SkillMatch {
    /// The message as the person wrote it.
    message: String,
    /// The skill that a schedule names, for a message that no person wrote.
    skill_id: Option<String>,
    /// The most rounds of tool calls that the turn may take anyway; a skill can only lower it.
    max_tool_rounds: Option<u32>,
}

impl Arguments for SkillMatch {
    const NAME: &'static str = "skill_match";
    const TITLE: &'static str = "Skills that a message calls for";
    const DESCRIPTION: &'static str = "\
Tell which skills a message brings up by itself: by a slash command, a trigger word or a schedule that the skill's author \
set. Call it with a person's message when it begins with a slash or names a skill. It answers by the authors' rules \
alone; to find skills for a task, call skill_search.";

    fn output_schema() -> Option<Value> {
        let found = object(
            &json!({
                "id": {"type": "string"},
                "kind": {"type": "string"},
                "score": {"type": "number"},
                "why": {"type": "string"},
            }),
            &Value::Null,
        );
        Some(document(
            json!({"matches": {"type": "array", "items": found}}),
            &json!({"max_tool_rounds": {"type": ["integer", "null"]}}),
        ))
    }
}

impl Call for SkillMatch {
    fn answer(self: Box<Self>, engine: &Engine) -> Result<Reply, Failure> {
        let query = MatchQuery {
            text: self.message,
            skill: self.skill_id,
            rounds: self.max_tool_rounds,
        };
        let document = engine.matches(&query)?.value;
        let mut text = String::new();
        for found in document["matches"].as_array().into_iter().flatten() {
            let part = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "- {}: {}", part("id"), part("why"));
        }
        if text.is_empty() {
            text.push_str("No skill comes up by itself.");
        } else if let Some(rounds) = document["max_tool_rounds"].as_u64() {
            let _ = writeln!(text, "At most {rounds} rounds of tool calls.");
        }
        Ok(Reply::both(text, document))
    }
}
