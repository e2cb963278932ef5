//! One path of a root: what a search of the whole root would make of it, without searching the root.
//!
//! It goes down from the root to the path by the same steps as a search. Where the outcome depends on the rest of the
//! root, the answer is that the root must be searched.

use std::path::{Component, Path};

use super::{
    Candidate, Kind, Name, Search, SearchLimits, Tree, VIRTUAL_ENVIRONMENT, archive, candidate,
    is_not_searched, links, listing,
};
use crate::read::ReadError;
use crate::roots::Root;

/// What a search would make of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Look {
    /// The skill that it is, or that it is a part of.
    Skill(Box<Candidate>),
    /// It is no skill, nor part of one, and none lies below.
    Nothing,
    /// Skills may lie below, or it is reached through a link to a directory of skills: only a search of the root tells.
    Search,
}

/// Looks at a path below a root: a skill's directory, a flat file, an archive, or anything in a skill.
///
/// Gives exactly the candidate that a search of the root would; the limits of a search do not count.
pub fn look(root: &Root, path: &Path) -> Look {
    let Ok(below) = path.strip_prefix(&root.path) else {
        return Look::Nothing;
    };
    let keep = |candidate| candidate;
    let search = Search::new(root, SearchLimits::default(), &keep);
    let found = search.look(below);
    if search.has_problems() {
        // What went wrong must become a problem of the search.
        return Look::Search;
    }
    found
}

/// The skill at a path below a root, as a search of the root would find it; nothing where it is none, and where only
/// [`Look::Search`] is certain.
pub fn candidate_at(root: &Root, path: &Path) -> Option<Candidate> {
    match look(root, path) {
        Look::Skill(candidate) => Some(*candidate),
        Look::Nothing | Look::Search => None,
    }
}

/// What one step down led to.
enum Step {
    Found(Look),
    /// A directory that is no skill.
    Further,
}

impl From<Option<Candidate>> for Look {
    fn from(candidate: Option<Candidate>) -> Self {
        candidate.map_or(Self::Nothing, |candidate| Self::Skill(Box::new(candidate)))
    }
}

impl<F: Fn(Candidate) -> Candidate + Sync> Search<'_, F> {
    fn look(&self, below: &Path) -> Look {
        let tree = self.own_tree();
        if let Some(found) = self.look_at_top(&tree, below) {
            return found;
        }
        let mut path = self.root.path.clone();
        for (component, depth) in below.components().zip(0..) {
            let Component::Normal(name) = component else {
                return Look::Nothing;
            };
            path.push(name);
            let Some(name) = listing::entry(&path) else {
                return Look::Nothing;
            };
            match self.step(&tree, &path, &name, depth) {
                Step::Found(found) => return found,
                Step::Further => {}
            }
        }
        Look::Search
    }

    /// What the root's own entries decide: a SKILL.md in the root, and that nothing is looked for below.
    fn look_at_top(&self, tree: &Tree, below: &Path) -> Option<Look> {
        let top = &self.root.path;
        let mut names = below.iter();
        let first = names.next()?;
        let is_skill_md = first.eq_ignore_ascii_case(super::SKILL_MD) && names.next().is_none();
        if is_skill_md || self.root.single {
            let candidate = self.named_skill_md(tree, top, &self.list(top)?);
            if is_skill_md || candidate.is_some() {
                return Some(candidate.into());
            }
        }
        let is_environment = top.join(VIRTUAL_ENVIRONMENT).symlink_metadata().is_ok();
        is_environment.then_some(Look::Nothing)
    }

    /// What an entry of a directory `depth` levels below the root is.
    fn step(&self, tree: &Tree, path: &Path, name: &Name, depth: u8) -> Step {
        match name.kind {
            Kind::Directory if depth >= self.root.depth => Step::Found(Look::Nothing),
            Kind::Directory => self.step_into(tree, path, depth + 1),
            Kind::File => Step::Found(self.single_file(tree, path, name, depth)),
            Kind::Link => Step::Found(self.linked(tree, path, name, depth + 1)),
            Kind::Other if name.is_archive() => {
                let reason = candidate::unreadable(path, &ReadError::NotRegular);
                let candidate = archive::unreadable(path.to_owned(), Box::new(reason));
                Step::Found(Some(candidate).into())
            }
            Kind::Other => Step::Found(Look::Nothing),
        }
    }

    fn step_into(&self, tree: &Tree, path: &Path, depth: u8) -> Step {
        if let Some(candidate) = self.skill_md(tree, path) {
            return Step::Found(Some(candidate).into());
        }
        let is_foreign = path.file_name().is_some_and(is_not_searched);
        if is_foreign && !listing::CASE_IS_LOST {
            return Step::Found(Look::Nothing);
        }
        let Some(names) = self.list(path) else {
            return Step::Found(Look::Search);
        };
        let skill = self
            .named_skill_md(tree, path, &names)
            .or_else(|| self.any_markdown(tree, path, &names, depth));
        let is_environment = names.iter().any(|name| name.name == VIRTUAL_ENVIRONMENT);
        if skill.is_some() || is_foreign || is_environment {
            return Step::Found(skill.into());
        }
        Step::Further
    }

    fn single_file(&self, tree: &Tree, path: &Path, name: &Name, depth: u8) -> Look {
        let found = self.file(tree, path.to_owned(), name, depth);
        found.into_iter().next().into()
    }

    fn linked(&self, tree: &Tree, path: &Path, name: &Name, depth: u8) -> Look {
        let real_parent = tree.real(path.parent().unwrap_or(path));
        let link = links::Link::new(path.to_owned(), name.clone(), real_parent, depth);
        match self.target(link) {
            links::Target::Done(found) => found.into_iter().next().into(),
            // Which of several links counts depends on all of them.
            links::Target::Directory(..) => Look::Search,
        }
    }
}

#[cfg(test)]
mod tests;
