//! The files of a skill that are packed, and what is left out or cannot be.
//!
//! Directories are read through their handles; no link is followed, and one that would be packed is refused by name.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, Metadata, OpenOptions};
use skillful::Skill;
use skillful::bundle::ResourcePath;
use skillful::discover::Form;
use skillful::limits::{BUNDLE_BYTES, BUNDLE_DEPTH, BUNDLE_FILES};
use unicode_normalization::UnicodeNormalization;

use super::ignored::Patterns;

/// The name of a skill's own file in everything that is packed.
pub(super) const SKILL_MD: &str = "SKILL.md";

/// A file that is packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedFile {
    /// Its path in the skill, with `/` between the parts.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
    /// Whether its owner may execute it. Windows does not know; there what begins with `#!` may be.
    pub executable: bool,
}

/// A file or directory that is not packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its path, with a `/` at the end of a directory's.
    pub path: String,
    /// Why.
    pub reason: Reason,
    /// Whether the skill's text refers to it.
    pub is_referred_to: bool,
}

/// Why something is not packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its name begins with a dot.
    Hidden,
    /// A tool made it, and makes it again.
    Generated,
    /// A pattern of the author's.
    Ignored,
}

impl Reason {
    /// The word in every output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hidden => "hidden",
            Self::Generated => "generated",
            Self::Ignored => "ignored",
        }
    }
}

