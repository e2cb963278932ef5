//! One file of a skill, for a model to read.
//!
//! The skill's directory is opened once, and every part of the path relative to the handle of the part before, without
//! following a link: a link that is put in place between two steps leads nowhere. What was opened is then asked what it
//! is, so that a pipe, a device or a directory is never read. Members of archives are looked up by name and read in
//! place.

use std::io::{self, Read};
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, File, OpenOptions};

use super::path::{PathFault, ResourcePath};
use super::{Bundle, archive};
use crate::bundled;
use crate::details::content as own_bytes;
use crate::discover::{Form, SKILL_MD};
use crate::limits;
use crate::load::Skill;
use crate::part::{self, Part, Range, RangeError};
use crate::refusal::{self, Refusal};

/// A file of a skill, or a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileContent {
    /// Its path in the skill.
    pub path: ResourcePath,
    /// Length of the whole file in bytes.
    pub bytes: usize,
    /// The content of the part.
    pub content: Content,
    /// Which part it is.
    pub part: Part,
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// UTF-8 without NUL.
    Text(String),
    /// Anything else.
    Binary(Vec<u8>),
}

impl Content {
    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Binary(bytes) => bytes,
        }
    }

    /// The bytes as standard base64 with padding (RFC 4648, section 4).
    pub fn to_base64(&self) -> String {
        STANDARD.encode(self.as_bytes())
    }
}

/// Why a file of a skill is not handed over.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The skill's state forbids it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The path is none that can lead to a file of a skill.
    #[error("`{path}` is not a path of a file in a skill: {fault}")]
    Path {
        /// The path as it was given.
        path: String,
        /// What is wrong with it.
        fault: PathFault,
    },
    /// The skill is a single file.
    #[error("`{0}` is a single file and has no others")]
    NoFiles(String),
    /// There is no such file.
    #[error("`{id}` has no file `{path}`{}", or_near(near))]
    Missing {
        /// The skill.
        id: String,
        /// The path.
        path: ResourcePath,
        /// Paths of files that may be meant, the likeliest first.
        near: Vec<String>,
    },
    /// A link, a directory, a pipe, a device.
    #[error("`{path}` of `{id}` is {what}")]
    NotRegular {
        /// The skill.
        id: String,
        /// The path.
        path: ResourcePath,
        /// What there is instead of a file.
        what: &'static str,
    },
    /// The file is too large.
    #[error(
        "`{path}` has {bytes} bytes or more; the limit is {} bytes",
        limits::RESOURCE_BYTES
    )]
    TooLarge {
        /// The path.
        path: ResourcePath,
        /// How many bytes it has, as far as it was read.
        bytes: u64,
    },
    /// The part that was asked for does not exist.
    #[error("`{path}`: {error}")]
    Range {
        /// The path.
        path: ResourcePath,
        /// What is wrong with the range.
        error: RangeError,
    },
    /// The operating system or the archive says no.
    #[error("`{path}` cannot be read: {error}")]
    Io {
        /// The path.
        path: ResourcePath,
        /// What it says.
        error: io::Error,
    },
}

fn or_near(near: &[String]) -> String {
    if near.is_empty() {
        return String::new();
    }
    format!("; did you mean `{}`?", near.join("` or `"))
}

/// Why there are no bytes; the caller knows the skill and the path.
enum Fault {
    Missing,
    NotRegular(&'static str),
    TooLarge(u64),
    Io(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::Missing,
            _ => Self::Io(error),
        }
    }
}

/// Reads a file of a skill, its SKILL.md included, or a part of it. A path from outside is looked up in the skill and
/// never leaves it.
///
/// # Errors
///
/// [`ReadError`] when the skill is not ready, the path is not plain, or there is no ordinary file of at most
/// [`limits::RESOURCE_BYTES`] under it.
pub fn read_file(skill: &Skill, path: &str, range: Range) -> Result<FileContent, ReadError> {
    refusal::check_state(skill)?;
    let path = ResourcePath::parse(path).map_err(|fault| ReadError::Path {
        path: path.to_owned(),
        fault,
    })?;
    let bytes = match &skill.form {
        Form::Directory => match skill.directory() {
            Some(directory) => in_directory(directory, &path),
            None => Err(Fault::Missing),
        },
        Form::Archive { member } => in_archive(&skill.path, member, &path),
        Form::Bundled => in_program(&skill.path, &path),
        Form::File => return Err(ReadError::NoFiles(skill.id.clone())),
    };
    match bytes {
        Ok(bytes) => content(path, bytes, range),
        Err(fault) => Err(explain(skill, path, fault)),
    }
}

/// Reads a skill's own file, byte for byte. Its path in the skill is `SKILL.md`, whatever it is called on disk: a single
/// file has it as well, and so has a SKILL.md that is a link, which was seen to stay within its root when it was found.
///
/// # Errors
///
/// [`ReadError`] when the skill is not ready, or its file cannot be read.
pub fn read_own_file(skill: &Skill) -> Result<FileContent, ReadError> {
    refusal::check_state(skill)?;
    let path = ResourcePath::parse(SKILL_MD).map_err(|fault| ReadError::Path {
        path: SKILL_MD.to_owned(),
        fault,
    })?;
    match own_bytes(&skill.form, &skill.path) {
        Ok(bytes) => content(path, bytes, Range::Whole),
        Err(diagnostic) => Err(ReadError::Io {
            path,
            error: io::Error::other(diagnostic.message),
        }),
    }
}

