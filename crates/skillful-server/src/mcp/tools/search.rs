//! `skill_search`.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Arguments, Call, document, object};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::limits;
use crate::mcp::reply::Reply;
use crate::operations::SearchQuery;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SkillSearch {
    /// The task in your own words, such as "fill in the form of a PDF". Not a list of keywords.
    query: String,
    /// How many skills to give at most; 10 unless said otherwise.
    limit: Option<usize>,
}

impl Arguments for SkillSearch {
    const NAME: &'static str = "skill_search";
    const TITLE: &'static str = "Find skills for a task";
    const DESCRIPTION: &'static str = "\
Find the skills that fit a task, the best first. Call it before you begin any task that somebody may have written \
instructions for: making documents, following a team's process, using a tool or a service. Then read the one that fits \
with skill_read. No result, or none whose description fits, means that there is no such skill: go on without.";

    fn output_schema() -> Option<Value> {
        let found = object(
            &json!({
                "id": {"type": "string"},
                "score": {"type": "number", "description": "Comparable within one search only."},
            }),
            &json!({
                "name": {"type": "string"},
                "description": {"type": "string"},
            }),
        );
        let results = json!({"results": {"type": "array", "items": found}});
        Some(document(results, &Value::Null))
    }
}

impl Call for SkillSearch {
    fn answer(self: Box<Self>, engine: &Engine) -> Result<Reply, Failure> {
        let query = SearchQuery {
            text: self.query,
            limit: Some(
                self.limit
                    .unwrap_or(limits::SEARCH_RESULTS)
                    .clamp(1, limits::PAGE_ENTRIES),
            ),
        };
        let document = engine.search(&query)?.value;
        let mut text = String::new();
        for found in document["results"].as_array().into_iter().flatten() {
            let part = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "- {}: {}", part("id"), part("description").trim());
        }
        if text.is_empty() {
            text.push_str("No skill fits. Go on without one, or try other words.");
        }
        Ok(Reply::both(text, document))
    }
}
