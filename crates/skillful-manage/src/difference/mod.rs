//! What differs between two versions of a skill, file by file: what a person reads before an update, and after an edit.
//!
//! Texts are compared line by line within bounds; of all else the sizes are told.

mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::Read;
use std::path::Path;

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use skillful_store::journal::{Digest, State};

use crate::error::ReadError;
use crate::limits;
use crate::lock::LockedFile;
use crate::objects::Objects;
use crate::tree::{Node, Tree};

pub(crate) use text::likeness;

/// One file that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// Its path in the skill, with `/`.
    pub path: String,
    /// How it differs.
    pub kind: FileChangeKind,
    /// Its length in bytes before; nothing where there was no file.
    pub bytes_before: Option<u64>,
    /// Its length in bytes afterwards; nothing where there is no file.
    pub bytes_after: Option<u64>,
    /// What differs in it.
    pub content: Comparison,
}

/// How a file differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileChangeKind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// Its bytes differ.
    Modified,
    /// Only whether it may be executed differs.
    Mode,
    /// It was a file, a link or a directory, and is another of them, or leads elsewhere.
    Replaced,
}

impl FileChangeKind {
    /// The word used in output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Modified => "modified",
            Self::Mode => "mode",
            Self::Replaced => "replaced",
        }
    }
}

/// What differs in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The lines, as a unified diff.
    Lines(String),
    /// It is no text.
    Binary,
    /// It is too long to be compared, or was cut off because too much differs.
    TooLong,
    /// One of the two is not at hand any more; only its length is known.
    NotKept,
    /// Nothing: its bytes are the same.
    Same,
}

/// A version of a skill: what is in it, and its bytes where they are at hand.
#[derive(Debug, Default)]
pub struct Version {
    nodes: BTreeMap<String, Node>,
    content: Option<Dir>,
    /// What the one file is called where its content lies, if it is not its path.
    kept_as: Option<OsString>,
}

impl Version {
    /// The one in this directory, which is not followed if it is a link.
    ///
    /// # Errors
    ///
    /// See [`Tree::capture`].
    pub fn at(path: &Path) -> Result<Self, ReadError> {
        let tree = Tree::capture(path)?;
        let content = Dir::open_ambient_dir(path, ambient_authority());
        let content = content.map_err(ReadError::io(path))?;
        let nodes = tree.nodes();
        Ok(Self {
            nodes: nodes
                .map(|(path, node)| (path.to_owned(), node.clone()))
                .collect(),
            content: Some(content),
            kept_as: None,
        })
    }

    /// The one that a lock lists. Its bytes are not at hand.
    pub fn listed(files: &[LockedFile]) -> Self {
        let node = |file: &LockedFile| {
            let sha256 = Digest::from_hex(&file.sha256).ok()?;
            let node = Node::File {
                sha256,
                size: file.size,
                executable: file.executable,
            };
            Some((file.path.clone(), node))
        };
        Self {
            nodes: files.iter().filter_map(node).collect(),
            content: None,
            kept_as: None,
        }
    }

    /// What a place held, as far as the store of objects still has it. A single file is called `name`.
    pub fn of_state(state: &State, name: &str, objects: &Objects) -> Self {
        let node = match state {
            State::Absent => return Self::default(),
            State::Tree { digest } => {
                return Self::at(&objects.tree_path(digest)).unwrap_or_default();
            }
            State::File {
                sha256,
                size,
                executable,
            } => {
                let kept = objects.file_path(sha256);
                let directory = kept.parent().map(Path::to_owned).unwrap_or_default();
                let node = Node::File {
                    sha256: *sha256,
                    size: *size,
                    executable: *executable,
                };
                return Self {
                    nodes: BTreeMap::from([(name.to_owned(), node)]),
                    content: Dir::open_ambient_dir(directory, ambient_authority()).ok(),
                    kept_as: kept.file_name().map(OsString::from),
                };
            }
            State::Link { target } => Node::Link {
                target: target.clone(),
            },
        };
        Self {
            nodes: BTreeMap::from([(name.to_owned(), node)]),
            ..Self::default()
        }
    }

