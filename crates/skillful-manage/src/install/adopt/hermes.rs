//! Hermes: `~/.hermes/skills/.hub/lock.json`. Its skills lie in categories; `install_path` leads there.

use serde_json::Value;

use super::Tool;
use super::ground::Ground;
use super::origin::{self, Origin};
use super::record::{Place, Record, Told};
use super::values::{named, text};
use crate::install::Files;

pub(super) fn read(ground: &Ground, files: &Files, told: &mut Told) {
    if !ground.is_user {
        return;
    }
    let base = ground.top.join(".hermes/skills");
    let Some(value) = told.json(&base.join(".hub/lock.json")) else {
        return;
    };
    let entries = value.get("installed").or_else(|| value.get("skills"));
    for (name, entry) in named(entries, "name") {
        let path = text(entry, "install_path").unwrap_or(&name).to_owned();
        told.records.push(Record {
            tool: Tool::Hermes,
            origin: origin_of(files, &name, entry),
            place: Place::Below {
                base: base.clone(),
                path,
            },
            name,
        });
    }
}

fn origin_of(files: &Files, name: &str, entry: &Value) -> Result<Origin, String> {
    let identifier = text(entry, "identifier").or_else(|| text(entry, "source"));
    let identifier = identifier.ok_or("it names no source")?;
    let revision = entry
        .get("metadata")
        .and_then(|it| text(it, "source_revision"));
    match text(entry, "source") {
        Some("github" | "official" | "skills-sh" | "skills.sh") => {
            let identifier = identifier
                .trim_start_matches("skills-sh/")
                .trim_start_matches("github/");
            let mut parts = identifier.splitn(3, '/');
            let (Some(owner), Some(repository)) = (parts.next(), parts.next()) else {
                return Err(format!("`{identifier}` is no repository"));
            };
            let repository = format!("{owner}/{repository}");
            let told = origin::Told {
                repository: &repository,
                path: parts.next(),
                commit: revision,
                ..origin::Told::default()
            };
            origin::in_repository(files, name, &told)
        }
        Some("clawhub") => {
            let slug = identifier.trim_start_matches("clawhub/");
            origin::of_text(files, &format!("hub:{slug}"))
        }
        Some("well-known") => {
            let address = identifier.trim_start_matches("well-known:");
            origin::of_text(files, &origin::well_known(address, name))
        }
        _ => origin::of_text(files, identifier),
    }
}
