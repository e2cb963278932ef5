//! Content by its digest: directories under `objects/trees/HEX`, files under `objects/files/HEX`.
//!
//! An object never changes. It comes into being by a rename, whole and on the disk, so that processes can put the same
//! one at the same time without a lock. Its files are read-only, because clients reach them through links: a program
//! that writes through one is stopped, unless it goes out of its way or runs as root. What happens then is noticed
//! whenever the object is used: it is [`ObjectError::Damaged`], and nothing is overwritten.

mod prune;
mod staging;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use skillful_store::journal::{Digest, State};

use crate::data::{self, DataDirectory};
use crate::error::ReadError;
use crate::hash;
use crate::place::{Place, is_absent, stopped_at};
use crate::tree::{self, Copy, Modes, Tree, open_file};
use crate::{disk, limits};

pub use prune::PrunedObjects;
pub use staging::Staging;
pub(crate) use staging::{random_name, sweep};

/// The objects of a data directory. Any number of processes may use them at the same time.
#[derive(Clone, Debug)]
pub struct Objects {
    data: DataDirectory,
}

/// What came of keeping what is at a path.
pub(crate) enum Kept {
    /// It is kept, and has so many bytes.
    Bytes(u64),
    /// There is something else.
    Other(State),
}

/// Content could not be kept or handed out.
#[derive(Debug, thiserror::Error)]
pub enum ObjectError {
    /// There is no such object.
    #[error("the content {digest} is not kept here, or no longer; fetch it again")]
    Missing {
        /// What was asked for.
        digest: Digest,
    },
    /// Somebody changed it.
    #[error(
        "{} is not what was kept there: somebody changed it; move what is worth keeping out of it, and put the object \
         aside",
        path.display()
    )]
    Damaged {
        /// What it ought to be.
        digest: Digest,
        /// Where it lies.
        path: PathBuf,
    },
    /// What was to be kept cannot be read, or is over a limit.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The operating system says no.
    #[error("{}: {source}", path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// What it says.
        source: io::Error,
    },
}

impl ObjectError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }
}

impl Objects {
    pub(crate) fn of(data: &DataDirectory) -> Self {
        let data = data.clone();
        Self { data }
    }

    /// Where the tree of this digest lies, if it is kept: what placements link to. Not to be written to.
    pub fn tree_path(&self, digest: &Digest) -> PathBuf {
        self.directory(TREES).join(digest.hex())
    }

    /// Where the file of this SHA-256 lies, if it is kept.
    pub(crate) fn file_path(&self, sha256: &Digest) -> PathBuf {
        self.directory(FILES).join(sha256.hex())
    }

    /// The digest of the tree that lies at or above this path, for what a placement links to.
    pub(crate) fn tree_at(&self, path: &Path) -> Option<Digest> {
        let below = path.strip_prefix(self.directory(TREES)).ok()?;
        let name = below.components().next()?.as_os_str().to_str()?;
        Digest::from_hex(name).ok()
    }

    /// Whether the content of a state is kept: true for what has none. Does not read it; see [`Self::verify`].
    pub fn contains(&self, state: &State) -> bool {
        match self.place_of(state) {
            Some((path, _)) => path.symlink_metadata().is_ok(),
            None => true,
        }
    }

    /// A private directory of this process, to put content together in. It goes with the value.
    ///
    /// # Errors
    ///
    /// [`ObjectError::Io`] when it cannot be made.
    pub fn stage(&self) -> Result<Staging, ObjectError> {
        let directory = self.data.staging();
        Staging::new(&directory).map_err(ObjectError::io(&directory))
    }

    /// Keeps a copy of the directory at `path`, and gives what is in it. When it returns, the object is on the disk.
    ///
    /// # Errors
    ///
    /// [`ObjectError`]; then nothing was added.
    pub fn put_tree(&self, path: &Path) -> Result<Tree, ObjectError> {
        self.put_tree_then(path, Durability::AtOnce)
    }

