//! What would be of use to a skill and is not there. It is asked for on first use, or the skill does less; it keeps no
//! skill from being ready.

use skillmd::requirements::EnvVariable;

use super::Conditions;
use super::requirements::{has_variable, how_to_get};
use crate::load::Skill;
use crate::state::Blocker;

/// Notes on a skill, each with its kind, what is to be said and what to do:
///
/// - `setup-variable`: a variable that Hermes and `ClawHub` ask for on first use, or the key of Aleph and `OpenClaw`, is
///   not set.
/// - `setup-file`: a file with credentials is wanted. Whether it is there is not looked at: a skill has no business to
///   have paths probed.
/// - `advised-bin`: a program that is of use is not on the search path.
/// - `repo-scope`: the skill is meant for places that hold a certain path.
/// - `dependency`: what else is needed, in its author's words.
pub fn notes(skill: &Skill, conditions: &Conditions<'_>) -> Vec<Blocker> {
    let Some(manifest) = skill.manifest.as_deref() else {
        return Vec::new();
    };
    let required = &manifest.requirements;
    let host = conditions.host;
    let is_missing = |name: &str| !has_variable(name, skill, manifest, host);
    let mut notes: Vec<Blocker> = required
        .variables
        .iter()
        .filter(|variable| is_missing(&variable.name))
        .map(variable_note)
        .collect();
    let is_told = |name: &String| {
        required.env.contains(name) || required.variables.iter().any(|it| it.name == *name)
    };
    if let Some(name) = &required.primary_env
        && !is_told(name)
        && is_missing(name)
    {
        let detail = format!("the environment variable `{name}`, its API key, is not set");
        let help = format!("set `{name}` where the agent is started");
        notes.push(Blocker::new("setup-variable", detail).help(help));
    }
    notes.extend(required.credential_files.iter().map(|file| {
        let what = file
            .description
            .as_deref()
            .map_or(String::new(), |what| format!(": {what}"));
        let detail = format!("it wants the file `{}` with credentials{what}", file.path);
        Blocker::new("setup-file", detail).help("see that a sandbox is given the file")
    }));
    let advised = required.advised_bins.iter();
    notes.extend(
        advised
            .filter(|bin| !conditions.programs.has(bin))
            .map(|bin| {
                let detail = format!(
                    "the program `{bin}`, which is of use to it, is not on the search path"
                );
                let help = how_to_get(manifest, std::slice::from_ref(bin), host.os());
                Blocker::new("advised-bin", detail).help(help)
            }),
    );
    notes.extend(required.repo_scope.iter().map(|path| {
        let detail = format!("it is meant for places that hold `{path}`; that is not checked");
        Blocker::new("repo-scope", detail)
    }));
    notes.extend(required.dependencies.iter().map(|needed| {
        Blocker::new(
            "dependency",
            format!("its author says that it needs {needed}"),
        )
    }));
    notes
}

fn variable_note(variable: &EnvVariable) -> Blocker {
    let EnvVariable {
        name,
        prompt,
        help,
        required_for,
        optional,
    } = variable;
    let use_of = match (required_for, optional) {
        (Some(part), _) => format!(", which {part} needs,"),
        (None, true) => ", which it can do without,".to_owned(),
        (None, false) => String::new(),
    };
    let detail = format!("the environment variable `{name}`{use_of} is not set");
    let mut order = format!("set `{name}` where the agent is started");
    for more in [prompt, help].into_iter().flatten() {
        order.push_str("; ");
        order.push_str(more.trim());
    }
    Blocker::new("setup-variable", detail).help(order)
}
