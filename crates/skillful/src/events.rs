//! What happened to the skills, for whoever wants to follow: a hub that keeps the last events, and subscriptions that
//! read them at their own pace.
//!
//! Publishing never waits, and a subscriber that does not read costs nothing: all read from one ring of bounded length.
//! One that lags behind the ring gets a [`EventKind::Resync`] in place of what it missed, and must look at the whole
//! state again.
//!
//! Each subscription can be waited for by a thread ([`Subscription::recv_timeout`]), by an async task of any runtime
//! ([`Subscription::next_event`], [`Subscription::poll_next`]), or asked ([`Subscription::try_recv`]).

use std::collections::{BTreeMap, VecDeque};
use std::future::poll_fn;
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, TryRecvError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use crate::limits;
use crate::schedule::Fired;

/// What an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum EventKind {
    /// A skill is there that was not.
    Loaded,
    /// The files of a skill changed.
    Changed,
    /// A skill is gone.
    Removed,
    /// Another skill has taken precedence over it.
    Shadowed,
    /// A skill can be used that could not.
    BecameEligible,
    /// A skill cannot be used any more.
    BecameIneligible,
    /// A skill's file can no longer be read; what was read last stays in use.
    Broken,
    /// A broken skill can be read again.
    Recovered,
    /// A configuration file changed.
    ConfigChanged,
    /// Everything was searched anew.
    Reloaded,
    /// An approved run by the clock is due.
    Due,
    /// A place is looked at in intervals, because changes there are not reported.
    Polling,
    /// Something is wrong with the records of use, or was put right; the work goes on.
    Records,
    /// Events were missed: look at the whole state again.
    Resync,
}

impl EventKind {
    /// All kinds, in the order of their declaration.
    pub const ALL: [Self; 14] = [
        Self::Loaded,
        Self::Changed,
        Self::Removed,
        Self::Shadowed,
        Self::BecameEligible,
        Self::BecameIneligible,
        Self::Broken,
        Self::Recovered,
        Self::ConfigChanged,
        Self::Reloaded,
        Self::Due,
        Self::Polling,
        Self::Records,
        Self::Resync,
    ];

    /// The word used in every output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Loaded => "loaded",
            Self::Changed => "changed",
            Self::Removed => "removed",
            Self::Shadowed => "shadowed",
            Self::BecameEligible => "became-eligible",
            Self::BecameIneligible => "became-ineligible",
            Self::Broken => "broken",
            Self::Recovered => "recovered",
            Self::ConfigChanged => "config-changed",
            Self::Reloaded => "reloaded",
            Self::Due => "due",
            Self::Polling => "polling",
            Self::Records => "records",
            Self::Resync => "resync",
        }
    }
}

/// Something that happened. It has no time: who shows or stores it knows the time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happening {
    /// What.
    pub kind: EventKind,
    /// The skill's id, where it is about one.
    pub id: Option<String>,
    /// The skill's, the configuration file's or the place's path.
    pub path: Option<PathBuf>,
    /// More, for people: one sentence without a full stop.
    pub detail: Option<String>,
    /// What is to be run, where something is due.
    pub run: Option<Fired>,
}

impl Happening {
    /// Something about nothing in particular.
    pub fn new(kind: EventKind) -> Self {
        Self {
            kind,
            id: None,
            path: None,
            detail: None,
            run: None,
        }
    }

    /// That a run is due.
    pub fn due(run: Fired) -> Self {
        let happening = Self::new(EventKind::Due)
            .of(&run.skill)
            .at(&run.path)
            .saying(run.to_string());
        Self {
            run: Some(run),
            ..happening
        }
    }

    /// The same about the skill with this id.
    #[must_use]
    pub fn of(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// The same about this path.
    #[must_use]
    pub fn at(mut self, path: impl Into<PathBuf>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// The same with words for people.
    #[must_use]
    pub fn saying(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }
}

/// Something that happened, with its place in the order of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// 1 for the first event of a hub, and one more for each after it. That of a [`EventKind::Resync`] is the number of
    /// the last event that was missed.
    pub sequence: u64,
    /// What happened.
    pub happening: Happening,
}

/// The hub: where events are published. Copies are the same hub; its subscriptions end when the last copy is dropped.
#[derive(Clone, Debug)]
pub struct Events {
    publisher: Arc<Publisher>,
}

/// Closes the hub when nobody can publish any more.
#[derive(Debug)]
struct Publisher(Arc<Hub>);

impl Drop for Publisher {
    fn drop(&mut self) {
        self.0.change(|state| state.closed = true);
    }
}

#[derive(Debug)]
struct Hub {
    state: Mutex<State>,
    published: Condvar,
}

#[derive(Debug)]
struct State {
    ring: VecDeque<Arc<Event>>,
    capacity: usize,
    /// The number of the last event.
    last: u64,
    closed: bool,
    /// The async tasks that wait, by subscription.
    waiting: BTreeMap<u64, Waker>,
    subscriptions: u64,
}

impl Default for Events {
    fn default() -> Self {
        Self::new(limits::EVENTS)
    }
}

impl Events {
    /// A hub that keeps the last `capacity` events, at least one.
    pub fn new(capacity: usize) -> Self {
        let hub = Hub {
            state: Mutex::new(State {
                ring: VecDeque::new(),
                capacity: capacity.max(1),
                last: 0,
                closed: false,
                waiting: BTreeMap::new(),
                subscriptions: 0,
            }),
            published: Condvar::new(),
        };
        Self {
            publisher: Arc::new(Publisher(Arc::new(hub))),
        }
    }

    /// Tells all subscribers. Gives the event's sequence number.
    pub fn publish(&self, happening: Happening) -> u64 {
        self.publisher.0.change(|state| state.push(happening))
    }

