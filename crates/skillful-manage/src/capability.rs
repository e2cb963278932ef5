//! What a skill could do if it were installed: what a person looks at before saying yes, and what an update adds.
//!
//! Capabilities are read from the skill's claims and files, and say nothing about whether the skill is honest; that is
//! the scan's question.

use std::collections::BTreeSet;
use std::fmt;

use skillmd::Manifest;
use skillmd::install::InstallSpec;

/// One thing that a skill brings or asks for. Ordered as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Capability {
    /// A file that can be run: a script, a program, or anything with the executable bit.
    Script(String),
    /// A command of its text is run when it is activated, where the operator allows that.
    InlineShell,
    /// It has hooks that a client runs by itself.
    Hooks,
    /// A tool that it wants to use without being asked each time.
    Tool(String),
    /// A permission that it asks for.
    Permission(String),
    /// A program that it needs.
    Program(String),
    /// An environment variable that it reads.
    Variable(String),
    /// A package that would have to be installed.
    Package(String),
    /// A host that its text or its files name.
    Host(String),
    /// A run that it suggests to schedule.
    Schedule(String),
}

impl Capability {
    /// The word for its kind in JSON.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Script(_) => "script",
            Self::InlineShell => "inline-shell",
            Self::Hooks => "hooks",
            Self::Tool(_) => "tool",
            Self::Permission(_) => "permission",
            Self::Program(_) => "program",
            Self::Variable(_) => "variable",
            Self::Package(_) => "package",
            Self::Host(_) => "host",
            Self::Schedule(_) => "schedule",
        }
    }

    /// What of its kind it is; nothing where there is only one.
    pub fn detail(&self) -> Option<&str> {
        match self {
            Self::InlineShell | Self::Hooks => None,
            Self::Script(text)
            | Self::Tool(text)
            | Self::Permission(text)
            | Self::Program(text)
            | Self::Variable(text)
            | Self::Package(text)
            | Self::Host(text)
            | Self::Schedule(text) => Some(text),
        }
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind())?;
        match self.detail() {
            Some(detail) => write!(f, ":{detail}"),
            None => Ok(()),
        }
    }
}

/// A file of a skill, as far as capabilities ask.
#[derive(Clone, Copy, Debug)]
pub struct FileFacts<'a> {
    /// Its path in the skill.
    pub path: &'a str,
    /// Whether it may be executed.
    pub executable: bool,
    /// What it holds.
    pub bytes: &'a [u8],
}

/// The capabilities of a skill, sorted.
pub fn capabilities<'a>(
    manifest: &Manifest,
    files: impl IntoIterator<Item = FileFacts<'a>>,
) -> BTreeSet<Capability> {
    let mut found = claimed(manifest);
    for file in files {
        if file.executable || is_script(file.path, file.bytes) {
            found.insert(Capability::Script(file.path.to_owned()));
        }
        found.extend(hosts(file.bytes).map(Capability::Host));
    }
    found
}

fn claimed(manifest: &Manifest) -> BTreeSet<Capability> {
    let mut found = BTreeSet::new();
    let requirements = &manifest.requirements;
    let tools = manifest.allowed_tools.iter().flatten();
    found.extend(tools.cloned().map(Capability::Tool));
    let permissions = requirements.permissions.iter();
    found.extend(permissions.cloned().map(Capability::Permission));
    let programs = requirements.bins.iter().chain(&requirements.any_bins);
    found.extend(programs.cloned().map(Capability::Program));
    let declared = requirements.variables.iter().map(|variable| &variable.name);
    let variables = requirements.env.iter().chain(declared);
    let variables = variables.chain(&requirements.primary_env);
    found.extend(variables.cloned().map(Capability::Variable));
    found.extend(
        manifest
            .install
            .iter()
            .map(package)
            .map(Capability::Package),
    );
    if let Some(automation) = &manifest.invocation.automation {
        found.insert(Capability::Schedule(automation.schedule.clone()));
    }
    if manifest.execution.hooks.is_some() {
        found.insert(Capability::Hooks);
    }
    if manifest.execution.allow_inline_shell == Some(true) {
        found.insert(Capability::InlineShell);
    }
    found
}

/// A package with what installs it, such as `npm:typescript`.
fn package(spec: &InstallSpec) -> String {
    let what = spec.package.as_ref().or(spec.url.as_ref());
    let what = what.map_or("?", String::as_str);
    format!("{}:{what}", spec.kind)
}

/// Endings of files that an interpreter or a system runs.
const SCRIPT_ENDINGS: &[&str] = &[
    "bash", "bat", "cjs", "cmd", "command", "exe", "fish", "go", "js", "jsx", "lua", "mjs", "php",
    "pl", "ps1", "psm1", "py", "pyw", "r", "rb", "rs", "scpt", "sh", "swift", "ts", "tsx", "vbs",
    "wasm", "zsh",
];