fn content(path: ResourcePath, bytes: Vec<u8>, range: Range) -> Result<FileContent, ReadError> {
    let length = bytes.len();
    let cut = match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => {
            part::of_text(&text, range).map(|(text, part)| (Content::Text(text.to_owned()), part))
        }
        Ok(text) => binary(text.as_bytes(), range),
        Err(error) => binary(error.as_bytes(), range),
    };
    match cut {
        Ok((content, part)) => Ok(FileContent {
            path,
            bytes: length,
            content,
            part,
        }),
        Err(error) => Err(ReadError::Range { path, error }),
    }
}

fn binary(bytes: &[u8], range: Range) -> Result<(Content, Part), RangeError> {
    part::of_bytes(bytes, range).map(|(bytes, part)| (Content::Binary(bytes.to_vec()), part))
}

fn in_directory(directory: &Path, path: &ResourcePath) -> Result<Vec<u8>, Fault> {
    let mut handle = Dir::open_ambient_dir(directory, cap_std::ambient_authority())?;
    let (directories, name) = path.split();
    for part in directories {
        handle = open_directory(&handle, part)?;
    }
    let file = open_file(&handle, name)?;
    bounded(file)
}

fn open_directory(handle: &Dir, name: &str) -> Result<Dir, Fault> {
    handle.open_dir_nofollow(name).map_err(|error| {
        if is_link(handle, name) {
            Fault::NotRegular(LINK)
        } else {
            error.into()
        }
    })
}

/// The file is opened without waiting for a pipe's other end, then asked what it is.
fn open_file(handle: &Dir, name: &str) -> Result<File, Fault> {
    let mut options = OpenOptions::new();
    options.read(true).nonblock(true).follow(FollowSymlinks::No);
    let opened = handle.open_with(name, &options);
    let file = match opened {
        Ok(file) => file,
        Err(_) if is_link(handle, name) => return Err(Fault::NotRegular(LINK)),
        // A socket cannot be opened, nor a directory on Windows.
        Err(error) => {
            return Err(match handle.symlink_metadata(name) {
                Ok(found) if found.is_dir() => Fault::NotRegular(DIRECTORY),
                Ok(found) if !found.is_file() => Fault::NotRegular(OTHER),
                _ => error.into(),
            });
        }
    };
    let found = file.metadata()?;
    if found.is_dir() {
        return Err(Fault::NotRegular(DIRECTORY));
    }
    if !found.is_file() {
        return Err(Fault::NotRegular(OTHER));
    }
    if found.len() > limits::RESOURCE_BYTES {
        return Err(Fault::TooLarge(found.len()));
    }
    Ok(file)
}

const LINK: &str = "a link; links are not followed";
const DIRECTORY: &str = "a directory";
const OTHER: &str = "not a regular file";

/// Only for the message: what was opened, was opened without following.
fn is_link(handle: &Dir, name: &str) -> bool {
    handle
        .symlink_metadata(name)
        .is_ok_and(|found| found.is_symlink())
}

fn in_archive(archive: &Path, member: &str, path: &ResourcePath) -> Result<Vec<u8>, Fault> {
    match archive::read(archive, member, path.as_str(), limits::RESOURCE_BYTES) {
        Ok(Some(bytes)) if bytes.len() as u64 > limits::RESOURCE_BYTES => {
            Err(Fault::TooLarge(bytes.len() as u64))
        }
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => Err(Fault::Missing),
        Err(error) => Err(Fault::Io(error)),
    }
}

/// A skill that is part of the program has no file but its SKILL.md.
fn in_program(skill: &Path, path: &ResourcePath) -> Result<Vec<u8>, Fault> {
    let text = bundled::text(skill).filter(|_| path.as_str() == SKILL_MD);
    text.map(|text| text.as_bytes().to_vec())
        .ok_or(Fault::Missing)
}

/// Reads to the end. The size that was stated may be outdated; what is read counts.
fn bounded(file: impl Read) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    file.take(limits::RESOURCE_BYTES + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limits::RESOURCE_BYTES {
        return Err(Fault::TooLarge(bytes.len() as u64));
    }
    Ok(bytes)
}

fn explain(skill: &Skill, path: ResourcePath, fault: Fault) -> ReadError {
    let id = skill.id.clone();
    match fault {
        Fault::Missing => ReadError::Missing {
            id,
            near: near(&Bundle::of(skill), &path),
            path,
        },
        Fault::NotRegular(what) => ReadError::NotRegular { id, path, what },
        Fault::TooLarge(bytes) => ReadError::TooLarge { path, bytes },
        Fault::Io(error) => ReadError::Io { path, error },
    }
}

/// How alike two paths must be for one to be meant by the other, from 0 to 1.
const ALIKE: f64 = 0.8;
/// Most paths that are suggested.
const SUGGESTED: usize = 3;

/// The files that may be meant: those of the same name elsewhere, and those with a similar path.
fn near(bundle: &Bundle, path: &ResourcePath) -> Vec<String> {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let wanted = name(path.as_str());
    let mut found: Vec<(f64, &str)> = bundle
        .resources
        .iter()
        .filter(|resource| ResourcePath::parse(&resource.path).is_ok())
        .map(|resource| {
            let same_name = name(&resource.path) == wanted;
            let alike = strsim::jaro_winkler(path.as_str(), &resource.path);
            (if same_name { 1.0 + alike } else { alike }, &*resource.path)
        })
        .filter(|(alike, _)| *alike >= ALIKE)
        .collect();
    found.sort_by(|(a, first), (b, second)| b.total_cmp(a).then(first.cmp(second)));
    found
        .into_iter()
        .take(SUGGESTED)
        .map(|(_, path)| path.to_owned())
        .collect()
}

#[cfg(test)]
mod tests;
