//! `status`, `archive` and `restore`: what is on record, and what people choose.

use std::fs;
use std::path::PathBuf;

use insta::{assert_snapshot, with_settings};
use skillful::{Host, Options};
use skillful_store::{Activity, Choice, Event, Key, SqliteStore, Store, Timestamp};

use crate::environment::{Environment, Run, skill_text};

/// A skill in use, one that nobody used for long, one that is broken, one that a program is missing for, and a shadowed
/// one.
fn machine() -> Environment {
    let environment = Environment::new();
    environment.skill(".claude/skills/deploy");
    environment.write_home(
        ".claude/skills/deploy/SKILL.md",
        skill_text("deploy").replace("Do it.", "Do it otherwise."),
    );
    environment.write_home(".claude/skills/empty/SKILL.md", "");
    environment.write_home(".claude/skills/idle/SKILL.md", skill_text("idle"));
    environment.write_home(
        ".claude/skills/pdf/SKILL.md",
        "---\nname: pdf\ndescription: Fills forms. Use when asked.\nmetadata:\n  openclaw:\n    primaryEnv: PDF_KEY\n    \
         install: [{kind: uv, package: pdftool, bins: [pdftool]}]\n---\n\nDo it.\n",
    );
    environment
}

fn records(environment: &Environment) -> PathBuf {
    let options = Options {
        home: Some(environment.home()),
        ..Options::default()
    };
    skillful::records::directory(&Host::new("/"), &options).unwrap()
}

/// The key of a skill in the user's directory for Claude Code.
fn key(environment: &Environment, id: &str) -> Key {
    let root = environment.home().join(".claude/skills");
    Key::new(id, root.to_string_lossy())
}

/// Puts on record that the skill was read, a moment after the first of January 1970 plus so many days.
fn used(environment: &Environment, id: &str, days: &[i64]) {
    let event = |day: &i64| Event {
        key: key(environment, id),
        activity: Activity::Read,
        at: Timestamp::from_seconds(day * 86_400 + 1),
    };
    let events: Vec<Event> = days.iter().map(event).collect();
    SqliteStore::at(records(environment))
        .record(&events)
        .unwrap();
}

/// Days from 1970 to today and to a far future, in which every clock of a machine that runs this lies.
const FUTURE: i64 = 1_000_000;

/// The transcript with dates as `[DATE]`.
fn assert_transcript(name: &str, run: &Run) {
    with_settings!({filters => vec![(r"\b\d{4}-\d\d-\d\d\b", "[DATE]")]}, {
        assert_snapshot!(name, run.transcript());
    });
}

#[test]
fn every_candidate_has_a_line() {
    let environment = machine();
    used(&environment, "idle", &[1, 2]);
    used(&environment, "pdf", &[1, FUTURE]);
    environment.run(&["archive", "deploy", "--reason", "replaced"]);
    assert_transcript("status_table", &environment.run(&["status"]));
}

#[test]
fn one_skill_in_full() {
    let environment = machine();
    used(&environment, "pdf", &[3, 4]);
    let store = SqliteStore::at(records(&environment));
    let pin = Choice::Pin(Timestamp::default());
    store.choose(&key(&environment, "pdf"), pin).unwrap();
    let win = Event {
        key: key(&environment, "pdf"),
        activity: Activity::Win,
        at: Timestamp::default(),
    };
    store.record(&[win]).unwrap();
    assert_snapshot!(environment.run(&["status", "pdf"]).transcript());
    environment.run(&["archive", "deploy", "--reason", "-- replaced\u{1b}[2J"]);
    let run = environment.run(&["status", "deploy", "empty", "deploy"]);
    assert_transcript("status_of_two", &run);
}