    /// The same without waiting for the disk, for many trees at once: [`Self::sync`] waits for all of them, and must have
    /// done so before a change refers to them.
    ///
    /// # Errors
    ///
    /// [`ObjectError`]; then nothing was added.
    pub(crate) fn put_tree_for_later(&self, path: &Path) -> Result<Tree, ObjectError> {
        self.put_tree_then(path, Durability::Later)
    }

    /// Waits until everything that was put is on the disk.
    ///
    /// # Errors
    ///
    /// [`ObjectError::Io`].
    pub fn sync(&self) -> Result<(), ObjectError> {
        let directory = self.data.objects_directory();
        if !directory.is_dir() {
            return Ok(());
        }
        // Where the system cannot be asked for that, nothing was put off.
        disk::sync_file_system(&open(&directory)?)
            .map(drop)
            .map_err(ObjectError::io(&directory))
    }

    fn put_tree_then(&self, path: &Path, durability: Durability) -> Result<Tree, ObjectError> {
        let is_put_off = durability == Durability::Later && disk::CAN_SYNC_FILE_SYSTEM;
        let source = Place::existing(path)?.directory()?;
        let staging = self.stage()?;
        let at = staging.path().to_owned();
        let copy = open(&at)?;
        let to = Copy {
            to: &copy,
            at: at.clone(),
            modes: Modes::Sealed,
        };
        let tree = tree::read(&source, path, Some(&to))?;
        if !self.is_kept(&tree.state())? {
            let to = self.tree_path(&tree.digest());
            if is_put_off {
                name(&at, &to)?;
            } else {
                make_durable(&copy, tree.len()).map_err(ObjectError::io(&at))?;
                rename_in(&at, &to)?;
            }
        }
        Ok(tree)
    }

    /// Keeps a file with these bytes, and gives the state of a path where it is.
    ///
    /// # Errors
    ///
    /// [`ObjectError`]; then nothing was added.
    pub fn put_bytes(&self, bytes: &[u8], executable: bool) -> Result<State, ObjectError> {
        self.put_reader(bytes, executable, Path::new("the content"))
    }

    /// Keeps a copy of the file at `path`, which is not followed.
    ///
    /// # Errors
    ///
    /// [`ObjectError`]; then nothing was added.
    pub(crate) fn put_file(&self, path: &Path) -> Result<State, ObjectError> {
        let place = Place::existing(path)?;
        let file = open_file(&place.parent, &place.name, path)?;
        let metadata = file.metadata().map_err(ObjectError::io(path))?;
        self.put_reader(file, tree::is_executable(&metadata), path)
    }

    fn put_reader(
        &self,
        content: impl io::Read,
        executable: bool,
        shown: &Path,
    ) -> Result<State, ObjectError> {
        let staging = self.stage()?;
        let at = staging.path().join(CONTENT);
        let directory = open(staging.path())?;
        let file = directory
            .open_with(CONTENT, &Modes::Sealed.create(false))
            .map_err(ObjectError::io(&at))?;
        let hashed = hash::copy(content, &file, limits::FILE_BYTES)
            .map_err(|stopped| stopped_at(shown, stopped))?;
        let state = State::File {
            sha256: hashed.sha256,
            size: hashed.size,
            executable: executable && cfg!(unix),
        };
        if !self.is_kept(&state)? {
            file.sync_all().map_err(ObjectError::io(&at))?;
            drop(file);
            let to = self.file_path(&hashed.sha256);
            rename_in(&at, &to)?;
        }
        Ok(state)
    }

    /// Keeps what is at `path` right now, and gives its state.
    ///
    /// # Errors
    ///
    /// [`ObjectError`]; then nothing was added.
    pub fn put(&self, path: &Path) -> Result<State, ObjectError> {
        let Some(place) = Place::open(path)? else {
            return Ok(State::Absent);
        };
        match place.parent.symlink_metadata(&place.name) {
            Ok(found) if found.is_dir() => self.put_tree(path).map(|tree| tree.state()),
            Ok(found) if found.is_file() => self.put_file(path),
            _ => Ok(place.observe()?),
        }
    }

