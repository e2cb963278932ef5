//! ClawHub: `.clawhub/lock.json` in its working directory, whose skills lie in `skills/SLUG`; and `.clawhub/origin.json`
//! in each skill.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::Value;

use super::Tool;
use super::ground::Ground;
use super::origin::{self, Origin};
use super::record::{Place, Record, Told};
use super::values::{first, named, text};
use crate::install::Files;
use crate::targets::Method;

/// The directory's name, today and at first.
const DIRECTORIES: [&str; 2] = [".clawhub", ".clawdhub"];

pub(super) fn read(ground: &Ground, files: &Files, told: &mut Told) {
    let mut bases: Vec<PathBuf> = vec![ground.top.clone()];
    if ground.is_user {
        bases.push(ground.top.join(".openclaw/workspace"));
        bases.push(ground.top.join(".openclaw"));
    }
    let mut seen = BTreeSet::new();
    for base in bases {
        for directory in DIRECTORIES {
            let Some(value) = told.json(&base.join(directory).join("lock.json")) else {
                continue;
            };
            for (slug, entry) in named(value.get("skills"), "slug") {
                seen.insert(slug.clone());
                told.records.push(Record {
                    tool: Tool::ClawHub,
                    origin: origin_of(files, &slug, entry),
                    place: Place::Below {
                        base: base.join("skills"),
                        path: slug.clone(),
                    },
                    name: slug,
                });
            }
        }
    }
    for spot in ground.spots.iter().filter(|it| it.method == Method::Copy) {
        for directory in DIRECTORIES {
            let Some(value) = told.json(&spot.path.join(directory).join("origin.json")) else {
                continue;
            };
            let slug = text(&value, "slug").unwrap_or(&spot.name).to_owned();
            if seen.insert(slug.clone()) {
                told.records.push(Record {
                    tool: Tool::ClawHub,
                    origin: origin_of(files, &slug, &value),
                    place: Place::Found(spot.path.clone()),
                    name: slug,
                });
            }
        }
    }
}

fn origin_of(files: &Files, slug: &str, entry: &Value) -> Result<Origin, String> {
    let owner = text(entry, "ownerHandle").map(|owner| owner.trim_start_matches('@'));
    let hub = match owner {
        Some(owner) => format!("hub:@{owner}/{slug}"),
        None => format!("hub:{slug}"),
    };
    let mut origin = origin::of_text(files, &hub)?;
    if let Some(registry) = text(entry, "registry") {
        registry.clone_into(&mut origin.resolved.address);
    }
    origin.resolved.version = first(entry, &["version", "installedVersion"]).map(str::to_owned);
    Ok(origin)
}
