//! History, undo and redo.

use skillful_manage::author::{AuthorError, HistoryQuery, NewSkill, WhatHappened};
use skillful_manage::{Actor, ChangeError};

use crate::world::{World, text};

#[test]
fn what_was_changed_is_told_and_taken_back_once() {
    let world = World::new();
    let path = world.skill("greet");
    let first = world
        .person()
        .patch(&"greet".into(), None, "Do it.", "One.")
        .unwrap();
    let second = world
        .agent()
        .patch(&"greet".into(), None, "One.", "Two.")
        .unwrap();
    world
        .agent()
        .create(&NewSkill::new("other", "Does other."))
        .unwrap();
    let query = HistoryQuery {
        skill: Some("greet".to_owned()),
        ..HistoryQuery::default()
    };
    let seqs = |query: &HistoryQuery| -> Vec<u64> {
        let entries = world.person().history(query).unwrap();
        entries.iter().map(|entry| entry.seq).collect()
    };
    assert_eq!(seqs(&query), [2, 1]);
    let by_agents = HistoryQuery {
        actor: Some(Actor::AGENT),
        limit: Some(1),
        ..HistoryQuery::default()
    };
    assert_eq!(seqs(&by_agents), [3]);

    let error = world.person().undo(first.seq.unwrap()).unwrap_err();
    let AuthorError::Change(ChangeError::ChangedSince { paths, .. }) = &error else {
        panic!("{error}");
    };
    assert_eq!(paths[0].path, path);

    let undone = world.person().undo(second.seq.unwrap()).unwrap();
    assert_eq!(undone.changes[0].seq, 2);
    assert_eq!(undone.files.len(), 1);
    assert_eq!(undone.files[0].what, WhatHappened::Restored);
    assert_eq!(undone.files[0].path, path);
    let again = world.person().undo(second.seq.unwrap()).unwrap_err();
    assert!(again.to_string().contains("already undone"), "{again}");
    world.person().undo(first.seq.unwrap()).unwrap();
    assert_eq!(std::fs::read_to_string(path).unwrap(), text("greet"));
}

#[test]
fn the_last_change_is_that_of_whoever_is_asked_for() {
    let world = World::new();
    let person = world.person();
    person.create(&NewSkill::new("mine", "Does mine.")).unwrap();
    world
        .agent()
        .create(&NewSkill::new("its", "Does its."))
        .unwrap();
    let undone = person.undo_last(Some(&Actor::USER)).unwrap();
    assert_eq!(undone.changes[0].skills, ["mine"]);
    assert_eq!(undone.files[0].what, WhatHappened::Removed);
    let nothing = person.undo_last(Some(&Actor::USER)).unwrap_err();
    assert_eq!(nothing.to_string(), "there is nothing to undo");
    let undone = person.undo_last(Some(&Actor::AGENT)).unwrap();
    assert_eq!(undone.changes[0].skills, ["its"]);

    let redone = person.redo_last(None).unwrap();
    assert_eq!(redone.files[0].what, WhatHappened::PutBack);
    assert!(world.exists(".agents/skills/its"));
    person.redo_last(None).unwrap();
    assert!(world.exists(".agents/skills/mine"));
    assert!(person.redo_last(None).is_err());
    person.undo_last(None).unwrap();
    assert!(!world.exists(".agents/skills/mine"));
}

#[test]
fn whoever_changed_it_by_hand_is_not_undone() {
    let world = World::new();
    let path = world.skill("greet");
    world
        .person()
        .patch(&"greet".into(), None, "Do it.", "One.")
        .unwrap();
    std::fs::write(&path, text("greet") + "By hand.\n").unwrap();
    let error = world.person().undo_last(None).unwrap_err();
    assert_eq!(error.code(), "change");
    assert!(
        std::fs::read_to_string(&path)
            .unwrap()
            .ends_with("By hand.\n")
    );
}
