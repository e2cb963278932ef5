//! The outside world as a value: home, working directory, environment, operating system, and what agents have at hand.
//!
//! Nothing in this crate asks the process for any of these. They are gathered once, by [`Host::from_environment`] or
//! by whoever embeds the crate, so that every decision can be tested and explained without the machine it was made on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

/// An operating system, as far as skills tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Os {
    /// Linux.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
    /// Any other.
    Other,
}

impl Os {
    /// The operating system that the program was built for.
    pub const fn current() -> Self {
        if cfg!(target_os = "linux") {
            Self::Linux
        } else if cfg!(target_os = "macos") {
            Self::MacOs
        } else if cfg!(windows) {
            Self::Windows
        } else {
            Self::Other
        }
    }

    /// The name for people.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Linux => "linux",
            Self::MacOs => "macos",
            Self::Windows => "windows",
            Self::Other => "another system",
        }
    }
}

/// What the world around the library is like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    home: Option<PathBuf>,
    working_directory: PathBuf,
    environment: BTreeMap<String, String>,
    os: Os,
    tools: BTreeSet<String>,
    toolsets: BTreeSet<String>,
    environments: BTreeSet<String>,
    values: Value,
}

impl Host {
    /// A host without a home, environment variables, tools and values, on the operating system of the build.
    pub fn new(working_directory: impl Into<PathBuf>) -> Self {
        Self {
            home: None,
            working_directory: working_directory.into(),
            environment: BTreeMap::new(),
            os: Os::current(),
            tools: BTreeSet::new(),
            toolsets: BTreeSet::new(),
            environments: BTreeSet::new(),
            values: Value::Null,
        }
    }

    /// The host that the process runs on. The only place where the crate reads the process's environment.
    ///
    /// Variables whose name or value is not Unicode are left out. A working directory that cannot be determined (it
    /// was deleted) becomes the empty path, below which nothing is found.
    pub fn from_environment() -> Self {
        Self {
            home: std::env::home_dir().filter(|home| home.is_absolute()),
            environment: std::env::vars_os()
                .filter_map(|(name, value)| {
                    Some((name.into_string().ok()?, value.into_string().ok()?))
                })
                .collect(),
            ..Self::new(std::env::current_dir().unwrap_or_default())
        }
    }

    /// The same host with this home.
    #[must_use]
    pub fn with_home(mut self, home: impl Into<PathBuf>) -> Self {
        self.home = Some(home.into());
        self
    }

    /// The same host with one more environment variable.
    #[must_use]
    pub fn with_variable(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.environment.insert(name.into(), value.into());
        self
    }

    /// The same host with another operating system.
    #[must_use]
    pub fn with_os(mut self, os: Os) -> Self {
        self.os = os;
        self
    }

    /// The same host with these tools as well, spelt as skills spell them.
    #[must_use]
    pub fn with_tools(mut self, tools: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.tools.extend(tools.into_iter().map(Into::into));
        self
    }

    /// The same host with these sets of tools as well.
    #[must_use]
    pub fn with_toolsets(mut self, toolsets: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.toolsets.extend(toolsets.into_iter().map(Into::into));
        self
    }

    /// The same host, being of these kinds of environment as well, such as `docker`.
    #[must_use]
    pub fn with_environments(mut self, kinds: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.environments.extend(kinds.into_iter().map(Into::into));
        self
    }

    /// The same host with this tree of operator's values, in place of the one before.
    #[must_use]
    pub fn with_values(mut self, values: Value) -> Self {
        self.values = values;
        self
    }

    /// The same host with these values laid over its own: tables become one, anything else is replaced. Nothing, as JSON's
    /// `null`, replaces nothing.
    #[must_use]
    pub fn with_more_values(mut self, values: Value) -> Self {
        lay_over(&mut self.values, values);
        self
    }

    /// The user's home directory, where one is known.
    pub fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// The directory that the user works in.
    pub fn working_directory(&self) -> &Path {
        &self.working_directory
    }

    /// The value of an environment variable. An empty one counts as missing. On Windows case does not matter.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.entry(name).filter(|value| !value.is_empty())
    }

    /// Whether an environment variable is there, be it empty.
    pub fn is_set(&self, name: &str) -> bool {
        self.entry(name).is_some()
    }

    fn entry(&self, name: &str) -> Option<&str> {
        let same_but_for_case = || {
            let mut others = self.environment.iter().filter(|_| self.os == Os::Windows);
            let found = others.find(|(other, _)| other.eq_ignore_ascii_case(name));
            found.map(|(_, value)| value)
        };
        let value = self.environment.get(name).or_else(same_but_for_case);
        value.map(String::as_str)
    }

    /// Whether the agents have this tool.
    pub fn has_tool(&self, name: &str) -> bool {
        self.tools.contains(name)
    }

    /// Whether the agents have this set of tools.
    pub fn has_toolset(&self, name: &str) -> bool {
        self.toolsets.contains(name)
    }

    /// Whether this is such a kind of environment.
    pub fn is_environment(&self, kind: &str) -> bool {
        self.environments.contains(kind)
    }

    /// All tools, sorted.
    pub fn tools(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(String::as_str)
    }

    /// The operator's values, which skills ask for by dotted paths.
    pub fn values(&self) -> &Value {
        &self.values
    }

    /// The operating system.
    pub fn os(&self) -> Os {
        self.os
    }
}

/// Recurses no deeper than the flatter of the two.
fn lay_over(below: &mut Value, above: Value) {
    match (below, above) {
        (_, Value::Null) => {}
        (Value::Object(below), Value::Object(above)) => {
            for (key, value) in above {
                lay_over(below.entry(key).or_insert(Value::Null), value);
            }
        }
        (below, above) => *below = above,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn more_values_are_laid_over() {
        let host = Host::new("/work").with_values(json!({ "a": { "b": 1, "c": [1] }, "d": "x" }));
        let same = host.clone().with_more_values(Value::Null);
        assert_eq!(same, host);
        let more = json!({ "a": { "c": [2], "e": {} }, "d": { "f": null } });
        let laid_over = json!({ "a": { "b": 1, "c": [2], "e": {} }, "d": { "f": null } });
        assert_eq!(host.with_more_values(more.clone()).values(), &laid_over);
        assert_eq!(
            Host::new("/work").with_more_values(more.clone()).values(),
            &more
        );
    }

    #[test]
    fn an_empty_variable_counts_as_missing() {
        let host = Host::new("/work")
            .with_variable("A", "")
            .with_variable("B", "x");
        assert_eq!(host.variable("A"), None);
        assert!(host.is_set("A") && !host.is_set("C"));
        assert_eq!(host.variable("B"), Some("x"));
        assert_eq!(host.variable("C"), None);
    }

    #[test]
    fn on_windows_case_does_not_matter() {
        let host = Host::new("/work").with_variable("Path", "x");
        assert_eq!(
            host.clone().with_os(Os::Windows).variable("PATH"),
            Some("x")
        );
        assert_eq!(host.with_os(Os::Linux).variable("PATH"), None);
    }

    #[test]
    fn the_process_has_a_working_directory() {
        assert!(Host::from_environment().working_directory().is_absolute());
    }
}
