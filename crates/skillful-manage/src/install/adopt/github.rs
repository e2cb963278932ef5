//! `gh skill`: what it fetched stands in the `metadata` of each SKILL.md: `github-repo`, `github-ref`, `github-path`,
//! `github-tree-sha`, `github-pinned`; or `local-path`.

use skillful::places;
use skillmd::{Manifest, Node};

use super::Tool;
use super::ground::Ground;
use super::origin;
use super::record::{Place, Record, Told};
use super::values::git_hash;
use crate::install::Files;
use crate::targets::Method;

pub(super) fn read(ground: &Ground, files: &Files, told: &mut Told) {
    let copies = ground.spots.iter();
    for spot in copies.filter(|spot| spot.method == Method::Copy) {
        let Some(skill) = places::skill_at(&spot.path) else {
            continue;
        };
        let Some(manifest) = skill.manifest.as_deref() else {
            continue;
        };
        let origin = match text(manifest, "github-repo") {
            Some(repository) => {
                let path = text(manifest, "github-path");
                let pinned = text(manifest, "github-pinned");
                let pinned = pinned.filter(|text| !matches!(&**text, "true" | "false"));
                let reference = pinned.or_else(|| text(manifest, "github-ref"));
                let told = origin::Told {
                    repository: &repository,
                    path: path.as_deref(),
                    reference: reference.as_deref(),
                    tree: text(manifest, "github-tree-sha")
                        .as_deref()
                        .and_then(git_hash),
                    ..origin::Told::default()
                };
                origin::in_repository(files, &skill.id, &told)
            }
            None => match text(manifest, "local-path") {
                Some(path) => origin::of_text(files, &path),
                None => continue,
            },
        };
        told.records.push(Record {
            tool: Tool::Gh,
            name: spot.name.clone(),
            place: Place::Found(spot.path.clone()),
            origin,
        });
    }
}

fn text(manifest: &Manifest, name: &str) -> Option<String> {
    let node: &Node = manifest.metadata(name)?;
    node.as_text().map(str::to_owned)
}
