//! All skills, and which of those with one id counts.
//!
//! Precedence is that of the roots: bundled below global below plugins below the workspace, nearer parts of a workspace
//! above farther ones, then the order of the roots. The one that counts is the winner; the others stay in the list,
//! shadowed, and the next one counts when the winner goes. A broken skill neither wins nor shadows.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use crate::check;
use crate::load::Skill;
use crate::roots::Root;
use crate::state::{Blocker, State};

/// Whether two skills are the same to the last byte of the last file.
pub type SameContent = fn(&Skill, &Skill) -> bool;

/// All skills of all roots.
#[derive(Clone, Debug)]
pub struct Registry {
    /// Sorted by id, then by precedence, the highest first. Shared, so that a copy of the registry costs no copies of
    /// the skills.
    skills: Vec<Arc<Skill>>,
    same_content: SameContent,
}

/// A text does not lead to one skill.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LookUpError {
    /// Nothing is called so.
    #[error("no skill is called `{0}`")]
    Unknown(String),
    /// Several skills are called so.
    #[error("`{text}` is the name of several skills: {}; give the id", .ids.join(", "))]
    Ambiguous {
        /// What was looked for.
        text: String,
        /// The ids of all skills that are called so, sorted.
        ids: Vec<String>,
    },
}

impl Registry {
    /// Takes all skills and decides which ones count. `same_content` is asked only about skills with one id.
    pub fn new(skills: Vec<Skill>, same_content: SameContent) -> Self {
        let mut skills: Vec<Arc<Skill>> = skills.into_iter().map(Arc::new).collect();
        skills.par_sort_unstable_by(|a, b| order(a).cmp(&order(b)));
        let mut registry = Self {
            skills,
            same_content,
        };
        registry.decide();
        registry
    }

    /// All skills, sorted by id, those with one id by precedence.
    pub fn skills(&self) -> &[Arc<Skill>] {
        &self.skills
    }

    /// All skills of this id, the one with the highest precedence first.
    pub fn with_id(&self, id: &str) -> &[Arc<Skill>] {
        let start = self.skills.partition_point(|skill| *skill.id < *id);
        let rest = self.skills.get(start..).unwrap_or_default();
        let length = rest.partition_point(|skill| skill.id == id);
        rest.get(..length).unwrap_or_default()
    }

    /// The skill that counts for this id: the winner, or the first of several that are all broken.
    pub fn get(&self, id: &str) -> Option<&Arc<Skill>> {
        let skills = self.with_id(id);
        skills
            .iter()
            .find(|skill| counts(skill))
            .or_else(|| skills.first())
    }

    /// The skill that a user means by an id, an exact name, or the name of a directory. An id is never ambiguous; a
    /// name that is another skill's id means the latter, so that nobody can make a skill unreachable.
    ///
    /// # Errors
    ///
    /// [`LookUpError`] when there is no such skill or more than one.
    pub fn find(&self, text: &str) -> Result<&Arc<Skill>, LookUpError> {
        if let Some(skill) = self.get(text) {
            return Ok(skill);
        }
        let mut ids: Vec<&str> = self
            .skills
            .iter()
            .filter(|skill| skill.name == text || skill.place_name == text)
            .filter(|skill| skill.state != State::Shadowed)
            .map(|skill| &*skill.id)
            .collect();
        ids.dedup();
        match ids[..] {
            [id] => self.get(id),
            [] => None,
            _ => {
                return Err(LookUpError::Ambiguous {
                    text: text.to_owned(),
                    ids: ids.into_iter().map(str::to_owned).collect(),
                });
            }
        }
        .ok_or_else(|| LookUpError::Unknown(text.to_owned()))
    }

    /// The skill with this path, its SKILL.md's or its directory's.
    pub fn at_path(&self, path: &Path) -> Option<&Arc<Skill>> {
        self.skills
            .iter()
            .find(|skill| skill.path == path || skill.directory() == Some(path))
    }

    /// The skills that this one has precedence over.
    pub fn shadowed_by(&self, winner: &Skill) -> impl Iterator<Item = &Arc<Skill>> {
        self.skills
            .iter()
            .filter(|skill| skill.shadowed_by.as_deref() == Some(&winner.path))
    }

    /// Brings in what Codex's sidecars (`agents/openai.yaml`) say, above all whether a model may bring a skill up. It asks
    /// the system about every directory, a seventh of what a search costs; so it is for those who are about to show a
    /// catalog, and no part of a search.
    pub fn read_sidecars(&mut self) {
        self.skills
            .par_iter_mut()
            .filter(|skill| skill.state != State::Broken)
            .for_each(read_sidecar);
    }

