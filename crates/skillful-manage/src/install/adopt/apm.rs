//! Microsoft APM: `apm.lock.yaml`. A dependency lists every file that it deployed; those that end with SKILL.md tell where
//! its skills are.

use skillmd::Node;

use super::Tool;
use super::ground::Ground;
use super::origin::{self, Origin};
use super::record::{Place, Record, Told};
use super::values::git_hash;
use crate::install::Files;

pub(super) fn read(ground: &Ground, files: &Files, told: &mut Told) {
    for name in ["apm.lock.yaml", "apm.lock"] {
        let path = ground.top.join(name);
        let Some(text) = told.text(&path) else {
            continue;
        };
        // The reader of frontmatter takes foreign YAML within bounds; a lock is one without a body.
        let document = skillmd::parse(format!("---\n{}\n---\n", text.trim()).into_bytes());
        let Ok(document) = document else {
            told.fault(&path, "it is no text");
            continue;
        };
        let dependencies = document.get("dependencies").and_then(Node::as_sequence);
        let Some(dependencies) = dependencies else {
            // A project without any has none to list.
            if document.get_text("dependencies").is_some() {
                told.fault(&path, "its dependencies are no list");
            }
            continue;
        };
        for entry in dependencies {
            dependency(ground, files, told, entry);
        }
        return;
    }
}

fn dependency(ground: &Ground, files: &Files, told: &mut Told, entry: &Node) {
    let deployed = entry.get("deployed_files").and_then(Node::as_sequence);
    let deployed = deployed.into_iter().flatten().filter_map(Node::as_text);
    let mut directories: Vec<&str> = deployed.filter_map(skill_directory).collect();
    directories.sort_unstable();
    directories.dedup();
    for directory in directories {
        let name = directory.rsplit('/').next().unwrap_or(directory);
        told.records.push(Record {
            tool: Tool::Apm,
            name: name.to_owned(),
            place: Place::Below {
                base: ground.top.clone(),
                path: directory.to_owned(),
            },
            origin: origin_of(files, name, entry),
        });
    }
}

/// The directory of a skill, from its SKILL.md or from itself.
fn skill_directory(path: &str) -> Option<&str> {
    let path = path.trim_end_matches('/');
    let (directory, name) = path.rsplit_once('/')?;
    if name.eq_ignore_ascii_case("SKILL.md") {
        return Some(directory);
    }
    let (_, around) = directory.rsplit_once('/').unwrap_or(("", directory));
    (around == "skills" && !name.contains('.')).then_some(path)
}

fn origin_of(files: &Files, name: &str, entry: &Node) -> Result<Origin, String> {
    let text = |key: &str| entry.get(key).and_then(Node::as_text);
    let repository = text("repo_url").ok_or("it names no repository")?;
    let host = text("host").filter(|_| !repository.contains(':'));
    let repository = match host {
        Some(host) if host != "github.com" => format!("{host}/{repository}"),
        _ => repository.to_owned(),
    };
    let told = origin::Told {
        repository: &repository,
        path: text("virtual_path"),
        reference: text("resolved_ref").filter(|reference| git_hash(reference).is_none()),
        commit: text("resolved_commit"),
        ..origin::Told::default()
    };
    let mut origin = origin::in_repository(files, name, &told)?;
    origin.resolved.version = text("version").map(str::to_owned);
    Ok(origin)
}
