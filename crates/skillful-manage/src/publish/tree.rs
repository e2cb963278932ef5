//! A directory for each skill.

use std::collections::{BTreeMap, BTreeSet};

use super::ledger::Ledger;
use super::site::Site;
use super::{Change, PublishError, Published, PublishedSkill, Target};
use crate::pack::{Prepared, digest_of_bytes};

pub(super) fn publish(skills: &[&Prepared], target: &Target) -> Result<Published, PublishError> {
    let site = Site::open(&target.directory)?;
    let mut ledger = Ledger::read(&site)?;
    let mut saved = ledger.clone();
    for skill in skills {
        check(&site, &ledger, skill, "")?;
    }
    let mut published = Vec::new();
    for skill in skills {
        let is_new = !ledger.has(&skill.name);
        let changed = put(&site, &mut ledger, skill, "")?;
        // Should the process end here, what was written is known to be ours.
        ledger.write(&site, &mut saved)?;
        let stays = paths(skill, "");
        let count = ledger.skills.get(&skill.name).map_or(0, BTreeMap::len);
        let is_less = count > stays.len();
        ledger.remove(&site, &skill.name, &stays)?;
        published.push(PublishedSkill {
            name: skill.name.clone(),
            change: match (is_new, changed || is_less) {
                (true, _) => Change::Added,
                (false, true) => Change::Replaced,
                (false, false) => Change::Unchanged,
            },
            url: None,
            digest: Some(skill.digest.clone()),
        });
    }
    if target.prune {
        for name in ledger.others(skills) {
            ledger.remove(&site, &name, &BTreeSet::new())?;
            published.push(PublishedSkill {
                name,
                change: Change::Pruned,
                url: None,
                digest: None,
            });
        }
    }
    ledger.write(&site, &mut saved)?;
    published.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Published {
        skills: published,
        indexes: Vec::new(),
    })
}

/// Refuses a directory with files that we did not write, or that were changed since, before anything is written.
pub(super) fn check(
    site: &Site,
    ledger: &Ledger,
    skill: &Prepared,
    below: &str,
) -> Result<(), PublishError> {
    let directory = format!("{below}{}", skill.name);
    let Some(files) = site.files(&directory)? else {
        return Ok(());
    };
    let new = paths(skill, below);
    for file in files {
        let path = format!("{directory}/{file}");
        if ledger.digest(&skill.name, &path).is_none() && !new.contains(&path) {
            return Err(PublishError::NotOurs(site.shown(&path)));
        }
    }
    for file in &skill.files {
        let path = format!("{directory}/{}", file.path);
        ledger.check(site, &skill.name, &path, &digest_of_bytes(&file.bytes))?;
    }
    Ok(())
}

/// Writes the files of a skill that are not there yet; whether there were any.
pub(super) fn put(
    site: &Site,
    ledger: &mut Ledger,
    skill: &Prepared,
    below: &str,
) -> Result<bool, PublishError> {
    let mut changed = false;
    for file in &skill.files {
        let path = format!("{below}{}/{}", skill.name, file.path);
        changed |= ledger.put(site, &skill.name, &path, &file.bytes, file.executable)?;
    }
    Ok(changed)
}

/// The paths of a skill's files.
pub(super) fn paths(skill: &Prepared, below: &str) -> BTreeSet<String> {
    let path = |path: &str| format!("{below}{}/{path}", skill.name);
    skill.files.iter().map(|file| path(&file.path)).collect()
}
