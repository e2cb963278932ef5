//! Which of several skills counts.
//!
//! Two rules, in this order. Of findings of one directory, that with the highest precedence counts, whatever their ids.
//! Of skills with one id, the first that is left counts. Both are settled for all skills at once, or only for those that
//! a change can have touched; a skill whose standing stays as it was is not copied.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::{Registry, SameContent};
use crate::load::Skill;
use crate::roots::Root;
use crate::state::{Blocker, State};

/// Why a skill does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shadow {
    SameDirectory,
    Identical,
    SameId,
}

impl Shadow {
    const ALL: [Self; 3] = [Self::SameDirectory, Self::Identical, Self::SameId];

    /// The kind of the blocker.
    const fn kind(self) -> &'static str {
        match self {
            Self::SameDirectory => "same-directory",
            Self::Identical => "identical",
            Self::SameId => "shadowed",
        }
    }

    fn detail(self, winner: &Path) -> String {
        let reason = match self {
            Self::SameDirectory => "is the same directory",
            Self::Identical => "has the same content and precedence",
            Self::SameId => "has the same id and precedence",
        };
        format!("{} {reason}", winner.display())
    }
}

/// For each real place that was found more than once or may have been, the finding that counts: the order of its root,
/// and its path. Two roots can show one place under one path.
type Owners = HashMap<PathBuf, (u32, PathBuf)>;

/// What has to be known to settle the skills of one id.
struct Ground<'a> {
    owners: &'a Owners,
    same_content: SameContent,
    /// The paths of the skills that are new; none when all are.
    changed: Option<&'a [&'a Path]>,
}

impl Registry {
    /// Settles all skills.
    pub(super) fn settle_all(&mut self) {
        let owners = if may_meet_twice(&self.skills) {
            owners(&self.skills, |_| true)
        } else {
            Owners::new()
        };
        let ground = Ground {
            owners: &owners,
            same_content: self.same_content,
            changed: None,
        };
        self.skills
            .chunk_by_mut(|a, b| a.id == b.id)
            .filter(|group| group.len() > 1 || !owners.is_empty() || group[0].shadowed_by.is_some())
            .par_bridge()
            .for_each(|group| ground.settle(group));
    }

    /// Settles those skills whose standing can depend on the `changed` ones, which were put in or taken out.
    pub(super) fn settle_around(&mut self, changed: &[Arc<Skill>]) {
        let mut ids: BTreeSet<String> = changed.iter().map(|skill| skill.id.clone()).collect();
        let mut found = Owners::new();
        if may_meet_twice(self.skills.iter().chain(changed)) {
            let places: BTreeSet<PathBuf> = changed.iter().map(|it| it.real_place()).collect();
            let met = |skill: &&Arc<Skill>| places.contains(&skill.real_place());
            ids.extend(self.skills.iter().filter(met).map(|skill| skill.id.clone()));
            found = owners(&self.skills, |place| places.contains(place));
        }
        let paths: Vec<&Path> = changed.iter().map(|skill| skill.path.as_path()).collect();
        let ground = Ground {
            owners: &found,
            same_content: self.same_content,
            changed: Some(&paths),
        };
        for id in &ids {
            let range = self.range(id);
            ground.settle(&mut self.skills[range]);
        }
    }
}

/// Whether one directory can have been found twice: through a link, or in roots one of which lies in another.
fn may_meet_twice<'a>(skills: impl IntoIterator<Item = &'a Arc<Skill>>) -> bool {
    let mut roots: Vec<&Arc<Root>> = Vec::new();
    for skill in skills {
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

/// Who counts for each wanted place.
fn owners(skills: &[Arc<Skill>], is_wanted: impl Fn(&Path) -> bool) -> Owners {
    let mut found: Vec<(&Arc<Skill>, PathBuf)> = skills
        .iter()
        .filter(|skill| skill.state != State::Broken)
        .map(|skill| (skill, skill.real_place()))
        .filter(|(_, place)| is_wanted(place))
        .collect();
    found.sort_by_key(|(skill, _)| (skill.root.order, skill.path.as_path()));
    let mut owners = Owners::with_capacity(found.len());
    for (skill, place) in found {
        owners
            .entry(place)
            .or_insert_with(|| (skill.root.order, skill.path.clone()));
    }
    owners
}

impl Ground<'_> {
    /// Settles all skills of one id, which are sorted by precedence.
    fn settle(&self, group: &mut [Arc<Skill>]) {
        let mut winner: Option<usize> = None;
        for index in 0..group.len() {
            let (before, rest) = group.split_at_mut(index);
            let Some(skill) = rest.first_mut() else {
                return;
            };
            if skill.state == State::Broken {
                continue;
            }
            let first = winner.and_then(|winner| before.get(winner));
            match (self.owner(skill), first) {
                (Some(owner), _) => set_shadow(skill, Some((&owner, Shadow::SameDirectory))),
                (None, Some(first)) => {
                    let shadow = self.shadow_of_id(first, skill);
                    set_shadow(skill, Some((&first.path, shadow)));
                }
                (None, None) => {
                    set_shadow(skill, None);
                    winner = Some(index);
                }
            }
        }
    }

    /// The finding of the same directory that counts instead of this one.
    fn owner(&self, skill: &Skill) -> Option<PathBuf> {
        if !self.owners.is_empty()
            && let Some((order, path)) = self.owners.get(&skill.real_place())
        {
            let is_itself = *order == skill.root.order && *path == skill.path;
            return (!is_itself).then(|| path.clone());
        }
        match (self.changed, current(skill)) {
            // Its place is not among those that changed.
            (Some(_), Some((owner, Shadow::SameDirectory))) => Some(owner.to_owned()),
            _ => None,
        }
    }

    /// Why the later of two skills with one id does not count. Files are compared only when one of the two is new.
    fn shadow_of_id(&self, winner: &Skill, skill: &Skill) -> Shadow {
        let is_new = |skill: &Skill| match self.changed {
            Some(changed) => changed.contains(&skill.path.as_path()),
            None => true,
        };
        match current(skill) {
            Some((path, shadow @ (Shadow::Identical | Shadow::SameId)))
                if path == winner.path && !is_new(winner) && !is_new(skill) =>
            {
                shadow
            }
            _ if (self.same_content)(winner, skill) => Shadow::Identical,
            _ => Shadow::SameId,
        }
    }
}

/// The shadow that lies on a skill.
fn current(skill: &Skill) -> Option<(&Path, Shadow)> {
    let winner = skill.shadowed_by.as_deref()?;
    let shadow = Shadow::ALL.into_iter().find(|shadow| {
        let mut kinds = skill.blockers.iter().map(|blocker| &*blocker.kind);
        kinds.any(|kind| kind == shadow.kind())
    })?;
    Some((winner, shadow))
}

/// Lays a shadow on a skill or lifts the one that it has.
fn set_shadow(skill: &mut Arc<Skill>, shadow: Option<(&Path, Shadow)>) {
    if current(skill) == shadow {
        return;
    }
    let skill = Arc::make_mut(skill);
    skill.lift_shadow();
    if let Some((winner, shadow)) = shadow {
        skill.state = State::Shadowed;
        skill.shadowed_by = Some(winner.to_owned());
        let detail = shadow.detail(winner);
        skill.blockers = vec![Blocker::new(shadow.kind(), detail)];
    }
}

impl Skill {
    /// Leaves a skill as it is before it is judged.
    fn lift_shadow(&mut self) {
        if self.state == State::Shadowed {
            self.state = State::Ready;
            self.shadowed_by = None;
            self.blockers.clear();
        }
    }
}
