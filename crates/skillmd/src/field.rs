//! The fields of a manifest by name, and their values in one form.
//!
//! `for_each_field` is the one list: the enum here, and the way from a field to its place in the manifest, are both
//! made from it. A new fact is a member of a struct, a line here, and the keys that feed it.

use crate::node::{Node, Pair};

/// Calls a macro with all fields: variant, name in output, place in the manifest. The order is that of output.
macro_rules! for_each_field {
    ($callback:ident) => {
        $callback! {
            // The standard's.
            Name, "name", name;
            Description, "description", description;
            License, "license", license;
            Compatibility, "compatibility", compatibility;
            AllowedTools, "allowed_tools", allowed_tools;

            // Display.
            Version, "version", display.version;
            Author, "author", display.author;
            Title, "title", display.title;
            ShortDescription, "short_description", display.short_description;
            Emoji, "emoji", display.emoji;
            Homepage, "homepage", display.homepage;
            Icon, "icon", display.icon;
            Color, "color", display.color;
            Tags, "tags", display.tags;
            Category, "category", display.category;
            RelatedSkills, "related_skills", display.related_skills;
            Internal, "internal", display.internal;
            ConfigKey, "config_key", display.config_key;

            // Invocation.
            WhenToUse, "when_to_use", invocation.when_to_use;
            ArgumentHint, "argument_hint", invocation.argument_hint;
            Arguments, "arguments", invocation.arguments;
            ModelInvocable, "model_invocable", invocation.model_invocable;
            UserInvocable, "user_invocable", invocation.user_invocable;
            Scope, "scope", invocation.scope;
            BoundTool, "bound_tool", invocation.bound_tool;
            Paths, "paths", invocation.paths;
            Triggers, "triggers", invocation.triggers;
            MaxToolRounds, "max_tool_rounds", invocation.max_tool_rounds;
            Automation, "automation", invocation.automation;
            Pinned, "pinned", invocation.pinned;
            CommandDispatch, "command_dispatch", invocation.command_dispatch;
            CommandTool, "command_tool", invocation.command_tool;
            CommandArgMode, "command_arg_mode", invocation.command_arg_mode;

            // Execution.
            DisallowedTools, "disallowed_tools", execution.disallowed_tools;
            Model, "model", execution.model;
            Effort, "effort", execution.effort;
            Context, "context", execution.context;
            Agent, "agent", execution.agent;
            Background, "background", execution.background;
            Hooks, "hooks", execution.hooks;
            Shell, "shell", execution.shell;
            AllowInlineShell, "allow_inline_shell", execution.allow_inline_shell;
            Check, "check", execution.check;
            CliWrapper, "cli_wrapper", execution.cli_wrapper;
            Security, "security", execution.security;
            Docker, "docker", execution.docker;
            InputHints, "input_hints", execution.input_hints;
            Evolution, "evolution", execution.evolution;

            // Requirements.
            Enabled, "enabled", requirements.enabled;
            Always, "always", requirements.always;
            Os, "os", requirements.os;
            Bins, "bins", requirements.bins;
            AnyBins, "any_bins", requirements.any_bins;
            AdvisedBins, "advised_bins", requirements.advised_bins;
            Env, "env", requirements.env;
            Variables, "variables", requirements.variables;
            PrimaryEnv, "primary_env", requirements.primary_env;
            Config, "config", requirements.config;
            Settings, "settings", requirements.settings;
            Tools, "tools", requirements.tools;
            Toolsets, "toolsets", requirements.toolsets;
            FallbackForTools, "fallback_for_tools", requirements.fallback_for_tools;
            FallbackForToolsets, "fallback_for_toolsets", requirements.fallback_for_toolsets;
            Permissions, "permissions", requirements.permissions;
            Environments, "environments", requirements.environments;
            RepoScope, "repo_scope", requirements.repo_scope;
            CredentialFiles, "credential_files", requirements.credential_files;
            Dependencies, "dependencies", requirements.dependencies;
            Nix, "nix", requirements.nix;
            PluginConfig, "plugin_config", requirements.plugin_config;
            Install, "install", install;

            // Everything in `metadata`, also what no field stands for.
            Metadata, "metadata", metadata;
        }
    };
}
pub(crate) use for_each_field;

macro_rules! define_field {
    ($($variant:ident, $name:literal, $($place:ident).+;)*) => {
        /// A field of a [`Manifest`](crate::manifest::Manifest).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Field {
            $(#[doc = concat!("`", $(".", stringify!($place),)+ "`")] $variant,)*
        }

        impl Field {
            /// All fields, in the order of output.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name in output, in snake case.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}
for_each_field!(define_field);

/// A set field's value, for whoever prints or compares values without knowing each type.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue<'m> {
    /// Text.
    Text(&'m str),
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Integer(u64),
    /// Values in order.
    List(Vec<FieldValue<'m>>),
    /// Names and values in a fixed order; what is not set is left out.
    Record(Vec<(&'static str, FieldValue<'m>)>),
    /// A value that is kept as it stands in the frontmatter.
    Node(&'m Node),
    /// A mapping that is kept as it stands in the frontmatter.
    Pairs(&'m [Pair]),
}

impl<'m> FieldValue<'m> {
    /// A list of texts.
    pub(crate) fn texts(items: &'m [String]) -> Self {
        Self::List(items.iter().map(|item| Self::Text(item)).collect())
    }
}

/// Collects the set members of a record.
#[derive(Debug, Default)]
pub(crate) struct Members<'m>(Vec<(&'static str, FieldValue<'m>)>);

impl<'m> Members<'m> {
    pub(crate) fn set(mut self, name: &'static str, value: Option<FieldValue<'m>>) -> Self {
        self.0.extend(value.map(|value| (name, value)));
        self
    }

    pub(crate) fn text(self, name: &'static str, text: Option<&'m str>) -> Self {
        self.set(name, text.map(FieldValue::Text))
    }

    pub(crate) fn flag(self, name: &'static str, flag: Option<bool>) -> Self {
        self.set(name, flag.map(FieldValue::Flag))
    }

    pub(crate) fn texts(self, name: &'static str, items: &'m [String]) -> Self {
        let value = (!items.is_empty()).then(|| FieldValue::texts(items));
        self.set(name, value)
    }

    pub(crate) fn record(self) -> FieldValue<'m> {
        FieldValue::Record(self.0)
    }

    /// The record, unless it is empty.
    pub(crate) fn record_if_any(self) -> Option<FieldValue<'m>> {
        (!self.0.is_empty()).then(|| self.record())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_in_snake_case() {
        let mut seen = std::collections::HashSet::new();
        for field in Field::ALL {
            let name = field.as_str();
            assert!(seen.insert(name), "{name} stands twice");
            assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'));
        }
    }
}
