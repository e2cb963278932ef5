//! A directory for each skill, as one change that can be undone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::ledger::{self, Ledger};
use super::site::Site;
use super::{Change, PublishError, Published, PublishedSkill, Target};
use crate::change::{self, Writer};
use crate::data::DataDirectory;
use crate::named;
use crate::pack::{Prepared, digest_of_bytes};
use crate::state::observe;
use crate::{Actor, Operation, State, Swap};

/// What is to become of the files of a tree.
#[derive(Debug, Default)]
struct Files<'p> {
    /// Content by path in the tree.
    written: BTreeMap<String, (&'p [u8], bool)>,
    /// Paths of files that go.
    removed: BTreeSet<String>,
}

pub(super) fn publish(
    skills: &[&Prepared],
    target: &Target,
    data: &DataDirectory,
) -> Result<Published, PublishError> {
    let top = top(&target.directory)?;
    let mut writer = Writer::open(data)?;
    let site = Site::find(&top)?;
    let mut ledger = site
        .as_ref()
        .map_or_else(|| Ok(Ledger::new()), Ledger::read)?;
    let before = ledger.clone();
    let mut files = Files::default();
    let mut published = Vec::new();
    for skill in skills {
        if let Some(site) = &site {
            check(site, &ledger, skill, "")?;
        }
        published.push(planned(site.as_ref(), &mut ledger, skill, &mut files)?);
    }
    if target.prune {
        for name in ledger.others(skills) {
            files.take_away(site.as_ref(), &mut ledger, &name, &BTreeSet::new())?;
            published.push(PublishedSkill {
                name,
                change: Change::Pruned,
                url: None,
                digest: None,
            });
        }
    }
    published.sort_by(|a, b| a.name.cmp(&b.name));
    let mut change = change::Change::new(Operation::PUBLISH, Actor::USER)
        .saying(message(&published, &target.directory));
    for skill in &published {
        change = change.about(&skill.name);
    }
    change.swaps = files.swaps(&writer, site.as_ref(), &top)?;
    if ledger != before {
        let path = top.join(ledger::FILE);
        let after = writer.objects().put_bytes(&ledger.to_bytes(), false)?;
        change.swaps.push(Swap::new(&path, observe(&path)?, after));
    }
    let changes = |swap: &Swap| swap.before != swap.after;
    let entry = if change.swaps.iter().any(changes) {
        Some(writer.commit(change)?)
    } else {
        None
    };
    Ok(Published {
        skills: published,
        indexes: Vec::new(),
        entry,
    })
}

/// The directory without links in its path, as far as it exists.
fn top(directory: &Path) -> Result<PathBuf, PublishError> {
    let absolute = std::fs::canonicalize(directory).or_else(|_| std::path::absolute(directory));
    let absolute = absolute
        .ok()
        .and_then(|path| named::plain_path(&path, Path::new("")));
    absolute.ok_or_else(|| PublishError::NoPlace(directory.to_owned()))
}

fn message(published: &[PublishedSkill], to: &Path) -> String {
    let names: Vec<&str> = published.iter().map(|skill| &*skill.name).collect();
    format!("published {} in {}", names.join(", "), to.display())
}

/// Notes what is to become of the files of one skill.
fn planned<'p>(
    site: Option<&Site>,
    ledger: &mut Ledger,
    skill: &'p Prepared,
    files: &mut Files<'p>,
) -> Result<PublishedSkill, PublishError> {
    let is_new = !ledger.has(&skill.name);
    let mut is_changed = false;
    for file in &skill.files {
        let path = format!("{}/{}", skill.name, file.path);
        let digest = digest_of_bytes(&file.bytes);
        let is_same = match site {
            Some(site) => ledger.check(site, &skill.name, &path, &digest)?,
            None => false,
        };
        ledger.add(&skill.name, &path, digest);
        if !is_same {
            is_changed = true;
            files.written.insert(path, (&file.bytes, file.executable));
        }
    }
    is_changed |= files.take_away(site, ledger, &skill.name, &paths(skill, ""))?;
    Ok(PublishedSkill {
        name: skill.name.clone(),
        change: match (is_new, is_changed) {
            (true, _) => Change::Added,
            (false, true) => Change::Replaced,
            (false, false) => Change::Unchanged,
        },
        url: None,
        digest: Some(skill.digest.clone()),
    })
}

impl Files<'_> {
    /// Notes those files of a skill as gone that are as we wrote them and that `stays` does not name. Whether any were on
    /// the list.
    fn take_away(
        &mut self,
        site: Option<&Site>,
        ledger: &mut Ledger,
        name: &str,
        stays: &BTreeSet<String>,
    ) -> Result<bool, PublishError> {
        let gone = ledger.take_out(name, stays);
        let is_any = !gone.is_empty();
        for (path, digest) in gone {
            let there = match site {
                Some(site) => site.read(&path)?,
                None => None,
            };
            if there.is_some_and(|bytes| digest_of_bytes(&bytes) == digest) {
                self.removed.insert(path);
            }
        }
        Ok(is_any)
    }

    fn swaps(
        &self,
        writer: &Writer,
        site: Option<&Site>,
        top: &Path,
    ) -> Result<Vec<Swap>, PublishError> {
        let mut swaps = Vec::new();
        for (path, (bytes, executable)) in &self.written {
            let path = top.join(path);
            let after = writer.objects().put_bytes(bytes, *executable)?;
            swaps.push(Swap::new(&path, observe(&path)?, after));
        }
        let mut tops = BTreeSet::new();
        for path in &self.removed {
            tops.insert(self.emptied(site, path)?);
        }
        for path in tops {
            let path = top.join(path);
            swaps.push(Swap::new(&path, observe(&path)?, State::Absent));
        }
        Ok(swaps)
    }

    /// The outermost directory above a file that goes which holds nothing that stays, or the file itself.
    fn emptied(&self, site: Option<&Site>, path: &str) -> Result<String, PublishError> {
        let mut top = path;
        while let (Some(site), Some((parent, _))) = (site, top.rsplit_once('/')) {
            let below = format!("{parent}/");
            let held = site.files(parent)?.unwrap_or_default();
            let goes = |file: &String| self.removed.contains(&format!("{below}{file}"));
            let is_filled = self.written.keys().any(|path| path.starts_with(&below));
            if is_filled || !held.iter().all(goes) {
                break;
            }
            top = parent;
        }
        Ok(top.to_owned())
    }
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