    /// The text of a file: none when it is no text or too long.
    fn text(&self, path: &str) -> Result<String, Comparison> {
        let content = self.content.as_ref().ok_or(Comparison::NotKept)?;
        let mut options = OpenOptions::new();
        options.read(true).follow(FollowSymlinks::No);
        let kept_as = self.kept_as.as_deref().unwrap_or(path.as_ref());
        let file = content.open_with(kept_as, &options);
        let file = file.map_err(|_| Comparison::NotKept)?;
        let mut bytes = Vec::new();
        let limit = limits::COMPARED_BYTES;
        file.take(limit + 1)
            .read_to_end(&mut bytes)
            .map_err(|_| Comparison::NotKept)?;
        if bytes.contains(&0) {
            return Err(Comparison::Binary);
        }
        if bytes.len() as u64 > limit {
            return Err(Comparison::TooLong);
        }
        String::from_utf8(bytes).map_err(|_| Comparison::Binary)
    }
}

/// What differs between two versions, sorted by path. Empty when nothing does.
pub fn between(before: &Version, after: &Version) -> Vec<FileChange> {
    let paths: BTreeSet<&String> = before.nodes.keys().chain(after.nodes.keys()).collect();
    let mut room = limits::DIFFERENCE_BYTES;
    let mut changes = Vec::new();
    for path in paths {
        let sides = (before.nodes.get(path), after.nodes.get(path));
        let Some(kind) = kind_of(sides.0, sides.1) else {
            continue;
        };
        let mut content = content_of(before, after, path, kind, sides);
        if let Comparison::Lines(lines) = &content {
            match room.checked_sub(lines.len()) {
                Some(left) => room = left,
                None => content = Comparison::TooLong,
            }
        }
        changes.push(FileChange {
            path: path.clone(),
            kind,
            bytes_before: sides.0.and_then(size_of),
            bytes_after: sides.1.and_then(size_of),
            content,
        });
    }
    changes
}

fn size_of(node: &Node) -> Option<u64> {
    match node {
        Node::File { size, .. } => Some(*size),
        Node::Link { .. } | Node::EmptyDirectory => None,
    }
}

fn kind_of(before: Option<&Node>, after: Option<&Node>) -> Option<FileChangeKind> {
    match (before, after) {
        (None, None) => None,
        (None, Some(_)) => Some(FileChangeKind::Added),
        (Some(_), None) => Some(FileChangeKind::Removed),
        (Some(a), Some(b)) if a == b => None,
        (
            Some(Node::File {
                sha256: a,
                executable: may_before,
                ..
            }),
            Some(Node::File {
                sha256: b,
                executable: may_after,
                ..
            }),
        ) => {
            if a != b {
                return Some(FileChangeKind::Modified);
            }
            // Windows has no such bit.
            let differs = cfg!(unix) && may_before != may_after;
            differs.then_some(FileChangeKind::Mode)
        }
        (Some(_), Some(_)) => Some(FileChangeKind::Replaced),
    }
}

fn content_of(
    before: &Version,
    after: &Version,
    path: &str,
    kind: FileChangeKind,
    (old, new): (Option<&Node>, Option<&Node>),
) -> Comparison {
    if kind == FileChangeKind::Mode {
        return Comparison::Same;
    }
    let side = |version: &Version, node: Option<&Node>| match node {
        Some(Node::File { .. }) => version.text(path),
        Some(Node::Link { target }) => Ok(format!("link to {target}\n")),
        Some(Node::EmptyDirectory) | None => Ok(String::new()),
    };
    match (side(before, old), side(after, new)) {
        (Ok(a), Ok(b)) => text::compare(path, &a, &b),
        (Err(Comparison::Binary), _) | (_, Err(Comparison::Binary)) => Comparison::Binary,
        (Err(reason), _) | (_, Err(reason)) => reason,
    }
}

#[cfg(test)]
mod tests;
