//! `skill_status`.

use std::borrow::Cow;
use std::fmt::Write as _;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use skillful::status::{Filter, UnknownFilter};

use super::{Arguments, Call, limit, object, page, rest};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::mcp::reply::Reply;
use crate::operations::StatusQuery;

/// What a list says of each skill; for one alone there is all.
const FIELDS: [&str; 9] = [
    "id",
    "state",
    "blockers",
    "verdict",
    "mode",
    "lifecycle",
    "pinned",
    "tokens",
    "usage",
];

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SkillStatus {
    /// One skill, to learn all about it: why it can be used or cannot, and what to do about it.
    skill_id: Option<String>,
    /// Which skills: `all` (the default), `ready`, `needs-setup` (something is missing), `disabled`, `broken`, `stale` (long unused), `archived`, `withheld` (by the guard) or `suspect` (with findings).
    #[serde(default)]
    filter: Wanted,
    /// How many skills to give at most; 50 unless said otherwise, 500 at most.
    limit: Option<usize>,
    /// How many skills to leave out before the first one.
    #[serde(default)]
    offset: usize,
}

/// One of the runtime's filters, by its word.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(try_from = "String")]
struct Wanted(Filter);

impl TryFrom<String> for Wanted {
    type Error = UnknownFilter;

    fn try_from(word: String) -> Result<Self, UnknownFilter> {
        word.parse().map(Self)
    }
}

impl JsonSchema for Wanted {
    fn schema_name() -> Cow<'static, str> {
        "Filter".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "enum": Filter::ALL.map(Filter::as_str)})
    }
}

impl Arguments for SkillStatus {
    const NAME: &'static str = "skill_status";
    const TITLE: &'static str = "Status of skills";
    const DESCRIPTION: &'static str = "\
Tell how skills stand: which can be used, which cannot and why, what the guard found in them, how long they are and how \
often they were used. Call it with `skill_id` when a skill was refused, to learn what clears it, or with a filter when \
somebody asks which skills need attention. To use a skill, call skill_read instead.";

    fn output_schema() -> Option<Value> {
        let skill = object(
            &json!({"id": {"type": "string"}, "state": {"type": "string"}}),
            &Value::Null,
        );
        let why = json!({
            "why": {"type": "object", "description": "For one skill: the reasons, the guard's findings, and what is said of it."},
        });
        Some(page(&skill, &why))
    }
}

impl Call for SkillStatus {
    fn answer(self: Box<Self>, engine: &Engine) -> Result<Reply, Failure> {
        let query = StatusQuery {
            ids: self.skill_id.iter().cloned().collect(),
            filter: self.filter.0,
        };
        let mut document = engine.status(&query)?.value;
        let skills = match document["skills"].take() {
            Value::Array(skills) => skills,
            _ => Vec::new(),
        };
        let total = skills.len();
        if let Some(id) = &self.skill_id {
            let why = engine.why(id)?.value;
            let document = json!({"version": 1, "total": total, "skills": skills, "why": why});
            return Ok(Reply::both(words(&skills, Some(&why)), document));
        }
        let page = skills.into_iter().skip(self.offset).take(limit(self.limit));
        let page: Vec<Value> = page.map(short).collect();
        let next = rest(self.offset, page.len(), total);
        let mut text = words(&page, None);
        let mut document = json!({"version": 1, "total": total, "skills": page});
        if let Some(next) = next {
            document["next_offset"] = next.into();
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{} of {total} skills; the rest with offset {next}.",
                page.len()
            );
        }
        Ok(Reply::both(text, document))
    }
}

fn short(entry: Value) -> Value {
    let Value::Object(mut fields) = entry else {
        return entry;
    };
    let mut short = Map::new();
    for key in FIELDS {
        if let Some(value) = fields.shift_remove(key) {
            short.insert(key.to_owned(), value);
        }
    }
    Value::Object(short)
}

fn words(skills: &[Value], why: Option<&Value>) -> String {
    if skills.is_empty() {
        return "No skills of that kind.".to_owned();
    }
    let mut text = String::new();
    for skill in skills {
        let part = |key: &str| skill[key].as_str().unwrap_or_default().to_owned();
        // Writing to a string cannot fail.
        let _ = write!(text, "- {}: {}", part("id"), part("state"));
        if let Some(verdict) = skill["verdict"].as_str() {
            let _ = write!(text, ", scanned: {verdict}");
        }
        let _ = writeln!(text, ", {} tokens, {}", skill["tokens"], part("lifecycle"));
        if why.is_none() {
            for blocker in skill["blockers"].as_array().into_iter().flatten() {
                let _ = writeln!(text, "  {}", blocker["detail"].as_str().unwrap_or_default());
            }
        }
    }
    for reason in why
        .and_then(|why| why["blockers"].as_array())
        .into_iter()
        .flatten()
    {
        let _ = writeln!(text, "  {}", reason["detail"].as_str().unwrap_or_default());
        if let Some(help) = reason["help"].as_str() {
            let _ = writeln!(text, "  What to do: {help}.");
        }
    }
    text
}
