//! The history of a data directory, and how much of it is kept.

use std::collections::BTreeSet;
use std::path::Path;

use skillful_store::StoreError;
use skillful_store::journal::{
    Digest, Entry, Journal, Pruned, Query, Retention, SqliteJournal, State,
};

use crate::change::{ChangeError, Writer};
use crate::data::DataDirectory;
use crate::objects::PrunedObjects;

/// The entries that a query asks for, newest first. Makes nothing, and waits for nobody.
///
/// # Errors
///
/// See [`StoreError`].
pub fn history(data: &DataDirectory, query: &Query) -> Result<Vec<Entry>, StoreError> {
    SqliteJournal::at(data.journal()).entries(query)
}

/// What was put at this path by the last change of it, if it was one of ours.
///
/// # Errors
///
/// See [`StoreError`].
pub fn placed(data: &DataDirectory, path: &Path) -> Result<Option<State>, StoreError> {
    SqliteJournal::at(data.journal()).place(path)
}

impl Writer {
    /// Forgets entries that are older than what is to be kept, and removes the objects that nothing refers to any more:
    /// no entry that stays, nothing that was placed and is still there as far as we know, and none of `kept` (what locks
    /// refer to). Objects that were put a short while ago stay as well ([`crate::limits::UNREFERRED`]).
    ///
    /// # Errors
    ///
    /// See [`ChangeError`]. What was removed until then stays removed.
    pub fn prune(
        &mut self,
        retention: &Retention,
        kept: &BTreeSet<Digest>,
    ) -> Result<(Pruned, PrunedObjects), ChangeError> {
        let now = self.clock();
        let pruned = self.journal().prune(retention, now.into())?;
        let mut kept = kept.clone();
        for state in self.journal().states()? {
            match state {
                State::Absent => {}
                State::File { sha256, .. } => {
                    kept.insert(sha256);
                }
                State::Tree { digest } => {
                    kept.insert(digest);
                }
                State::Link { target } => {
                    kept.extend(self.objects().tree_at(Path::new(&target)));
                }
            }
        }
        let objects = self.objects().prune(&kept, now)?;
        Ok((pruned, objects))
    }
}

#[cfg(test)]
mod tests;
