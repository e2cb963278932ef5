//! Where a skill's text comes from, said before anything that its author wrote.

use std::fmt::Write as _;

use serde_json::Value;
use skillful::Skill;

use crate::engine::Engine;
use crate::failure::Failure;

/// The line for the skill that a document of the contract is about.
pub(super) fn of_document(engine: &Engine, document: &Value) -> Result<String, Failure> {
    let snapshot = engine.snapshot()?;
    let id = document["id"].as_str().unwrap_or_default();
    let skill = snapshot.registry().get(id);
    Ok(skill.map_or_else(String::new, |skill| of(skill)))
}

/// The line: which skill, from where, how far it is trusted, what the guard says.
pub(super) fn of(skill: &Skill) -> String {
    let root = &*skill.root;
    let mut text = format!("[skill {}, source {}", skill.id, root.source.as_str());
    if let Some(client) = &root.client {
        // Writing to a string cannot fail.
        let _ = write!(text, " ({client})");
    }
    let _ = write!(text, ", trust {}", root.trust.as_str());
    if let Some(verdict) = skill.verdict() {
        let _ = write!(text, ", scanned: {verdict}");
    }
    text.push_str("]\n");
    text
}
