//! A skill that was found in a source, and the bytes of it that would be placed.
//!
//! What is placed is what the gate looked at: the bytes that were gathered for the scan are the ones that are kept, so
//! that nothing can be exchanged between the look and the copy.

use std::fs;
use std::path::{Path, PathBuf};

use skillful::discover::Form;
use skillful_guard::{Bundle, Content};
use skillful_store::journal::Digest;

use crate::lock::{LockedFile, Resolved};
use crate::objects::{ObjectError, Objects};
use crate::tree::{Node, Tree};

/// A skill that lies in a private place, ready to be looked at.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Its id.
    pub id: String,
    /// The name that its author gave it.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// What its author says about the licence.
    pub license: Option<String>,
    /// Why it cannot be used at all.
    pub broken: Option<String>,
    /// What the standard does not allow of it, in words.
    pub faults: Vec<String>,
    /// How it is kept.
    pub form: Form,
    /// Its SKILL.md or flat file.
    pub path: PathBuf,
    /// The source that was asked for, in its canonical form.
    pub source: String,
    /// What the source was at that moment.
    pub resolved: Resolved,
}

impl Offer {
    /// Where it lies in its source, for people.
    pub fn place(&self) -> String {
        match self.resolved.path.as_str() {
            "" => self.source.clone(),
            path => path.to_owned(),
        }
    }
}

/// The files of a skill as they would be placed: kept as an object, with what was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The files.
    pub tree: Tree,
    /// Entries that are not placed, such as links, each with the reason.
    pub left_out: Vec<String>,
}

impl Kept {
    /// The digest of the tree, which is also that of the skill.
    pub fn digest(&self) -> Digest {
        self.tree.digest()
    }

    /// The files as a lock lists them.
    pub fn files(&self) -> Vec<LockedFile> {
        let file = |(path, node): (&str, &Node)| match node {
            Node::File {
                sha256,
                size,
                executable,
            } => Some(LockedFile {
                path: path.to_owned(),
                size: *size,
                sha256: sha256.hex(),
                executable: *executable,
            }),
            Node::Link { .. } | Node::EmptyDirectory => None,
        };
        self.tree.nodes().filter_map(file).collect()
    }
}

/// Keeps the files of a bundle. A flat file becomes the SKILL.md of a directory. They are on the disk after
/// [`Objects::sync`], which whoever makes a change of them calls.
///
/// # Errors
///
/// When they cannot be written.
pub fn keep(bundle: &Bundle, form: &Form, objects: &Objects) -> Result<Kept, ObjectError> {
    let staging = objects.stage()?;
    let mut left_out = Vec::new();
    for file in bundle.files() {
        let name = match form {
            Form::Directory => file.path.as_str(),
            _ => "SKILL.md",
        };
        match &file.content {
            // The digest of a skill knows no executable SKILL.md, and nobody runs one.
            Content::Bytes(bytes) => {
                let executable = file.executable && !name.eq_ignore_ascii_case("SKILL.md");
                write(staging.path(), name, bytes, executable)?;
            }
            Content::Link { target } => left_out.push(format!("{name}, a link to {target}")),
            Content::Special => left_out.push(format!("{name}, which is no regular file")),
            Content::Unreadable(reason) => left_out.push(format!("{name}: {reason}")),
            Content::TooLarge(size) => left_out.push(format!("{name}, with {size} bytes")),
        }
    }
    Ok(Kept {
        tree: objects.put_tree_for_later(staging.path())?,
        left_out,
    })
}

/// Writes one file below a private directory. The names come from listing directories through their handles, one name
/// after the other, and hold nothing that leads elsewhere.
fn write(top: &Path, name: &str, bytes: &[u8], executable: bool) -> Result<(), ObjectError> {
    let path = top.join(name);
    let failed = |source| ObjectError::Io {
        path: path.clone(),
        source,
    };
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(failed)?;
    }
    fs::write(&path, bytes).map_err(failed)?;
    #[cfg(unix)]
    if executable {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).map_err(failed)?;
    }
    #[cfg(not(unix))]
    let _ = executable;
    Ok(())
}