fn is_script(path: &str, bytes: &[u8]) -> bool {
    let ending = path.rsplit_once('.').map(|(_, ending)| ending);
    bytes.starts_with(b"#!")
        || ending.is_some_and(|ending| {
            let ending = ending.to_ascii_lowercase();
            SCRIPT_ENDINGS.binary_search(&ending.as_str()).is_ok()
        })
}

/// The hosts of the addresses in a text, in lower case, without port or credentials.
fn hosts(bytes: &[u8]) -> impl Iterator<Item = String> {
    let text = String::from_utf8_lossy(bytes);
    let mut found = BTreeSet::new();
    for scheme in ["https://", "http://", "wss://", "ws://", "ftp://", "ssh://"] {
        for (at, _) in text.match_indices(scheme) {
            let rest = text.get(at + scheme.len()..).unwrap_or_default();
            let end = rest.find(|c: char| !is_authority(c)).unwrap_or(rest.len());
            let authority = rest.get(..end).unwrap_or_default();
            let host = authority
                .rsplit_once('@')
                .map_or(authority, |(_, host)| host);
            let host = host.split_once(':').map_or(host, |(host, _)| host);
            let host = host.trim_end_matches(['.', '-']).to_ascii_lowercase();
            if host.contains('.') && host.len() <= 253 {
                found.insert(host);
            }
        }
    }
    found.into_iter()
}

fn is_authority(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '@' | ':')
}

/// What an update adds and takes away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CapabilityDiff {
    /// What the new version could do and the old one could not.
    pub added: BTreeSet<Capability>,
    /// What only the old one could.
    pub removed: BTreeSet<Capability>,
}

impl CapabilityDiff {
    /// The difference between two versions.
    pub fn between(old: &BTreeSet<Capability>, new: &BTreeSet<Capability>) -> Self {
        Self {
            added: new.difference(old).cloned().collect(),
            removed: old.difference(new).cloned().collect(),
        }
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use skillmd::Reporter;

    use super::*;

    fn shown(text: &str, files: &[FileFacts<'_>]) -> Vec<String> {
        let document = skillmd::parse(text.as_bytes().to_vec()).unwrap();
        let manifest = Manifest::read(&document, &mut Reporter::new(document.text()));
        let found = capabilities(&manifest, files.iter().copied());
        found.iter().map(Capability::to_string).collect()
    }

    const fn file<'a>(path: &'a str, executable: bool, bytes: &'a [u8]) -> FileFacts<'a> {
        FileFacts {
            path,
            executable,
            bytes,
        }
    }

    #[test]
    fn what_a_skill_claims_and_brings() {
        let text = "---\nname: x\ndescription: y\nallowed-tools: Bash(git add:*), Read\n\
            metadata:\n  openclaw:\n    requires:\n      bins: [jq]\n      env: [TOKEN]\n    \
            install:\n      - kind: node\n        package: left-pad\n        bins: [pad]\n---\n";
        let files = [
            file(
                "SKILL.md",
                false,
                b"See https://Docs.Example.com/x and http://user@h.example:80/.",
            ),
            file("run", false, b"#!/bin/sh\n"),
            file("tool.PY", false, b"print()"),
            file("blob", true, b"\x7fELF"),
            file(
                "notes.md",
                false,
                b"https://localhost/ is no host of anybody",
            ),
        ];
        assert_eq!(
            shown(text, &files),
            [
                "script:blob",
                "script:run",
                "script:tool.PY",
                "tool:Bash(git add:*)",
                "tool:Read",
                "program:jq",
                "variable:TOKEN",
                "package:npm:left-pad",
                "host:docs.example.com",
                "host:h.example",
            ]
        );
    }

    #[test]
    fn what_runs_by_itself_is_told() {
        let text = "---\nname: x\ndescription: y\nallow-inline-shell: true\n\
            hooks:\n  PreToolUse: []\nrequired_permissions: [run_shell_command]\n---\n";
        assert_eq!(
            shown(text, &[]),
            ["inline-shell", "hooks", "permission:run_shell_command"]
        );
    }

    #[test]
    fn endings_are_sorted() {
        assert!(SCRIPT_ENDINGS.is_sorted());
    }

    #[test]
    fn a_difference_has_two_sides() {
        let set = |hosts: &[&str]| -> BTreeSet<Capability> {
            let hosts = hosts.iter().map(|&host| host.to_owned());
            hosts.map(Capability::Host).collect()
        };
        let diff = CapabilityDiff::between(&set(&["a.b", "c.d"]), &set(&["c.d", "e.f"]));
        assert_eq!(diff.added, set(&["e.f"]));
        assert_eq!(diff.removed, set(&["a.b"]));
        assert!(!diff.is_empty());
        assert!(CapabilityDiff::between(&set(&["a.b"]), &set(&["a.b"])).is_empty());
    }
}
