//! What a skill asks for and does not have.

use skillmd::Manifest;
use skillmd::install::{InstallKind, InstallSpec};
use skillmd::platform::Os as Platform;

use super::kind::BlockerKind;
use super::{Conditions, values};
use crate::host::{Host, Os};
use crate::load::Skill;
use crate::programs::is_name;
use crate::state::Blocker;

/// Every requirement that is not met, in the order of [`BlockerKind::ALL`].
pub(super) fn missing(
    skill: &Skill,
    manifest: &Manifest,
    conditions: &Conditions<'_>,
) -> Vec<Blocker> {
    let required = &manifest.requirements;
    let host = conditions.host;
    let mut blockers = Vec::new();
    if required.always == Some(true) {
        // `always` skips everything; only OpenClaw, which keeps its keys in `metadata`, still asks for the system.
        if is_openclaws(manifest) {
            blockers.extend(os(required.os.as_deref(), host.os()));
        }
        return blockers;
    }
    blockers.extend(os(required.os.as_deref(), host.os()));
    blockers.extend(environment(&required.environments, host));
    blockers.extend(bins(manifest, conditions));
    blockers.extend(any_bins(manifest, conditions));
    blockers.extend(env(skill, manifest, host));
    blockers.extend(config(&required.config, host));
    blockers.extend(tools(&required.tools, BlockerKind::Tool, host));
    blockers.extend(tools(&required.toolsets, BlockerKind::Toolset, host));
    blockers.extend(fallback(
        &required.fallback_for_tools,
        BlockerKind::Tool,
        host,
    ));
    blockers.extend(fallback(
        &required.fallback_for_toolsets,
        BlockerKind::Toolset,
        host,
    ));
    blockers.extend(permissions(
        &required.permissions,
        conditions.config.grants(),
    ));
    blockers
}

fn blocker(kind: BlockerKind, detail: String) -> Blocker {
    Blocker::new(kind.as_str(), detail)
}

fn is_openclaws(manifest: &Manifest) -> bool {
    ["openclaw", "clawdbot", "clawdis"]
        .iter()
        .any(|key| manifest.metadata(key).is_some())
}

fn os(supported: Option<&[Platform]>, here: Os) -> Option<Blocker> {
    let supported = supported?;
    let is_here = |os: &Platform| match os {
        Platform::Linux => here == Os::Linux,
        Platform::MacOs => here == Os::MacOs,
        Platform::Windows => here == Os::Windows,
    };
    if supported.iter().any(is_here) {
        return None;
    }
    let here = here.as_str();
    if supported.is_empty() {
        let detail =
            "its list of operating systems is empty, or names none that is known".to_owned();
        let help = "correct the list in its SKILL.md, or take it out";
        return Some(blocker(BlockerKind::Os, detail).help(help));
    }
    let names: Vec<&str> = supported.iter().map(|os| os.as_str()).collect();
    let detail = format!(
        "it is meant for {}, and this is {here}",
        listed(&names, "and")
    );
    Some(blocker(BlockerKind::Os, detail).help(format!("use it on {}", listed(&names, "or"))))
}

fn environment(kinds: &[String], host: &Host) -> Option<Blocker> {
    if kinds.is_empty() || kinds.iter().any(|kind| host.is_environment(kind)) {
        return None;
    }
    let names = quoted(kinds, "or");
    let detail = format!("it is meant for environments of the kind {names}");
    let help = "if this is one, list it under `host.environments` in skills.toml";
    Some(blocker(BlockerKind::Environment, detail).help(help))
}

fn bins(manifest: &Manifest, conditions: &Conditions<'_>) -> Vec<Blocker> {
    let bins = manifest.requirements.bins.iter();
    let missing = bins.filter(|bin| !conditions.programs.has(bin));
    missing
        .map(|bin| {
            if !is_name(bin) {
                let detail =
                    format!("`{bin}` is not the name of a program; paths are not looked up");
                let help = "name the program alone in its SKILL.md";
                return blocker(BlockerKind::Bin, detail).help(help);
            }
            let detail = format!("the program `{bin}` is not on the search path");
            let help = how_to_get(manifest, std::slice::from_ref(bin), conditions.host.os());
            blocker(BlockerKind::Bin, detail).help(help)
        })
        .collect()
}

fn any_bins(manifest: &Manifest, conditions: &Conditions<'_>) -> Option<Blocker> {
    let bins = &manifest.requirements.any_bins;
    if bins.is_empty() || bins.iter().any(|bin| conditions.programs.has(bin)) {
        return None;
    }
    let detail = format!(
        "none of the programs {} is on the search path",
        quoted(bins, "and")
    );
    let help = how_to_get(manifest, bins, conditions.host.os());
    Some(blocker(BlockerKind::AnyBin, detail).help(help))
}

