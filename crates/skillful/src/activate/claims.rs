//! What a skill wants for as long as it is active. Claims of its author's: nothing here is granted.

use skillmd::Manifest;

/// What a skill says it wants. Whoever hands it over decides what of it is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    /// Tools that it wants to use without asking; the skill's directory is in its place. Nothing = it does not say,
    /// empty = it wants none.
    pub allowed_tools: Option<Vec<String>>,
    /// Tools that it wants to be taken away.
    pub disallowed_tools: Vec<String>,
    /// Permissions that it cannot do without (Kesoku).
    pub permissions: Vec<String>,
    /// Most rounds of tool calls; it may only lower the agent's own limit (Denkeeper).
    pub max_tool_rounds: Option<u32>,
    /// The model it wants.
    pub model: Option<String>,
    /// How hard the model should think.
    pub effort: Option<String>,
    /// `fork`: it wants an agent of its own.
    pub context: Option<String>,
    /// The kind of that agent.
    pub agent: Option<String>,
    /// Whether it brings hooks.
    pub hooks: bool,
}

impl Claims {
    /// The claims of a manifest; `in_place` puts the directory into the name of a tool.
    pub(super) fn of(manifest: &Manifest, in_place: impl Fn(&str) -> String) -> Self {
        let execution = &manifest.execution;
        let tools = manifest.allowed_tools.as_ref();
        Self {
            allowed_tools: tools.map(|tools| tools.iter().map(|tool| in_place(tool)).collect()),
            disallowed_tools: execution.disallowed_tools.clone(),
            permissions: manifest.requirements.permissions.clone(),
            max_tool_rounds: manifest.invocation.max_tool_rounds,
            model: execution.model.clone(),
            effort: execution.effort.clone(),
            context: execution.context.clone(),
            agent: execution.agent.clone(),
            hooks: execution.hooks.is_some(),
        }
    }
}