    /// The number of the last event; 0 before the first.
    pub fn last_sequence(&self) -> u64 {
        self.publisher.0.lock().last
    }

    /// Subscribes to all events from now on.
    pub fn subscribe(&self) -> Subscription {
        self.subscription(|state| state.last)
    }

    /// Subscribes to all events after the one with this number: those that are still kept come first, and a
    /// [`EventKind::Resync`] before them if some are not. A number that was not given yet, as after a restart, gives a
    /// resync as well.
    pub fn subscribe_from(&self, sequence: u64) -> Subscription {
        self.subscription(|_| sequence)
    }

    fn subscription(&self, seen: impl FnOnce(&State) -> u64) -> Subscription {
        let hub = Arc::clone(&self.publisher.0);
        let mut state = hub.lock();
        state.subscriptions += 1;
        let (number, seen) = (state.subscriptions, seen(&state));
        drop(state);
        Subscription { hub, number, seen }
    }
}

impl Hub {
    /// Each change leaves the state whole, so that a panic elsewhere does not spoil it.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state, then wakes all who wait: outside the lock, as a waker may do anything.
    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.lock();
        let result = change(&mut state);
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        self.published.notify_all();
        waiting.into_values().for_each(Waker::wake);
        result
    }
}

impl State {
    fn push(&mut self, happening: Happening) -> u64 {
        self.last += 1;
        if self.ring.len() == self.capacity {
            self.ring.pop_front();
        }
        self.ring.push_back(Arc::new(Event {
            sequence: self.last,
            happening,
        }));
        self.last
    }

    /// The event after the one with number `seen`, or the resync that stands for those that were missed.
    fn after(&self, seen: u64) -> Option<Arc<Event>> {
        if seen == self.last {
            return None;
        }
        if seen > self.last {
            return Some(resync(self.last, "the sequence began anew".to_owned()));
        }
        let first = self.ring.front()?.sequence;
        let Some(index) = (seen + 1).checked_sub(first) else {
            let missed = first - 1 - seen;
            return Some(resync(first - 1, format!("{missed} events were missed")));
        };
        self.ring.get(usize::try_from(index).ok()?).cloned()
    }
}

fn resync(sequence: u64, detail: String) -> Arc<Event> {
    Arc::new(Event {
        sequence,
        happening: Happening::new(EventKind::Resync).saying(detail),
    })
}

/// One reader of a hub's events. As an iterator it waits for the next event, and ends with the hub.
#[derive(Debug)]
pub struct Subscription {
    hub: Arc<Hub>,
    number: u64,
    /// The number of the last event that was read.
    seen: u64,
}

impl Subscription {
    /// The next event, if there is one.
    ///
    /// # Errors
    ///
    /// [`TryRecvError`] when there is none yet, or when the hub is gone and all its events were read.
    pub fn try_recv(&mut self) -> Result<Arc<Event>, TryRecvError> {
        let hub = Arc::clone(&self.hub);
        let state = hub.lock();
        match self.take(&state) {
            Some(event) => Ok(event),
            None if state.closed => Err(TryRecvError::Disconnected),
            None => Err(TryRecvError::Empty),
        }
    }

    /// Waits for the next event, but not longer than `timeout`.
    ///
    /// # Errors
    ///
    /// [`RecvTimeoutError`] when the time is up, or when the hub is gone and all its events were read.
    pub fn recv_timeout(&mut self, timeout: Duration) -> Result<Arc<Event>, RecvTimeoutError> {
        // A time too far away to be told is none.
        self.wait_until(Instant::now().checked_add(timeout))
    }

    /// Waits for the next event without blocking the thread; nothing when the hub is gone and all its events were read.
    /// Needs no particular runtime.
    pub async fn next_event(&mut self) -> Option<Arc<Event>> {
        poll_fn(|context| self.poll_next(context)).await
    }

    /// What a `Stream` of the events gives: `futures::stream::poll_fn(move |context| subscription.poll_next(context))`.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Arc<Event>>> {
        let hub = Arc::clone(&self.hub);
        let mut state = hub.lock();
        if let Some(event) = self.take(&state) {
            return Poll::Ready(Some(event));
        }
        if state.closed {
            return Poll::Ready(None);
        }
        // Under the same lock as the look, so that no event can come between.
        state.waiting.insert(self.number, context.waker().clone());
        Poll::Pending
    }

    fn wait_until(&mut self, end: Option<Instant>) -> Result<Arc<Event>, RecvTimeoutError> {
        let hub = Arc::clone(&self.hub);
        let mut state = hub.lock();
        loop {
            if let Some(event) = self.take(&state) {
                return Ok(event);
            }
            if state.closed {
                return Err(RecvTimeoutError::Disconnected);
            }
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            state = match left {
                Some(Duration::ZERO) => return Err(RecvTimeoutError::Timeout),
                Some(left) => {
                    let wait = hub.published.wait_timeout(state, left);
                    wait.unwrap_or_else(PoisonError::into_inner).0
                }
                None => {
                    let wait = hub.published.wait(state);
                    wait.unwrap_or_else(PoisonError::into_inner)
                }
            };
        }
    }

    fn take(&mut self, state: &State) -> Option<Arc<Event>> {
        let event = state.after(self.seen)?;
        self.seen = event.sequence;
        Some(event)
    }
}

impl Iterator for Subscription {
    type Item = Arc<Event>;

    fn next(&mut self) -> Option<Arc<Event>> {
        self.wait_until(None).ok()
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.hub.lock().waiting.remove(&self.number);
    }
}

#[cfg(test)]
mod tests;