/// How to get one of these programs: the author's install specs that provide it here, else only that it is to be had.
pub(super) fn how_to_get(manifest: &Manifest, bins: &[String], here: Os) -> String {
    let fits = |spec: &&InstallSpec| {
        let provides = spec.bins.is_empty() || spec.bins.iter().any(|bin| bins.contains(bin));
        provides
            && spec
                .os
                .as_ref()
                .is_none_or(|systems| os(Some(systems), here).is_none())
    };
    let ways: Vec<String> = manifest
        .install
        .iter()
        .filter(fits)
        .map(|spec| match (spec.kind, &spec.package) {
            (InstallKind::Download, _) | (_, None) => spec.kind.to_string(),
            (kind, Some(package)) => format!("{kind} ({package})"),
        })
        .collect();
    let what = if bins.len() == 1 { "it" } else { "one of them" };
    if ways.is_empty() {
        format!("install {what}, or put its directory on the PATH")
    } else {
        let ways: Vec<&str> = ways.iter().map(String::as_str).collect();
        format!("install {what}; its author names {}", listed(&ways, "or"))
    }
}

fn env(skill: &Skill, manifest: &Manifest, host: &Host) -> Vec<Blocker> {
    let names = manifest.requirements.env.iter();
    let missing = names.filter(|name| !has_variable(name, skill, manifest, host));
    missing
        .map(|name| {
            let is_key = manifest.requirements.primary_env.as_ref() == Some(name);
            let what = if is_key { ", its API key," } else { "" };
            let state = if host.is_set(name) {
                "is empty"
            } else {
                "is not set"
            };
            let detail = format!("the environment variable `{name}`{what} {state}");
            blocker(BlockerKind::Env, detail)
                .help(format!("set `{name}` where the agent is started"))
        })
        .collect()
}

/// Whether a variable is set: in the environment, or for this skill among the operator's values, where OpenClaw keeps
/// it: `skills.entries.KEY.env.NAME`, and `apiKey` for the variable that holds the key.
pub(super) fn has_variable(name: &str, skill: &Skill, manifest: &Manifest, host: &Host) -> bool {
    let values = host.values();
    let keys = [
        manifest.display.config_key.as_deref(),
        Some(&*skill.name),
        Some(&*skill.id),
    ];
    let is_in_entry = |key: &str| {
        let entry = ["skills", "entries", key];
        let is_primary = manifest.requirements.primary_env.as_deref() == Some(name);
        values::holds_at(values, &[&entry[..], &["env", name]].concat())
            || is_primary && values::holds_at(values, &[&entry[..], &["apiKey"]].concat())
    };
    host.variable(name).is_some() || keys.into_iter().flatten().any(is_in_entry)
}

fn config(paths: &[String], host: &Host) -> Vec<Blocker> {
    let missing = paths
        .iter()
        .filter(|path| !values::holds(host.values(), path));
    missing
        .map(|path| {
            let detail = format!("the operator's values hold nothing under `{path}`");
            // A command is offered only where a shell takes the path as it is: people copy what they read.
            let help = if path
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte))
            {
                format!("set it: `skillful config set values.{path} VALUE`")
            } else {
                "set it under `values` in skills.toml".to_owned()
            };
            blocker(BlockerKind::Config, detail).help(help)
        })
        .collect()
}

/// How a host is asked for something by name, what it is called, and where it is declared.
fn kind_of_tool(kind: BlockerKind) -> (fn(&Host, &str) -> bool, &'static str, &'static str) {
    match kind {
        BlockerKind::Toolset => (Host::has_toolset, "set of tools", "host.toolsets"),
        _ => (Host::has_tool, "tool", "host.tools"),
    }
}

fn tools(names: &[String], kind: BlockerKind, host: &Host) -> Vec<Blocker> {
    let (has, noun, key) = kind_of_tool(kind);
    let missing = names.iter().filter(|name| !has(host, name));
    missing
        .map(|name| {
            let detail = format!("the {noun} `{name}` is not available");
            let help = format!("if the agent has it, list it under `{key}` in skills.toml");
            blocker(kind, detail).help(help)
        })
        .collect()
}

fn fallback(names: &[String], kind: BlockerKind, host: &Host) -> Vec<Blocker> {
    let (has, noun, _) = kind_of_tool(kind);
    let present = names.iter().filter(|name| has(host, name));
    present
        .map(|name| {
            let detail = format!("it stands in for the {noun} `{name}`, which is available");
            let help = "nothing is to be done; it comes back when that is gone";
            blocker(BlockerKind::Fallback, detail).help(help)
        })
        .collect()
}

/// The permissions that are known to mean something (Kesoku).
const KNOWN_PERMISSIONS: [&str; 1] = ["run_shell_command"];

fn permissions(names: &[String], grants: &[String]) -> Vec<Blocker> {
    let missing = names.iter().filter(|name| !grants.contains(name));
    missing
        .map(|name| {
            let known = if KNOWN_PERMISSIONS.contains(&name.as_str()) {
                "which was not granted"
            } else {
                "which is not one that is known, and was not granted"
            };
            let detail = format!("it asks for the permission `{name}`, {known}");
            let help = "if you want that, add it to `permissions.grants` in your own skills.toml";
            blocker(BlockerKind::Permission, detail).help(help)
        })
        .collect()
}

fn quoted(names: &[String], last: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let quoted: Vec<&str> = quoted.iter().map(String::as_str).collect();
    listed(&quoted, last)
}

/// `a`, `a and b`, `a, b and c`.
fn listed(names: &[&str], last: &str) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}
