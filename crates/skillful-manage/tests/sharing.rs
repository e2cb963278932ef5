//! Many processes on one data directory: they take turns, nothing gets lost, and one of two wins.

#![expect(clippy::unwrap_used, reason = "a test ends where its helpers fail")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use skillful_manage::journal::history;
use skillful_manage::{
    Actor, Change, DataDirectory, Operation, Query, State, Swap, Writer, observe,
};

/// Tells a process that runs a test of this file again what it is to do, and where.
const DIRECTORY: &str = "SKILLFUL_SHARING_DIRECTORY";
const WORKER: &str = "SKILLFUL_SHARING_WORKER";

const WORKERS: usize = 2;
const ROUNDS: usize = 50;

fn data(directory: &Path) -> DataDirectory {
    DataDirectory::at(directory.join("data"))
}

fn start(test: &str, directory: &Path, worker: usize) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env(DIRECTORY, directory)
        .env(WORKER, worker.to_string())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// Where and as whom this process is to work, if it is a worker.
fn role() -> Option<(PathBuf, String)> {
    let directory = std::env::var_os(DIRECTORY)?;
    Some((directory.into(), std::env::var(WORKER).unwrap()))
}

fn add(directory: &Path, path: &str, text: &str) {
    let data = data(directory);
    // Before the lock, as whoever fetches something does.
    let after = data.objects().put_bytes(text.as_bytes(), false).unwrap();
    let mut writer = Writer::open(&data).unwrap();
    let path = directory.join(path);
    let swap = Swap::new(&path, observe(&path).unwrap(), after);
    let change = Change::new(Operation::ADD, Actor::AGENT);
    writer.commit(change.about(text).swap(swap)).unwrap();
}

#[test]
fn no_entry_is_lost() {
    if let Some((directory, worker)) = role() {
        for round in 0..ROUNDS {
            // Both fight for one path, and have one of their own.
            add(&directory, "skills/shared", &format!("{worker} {round}"));
            add(&directory, &format!("skills/{worker}-{round}"), "same");
        }
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let workers: Vec<Child> = (0..WORKERS)
        .map(|worker| start("no_entry_is_lost", directory.path(), worker))
        .collect();
    for mut worker in workers {
        assert!(worker.wait().unwrap().success());
    }
    let entries = history(&data(directory.path()), &Query::default()).unwrap();
    let numbers: Vec<u64> = entries.iter().rev().map(|entry| entry.seq).collect();
    let expected: Vec<u64> = (1..=(WORKERS * ROUNDS * 2) as u64).collect();
    assert_eq!(numbers, expected);
    // Each found what the one before had left.
    let shared = directory.path().join("skills/shared");
    let mut now = State::Absent;
    for entry in entries.iter().rev() {
        for swap in entry.swaps.iter().filter(|swap| swap.path == shared) {
            assert_eq!(swap.before, now);
            now = swap.after.clone();
        }
    }
    assert_eq!(observe(&shared).unwrap(), now);
}

#[test]
fn of_all_that_undo_the_same_one_wins() {
    if let Some((directory, worker)) = role() {
        let mut writer = Writer::open(&data(&directory)).unwrap();
        let undone = writer.undo(1, Actor::USER);
        let outcome = match undone {
            Ok(_) => "won".to_owned(),
            Err(error) => error.to_string(),
        };
        std::fs::write(directory.join(format!("outcome-{worker}")), outcome).unwrap();
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    add(directory.path(), "skills/x", "x");
    let workers: Vec<Child> = (0..6)
        .map(|worker| {
            start(
                "of_all_that_undo_the_same_one_wins",
                directory.path(),
                worker,
            )
        })
        .collect();
    let mut outcomes = Vec::new();
    for (number, mut worker) in workers.into_iter().enumerate() {
        assert!(worker.wait().unwrap().success());
        let outcome = directory.path().join(format!("outcome-{number}"));
        outcomes.push(std::fs::read_to_string(outcome).unwrap());
    }
    let won = outcomes.iter().filter(|outcome| *outcome == "won").count();
    assert_eq!(won, 1, "{outcomes:?}");
    let others: BTreeSet<&String> = outcomes
        .iter()
        .filter(|outcome| *outcome != "won")
        .collect();
    assert_eq!(others.len(), 1, "{others:?}");
    assert!(
        others
            .iter()
            .all(|outcome| outcome.contains("already undone by entry 2"))
    );
    assert!(!directory.path().join("skills").exists());
}
