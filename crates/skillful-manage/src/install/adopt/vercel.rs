//! `npx skills`: `~/.agents/.skill-lock.json` (or below `$XDG_STATE_HOME/skills`), version 3, and `skills-lock.json` of a
//! project, version 1. Both name skills by the name of their directory.

use serde_json::Value;

use super::Tool;
use super::ground::Ground;
use super::origin::{self, Origin};
use super::record::{Place, Record, Told};
use super::values::{first, git_hash, named, text};
use crate::install::Files;

pub(super) fn read(ground: &Ground, files: &Files, told: &mut Told) {
    let mut locks = Vec::new();
    if ground.is_user {
        let state_home = ground.state_home.iter();
        locks.extend(state_home.map(|state| state.join("skills/.skill-lock.json")));
        locks.push(ground.top.join(".agents/.skill-lock.json"));
    } else {
        locks.push(ground.top.join("skills-lock.json"));
    }
    for lock in locks {
        let Some(value) = told.json(&lock) else {
            continue;
        };
        for (name, entry) in named(value.get("skills"), "name") {
            // `gh` writes into the same file, and says more in the skill itself.
            if entry.get("pinnedRef").is_some() {
                continue;
            }
            told.records.push(Record {
                tool: Tool::Skills,
                origin: origin_of(files, &name, entry),
                place: Place::Named(name.clone()),
                name,
            });
        }
    }
}

fn origin_of(files: &Files, name: &str, entry: &Value) -> Result<Origin, String> {
    let kind = text(entry, "sourceType").unwrap_or("github");
    let source = text(entry, "source");
    let url = text(entry, "sourceUrl");
    match kind {
        "local" => {
            let path = source.or(url).ok_or("it names no directory")?;
            let path = if path.starts_with(['.', '/', '~']) {
                path.to_owned()
            } else {
                format!("./{path}")
            };
            origin::of_text(files, &path)
        }
        "well-known" => {
            let url = url.or(source).ok_or("it names no address")?;
            origin::of_text(files, &origin::well_known(url, name))
        }
        _ => {
            let is_shorthand = |text: &&str| kind == "github" && !text.contains(':');
            let repository = source.filter(is_shorthand).or(url).or(source);
            let repository = repository.ok_or("it names no repository")?;
            let told = origin::Told {
                repository,
                path: text(entry, "skillPath"),
                reference: first(entry, &["ref", "branch"]),
                tree: text(entry, "skillFolderHash").and_then(git_hash),
                ..origin::Told::default()
            };
            origin::in_repository(files, name, &told)
        }
    }
}
