//! Reading a tree through the handle of its directory, and copying it in the same pass, so that what was hashed is what
//! was copied.

use std::io;
use std::path::{Path, PathBuf};

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, DirEntry, File, Metadata, OpenOptions};

use super::{Node, Tree};
use crate::error::ReadError;
use crate::hash::{self, Stopped};
use crate::{disk, limits};

/// What the files of a copy may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Modes {
    /// To be read alone: an object, which programs that write through a link to it must not change.
    Sealed,
    /// As any new file of the user.
    Usual,
}

impl Modes {
    /// The options that make a new file.
    pub(crate) fn create(self, executable: bool) -> OpenOptions {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            use cap_std::fs::OpenOptionsExt;
            options.mode(match (self, executable) {
                (Self::Sealed, false) => 0o444,
                (Self::Sealed, true) => 0o555,
                (Self::Usual, false) => 0o666,
                (Self::Usual, true) => 0o777,
            });
        }
        #[cfg(not(unix))]
        let _ = executable;
        options
    }
}

/// Where a copy goes.
pub(crate) struct Copy<'a> {
    pub(crate) to: &'a Dir,
    /// The path of that directory, for messages.
    pub(crate) at: PathBuf,
    pub(crate) modes: Modes,
}

/// Reads a directory to its end. `shown` is its path, for messages. With `copy_to`, everything is written there as well,
/// into an empty directory; it is up to the caller to wait for the disk.
pub(crate) fn read(
    directory: &Dir,
    shown: &Path,
    copy_to: Option<&Copy<'_>>,
) -> Result<Tree, ReadError> {
    let mut capture = Capture {
        tree: Tree::default(),
        top: shown,
        entries: 0,
        bytes: 0,
    };
    capture.directory(directory, shown, "", 0, copy_to)?;
    Ok(capture.tree)
}

/// A tree in the making.
struct Capture<'a> {
    tree: Tree,
    top: &'a Path,
    entries: usize,
    bytes: u64,
}

impl Capture<'_> {
    /// `below` is the directory's path in the tree, with a `/` at its end unless it is empty. Gives whether it holds
    /// anything.
    fn directory(
        &mut self,
        directory: &Dir,
        shown: &Path,
        below: &str,
        depth: usize,
        copy: Option<&Copy<'_>>,
    ) -> Result<bool, ReadError> {
        if depth > limits::TREE_DEPTH {
            let path = shown.to_owned();
            return Err(ReadError::TooDeep { path });
        }
        let mut is_filled = false;
        for entry in directory.entries().map_err(ReadError::io(shown))? {
            let entry = entry.map_err(ReadError::io(shown))?;
            is_filled = true;
            self.entries += 1;
            if self.entries > limits::TREE_ENTRIES {
                let path = self.top.to_owned();
                return Err(ReadError::TooManyEntries { path });
            }
            self.entry(directory, &entry, shown, below, depth, copy)?;
        }
        Ok(is_filled)
    }

    fn entry(
        &mut self,
        directory: &Dir,
        entry: &DirEntry,
        shown: &Path,
        below: &str,
        depth: usize,
        copy: Option<&Copy<'_>>,
    ) -> Result<(), ReadError> {
        let name = entry.file_name();
        let shown = shown.join(&name);
        let Some(name) = name.to_str() else {
            return Err(ReadError::NotUnicode { path: shown });
        };
        let path = format!("{below}{name}");
        let found = directory
            .symlink_metadata(name)
            .map_err(ReadError::io(&shown))?;
        let node = if found.is_symlink() {
            link(directory, name, &shown, copy)?
        } else if found.is_dir() {
            let opened = directory
                .open_dir_nofollow(name)
                .map_err(ReadError::io(&shown))?;
            let below = format!("{path}/");
            let copied = match copy {
                Some(copy) => Some(
                    make_directory(copy.to, name).map_err(ReadError::io(&copy.at.join(name)))?,
                ),
                None => None,
            };
            let copy = copied.as_ref().zip(copy).map(|(to, copy)| Copy {
                to,
                at: copy.at.join(name),
                modes: copy.modes,
            });
            if self.directory(&opened, &shown, &below, depth + 1, copy.as_ref())? {
                return Ok(());
            }
            Node::EmptyDirectory
        } else {
            self.file(directory, name, &shown, copy)?
        };
        self.tree.nodes.insert(path, node);
        Ok(())
    }

    fn file(
        &mut self,
        directory: &Dir,
        name: &str,
        shown: &Path,
        copy: Option<&Copy<'_>>,
    ) -> Result<Node, ReadError> {
        let file = open_file(directory, name, shown)?;
        let executable = is_executable(&file.metadata().map_err(ReadError::io(shown))?);
        let left = limits::TREE_BYTES.saturating_sub(self.bytes);
        let stopped = |stopped| match stopped {
            Stopped::TooLarge => ReadError::TooLarge {
                path: self.top.to_owned(),
                limit: limits::TREE_BYTES,
            },
            Stopped::Reading(source) => ReadError::io(shown)(source),
            Stopped::Writing(source) => {
                let at = copy.map_or(shown.to_owned(), |copy| copy.at.join(name));
                ReadError::io(&at)(source)
            }
        };
        let hashed = match copy {
            Some(copy) => {
                let options = copy.modes.create(executable);
                let new = copy
                    .to
                    .open_with(name, &options)
                    .map_err(ReadError::io(&copy.at.join(name)))?;
                hash::copy(file, new, left)
            }
            None => hash::copy(file, io::sink(), left),
        };
        let hashed = hashed.map_err(stopped)?;
        self.bytes += hashed.size;
        Ok(Node::File {
            sha256: hashed.sha256,
            size: hashed.size,
            executable,
        })
    }
}

