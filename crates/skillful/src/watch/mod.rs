//! Following changes on disk.
//!
//! ```text
//! operating system ─hints→ Inbox ─┐
//! polling: states ─differences────┴→ Worker ─Debouncer→ Batch ─mailbox→ Changes
//! ```
//!
//! A [`Batch`] never says what happened, only where to look again: reports of operating systems come late, twice, merged
//! or not at all, and an editor that saves a file may write, rename or replace it. [`affected`] turns a batch into the
//! least work that brings the skills up to date, and [`reload`] does it.
//!
//! What is watched are [`Place`]s. One that does not exist yet is awaited through the nearest directory above it that
//! does; one that vanishes is awaited again. Directories that links lead to are watched where they really lie and told
//! under the path of the link. Where the operating system cannot watch, a place is looked at in intervals, and a
//! [`Notice`] says so.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

pub mod affected;
mod batch;
mod debounce;
mod inbox;
mod mailbox;
mod native;
mod reload;
mod remote;
mod survey;
mod worker;

pub use batch::{Batch, Changed, Notice, PollingReason};
pub use debounce::Debouncer;
use inbox::Inbox;
pub use mailbox::Changes;
use native::Native;
pub use reload::{Searched, reload};
use worker::Worker;

/// Something that is watched. It need not exist.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Its path, absolute. What changes is told below this path, whatever links lead to it.
    pub path: PathBuf,
    /// How much of it.
    pub extent: Extent,
}

/// How much of a place is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Extent {
    /// A directory with what lies below, as discovery searches it: skills up to `depth` levels down, and in each skill
    /// all files. With 0 only the entries of the directory, and their files where they are skills.
    Tree {
        /// How many levels down a skill may lie.
        depth: u8,
    },
    /// A single file.
    File,
}

impl Place {
    /// A directory that is searched `depth` levels down.
    pub fn tree(path: impl Into<PathBuf>, depth: u8) -> Self {
        Self {
            path: path.into(),
            extent: Extent::Tree { depth },
        }
    }

    /// A single file.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            extent: Extent::File,
        }
    }
}

/// How to watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchOptions {
    /// Changes are told when none came for so long.
    pub debounce: Duration,
    /// They are told at the latest so long after the first one.
    pub max_wait: Duration,
    /// How often polled places are looked at, and how often it is made sure that all places are still there; 50 ms at
    /// least, an hour at most.
    pub poll_interval: Duration,
    /// Who watches.
    pub backend: Backend,
}

impl Default for WatchOptions {
    fn default() -> Self {
        Self {
            debounce: Duration::from_millis(100),
            max_wait: Duration::from_secs(1),
            poll_interval: Duration::from_secs(2),
            backend: Backend::Auto,
        }
    }
}

impl WatchOptions {
    fn interval(&self) -> Duration {
        let (shortest, longest) = (Duration::from_millis(50), Duration::from_secs(3_600));
        self.poll_interval.clamp(shortest, longest)
    }
}

/// Who watches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// The operating system; where it cannot, polling.
    #[default]
    Auto,
    /// Polling everywhere.
    Poll,
}

/// Watches places until it is dropped; the thread has ended then.
#[derive(Debug)]
pub struct Watcher {
    inbox: Arc<Inbox>,
    thread: Option<JoinHandle<()>>,
}

impl Watcher {
    /// Begins to watch. When this returns, every later change will be told: whoever searches the places afterwards
    /// misses none.
    ///
    /// # Errors
    ///
    /// When no thread can be started. That a place cannot be watched is a [`Notice`] in the first batch.
    pub fn start(places: Vec<Place>, options: WatchOptions) -> io::Result<(Self, Changes)> {
        let native = |inbox| match options.backend {
            Backend::Auto => Native::new(inbox),
            Backend::Poll => Err(PollingReason::Wanted),
        };
        Self::with(native, places, options)
    }

    fn with(
        native: impl FnOnce(Arc<Inbox>) -> Result<Native, PollingReason>,
        places: Vec<Place>,
        options: WatchOptions,
    ) -> io::Result<(Self, Changes)> {
        let inbox = Arc::<Inbox>::default();
        let (sender, changes) = mailbox::mailbox();
        let native = native(Arc::clone(&inbox));
        let worker = Worker::new(&options, native, Arc::clone(&inbox), sender);
        let thread = std::thread::Builder::new()
            .name("skillful-watch".to_owned())
            .spawn(move || worker.run())?;
        let watcher = Self {
            inbox,
            thread: Some(thread),
        };
        watcher.set_places(places);
        Ok((watcher, changes))
    }

    /// Watches these places instead of those before. As with [`Watcher::start`] they are watched when this returns.
    /// Changes in the old ones may still be told.
    pub fn set_places(&self, places: Vec<Place>) {
        let (done, waiting): (_, Receiver<()>) = sync_channel(1);
        self.inbox.places(places, done);
        // An error means that the thread has ended; there is nothing left to wait for.
        let _ = waiting.recv();
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.inbox.stop();
        if let Some(thread) = self.thread.take() {
            // A panic in it was reported when it happened, and must not become an abort here.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests;