    /// Adds a skill, or replaces the one with the same path: the outcome is that of a search that found it so.
    pub fn insert(&mut self, skill: impl Into<Arc<Skill>>) {
        let skill = skill.into();
        self.take(&skill.path);
        let place = self
            .skills
            .partition_point(|other| order(other) < order(&skill));
        self.skills.insert(place, skill);
        self.decide();
    }

    /// Removes the skill with this path. If it was the winner, the next one takes its place.
    pub fn remove(&mut self, path: &Path) -> Option<Arc<Skill>> {
        let skill = self.take(path)?;
        self.decide();
        Some(skill)
    }

    fn take(&mut self, path: &Path) -> Option<Arc<Skill>> {
        let index = self.skills.iter().position(|skill| skill.path == path)?;
        Some(self.skills.remove(index))
    }

    /// Gives every skill its state anew.
    fn decide(&mut self) {
        for skill in &mut self.skills {
            if skill.state == State::Shadowed {
                Arc::make_mut(skill).lift_shadow();
            }
        }
        self.shadow_same_places();
        let same_content = self.same_content;
        self.skills
            .chunk_by_mut(|a, b| a.id == b.id)
            .filter(|group| group.len() > 1)
            .par_bridge()
            .for_each(|group| shadow_group(group, same_content));
    }

    /// Of findings of the same directory only that with the highest precedence counts, whatever their ids.
    fn shadow_same_places(&mut self) {
        if !self.may_meet_twice() {
            return;
        }
        let mut by_precedence: Vec<usize> = (0..self.skills.len()).collect();
        by_precedence.sort_by_key(|&index| precedence(&self.skills[index]));
        let mut first: HashMap<PathBuf, PathBuf> = HashMap::new();
        for index in by_precedence {
            let skill = &mut self.skills[index];
            if !counts(skill) {
                continue;
            }
            let place = skill.real_place();
            if let Some(winner) = first.get(&place) {
                Arc::make_mut(skill).shadow(winner, "same-directory", "is the same directory");
            } else {
                first.insert(place, skill.path.clone());
            }
        }
    }

    /// Whether one directory can have been found twice: through a link, or in roots one of which lies in another.
    fn may_meet_twice(&self) -> bool {
        let mut roots: Vec<&Arc<Root>> = Vec::new();
        for skill in &self.skills {
            if skill.real_directory.is_some() {
                return true;
            }
            // Neighbours mostly share their root; a look at the last one saves the look at all.
            let known = |root: &&Arc<Root>| Arc::ptr_eq(root, &skill.root);
            if !roots.last().is_some_and(known) && !roots.iter().any(known) {
                roots.push(&skill.root);
            }
        }
        roots.iter().enumerate().any(|(index, root)| {
            roots
                .iter()
                .enumerate()
                .any(|(other, outer)| index != other && root.real.starts_with(&outer.real))
        })
    }
}

/// [`Registry::read_sidecars`] for one skill. Without a sidecar it is not copied, whoever else holds it.
pub fn read_sidecar(skill: &mut Arc<Skill>) {
    if let Some(sidecar) = skill.directory().and_then(check::sidecar)
        && let Some(manifest) = &mut Arc::make_mut(skill).manifest
    {
        manifest.merge_sidecar(sidecar);
    }
}

/// Of skills with one id, all but the first that counts are shadowed.
fn shadow_group(group: &mut [Arc<Skill>], same_content: SameContent) {
    let mut counting = group.iter_mut().filter(|skill| counts(skill));
    let Some(winner) = counting.next() else {
        return;
    };
    for skill in counting {
        let (kind, reason) = if same_content(winner, skill) {
            ("identical", "has the same content and precedence")
        } else {
            ("shadowed", "has the same id and precedence")
        };
        Arc::make_mut(skill).shadow(&winner.path, kind, reason);
    }
}

/// Whether a skill can win or be shadowed.
fn counts(skill: &Skill) -> bool {
    !matches!(skill.state, State::Broken | State::Shadowed)
}

fn precedence(skill: &Skill) -> (u32, &Path) {
    (skill.root.order, &skill.path)
}

fn order(skill: &Skill) -> (&str, u32, &Path) {
    (&skill.id, skill.root.order, &skill.path)
}

impl Skill {
    fn shadow(&mut self, winner: &Path, kind: &'static str, reason: &str) {
        self.state = State::Shadowed;
        self.shadowed_by = Some(winner.to_owned());
        let detail = format!("{} {reason}", winner.display());
        self.blockers.push(Blocker::new(kind, detail));
    }

    /// Puts back the state that a shadowed skill has by itself.
    fn lift_shadow(&mut self) {
        self.state = self.own_state;
        self.shadowed_by = None;
        self.blockers
            .retain(|blocker| !SHADOWS.contains(&&*blocker.kind));
    }
}

/// The kinds of reasons that this file gives.
const SHADOWS: [&str; 3] = ["same-directory", "identical", "shadowed"];

#[cfg(test)]
mod tests;
