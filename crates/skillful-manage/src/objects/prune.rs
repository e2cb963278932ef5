//! Removing objects that nothing refers to any more.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::SystemTime;

use skillful_store::journal::Digest;

use super::{FILES, ObjectError, Objects, TREES};
use crate::limits;

/// What pruning removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrunedObjects {
    /// So many trees.
    pub trees: u64,
    /// So many files.
    pub files: u64,
}

impl Objects {
    /// Removes every object that is not in `kept` and was not put within [`limits::UNREFERRED`] before `now`. Each is
    /// moved away first, so that nobody finds half of one.
    pub(crate) fn prune(
        &self,
        kept: &BTreeSet<Digest>,
        now: SystemTime,
    ) -> Result<PrunedObjects, ObjectError> {
        Ok(PrunedObjects {
            trees: self.prune_kind(TREES, kept, now)?,
            files: self.prune_kind(FILES, kept, now)?,
        })
    }

    fn prune_kind(
        &self,
        kind: &str,
        kept: &BTreeSet<Digest>,
        now: SystemTime,
    ) -> Result<u64, ObjectError> {
        let directory = self.directory(kind);
        let entries = match fs::read_dir(&directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
            Err(error) => return Err(ObjectError::io(&directory)(error)),
        };
        let mut pruned = 0;
        for entry in entries {
            let entry = entry.map_err(ObjectError::io(&directory))?;
            let name = entry.file_name();
            let digest = name.to_str().and_then(|name| Digest::from_hex(name).ok());
            // What is no object was put there by somebody else.
            let is_kept = digest.is_none_or(|digest| kept.contains(&digest));
            if is_kept || is_recent(&entry.path(), now) {
                continue;
            }
            let bin = self.stage()?;
            let to = bin.path().join("object");
            fs::rename(entry.path(), to).map_err(ObjectError::io(&entry.path()))?;
            pruned += 1;
        }
        Ok(pruned)
    }
}

/// Whether an object was put a short while ago. When that cannot be known, it counts as if it was.
fn is_recent(path: &Path, now: SystemTime) -> bool {
    let Ok(put) = path.symlink_metadata().and_then(|found| found.modified()) else {
        return true;
    };
    now.duration_since(put)
        .is_ok_and(|age| age < limits::UNREFERRED)
        || put > now
}

/// Notes that an object was put just now. A failure costs no more than that it may be pruned too early.
pub(super) fn touch(path: &Path) {
    let _ = File::open(path).and_then(|file| file.set_modified(SystemTime::now()));
}
