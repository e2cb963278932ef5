//! A store for a server that hands over many skills a second: usage is written in the background, many events at a time.
//!
//! What was counted is on record within [`limits::DEFERRED`], and at once for whoever asks this store for usage. It is
//! written when the store is dropped or [`DeferredStore::flush`] is called, so that nothing is lost on a clean end; a
//! process that is killed loses what was counted in that time. Choices are not deferred.

use std::collections::BTreeMap;
use std::mem;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};

use crate::choices::{Applied, Choice, Choices};
use crate::error::{Notice, StoreError};
use crate::key::Key;
use crate::limits;
use crate::store::Store;
use crate::time::Day;
use crate::usage::{DayUsage, Event, Usage};
use crate::verdicts::{Scanned, Sightings};

/// Another store with usage written in the background.
#[derive(Debug)]
pub struct DeferredStore {
    shared: Arc<Shared>,
    /// The thread that writes; none before something is counted.
    writer: OnceLock<Mutex<Option<JoinHandle<()>>>>,
}

#[derive(Debug)]
struct Shared {
    store: Arc<dyn Store>,
    waiting: Mutex<Waiting>,
    changed: Condvar,
    /// Held while events are on their way into the store.
    writing: Mutex<()>,
}

#[derive(Debug, Default)]
struct Waiting {
    events: Vec<Event>,
    /// What went wrong in the background, for who counts next.
    error: Option<StoreError>,
    is_over: bool,
}

impl DeferredStore {
    /// Defers what is counted in this store.
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self {
            shared: Arc::new(Shared {
                store,
                waiting: Mutex::default(),
                changed: Condvar::new(),
                writing: Mutex::default(),
            }),
            writer: OnceLock::new(),
        }
    }

    /// Writes all that was counted, and waits until it is.
    ///
    /// # Errors
    ///
    /// See [`StoreError`]; that of an earlier write in the background among them. What was to be written is not counted
    /// then.
    pub fn flush(&self) -> Result<(), StoreError> {
        self.shared.write();
        match lock(&self.shared.waiting).error.take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    fn start(&self) {
        self.writer.get_or_init(|| {
            let shared = Arc::clone(&self.shared);
            let writer = thread::Builder::new().name("skillful-usage".to_owned());
            // Without a thread, what waits is written when there is too much of it, and at the end.
            Mutex::new(writer.spawn(move || shared.run()).ok())
        });
    }
}

impl Drop for DeferredStore {
    fn drop(&mut self) {
        lock(&self.shared.waiting).is_over = true;
        self.shared.changed.notify_all();
        if let Some(writer) = self.writer.get()
            && let Some(writer) = lock(writer).take()
        {
            // A panic there is told already.
            let _ = writer.join();
        }
        self.shared.write();
    }
}

impl Shared {
    /// Writes from time to time until the store is dropped.
    fn run(&self) {
        loop {
            let mut waiting = lock(&self.waiting);
            while waiting.events.is_empty() && !waiting.is_over {
                waiting = self
                    .changed
                    .wait(waiting)
                    .unwrap_or_else(PoisonError::into_inner);
            }
            let is_soon = |waiting: &mut Waiting| !waiting.is_over;
            let waited = self
                .changed
                .wait_timeout_while(waiting, limits::DEFERRED, is_soon);
            let (waiting, _) = waited.unwrap_or_else(PoisonError::into_inner);
            let is_over = waiting.is_over;
            drop(waiting);
            self.write();
            if is_over {
                return;
            }
        }
    }

