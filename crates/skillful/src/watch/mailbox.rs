//! The way from the watcher to whoever follows it: one slot for one batch.
//!
//! A receiver that is slow finds all that happened meanwhile merged into one batch; the watcher never waits for it.

use std::sync::mpsc::{RecvError, RecvTimeoutError, TryRecvError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::batch::Batch;

#[derive(Debug, Default)]
struct Shared {
    slot: Mutex<Slot>,
    filled: Condvar,
}

#[derive(Debug, Default)]
struct Slot {
    batch: Option<Batch>,
    closed: bool,
}

impl Shared {
    /// A batch is whole at any moment, so that a panic elsewhere does not spoil it.
    fn lock(&self) -> MutexGuard<'_, Slot> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The watcher's end. Dropping it ends the receiver's waiting.
#[derive(Debug)]
pub(super) struct Sender(Arc<Shared>);

impl Sender {
    /// Puts a batch into the slot, merged with the one that may be there.
    pub(super) fn send(&self, batch: Batch) {
        self.0.lock().batch.get_or_insert_default().merge(batch);
        self.0.filled.notify_one();
    }
}

impl Drop for Sender {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.filled.notify_one();
    }
}

/// Where batches of changes arrive. It is also an iterator, which waits for the next batch and ends with the watcher.
#[derive(Debug)]
pub struct Changes(Arc<Shared>);

/// Both ends.
pub(super) fn mailbox() -> (Sender, Changes) {
    let shared = Arc::<Shared>::default();
    (Sender(Arc::clone(&shared)), Changes(shared))
}

impl Changes {
    /// Waits for the next batch.
    ///
    /// # Errors
    ///
    /// [`RecvError`] when the watcher has ended.
    pub fn recv(&self) -> Result<Batch, RecvError> {
        let mut slot = self.0.lock();
        loop {
            if let Some(batch) = slot.batch.take() {
                return Ok(batch);
            }
            if slot.closed {
                return Err(RecvError);
            }
            let wait = self.0.filled.wait(slot);
            slot = wait.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for the next batch, but not longer than `timeout`.
    ///
    /// # Errors
    ///
    /// [`RecvTimeoutError`] when the time is up or the watcher has ended.
    pub fn recv_timeout(&self, timeout: Duration) -> Result<Batch, RecvTimeoutError> {
        let end = Instant::now().checked_add(timeout);
        let mut slot = self.0.lock();
        loop {
            if let Some(batch) = slot.batch.take() {
                return Ok(batch);
            }
            if slot.closed {
                return Err(RecvTimeoutError::Disconnected);
            }
            let left = end.map_or(timeout, |end| end.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return Err(RecvTimeoutError::Timeout);
            }
            let wait = self.0.filled.wait_timeout(slot, left);
            slot = wait.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The next batch, if there is one.
    ///
    /// # Errors
    ///
    /// [`TryRecvError`] when there is none yet or the watcher has ended.
    pub fn try_recv(&self) -> Result<Batch, TryRecvError> {
        let mut slot = self.0.lock();
        match slot.batch.take() {
            Some(batch) => Ok(batch),
            None if slot.closed => Err(TryRecvError::Disconnected),
            None => Err(TryRecvError::Empty),
        }
    }
}

impl Iterator for Changes {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        self.recv().ok()
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::watch::Changed;

    fn change(name: &str) -> Batch {
        let mut batch = Batch::default();
        batch.add_path(&Arc::from(Path::new("/r")), PathBuf::from(name));
        batch
    }

    #[test]
    fn a_slow_receiver_gets_one_merged_batch() {
        let (sender, changes) = mailbox();
        sender.send(change("a"));
        sender.send(change("b"));
        let batch = changes.recv().unwrap();
        assert!(
            matches!(&batch.places[Path::new("/r")], Changed::Paths(paths) if paths.len() == 2)
        );
        assert_eq!(changes.try_recv(), Err(TryRecvError::Empty));
        let timeout = changes.recv_timeout(Duration::from_millis(1));
        assert_eq!(timeout, Err(RecvTimeoutError::Timeout));
    }

    #[test]
    fn what_was_sent_before_the_end_arrives() {
        let (sender, changes) = mailbox();
        sender.send(change("a"));
        drop(sender);
        assert!(changes.recv().is_ok());
        assert_eq!(changes.recv(), Err(RecvError));
        assert_eq!(changes.try_recv(), Err(TryRecvError::Disconnected));
        assert_eq!(changes.count(), 0);
    }

    #[test]
    fn the_end_wakes_a_receiver_that_waits() {
        let (sender, changes) = mailbox();
        let waiting = std::thread::spawn(move || changes.recv());
        drop(sender);
        assert_eq!(waiting.join().unwrap(), Err(RecvError));
    }
}
