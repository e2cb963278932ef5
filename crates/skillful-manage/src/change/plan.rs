//! From what is wanted to what is written down: the paths are looked at, and the states compared.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use skillful_store::journal::{NewEntry, Swap};

use super::error::{ChangeError, Mismatch, PathFault};
use super::{Change, Writer, directories};
use crate::limits;
use crate::objects::random_name;
use crate::place;
use crate::state::observe;
use skillful_store::journal::ChangeId;

/// What an undo says beyond its swaps.
#[derive(Debug, Default)]
pub(super) struct Undone {
    pub(super) undoes: Vec<u64>,
    pub(super) vacated_directories: Vec<PathBuf>,
}

impl Writer {
    /// Checks that a change can be made, without touching anything.
    pub(super) fn plan(&self, change: Change, undone: Undone) -> Result<NewEntry, ChangeError> {
        let mut swaps = change.swaps;
        swaps.retain(|swap| swap.before != swap.after);
        if swaps.is_empty() {
            return Err(ChangeError::Nothing);
        }
        if swaps.len() > limits::SWAPS {
            return Err(ChangeError::TooLarge(swaps.len()));
        }
        self.check_paths(&swaps)?;
        check_states(&swaps)?;
        let mut made_directories = Vec::new();
        for swap in &swaps {
            if !swap.after.is_absent() {
                made_directories.extend(directories::missing_above(&swap.path)?);
            }
        }
        // Outermost first, because a path comes before those that lie in it.
        made_directories.sort();
        made_directories.dedup();
        let id = ChangeId(random_name());
        Ok(NewEntry {
            transaction: change.transaction.unwrap_or_else(|| id.clone()),
            id,
            operation: change.operation,
            actor: change.actor,
            skills: change.skills,
            at: self.now(),
            message: change.message,
            swaps,
            made_directories,
            vacated_directories: undone.vacated_directories,
            undoes: undone.undoes,
            bytes: 0,
        })
    }

    /// Every path can be that of a swap, and no two are in each other's way, whatever links lead to them.
    fn check_paths(&self, swaps: &[Swap]) -> Result<(), ChangeError> {
        let own = directories::real(self.data.path());
        let mut real_paths = BTreeMap::new();
        for swap in swaps {
            let path = swap.path.as_path();
            let fault = |fault| ChangeError::Path {
                path: path.to_owned(),
                fault,
            };
            if path.to_str().is_none() {
                return Err(fault(PathFault::NotUnicode));
            }
            if place::split(path).is_none() {
                return Err(fault(PathFault::NotPlain));
            }
            let real = directories::real(path);
            if self.data.is_ours(path) || crate::DataDirectory::at(&own).is_ours(&real) {
                return Err(fault(PathFault::Ours));
            }
            if real_paths.insert(real, path).is_some() {
                return Err(fault(PathFault::Twice));
            }
        }
        for (real, path) in &real_paths {
            let is_taken = |above: &Path| real_paths.contains_key(above);
            if real.ancestors().skip(1).any(is_taken) {
                return Err(ChangeError::Path {
                    path: (*path).to_owned(),
                    fault: PathFault::Twice,
                });
            }
        }
        Ok(())
    }
}

/// Every path is in the state that the change was planned for.
fn check_states(swaps: &[Swap]) -> Result<(), ChangeError> {
    let mut mismatches = Vec::new();
    for swap in swaps {
        let found = observe(&swap.path)?;
        if found != swap.before {
            mismatches.push(Mismatch {
                path: swap.path.clone(),
                expected: swap.before.clone(),
                found,
            });
        }
    }
    if mismatches.is_empty() {
        Ok(())
    } else {
        Err(ChangeError::Changed(mismatches))
    }
}
