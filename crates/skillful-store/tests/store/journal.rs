//! What every journal does, told once for all of them.

use std::path::{Path, PathBuf};

use skillful_store::journal::{
    Actor, ChangeId, Digest, Entry, Journal, JournalError, MemoryJournal, NewEntry, Operation,
    Query, Retention, SqliteJournal, State, Swap,
};
use skillful_store::{StoreError, Timestamp};

const DAY: i64 = 24 * 60 * 60;

fn tree(number: u8) -> State {
    let digest = Digest::from_bytes([number; 32]);
    State::Tree { digest }
}

fn entry(id: &str, skill: &str, path: &str, before: State, after: State) -> NewEntry {
    NewEntry {
        id: ChangeId(id.to_owned()),
        transaction: ChangeId("t".to_owned()),
        operation: Operation::ADD,
        actor: Actor::USER,
        skills: vec![skill.to_owned(), "z".to_owned()],
        at: Timestamp::from_seconds(DAY),
        message: "why".to_owned(),
        swaps: vec![Swap::new(path, before, after)],
        made_directories: vec![PathBuf::from("/d")],
        vacated_directories: vec![PathBuf::from("/v")],
        undoes: Vec::new(),
        bytes: 10,
    }
}

fn undo(id: &str, of: &Entry) -> NewEntry {
    let swap = of.swaps[0].inverse();
    let mut undo = entry(id, &of.skills[0], "", State::Absent, State::Absent);
    undo.swaps = vec![swap];
    undo.operation = Operation::UNDO;
    undo.transaction = ChangeId(id.to_owned());
    undo.undoes = vec![of.seq];
    undo
}

fn numbers(journal: &dyn Journal, query: &Query) -> Vec<u64> {
    let entries = journal.entries(query).unwrap();
    entries.iter().map(|entry| entry.seq).collect()
}

fn story(journal: &dyn Journal) {
    assert_eq!(numbers(journal, &Query::default()), [0; 0]);
    let first = journal
        .append(entry("1", "a", "/a", State::Absent, tree(1)))
        .unwrap();
    journal
        .append(entry("2", "b", "/b", State::Absent, tree(2)))
        .unwrap();
    let third = journal
        .append(entry("3", "a", "/a", tree(1), tree(3)))
        .unwrap();
    assert_eq!((first.seq, third.seq), (1, 3));
    assert_eq!(journal.entry(3).unwrap(), Some(third.clone()));
    assert_eq!(journal.entry_of(&third.id).unwrap(), Some(third.clone()));
    assert_eq!(journal.entry(4).unwrap(), None);
    assert_eq!(journal.entry_of(&ChangeId("4".to_owned())).unwrap(), None);

    let undone = journal.append(undo("4", &third)).unwrap();
    let again = journal.append(undo("5", &third)).unwrap_err();
    assert!(matches!(
        again,
        JournalError::AlreadyUndone { seq: 3, by: 4 }
    ));
    let mut nothing = undo("6", &third);
    nothing.undoes = vec![17];
    let nothing = journal.append(nothing).unwrap_err();
    assert!(matches!(nothing, JournalError::NoEntry { seq: 17 }));
    assert_eq!(journal.entry(3).unwrap().unwrap().undone_by, Some(4));
    assert_eq!(journal.entry(4).unwrap(), Some(undone));

    assert_eq!(numbers(journal, &Query::default()), [4, 3, 2, 1]);
    assert_eq!(numbers(journal, &Query::skill("a")), [4, 3, 1]);
    assert_eq!(numbers(journal, &Query::skill("a").limit(2)), [4, 3]);
    assert_eq!(numbers(journal, &Query::skill("a").before(3)), [1]);
    assert_eq!(numbers(journal, &Query::default().undoable()), [2, 1]);
    let transaction = ChangeId("t".to_owned());
    assert_eq!(
        numbers(journal, &Query::transaction(transaction)),
        [3, 2, 1]
    );

    assert_eq!(journal.place(Path::new("/a")).unwrap(), Some(tree(1)));
    let places: Vec<_> = journal.places().unwrap().into_iter().collect();
    assert_eq!(places, [("/a".into(), tree(1)), ("/b".into(), tree(2))]);
    let states: Vec<_> = journal.states().unwrap().into_iter().collect();
    assert_eq!(states, [State::Absent, tree(1), tree(2), tree(3)]);
    forgetting(journal);
}

fn forgetting(journal: &dyn Journal) {
    let mut late = entry("7", "c", "/b", tree(2), State::Absent);
    late.at = Timestamp::from_seconds(9 * DAY);
    assert_eq!(
        journal.append(late).unwrap().seq,
        5,
        "what was refused has no number"
    );
    assert_eq!(journal.place(Path::new("/b")).unwrap(), None);
    let now = Timestamp::from_seconds(10 * DAY);
    let prune = |retention| journal.prune(&retention, now).unwrap().entries;
    assert_eq!(prune(Retention::ALL), 0);
    assert_eq!(
        prune(Retention {
            entries: Some(4),
            ..Retention::ALL
        }),
        1
    );
    assert_eq!(
        prune(Retention {
            bytes: Some(25),
            ..Retention::ALL
        }),
        2
    );
    assert_eq!(
        prune(Retention {
            days: Some(2),
            ..Retention::ALL
        }),
        1
    );
    assert_eq!(
        prune(Retention {
            entries: Some(0),
            ..Retention::ALL
        }),
        0
    );
    assert_eq!(numbers(journal, &Query::default()), [5], "the newest stays");
    assert_eq!(
        journal.place(Path::new("/a")).unwrap(),
        Some(tree(1)),
        "it is still there"
    );
    let next = journal
        .append(entry("8", "a", "/a", tree(1), tree(4)))
        .unwrap();
    assert_eq!(next.seq, 6);
}

#[test]
fn the_journal_in_memory() {
    story(&MemoryJournal::new());
}

#[test]
fn the_journal_in_a_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("deep/journal.db");
    story(&SqliteJournal::at(&path));
    let numbers = numbers(&SqliteJournal::at(&path), &Query::default());
    assert_eq!(numbers, [6, 5], "it outlives who wrote it");
}

#[test]
fn reading_makes_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let journal = SqliteJournal::at(directory.path().join("journal.db"));
    assert_eq!(numbers(&journal, &Query::default()), [0; 0]);
    assert!(journal.places().unwrap().is_empty());
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[test]
fn a_journal_that_is_damaged_or_newer_is_left_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal.db");
    std::fs::write(
        &path,
        "not a database, but long enough to look at".repeat(99),
    )
    .unwrap();
    let before = std::fs::read(&path).unwrap();
    let error = SqliteJournal::at(&path)
        .entries(&Query::default())
        .unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), before);

    let path = directory.path().join("newer.db");
    rusqlite::Connection::open(&path)
        .unwrap()
        .pragma_update(None, "user_version", 99)
        .unwrap();
    let error = SqliteJournal::at(&path)
        .append(entry("1", "a", "/a", State::Absent, tree(1)))
        .unwrap_err();
    assert!(
        matches!(
            error,
            JournalError::Store(StoreError::Newer {
                found: 99,
                known: 1,
                ..
            })
        ),
        "{error}"
    );
}
