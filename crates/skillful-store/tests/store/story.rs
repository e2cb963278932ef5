//! The life of a few skills, in every kind of store.

use skillful_store::{
    Activity, Applied, Approval, Archived, Choice, Choices, Day, Evidence, Key, Records, Scanned,
    Seen, Sightings, Stage, StoreError, Tally, Timestamp, Usage, limits,
};

use crate::backends::{Backend, Deferred, Memory, Sqlite, event};

const DAY: i64 = 86_400;

/// Each story once for each kind of store.
macro_rules! stories {
    ($($story:ident)*) => {
        mod memory {
            $(#[test] fn $story() { super::$story::<super::Memory>(); })*
        }
        mod sqlite {
            $(#[test] fn $story() { super::$story::<super::Sqlite>(); })*
        }
        mod deferred {
            $(#[test] fn $story() { super::$story::<super::Deferred>(); })*
        }
    };
}

stories! {
    a_fresh_store_knows_nothing
    what_happens_is_counted_by_skill_activity_and_day
    two_origins_never_share_a_record
    a_clock_that_goes_back_takes_nothing_away
    choices_last_and_choosing_twice_is_choosing_once
    an_approval_is_bound_to_its_digest
    use_of_an_approval_is_noted_once
    texts_are_kept_as_they_are
    a_skill_goes_stale_comes_back_and_is_put_away
    what_scans_came_to_is_found_by_content_and_by_place
    other_rules_make_verdicts_void
    records_follow_a_new_id_and_usage_can_be_forgotten
}

fn a_fresh_store_knows_nothing<B: Backend>() {
    let backend = B::fresh();
    let store = backend.store();
    let key = Key::new("a", "/r");
    assert_eq!(store.usage(&key).unwrap(), Usage::default());
    assert_eq!(store.choices().unwrap(), Choices::default());
    let all = Day::default()..=Day::from_number(i64::MAX);
    assert_eq!(store.days(&key, all).unwrap(), []);
    store.record(&[]).unwrap();
    let (records, errors) = Records::read(store);
    assert_eq!(records, Records::default());
    assert!(errors.is_empty());
}

fn what_happens_is_counted_by_skill_activity_and_day<B: Backend>() {
    let mut backend = B::fresh();
    let (a, b) = (Key::new("a", "/r"), Key::new("b", "/r"));
    let events = [
        event(&a, Activity::Offer, 0),
        event(&b, Activity::Offer, 5),
        event(&a, Activity::Read, DAY - 1),
        event(&a, Activity::Read, DAY),
        event(&a, Activity::Win, 3 * DAY),
    ];
    backend.store().record(&events).unwrap();
    backend.reopen();
    let store = backend.store();
    let usage = store.usage(&a).unwrap();
    let tally = |count, seconds| Tally {
        count,
        last: Some(Timestamp::from_seconds(seconds)),
    };
    assert_eq!(usage.of(Activity::Offer), tally(1, 0));
    assert_eq!(usage.of(Activity::Read), tally(2, DAY));
    assert_eq!(usage.of(Activity::Win), tally(1, 3 * DAY));
    assert_eq!(usage.of(Activity::Patch), Tally::default());
    assert_eq!(Evidence::of(&usage), Evidence { reads: 2, wins: 1 });
    let all = store.usages().unwrap();
    assert_eq!(all.keys().collect::<Vec<_>>(), [&a, &b]);
    assert_eq!(all[&a], usage);

    let days = |first, last| {
        let range = Day::from_number(first)..=Day::from_number(last);
        let days = store.days(&a, range).unwrap();
        let reads = |day: &skillful_store::DayUsage| (day.day.number(), day.of(Activity::Read));
        days.iter().map(reads).collect::<Vec<_>>()
    };
    assert_eq!(days(0, 9), [(0, 1), (1, 1), (3, 0)]);
    assert_eq!(days(1, 1), [(1, 1)]);
    assert_eq!(days(9, 0), []);
}

fn two_origins_never_share_a_record<B: Backend>() {
    let backend = B::fresh();
    let store = backend.store();
    let (mine, theirs) = (Key::new("a", "/mine"), Key::new("a", "/theirs"));
    store.record(&[event(&mine, Activity::Use, 1)]).unwrap();
    store
        .choose(&mine, Choice::Pin(Timestamp::default()))
        .unwrap();
    assert_eq!(store.usage(&theirs).unwrap(), Usage::default());
    assert!(!store.choices().unwrap().is_pinned(&theirs));
}

fn a_clock_that_goes_back_takes_nothing_away<B: Backend>() {
    let mut backend = B::fresh();
    let key = Key::new("a", "/r");
    for seconds in [500, -7, 100] {
        let read = event(&key, Activity::Read, seconds);
        backend.store().record(&[read]).unwrap();
        backend.reopen();
    }
    let usage = backend.store().usage(&key).unwrap();
    assert_eq!(usage.first, Some(Timestamp::from_seconds(0)));
    assert_eq!(
        usage.of(Activity::Read),
        Tally {
            count: 3,
            last: Some(Timestamp::from_seconds(500))
        }
    );
}

fn choices_last_and_choosing_twice_is_choosing_once<B: Backend>() {
    let mut backend = B::fresh();
    let key = Key::new("a", "/r");
    let archive = |seconds, reason: &str| {
        Choice::Archive(Archived {
            at: Timestamp::from_seconds(seconds),
            reason: Some(reason.parse().unwrap()),
        })
    };
    let outcomes = [
        (archive(1, "unused"), Applied::Changed),
        (archive(2, "again"), Applied::Unchanged),
        (Choice::Pin(Timestamp::from_seconds(3)), Applied::Changed),
        (Choice::Pin(Timestamp::from_seconds(4)), Applied::Unchanged),
    ];
    for (choice, outcome) in outcomes {
        assert_eq!(backend.store().choose(&key, choice).unwrap(), outcome);
        backend.reopen();
    }
    let choices = backend.store().choices().unwrap();
    let archived = choices.archived(&key).unwrap();
    assert_eq!(archived.at, Timestamp::from_seconds(1));
    assert_eq!(archived.reason.as_ref().unwrap().as_str(), "unused");
    assert!(choices.is_pinned(&key));
    for (choice, outcome) in [
        (Choice::Restore, Applied::Changed),
        (Choice::Restore, Applied::Unchanged),
        (Choice::Unpin, Applied::Changed),
        (Choice::Unpin, Applied::Unchanged),
    ] {
        assert_eq!(backend.store().choose(&key, choice).unwrap(), outcome);
    }
    backend.reopen();
    assert_eq!(backend.store().choices().unwrap(), Choices::default());
    assert_eq!(backend.store().take_notices(), []);
}

fn an_approval_is_bound_to_its_digest<B: Backend>() {
    let mut backend = B::fresh();
    let key = Key::new("a", "/r");
    let what = "schedule:0 9 * * 1";
    let approval = Approval::new("sha256:1", Timestamp::default());
    let choice = Choice::Approve {
        what: what.to_owned(),
        approval,
    };
    backend.store().choose(&key, choice).unwrap();
    backend.reopen();
    let choices = backend.store().choices().unwrap();
    assert!(choices.is_approved(&key, what, "sha256:1"));
    assert!(!choices.is_approved(&key, what, "sha256:2"));
    let withdraw = Choice::Withdraw {
        what: what.to_owned(),
    };
    backend.store().choose(&key, withdraw).unwrap();
    assert_eq!(backend.store().choices().unwrap(), Choices::default());
}

fn use_of_an_approval_is_noted_once<B: Backend>() {
    let mut backend = B::fresh();
    let (key, what) = (Key::new("a", "/r"), "schedule:hourly".to_owned());
    let approval = Approval::new("sha256:1", Timestamp::default());
    let usage = |known: &Approval, seconds| Choice::Use {
        what: what.clone(),
        known: known.clone(),
        at: Timestamp::from_seconds(seconds),
    };
    let unknown = backend.store().choose(&key, usage(&approval, 9)).unwrap();
    assert_eq!(unknown, Applied::Unchanged);
    let approve = Choice::Approve {
        what: what.clone(),
        approval: approval.clone(),
    };
    backend.store().choose(&key, approve).unwrap();
    for (seconds, outcome) in [(9, Applied::Changed), (10, Applied::Unchanged)] {
        let applied = backend.store().choose(&key, usage(&approval, seconds));
        assert_eq!(applied.unwrap(), outcome);
        backend.reopen();
    }
    let noted = backend.store().choices().unwrap();
    let noted = noted.approval(&key, &what).unwrap();
    assert_eq!(noted.used, Some(Timestamp::from_seconds(9)));
    let earlier = backend.store().choose(&key, usage(noted, 8)).unwrap();
    assert_eq!(earlier, Applied::Unchanged);
}

fn texts_are_kept_as_they_are<B: Backend>() {
    let mut backend = B::fresh();
    for text in ["'; DROP TABLE skill; --", "", "\u{0}\u{202e}\n", "ä 語 🦀"] {
        let key = Key::new(text, text);
        let read = event(&key, Activity::Read, 1);
        backend.store().record(&[read]).unwrap();
        let choice = Choice::Approve {
            what: text.to_owned(),
            approval: Approval::new(text, Timestamp::default()),
        };
        backend.store().choose(&key, choice).unwrap();
        backend.reopen();
        let usages = backend.store().usages().unwrap();
        assert_eq!(usages[&key].of(Activity::Read).count, 1, "{text:?}");
        let choices = backend.store().choices().unwrap();
        assert!(choices.is_approved(&key, text, text), "{text:?}");
    }
}

fn scanned(digest: &str, outcome: &[u8], seen: Option<(&str, &[u8])>) -> Scanned {
    Scanned {
        digest: digest.to_owned(),
        outcome: outcome.to_vec(),
        seen: seen.map(|(place, stamp)| Seen {
            place: place.to_owned(),
            stamp: stamp.to_vec(),
        }),
    }
}

fn what_scans_came_to_is_found_by_content_and_by_place<B: Backend>() {
    let mut backend = B::fresh();
    assert_eq!(backend.store().sightings("1").unwrap(), Sightings::new());
    assert_eq!(backend.store().outcome("1", "a").unwrap(), None);
    backend.store().keep_verdicts("1", &[]).unwrap();
    let first = [
        scanned("a", b"", Some(("/x", &[0, 255]))),
        scanned("b", b"bad", None),
        scanned("c", &vec![0; limits::OUTCOME_BYTES + 1], Some(("/z", b"1"))),
    ];
    backend.store().keep_verdicts("1", &first).unwrap();
    backend.reopen();
    let store = backend.store();
    assert_eq!(store.outcome("1", "a").unwrap(), Some(Vec::new()));
    assert_eq!(store.outcome("1", "b").unwrap(), Some(b"bad".to_vec()));
    assert_eq!(store.outcome("1", "c").unwrap(), None, "too large");
    let sightings = store.sightings("1").unwrap();
    assert_eq!(sightings.len(), 1);
    assert_eq!(sightings["/x"].stamp, [0, 255]);
    assert_eq!(sightings["/x"].digest, "a");

    let second = [scanned("b", b"worse", Some(("/x", b"2")))];
    store.keep_verdicts("1", &second).unwrap();
    let seen = &store.sightings("1").unwrap()["/x"];
    assert_eq!((&*seen.digest, &*seen.outcome), ("b", &b"worse"[..]));
    assert_eq!(store.outcome("1", "a").unwrap(), Some(Vec::new()));
}

fn other_rules_make_verdicts_void<B: Backend>() {
    let backend = B::fresh();
    let store = backend.store();
    let old = [scanned("a", b"old", Some(("/x", b"1")))];
    store.keep_verdicts("1", &old).unwrap();
    assert_eq!(store.outcome("2", "a").unwrap(), None);
    assert!(store.sightings("2").unwrap().is_empty());
    let new = [scanned("a", b"new", None)];
    store.keep_verdicts("2", &new).unwrap();
    assert_eq!(store.outcome("2", "a").unwrap(), Some(b"new".to_vec()));
    assert_eq!(store.outcome("1", "a").unwrap(), None, "dropped");
    assert!(store.sightings("1").unwrap().is_empty());
    assert!(
        store.sightings("2").unwrap().is_empty(),
        "the place as well"
    );
}

fn a_skill_goes_stale_comes_back_and_is_put_away<B: Backend>() {
    let backend = B::fresh();
    let store = backend.store();
    let key = Key::new("a", "/r");
    let stage = |day: i64| -> Result<Stage, StoreError> {
        let choices = store.choices()?;
        let now = Timestamp::from_seconds(day * DAY);
        Ok(Stage::of(
            &store.usage(&key)?,
            choices.archived(&key),
            choices.is_pinned(&key),
            now,
        ))
    };
    let use_on = |day: i64| store.record(&[event(&key, Activity::Use, day * DAY)]);
    let at = Timestamp::from_seconds(40 * DAY);

    use_on(0).unwrap();
    assert_eq!(stage(29).unwrap(), Stage::Active);
    assert_eq!(stage(30).unwrap(), Stage::Stale);
    use_on(31).unwrap();
    assert_eq!(stage(31).unwrap(), Stage::Active);
    store.choose(&key, Choice::Pin(at)).unwrap();
    assert_eq!(stage(400).unwrap(), Stage::Active);
    let archived = Archived { at, reason: None };
    store.choose(&key, Choice::Archive(archived)).unwrap();
    use_on(401).unwrap();
    assert_eq!(stage(401).unwrap(), Stage::Archived);
    store.choose(&key, Choice::Restore).unwrap();
    assert_eq!(stage(401).unwrap(), Stage::Active);
}

fn records_follow_a_new_id_and_usage_can_be_forgotten<B: Backend>() {
    let mut backend = B::fresh();
    let (old, new) = (Key::new("a", "/r"), Key::new("b", "/r"));
    let all = || Day::default()..=Day::from_number(i64::MAX);
    // Nothing on record is nothing to move, and makes nothing.
    backend.store().rename(&old, &new).unwrap();
    backend.store().forget_usage(&old).unwrap();
    let events = [
        event(&old, Activity::Read, 5),
        event(&new, Activity::Read, 6),
        event(&new, Activity::Win, 7),
    ];
    backend.store().record(&events).unwrap();
    let at = Timestamp::from_seconds(8);
    backend.store().choose(&old, Choice::Pin(at)).unwrap();
    backend.store().rename(&old, &new).unwrap();
    backend.reopen();
    let usage = backend.store().usage(&new).unwrap();
    assert_eq!(usage.of(Activity::Read).count, 1);
    assert_eq!(usage.of(Activity::Win).count, 0, "that of another skill");
    assert_eq!(backend.store().usage(&old).unwrap(), Usage::default());
    assert_eq!(backend.store().days(&new, all()).unwrap().len(), 1);
    assert!(backend.store().choices().unwrap().is_pinned(&new));

    backend.store().forget_usage(&new).unwrap();
    assert_eq!(backend.store().usage(&new).unwrap(), Usage::default());
    assert_eq!(backend.store().days(&new, all()).unwrap(), []);
    assert!(backend.store().choices().unwrap().is_pinned(&new));
}
