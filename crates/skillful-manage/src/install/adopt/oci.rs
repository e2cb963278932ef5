//! skills-oci: `skills.lock.json` with registry, repository, tag and digest. Skillful keeps the reference; it cannot be
//! fetched from there yet.

use serde_json::Value;

use super::Tool;
use super::ground::Ground;
use super::origin::Origin;
use super::record::{Place, Record, Told};
use super::values::{named, text};
use crate::lock::Resolved;

pub(super) fn read(ground: &Ground, told: &mut Told) {
    let Some(value) = told.json(&ground.top.join("skills.lock.json")) else {
        return;
    };
    for (name, entry) in named(value.get("skills"), "name") {
        let place = match text(entry, "path") {
            Some(path) => Place::Below {
                base: ground.top.clone(),
                path: path.to_owned(),
            },
            None => Place::Named(name.clone()),
        };
        let source = entry.get("source").filter(|source| source.is_object());
        told.records.push(Record {
            tool: Tool::SkillsOci,
            origin: origin_of(source.unwrap_or(entry)),
            place,
            name,
        });
    }
}

fn origin_of(entry: &Value) -> Result<Origin, String> {
    let is_plain = |text: &&str| {
        let is_fit = |c: char| c.is_ascii_alphanumeric() || "./_-:@+".contains(c);
        text.len() <= 512 && text.chars().all(is_fit)
    };
    let part = |name| text(entry, name).filter(is_plain);
    let (Some(registry), Some(repository)) = (part("registry"), part("repository")) else {
        return Err("it names no registry and repository".to_owned());
    };
    let address = format!("oci://{registry}/{repository}");
    let tag = part("tag").map(|tag| format!(":{tag}"));
    Ok(Origin {
        source: format!("{address}{}", tag.unwrap_or_default()),
        resolved: Resolved {
            address,
            version: part("tag").map(str::to_owned),
            artifact: part("digest").map(str::to_owned),
            ..Resolved::default()
        },
    })
}
