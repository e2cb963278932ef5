//! The directory that is published into, through its handle: nothing is written through a link, and every file is
//! written whole.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt};
use cap_std::fs::{Dir, OpenOptions};

use crate::limits;

/// A file of a site could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", path.display())]
pub struct SiteError {
    /// The file or directory.
    pub path: PathBuf,
    /// What the system says.
    pub error: io::Error,
}

/// A directory of the site.
#[derive(Debug)]
pub(super) struct Site {
    directory: Dir,
    path: PathBuf,
}

impl Site {
    /// Opens the directory; it is made if it is not there. Its own path may lead over links.
    pub(super) fn open(path: &Path) -> Result<Self, SiteError> {
        let opened = || -> io::Result<Dir> {
            std::fs::create_dir_all(path)?;
            Dir::open_ambient_dir(path, cap_std::ambient_authority())
        };
        let directory = opened().map_err(|error| SiteError {
            path: path.to_owned(),
            error,
        })?;
        Ok(Self {
            directory,
            path: path.to_owned(),
        })
    }

    /// Opens the directory if it is there.
    pub(super) fn find(path: &Path) -> Result<Option<Self>, SiteError> {
        match path.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            _ => Self::open(path).map(Some),
        }
    }

    /// The path of something in it, for people.
    pub(super) fn shown(&self, path: &str) -> PathBuf {
        self.path.join(path)
    }

    fn failed(&self, path: &str) -> impl Fn(io::Error) -> SiteError {
        let path = self.shown(path);
        move |error| SiteError {
            path: path.clone(),
            error,
        }
    }

    /// A directory in it, which is made if it is not there; `path` has `/` between its parts.
    pub(super) fn below(&self, path: &str) -> Result<Self, SiteError> {
        let made = || -> io::Result<Dir> {
            let mut directory = self.directory.try_clone()?;
            for part in path.split('/').filter(|part| !part.is_empty()) {
                match directory.create_dir(part) {
                    Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                        return Err(error);
                    }
                    _ => directory = directory.open_dir_nofollow(part)?,
                }
            }
            Ok(directory)
        };
        Ok(Self {
            directory: made().map_err(self.failed(path))?,
            path: self.shown(path),
        })
    }

    /// The bytes of a file, of at most [`limits::PUBLISHED_BYTES`]; nothing when it is not there.
    pub(super) fn read(&self, path: &str) -> Result<Option<Vec<u8>>, SiteError> {
        let failed = self.failed(path);
        let Some((parent, name)) = self.find_parent(path).map_err(&failed)? else {
            return Ok(None);
        };
        let mut options = OpenOptions::new();
        options.read(true).follow(FollowSymlinks::No);
        let file = match parent.open_with(name, &options) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        let mut bytes = Vec::new();
        file.take(limits::PUBLISHED_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(&failed)?;
        if bytes.len() as u64 > limits::PUBLISHED_BYTES {
            return Err(failed(io::ErrorKind::FileTooLarge.into()));
        }
        Ok(Some(bytes))
    }

    /// The directory that a path's file lies in; nothing when it is not there.
    fn find_parent<'p>(&self, path: &'p str) -> io::Result<Option<(Dir, &'p str)>> {
        let (parents, name) = path.rsplit_once('/').unwrap_or(("", path));
        let mut directory = self.directory.try_clone()?;
        for part in parents.split('/').filter(|part| !part.is_empty()) {
            match directory.open_dir_nofollow(part) {
                Ok(next) => directory = next,
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        Ok(Some((directory, name)))
    }

    /// Writes a file whole, in the place of what was there. A web server must be able to read it.
    pub(super) fn write(
        &self,
        path: &str,
        bytes: &[u8],
        executable: bool,
    ) -> Result<(), SiteError> {
        let (parents, name) = path.rsplit_once('/').unwrap_or(("", path));
        let parent = self.below(parents)?;
        let staged = format!(".skillful-{}-{name}", std::process::id());
        let written = || -> io::Result<()> {
            let mut options = OpenOptions::new();
            options.write(true).create_new(true);
            let mut file = parent.directory.open_with(&staged, &options)?;
            file.write_all(bytes)?;
            set_mode(&file, executable)?;
            file.sync_all()?;
            drop(file);
            parent.directory.rename(&staged, &parent.directory, name)
        };
        written().map_err(|error| {
            // What was not finished is nobody's.
            let _ = parent.directory.remove_file(&staged);
            self.failed(path)(error)
        })
    }

    /// Removes a file that is there no more or not any more, and the directories above it that are empty then.
    pub(super) fn remove(&self, path: &str) -> Result<(), SiteError> {
        let failed = self.failed(path);
        if let Some((parent, name)) = self.find_parent(path).map_err(&failed)? {
            match parent.remove_file(name) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
                _ => {}
            }
        }
        let mut above = path;
        while let Some((parent, _)) = above.rsplit_once('/') {
            // A directory that holds something else stays.
            if self.directory.remove_dir(parent).is_err() {
                break;
            }
            above = parent;
        }
        Ok(())
    }

    /// All files below a directory of it, sorted, links and odd things among them; nothing when it is not there.
    pub(super) fn files(&self, path: &str) -> Result<Option<Vec<String>>, SiteError> {
        let failed = self.failed(path);
        let Some((parent, name)) = self.find_parent(path).map_err(&failed)? else {
            return Ok(None);
        };
        let directory = match parent.open_dir_nofollow(name) {
            Ok(directory) => directory,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        let mut files = Vec::new();
        list(&directory, "", 0, &mut files).map_err(&failed)?;
        files.sort();
        Ok(Some(files))
    }
}

fn list(directory: &Dir, below: &str, depth: usize, files: &mut Vec<String>) -> io::Result<()> {
    for entry in directory.entries()? {
        let entry = entry?;
        let path = format!("{below}{}", entry.file_name().to_string_lossy());
        if files.len() > limits::PACK_ENTRIES || depth > skillful::limits::BUNDLE_DEPTH {
            return Err(io::Error::other("it holds more than a skill may"));
        }
        if entry.file_type()?.is_dir() {
            let inner = directory.open_dir_nofollow(entry.file_name())?;
            list(&inner, &format!("{path}/"), depth + 1, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(unix)]
fn set_mode(file: &cap_std::fs::File, executable: bool) -> io::Result<()> {
    use cap_std::fs::PermissionsExt;
    let mode = if executable { 0o755 } else { 0o644 };
    file.set_permissions(cap_std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode(_: &cap_std::fs::File, _: bool) -> io::Result<()> {
    Ok(())
}
