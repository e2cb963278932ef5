//! `skill_install`.

use std::fmt::Write as _;

use rmcp::model::ToolAnnotations;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Arguments, Call, document};
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};
use crate::mcp::reply::Reply;
use crate::operations::Adding;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SkillInstall {
    /// Where skills come from: `owner/repo`, `owner/repo@skill`, the address of a repository, an archive or a SKILL.md, or a path. Not together with `skill_id`.
    source: Option<String>,
    /// The names of the skills that are wanted out of the source; left out, those that it offers.
    #[serde(default)]
    skills: Vec<String>,
    /// A skill that is there and lacks programs: they are installed by the ways that the skill names.
    skill_id: Option<String>,
    /// With `skill_id`: which of the ways, by its id; left out, the preferred one.
    spec_id: Option<String>,
    /// For this person in all projects, rather than for the project.
    #[serde(default)]
    global: bool,
    /// Only tell what would be done.
    #[serde(default)]
    dry_run: bool,
}

impl Arguments for SkillInstall {
    const NAME: &'static str = "skill_install";
    const TITLE: &'static str = "Install skills, or programs that a skill needs";
    const DESCRIPTION: &'static str = "\
Install skills from a source, or with `skill_id` the programs that a skill lacks. Call it only when the person asked for \
it, and begin with `dry_run` to tell them what would be done: what the skills could do, what the guard found, where they \
go. Skills without findings are placed; where the guard has doubts, nothing is placed, and the answer says what the \
person must do. What was placed can be undone by the person with `skillful undo`.";

    fn annotations() -> ToolAnnotations {
        ToolAnnotations::new()
            .read_only(false)
            .destructive(true)
            .idempotent(true)
            .open_world(true)
    }

    fn output_schema() -> Option<Value> {
        let answer = json!({
            "plan": {"type": "object", "description": "What is done with each skill, or how each program is had, and why."},
            "applied": {"type": "boolean"},
        });
        Some(document(answer, &Value::Null))
    }
}

impl Call for SkillInstall {
    fn answer(self: Box<Self>, engine: &Engine) -> Result<Reply, Failure> {
        match (self.source, self.skill_id) {
            (Some(source), None) => {
                let adding = Adding {
                    sources: vec![source],
                    skills: self.skills,
                    global: self.global,
                    ..Adding::default()
                };
                let document = engine.add_unasked(adding, self.dry_run)?.value;
                Ok(Reply::both(skills(&document), document))
            }
            (None, Some(id)) => {
                let specs: Vec<String> = self.spec_id.into_iter().collect();
                let document = engine.install_programs(&id, &specs, self.dry_run)?.value;
                Ok(Reply::both(programs(&document), document))
            }
            _ => Err(Failure::new(
                FailureKind::Invalid,
                "either skills are installed from a source, or programs for a skill",
            )
            .hint("give source or skill_id")),
        }
    }
}

fn skills(document: &Value) -> String {
    let mut text = String::new();
    for skill in document["plan"]["skills"].as_array().into_iter().flatten() {
        let part = |key: &str| skill[key].as_str().unwrap_or_default().to_owned();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "- {}: {}, scanned: {}, decision: {}",
            part("id"),
            part("step"),
            part("verdict"),
            part("decision")
        );
    }
    text + done(document)
}

fn programs(document: &Value) -> String {
    let mut text = document["plan"].to_string();
    if !document["result"].is_null() {
        text.push('\n');
        text.push_str(&document["result"].to_string());
    }
    text.push('\n');
    text + done(document)
}

fn done(document: &Value) -> &'static str {
    if document["applied"] == true {
        "Done.\n"
    } else {
        "Nothing was changed.\n"
    }
}
