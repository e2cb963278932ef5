//! The rows. See [`super`] for what their order means.
//!
//! A row reads: path, field, shape, `read` clients that act on it, `shown` clients that only display it, meaning.

use super::{Key, Shape};
use crate::field::Field;

/// The ids of clients, shortened so that a row stays a line.
mod client {
    pub(super) const AL: &str = "aleph";
    pub(super) const CC: &str = "claude-code";
    pub(super) const CH: &str = "clawhub";
    pub(super) const CU: &str = "cursor";
    pub(super) const CX: &str = "codex";
    pub(super) const DK: &str = "denkeeper";
    pub(super) const FL: &str = "flynn";
    pub(super) const GH: &str = "github-copilot";
    pub(super) const GM: &str = "gemini-cli";
    pub(super) const GO: &str = "goose";
    pub(super) const HE: &str = "hermes-agent";
    pub(super) const KC: &str = "kirocrew";
    pub(super) const KE: &str = "kesoku";
    pub(super) const OC: &str = "opencode";
    pub(super) const OW: &str = "openclaw";
    pub(super) const SP: &str = "skillport";
    pub(super) const VS: &str = "vercel-skills";
}

const EFFORTS: &[&str] = &["low", "medium", "high", "xhigh", "max"];
const SHELLS: &[&str] = &["bash", "powershell"];

macro_rules! keys {
    ($(
        $path:literal $(or [$($also:literal)*])?, $field:ident, $shape:ident $(($words:expr))?,
        read [$($reader:ident)*], shown [$($shower:ident)*], $meaning:literal;
    )*) => {
        /// All keys of all dialects, in order of precedence.
        pub static KEYS: &[Key] = &[$(Key {
            path: $path,
            also: &[$($($also),*)?],
            field: Field::$field,
            shape: Shape::$shape $(($words))?,
            read_by: &[$(client::$reader),*],
            shown_by: &[$(client::$shower),*],
            meaning: $meaning,
        },)*];
    };
}

