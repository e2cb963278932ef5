use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Wake;

use proptest::prelude::*;

use super::*;

const DEADLINE: Duration = Duration::from_secs(60);

fn loaded(id: &str) -> Happening {
    Happening::new(EventKind::Loaded).of(id)
}

fn kinds(subscription: &mut Subscription) -> Vec<(u64, EventKind)> {
    std::iter::from_fn(|| subscription.try_recv().ok())
        .map(|event| (event.sequence, event.happening.kind))
        .collect()
}

#[test]
fn events_arrive_in_order_at_every_subscriber() {
    let events = Events::default();
    let mut subscribers = [events.subscribe(), events.subscribe()];
    assert_eq!(events.publish(loaded("a")), 1);
    assert_eq!(events.publish(loaded("b")), 2);
    let mut late = events.subscribe();
    events.publish(loaded("c"));
    for subscriber in &mut subscribers {
        let ids: Vec<_> = (0..3)
            .map(|_| subscriber.recv_timeout(DEADLINE).unwrap())
            .map(|event| (event.sequence, event.happening.id.clone().unwrap()))
            .collect();
        assert_eq!(
            ids,
            [
                (1, "a".to_owned()),
                (2, "b".to_owned()),
                (3, "c".to_owned())
            ]
        );
        assert_eq!(subscriber.try_recv(), Err(TryRecvError::Empty));
    }
    assert_eq!(kinds(&mut late), [(3, EventKind::Loaded)]);
}

#[test]
fn who_lags_is_told_to_look_again() {
    let events = Events::new(2);
    let mut subscription = events.subscribe();
    for id in ["a", "b", "c", "d", "e"] {
        events.publish(loaded(id));
    }
    assert_eq!(
        kinds(&mut subscription),
        [
            (3, EventKind::Resync),
            (4, EventKind::Loaded),
            (5, EventKind::Loaded)
        ]
    );
}

#[test]
fn a_subscriber_that_comes_back() {
    let events = Events::new(2);
    for id in ["a", "b", "c"] {
        events.publish(loaded(id));
    }
    assert_eq!(
        kinds(&mut events.subscribe_from(2)),
        [(3, EventKind::Loaded)]
    );
    assert_eq!(kinds(&mut events.subscribe_from(3)), []);
    assert_eq!(
        kinds(&mut events.subscribe_from(0)).first(),
        Some(&(1, EventKind::Resync))
    );
    let mut after_a_restart = events.subscribe_from(1_000);
    assert_eq!(kinds(&mut after_a_restart), [(3, EventKind::Resync)]);
    events.publish(loaded("d"));
    assert_eq!(kinds(&mut after_a_restart), [(4, EventKind::Loaded)]);
}

#[test]
fn a_number_of_another_life_before_the_first_event() {
    let events = Events::new(2);
    let mut subscription = events.subscribe_from(7);
    assert_eq!(kinds(&mut subscription), [(0, EventKind::Resync)]);
    events.publish(loaded("a"));
    assert_eq!(kinds(&mut subscription), [(1, EventKind::Loaded)]);
}

#[test]
fn the_end_of_the_hub_comes_after_its_events() {
    let events = Events::default();
    let mut subscription = events.subscribe();
    let copy = events.clone();
    drop(events);
    copy.publish(loaded("a"));
    drop(copy);
    assert!(subscription.recv_timeout(DEADLINE).is_ok());
    assert_eq!(
        subscription.recv_timeout(DEADLINE),
        Err(RecvTimeoutError::Disconnected)
    );
    assert_eq!(subscription.next(), None);
}

#[test]
fn a_thread_that_waits_is_woken() {
    let events = Events::default();
    let readers: Vec<_> = (0..8)
        .map(|_| {
            let subscription = events.subscribe();
            std::thread::spawn(move || subscription.count())
        })
        .collect();
    for _ in 0..500 {
        events.publish(loaded("a"));
    }
    drop(events);
    for reader in readers {
        assert_eq!(reader.join().unwrap(), 500);
    }
}

#[test]
fn many_publishers_give_one_order() {
    let events = Events::default();
    let subscription = events.subscribe();
    let publishers: Vec<_> = (0..4)
        .map(|_| {
            let events = events.clone();
            std::thread::spawn(move || {
                for _ in 0..100 {
                    events.publish(loaded("a"));
                }
            })
        })
        .collect();
    drop(events);
    let sequences: Vec<u64> = subscription.map(|event| event.sequence).collect();
    assert_eq!(sequences, (1..=400).collect::<Vec<_>>());
    for publisher in publishers {
        publisher.join().unwrap();
    }
}

/// Counts how often it was woken.
#[derive(Default)]
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn a_task_that_waits_is_woken_once_for_each_wait() {
    let events = Events::default();
    let mut subscription = events.subscribe();
    let woken = Arc::<Woken>::default();
    let waker = Waker::from(Arc::clone(&woken));
    let mut context = Context::from_waker(&waker);
    assert!(subscription.poll_next(&mut context).is_pending());
    assert!(subscription.poll_next(&mut context).is_pending());
    events.publish(loaded("a"));
    events.publish(loaded("b"));
    assert_eq!(woken.0.load(Ordering::SeqCst), 1);
    assert!(subscription.poll_next(&mut context).is_ready());
    assert!(subscription.poll_next(&mut context).is_ready());
    assert!(subscription.poll_next(&mut context).is_pending());
    drop(events);
    assert_eq!(woken.0.load(Ordering::SeqCst), 2);
    assert_eq!(subscription.poll_next(&mut context), Poll::Ready(None));
}

#[test]
fn a_subscription_that_is_dropped_leaves_nothing() {
    let events = Events::default();
    let mut subscription = events.subscribe();
    let mut context = Context::from_waker(Waker::noop());
    assert!(subscription.poll_next(&mut context).is_pending());
    drop(subscription);
    assert!(events.publisher.0.lock().waiting.is_empty());
}

#[test]
fn words_are_in_kebab_case_and_differ() {
    let words: std::collections::BTreeSet<_> = EventKind::ALL.iter().map(|k| k.as_str()).collect();
    assert_eq!(words.len(), EventKind::ALL.len());
    assert!(words.iter().all(|word| {
        word.bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    }));
}

proptest! {
    /// However publishing and reading alternate: numbers rise, none is skipped without a resync that says so.
    #[test]
    fn nothing_is_missed_in_silence(capacity in 1usize..6, steps in prop::collection::vec(any::<bool>(), 0..80)) {
        let events = Events::new(capacity);
        let mut subscription = events.subscribe();
        let mut seen = 0;
        for publish in steps {
            if publish {
                events.publish(loaded("a"));
            } else if let Ok(event) = subscription.try_recv() {
                if event.happening.kind == EventKind::Resync {
                    prop_assert!(event.sequence > seen);
                } else {
                    prop_assert_eq!(event.sequence, seen + 1);
                }
                seen = event.sequence;
            } else {
                prop_assert_eq!(seen, events.last_sequence());
            }
        }
    }
}
