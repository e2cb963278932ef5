//! When, by whom and how a skill is brought up.

use std::fmt;
use std::str::FromStr;

use crate::node::Node;
use crate::trigger::Trigger;

/// When a skill comes up, and who may ask for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invocation {
    /// When to use the skill, beside what the description says.
    pub when_to_use: Option<String>,
    /// What to show after the command's name while typing.
    pub argument_hint: Option<String>,
    /// Names of the positional arguments.
    pub arguments: Vec<String>,
    /// Whether the model may bring it up; nothing = yes.
    pub model_invocable: Option<bool>,
    /// Whether a person may bring it up by name; nothing = yes.
    pub user_invocable: Option<bool>,
    /// Where it is offered; nothing = [`Scope::System`].
    pub scope: Option<Scope>,
    /// The tool that it belongs to, with [`Scope::Tool`].
    pub bound_tool: Option<String>,
    /// Globs: the skill comes up when a file that matches is touched.
    pub paths: Vec<String>,
    /// What brings it up.
    pub triggers: Vec<Trigger>,
    /// Most rounds of tool calls in a turn that the skill drives, 1 or more; it can only lower the agent's limit.
    pub max_tool_rounds: Option<u32>,
    /// A run by the clock that the author suggests.
    pub automation: Option<Automation>,
    /// Whether the author wants the skill in front of the model at all times.
    pub pinned: Option<bool>,
    /// `tool`: the slash command calls [`Self::command_tool`] without the model.
    pub command_dispatch: Option<String>,
    /// The tool that the slash command calls.
    pub command_tool: Option<String>,
    /// How arguments are passed on to that tool.
    pub command_arg_mode: Option<String>,
}

/// How a skill wants to be run. Claims all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Execution {
    /// Tools that are taken away while the skill is active.
    pub disallowed_tools: Vec<String>,
    /// The model to use.
    pub model: Option<String>,
    /// How hard the model should think.
    pub effort: Option<String>,
    /// `fork`: run in an agent of its own.
    pub context: Option<String>,
    /// The kind of agent for that.
    pub agent: Option<String>,
    /// Whether that agent runs in the background.
    pub background: Option<bool>,
    /// Hooks that live as long as the skill is active, as they stand.
    pub hooks: Option<Node>,
    /// The shell for inline commands.
    pub shell: Option<String>,
    /// Whether the author wants inline commands in the body to be run.
    pub allow_inline_shell: Option<bool>,
    /// A command that tests whether the skill does what it says (Flynn).
    pub check: Option<String>,
    /// Whether the skill wraps a command-line program (Aleph).
    pub cli_wrapper: Option<bool>,
    /// Aleph's sandbox, confirmation and network wishes, as they stand.
    pub security: Option<Node>,
    /// Aleph's container settings, as they stand.
    pub docker: Option<Node>,
    /// Aleph's argument schema, as it stands.
    pub input_hints: Option<Node>,
    /// What Aleph's learner wrote about the skill's origin, as it stands.
    pub evolution: Option<Node>,
}

/// Where a skill is offered to the model (Aleph).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Always.
    #[default]
    System,
    /// When its bound tool is available.
    Tool,
    /// Never by itself; only when asked for by name.
    Standalone,
    /// Never.
    Disabled,
}

impl Scope {
    /// The name in a skill.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Tool => "tool",
            Self::Standalone => "standalone",
            Self::Disabled => "disabled",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text is not the name of a scope.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a scope: use `system`, `tool`, `standalone` or `disabled`")]
pub struct UnknownScope(pub String);

impl FromStr for Scope {
    type Err = UnknownScope;

    /// Case and surrounding blanks do not matter.
    fn from_str(text: &str) -> Result<Self, UnknownScope> {
        let word = text.trim();
        [Self::System, Self::Tool, Self::Standalone, Self::Disabled]
            .into_iter()
            .find(|scope| scope.as_str().eq_ignore_ascii_case(word))
            .ok_or_else(|| UnknownScope(word.to_owned()))
    }
}

/// A run by the clock that a skill suggests. Nothing is scheduled by reading it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Automation {
    /// When, in the author's notation; not blank.
    pub schedule: String,
    /// What to tell the agent then.
    pub prompt: Option<String>,
    /// Where the result goes (Hermes).
    pub deliver: Option<String>,
    /// Whether no agent is needed (Hermes).
    pub no_agent: Option<bool>,
}
