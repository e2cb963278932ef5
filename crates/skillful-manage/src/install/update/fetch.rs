//! Fetching the sources of skills, each once for all that come from it, and finding the skills in what arrived.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::standing::Known;
use crate::difference::likeness;
use crate::find::{FoundSkill, PickError};
use crate::install::Installer;
use crate::install::error::InstallError;
use crate::install::offer::Offer;
use crate::lock::LockedSkill;
use crate::objects::Staging;
use crate::progress::Progress;
use crate::source::fetch::{FetchError, Fetched, Fetcher};
use crate::source::{GitSource, Place, Selector, Source};

/// How alike two texts must be for one to be taken for the other under a new name, line by line.
const LIKENESS: f32 = 0.6;

/// What a source has in place of a skill.
#[derive(Debug)]
pub(super) enum Candidate {
    /// The skill.
    Same {
        offer: Box<Offer>,
        /// Where it lies, if it lies elsewhere than before.
        moved_to: Option<String>,
    },
    /// A skill of another id that took its place.
    Renamed {
        offer: Box<Offer>,
        /// Whether it is only like it.
        is_guess: bool,
    },
    /// Nothing.
    Gone,
}

/// What arrived. The files lie in private places, which go with it.
#[derive(Debug, Default)]
pub(super) struct Arrived {
    /// For each skill by id what its source has, or why that is not known.
    pub(super) candidates: BTreeMap<String, Result<Candidate, String>>,
    pub(super) notes: Vec<String>,
    /// Where the files lie.
    staging: Vec<Staging>,
}

/// Skills of one source.
struct Group<'k> {
    source: Source,
    skills: Vec<&'k Known>,
}

/// Fetches the sources of these skills.
pub(super) fn fetch_all(
    installer: &Installer<'_>,
    known: &[&Known],
    fetcher: &Fetcher,
    progress: &dyn Progress,
) -> Result<Arrived, InstallError> {
    let groups = groups(known);
    let results = groups.into_par_iter().map(|group| {
        let result = fetch(installer, &group, fetcher, progress)?;
        Ok((group, result))
    });
    let results = results.collect::<Result<Vec<_>, InstallError>>()?;
    let locked: BTreeSet<String> = installer
        .lock()?
        .skills()
        .map(|skill| skill.id.clone())
        .collect();
    let mut arrived = Arrived::default();
    for (group, (staging, result)) in results {
        if let Ok(tree) = &result {
            arrived.notes.extend(tree.notes.iter().cloned());
        }
        for known in &group.skills {
            let candidate = match &result {
                Ok(tree) => candidate(installer, tree, &known.locked, &locked),
                Err(error) => gone_or_absent(&group.source, error),
            };
            arrived
                .candidates
                .insert(known.locked.id.clone(), candidate);
        }
        arrived.staging.extend(staging);
    }
    arrived.notes.sort();
    arrived.notes.dedup();
    Ok(arrived)
}

/// The same, for a source that may lie on a disk that is not there right now.
fn gone_or_absent(source: &Source, error: &FetchError) -> Result<Candidate, String> {
    match source {
        Source::Local(path) if !path.parent().is_some_and(std::path::Path::is_dir) => {
            Err(error.to_string())
        }
        _ => gone_or_failed(error),
    }
}

/// Whether an error says that the source has the skill no more.
fn gone_or_failed(error: &FetchError) -> Result<Candidate, String> {
    match error {
        FetchError::Pick(PickError::None | PickError::Unknown { .. })
        | FetchError::PathNotFound { .. }
        | FetchError::Removed(_)
        | FetchError::NotOnHub { .. } => Ok(Candidate::Gone),
        error => Err(error.to_string()),
    }
}

/// The skills by what has to be fetched for them.
fn groups<'k>(known: &[&'k Known]) -> Vec<Group<'k>> {
    let mut groups: BTreeMap<String, Group<'k>> = BTreeMap::new();
    for &skill in known {
        let Some(source) = &skill.source else {
            continue;
        };
        let whole = whole(source.clone());
        let group = groups.entry(whole.to_string()).or_insert_with(|| Group {
            source: whole,
            skills: Vec::new(),
        });
        group.skills.push(skill);
    }
    groups.into_values().collect()
}

/// All that a source has, whichever skill of it is meant.
fn whole(source: Source) -> Source {
    match source {
        Source::Git(git) => {
            let place = match git.place {
                Place::Known { reference, .. } => Place::Known {
                    reference,
                    path: None,
                },
                tail @ Place::Tail(_) => tail,
            };
            Source::Git(GitSource {
                place,
                skill: Some(Selector::All),
                repository: git.repository,
            })
        }
        Source::Archive(mut web) => {
            web.skill = None;
            Source::Archive(web)
        }
        Source::WellKnown(mut web) => {
            web.skill = None;
            Source::WellKnown(web)
        }
        Source::Site(mut web) => {
            web.skill = None;
            Source::Site(web)
        }
        other => other,
    }
}

