//! What happens when the files are not as they ought to be.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use tempfile::TempDir;

use super::*;
use crate::choices::Archived;
use crate::choices_file;
use crate::time::Timestamp;
use crate::usage::Activity;

struct Records {
    directory: TempDir,
}

impl Records {
    fn empty() -> Self {
        Self {
            directory: tempfile::tempdir().unwrap(),
        }
    }

    /// One read of each of many skills, and one of them archived.
    fn filled() -> Self {
        let records = Self::empty();
        let store = records.store();
        let events: Vec<Event> = (0..200)
            .map(|number| read(&format!("skill-{number}")))
            .collect();
        store.record(&events).unwrap();
        assert_eq!(
            store.choose(&key("old"), archive()).unwrap(),
            Applied::Changed
        );
        records
    }

    fn store(&self) -> SqliteStore {
        SqliteStore::at(self.directory.path()).with_patience(Duration::from_millis(50))
    }

    /// Overwrites the database. Without its log, which would heal it.
    fn damage_database(&self) {
        fs::remove_file(self.path("skillful.db-wal")).unwrap();
        fs::write(self.path("skillful.db"), "not a database ".repeat(500)).unwrap();
    }

    /// Makes the first page of a table unreadable, and that alone.
    fn damage_table(&self, table: &str) {
        // The last close moves everything from the log into the database.
        let connection = Connection::open(self.path("skillful.db")).unwrap();
        let page: i64 = connection
            .query_row(
                "SELECT rootpage FROM sqlite_schema WHERE name = ?1",
                [table],
                |row| row.get(0),
            )
            .unwrap();
        let size: i64 = connection
            .pragma_query_value(None, "page_size", |row| row.get(0))
            .unwrap();
        drop(connection);
        let mut bytes = fs::read(self.path("skillful.db")).unwrap();
        let start = usize::try_from((page - 1) * size).unwrap();
        bytes[start..start + 512].fill(0xA5);
        fs::write(self.path("skillful.db"), bytes).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.directory.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

fn key(id: &str) -> Key {
    Key::new(id, "/r")
}

fn read(id: &str) -> Event {
    Event {
        key: key(id),
        activity: Activity::Read,
        at: Timestamp::from_seconds(1),
    }
}

fn archive() -> Choice {
    Choice::Archive(Archived {
        at: Timestamp::from_seconds(2),
        reason: None,
    })
}

#[test]
fn nothing_is_made_before_there_is_something_to_keep() {
    let records = Records::empty();
    let store = records.store();
    store.usages().unwrap();
    store.choices().unwrap();
    store.record(&[]).unwrap();
    assert_eq!(records.names(), [""; 0]);
    assert_eq!(
        store.choose(&key("a"), Choice::Restore).unwrap(),
        Applied::Unchanged
    );
    assert_eq!(records.names(), ["records.lock"]);
}

#[cfg(unix)]
#[test]
fn only_the_owner_may_look() {
    use std::os::unix::fs::PermissionsExt;
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().join("records");
    let store = SqliteStore::at(&directory);
    store.record(&[read("a")]).unwrap();
    store.choose(&key("a"), archive()).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&directory), 0o700);
    let mut count = 0;
    for entry in fs::read_dir(&directory).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
        count += 1;
    }
    assert_eq!(count, 5, "database, log, index, choices, lock");
}

#[test]
fn a_file_that_is_no_database_is_kept_and_replaced() {
    let records = Records::filled();
    records.damage_database();
    let store = records.store();
    store.record(&[read("new")]).unwrap();
    assert_eq!(store.usages().unwrap().len(), 1);
    let notices = store.take_notices();
    let [Notice::DatabaseRebuilt { kept, lost, .. }] = &notices[..] else {
        panic!("{notices:?}");
    };
    assert_eq!(*kept, records.path("skillful.db.damaged-1"));
    assert!(fs::read(kept).unwrap().starts_with(b"not a database"));
    assert_eq!(
        lost,
        &["skills", "counts", "days", "verdicts", "places of verdicts"]
    );
    assert!(store.choices().unwrap().archived(&key("old")).is_some());
    // The copy of the choices is there again as well.
    fs::remove_file(records.path("choices.json")).unwrap();
    assert!(store.choices().unwrap().archived(&key("old")).is_some());
}

#[test]
fn what_can_be_read_of_a_damaged_database_is_taken_over() {
    let records = Records::filled();
    records.damage_table("day");
    let store = records.store();
    store.record(&[read("skill-7")]).unwrap();
    let notices = store.take_notices();
    let [Notice::DatabaseRebuilt { lost, .. }] = &notices[..] else {
        panic!("{notices:?}");
    };
    assert_eq!(lost, &["days"]);
    let usages = store.usages().unwrap();
    assert_eq!(usages.len(), 200);
    assert_eq!(usages[&key("skill-7")].of(Activity::Read).count, 2);
}