    /// Writes what waits. When it returns, all that was counted before it was called is in the store.
    fn write(&self) {
        let _turn = lock(&self.writing);
        let events = mem::take(&mut lock(&self.waiting).events);
        if let Err(error) = self.store.record(&events) {
            lock(&self.waiting).error = Some(error);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Each change leaves what is locked whole.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Store for DeferredStore {
    /// Counts what happened, later. An error is that of an earlier write.
    fn record(&self, events: &[Event]) -> Result<(), StoreError> {
        if events.is_empty() {
            return Ok(());
        }
        self.start();
        let mut waiting = lock(&self.shared.waiting);
        let was_empty = waiting.events.is_empty();
        waiting.events.extend_from_slice(events);
        let is_full = waiting.events.len() >= limits::DEFERRED_EVENTS;
        let error = waiting.error.take();
        drop(waiting);
        if was_empty {
            self.shared.changed.notify_all();
        }
        if is_full {
            self.shared.write();
        }
        match error {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    fn usage(&self, key: &Key) -> Result<Usage, StoreError> {
        self.flush()?;
        self.shared.store.usage(key)
    }

    fn usages(&self) -> Result<BTreeMap<Key, Usage>, StoreError> {
        self.flush()?;
        self.shared.store.usages()
    }

    fn days(&self, key: &Key, days: RangeInclusive<Day>) -> Result<Vec<DayUsage>, StoreError> {
        self.flush()?;
        self.shared.store.days(key, days)
    }

    fn choices(&self) -> Result<Choices, StoreError> {
        self.shared.store.choices()
    }

    fn choose(&self, key: &Key, choice: Choice) -> Result<Applied, StoreError> {
        self.shared.store.choose(key, choice)
    }

    fn rename(&self, from: &Key, to: &Key) -> Result<(), StoreError> {
        self.flush()?;
        self.shared.store.rename(from, to)
    }

    fn forget_usage(&self, key: &Key) -> Result<(), StoreError> {
        self.flush()?;
        self.shared.store.forget_usage(key)
    }

    fn sightings(&self, rules: &str) -> Result<Sightings, StoreError> {
        self.shared.store.sightings(rules)
    }

    fn outcome(&self, rules: &str, digest: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.shared.store.outcome(rules, digest)
    }

    fn keep_verdicts(&self, rules: &str, scanned: &[Scanned]) -> Result<(), StoreError> {
        self.shared.store.keep_verdicts(rules, scanned)
    }

    fn choices_file(&self) -> Option<PathBuf> {
        self.shared.store.choices_file()
    }

    fn take_notices(&self) -> Vec<Notice> {
        self.shared.store.take_notices()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::MemoryStore;
    use crate::time::Timestamp;
    use crate::usage::Activity;

    fn read(id: &str) -> Event {
        Event {
            key: Key::new(id, "/skills"),
            activity: Activity::Read,
            at: Timestamp::from_seconds(1_000_000),
        }
    }

    fn reads(store: &dyn Store, id: &str) -> u64 {
        let usage = store.usage(&Key::new(id, "/skills")).unwrap();
        usage.of(Activity::Read).count
    }

    #[test]
    fn nothing_is_lost_when_it_ends() {
        let kept: Arc<dyn Store> = Arc::new(MemoryStore::new());
        let store = DeferredStore::new(Arc::clone(&kept));
        for _ in 0..10 {
            store.record(&[read("a"), read("b")]).unwrap();
        }
        drop(store);
        assert_eq!((reads(&*kept, "a"), reads(&*kept, "b")), (10, 10));
    }

    #[test]
    fn who_asks_this_store_sees_all_at_once() {
        let store = DeferredStore::new(Arc::new(MemoryStore::new()));
        for count in 1..=100 {
            store.record(&[read("a")]).unwrap();
            assert_eq!(reads(&store, "a"), count);
        }
    }

    #[test]
    fn it_is_written_without_being_asked() {
        let kept: Arc<dyn Store> = Arc::new(MemoryStore::new());
        let store = DeferredStore::new(Arc::clone(&kept));
        store.record(&[read("a")]).unwrap();
        while reads(&*kept, "a") == 0 {
            thread::yield_now();
        }
        let many = vec![read("b"); limits::DEFERRED_EVENTS];
        store.record(&many).unwrap();
        assert_eq!(reads(&*kept, "b"), many.len() as u64, "so many do not wait");
    }

    #[test]
    fn threads_count_together() {
        let kept: Arc<dyn Store> = Arc::new(MemoryStore::new());
        let store = DeferredStore::new(Arc::clone(&kept));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        store.record(&[read("a")]).unwrap();
                    }
                });
            }
        });
        store.flush().unwrap();
        assert_eq!(reads(&*kept, "a"), 4_000);
    }
}
