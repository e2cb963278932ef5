//! The skills in a tree that was fetched.
//!
//! The whole tree is walked, hidden directories too: skills lie at the top, in `skills/`, in the directories of clients
//! (`.claude/skills`), in those of plugins, and in each other. Links are not followed. What a SKILL.md says is read as
//! everywhere else in Skillful. Nothing is dropped: skills with one id are all listed and reported, and those marked
//! `metadata.internal: true` are listed and not chosen unless somebody names them.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use skillful::bundle::digest;
use skillful::discover::Form;
use skillful::{Skill, places};

use crate::limits;
use crate::source::Selector;
use crate::unpack::shown;

mod pick;
#[cfg(test)]
mod tests;

pub(crate) use pick::near;
pub use pick::{PickError, pick};

use pick::by_default;

/// A skill in a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundSkill {
    /// Its name in Agent Skills form.
    pub id: String,
    /// The name that its author gave it.
    pub name: String,
    /// Its description; empty when there is none.
    pub description: String,
    /// Its directory, file or archive, relative to the tree and with `/`; empty for the tree itself.
    pub path: String,
    /// What lies there.
    pub kind: FoundKind,
    /// `metadata.internal: true`: not meant for others.
    pub internal: bool,
    /// Its SKILL.md cannot be read.
    pub broken: bool,
    /// The path of the skill that it lies in.
    pub nested_in: Option<String>,
}

/// What a skill in a tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FoundKind {
    /// A directory with a SKILL.md.
    Directory,
    /// A single Markdown file.
    File,
    /// A `.skill` archive.
    Archive,
}

/// All skills of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Those that clients would look at first come first: the top, `skills/`, then what is least deep and not hidden;
    /// by path among equals.
    pub skills: Vec<FoundSkill>,
    /// Ids that several of them have.
    pub duplicates: Vec<Duplicate>,
    /// When the tree as a whole is a skill: how much that is.
    pub whole: Option<Whole>,
    /// Limits that were reached, and directories that could not be read.
    pub problems: Vec<String>,
}

/// An id that several skills have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The id.
    pub id: String,
    /// Where they lie, in the order of [`Found::skills`].
    pub paths: Vec<String>,
    /// Whether all of them hold the same files.
    pub identical: bool,
}

/// What a skill at the top of a tree brings along.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Whole {
    /// Files of the tree.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Other skills in it.
    pub others: usize,
}

/// Directories of other people's code and of tools.
const NOT_SEARCHED: [&str; 6] = [
    ".git",
    "node_modules",
    "target",
    "venv",
    "site-packages",
    "__pycache__",
];

/// Whether nothing is looked for below a directory of this name.
pub(crate) fn is_not_searched(name: &str) -> bool {
    NOT_SEARCHED.contains(&name)
}

/// Whether a file of this name makes its directory a skill.
pub(crate) fn is_skill_md(name: &str) -> bool {
    name.eq_ignore_ascii_case("SKILL.md")
}

/// Whether a file of this name is a skill by itself.
pub(crate) fn is_single(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    [".skill.md", ".skill"].into_iter().any(|ending| {
        lower
            .strip_suffix(ending)
            .is_some_and(|stem| !stem.is_empty())
    })
}

/// Finds all skills below a directory, which must not change meanwhile.
///
/// # Errors
///
/// When the directory itself cannot be read.
pub fn find(tree: &Path) -> io::Result<Found> {
    let top = Dir::open_ambient_dir(tree, ambient_authority())?;
    let mut walk = Walk::default();
    walk.directory(&top, "", 0)?;
    let mut found = Found {
        problems: walk.problems,
        ..Found::default()
    };
    for place in &walk.places {
        let at = if place.is_empty() {
            tree.to_owned()
        } else {
            tree.join(place)
        };
        // A path of our own walk, each part of it a name in a directory that was listed.
        found
            .skills
            .extend(places::skill_at(&at).map(|skill| FoundSkill::of(&skill, place)));
    }
    found
        .skills
        .sort_by(|a, b| rank(&a.path).cmp(&rank(&b.path)));
    nest(&mut found.skills);
    found.duplicates = duplicates(tree, &found.skills);
    if found.skills.iter().any(|skill| skill.path.is_empty()) {
        found.whole = Some(Whole {
            files: walk.files,
            bytes: walk.bytes,
            others: found.skills.len() - 1,
        });
    }
    Ok(found)
}

/// The one skill that a file of the tree is, whatever it is called.
pub(crate) fn find_file(tree: &Path, name: &str) -> Found {
    let skill = places::skill_at(&tree.join(name));
    Found {
        skills: skill
            .map(|skill| FoundSkill::of(&skill, name))
            .into_iter()
            .collect(),
        ..Found::default()
    }
}

