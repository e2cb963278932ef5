//! Links: directories that are reached through one, and files that are one.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use skillmd::{Code, Diagnostic};

use super::archive;
use super::candidate::{self, Candidate, Content, Form, SKILL_MD, name_of};
use super::listing::{Kind, Name};
use super::{Search, Tree, is_not_searched, lock};
use crate::limits;
use crate::read::{self, Links};

/// A link that was met and not yet followed.
#[derive(Clone, Debug)]
pub(super) struct Link {
    path: PathBuf,
    name: Name,
    /// The directory it stands in, without links.
    real_parent: PathBuf,
    /// How many levels below the root what it leads to counts.
    depth: u8,
}

impl Link {
    pub(super) fn new(path: PathBuf, name: Name, real_parent: PathBuf, depth: u8) -> Self {
        Self {
            path,
            name,
            real_parent,
            depth,
        }
    }
}

/// Where a link leads.
pub(super) enum Target<T> {
    /// To skills, or to nothing of interest.
    Done(Vec<T>),
    /// To a directory that is no skill by its SKILL.md.
    Directory(Link, Tree),
}

impl<T: Send, F: Fn(Candidate) -> T + Sync> Search<'_, F> {
    pub(super) fn remember_link(
        &self,
        tree: &Tree,
        parent: &Path,
        path: PathBuf,
        name: Name,
        depth: u8,
    ) {
        let real_parent = tree.real(parent);
        lock(&self.links).push(Link::new(path, name, real_parent, depth));
    }

    /// Follows the links that were met, then those that were met on the way, until there are no more. It ends: each
    /// round leads to directories that were not searched before.
    pub(super) fn follow_links(&self, skills: &mut Vec<T>) {
        let mut searched = HashSet::new();
        loop {
            let mut links = std::mem::take(&mut *lock(&self.links));
            if links.is_empty() {
                return;
            }
            links.sort_by(|a, b| a.path.cmp(&b.path));
            let targets: Vec<_> = links
                .into_par_iter()
                .map(|link| self.target(link))
                .collect();
            for target in targets {
                match target {
                    Target::Done(found) => skills.extend(found),
                    Target::Directory(link, tree) => {
                        skills.extend(self.follow(&link, &tree, &mut searched));
                    }
                }
            }
        }
    }

    /// What a link leads to. Skills, files and what leads nowhere are dealt with at once.
    pub(super) fn target(&self, link: Link) -> Target<T> {
        let real = match std::fs::canonicalize(&link.path) {
            Ok(real) => real,
            Err(error) => {
                return Target::Done(self.broken_link(&link, &error).into_iter().collect());
            }
        };
        if !real.is_dir() {
            return Target::Done(self.linked_file(link, &real));
        }
        if link.depth > self.root.depth || !self.count_directory(&link.path) {
            return Target::Done(Vec::new());
        }
        let tree = Tree {
            shown: link.path.clone(),
            real,
            through_link: true,
        };
        match self.skill_md(&tree, &link.path) {
            Some(candidate) => Target::Done(vec![(self.load)(candidate)]),
            None => Target::Directory(link, tree),
        }
    }

    fn linked_file(&self, link: Link, real: &Path) -> Vec<T> {
        let is_inside = real.starts_with(&self.root.real) || real.starts_with(&link.real_parent);
        if link.name.is_archive() && !is_inside {
            let reason = leaves_root(&link.path, real);
            return vec![(self.load)(archive::unreadable(link.path, reason))];
        }
        let tree = Tree {
            shown: link.path.parent().unwrap_or(&link.path).to_owned(),
            real: link.real_parent,
            through_link: false,
        };
        let name = Name {
            kind: Kind::File,
            ..link.name
        };
        self.file(&tree, link.path, &name, link.depth - 1)
    }

    /// Searches a directory that a link leads to, unless that was done or would lead round in a circle.
    fn follow(&self, link: &Link, tree: &Tree, searched: &mut HashSet<PathBuf>) -> Vec<T> {
        let circle = link.real_parent.starts_with(&tree.real);
        if circle || self.is_in_own_tree(&tree.real) || !searched.insert(tree.real.clone()) {
            return Vec::new();
        }
        self.without_skill_md(tree, &link.path, link.depth)
    }

    /// Whether the search of the root itself comes to this directory.
    fn is_in_own_tree(&self, real: &Path) -> bool {
        let Ok(below) = real.strip_prefix(&self.root.real) else {
            return false;
        };
        below.components().count() <= usize::from(self.root.depth)
            && below
                .iter()
                .all(|name| !name.as_encoded_bytes().starts_with(b".") && !is_not_searched(name))
    }

    /// A link that leads nowhere is a broken skill where a skill would stand: directly in the root.
    fn broken_link(&self, link: &Link, error: &io::Error) -> Option<T> {
        if link.depth != 1 {
            return None;
        }
        let mut diagnostic = Diagnostic::about_file(
            Code::LinkBroken,
            format!(
                "`{}` is a link that leads nowhere: {error}",
                name_of(&link.path)
            ),
        );
        diagnostic.help("remove the link, or put back what it led to");
        let (path, form) = if self.is_flat(&link.name, 0) {
            (link.path.clone(), Form::File)
        } else {
            (link.path.join(SKILL_MD), Form::Directory)
        };
        Some((self.load)(Candidate {
            path,
            form,
            real_directory: None,
            content: Err(Box::new(diagnostic)),
            notes: Vec::new(),
        }))
    }
}

/// The bytes of a file that is a link, if what it leads to lies in one of `places` (which are without links).
pub(super) fn read_linked_file(path: &Path, places: &[&Path]) -> Content {
    let target = std::fs::canonicalize(path).map_err(|error| {
        let mut diagnostic = Diagnostic::about_file(
            Code::LinkBroken,
            format!("`{}` is a link that leads nowhere: {error}", name_of(path)),
        );
        diagnostic.help("remove the link, or put back what it led to");
        Box::new(diagnostic)
    })?;
    if !places.iter().any(|place| target.starts_with(place)) {
        return Err(leaves_root(path, &target));
    }
    read::read(&target, Links::Refuse, limits::FILE_BYTES)
        .map_err(|error| Box::new(candidate::unreadable(path, &error)))
}

fn leaves_root(path: &Path, target: &Path) -> Box<Diagnostic> {
    let mut diagnostic = Diagnostic::about_file(
        Code::LinkOutsideRoot,
        format!(
            "`{}` is a link to `{}`, outside its root",
            name_of(path),
            target.display()
        ),
    );
    diagnostic.help("copy the file, or link the skill's whole directory");
    Box::new(diagnostic)
}
