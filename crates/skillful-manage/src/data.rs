//! The directory that the write side keeps its own things in.
//!
//! ```text
//! objects/trees/HEX   directories by the digest of their tree    objects/files/HEX   files by their SHA-256
//! objects/damaged/    objects that somebody edited, set aside    staging/            private places, gone with their process
//! intents/            changes that are under way                 journal.db          changes that were made
//! cache/  bin/        what can be fetched again; programs        write.lock          held while something is changed
//! ```

use std::fs::DirBuilder;
use std::io;
use std::path::{Path, PathBuf};

use skillful::{Host, Options, records};

use crate::objects::Objects;

/// The directory of our own things in a root that stands alone. It is hidden, and not searched for skills.
const BESIDE_ROOT: &str = ".skillful";

/// Where everything of ours lies: below the directory of the records ([`records::directory`]). Nothing is made before it
/// is needed, and what is made is for its owner alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataDirectory {
    path: PathBuf,
}

impl DataDirectory {
    /// This directory, which should be absolute.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// That of this user; where roots are named and no home is, `.skillful` in the first of them, because nothing
    /// else is then read or written. Nothing where there is neither.
    pub fn of(host: &Host, options: &Options) -> Option<Self> {
        if let Some(directory) = records::directory(host, options) {
            return Some(Self::at(directory));
        }
        let root = options.roots.first()?;
        let root = host.working_directory().join(root);
        Some(Self::at(root.join(BESIDE_ROOT)))
    }

    /// The directory itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The content of skills and files, by digest.
    pub fn objects(&self) -> Objects {
        Objects::of(self)
    }

    /// Where objects lie.
    pub(crate) fn objects_directory(&self) -> PathBuf {
        self.path.join("objects")
    }

    /// Private places of running processes.
    pub fn staging(&self) -> PathBuf {
        self.path.join("staging")
    }

    /// Changes that are under way.
    pub fn intents(&self) -> PathBuf {
        self.path.join("intents")
    }

    /// What was fetched and can be fetched again.
    pub fn cache(&self) -> PathBuf {
        self.path.join("cache")
    }

    /// Answers from the web that are kept to be asked for again.
    pub fn answers(&self) -> PathBuf {
        self.cache().join("answers")
    }

    /// Programs that were installed for skills.
    pub fn bin(&self) -> PathBuf {
        self.path.join("bin")
    }

    /// The database of the journal.
    pub fn journal(&self) -> PathBuf {
        self.path.join("journal.db")
    }

    /// The file that is locked by whoever changes something.
    pub fn lock(&self) -> PathBuf {
        self.path.join("write.lock")
    }

    /// Whether a path is that of one of our own things, lies in one, or holds them all. What an object is linked to from
    /// is never such a path.
    pub(crate) fn is_ours(&self, path: &Path) -> bool {
        let own = [
            self.objects_directory(),
            self.staging(),
            self.intents(),
            self.journal(),
            self.lock(),
        ];
        self.path.starts_with(path) || own.iter().any(|own| path.starts_with(own))
    }
}

/// Makes a directory and those above it, for the owner alone.
pub(crate) fn make_private(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(path)
}
