//! What a skill needs from the world around it.
//!
//! These are claims, gathered from all dialects; whether they are met is the runtime's question.

use crate::node::Node;
use crate::platform::Os;

/// All that a skill asks of its host. An empty list asks for nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirements {
    /// The author's own switch; `false` takes the skill out of use.
    pub enabled: Option<bool>,
    /// `true` skips the checks below.
    pub always: Option<bool>,
    /// Operating systems; nothing = all, an empty list = none.
    pub os: Option<Vec<Os>>,
    /// Programs that must all be on the search path.
    pub bins: Vec<String>,
    /// Programs of which one must be on the search path.
    pub any_bins: Vec<String>,
    /// Programs that are of use; a missing one does not hide the skill (Hermes, Aleph's command-line tools).
    pub advised_bins: Vec<String>,
    /// Environment variables that must all be set.
    pub env: Vec<String>,
    /// Environment variables that are asked for on first use; a missing one does not hide the skill.
    pub variables: Vec<EnvVariable>,
    /// The variable that holds the skill's API key.
    pub primary_env: Option<String>,
    /// Dotted paths into the configuration that must all hold a value.
    pub config: Vec<String>,
    /// Configuration entries that the skill declares for itself.
    pub settings: Vec<Setting>,
    /// Tools that must all be available.
    pub tools: Vec<String>,
    /// Sets of tools that must all be available.
    pub toolsets: Vec<String>,
    /// The skill stands in for these tools: it is hidden when one of them is available.
    pub fallback_for_tools: Vec<String>,
    /// The skill stands in for these sets of tools.
    pub fallback_for_toolsets: Vec<String>,
    /// What the operator must have granted, such as `run_shell_command`.
    pub permissions: Vec<String>,
    /// Kinds of environment, such as `docker`, of which one must be the current one.
    pub environments: Vec<String>,
    /// A path that must exist in the working directory or above it.
    pub repo_scope: Option<String>,
    /// Files with credentials that a sandbox must be given.
    pub credential_files: Vec<CredentialFile>,
    /// Anything else that is needed, in the author's words.
    pub dependencies: Vec<String>,
    /// OpenClaw's Nix plugin declaration, as it stands.
    pub nix: Option<Node>,
    /// OpenClaw's declaration of its plugin configuration, as it stands.
    pub plugin_config: Option<Node>,
}

/// An environment variable that a skill declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnvVariable {
    /// Its name.
    pub name: String,
    /// What to ask the person for.
    pub prompt: Option<String>,
    /// Where it is to be had, or what it is.
    pub help: Option<String>,
    /// What part of the skill needs it.
    pub required_for: Option<String>,
    /// Whether the skill works without it.
    pub optional: bool,
}

/// A file with credentials.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CredentialFile {
    /// Its path, as the author gives it.
    pub path: String,
    /// What it holds.
    pub description: Option<String>,
}

/// A configuration entry that a skill declares for itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setting {
    /// Its key.
    pub key: String,
    /// What it is for.
    pub description: Option<String>,
    /// Its value unless the person says otherwise.
    pub default: Option<String>,
    /// What to ask the person for.
    pub prompt: Option<String>,
}
