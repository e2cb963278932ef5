//! A system that follows what happens on disk, and tells which approved runs are due.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;

use super::world::config_files;
use super::{Cause, Inner, SkillSystem};
use crate::events::{EventKind, Happening};
use crate::watch::affected::places;
use crate::watch::{Batch, Changes, Notice, Place, WatchOptions, Watcher};

/// A system follows the disk until this is dropped.
#[derive(Debug)]
#[must_use = "the system follows the disk only until this is dropped"]
pub struct Watching {
    /// Dropped first: with it the changes end, and with them the thread.
    watcher: Option<Arc<Watcher>>,
    thread: Option<JoinHandle<()>>,
}

impl SkillSystem {
    /// Begins to follow what happens on disk: roots, those that do not exist yet among them, plugins and configuration.
    /// Each change becomes a new snapshot, and is told to who subscribed; so is every run that is due, as by
    /// [`SkillSystem::fire_due`].
    ///
    /// # Errors
    ///
    /// When no thread can be started. A place that the system does not report about is polled, which is told as an event.
    pub fn watch(&self, options: WatchOptions) -> io::Result<Watching> {
        let places = self.0.places();
        let (watcher, changes) = Watcher::start(places.clone(), options)?;
        let watcher = Arc::new(watcher);
        // Whatever happened between the last search and now was not seen by the watcher.
        self.rescan();
        self.0.settle(&watcher, places);
        let follower = Follower {
            inner: Arc::downgrade(&self.0),
            watcher: Arc::downgrade(&watcher),
        };
        let thread = std::thread::Builder::new()
            .name("skillful-follow".to_owned())
            .spawn(move || follower.run(&changes))?;
        Ok(Watching {
            watcher: Some(watcher),
            thread: Some(thread),
        })
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.watcher = None;
        if let Some(thread) = self.thread.take() {
            // A panic in it was reported when it happened, and must not become an abort here.
            let _ = thread.join();
        }
    }
}

impl Inner {
    fn places(&self) -> Vec<Place> {
        let snapshot = self.snapshot.load();
        let library = snapshot.library();
        let config = config_files(snapshot.setup());
        let mut places = places(&library.roots, &library.depends_on, &config);
        // What other processes choose counts here as well. A change of a place that is neither a root nor a
        // configuration file means that everything is read anew.
        places.extend(self.store.choices_file().map(Place::file));
        places
    }

    /// Watches all places that there are by now; `known` are those that are watched already. Where there are others, what
    /// happened between the search and the watching was told by nobody, so everything is searched again, for as long as
    /// that brings more to light.
    fn settle(&self, watcher: &Watcher, mut known: Vec<Place>) {
        loop {
            let places = self.places();
            if places == known {
                return;
            }
            watcher.set_places(places.clone());
            self.update(Cause::Files, |world, _| world.scan());
            known = places;
        }
    }
}

/// Carries batches of changes to a system. It keeps neither the system nor the watcher alive.
struct Follower {
    inner: Weak<Inner>,
    watcher: Weak<Watcher>,
}

impl Follower {
    /// Until the watcher or the system is gone.
    fn run(self, changes: &Changes) {
        while let Some(inner) = self.inner.upgrade() {
            let wait = inner.fire().wait();
            drop(inner);
            let batch = match changes.recv_timeout(wait) {
                Ok(batch) => batch,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            if let Some(inner) = self.inner.upgrade() {
                self.follow(&inner, &batch);
            }
        }
    }

    fn follow(&self, inner: &Inner, batch: &Batch) {
        for notice in &batch.notices {
            inner.events.publish(happening(notice));
        }
        let before = inner.places();
        inner.update(Cause::Files, |world, library| world.follow(library, batch));
        if let Some(watcher) = self.watcher.upgrade() {
            inner.settle(&watcher, before);
        }
    }
}

fn happening(notice: &Notice) -> Happening {
    let place: PathBuf = match notice {
        Notice::Polling { place, .. } | Notice::TooLarge { place, .. } => place.clone(),
    };
    Happening::new(EventKind::Polling)
        .at(place)
        .saying(notice.to_string())
}
