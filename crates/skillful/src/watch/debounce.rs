//! Gathers changes until nothing more comes for a while, or until the first has waited long enough.
//!
//! Time comes in as a value: nothing here sleeps or asks a clock.

use std::time::{Duration, Instant};

use super::batch::Batch;

/// Longest wait that makes sense; a longer one is cut to it, so that no sum of times overflows.
const LONGEST: Duration = Duration::from_secs(3_600);

/// Changes that wait to be told.
#[derive(Clone, Debug)]
pub struct Debouncer {
    quiet: Duration,
    max_wait: Duration,
    pending: Batch,
    /// When the oldest and the newest of the pending changes came.
    waiting: Option<(Instant, Instant)>,
}

impl Debouncer {
    /// One that tells changes when none came for `quiet`, and at the latest `max_wait` after the first; neither is more
    /// than an hour.
    pub fn new(quiet: Duration, max_wait: Duration) -> Self {
        Self {
            quiet: quiet.min(LONGEST),
            max_wait: max_wait.min(LONGEST),
            pending: Batch::default(),
            waiting: None,
        }
    }

    /// Takes changes that came at `now`; an empty batch is none.
    pub fn add(&mut self, now: Instant, changes: Batch) {
        if changes.is_empty() {
            return;
        }
        let first = self.waiting.map_or(now, |(first, _)| first);
        self.waiting = Some((first, now));
        self.pending.merge(changes);
    }

    /// When there will be something to tell, unless more comes.
    pub fn due_at(&self) -> Option<Instant> {
        let (first, last) = self.waiting?;
        Some((last + self.quiet).min(first + self.max_wait))
    }

    /// What is to be told at `now`.
    pub fn take_due(&mut self, now: Instant) -> Option<Batch> {
        if now < self.due_at()? {
            return None;
        }
        self.waiting = None;
        Some(std::mem::take(&mut self.pending))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::watch::Changed;

    const QUIET: u64 = 100;
    const MAX_WAIT: u64 = 1_000;

    fn debouncer() -> Debouncer {
        Debouncer::new(
            Duration::from_millis(QUIET),
            Duration::from_millis(MAX_WAIT),
        )
    }

    fn change(name: &str) -> Batch {
        let mut batch = Batch::default();
        batch.add_path(&Arc::from(Path::new("/r")), Path::new("/r").join(name));
        batch
    }

    fn names(batch: &Batch) -> BTreeSet<PathBuf> {
        match batch.places.get(Path::new("/r")) {
            Some(Changed::Paths(paths)) => paths.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn it_waits_for_quiet() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut debouncer = debouncer();
        assert_eq!(debouncer.due_at(), None);
        debouncer.add(at(0), change("a"));
        debouncer.add(at(90), change("b"));
        assert_eq!(debouncer.take_due(at(189)), None);
        let told = debouncer.take_due(at(190)).unwrap();
        assert_eq!(names(&told).len(), 2);
        assert_eq!(debouncer.take_due(at(5_000)), None, "nothing is told twice");
    }

    #[test]
    fn without_quiet_it_tells_at_the_latest_after_the_longest_wait() {
        let start = Instant::now();
        let mut debouncer = debouncer();
        for ms in (0..MAX_WAIT).step_by(50) {
            debouncer.add(start + Duration::from_millis(ms), change("a"));
        }
        assert_eq!(
            debouncer.due_at(),
            Some(start + Duration::from_millis(MAX_WAIT))
        );
    }

    #[test]
    fn nothing_is_no_change() {
        let mut debouncer = debouncer();
        debouncer.add(Instant::now(), Batch::default());
        assert_eq!(debouncer.due_at(), None);
    }

    proptest! {
        /// Whenever somebody looks: every change is told exactly once, in time, and never before it was quiet or had
        /// waited long enough.
        #[test]
        fn every_change_is_told_once_and_in_time(gaps in prop::collection::vec((0u64..300, any::<bool>()), 1..60)) {
            let start = Instant::now();
            let mut debouncer = debouncer();
            let mut now = 0;
            let mut waiting: Vec<(u64, PathBuf)> = Vec::new();
            for (index, (gap, look)) in gaps.into_iter().enumerate() {
                now += gap;
                let at = start + Duration::from_millis(now);
                if look {
                    let told = debouncer.take_due(at);
                    let first = waiting.first().map(|(time, _)| *time);
                    let last = waiting.last().map(|(time, _)| *time);
                    let expected = first.zip(last).is_some_and(|(first, last)| now >= (last + QUIET).min(first + MAX_WAIT));
                    prop_assert_eq!(told.is_some(), expected);
                    if let Some(told) = told {
                        let paths: BTreeSet<_> = waiting.drain(..).map(|(_, path)| path).collect();
                        prop_assert_eq!(names(&told), paths);
                    }
                }
                debouncer.add(at, change(&index.to_string()));
                waiting.push((now, Path::new("/r").join(index.to_string())));
            }
        }
    }
}
