//! The question of `add`, asked on a real terminal.

use std::fs;

use rexpect::process::{Signal, WaitStatus};
use rexpect::session::{PtySession, spawn_command};

use crate::environment::{Environment, skill_text};

/// How long something that ought to come is waited for, in milliseconds. Only a test that fails waits so long.
const PATIENCE: u64 = 60_000;

/// A source with a skill, and `add` that asks about it.
fn asked(environment: &Environment, arguments: &[&str]) -> PtySession {
    environment.write("../source/notes/SKILL.md", skill_text("notes"));
    let arguments = [&["add", "../source"], arguments].concat();
    let mut command = environment.command(&arguments);
    // The terminal takes the place of what is closed elsewhere.
    command
        .env("TERM", "xterm")
        .env("NO_COLOR", "1")
        .stdin(std::process::Stdio::inherit());
    let mut session = spawn_command(command, Some(PATIENCE)).unwrap();
    session.exp_string("Place them? [y/N]").unwrap();
    session
}

fn is_placed(environment: &Environment) -> bool {
    let place = environment.project().join(".agents/skills/notes/SKILL.md");
    fs::read_to_string(place).is_ok_and(|text| text == skill_text("notes"))
}

fn ended(mut session: PtySession) -> WaitStatus {
    let _ = session.exp_eof();
    session.process().wait().unwrap()
}

fn code(status: WaitStatus) -> i32 {
    match status {
        WaitStatus::Exited(_, code) => code,
        other => panic!("{other:?}"),
    }
}

#[test]
fn yes_places_what_was_shown() {
    for answer in ["y", "YES", " yes "] {
        let environment = Environment::new();
        let mut session = asked(&environment, &[]);
        assert!(
            !is_placed(&environment),
            "nothing is placed before the answer"
        );
        session.send_line(answer).unwrap();
        session.exp_string("installed 1 skill").unwrap();
        assert_eq!(code(ended(session)), 0);
        assert!(is_placed(&environment));
    }
}

#[test]
fn everything_else_places_nothing() {
    for answer in ["n", "", "yess", "\u{4}"] {
        let environment = Environment::new();
        let mut session = asked(&environment, &[]);
        if answer == "\u{4}" {
            session.send_control('d').unwrap();
        } else {
            session.send_line(answer).unwrap();
        }
        assert_eq!(code(ended(session)), 1, "{answer:?}");
        assert!(!is_placed(&environment), "{answer:?}");
        assert!(!environment.project().join("skills.toml").exists());
    }
}

#[test]
fn an_interruption_ends_it_and_leaves_nothing() {
    let environment = Environment::new();
    let mut session = asked(&environment, &[]);
    session.send_control('c').unwrap();
    match ended(session) {
        WaitStatus::Signaled(_, signal, _) => assert_eq!(signal, Signal::SIGINT),
        WaitStatus::Exited(_, code) => assert_ne!(code, 0),
        other => panic!("{other:?}"),
    }
    assert!(!is_placed(&environment));
    // What was kept for the question goes with the next change, and stands in nobody's way.
    let added = environment.run(&["add", "../source", "--yes"]);
    assert_eq!(added.code, 0, "{}", added.transcript());
    assert!(is_placed(&environment));
}
