//! Finds every candidate for a skill in a root, and reads its SKILL.md.
//!
//! Nearly all directories in a root are skills, so the search asks for `DIR/SKILL.md` first and lists a directory only
//! when there is none. What is found is handed on at once, in parallel; a file's bytes are never kept.
//!
//! Not searched: hidden directories, dependencies and build output, and whatever lies below a skill. Links to
//! directories are followed after the tree they stand in is done, in the order of their paths, so that the outcome does
//! not depend on which thread came first. A directory that was searched already is not searched again.
//!
//! A SKILL.md in the root itself is a skill and does not end the search: one that was dropped there by mistake must not
//! hide all others.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use crate::clients::Flat;
use crate::limits;
use crate::problem::Problem;
use crate::read::{self, Links, ReadError};
use crate::roots::Root;

mod archive;
mod candidate;
mod links;
mod listing;
mod single;

pub use candidate::{Candidate, Content, Form};
pub(crate) use candidate::{SKILL_MD, second_spelling};
use links::Link;
use listing::{Kind, Name};
pub use single::{Look, candidate_at, look};

/// How much of a root is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// Most directory entries.
    pub entries: usize,
    /// Most directories, skills included.
    pub directories: usize,
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self {
            entries: limits::ENTRIES,
            directories: limits::DIRECTORIES,
        }
    }
}

/// Reads a SKILL.md or flat file that was found before. A link counts as it did then: only when it does not leave the
/// root or the directory it stands in, both without links.
pub(crate) fn read_again(path: &Path, root: &Path, directory: &Path) -> Content {
    let result = read::read(path, Links::Refuse, limits::FILE_BYTES);
    from_file(path, result, root, || directory.to_owned())
}

/// The bytes, or the diagnostic that says why there are none. A file that is a link is read here, if it stays within
/// the root or the directory it stands in.
fn from_file(
    path: &Path,
    result: Result<Vec<u8>, ReadError>,
    root: &Path,
    directory: impl FnOnce() -> PathBuf,
) -> Content {
    match result {
        Err(ReadError::Io(_) | ReadError::NotRegular) if path.is_symlink() => {
            links::read_linked_file(path, &[root, &directory()])
        }
        result => result.map_err(|error| Box::new(candidate::unreadable(path, &error))),
    }
}

/// What was found in a root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<T> {
    /// What became of the candidates, in no particular order.
    pub skills: Vec<T>,
    /// What could not be searched.
    pub problems: Vec<Problem>,
}

/// Searches a root and hands every candidate to `load`, from several threads.
pub fn search<T: Send>(
    root: &Root,
    limits: SearchLimits,
    load: impl Fn(Candidate) -> T + Sync,
) -> Found<T> {
    let search = Search::new(root, limits, &load);
    let mut skills = search.root(&search.own_tree());
    search.follow_links(&mut skills);
    Found {
        skills,
        problems: search.sorted_problems(),
    }
}

/// A tree of plain directories: the root's own, or one that a link leads to.
#[derive(Clone, Debug)]
struct Tree {
    /// Its top as it is shown.
    shown: PathBuf,
    /// Its top without links.
    real: PathBuf,
    through_link: bool,
}

impl Tree {
    /// The path without links of something in the tree.
    fn real(&self, shown: &Path) -> PathBuf {
        match shown.strip_prefix(&self.shown) {
            Ok(below) if below.as_os_str().is_empty() => self.real.clone(),
            Ok(below) => self.real.join(below),
            Err(_) => shown.to_owned(),
        }
    }

    fn candidate(&self, path: PathBuf, content: Content) -> Candidate {
        let directory = path.parent().filter(|_| self.through_link);
        Candidate {
            real_directory: directory.map(|directory| self.real(directory)),
            path,
            form: Form::Directory,
            content,
            notes: Vec::new(),
        }
    }
}

struct Search<'a, F> {
    root: &'a Root,
    limits: SearchLimits,
    load: &'a F,
    entries: AtomicUsize,
    directories: AtomicUsize,
    /// Links to follow when the tree at hand is done.
    links: Mutex<Vec<Link>>,
    problems: Mutex<Vec<Problem>>,
}

/// Directories of other people's code and of build output. A skill may be called so, but none is looked for below.
const NOT_SEARCHED: [&str; 5] = [
    "node_modules",
    "target",
    "venv",
    "site-packages",
    "__pycache__",
];

/// Marks a Python virtual environment, whatever its directory is called.
pub(crate) const VIRTUAL_ENVIRONMENT: &str = "pyvenv.cfg";

impl<'a, F> Search<'a, F> {
    fn new(root: &'a Root, limits: SearchLimits, load: &'a F) -> Self {
        Self {
            root,
            limits,
            load,
            entries: AtomicUsize::new(0),
            directories: AtomicUsize::new(0),
            links: Mutex::default(),
            problems: Mutex::default(),
        }
    }

