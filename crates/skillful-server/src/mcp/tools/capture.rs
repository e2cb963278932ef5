//! `skill_capture`.

use rmcp::model::ToolAnnotations;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use skillful_manage::learn::Lesson;

use super::manage::words;
use super::{Arguments, Call, written};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::mcp::reply::Reply;
use crate::operations::place;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SkillCapture {
    /// What it is about, in a few words: it becomes the skill's name.
    title: String,
    /// What to do the next time, in Markdown: the steps that worked, and what did not.
    body: String,
    /// What it does and when to use it, in one or two sentences; made from title and body where there is none.
    description: Option<String>,
    /// Words to find it by.
    #[serde(default)]
    tags: Vec<String>,
    /// A line for a shell that fails when the lesson is wrong. It is kept, and runs only after a person approved it.
    check: Option<String>,
    /// What a person says who should be offered it, each in a sentence: `skillful test` checks that it is found for them.
    #[serde(default)]
    requests: Vec<String>,
    /// Keep it in the project, for everybody who works on it, and not for this person alone.
    #[serde(default)]
    in_project: bool,
}

impl Arguments for SkillCapture {
    const NAME: &'static str = "skill_capture";
    const TITLE: &'static str = "Keep what was learned";
    const DESCRIPTION: &'static str = "\
Keep something that you have just learned as a skill, so that the next conversation knows it: a way that worked after \
others failed, a trap of this project, a step that is easily forgotten. Not for what is in the code or its documents \
already, and never for secrets. What says nearly the same as a skill that is there is not stored twice; what a person \
wrote is never touched. The answer says what became of it and why.";

    fn annotations() -> ToolAnnotations {
        ToolAnnotations::new()
            .read_only(false)
            .destructive(false)
            .idempotent(true)
            .open_world(false)
    }

    fn output_schema() -> Option<Value> {
        Some(written())
    }
}

impl Call for SkillCapture {
    fn answer(self: Box<Self>, engine: &Engine) -> Result<Reply, Failure> {
        let lesson = Lesson {
            title: self.title,
            body: self.body,
            tags: self.tags,
            check: self.check,
            description: self.description,
            requests: self.requests,
        };
        let document = engine.capture(&lesson, place(self.in_project))?.value;
        Ok(Reply::both(words(&document), document))
    }
}
