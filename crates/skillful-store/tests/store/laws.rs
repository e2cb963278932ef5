//! Whatever is done to a store, every kind of store says the same about it afterwards.

use proptest::prelude::*;
use skillful_store::{
    Activity, Approval, Archived, Choice, Day, Event, Key, Records, Scanned, Seen, Timestamp,
};

use crate::backends::{Backend, Memory, Sqlite};

#[derive(Clone, Debug)]
enum Step {
    Record(Vec<Event>),
    Choose(Key, Choice),
    /// Make use of an approval as it is then known.
    Use(Key, String, Timestamp),
    /// Keep what scans came to, under one of two sets of rules.
    Keep(String, Vec<Scanned>),
    Rename(Key, Key),
    Forget(Key),
    Reopen,
}

fn keys() -> impl Strategy<Value = Key> {
    ("[ab]", "[xy]").prop_map(|(id, origin)| Key::new(id, origin))
}

/// Any time, and often ones that lie close together, forwards and backwards.
fn times() -> impl Strategy<Value = Timestamp> {
    prop_oneof![3 => 0i64..400_000, 1 => any::<i64>()].prop_map(Timestamp::from_seconds)
}

fn events() -> impl Strategy<Value = Event> {
    let activities = prop::sample::select(Activity::ALL.to_vec());
    (keys(), activities, times()).prop_map(|(key, activity, at)| Event { key, activity, at })
}

fn choices() -> impl Strategy<Value = Choice> {
    let whats = || "[st]";
    prop_oneof![
        (times(), prop::option::of("[a-z]{1,8}")).prop_map(|(at, reason)| {
            let reason = reason.map(|reason| reason.parse().unwrap());
            Choice::Archive(Archived { at, reason })
        }),
        Just(Choice::Restore),
        times().prop_map(Choice::Pin),
        Just(Choice::Unpin),
        (whats(), "[01]", times()).prop_map(|(what, digest, at)| {
            let approval = Approval::new(digest, at);
            Choice::Approve { what, approval }
        }),
        whats().prop_map(|what| Choice::Withdraw { what }),
    ]
}

fn scans() -> impl Strategy<Value = Scanned> {
    let seen = ("[xyz]", prop::collection::vec(any::<u8>(), 0..3));
    let seen = prop::option::of(seen.prop_map(|(place, stamp)| Seen { place, stamp }));
    ("[ab]", prop::collection::vec(any::<u8>(), 0..3), seen).prop_map(|(digest, outcome, seen)| {
        Scanned {
            digest,
            outcome,
            seen,
        }
    })
}

fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => prop::collection::vec(events(), 0..6).prop_map(Step::Record),
        4 => (keys(), choices()).prop_map(|(key, choice)| Step::Choose(key, choice)),
        2 => (keys(), "[st]", times()).prop_map(|(key, what, at)| Step::Use(key, what, at)),
        3 => ("[12]", prop::collection::vec(scans(), 0..5)).prop_map(|(rules, scans)| Step::Keep(rules, scans)),
        1 => (keys(), keys()).prop_map(|(from, to)| Step::Rename(from, to)),
        1 => keys().prop_map(Step::Forget),
        1 => Just(Step::Reopen),
    ]
}

proptest! {
    // Every case makes a database.
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_stores_say_the_same(steps in prop::collection::vec(steps(), 1..24)) {
        let (memory, mut sqlite) = (Memory::fresh(), Sqlite::fresh());
        for step in steps {
            match step {
                Step::Record(events) => {
                    memory.store().record(&events).unwrap();
                    sqlite.store().record(&events).unwrap();
                }
                Step::Choose(key, choice) => {
                    let expected = memory.store().choose(&key, choice.clone()).unwrap();
                    prop_assert_eq!(sqlite.store().choose(&key, choice).unwrap(), expected);
                }
                Step::Use(key, what, at) => {
                    let choices = memory.store().choices().unwrap();
                    let known = choices.approval(&key, &what).cloned();
                    let known = known.unwrap_or_else(|| Approval::new("0", at));
                    let choice = Choice::Use { what, known, at };
                    let expected = memory.store().choose(&key, choice.clone()).unwrap();
                    prop_assert_eq!(sqlite.store().choose(&key, choice).unwrap(), expected);
                }
                Step::Keep(rules, scanned) => {
                    memory.store().keep_verdicts(&rules, &scanned).unwrap();
                    sqlite.store().keep_verdicts(&rules, &scanned).unwrap();
                }
                Step::Rename(from, to) => {
                    memory.store().rename(&from, &to).unwrap();
                    sqlite.store().rename(&from, &to).unwrap();
                }
                Step::Forget(key) => {
                    memory.store().forget_usage(&key).unwrap();
                    sqlite.store().forget_usage(&key).unwrap();
                }
                Step::Reopen => sqlite.reopen(),
            }
        }
        let (expected, _) = Records::read(memory.store());
        let (found, errors) = Records::read(sqlite.store());
        prop_assert!(errors.is_empty(), "{errors:?}");
        prop_assert_eq!(&found, &expected);
        for rules in ["1", "2"] {
            let sightings = memory.store().sightings(rules).unwrap();
            prop_assert_eq!(sqlite.store().sightings(rules).unwrap(), sightings);
            for digest in ["a", "b"] {
                let outcome = memory.store().outcome(rules, digest).unwrap();
                prop_assert_eq!(sqlite.store().outcome(rules, digest).unwrap(), outcome);
            }
        }
        for (key, usage) in &expected.usage {
            let all = Day::default()..=Day::from_number(i64::MAX);
            let days = memory.store().days(key, all.clone()).unwrap();
            prop_assert_eq!(&sqlite.store().days(key, all).unwrap(), &days);
            for activity in Activity::ALL {
                let sum: u64 = days.iter().map(|day| day.of(activity)).sum();
                prop_assert_eq!(sum, usage.of(activity).count);
            }
        }
        prop_assert!(sqlite.store().take_notices().is_empty());
    }
}
