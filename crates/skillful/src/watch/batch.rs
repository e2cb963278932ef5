//! What changed, as it is handed to whoever follows: places, and in each the paths to look at again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::limits;

/// What is to be looked at again in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// These paths, and what lies below them. Each may have been made, altered or removed.
    Paths(BTreeSet<PathBuf>),
    /// Everything: too much changed to name it, or nobody knows what did.
    All,
}

impl Changed {
    fn add(&mut self, path: PathBuf) {
        let Self::Paths(paths) = self else {
            return;
        };
        paths.insert(path);
        if paths.len() > limits::CHANGED_PATHS {
            *self = Self::All;
        }
    }
}

impl Default for Changed {
    fn default() -> Self {
        Self::Paths(BTreeSet::new())
    }
}

/// Changes that came close together. Merging two gives what one with all their changes would be, and a batch never
/// grows without end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// What changed, by the place that it lies in: one of those that are watched.
    pub places: BTreeMap<Arc<Path>, Changed>,
    /// What went wrong with the watching itself.
    pub notices: BTreeSet<Notice>,
}

/// A place is not watched as it should be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Notice {
    /// The operating system does not report changes there; it is looked at again and again instead.
    #[error("{} is looked at every {interval:?}: {reason}", place.display())]
    Polling {
        /// The place.
        place: PathBuf,
        /// How often; less when a look takes long.
        interval: Duration,
        /// Why.
        reason: PollingReason,
    },
    /// A place holds more directories or files than are watched; changes in the rest go unnoticed.
    #[error("{} is not watched any further: more than {limit} entries", place.display())]
    TooLarge {
        /// The place.
        place: PathBuf,
        /// How many may be watched.
        limit: usize,
    },
}

/// Why a place is polled.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum PollingReason {
    /// The system has no more watches to give; on Linux `fs.inotify.max_user_watches` or `max_user_instances`.
    #[error(
        "the system's limit of watches is reached; on Linux raise fs.inotify.max_user_watches or max_user_instances"
    )]
    Limit,
    /// What other machines change on a network or shared file system is not reported.
    #[error("it lies on a file system that does not report what others change")]
    Remote,
    /// Polling was asked for; there is no notice about it.
    #[error("polling was asked for")]
    Wanted,
    /// Whatever else the system says.
    #[error("{0}")]
    Other(String),
}

impl Batch {
    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty() && self.notices.is_empty()
    }

    /// Adds a path of a place.
    pub fn add_path(&mut self, place: &Arc<Path>, path: PathBuf) {
        self.places.entry(Arc::clone(place)).or_default().add(path);
    }

    /// Adds a whole place.
    pub fn add_all(&mut self, place: &Arc<Path>) {
        self.places.insert(Arc::clone(place), Changed::All);
    }

    /// Adds what a later batch says.
    pub fn merge(&mut self, later: Self) {
        for (place, changed) in later.places {
            match changed {
                Changed::All => self.add_all(&place),
                Changed::Paths(paths) => {
                    for path in paths {
                        self.add_path(&place, path);
                    }
                }
            }
        }
        self.notices.extend(later.notices);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(path: &str) -> Arc<Path> {
        Arc::from(Path::new(path))
    }

    #[test]
    fn a_path_is_named_once() {
        let mut batch = Batch::default();
        for _ in 0..3 {
            batch.add_path(&place("/r"), PathBuf::from("/r/a"));
        }
        let paths = BTreeSet::from([PathBuf::from("/r/a")]);
        assert_eq!(batch.places[Path::new("/r")], Changed::Paths(paths));
    }

    #[test]
    fn too_many_paths_are_everything() {
        let (first, second) = (place("/r"), place("/s"));
        let mut batch = Batch::default();
        batch.add_path(&second, PathBuf::from("/s/x"));
        for number in 0..=limits::CHANGED_PATHS {
            batch.add_path(&first, PathBuf::from(format!("/r/{number}")));
        }
        batch.add_path(&first, PathBuf::from("/r/again"));
        assert_eq!(batch.places[&first], Changed::All);
        assert_ne!(batch.places[&second], Changed::All);
    }

    #[test]
    fn everything_swallows_paths() {
        let here = place("/r");
        let (mut batch, mut all) = (Batch::default(), Batch::default());
        batch.add_path(&here, PathBuf::from("/r/a"));
        all.add_all(&here);
        let mut merged = all.clone();
        merged.merge(batch.clone());
        batch.merge(all);
        assert_eq!((&merged, &batch.places[&here]), (&batch, &Changed::All));
    }
}