#[test]
fn the_document_has_every_candidate() {
    let environment = machine();
    used(&environment, "idle", &[1]);
    let status = environment.run(&["status", "--json"]).json();
    assert_eq!(status["version"], 1);
    assert_eq!(status["total"], 6);
    assert_eq!(status["filtered"], 6);
    let skills = status["skills"].as_array().unwrap();
    let found: Vec<_> = skills
        .iter()
        .map(|skill| {
            let text = |name: &str| skill[name].as_str().unwrap().to_owned();
            format!("{} {} {}", text("id"), text("state"), text("lifecycle"))
        })
        .collect();
    assert_eq!(
        found,
        [
            "deploy ready active",
            "deploy shadowed active",
            "empty broken active",
            "idle ready stale",
            "pdf ready active",
            "writing-skills ready active",
        ]
    );
    assert_eq!(skills[0]["shadows"][0], skills[1]["path"]);
    assert!(skills[0]["bytes"].as_u64().unwrap() > 50);
    assert!(skills[0]["tokens"].as_u64().unwrap() > 2);
    assert_eq!(skills[3]["usage"]["reads"], 1);
    assert_eq!(skills[3]["usage"]["last_read"], "1970-01-02T00:00:01Z");
    assert_eq!(
        skills[4]["install_options"][0]["label"],
        "Install pdftool (uv)"
    );
    assert_eq!(skills[4]["api_key_set"], false);
    assert_eq!(skills[5]["trust"], "builtin");
    for skill in skills {
        assert!(skill["digest"].is_null());
        let expected = match (&skill["trust"], &skill["state"]) {
            (trust, state) if trust == "builtin" || state == "broken" => serde_json::Value::Null,
            _ => serde_json::Value::from("safe"),
        };
        assert_eq!(skill["verdict"], expected, "{}", skill["id"]);
    }
    let digests = environment
        .run(&["status", "pdf", "--digests", "--json"])
        .json();
    let digest = digests["skills"][0]["digest"].as_str().unwrap();
    assert!(digest.starts_with("sha256:"));
    assert_eq!(digests["total"], 6);
    assert_eq!(digests["filtered"], 1);
}

#[test]
fn the_status_can_be_narrowed() {
    let environment = machine();
    used(&environment, "idle", &[1]);
    environment.run(&["archive", "pdf"]);
    let ids = |filter: &str| -> Vec<String> {
        let status = environment
            .run(&["status", "--filter", filter, "--json"])
            .json();
        let skills = status["skills"].as_array().unwrap();
        assert_eq!(status["filtered"], skills.len());
        let id = |skill: &serde_json::Value| skill["id"].as_str().unwrap().to_owned();
        skills.iter().map(id).collect()
    };
    assert_eq!(ids("all").len(), 6);
    assert_eq!(ids("ready"), ["deploy", "idle", "writing-skills"]);
    assert_eq!(ids("broken"), ["empty"]);
    assert_eq!(ids("stale"), ["idle"]);
    assert_eq!(ids("archived"), ["pdf"]);
    assert_eq!(ids("needs-setup"), [""; 0]);
    assert_eq!(ids("disabled"), [""; 0]);
    assert_eq!(environment.run(&["status", "--filter", "odd"]).code, 2);
    assert_eq!(environment.run(&["status", "no-such"]).code, 1);
}

#[test]
fn archive_and_restore_are_the_same_twice_as_once() {
    let environment = machine();
    let outcome = |arguments: &[&str]| {
        let run = environment.run(arguments);
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.json()
    };
    let first = outcome(&["archive", "idle", "--reason", "--unused", "--json"]);
    assert_eq!(first["version"], 1);
    assert_eq!(first["outcome"], "archived");
    assert_eq!(first["id"], "idle");
    assert_eq!(first["reason"], "--unused");
    assert!(first["path"].as_str().unwrap().ends_with("idle/SKILL.md"));
    let again = outcome(&["archive", "idle", "--reason", "other", "--json"]);
    assert_eq!(again["outcome"], "already-archived");
    assert_eq!(again["reason"], "--unused", "the first one counts");
    assert_eq!(again["archived_at"], first["archived_at"]);
    assert!(
        environment
            .home()
            .join(".claude/skills/idle/SKILL.md")
            .exists()
    );

    assert_eq!(
        outcome(&["restore", "idle", "--json"])["outcome"],
        "restored"
    );
    let last = outcome(&["restore", "idle", "--json"]);
    assert_eq!(last["outcome"], "not-archived");
    assert!(last.get("reason").is_none());
}