#[test]
fn of_many_that_find_a_damaged_database_one_makes_a_new_one() {
    let records = Records::filled();
    records.damage_database();
    let path = records.directory.path();
    std::thread::scope(|scope| {
        for _ in 0..6 {
            // Each with a connection of its own, as if it were a process of its own.
            scope.spawn(move || SqliteStore::at(path).record(&[read("new")]).unwrap());
        }
    });
    let usage = records.store().usage(&key("new")).unwrap();
    assert_eq!(usage.of(Activity::Read).count, 6);
    assert!(records.path("skillful.db.damaged-1").exists());
    assert!(!records.path("skillful.db.damaged-2").exists());
}

#[test]
fn damage_again_and_again_loses_no_file_and_ends() {
    let records = Records::filled();
    for number in 1..=limits::KEPT_ASIDE {
        records.damage_database();
        records.store().record(&[read("a")]).unwrap();
        assert!(
            records
                .path(&format!("skillful.db.damaged-{number}"))
                .exists()
        );
    }
    records.damage_database();
    let error = records.store().record(&[read("a")]).unwrap_err();
    assert!(error.to_string().contains("100 older ones"), "{error}");
}

#[test]
fn damaged_choices_come_back_from_their_copy() {
    let records = Records::filled();
    fs::write(records.path("choices.json"), "{\"version\": 1, \"ski").unwrap();
    let store = records.store();
    assert!(store.choices().unwrap().archived(&key("old")).is_some());
    let notices = store.take_notices();
    let [
        Notice::ChoicesRestored { .. },
        Notice::ChoicesKeptAside { kept },
    ] = &notices[..]
    else {
        panic!("{notices:?}");
    };
    assert_eq!(*kept, records.path("choices.json.damaged-1"));
    assert_eq!(fs::read_to_string(kept).unwrap(), "{\"version\": 1, \"ski");
    let choices = choices_file::read(records.directory.path()).unwrap();
    assert!(choices.archived(&key("old")).is_some());
    store.choices().unwrap();
    assert_eq!(store.take_notices(), [], "said once");
}

#[test]
fn lost_choices_come_back_with_the_next_one() {
    let records = Records::filled();
    fs::remove_file(records.path("choices.json")).unwrap();
    let store = records.store();
    store.choose(&key("new"), archive()).unwrap();
    assert_eq!(store.choices().unwrap().iter().count(), 2);
    assert!(matches!(
        store.take_notices()[..],
        [Notice::ChoicesRestored { .. }]
    ));
}

#[test]
fn that_nothing_was_chosen_is_remembered_as_well() {
    let records = Records::empty();
    records.store().record(&[read("a")]).unwrap();
    fs::remove_file(records.path("choices.json")).unwrap();
    let store = records.store();
    assert_eq!(store.choices().unwrap(), Choices::default());
    assert!(matches!(
        store.take_notices()[..],
        [Notice::ChoicesRestored { .. }]
    ));
}

#[test]
fn choices_that_are_lost_for_good_are_reported() {
    let records = Records::filled();
    records.damage_database();
    fs::write(records.path("choices.json"), "\0\0").unwrap();
    let store = records.store();
    assert_eq!(store.choices().unwrap(), Choices::default());
    let notices = store.take_notices();
    assert!(
        matches!(
            notices[..],
            [
                Notice::DatabaseRebuilt { .. },
                Notice::ChoicesLost { .. },
                Notice::ChoicesKeptAside { .. }
            ]
        ),
        "{notices:?}"
    );
}

#[test]
fn what_a_newer_program_wrote_is_left_alone() {
    let records = Records::filled();
    let connection = Connection::open(records.path("skillful.db")).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    let before = fs::read(records.path("skillful.db")).unwrap();
    let store = records.store();
    for result in [
        store.record(&[read("a")]),
        store.usages().map(drop),
        store.usage(&key("a")).map(drop),
    ] {
        assert!(
            matches!(
                result,
                Err(StoreError::Newer {
                    found: 99,
                    known: 2,
                    ..
                })
            ),
            "{result:?}"
        );
    }
    drop(store);
    assert_eq!(fs::read(records.path("skillful.db")).unwrap(), before);

    let newer = "{\"version\": 7, \"skills\": {}}";
    fs::write(records.path("choices.json"), newer).unwrap();
    let store = records.store();
    assert!(matches!(
        store.choices(),
        Err(StoreError::Newer { found: 7, .. })
    ));
    assert!(matches!(
        store.choose(&key("a"), archive()),
        Err(StoreError::Newer { found: 7, .. })
    ));
    assert_eq!(
        fs::read_to_string(records.path("choices.json")).unwrap(),
        newer
    );
}