/// A new directory, opened.
fn make_directory(parent: &Dir, name: &str) -> io::Result<Dir> {
    parent.create_dir(name)?;
    parent.open_dir_nofollow(name)
}

fn link(
    directory: &Dir,
    name: &str,
    shown: &Path,
    copy: Option<&Copy<'_>>,
) -> Result<Node, ReadError> {
    let target = read_link(directory, name, shown)?;
    if let Some(copy) = copy {
        let at = copy.at.join(name);
        make_link(copy.to, &at, name, &target).map_err(ReadError::io(&at))?;
    }
    Ok(Node::Link { target })
}

/// What a link says.
pub(crate) fn read_link(directory: &Dir, name: &str, shown: &Path) -> Result<String, ReadError> {
    let target = directory
        .read_link_contents(name)
        .map_err(ReadError::io(shown))?;
    match target.to_str() {
        Some(target) if target.len() <= limits::LINK_BYTES => Ok(target.to_owned()),
        _ => Err(ReadError::NotUnicode {
            path: shown.to_owned(),
        }),
    }
}

/// Makes a link that says `target`, whatever that leads to.
#[cfg(unix)]
pub(crate) fn make_link(directory: &Dir, _: &Path, name: &str, target: &str) -> io::Result<()> {
    directory.symlink_contents(target, name)
}

/// On Windows a link says whether it leads to a directory, and needs a right that few users have.
#[cfg(windows)]
pub(crate) fn make_link(directory: &Dir, shown: &Path, name: &str, target: &str) -> io::Result<()> {
    let from = shown.parent().unwrap_or(shown);
    let _ = directory;
    let link = from.join(name);
    if from.join(target).is_dir() {
        std::os::windows::fs::symlink_dir(target, link)
    } else {
        std::os::windows::fs::symlink_file(target, link)
    }
}

/// Opens a regular file without following a link or waiting for a pipe's other end, then asks what was opened.
pub(crate) fn open_file(directory: &Dir, name: &str, shown: &Path) -> Result<File, ReadError> {
    let mut options = OpenOptions::new();
    options.read(true).nonblock(true).follow(FollowSymlinks::No);
    let file = match directory.open_with(name, &options) {
        Ok(file) => file,
        // A socket cannot be opened.
        Err(error) => {
            return Err(match directory.symlink_metadata(name) {
                Ok(found) if !found.is_file() && !found.is_dir() && !found.is_symlink() => {
                    special(shown)
                }
                _ => ReadError::io(shown)(error),
            });
        }
    };
    if file.metadata().map_err(ReadError::io(shown))?.is_file() {
        Ok(file)
    } else {
        Err(special(shown))
    }
}

fn special(shown: &Path) -> ReadError {
    ReadError::Special {
        path: shown.to_owned(),
        what: "a pipe, a socket or a device",
    }
}

#[cfg(unix)]
pub(crate) fn is_executable(found: &Metadata) -> bool {
    use cap_std::fs::PermissionsExt;
    found.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
pub(crate) fn is_executable(_: &Metadata) -> bool {
    false
}

/// Waits until a copy that was just made is on the disk: each file and directory by itself.
pub(crate) fn sync_each(directory: &Dir) -> io::Result<()> {
    for entry in directory.entries()? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            sync_each(&directory.open_dir_nofollow(entry.file_name())?)?;
        } else if kind.is_file() {
            sync_file(directory, Path::new(&entry.file_name()))?;
        }
    }
    disk::sync_directory(directory)
}

/// Waits until the content of a file is on the disk. Windows wants a handle that may write.
pub(crate) fn sync_file(directory: &Dir, name: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.read(true).write(cfg!(windows));
    options.follow(FollowSymlinks::No);
    directory.open_with(name, &options)?.sync_all()
}
