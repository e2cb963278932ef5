//! Codex's sidecar `agents/openai.yaml`: what Codex is told beside SKILL.md.

use crate::field::FieldValue;

/// What the sidecar says. What could not be read is not set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sidecar {
    /// `interface`: what people are shown.
    pub interface: Interface,
    /// `dependencies.tools`: MCP servers and the like that the skill builds on.
    pub tools: Vec<ToolDependency>,
    /// `policy.allow_implicit_invocation`: whether the model may bring the skill up; nothing = yes.
    pub allow_implicit_invocation: Option<bool>,
    /// `policy.products`: the products that the skill is for; empty = all.
    pub products: Vec<String>,
}

/// What people are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// A name for people, at most 64 characters.
    pub display_name: Option<String>,
    /// A description for narrow places, at most 1,024 characters.
    pub short_description: Option<String>,
    /// Path of a small picture in the skill.
    pub icon_small: Option<String>,
    /// Path of a large picture in the skill.
    pub icon_large: Option<String>,
    /// A colour's code.
    pub brand_color: Option<String>,
    /// What to begin a conversation with, at most 1,024 characters.
    pub default_prompt: Option<String>,
}

/// A tool that the skill builds on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolDependency {
    /// `type`: what it is, such as `mcp`.
    pub kind: String,
    /// Its name.
    pub value: String,
    /// What it is for.
    pub description: Option<String>,
    /// How it is reached, such as `streamable_http`.
    pub transport: Option<String>,
    /// The command that starts it.
    pub command: Option<String>,
    /// Where it is reached.
    pub url: Option<String>,
}

impl Sidecar {
    pub(crate) fn value(&self) -> FieldValue<'_> {
        FieldValue::Record(Vec::new())
    }
}