    /// The tree of the root itself.
    fn own_tree(&self) -> Tree {
        Tree {
            shown: self.root.path.clone(),
            real: self.root.real.clone(),
            through_link: false,
        }
    }

    fn has_problems(&self) -> bool {
        !lock(&self.problems).is_empty()
    }
}

impl<T: Send, F: Fn(Candidate) -> T + Sync> Search<'_, F> {
    fn root(&self, tree: &Tree) -> Vec<T> {
        let path = &self.root.path;
        let Some(names) = self.list(path) else {
            return Vec::new();
        };
        let mut skills = Vec::new();
        if let Some(candidate) = self.named_skill_md(tree, path, &names) {
            skills.push((self.load)(candidate));
            if self.root.single {
                return skills;
            }
        }
        skills.extend(self.below(tree, path, names, 0));
        skills
    }

    /// A directory `depth` levels below the root: a skill, or something to search.
    fn directory(&self, tree: &Tree, path: &Path, depth: u8) -> Vec<T> {
        if !self.count_directory(path) {
            return Vec::new();
        }
        match self.skill_md(tree, path) {
            Some(candidate) => vec![(self.load)(candidate)],
            None => self.without_skill_md(tree, path, depth),
        }
    }

    /// The skill that a directory is, when it holds a file called exactly SKILL.md.
    fn skill_md(&self, tree: &Tree, directory: &Path) -> Option<Candidate> {
        if listing::CASE_IS_LOST {
            // The file would be found under any spelling; only a list tells which it is.
            return None;
        }
        let path = directory.join(SKILL_MD);
        let content = match read::read(&path, Links::Refuse, limits::FILE_BYTES) {
            Err(ReadError::Io(error)) if read::is_absent(&error) => return None,
            result => self.content(tree, directory, &path, result),
        };
        Some(tree.candidate(path, content))
    }

    /// A directory without a file called exactly SKILL.md.
    fn without_skill_md(&self, tree: &Tree, path: &Path, depth: u8) -> Vec<T> {
        let is_foreign = path.file_name().is_some_and(is_not_searched);
        if is_foreign && !listing::CASE_IS_LOST {
            return Vec::new();
        }
        let Some(names) = self.list(path) else {
            return Vec::new();
        };
        let skill = self
            .named_skill_md(tree, path, &names)
            .or_else(|| self.any_markdown(tree, path, &names, depth));
        match skill {
            Some(candidate) => vec![(self.load)(candidate)],
            None if is_foreign => Vec::new(),
            None => self.below(tree, path, names, depth),
        }
    }

    /// The skill that a listed directory is by a SKILL.md in any spelling. The right spelling counts first, and each
    /// other one is diagnosed.
    fn named_skill_md(&self, tree: &Tree, directory: &Path, names: &[Name]) -> Option<Candidate> {
        let mut spellings: Vec<&Name> = names.iter().filter(|name| name.is_skill_md()).collect();
        spellings.sort_by_key(|name| (name.name != SKILL_MD, name.kind == Kind::Directory));
        let (first, others) = spellings.split_first()?;
        let path = directory.join(&first.name);
        let result = read::read(&path, Links::Refuse, limits::FILE_BYTES);
        let content = self.content(tree, directory, &path, result);
        let mut candidate = tree.candidate(path, content);
        if first.name != SKILL_MD {
            candidate.notes.push(candidate::misspelt(&first.name));
        }
        for other in others {
            candidate.notes.push(second_spelling(&other.name));
        }
        Some(candidate)
    }

    /// Where the client allows it, and only directly in the root: the first Markdown file with a name in its frontmatter.
    fn any_markdown(
        &self,
        tree: &Tree,
        directory: &Path,
        names: &[Name],
        depth: u8,
    ) -> Option<Candidate> {
        if !self.root.any_markdown || depth != 1 {
            return None;
        }
        names
            .iter()
            .filter(|name| name.kind == Kind::File && name.has_suffix(".md") && !name.is_document())
            .find_map(|name| {
                let path = directory.join(&name.name);
                let bytes = read::read(&path, Links::Refuse, limits::FILE_BYTES).ok()?;
                if !candidate::frontmatter_has_name(&bytes) {
                    return None;
                }
                let mut candidate = tree.candidate(path, Ok(bytes));
                candidate.notes.push(candidate::misspelt(&name.name));
                Some(candidate)
            })
    }

    /// What a listed directory that is no skill holds.
    fn below(&self, tree: &Tree, path: &Path, names: Vec<Name>, depth: u8) -> Vec<T> {
        if names.iter().any(|name| name.name == VIRTUAL_ENVIRONMENT) {
            return Vec::new();
        }
        let deeper = depth < self.root.depth;
        if !deeper && self.root.depth >= limits::DEPTH && names.iter().any(Name::is_directory) {
            self.limit_reached(path, "levels", usize::from(self.root.depth));
        }
        names
            .into_par_iter()
            .with_min_len(8)
            .flat_map_iter(|name| {
                let below = path.join(&name.name);
                match name.kind {
                    Kind::Directory if deeper => self.directory(tree, &below, depth + 1),
                    Kind::File => self.file(tree, below, &name, depth),
                    Kind::Link => {
                        self.remember_link(tree, path, below, name, depth + 1);
                        Vec::new()
                    }
                    // A pipe or device that bears a skill's name must not vanish.
                    Kind::Other if name.is_archive() => {
                        let reason = candidate::unreadable(&below, &ReadError::NotRegular);
                        let candidate = archive::unreadable(below, Box::new(reason));
                        vec![(self.load)(candidate)]
                    }
                    Kind::Directory | Kind::Other => Vec::new(),
                }
            })
            .collect()
    }

    /// A single file: a flat skill, an archive, or nothing.
    fn file(&self, tree: &Tree, path: PathBuf, name: &Name, depth: u8) -> Vec<T> {
        let candidate = if name.is_archive() {
            archive::candidate(path)
        } else if self.is_flat(name, depth) {
            self.flat(tree, path, name)
        } else {
            None
        };
        candidate.map(self.load).into_iter().collect()
    }

    fn is_flat(&self, name: &Name, depth: u8) -> bool {
        match self.root.flat {
            Flat::None => false,
            Flat::SkillMd => name.has_suffix(".skill.md"),
            // Deeper files are documents more often than skills.
            Flat::NamedMarkdown | Flat::Markdown => {
                name.has_suffix(".skill.md")
                    || depth == 0 && name.has_suffix(".md") && !name.is_skill_md()
            }
        }
    }

    fn flat(&self, tree: &Tree, path: PathBuf, name: &Name) -> Option<Candidate> {
        let result = read::read(&path, Links::Refuse, limits::FILE_BYTES);
        if let Ok(bytes) = &result {
            let certain = name.has_suffix(".skill.md");
            let skill = match self.root.flat {
                Flat::NamedMarkdown => certain || candidate::frontmatter_has_name(bytes),
                _ => certain || !name.is_document() || candidate::has_frontmatter(bytes),
            };
            if !skill {
                return None;
            }
        }
        let directory = path.parent().unwrap_or(&path);
        let content = self.content(tree, directory, &path, result);
        let mut candidate = tree.candidate(path, content);
        candidate.form = Form::File;
        Some(candidate)
    }

    /// The bytes, or the diagnostic that says why there are none. A file that is a link is read here.
    fn content(
        &self,
        tree: &Tree,
        directory: &Path,
        path: &Path,
        result: Result<Vec<u8>, ReadError>,
    ) -> Content {
        let real_directory = || tree.real(directory);
        from_file(path, result, &self.root.real, real_directory)
    }

    /// The entries of a directory in the order of their names, or nothing and a problem.
    fn list(&self, path: &Path) -> Option<Vec<Name>> {
        let seen = self.entries.load(Ordering::Relaxed);
        let room = self.limits.entries.saturating_sub(seen);
        match listing::list(path, room) {
            Ok((names, complete)) => {
                self.entries.fetch_add(names.len(), Ordering::Relaxed);
                if !complete {
                    self.limit_reached(path, "entries", self.limits.entries);
                }
                Some(names)
            }
            Err(error) => {
                self.problem(Problem::DirectoryUnreadable {
                    path: path.to_owned(),
                    reason: error.to_string(),
                });
                None
            }
        }
    }

    fn count_directory(&self, path: &Path) -> bool {
        let room = self.directories.fetch_add(1, Ordering::Relaxed) < self.limits.directories;
        if !room {
            self.limit_reached(path, "directories", self.limits.directories);
        }
        room
    }

    fn limit_reached(&self, path: &Path, what: &'static str, limit: usize) {
        self.problem(Problem::SearchLimit {
            path: path.to_owned(),
            what,
            limit,
        });
    }

    fn problem(&self, problem: Problem) {
        lock(&self.problems).push(problem);
    }

    /// Sorted by path; of each limit only the first place.
    fn sorted_problems(self) -> Vec<Problem> {
        let mut problems = self
            .problems
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        problems.sort_by(|a, b| a.path().cmp(b.path()));
        let mut limits = Vec::new();
        problems.retain(|problem| match problem {
            Problem::SearchLimit { what, .. } if limits.contains(what) => false,
            Problem::SearchLimit { what, .. } => {
                limits.push(what);
                true
            }
            _ => true,
        });
        problems
    }
}

pub(crate) fn is_not_searched(name: &std::ffi::OsStr) -> bool {
    NOT_SEARCHED.iter().any(|other| name == *other)
}

/// A panic of another thread does not make the data wrong: it is only ever added to.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
