//! The rooms of the crate as their callers meet them, with skills, programs and archives on a real disk.

#![expect(clippy::unwrap_used, reason = "a test ends where its helpers fail")]

#[cfg(unix)]
mod downloading;
#[cfg(unix)]
mod installing;
#[cfg(unix)]
mod machine;
mod packing;
mod publishing;

use std::fs;
use std::path::{Path, PathBuf};

use skillful::{Config, Skill, places};
use skillful_manage::gate::Gate;
use skillful_manage::pack::Wishes;
use tempfile::TempDir;

/// A directory of its own for each test.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        // Links in the temporary directory's own path (macOS) would show.
        fs::canonicalize(self.0.path()).unwrap().join(below)
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn program(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.write(path, content);
        make_executable(&path);
        path
    }

    /// The skill in a directory.
    pub(crate) fn skill(&self, directory: &str) -> Skill {
        places::skill_at(&self.path(directory)).unwrap()
    }
}

#[cfg(unix)]
pub(crate) fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(not(unix))]
pub(crate) fn make_executable(_: &Path) {}

/// What is wanted of packing, with the gate that comes without a configuration.
pub(crate) fn wishes() -> Wishes {
    Wishes::through(Gate::of(&Config::default()).unwrap())
}

/// The text of a small skill that breaks no rule.
pub(crate) fn skill_text(name: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: Does {name}. Use when {name} is asked for.\n---\n\n# {name}\n\nDo it.\n"
    )
}