impl FoundSkill {
    fn of(skill: &Skill, path: &str) -> Self {
        let manifest = skill.manifest.as_deref();
        let internal = manifest
            .and_then(|manifest| manifest.metadata("internal"))
            .and_then(skillmd::Node::as_scalar)
            .is_some_and(|scalar| scalar.text.eq_ignore_ascii_case("true"));
        let kind = match skill.form {
            Form::Directory | Form::Bundled => FoundKind::Directory,
            Form::File => FoundKind::File,
            Form::Archive { .. } => FoundKind::Archive,
        };
        Self {
            id: skill.id.clone(),
            name: skill.name.clone(),
            description: skill.description.clone(),
            path: path.to_owned(),
            kind,
            internal,
            broken: manifest.is_none(),
            nested_in: None,
        }
    }

    /// The last part of its path.
    pub(crate) fn directory_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }
}

/// Smaller for what clients look at first.
fn rank(path: &str) -> (u8, usize, &str) {
    let group = if path.is_empty() {
        0
    } else if path.split('/').any(|part| part.starts_with('.')) {
        3
    } else if path.starts_with("skills/") {
        1
    } else {
        2
    };
    (group, path.matches('/').count(), path)
}

fn nest(skills: &mut [FoundSkill]) {
    let outer: Vec<String> = skills
        .iter()
        .filter(|skill| skill.kind == FoundKind::Directory)
        .map(|skill| skill.path.clone())
        .collect();
    for skill in skills {
        skill.nested_in = outer
            .iter()
            .filter(|path| lies_in(&skill.path, path))
            .max_by_key(|path| path.len())
            .cloned();
    }
}

/// Whether a path lies below another one.
fn lies_in(path: &str, other: &str) -> bool {
    if other.is_empty() {
        return !path.is_empty();
    }
    path.strip_prefix(other)
        .is_some_and(|below| below.starts_with('/'))
}

fn duplicates(tree: &Path, skills: &[FoundSkill]) -> Vec<Duplicate> {
    let mut by_id: BTreeMap<&str, Vec<&FoundSkill>> = BTreeMap::new();
    for skill in skills {
        by_id.entry(&skill.id).or_default().push(skill);
    }
    by_id.retain(|_, skills| skills.len() > 1);
    let duplicate = |(id, skills): (&str, Vec<&FoundSkill>)| {
        let mut digests = skills.iter().map(|skill| {
            let skill = places::skill_at(&tree.join(&skill.path))?;
            digest(&skill)
        });
        let first = digests.next().flatten();
        Duplicate {
            id: id.to_owned(),
            paths: skills.iter().map(|skill| skill.path.clone()).collect(),
            identical: first.is_some() && digests.all(|digest| digest == first),
        }
    };
    by_id.into_iter().map(duplicate).collect()
}

#[derive(Debug, Default)]
struct Walk {
    /// Directories and files that are skills.
    places: Vec<String>,
    entries: usize,
    files: u64,
    bytes: u64,
    problems: Vec<String>,
}

impl Walk {
    fn directory(&mut self, directory: &Dir, path: &str, depth: usize) -> io::Result<()> {
        let mut below = Vec::new();
        for entry in directory.entries()? {
            let entry = entry?;
            self.entries += 1;
            if self.entries > limits::FETCHED_ENTRIES {
                if self.entries == limits::FETCHED_ENTRIES + 1 {
                    self.problem(
                        path,
                        &format!("more than {} entries", limits::FETCHED_ENTRIES),
                    );
                }
                return Ok(());
            }
            let name = entry.file_name();
            let Some(name) = name.to_str() else {
                continue;
            };
            let at = join(path, name);
            let kind = entry.file_type()?;
            if kind.is_dir() {
                below.push((name.to_owned(), at));
            } else if kind.is_file() {
                self.files += 1;
                self.bytes += entry.metadata().map_or(0, |metadata| metadata.len());
                if is_skill_md(name) {
                    self.places.push(path.to_owned());
                } else if is_single(name) {
                    self.places.push(at);
                }
            }
        }
        // Two spellings of SKILL.md in one directory are one skill.
        self.places.dedup();
        below.sort();
        for (name, at) in below {
            if is_not_searched(&name) {
                continue;
            }
            if depth + 1 >= limits::PATH_DEPTH {
                self.problem(&at, &format!("more than {} levels", limits::PATH_DEPTH));
                continue;
            }
            match directory.open_dir(&name) {
                Ok(inner) => self.directory(&inner, &at, depth + 1)?,
                Err(error) => self.problem(&at, &error.to_string()),
            }
        }
        Ok(())
    }

    fn problem(&mut self, path: &str, reason: &str) {
        if self.problems.len() < limits::NOTES {
            let path = shown(path.as_bytes());
            self.problems
                .push(format!("`{path}` was not searched: {reason}"));
        }
    }
}

fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() {
        name.to_owned()
    } else {
        format!("{directory}/{name}")
    }
}

/// Picks what a source asks for, or what is chosen when it asks for nothing.
///
/// # Errors
///
/// [`PickError`] with what there is.
pub fn choose<'f>(
    found: &'f Found,
    selector: Option<&Selector>,
) -> Result<Vec<&'f FoundSkill>, PickError> {
    match selector {
        Some(selector) => pick(found, selector),
        None => by_default(found),
    }
}
