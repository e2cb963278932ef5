//! The list of files of a commit.

use std::collections::BTreeSet;

use super::refs::Want;
use super::run::{Git, Input};
use super::{ByPath, near_paths};
use crate::find::{is_not_searched, is_single, is_skill_md};
use crate::source::fetch::FetchError;

/// What an entry of a tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind {
    File { executable: bool },
    Link,
    Submodule,
}

#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// As git has it; it may be anything.
    pub(super) path: Vec<u8>,
    pub(super) kind: EntryKind,
    pub(super) object: String,
}

/// All files and directories of a commit.
#[derive(Debug, Default)]
pub(in crate::source::fetch) struct Listing {
    pub(super) entries: Vec<Entry>,
    /// The trees of directories.
    directories: ByPath,
    top: String,
    /// Directories with a SKILL.md, the top as the empty path, and single files that are skills.
    skills: BTreeSet<String>,
}

/// Where skills are looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Below a directory; the empty path is the top.
    Directory(String),
    /// A single file that is a skill.
    File(String),
}

impl Listing {
    pub(super) fn of(git: &Git<'_>, commit: &str) -> Result<Self, FetchError> {
        let output = git.run(
            &["ls-tree", "-r", "-t", "-z", "--full-tree", commit],
            Input::default(),
        )?;
        let top = format!("{commit}^{{tree}}");
        let top = git.run(
            &["rev-parse", "--verify", "--end-of-options", &top],
            Input::default(),
        )?;
        let mut listing = Self::read(&output)?;
        String::from_utf8_lossy(&top)
            .trim()
            .clone_into(&mut listing.top);
        listing.skills = listing.skill_places();
        Ok(listing)
    }

    /// Records `MODE SP TYPE SP OBJECT TAB PATH NUL`.
    fn read(output: &[u8]) -> Result<Self, FetchError> {
        let mut listing = Self::default();
        for record in output
            .split(|&byte| byte == 0)
            .filter(|record| !record.is_empty())
        {
            let wrong = || FetchError::Git("its list of a commit has another form".to_owned());
            let tab = record
                .iter()
                .position(|&byte| byte == b'\t')
                .ok_or_else(wrong)?;
            let (facts, path) = record.split_at(tab);
            let path = path.get(1..).unwrap_or_default();
            let facts = std::str::from_utf8(facts).map_err(|_| wrong())?;
            let mut facts = facts.split(' ');
            let (Some(mode), Some(_), Some(object)) = (facts.next(), facts.next(), facts.next())
            else {
                return Err(wrong());
            };
            let kind = match mode {
                "040000" => {
                    if let Ok(path) = std::str::from_utf8(path) {
                        listing
                            .directories
                            .insert(path.to_owned(), object.to_owned());
                    }
                    continue;
                }
                "120000" => EntryKind::Link,
                "160000" => EntryKind::Submodule,
                "100755" => EntryKind::File { executable: true },
                _ => EntryKind::File { executable: false },
            };
            listing.entries.push(Entry {
                path: path.to_owned(),
                kind,
                object: object.to_owned(),
            });
        }
        Ok(listing)
    }

    /// The tree of a directory; nothing for anything else.
    pub(super) fn tree(&self, path: &str) -> Option<String> {
        if path.is_empty() {
            Some(self.top.clone())
        } else {
            self.directories.get(path).cloned()
        }
    }

    /// The directories, by path.
    pub(super) fn directories(&self) -> &ByPath {
        &self.directories
    }

    /// Where the path that was asked for leads. A SKILL.md stands for its directory.
    pub(super) fn scope(&self, want: &Want, url: &str) -> Result<Scope, FetchError> {
        let Some(path) = &want.path else {
            return Ok(Scope::Directory(String::new()));
        };
        let path = path.as_str();
        if self.directories.contains_key(path) {
            return Ok(Scope::Directory(path.to_owned()));
        }
        let entry = self
            .entries
            .iter()
            .find(|entry| entry.path == path.as_bytes());
        if let Some(Entry {
            kind: EntryKind::File { .. },
            ..
        }) = entry
        {
            let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
            return Ok(if is_skill_md(name) {
                Scope::Directory(directory.to_owned())
            } else {
                Scope::File(path.to_owned())
            });
        }
        let skills = self.skills.iter().map(String::as_str);
        let directories = self.directories.keys().map(String::as_str);
        Err(FetchError::PathNotFound {
            place: url.to_owned(),
            path: path.to_owned(),
            near: near_paths(path, skills.chain(directories)),
        })
    }

    fn skill_places(&self) -> BTreeSet<String> {
        self.texts()
            .filter_map(|path| {
                let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
                if directory.split('/').any(is_not_searched) {
                    None
                } else if is_skill_md(name) {
                    Some(directory.to_owned())
                } else {
                    is_single(name).then(|| path.to_owned())
                }
            })
            .collect()
    }

    /// The entry of a file.
    pub(super) fn file(&self, path: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| {
            entry.path == path.as_bytes() && matches!(entry.kind, EntryKind::File { .. })
        })
    }

    /// Whether a directory has a SKILL.md.
    pub(super) fn is_skill(&self, directory: &str) -> bool {
        self.skills.contains(directory)
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        self.entries
            .iter()
            .filter(|entry| matches!(entry.kind, EntryKind::File { .. }))
            .filter_map(|entry| std::str::from_utf8(&entry.path).ok())
    }

    /// The skills in a scope, by their directories and files.
    pub(super) fn skills_in(&self, scope: &Scope) -> Vec<String> {
        match scope {
            Scope::File(path) => vec![path.clone()],
            Scope::Directory(directory) => self
                .skills
                .iter()
                .filter(|path| *path == directory || is_below(path, directory))
                .cloned()
                .collect(),
        }
    }

    /// Only what says who each skill is: its SKILL.md, or itself when it is a single file.
    pub(super) fn texts_of(&self, skills: &[String]) -> Vec<&Entry> {
        let skills: BTreeSet<&str> = skills.iter().map(String::as_str).collect();
        self.select(|path| {
            let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
            is_skill_md(name) && skills.contains(directory) || skills.contains(path)
        })
    }

    /// All files of these skills. Of skills in each other the outer one has all.
    pub(super) fn files_of(&self, skills: &[String]) -> Vec<&Entry> {
        let skills: BTreeSet<&str> = skills.iter().map(String::as_str).collect();
        let whole = skills.contains("");
        self.select(|path| {
            let mut ends = path.match_indices('/').map(|(end, _)| end);
            whole
                || skills.contains(path)
                || ends.any(|end| path.get(..end).is_some_and(|above| skills.contains(above)))
        })
    }

    fn select(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<&Entry> {
        self.entries
            .iter()
            .filter(|entry| is_wanted(&String::from_utf8_lossy(&entry.path)))
            .collect()
    }
}

fn is_below(path: &str, directory: &str) -> bool {
    directory.is_empty()
        || path
            .strip_prefix(directory)
            .is_some_and(|below| below.starts_with('/'))
}
