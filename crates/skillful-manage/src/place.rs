//! A path that something is to be done with: the handle of the directory that it lies in, and its name there.

use std::io;
use std::path::{Component, Path, PathBuf};

use cap_fs_ext::DirExt;
use cap_std::ambient_authority;
use cap_std::fs::Dir;

use crate::error::ReadError;
use crate::hash::{self, Stopped};
use crate::limits;
use crate::tree::{self, is_executable, open_file, read_link};
use skillful_store::journal::State;

/// Directories of users may be reached through links, as dotfile managers make them; what lies there under `name` is
/// never followed.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) path: PathBuf,
    pub(crate) parent: Dir,
    pub(crate) name: String,
}

impl Place {
    /// The place of a path; nothing when the directory that it would lie in does not exist.
    pub(crate) fn open(path: &Path) -> Result<Option<Self>, ReadError> {
        let Some((parent, name)) = split(path) else {
            let path = path.to_owned();
            return Err(ReadError::NotUnicode { path });
        };
        match Dir::open_ambient_dir(parent, ambient_authority()) {
            Ok(parent) => Ok(Some(Self {
                path: path.to_owned(),
                parent,
                name: name.to_owned(),
            })),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(ReadError::io(parent)(error)),
        }
    }

    /// The same where there must be one.
    pub(crate) fn existing(path: &Path) -> Result<Self, ReadError> {
        Self::open(path)?.ok_or_else(|| ReadError::io(path)(io::ErrorKind::NotFound.into()))
    }

    /// The directory at this place.
    pub(crate) fn directory(&self) -> Result<Dir, ReadError> {
        self.parent.open_dir_nofollow(&self.name).map_err(|error| {
            match self.parent.symlink_metadata(&self.name) {
                Ok(found) if !found.is_dir() => ReadError::NotA {
                    path: self.path.clone(),
                    expected: "a directory",
                },
                _ => ReadError::io(&self.path)(error),
            }
        })
    }

    /// What is there.
    pub(crate) fn observe(&self) -> Result<State, ReadError> {
        self.observe_sibling(&self.name)
    }

    /// What is under another name in the same directory.
    pub(crate) fn observe_sibling(&self, name: &str) -> Result<State, ReadError> {
        let shown = self.path.with_file_name(name);
        let found = match self.parent.symlink_metadata(name) {
            Ok(found) => found,
            Err(error) if is_absent(&error) => return Ok(State::Absent),
            Err(error) => return Err(ReadError::io(&shown)(error)),
        };
        if found.is_symlink() {
            let target = read_link(&self.parent, name, &shown)?;
            return Ok(State::Link { target });
        }
        if found.is_dir() {
            let directory = self
                .parent
                .open_dir_nofollow(name)
                .map_err(ReadError::io(&shown))?;
            return Ok(tree::read(&directory, &shown, None)?.state());
        }
        let file = open_file(&self.parent, name, &shown)?;
        let executable = is_executable(&file.metadata().map_err(ReadError::io(&shown))?);
        let hashed = hash::copy(file, io::sink(), limits::FILE_BYTES)
            .map_err(|stopped| stopped_at(&shown, stopped))?;
        Ok(State::File {
            sha256: hashed.sha256,
            size: hashed.size,
            executable,
        })
    }
}

/// What a file that is read by itself says when it cannot be.
pub(crate) fn stopped_at(shown: &Path, stopped: Stopped) -> ReadError {
    match stopped {
        Stopped::TooLarge => ReadError::TooLarge {
            path: shown.to_owned(),
            limit: limits::FILE_BYTES,
        },
        Stopped::Reading(source) | Stopped::Writing(source) => ReadError::io(shown)(source),
    }
}

/// The directory and the name of a path that can be that of a swap: absolute, Unicode, without `..`.
pub(crate) fn split(path: &Path) -> Option<(&Path, &str)> {
    let is_plain = path.is_absolute()
        && path
            .components()
            .all(|part| !matches!(part, Component::ParentDir));
    path.to_str().filter(|_| is_plain)?;
    Some((path.parent()?, path.file_name()?.to_str()?))
}

pub(crate) fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}
