//! Many threads and many processes on one directory.

use std::path::Path;
use std::process::{Command, Stdio};

use skillful_store::{Activity, Approval, Choice, Key, MemoryStore, SqliteStore, Store, Timestamp};

use crate::backends::event;

/// Tells a process that runs this test again that it is one of the workers, and where.
const DIRECTORY: &str = "SKILLFUL_STORE_TEST_DIRECTORY";
const WORKER: &str = "SKILLFUL_STORE_TEST_WORKER";

const WORKERS: u32 = 6;
const ROUNDS: u32 = 50;

fn shared() -> Key {
    Key::new("shared", "/r")
}

fn work(store: &dyn Store, worker: &str) {
    let own = Key::new(worker, "/r");
    for round in 0..ROUNDS {
        let seconds = i64::from(round);
        let events = [
            event(&shared(), Activity::Read, seconds),
            event(&own, Activity::Use, seconds),
        ];
        store.record(&events).unwrap();
        // Choices are synced to the disk, which takes a moment.
        if round % 10 == 0 {
            let choice = Choice::Approve {
                what: format!("{worker}-{round}"),
                approval: Approval::new("", Timestamp::default()),
            };
            store.choose(&shared(), choice).unwrap();
        }
    }
}

fn assert_complete(store: &dyn Store) {
    let usages = store.usages().unwrap();
    let reads = usages[&shared()].of(Activity::Read);
    assert_eq!(reads.count, u64::from(WORKERS * ROUNDS));
    let last = Timestamp::from_seconds(i64::from(ROUNDS - 1));
    assert_eq!(reads.last, Some(last));
    assert_eq!(usages.len(), WORKERS as usize + 1);
    let choices = store.choices().unwrap();
    let approvals = &choices.of(&shared()).unwrap().approvals;
    assert_eq!(approvals.len(), (WORKERS * ROUNDS / 10) as usize);
    assert_eq!(store.take_notices(), []);
}

#[test]
fn threads_share_a_store() {
    let directory = tempfile::tempdir().unwrap();
    let stores: [Box<dyn Store>; 2] = [
        Box::new(MemoryStore::new()),
        Box::new(SqliteStore::at(directory.path())),
    ];
    for store in &stores {
        std::thread::scope(|scope| {
            for worker in 0..WORKERS {
                scope.spawn(move || work(&**store, &format!("worker-{worker}")));
            }
        });
        assert_complete(&**store);
    }
}

/// The processes begin at once in a directory without anything, so that they meet while it is made.
#[test]
fn processes_share_a_directory() {
    if let (Ok(directory), Ok(worker)) = (std::env::var(DIRECTORY), std::env::var(WORKER)) {
        work(&SqliteStore::at(directory), &worker);
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let records = directory.path().join("records");
    let workers: Vec<_> = (0..WORKERS).map(|worker| spawn(&records, worker)).collect();
    for worker in workers {
        let output = worker.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}");
    }
    assert_complete(&SqliteStore::at(&records));
}

fn spawn(records: &Path, worker: u32) -> std::process::Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "sharing::processes_share_a_directory"])
        .env(DIRECTORY, records)
        .env(WORKER, format!("worker-{worker}"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}
