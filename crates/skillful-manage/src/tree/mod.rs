//! What a directory holds, faithfully: files with their bytes and whether they can be executed, links as links, empty
//! directories. Nothing is left out for its name.
//!
//! The digest of a tree, format `skillful-tree-1`: the SHA-256 of one line for each node, sorted bytewise by path, with
//! four fields parted by NUL and a LF at the end. Paths have `/` between their parts.
//!
//! | node | fields |
//! |---|---|
//! | file | path, size, SHA-256 of the content in hexadecimal digits, `x` when its owner may execute it, else `-` |
//! | link | path, length of its text in bytes, its text, `l` |
//! | empty directory | path, `0`, nothing, `d` |
//!
//! For a tree of files alone that is the digest of [`skillful::bundle::digest`]. Other modes, owners and times do not count.

mod capture;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use skillful_store::journal::{Digest, State};

use crate::error::ReadError;
use crate::hash;
use crate::place::Place;

pub(crate) use capture::{
    Copy, Modes, is_executable, make_link, open_file, read, read_link, sync_each, sync_file,
};

/// The name of the form that digests of trees are made from.
pub const TREE_FORMAT: &str = "skillful-tree-1";

/// One thing in a directory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A regular file.
    File {
        /// Of its content.
        sha256: Digest,
        /// Its length in bytes.
        size: u64,
        /// Whether its owner may execute it; never on Windows.
        executable: bool,
    },
    /// A link, with what it says.
    Link {
        /// As it says it.
        target: String,
    },
    /// A directory with nothing in it. Others show in the paths of what they hold.
    EmptyDirectory,
}

/// What a directory holds, without the content of files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    nodes: BTreeMap<String, Node>,
}

impl Tree {
    /// Reads the directory at `path`, which is not followed if it is a link.
    ///
    /// # Errors
    ///
    /// [`ReadError`] for anything that cannot be read or kept, and for a tree over the limits
    /// ([`crate::limits::TREE_ENTRIES`], [`crate::limits::TREE_BYTES`], [`crate::limits::TREE_DEPTH`]).
    pub fn capture(path: &Path) -> Result<Self, ReadError> {
        let directory = Place::existing(path)?.directory()?;
        read(&directory, path, None)
    }

    /// Every node with its path, in the order of paths.
    pub fn nodes(&self) -> impl Iterator<Item = (&str, &Node)> {
        self.nodes.iter().map(|(path, node)| (path.as_str(), node))
    }

    /// What is at this path.
    pub fn node(&self, path: &str) -> Option<&Node> {
        self.nodes.get(path)
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Bytes of all files together.
    pub fn bytes(&self) -> u64 {
        let size = |node: &Node| match node {
            Node::File { size, .. } => *size,
            Node::Link { .. } | Node::EmptyDirectory => 0,
        };
        self.nodes.values().map(size).sum()
    }

    /// The digest, in the format that the module describes.
    pub fn digest(&self) -> Digest {
        let mut text = String::new();
        for (path, node) in &self.nodes {
            // Writing to a string cannot fail.
            let _ = match node {
                Node::File {
                    sha256,
                    size,
                    executable,
                } => {
                    let mark = if *executable { 'x' } else { '-' };
                    writeln!(text, "{path}\0{size}\0{}\0{mark}", sha256.hex())
                }
                Node::Link { target } => writeln!(text, "{path}\0{}\0{target}\0l", target.len()),
                Node::EmptyDirectory => writeln!(text, "{path}\0{}\0\0d", 0),
            };
        }
        hash::of(text)
    }

    /// The state of a path where this tree is.
    pub fn state(&self) -> State {
        State::Tree {
            digest: self.digest(),
        }
    }
}

#[cfg(test)]
mod tests;
