//! A skill's instructions for people who read them in a browser.

use serde::Serialize;
use skillful::contract::VERSION;
use skillful::details::Details;

use super::Answer;
use super::read::find;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::panel::markdown::render;

/// A skill's instructions as HTML that can do nothing: `{"version", "id", "html"}`. Relative links lead to other files of
/// the skill.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct RenderedDocument<'a> {
    version: u32,
    id: &'a str,
    html: String,
}

impl Engine {
    /// The instructions of a skill, whatever its state.
    pub fn rendered(&self, id: &str) -> Result<Answer<RenderedDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let skill = find(&snapshot, id)?;
        let details = Details::of(skill);
        let html = details
            .document
            .as_ref()
            .map(|document| render(document.body()));
        let document = RenderedDocument {
            version: VERSION,
            id: &skill.id,
            html: html.unwrap_or_default(),
        };
        Ok(Answer::of(&document)?.typed())
    }
}
