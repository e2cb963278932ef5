//! All skills, and which of those with one id counts.
//!
//! Precedence is that of the roots: bundled below global below plugins below the workspace, nearer parts of a workspace
//! above farther ones, then the order of the roots. The one that counts is the winner; the others stay in the list,
//! shadowed, and the next one counts when the winner goes. A broken skill neither wins nor shadows.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use crate::check;
use crate::guard::Inspection;
use crate::load::Skill;
use crate::roots::Root;
use crate::state::{Standing, State};

mod precedence;

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
        Self::of_shared(skills.into_iter().map(Arc::new).collect(), same_content)
    }

    /// As [`Registry::new`], of skills that may belong to other registries as well.
    pub(crate) fn of_shared(mut skills: Vec<Arc<Skill>>, same_content: SameContent) -> Self {
        skills.par_sort_unstable_by(|a, b| order(a).cmp(&order(b)));
        let mut registry = Self {
            skills,
            same_content,
        };
        registry.settle_all();
        registry
    }

    /// All skills, sorted by id, those with one id by precedence.
    pub fn skills(&self) -> &[Arc<Skill>] {
        &self.skills
    }

    /// All skills of this id, the one with the highest precedence first.
    pub fn with_id(&self, id: &str) -> &[Arc<Skill>] {
        self.skills.get(self.range(id)).unwrap_or_default()
    }

    /// The skill that counts for this id: the winner, or the first of several that are all broken.
    pub fn get(&self, id: &str) -> Option<&Arc<Skill>> {
        let skills = self.with_id(id);
        skills
            .iter()
            .find(|skill| !matches!(skill.state, State::Broken | State::Shadowed))
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

    /// The skill with this path in this root.
    pub(crate) fn at(&self, root: &Root, path: &Path) -> Option<&Arc<Skill>> {
        self.skills
            .iter()
            .find(|skill| skill.root.order == root.order && is_spelt(&skill.path, path))
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

    /// Adds a skill, or replaces the one with the same path in the same root: the outcome is that of a search that found
    /// it so.
    pub fn insert(&mut self, skill: impl Into<Arc<Skill>>) {
        let skill = skill.into();
        let mut changed = self.take(&skill.path, |other| other.root.order == skill.root.order);
        let place = self
            .skills
            .partition_point(|other| order(other) < order(&skill));
        self.skills.insert(place, Arc::clone(&skill));
        changed.push(skill);
        self.settle_around(&changed);
    }

    /// Removes what has this path; in several roots that is when one lies in the other. If one was the winner, the next
    /// skill takes its place.
    pub fn remove(&mut self, path: &Path) -> Vec<Arc<Skill>> {
        let removed = self.take(path, |_| true);
        self.settle_around(&removed);
        removed
    }

    /// Gives every skill that can be read and is not shadowed the state that `judge` says, from several threads. A skill
    /// whose state stays as it was is not copied. Skills that were put in since, and those that came out of a shadow,
    /// are ready until they are judged.
    pub fn judge(&mut self, judge: impl Fn(&Skill) -> Standing + Sync) {
        self.skills
            .par_iter_mut()
            .for_each(|skill| judge_one(skill, &judge));
    }

    /// Judges only those skills that an older registry does not share: what was shared was judged there.
    pub(crate) fn judge_since(&mut self, older: &Self, judge: impl Fn(&Skill) -> Standing) {
        self.each_unshared(older, |skill, _| judge_one(skill, &judge));
    }

    /// Notes what the guard knows of each skill. A skill of which it knows the same is not copied.
    pub(crate) fn inspect(
        &mut self,
        inspection: impl Fn(&Skill) -> Option<Arc<Inspection>> + Sync,
    ) {
        self.skills
            .par_iter_mut()
            .for_each(|skill| inspect_one(skill, &inspection));
    }

    /// The same for those skills alone that an older registry does not share.
    pub(crate) fn inspect_since(
        &mut self,
        older: &Self,
        inspection: impl Fn(&Skill) -> Option<Arc<Inspection>> + Sync,
    ) {
        let mut unshared = Vec::new();
        self.each_unshared(older, |skill, _| unshared.push(skill));
        unshared
            .into_par_iter()
            .for_each(|skill| inspect_one(skill, &inspection));
    }

    /// How many skills an older registry does not share.
    pub(crate) fn count_unshared(&mut self, older: &Self) -> usize {
        let mut count = 0;
        self.each_unshared(older, |_, _| count += 1);
        count
    }

    /// The skill with this path in this root, to be looked at again.
    pub(crate) fn at_mut(&mut self, root: &Root, path: &Path) -> Option<&mut Arc<Skill>> {
        self.skills
            .iter_mut()
            .find(|skill| skill.root.order == root.order && is_spelt(&skill.path, path))
    }

    /// Takes from an older registry of the same roots each skill that is the same there, so that the two share it, and
    /// how often the other files of a skill were seen to change.
    pub fn share_with(&mut self, older: &Self) {
        self.each_unshared(older, |skill, old| {
            let Some(old) = old else {
                return;
            };
            if skill.revision < old.revision {
                Arc::make_mut(skill).revision = old.revision;
            }
            if old == skill {
                *skill = Arc::clone(old);
            }
        });
    }

    /// Visits the skills that an older registry does not share, each with what is in its place there.
    fn each_unshared<'s>(
        &'s mut self,
        older: &Self,
        mut visit: impl FnMut(&'s mut Arc<Skill>, Option<&Arc<Skill>>),
    ) {
        let mut old = older.skills.iter().peekable();
        for skill in &mut self.skills {
            if old.next_if(|old| Arc::ptr_eq(old, skill)).is_some() {
                continue;
            }
            while old.next_if(|old| order(old) < order(skill)).is_some() {}
            match old.next_if(|old| order(old) == order(skill)) {
                Some(old) if Arc::ptr_eq(old, skill) => {}
                old => visit(skill, old),
            }
        }
    }

    /// Removes what a root has at a path or below it.
    pub(crate) fn remove_at(&mut self, root: &Root, path: &Path) {
        let is_taken =
            |skill: &mut Arc<Skill>| skill.root.order == root.order && lies_at(&skill.path, path);
        let removed: Vec<_> = self.skills.extract_if(.., is_taken).collect();
        self.settle_around(&removed);
    }

    fn take(&mut self, path: &Path, is_meant: impl Fn(&Skill) -> bool) -> Vec<Arc<Skill>> {
        let is_taken = |skill: &mut Arc<Skill>| is_spelt(&skill.path, path) && is_meant(skill);
        self.skills.extract_if(.., is_taken).collect()
    }

    /// Where the skills of an id stand.
    fn range(&self, id: &str) -> Range<usize> {
        let start = self.skills.partition_point(|skill| *skill.id < *id);
        let rest = self.skills.get(start..).unwrap_or_default();
        start..start + rest.partition_point(|skill| skill.id == id)
    }
}

fn inspect_one(skill: &mut Arc<Skill>, inspection: impl Fn(&Skill) -> Option<Arc<Inspection>>) {
    let inspection = inspection(skill);
    if skill.inspection != inspection {
        Arc::make_mut(skill).inspection = inspection;
    }
}

pub(crate) fn judge_one(skill: &mut Arc<Skill>, judge: impl Fn(&Skill) -> Standing) {
    if matches!(skill.state, State::Broken | State::Shadowed) {
        return;
    }
    let Standing { state, blockers } = judge(skill);
    if skill.state != state || skill.blockers != blockers {
        let skill = Arc::make_mut(skill);
        skill.state = state;
        skill.blockers = blockers;
    }
}

/// [`Registry::read_sidecars`] for one skill. Without a sidecar it is not copied, whoever else holds it.
pub(crate) fn read_sidecar(skill: &mut Arc<Skill>) {
    if let Some(sidecar) = skill.directory().and_then(check::sidecar)
        && let Some(manifest) = &mut Arc::make_mut(skill).manifest
    {
        manifest.merge_sidecar(sidecar);
    }
}

/// Whether two paths are the same. Those of skills are spelt in one way, so that their bytes can be compared.
fn is_spelt(a: &Path, b: &Path) -> bool {
    a.as_os_str() == b.as_os_str()
}

/// Whether a path is another one or lies below it. The bytes are compared first, as nearly all paths differ there.
fn lies_at(path: &Path, place: &Path) -> bool {
    let (start, all) = (place.as_os_str(), path.as_os_str());
    all.as_encoded_bytes().starts_with(start.as_encoded_bytes()) && path.starts_with(place)
}

fn order(skill: &Skill) -> (&str, u32, &Path) {
    (&skill.id, skill.root.order, &skill.path)
}

#[cfg(test)]
mod tests;