type Fetching = (Vec<Staging>, Result<Fetched, FetchError>);

/// Fetches a group. For a single skill it alone is fetched, and everything only when it is not there.
fn fetch(
    installer: &Installer<'_>,
    group: &Group<'_>,
    fetcher: &Fetcher,
    progress: &dyn Progress,
) -> Result<Fetching, InstallError> {
    let mut places = Vec::new();
    if let [only] = group.skills.as_slice()
        && let Some(source) = &only.source
    {
        let staging = installer.data.objects().stage_to_look()?;
        let result = fetcher.fetch(source, staging.path(), progress);
        let is_there = |tree: &Fetched| {
            let mut skills = tree.skills.skills.iter();
            skills.any(|skill| skill.id == only.locked.id)
        };
        let is_settled = match &result {
            Ok(tree) => is_there(tree),
            // Which of several is meant is told by where it lay.
            Err(FetchError::Pick(_)) => *source == group.source,
            Err(error) => gone_or_failed(error).is_err() || *source == group.source,
        };
        places.push(staging);
        if is_settled {
            return Ok((places, result));
        }
    }
    let staging = installer.data.objects().stage_to_look()?;
    let result = fetcher.fetch(&group.source, staging.path(), progress);
    places.push(staging);
    Ok((places, result))
}

/// What of all that arrived is the skill.
fn candidate(
    installer: &Installer<'_>,
    fetched: &Fetched,
    skill: &LockedSkill,
    locked: &BTreeSet<String>,
) -> Result<Candidate, String> {
    let found = &fetched.skills.skills;
    let path = &skill.resolved.path;
    let offer = |found: &FoundSkill| {
        let offer = fetched.offer(found, installer.files());
        offer
            .map(Box::new)
            .ok_or_else(|| format!("`{}` cannot be read", found.path))
    };
    let mut of_its_id: Vec<&FoundSkill> = found.iter().filter(|it| it.id == skill.id).collect();
    if let Some(at) = of_its_id.iter().position(|it| it.path == *path) {
        of_its_id = vec![of_its_id.swap_remove(at)];
    }
    let is_copy = fetched
        .skills
        .duplicates
        .iter()
        .any(|it| it.id == skill.id && it.identical);
    match of_its_id.as_slice() {
        [] => {}
        [first, rest @ ..] if rest.is_empty() || is_copy => {
            let is_known = matches!(fetched.source, Source::Git(_)) && !path.is_empty();
            let moved_to = (is_known && first.path != *path).then(|| first.path.clone());
            return Ok(Candidate::Same {
                offer: offer(first)?,
                moved_to,
            });
        }
        several => {
            let paths: Vec<&str> = several.iter().map(|it| it.path.as_str()).collect();
            return Err(format!(
                "its source has several skills of this name, in {}; name one of them by its path",
                paths.join(", ")
            ));
        }
    }
    let is_new = |it: &&FoundSkill| !locked.contains(&it.id) && !it.broken;
    let new: Vec<&FoundSkill> = found.iter().filter(is_new).collect();
    let trees = &fetched.resolution.trees;
    let is_certain = |it: &&FoundSkill| {
        let tree = trees.get(&it.path);
        it.path == *path || (tree.is_some() && tree == skill.resolved.tree.as_ref())
    };
    if let Some(certain) = new.iter().copied().find(is_certain) {
        return Ok(Candidate::Renamed {
            offer: offer(certain)?,
            is_guess: false,
        });
    }
    match most_alike(installer, fetched, skill, &new) {
        Some(alike) => Ok(Candidate::Renamed {
            offer: offer(alike)?,
            is_guess: true,
        }),
        None => Ok(Candidate::Gone),
    }
}

/// The one whose SKILL.md is most like that of the skill, if it is like it enough and no other one is as well.
fn most_alike<'f>(
    installer: &Installer<'_>,
    fetched: &Fetched,
    skill: &LockedSkill,
    new: &[&'f FoundSkill],
) -> Option<&'f FoundSkill> {
    let digest = super::standing::digest_of(skill)?;
    let object = installer.data.objects().tree_path(&digest);
    let text = |path: &std::path::Path| {
        let skill = skillful::places::skill_at(path)?;
        std::fs::read_to_string(skill.path).ok()
    };
    let ours = text(&object)?;
    let mut alike: Vec<(f32, &FoundSkill)> = new
        .iter()
        .filter_map(|&it| {
            // The path comes from our own walk over the tree.
            let theirs = text(&fetched.directory.join(&it.path))?;
            Some((likeness(&ours, &theirs), it))
        })
        .filter(|(likeness, _)| *likeness >= LIKENESS)
        .collect();
    alike.sort_by(|a, b| b.0.total_cmp(&a.0));
    match alike.as_slice() {
        [(_, only)] => Some(only),
        [(best, first), (next, _), ..] if *best > *next => Some(first),
        _ => None,
    }
}
