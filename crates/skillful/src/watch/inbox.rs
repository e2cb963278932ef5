//! What reaches the watcher's thread: hints of the operating system, new places, and the end.
//!
//! Whoever puts something in never waits: the operating system's own thread must not, because the watcher's thread waits
//! for it in turn when it asks for another watch. What does not fit is forgotten, and remembered as lost.

use std::path::{Path, PathBuf};
use std::sync::mpsc::SyncSender;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::Place;
use crate::limits;

/// That something happened at a path, which is one without links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Hint {
    /// It was made, or moved there.
    Appeared(PathBuf),
    /// It was removed, or moved away.
    Vanished(PathBuf),
    /// It was altered, or nobody knows what happened to it.
    Touched(PathBuf),
}

impl Hint {
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Appeared(path) | Self::Vanished(path) | Self::Touched(path) => path,
        }
    }
}

/// All that arrived since the last look.
#[derive(Debug, Default)]
pub(super) struct Mail {
    pub(super) hints: Vec<Hint>,
    /// Whether hints were lost.
    pub(super) lost: bool,
    /// The places to watch from now on, and whom to tell when that is done.
    pub(super) places: Option<(Vec<Place>, SyncSender<()>)>,
    pub(super) stop: bool,
}

impl Mail {
    fn is_empty(&self) -> bool {
        self.hints.is_empty() && !self.lost && self.places.is_none() && !self.stop
    }
}

#[derive(Debug, Default)]
pub(super) struct Inbox {
    mail: Mutex<Mail>,
    arrived: Condvar,
}

impl Inbox {
    pub(super) fn hint(&self, hint: Hint) {
        self.put(|mail| {
            if mail.hints.len() < limits::WATCH_HINTS {
                mail.hints.push(hint);
            } else {
                mail.lost = true;
            }
        });
    }

    pub(super) fn lost(&self) {
        self.put(|mail| mail.lost = true);
    }

    pub(super) fn places(&self, places: Vec<Place>, done: SyncSender<()>) {
        self.put(|mail| mail.places = Some((places, done)));
    }

    pub(super) fn stop(&self) {
        self.put(|mail| mail.stop = true);
    }

    /// Takes what there is; waits for something until `until` at the latest.
    pub(super) fn wait(&self, until: Instant) -> Mail {
        let mut mail = self.lock();
        while mail.is_empty() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let wait = self.arrived.wait_timeout(mail, left);
            mail = wait.unwrap_or_else(PoisonError::into_inner).0;
        }
        std::mem::take(&mut *mail)
    }

    fn put(&self, change: impl FnOnce(&mut Mail)) {
        change(&mut self.lock());
        self.arrived.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, Mail> {
        self.mail.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_remembered_as_lost() {
        let inbox = Inbox::default();
        for _ in 0..limits::WATCH_HINTS {
            inbox.hint(Hint::Touched(PathBuf::from("/r")));
        }
        assert!(!inbox.lock().lost);
        inbox.hint(Hint::Touched(PathBuf::from("/r")));
        let mail = inbox.wait(Instant::now());
        assert!(mail.lost && mail.hints.len() == limits::WATCH_HINTS);
        assert!(inbox.wait(Instant::now()).is_empty());
    }
}