/// Something that would be packed and cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unpackable {
    /// A link.
    #[error("`{path}` is a link to `{}`; put the file itself there", target.escape_debug())]
    Link {
        /// Its path.
        path: String,
        /// What it says.
        target: String,
    },
    /// A device, socket or pipe.
    #[error("`{0}` is not a regular file")]
    Special(String),
    /// A name that some system cannot have.
    #[error("`{}` cannot be unpacked everywhere: {reason}", path.escape_debug())]
    Name {
        /// The path.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Two names that are one on some system.
    #[error("`{0}` and `{1}` are the same name on some systems")]
    Collision(String, String),
    /// The operating system says no.
    #[error("`{path}` could not be read: {reason}")]
    Unreadable {
        /// The path.
        path: String,
        /// Why.
        reason: String,
    },
    /// More than [`BUNDLE_FILES`] files.
    #[error("the skill has more than {BUNDLE_FILES} files to pack")]
    TooManyFiles,
    /// More than [`BUNDLE_BYTES`] bytes.
    #[error("the skill's files have more than {BUNDLE_BYTES} bytes together")]
    TooManyBytes,
    /// It is packed already.
    #[error("it is an archive already; unpack it first")]
    Archive,
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Collected {
    /// Sorted by path.
    pub(super) files: Vec<PackedFile>,
    pub(super) left_out: Vec<LeftOut>,
    pub(super) faults: Vec<Unpackable>,
    pub(super) notes: Vec<String>,
}

/// All files of a skill.
pub(super) fn collect(skill: &Skill) -> Collected {
    let mut collector = Collector::default();
    match (&skill.form, skill.directory()) {
        (Form::Archive { .. }, _) => collector.found.faults.push(Unpackable::Archive),
        (Form::Directory, Some(directory)) => {
            let main = skill.path.file_name().unwrap_or_default();
            collector.main = main.to_string_lossy().into_owned();
            match Dir::open_ambient_dir(directory, cap_std::ambient_authority()) {
                Ok(handle) => collector.directory(&handle, "", 0),
                Err(error) => collector.unreadable(".", &error),
            }
        }
        _ => match skillful::details::content(&skill.form, &skill.path) {
            Ok(bytes) => collector.put(SKILL_MD.to_owned(), bytes, false),
            Err(diagnostic) => collector.found.faults.push(Unpackable::Unreadable {
                path: skill.path.to_string_lossy().into_owned(),
                reason: diagnostic.message,
            }),
        },
    }
    let mut found = collector.found;
    found.files.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

#[derive(Default)]
struct Collector {
    /// The name of the skill's own file as it is.
    main: String,
    patterns: Patterns,
    /// Names as systems that tell less apart see them.
    folded: BTreeMap<String, String>,
    bytes: u64,
    is_full: bool,
    found: Collected,
}

impl Collector {
    fn unreadable(&mut self, path: &str, error: &io::Error) {
        self.found.faults.push(Unpackable::Unreadable {
            path: path.to_owned(),
            reason: error.to_string(),
        });
    }

    /// `below` is the directory's path in the skill, with a `/` at its end unless it is empty.
    fn directory(&mut self, handle: &Dir, below: &str, depth: usize) {
        let faults = self.patterns.enter(handle, below);
        self.found.notes.extend(faults);
        match names(handle) {
            Ok(names) => {
                for name in names {
                    if self.is_full {
                        break;
                    }
                    self.entry(handle, &name, below, depth);
                }
            }
            Err(error) => self.unreadable(below, &error),
        }
        self.patterns.leave();
    }

    fn entry(&mut self, handle: &Dir, name: &std::ffi::OsStr, below: &str, depth: usize) {
        let text = name.to_string_lossy();
        let path = format!("{below}{text}");
        let found = match handle.symlink_metadata(name) {
            Ok(found) => found,
            Err(error) => return self.unreadable(&path, &error),
        };
        let is_main = below.is_empty() && text == self.main;
        if !is_main && let Some(reason) = self.reason(&text, &path, found.is_dir()) {
            let mark = if found.is_dir() { "/" } else { "" };
            self.found.left_out.push(LeftOut {
                path: format!("{path}{mark}"),
                reason,
                is_referred_to: false,
            });
            return;
        }
        if found.is_symlink() {
            let target = handle.read_link_contents(name).unwrap_or_default();
            self.found.faults.push(Unpackable::Link {
                path,
                target: target.to_string_lossy().into_owned(),
            });
        } else if found.is_dir() {
            self.below(handle, name, &path, depth + 1);
        } else if !found.is_file() {
            self.found.faults.push(Unpackable::Special(path));
        } else if name.to_str().is_none() {
            let reason = "the name is not UTF-8".to_owned();
            self.found.faults.push(Unpackable::Name { path, reason });
        } else {
            let path = if is_main { SKILL_MD.to_owned() } else { path };
            self.file(handle, name, path);
        }
    }

    fn reason(&self, name: &str, path: &str, is_directory: bool) -> Option<Reason> {
        if name.starts_with('.') {
            Some(Reason::Hidden)
        } else if is_generated(name, is_directory) {
            Some(Reason::Generated)
        } else if self.patterns.leaves_out(path, is_directory) {
            Some(Reason::Ignored)
        } else {
            None
        }
    }

    fn below(&mut self, handle: &Dir, name: &std::ffi::OsStr, path: &str, depth: usize) {
        if depth > BUNDLE_DEPTH {
            let reason = format!("it lies deeper than {BUNDLE_DEPTH} directories");
            let path = path.to_owned();
            self.found.faults.push(Unpackable::Name { path, reason });
            return;
        }
        match handle.open_dir_nofollow(name) {
            Ok(inner) => self.directory(&inner, &format!("{path}/"), depth),
            Err(error) => self.unreadable(path, &error),
        }
    }

    /// Opens a file without waiting for a pipe's other end, and asks what was opened.
    fn file(&mut self, handle: &Dir, name: &std::ffi::OsStr, path: String) {
        let mut options = OpenOptions::new();
        options.read(true).nonblock(true).follow(FollowSymlinks::No);
        let read = || -> io::Result<Option<(Vec<u8>, Metadata)>> {
            let file = handle.open_with(name, &options)?;
            let metadata = file.metadata()?;
            if !metadata.is_file() {
                return Ok(None);
            }
            let mut bytes = Vec::new();
            file.take(BUNDLE_BYTES + 1).read_to_end(&mut bytes)?;
            Ok(Some((bytes, metadata)))
        };
        match read() {
            Ok(Some((bytes, metadata))) => {
                let executable = path != SKILL_MD && is_executable(&metadata, &bytes);
                self.put(path, bytes, executable);
            }
            Ok(None) => self.found.faults.push(Unpackable::Special(path)),
            Err(error) => self.unreadable(&path, &error),
        }
    }

    fn put(&mut self, path: String, bytes: Vec<u8>, executable: bool) {
        if let Err(fault) = ResourcePath::parse(&path) {
            let reason = fault.to_string();
            self.found.faults.push(Unpackable::Name { path, reason });
            return;
        }
        if let Some(other) = self.folded.insert(folded(&path), path.clone()) {
            self.found
                .faults
                .push(Unpackable::Collision(other, path.clone()));
        }
        self.bytes += bytes.len() as u64;
        let fault = if self.bytes > BUNDLE_BYTES {
            Some(Unpackable::TooManyBytes)
        } else if self.found.files.len() >= BUNDLE_FILES {
            Some(Unpackable::TooManyFiles)
        } else {
            None
        };
        if let Some(fault) = fault {
            self.found.faults.push(fault);
            self.is_full = true;
            return;
        }
        self.found.files.push(PackedFile {
            path,
            bytes,
            executable,
        });
    }
}

/// What tools leave behind, and what clients and installers never take over.
fn is_generated(name: &str, is_directory: bool) -> bool {
    const DIRECTORIES: [&str; 3] = ["node_modules", "__pycache__", "__MACOSX"];
    const FILES: [&str; 2] = ["thumbs.db", "desktop.ini"];
    if is_directory {
        DIRECTORIES.contains(&name)
    } else {
        let lower = name.to_ascii_lowercase();
        let is_compiled = Path::new(&lower).extension().is_some_and(|it| it == "pyc");
        is_compiled || FILES.contains(&&*lower)
    }
}

/// A path as a system sees it that tells neither cases nor forms of Unicode apart.
fn folded(path: &str) -> String {
    path.nfc().flat_map(char::to_lowercase).nfc().collect()
}

/// The names of a directory in the order of their bytes.
fn names(handle: &Dir) -> io::Result<Vec<std::ffi::OsString>> {
    let mut names = handle
        .entries()?
        .take(crate::limits::PACK_ENTRIES)
        .map(|entry| entry.map(|entry| entry.file_name()))
        .collect::<io::Result<Vec<_>>>()?;
    names.sort_unstable();
    Ok(names)
}

#[cfg(unix)]
fn is_executable(metadata: &Metadata, _: &[u8]) -> bool {
    use cap_std::fs::PermissionsExt;
    metadata.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &Metadata, bytes: &[u8]) -> bool {
    bytes.starts_with(b"#!")
}