    /// The bytes of a file that is kept.
    ///
    /// # Errors
    ///
    /// [`ObjectError::Missing`], [`ObjectError::Damaged`].
    pub fn read_file(&self, sha256: &Digest) -> Result<Vec<u8>, ObjectError> {
        let mut bytes = Vec::new();
        self.copy_file(sha256, &mut bytes)?;
        Ok(bytes)
    }

    /// Writes the bytes of a file that is kept to `to`. On an error, some of them may have been written.
    pub(crate) fn copy_file(&self, sha256: &Digest, to: impl io::Write) -> Result<(), ObjectError> {
        let path = self.file_path(sha256);
        let missing = || ObjectError::Missing { digest: *sha256 };
        let place = Place::open(&path)?.ok_or_else(missing)?;
        let file = match open_file(&place.parent, &place.name, &path) {
            Err(ReadError::Io { source, .. }) if is_absent(&source) => return Err(missing()),
            file => file?,
        };
        let hashed = hash::copy(file, to, limits::FILE_BYTES)
            .map_err(|stopped| stopped_at(&path, stopped))?;
        if hashed.sha256 == *sha256 {
            Ok(())
        } else {
            let digest = *sha256;
            Err(ObjectError::Damaged { digest, path })
        }
    }

    /// Copies a tree into `to`, an empty directory that exists, with files that can be written: to be edited and put
    /// again.
    ///
    /// # Errors
    ///
    /// [`ObjectError`]; some of it may have been copied then.
    pub(crate) fn copy_tree(&self, digest: &Digest, to: &Path) -> Result<Tree, ObjectError> {
        self.copy_tree_into(digest, &open(to)?, to)
    }

    /// The same by the handle of the directory, whose path is `at`.
    pub(crate) fn copy_tree_into(
        &self,
        digest: &Digest,
        to: &Dir,
        at: &Path,
    ) -> Result<Tree, ObjectError> {
        let copy = Copy {
            to,
            at: at.to_owned(),
            modes: Modes::Usual,
        };
        self.read_tree(digest, Some(&copy))
    }

    /// What is in a tree that is kept, from reading it whole.
    ///
    /// # Errors
    ///
    /// [`ObjectError::Missing`], [`ObjectError::Damaged`].
    pub fn tree(&self, digest: &Digest) -> Result<Tree, ObjectError> {
        self.read_tree(digest, None)
    }

    fn read_tree(&self, digest: &Digest, copy_to: Option<&Copy<'_>>) -> Result<Tree, ObjectError> {
        let path = self.tree_path(digest);
        let missing = || ObjectError::Missing { digest: *digest };
        let place = Place::open(&path)?.ok_or_else(missing)?;
        let directory = match place.directory() {
            Err(ReadError::Io { source, .. }) if is_absent(&source) => return Err(missing()),
            directory => directory?,
        };
        let tree = tree::read(&directory, &path, copy_to)?;
        if tree.digest() == *digest {
            Ok(tree)
        } else {
            let digest = *digest;
            Err(ObjectError::Damaged { digest, path })
        }
    }

    /// Reads the content of a state from beginning to end, and gives how many bytes it has.
    ///
    /// # Errors
    ///
    /// [`ObjectError::Missing`], [`ObjectError::Damaged`].
    pub fn verify(&self, state: &State) -> Result<u64, ObjectError> {
        match state {
            State::Absent | State::Link { .. } => Ok(0),
            State::File { sha256, size, .. } => {
                self.copy_file(sha256, io::sink())?;
                Ok(*size)
            }
            State::Tree { digest } => Ok(self.tree(digest)?.bytes()),
        }
    }

