//! `SkillPort`: one `origins.json` in, beside or near its directory of skills.

use std::path::PathBuf;

use serde_json::Value;

use super::Tool;
use super::ground::Ground;
use super::origin::{self, Origin};
use super::record::{Place, Record, Told};
use super::values::{first, named, text};
use crate::install::Files;

pub(super) fn read(ground: &Ground, files: &Files, told: &mut Told) {
    let mut locks: Vec<PathBuf> = Vec::new();
    for root in ground.roots() {
        locks.push(root.join("origins.json"));
        if let Some(around) = root.parent() {
            locks.push(around.join("origins.json"));
            locks.push(around.join("meta/origins.json"));
        }
    }
    locks.push(ground.top.join(".skillport/origins.json"));
    locks.push(ground.top.join(".skillport/meta/origins.json"));
    locks.sort();
    locks.dedup();
    for lock in locks {
        let Some(value) = told.json(&lock) else {
            continue;
        };
        let entries = value.get("skills").unwrap_or(&value);
        for (id, entry) in named(Some(entries), "id") {
            if first(entry, &["source", "kind"]).is_none() {
                continue;
            }
            // A namespace stands before the name of the directory.
            let name = id.rsplit('/').next().unwrap_or(&id).to_owned();
            told.records.push(Record {
                tool: Tool::SkillPort,
                origin: origin_of(files, &name, entry),
                place: Place::Named(name),
                name: id,
            });
        }
    }
}

fn origin_of(files: &Files, name: &str, entry: &Value) -> Result<Origin, String> {
    let source = text(entry, "source").ok_or("it names no source")?;
    if matches!(text(entry, "kind"), Some("local" | "zip" | "builtin")) {
        return origin::of_text(files, source);
    }
    let told = origin::Told {
        repository: source,
        path: text(entry, "path"),
        reference: text(entry, "ref"),
        commit: text(entry, "commit_sha"),
        ..origin::Told::default()
    };
    origin::in_repository(files, name, &told)
}
