//! The kinds of reasons why a skill that can be read is not ready.

macro_rules! kinds {
    ($($variant:ident, $word:literal, $meaning:literal;)*) => {
        /// What sort of reason keeps a skill from being ready. The words are a contract: they are added, never renamed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum BlockerKind {
            $(#[doc = $meaning] $variant,)*
        }

        impl BlockerKind {
            /// All kinds.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The word used in every output.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// What it means, in a line.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)* }
            }
        }
    };
}

kinds! {
    Enabled, "enabled", "its author wrote `enabled: false`";
    Scope, "scope", "its author wrote `scope: disabled`";
    Configured, "configured", "a configuration file switched it off";
    Archived, "archived", "it was put away";
    Withheld, "withheld", "its content was found dangerous, or is not what was accepted";
    Os, "os", "it is not meant for this operating system";
    Environment, "environment", "it is not meant for this kind of environment";
    Bin, "bin", "a program is not on the search path";
    AnyBin, "any-bin", "none of several programs is on the search path";
    Env, "env", "an environment variable is not set, or is empty";
    Config, "config", "the operator's values lack something";
    Tool, "tool", "a tool is not available";
    Toolset, "toolset", "a set of tools is not available";
    Fallback, "fallback", "what it stands in for is available";
    Permission, "permission", "it asks for a permission that was not granted";
}