#[test]
fn archive_and_restore_say_what_they_did() {
    let environment = machine();
    let mut transcript = String::new();
    for arguments in [
        &["archive", "idle", "--reason", "unused"][..],
        &["archive", "idle"],
        &["restore", "idle"],
        &["restore", "idle"],
        &["archive", "idel"],
        &["archive", "idle", "--reason", " "],
    ] {
        transcript += &environment.run(arguments).transcript();
    }
    with_settings!({filters => vec![(r"\b\d{4}-\d\d-\d\d\b", "[DATE]")]}, {
        assert_snapshot!(transcript);
    });
}

#[test]
fn a_skill_that_has_gone_can_be_restored() {
    let environment = machine();
    environment.run(&["archive", "idle"]);
    fs::remove_dir_all(environment.home().join(".claude/skills/idle")).unwrap();
    let restored = environment.run(&["restore", "idle", "--json"]).json();
    assert_eq!(restored["outcome"], "restored");
    assert!(restored.get("path").is_none());
    assert_eq!(environment.run(&["restore", "idle"]).code, 1);
}

#[test]
fn only_what_is_shown_to_models_can_be_put_away() {
    let environment = machine();
    environment.skill("elsewhere/own");
    let run = environment.run(&["archive", "elsewhere/own"]);
    assert_eq!(run.code, 1);
    assert_snapshot!(run.transcript());
    let with_root = environment.run(&["archive", "own", "--root", "elsewhere", "--json"]);
    assert_eq!(with_root.json()["outcome"], "archived");
}

#[test]
fn looking_keeps_nothing_but_what_scans_came_to() {
    let environment = machine();
    for arguments in [
        &["status"][..],
        &["list"],
        &["show", "pdf"],
        &["prompt"],
        &["status", "--json", "--digests"],
    ] {
        assert_eq!(environment.run(arguments).code, 0);
    }
    let kept = SqliteStore::at(records(&environment));
    assert!(kept.usages().unwrap().is_empty());
    assert!(kept.choices().unwrap().is_empty());
    fs::remove_dir_all(records(&environment)).unwrap();
    let mut command = environment.command(&["status"]);
    command.env("SKILLFUL_GUARD_ON_LOAD", "never");
    assert!(command.output().unwrap().status.success());
    assert!(!records(&environment).exists());
}

#[test]
fn roots_without_a_home_have_no_records() {
    let environment = machine();
    environment.skill("elsewhere/own");
    let run = |arguments: &[&str]| {
        let mut command = environment.command(arguments);
        command
            .env_remove("SKILLFUL_HOME")
            .args(["--root", "elsewhere"]);
        command.output().unwrap()
    };
    assert!(run(&["status"]).status.success());
    let refused = run(&["archive", "own"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--home"));
    assert!(!records(&environment).exists());
}

#[test]
fn damaged_records_are_reported_and_choices_kept() {
    let environment = machine();
    used(&environment, "idle", &[1]);
    environment.run(&["archive", "pdf"]);
    // Its log would heal it.
    fs::remove_file(records(&environment).join("skillful.db-wal")).unwrap();
    fs::write(records(&environment).join("skillful.db"), "x".repeat(9_000)).unwrap();
    let run = environment.run(&["status", "--json"]);
    assert_eq!(run.code, 0);
    assert!(
        run.stderr.contains("skillful.db.damaged-1"),
        "{}",
        run.stderr
    );
    assert_eq!(run.json()["skills"][4]["lifecycle"], "archived");

    fs::write(records(&environment).join("choices.json"), "{").unwrap();
    let run = environment.run(&["status", "pdf", "--json"]);
    assert!(run.stderr.contains("copy"), "{}", run.stderr);
    assert_eq!(run.json()["skills"][0]["lifecycle"], "archived");
}

#[test]
fn records_that_cannot_be_kept_do_not_stop_the_work() {
    let environment = machine();
    let place = records(&environment);
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    fs::write(&place, "a file where a directory ought to be").unwrap();
    assert_eq!(environment.run(&["status"]).code, 0);
    let run = environment.run(&["archive", "pdf"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("\nerror: "), "{}", run.stderr);
}
