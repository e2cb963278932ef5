//! The entries of a directory: names and kinds, in order, hidden ones left out.

use std::ffi::OsString;
use std::fs::FileType;
use std::io;
use std::path::Path;

use super::candidate::SKILL_MD;

/// Whether the operating system usually finds a file under any spelling of its name.
pub(super) const CASE_IS_LOST: bool = cfg!(any(windows, target_vendor = "apple"));

/// An entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    pub(super) name: OsString,
    pub(super) kind: Kind,
}

/// What an entry is. A link is a link, wherever it leads; on Windows a junction is one too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Directory,
    File,
    Link,
    /// A pipe, a socket, a device.
    Other,
}

/// Markdown files that stand in directories of all sorts and are skills only with a frontmatter.
const DOCUMENTS: [&str; 12] = [
    "agents.md",
    "authors.md",
    "changelog.md",
    "claude.md",
    "code_of_conduct.md",
    "contributing.md",
    "description.md",
    "gemini.md",
    "license.md",
    "notice.md",
    "readme.md",
    "security.md",
];

/// The entries of a directory, sorted by name; at most `room` of them, and whether these are all.
pub(super) fn list(path: &Path, room: usize) -> io::Result<(Vec<Name>, bool)> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(path)? {
        // An entry that vanishes meanwhile was not there.
        let Ok(entry) = entry else { continue };
        let name = entry.file_name();
        if name.as_encoded_bytes().starts_with(b".") {
            continue;
        }
        if names.len() >= room {
            names.sort_unstable();
            return Ok((names, false));
        }
        if let Ok(kind) = entry.file_type() {
            names.push(Name {
                name,
                kind: Kind::from(kind),
            });
        }
    }
    names.sort_unstable();
    Ok((names, true))
}

/// A single entry; nothing when it does not exist or is hidden.
pub(super) fn entry(path: &Path) -> Option<Name> {
    let name = path.file_name()?;
    if name.as_encoded_bytes().starts_with(b".") {
        return None;
    }
    let metadata = path.symlink_metadata().ok()?;
    Some(Name {
        name: name.to_owned(),
        kind: Kind::from(metadata.file_type()),
    })
}

impl From<FileType> for Kind {
    fn from(kind: FileType) -> Self {
        if kind.is_symlink() {
            Self::Link
        } else if kind.is_dir() {
            Self::Directory
        } else if kind.is_file() {
            Self::File
        } else {
            Self::Other
        }
    }
}

impl Name {
    pub(super) fn is_directory(&self) -> bool {
        self.kind == Kind::Directory
    }

    /// Whether the name is SKILL.md in any spelling.
    pub(super) fn is_skill_md(&self) -> bool {
        self.name.eq_ignore_ascii_case(SKILL_MD)
    }

    /// Whether the name ends so, in any spelling, and has something before it.
    pub(super) fn has_suffix(&self, suffix: &str) -> bool {
        let name = self.name.as_encoded_bytes();
        name.len()
            .checked_sub(suffix.len())
            .filter(|&start| start > 0)
            .and_then(|start| name.get(start..))
            .is_some_and(|end| end.eq_ignore_ascii_case(suffix.as_bytes()))
    }

    /// Whether the file is an archive that may hold a skill.
    pub(super) fn is_archive(&self) -> bool {
        self.has_suffix(".zip") || self.has_suffix(".skill")
    }

    /// Whether the name is one of those that documents usually have.
    pub(super) fn is_document(&self) -> bool {
        DOCUMENTS
            .iter()
            .any(|document| self.name.eq_ignore_ascii_case(document))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(name: &str) -> Name {
        Name {
            name: name.into(),
            kind: Kind::File,
        }
    }

    #[test]
    fn suffixes_in_any_spelling() {
        assert!(name("a.MD").has_suffix(".md"));
        assert!(name("a.skill.md").has_suffix(".skill.md"));
        assert!(!name(".md").has_suffix(".md"), "nothing before it");
        assert!(!name("d").has_suffix(".md"));
        assert!(name("Skill.md").is_skill_md());
        assert!(name("README.md").is_document());
        assert!(!name("deploy.md").is_document());
    }

    #[test]
    fn a_list_is_sorted_and_ends_at_the_limit() {
        let directory = tempfile::tempdir().unwrap();
        for file in ["b", "a", ".hidden"] {
            std::fs::write(directory.path().join(file), "").unwrap();
        }
        let (names, complete) = list(directory.path(), 10).unwrap();
        assert_eq!((names, complete), (vec![name("a"), name("b")], true));
        let (names, complete) = list(directory.path(), 1).unwrap();
        assert_eq!((names.len(), complete), (1, false));
    }
}