keys! {
    // The standard's.
    "name", Name, Text, read [CC CX GM OC CU GH GO OW HE KE AL DK FL SP VS], shown [], "the skill's name, equal to its directory's";
    "description", Description, Text, read [CC CX GM OC CU GH GO OW HE KE AL DK FL SP VS], shown [], "what the skill does and when to use it";
    "license", License, Text, read [], shown [CC OC CU GH OW HE FL SP], "the licence's name or file";
    "compatibility", Compatibility, Text, read [], shown [CC OC CU GH FL SP], "what the skill needs, for people";
    "allowed-tools", AllowedTools, Words, read [CC GH AL], shown [FL SP], "tools that the skill wants to use without being asked each time";
    "metadata", Metadata, Mapping, read [CX GO OW HE KE AL FL SP VS], shown [CC OC CU GH], "further facts, each client's under its own key";

    // Invocation.
    "when_to_use", WhenToUse, Text, read [CC], shown [], "when to use the skill, added to the description";
    "when-to-use", WhenToUse, Text, read [AL], shown [], "when to use the skill, shown beside the description";
    "argument-hint", ArgumentHint, Verbatim, read [CC GH], shown [], "what to show after the command's name while typing";
    "arguments", Arguments, Words, read [CC], shown [], "names of the positional arguments";
    "disable-model-invocation", ModelInvocable, InvertedFlag, read [CC GH CU OW AL], shown [], "keep the skill from the model; a person can still call it";
    "user-invocable" or ["user-invokable"], UserInvocable, Flag, read [CC GH OW AL], shown [], "whether a person can call the skill by name";
    "scope", Scope, Scope, read [AL], shown [], "where the skill is offered to the model";
    "bound-tool", BoundTool, Text, read [AL], shown [], "the tool that the skill comes with, in scope `tool`";
    "paths", Paths, Phrases, read [CC CU], shown [], "globs: load when a file that matches is touched";
    "globs", Paths, Phrases, read [CU], shown [], "older name of `paths`";
    "triggers", Triggers, Triggers, read [DK KC], shown [], "commands, schedules and phrases that bring the skill up";
    "max_tool_rounds", MaxToolRounds, Count, read [DK], shown [], "most rounds of tool calls while the skill drives a turn";
    "automation", Automation, Automation, read [AL], shown [], "a run by the clock that the author suggests";
    "always", Pinned, Flag, read [KC], shown [], "put the skill in front of the model in every session";
    "command-dispatch", CommandDispatch, OneOf(&["tool"]), read [OW], shown [], "`tool`: the slash command calls a tool without the model";
    "command-tool", CommandTool, Text, read [OW], shown [], "the tool that the slash command calls";
    "command-arg-mode", CommandArgMode, OneOf(&["raw"]), read [OW], shown [], "how the slash command's arguments reach the tool";

    // Execution.
    "disallowed-tools", DisallowedTools, Words, read [CC], shown [], "tools that are taken away while the skill is active";
    "model", Model, Text, read [CC SP], shown [], "the model for the rest of the turn";
    "effort", Effort, OneOf(EFFORTS), read [CC], shown [], "how hard the model should think";
    "context", Context, OneOf(&["fork"]), read [CC GH], shown [], "`fork`: run in an agent of its own";
    "agent", Agent, Text, read [CC], shown [], "the kind of agent for a fork";
    "background", Background, Flag, read [CC], shown [], "whether a fork runs in the background";
    "hooks", Hooks, Any, read [CC], shown [], "hooks that live as long as the skill is active";
    "shell", Shell, OneOf(SHELLS), read [CC], shown [], "the shell for inline commands";
    "allow-inline-shell", AllowInlineShell, Flag, read [AL], shown [], "the author wants inline commands to be run";
    "cli-wrapper", CliWrapper, Flag, read [AL], shown [], "the skill wraps a command-line program";

    // Requirements.
    "eligibility.os", Os, Platforms, read [AL], shown [], "operating systems; none listed = never";
    "eligibility.required-bins", Bins, Words, read [AL], shown [], "programs that must all be there";
    "eligibility.any-bins", AnyBins, Words, read [AL], shown [], "programs of which one must be there";
    "eligibility.required-env", Env, Words, read [AL], shown [], "environment variables that must be set";
    "eligibility.required-config", Config, Words, read [AL], shown [], "configuration paths that must hold a value";
    "eligibility.always", Always, Flag, read [AL], shown [], "skip all other requirements";
    "eligibility.enabled", Enabled, Flag, read [AL], shown [], "`false` takes the skill out of use";
    "platforms", Os, Platforms, read [HE], shown [], "operating systems; absent = all";
    "environments", Environments, Words, read [HE], shown [], "kinds of environment that the skill is offered in";
    "required_environment_variables", Variables, Variables, read [HE], shown [], "variables that are asked for on first use";
    "required_credential_files", CredentialFiles, Files, read [HE], shown [], "credential files that a sandbox must be given";
    "prerequisites.env_vars", Variables, Variables, read [HE], shown [], "older form of `required_environment_variables`";
    "prerequisites.commands", AdvisedBins, Words, read [HE], shown [], "programs that are of use";
    "deps", Dependencies, Phrases, read [HE], shown [], "other things that the skill needs";
    "required_permissions", Permissions, Words, read [KE], shown [], "permissions that the operator must have granted";
    "requires.tools", Tools, Words, read [DK], shown [], "tools that must all be available";
    "requirements.binaries", Bins, Words, read [AL], shown [], "older form of `eligibility.required-bins`";
    "requirements.platforms", Os, Platforms, read [AL], shown [], "older form of `eligibility.os`";
    "repo_scope", RepoScope, Text, read [KC], shown [], "a path that must exist in the working directory or above it";
    "primary-env", PrimaryEnv, Text, read [AL], shown [], "the variable that holds the API key";
    "install", Install, Installs, read [AL], shown [], "how to get the programs that are needed";
    "requirements.install", Install, Installs, read [AL], shown [], "older form of `install`";

    // Display.
    "version", Version, Text, read [CH DK KE], shown [HE], "the version";
    "author", Author, Text, read [], shown [HE], "who wrote the skill";
    "display-name", Title, Text, read [CC], shown [], "a name for people";
    "title", Title, Text, read [], shown [], "a name for people";
    "displayName", Title, Text, read [], shown [], "a name for people";
    "summary", ShortDescription, Text, read [], shown [], "a description for narrow places";
    "emoji", Emoji, Text, read [], shown [AL], "a picture of one character";
    "homepage", Homepage, Text, read [], shown [OW AL], "where to read more";
    "icon", Icon, Text, read [], shown [CU], "a picture's name";
    "color", Color, Text, read [], shown [CU], "a colour's name";
    "tags", Tags, Phrases, read [HE], shown [], "words to find the skill by";
    "category", Category, Text, read [AL], shown [], "the shelf that the skill stands on";

    // In `metadata`: Codex, Goose, Kesoku, Vercel.
    "metadata.short-description", ShortDescription, Text, read [CX], shown [], "a description for narrow places";
    "metadata.argument-hint", ArgumentHint, Verbatim, read [GO], shown [], "what to show after the command's name while typing";
    "metadata.arguments", Arguments, Words, read [GO], shown [], "names of the positional arguments";
    "metadata.tags", Tags, Phrases, read [KE], shown [], "words to find the skill by";
    "metadata.platforms", Os, Platforms, read [KE], shown [], "operating systems; none listed = never";
    "metadata.related_skills", RelatedSkills, Phrases, read [KE], shown [], "skills that go with this one";
    "metadata.internal", Internal, Flag, read [VS], shown [], "not meant for others; left out of listings";

    // Flynn. The second prefix is the older one.
    "metadata.\"flynnhq.com/title\"", Title, Text, read [FL], shown [], "a name for people";
    "metadata.\"flynnhq.com/tags\"", Tags, Phrases, read [FL], shown [], "words to find the skill by, as a JSON list";
    "metadata.\"flynnhq.com/check\"", Check, Text, read [FL], shown [], "a command that tests what the skill does";
    "metadata.\"ionagent.io/title\"", Title, Text, read [FL], shown [], "a name for people";
    "metadata.\"ionagent.io/tags\"", Tags, Phrases, read [FL], shown [], "words to find the skill by, as a JSON list";
    "metadata.\"ionagent.io/check\"", Check, Text, read [FL], shown [], "a command that tests what the skill does";

    // OpenClaw and ClawHub.
    "metadata.openclaw.always", Always, Flag, read [OW], shown [], "skip all requirements but the operating system";
    "metadata.openclaw.os", Os, Platforms, read [OW], shown [], "operating systems";
    "metadata.openclaw.requires.bins", Bins, Words, read [OW CH], shown [], "programs that must all be there";
    "metadata.openclaw.requires.anyBins", AnyBins, Words, read [OW CH], shown [], "programs of which one must be there";
    "metadata.openclaw.requires.env", Env, Words, read [OW CH], shown [], "environment variables that must be set";
    "metadata.openclaw.requires.config", Config, Words, read [OW CH], shown [], "configuration paths that must hold a value";
    "metadata.openclaw.install", Install, Installs, read [OW CH], shown [], "how to get the programs that are needed";
    "metadata.openclaw.primaryEnv", PrimaryEnv, Text, read [OW], shown [], "the variable that holds the API key";
    "metadata.openclaw.skillKey", ConfigKey, Text, read [OW], shown [], "the key of the skill's entry in the configuration";
    "metadata.openclaw.envVars", Variables, Variables, read [CH], shown [], "environment variables that the skill declares";
    "metadata.openclaw.emoji", Emoji, Text, read [], shown [OW], "a picture of one character";
    "metadata.openclaw.homepage", Homepage, Text, read [], shown [OW], "where to read more";
    "metadata.openclaw.nix", Nix, Any, read [CH], shown [], "the Nix plugin that the skill comes with";
    "metadata.openclaw.config", PluginConfig, Any, read [CH], shown [], "the plugin configuration that the skill needs";

    // Hermes.
    "metadata.hermes.requires_tools", Tools, Words, read [HE], shown [], "tools that must all be available";
    "metadata.hermes.requires_toolsets", Toolsets, Words, read [HE], shown [], "sets of tools that must all be available";
    "metadata.hermes.fallback_for_tools", FallbackForTools, Words, read [HE], shown [], "hide the skill when one of these tools is available";
    "metadata.hermes.fallback_for_toolsets", FallbackForToolsets, Words, read [HE], shown [], "hide the skill when one of these sets of tools is available";
    "metadata.hermes.config", Settings, Settings, read [HE], shown [], "configuration entries that the skill declares";
    "metadata.hermes.blueprint", Automation, Automation, read [HE], shown [], "a run by the clock that the author suggests";
    "metadata.hermes.tags", Tags, Phrases, read [HE], shown [], "words to find the skill by";
    "metadata.hermes.category", Category, Text, read [HE], shown [], "the shelf that the skill stands on";
    "metadata.hermes.related_skills", RelatedSkills, Phrases, read [HE], shown [], "skills that go with this one";

    // Aleph's command-line tools.
    "metadata.requires.bins", AdvisedBins, Words, read [AL], shown [], "programs that are of use; the first is the tool";
    "metadata.aleph.security", Security, Any, read [AL], shown [], "the sandbox, confirmations and network that the skill wants";
    "metadata.aleph.docker", Docker, Any, read [AL], shown [], "the container for sandbox `docker`";
    "metadata.aleph.input_hints", InputHints, Any, read [AL], shown [], "types and descriptions of the arguments";
    "metadata.aleph.evolution", Evolution, Any, read [AL], shown [], "where a learned skill came from";

    // Skillport.
    "metadata.skillport.alwaysApply", Pinned, Flag, read [SP], shown [], "put the skill in front of the model at all times";
    "metadata.skillport.tags", Tags, Phrases, read [SP], shown [], "words to find the skill by";
    "metadata.skillport.category", Category, Text, read [SP], shown [], "the shelf that the skill stands on";

    // What other dialects have at the top level, where the standard wants it. Skillful alone reads these.
    "metadata.version", Version, Text, read [], shown [], "the version";
    "metadata.author", Author, Text, read [], shown [], "who wrote the skill";
    "metadata.title", Title, Text, read [], shown [], "a name for people";
    "metadata.check", Check, Text, read [], shown [], "a command that tests what the skill does";
    "metadata.display-name", Title, Text, read [], shown [], "a name for people";
    "metadata.summary", ShortDescription, Text, read [], shown [], "a description for narrow places";
    "metadata.emoji", Emoji, Text, read [], shown [], "a picture of one character";
    "metadata.homepage", Homepage, Text, read [], shown [], "where to read more";
    "metadata.icon", Icon, Text, read [], shown [], "a picture's name";
    "metadata.color", Color, Text, read [], shown [], "a colour's name";
    "metadata.category", Category, Text, read [], shown [], "the shelf that the skill stands on";
    "metadata.when-to-use", WhenToUse, Text, read [], shown [], "when to use the skill";
    "metadata.triggers", Triggers, Triggers, read [], shown [], "commands, schedules and phrases that bring the skill up";
    "metadata.max_tool_rounds", MaxToolRounds, Count, read [], shown [], "most rounds of tool calls while the skill drives a turn";
    "metadata.requires.tools", Tools, Words, read [], shown [], "tools that must all be available";
    "metadata.required_permissions", Permissions, Words, read [], shown [], "permissions that the operator must have granted";
}