    /// Sees to it that the content of a state is kept, which is at `path`; gives how many bytes it has.
    pub(crate) fn keep(&self, state: &State, path: &Path) -> Result<Kept, ObjectError> {
        match self.verify(state) {
            Err(ObjectError::Missing { .. }) => {}
            bytes => return bytes.map(Kept::Bytes),
        }
        let (found, bytes) = if matches!(state, State::Tree { .. }) {
            let tree = self.put_tree(path)?;
            (tree.state(), tree.bytes())
        } else {
            let found = self.put_file(path)?;
            let bytes = match &found {
                State::File { size, .. } => *size,
                _ => 0,
            };
            (found, bytes)
        };
        if found == *state {
            Ok(Kept::Bytes(bytes))
        } else {
            Ok(Kept::Other(found))
        }
    }

    /// Moves the object of a state out of the way, for instance because somebody edited it, and gives where it lies now.
    /// The right content can be put again then.
    ///
    /// # Errors
    ///
    /// [`ObjectError::Io`] when it cannot be moved.
    pub fn put_aside(&self, state: &State) -> Result<Option<PathBuf>, ObjectError> {
        let Some((path, _)) = self.place_of(state) else {
            return Ok(None);
        };
        let damaged = self.directory(DAMAGED);
        data::make_private(&damaged).map_err(ObjectError::io(&damaged))?;
        let (from, to) = (Place::existing(&path)?, open(&damaged)?);
        let mut number = 1;
        loop {
            let name = format!("{}-{number}", from.name);
            match disk::rename_to_free(&from.parent, &from.name, &to, &name) {
                Ok(()) => return Ok(Some(damaged.join(name))),
                Err(error) if is_taken(&error) => number += 1,
                Err(error) => return Err(ObjectError::io(&path)(error)),
            }
        }
    }

    /// Whether the right content is there. Touches it, so that pruning leaves it alone for a while.
    fn is_kept(&self, state: &State) -> Result<bool, ObjectError> {
        match self.verify(state) {
            Ok(_) => {
                if let Some((path, _)) = self.place_of(state) {
                    prune::touch(&path);
                }
                Ok(true)
            }
            Err(ObjectError::Missing { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Where the content of a state lies, and its digest.
    fn place_of(&self, state: &State) -> Option<(PathBuf, Digest)> {
        match state {
            State::Absent | State::Link { .. } => None,
            State::File { sha256, .. } => Some((self.file_path(sha256), *sha256)),
            State::Tree { digest } => Some((self.tree_path(digest), *digest)),
        }
    }

    fn directory(&self, name: &str) -> PathBuf {
        self.data.objects_directory().join(name)
    }
}

const TREES: &str = "trees";
const FILES: &str = "files";
const DAMAGED: &str = "damaged";
/// The name of a file in its staging place.
const CONTENT: &str = "content";

/// When content that was put is on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Durability {
    AtOnce,
    Later,
}

/// Gives content its name, and waits until it has it.
fn rename_in(from: &Path, to: &Path) -> Result<(), ObjectError> {
    name(from, to)?;
    let directory = to.parent().unwrap_or(to);
    disk::sync_directory(&open(directory)?).map_err(ObjectError::io(directory))
}

/// Gives content its name. Where somebody else was quicker, theirs is the same.
fn name(from: &Path, to: &Path) -> Result<(), ObjectError> {
    let directory = to.parent().unwrap_or(to);
    data::make_private(directory).map_err(ObjectError::io(directory))?;
    prune::touch(from);
    match fs::rename(from, to) {
        Err(error) if !is_taken(&error) => Err(ObjectError::io(to)(error)),
        _ => Ok(()),
    }
}

/// Whether a rename failed because there is something of that name.
fn is_taken(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty
    )
}

fn open(path: &Path) -> Result<Dir, ObjectError> {
    Dir::open_ambient_dir(path, ambient_authority()).map_err(ObjectError::io(path))
}

/// Waits until a copy of so many nodes is on the disk.
pub(crate) fn make_durable(directory: &Dir, nodes: usize) -> io::Result<()> {
    if nodes > limits::SYNCED_ONE_BY_ONE && disk::sync_file_system(directory)? {
        return Ok(());
    }
    tree::sync_each(directory)
}

#[cfg(test)]
mod tests;