#[test]
fn a_locked_database_costs_the_count_and_nothing_else() {
    let records = Records::filled();
    let other = Connection::open(records.path("skillful.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let store = records.store();
    let error = store.record(&[read("skill-0")]).unwrap_err();
    assert!(matches!(error, StoreError::Locked { .. }), "{error}");
    assert_eq!(store.usages().unwrap().len(), 200, "reading goes on");
    assert_eq!(
        store.choose(&key("a"), archive()).unwrap(),
        Applied::Changed
    );
    assert!(matches!(
        store.take_notices()[..],
        [Notice::ChoiceNotCopied { .. }]
    ));
    other.execute_batch("COMMIT").unwrap();
    store.record(&[read("skill-0")]).unwrap();
    assert_eq!(
        store
            .usage(&key("skill-0"))
            .unwrap()
            .of(Activity::Read)
            .count,
        2
    );
}

#[test]
fn a_locked_directory_refuses_a_choice() {
    let records = Records::filled();
    let _lock = lock::Lock::take(records.directory.path(), Duration::ZERO).unwrap();
    let error = records.store().choose(&key("a"), archive()).unwrap_err();
    assert!(matches!(error, StoreError::Locked { .. }), "{error}");
    assert!(
        records
            .store()
            .choices()
            .unwrap()
            .archived(&key("a"))
            .is_none()
    );
}

#[test]
fn full_and_read_only_are_told_apart_and_damage_nothing() {
    let records = Records::filled();
    let store = records.store();
    let many: Vec<Event> = (0..5_000)
        .map(|number| read(&format!("more-{number}")))
        .collect();
    for (pragma, is_expected) in [
        (
            "max_page_count = 1",
            (|error| matches!(error, StoreError::Full { .. })) as fn(&StoreError) -> bool,
        ),
        ("query_only = on", |error| {
            matches!(error, StoreError::ReadOnly { .. })
        }),
    ] {
        store
            .database
            .with(|connection| connection.execute_batch(&format!("PRAGMA {pragma}")))
            .unwrap();
        let error = store.record(&many).unwrap_err();
        assert!(is_expected(&error), "{error:?}");
        assert_eq!(store.usages().unwrap().len(), 200, "all or nothing");
    }
}

#[test]
fn a_directory_that_cannot_be_made_is_an_error() {
    let records = Records::empty();
    fs::write(records.path("file"), "").unwrap();
    let store = SqliteStore::at(records.path("file/records"));
    assert!(store.usages().unwrap().is_empty());
    let error = store.record(&[read("a")]).unwrap_err();
    assert!(matches!(error, StoreError::File { .. }), "{error:?}");
    assert!(store.choose(&key("a"), archive()).is_err());
}

#[test]
fn a_process_that_dies_holding_the_lock_blocks_nobody() {
    let records = Records::filled();
    fs::write(records.path("records.lock"), "left behind").unwrap();
    fs::write(records.path(".staged-x"), "half of a fi").unwrap();
    assert_eq!(
        records.store().choose(&key("a"), archive()).unwrap(),
        Applied::Changed
    );
}

fn scan(digest: &str) -> Scanned {
    Scanned {
        digest: digest.to_owned(),
        outcome: digest.as_bytes().to_vec(),
        seen: Some(crate::Seen {
            place: format!("/{digest}"),
            stamp: Vec::new(),
        }),
    }
}

#[test]
fn verdicts_move_from_a_damaged_database_into_the_new_one() {
    let records = Records::empty();
    let store = records.store();
    store.record(&[read("a")]).unwrap();
    store.keep_verdicts("1", &[scan("x")]).unwrap();
    drop(store);
    records.damage_table("tally");
    let store = records.store();
    store.record(&[read("a")]).unwrap();
    let notices = store.take_notices();
    assert!(
        matches!(&notices[..], [Notice::DatabaseRebuilt { lost, .. }] if lost == &["counts"]),
        "{notices:?}"
    );
    assert_eq!(store.outcome("1", "x").unwrap(), Some(b"x".to_vec()));
    assert_eq!(store.sightings("1").unwrap()["/x"].digest, "x");
}

#[test]
fn a_database_of_the_first_version_learns_to_keep_verdicts() {
    let records = Records::empty();
    let connection = Connection::open(records.path("skillful.db")).unwrap();
    connection
        .execute_batch(include_str!("schema-1.sql"))
        .unwrap();
    connection
        .execute_batch("INSERT INTO skill VALUES (1, 'a', '/r', 0); INSERT INTO tally VALUES (1, 'read', 7, 0); PRAGMA user_version = 1;")
        .unwrap();
    drop(connection);
    let store = records.store();
    store.keep_verdicts("1", &[scan("x")]).unwrap();
    assert_eq!(store.sightings("1").unwrap().len(), 1);
    let reads = store.usage(&key("a")).unwrap().of(Activity::Read);
    assert_eq!(reads.count, 7, "nothing of what was there is lost");
}

#[test]
fn the_oldest_verdicts_go_first() {
    let records = Records::empty();
    let store = records.store();
    store
        .keep_verdicts("1", &["a", "b", "c"].map(scan))
        .unwrap();
    store
        .database
        .with(|connection| {
            let transaction = connection.transaction()?;
            verdicts::drop_oldest(&transaction, 2)?;
            transaction.commit()
        })
        .unwrap();
    let mut places: Vec<_> = store.sightings("1").unwrap().into_keys().collect();
    places.sort();
    assert_eq!(places, ["/b", "/c"]);
    assert_eq!(store.outcome("1", "a").unwrap(), None);
}
