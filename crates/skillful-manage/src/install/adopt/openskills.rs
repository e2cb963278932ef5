//! openskills: `.openskills.json` in each skill. It records neither branch nor commit.

use super::Tool;
use super::ground::Ground;
use super::origin;
use super::record::{Place, Record, Told};
use super::values::{first, text};
use crate::install::Files;
use crate::targets::Method;

pub(super) fn read(ground: &Ground, files: &Files, told: &mut Told) {
    let copies = ground.spots.iter();
    for spot in copies.filter(|spot| spot.method == Method::Copy) {
        let Some(value) = told.json(&spot.path.join(".openskills.json")) else {
            continue;
        };
        let origin = if text(&value, "sourceType") == Some("local") {
            first(&value, &["localPath", "source"])
                .ok_or_else(|| "it names no directory".to_owned())
                .and_then(|path| origin::of_text(files, path))
        } else {
            let repository = first(&value, &["repoUrl", "source"]);
            let repository = repository.ok_or_else(|| "it names no repository".to_owned());
            repository.and_then(|repository| {
                let told = origin::Told {
                    repository,
                    path: text(&value, "subpath"),
                    ..origin::Told::default()
                };
                origin::in_repository(files, &spot.name, &told)
            })
        };
        told.records.push(Record {
            tool: Tool::OpenSkills,
            name: spot.name.clone(),
            place: Place::Found(spot.path.clone()),
            origin,
        });
    }
}
