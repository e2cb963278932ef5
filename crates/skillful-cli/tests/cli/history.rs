//! `history`, `undo` and `redo` over everything that changes a file: not only verbs that write skills, but those that
//! format, mend, configure, choose and publish.

use std::fs;

use serde_json::{Value, json};

use crate::environment::{Environment, skill_text};

/// A skill whose frontmatter is not in its canonical form, and has a fault that can be mended.
const UNTIDY: &str =
    "---\ndescription: Does a: thing. Use when asked.\nname: untidy\n---\n\nDo it.\n";

/// The operations of the history, newest first, and whether each is undone.
fn operations(environment: &Environment) -> Vec<Value> {
    let history = environment.run(&["history", "--json"]).json();
    let entries = history["entries"].as_array().unwrap().iter();
    entries
        .map(|entry| {
            json!([
                entry["op"],
                !entry["undone"].is_null() && entry["undone"] != false
            ])
        })
        .collect()
}

#[track_caller]
fn fine(environment: &Environment, arguments: &[&str]) {
    let run = environment.run(arguments);
    assert_eq!(run.code, 0, "{}", run.transcript());
}

#[test]
fn what_is_formatted_and_mended_is_undone() {
    let environment = Environment::new();
    let untidy = environment.write(".claude/skills/untidy/SKILL.md", UNTIDY);
    let other = environment.write(
        ".claude/skills/other/SKILL.md",
        skill_text("other")
            .replace("name: other\n", "")
            .replace("---\n\n#", "name: other\n---\n\n#"),
    );
    let texts = || {
        (
            fs::read_to_string(&untidy).unwrap(),
            fs::read_to_string(&other).unwrap(),
        )
    };
    let before = texts();
    fine(&environment, &["fix", ".claude/skills"]);
    let mended = texts();
    assert_ne!(mended.0, before.0);
    fine(&environment, &["fmt", ".claude/skills"]);
    let formatted = texts();
    assert!(formatted.0 != mended.0 && formatted.1 != mended.1);
    assert_eq!(
        operations(&environment),
        [json!(["format", false]), json!(["fix", false])]
    );
    fine(&environment, &["undo"]);
    assert_eq!(texts(), mended, "all files of one command at once");
    fine(&environment, &["undo"]);
    assert_eq!(texts(), before);
    fine(&environment, &["redo"]);
    assert_eq!(texts(), mended);
}

#[test]
fn looking_keeps_no_history() {
    let environment = Environment::new();
    environment.write(".claude/skills/untidy/SKILL.md", UNTIDY);
    assert_eq!(
        environment.run(&["fmt", "--check", ".claude/skills"]).code,
        1
    );
    environment.run(&["fix", "--dry-run", ".claude/skills"]);
    fine(&environment, &["history"]);
    assert!(!environment.home().join(".local").exists());
}

/// As in a container or on a server: files are formatted all the same, and it is said that this cannot be undone.
#[test]
fn without_a_place_for_a_history_files_are_written_all_the_same() {
    let environment = Environment::new();
    environment.write_home(".local", "no directory");
    let untidy = environment.write("skills/untidy/SKILL.md", UNTIDY);
    let run = environment.run(&["fix", "skills"]);
    assert_eq!(run.code, 0, "{}", run.transcript());
    assert!(
        run.stderr.contains("no history can be kept"),
        "{}",
        run.stderr
    );
    assert_ne!(fs::read_to_string(&untidy).unwrap(), UNTIDY);
    fine(&environment, &["new", "pdf", "--in", "skills"]);
    assert!(environment.project().join("skills/pdf/SKILL.md").is_file());
    let mut homeless = environment.command(&["fmt", "skills"]);
    homeless
        .env_remove("HOME")
        .env_remove("USERPROFILE")
        .env_remove("SKILLFUL_HOME");
    let output = homeless.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn a_new_directory_is_undone() {
    let environment = Environment::new();
    fine(&environment, &["new", "pdf-forms", "--in", "deep/skills"]);
    assert!(
        environment
            .project()
            .join("deep/skills/pdf-forms/SKILL.md")
            .is_file()
    );
    fine(&environment, &["undo"]);
    assert!(!environment.project().join("deep").exists());
}

#[test]
fn configuration_is_undone() {
    let environment = Environment::new();
    environment.skill(".claude/skills/deploy");
    let file = environment.home().join(".config/skillful/skills.toml");
    fine(&environment, &["config", "set", "guard.preset", "strict"]);
    let set = fs::read_to_string(&file).unwrap();
    for verb in [
        &["pin", "deploy"][..],
        &["disable", "deploy"],
        &["mode", "deploy", "manual-only"],
    ] {
        fine(&environment, verb);
        assert_ne!(fs::read_to_string(&file).unwrap(), set);
        let history = environment.run(&["history", "deploy", "--json"]).json();
        assert_eq!(history["entries"][0]["op"], "configure", "{history}");
        fine(&environment, &["undo"]);
        assert_eq!(fs::read_to_string(&file).unwrap(), set);
    }
    fine(&environment, &["undo"]);
    assert!(!file.exists());
}

#[test]
fn choices_are_undone() {
    let environment = Environment::new();
    environment.skill(".claude/skills/deploy");
    let state = || {
        let list = environment.run(&["list", "--json"]).json();
        let skills = list["skills"].as_array().unwrap().clone();
        let deploy = skills.iter().find(|skill| skill["id"] == "deploy").unwrap();
        deploy["state"].clone()
    };
    fine(&environment, &["archive", "deploy", "--reason", "old"]);
    assert_eq!(state(), "archived");
    fine(&environment, &["undo"]);
    assert_eq!(state(), "ready");
    fine(&environment, &["redo"]);
    assert_eq!(state(), "archived");
    fine(&environment, &["restore", "deploy"]);
    assert_eq!(state(), "ready");
    fine(&environment, &["undo"]);
    assert_eq!(state(), "archived");
    // The copy that stands in for a lost file knows of it.
    fs::remove_file(
        environment
            .home()
            .join(".local/share/skillful/choices.json"),
    )
    .unwrap();
    assert_eq!(state(), "archived");
    assert_eq!(
        operations(&environment)[..2],
        [json!(["undo", false]), json!(["restore", true])]
    );
    let again = environment.run(&["archive", "deploy", "--json"]).json();
    assert_eq!(again["outcome"], "already-archived");
    assert_eq!(
        operations(&environment)[0],
        json!(["undo", false]),
        "nothing is noted of nothing"
    );
}

#[test]
fn an_acceptance_is_undone() {
    let environment = Environment::new();
    environment.skill(".claude/skills/deploy");
    let digest = environment.run(&["why", "deploy", "--json"]).json()["guard"]["digest"].clone();
    let digest = digest.as_str().unwrap();
    fine(
        &environment,
        &["accept", "deploy", "--digest", digest, "--reason", "ours"],
    );
    fine(&environment, &["undo"]);
    let revoked = environment
        .run(&["accept", "deploy", "--revoke", "--json"])
        .json();
    assert_eq!(revoked["outcome"], "not-accepted");
}

#[test]
fn a_refused_undo_shows_what_was_changed_since() {
    let environment = Environment::new();
    fine(&environment, &["new", "forms"]);
    environment.write("forms/SKILL.md", skill_text("forms"));
    let refused = environment.run(&["undo"]);
    assert_eq!(refused.code, 1);
    for line in [
        "--- a/forms/SKILL.md",
        "+Do it.",
        "-Say here what to do, step by step.",
    ] {
        assert!(refused.stdout.contains(line), "{}", refused.transcript());
    }
    assert!(
        refused.stderr.contains("changed by hand, as shown above"),
        "{}",
        refused.stderr
    );
    environment.write("plain/SKILL.md", UNTIDY);
    fine(&environment, &["fix", "plain"]);
    environment.write("plain/SKILL.md", skill_text("plain"));
    let refused = environment.run(&["undo"]);
    assert!(
        refused.stdout.contains("+# plain"),
        "{}",
        refused.transcript()
    );
}

#[test]
fn a_published_tree_is_undone() {
    let environment = Environment::new();
    environment.skill(".claude/skills/forms");
    fine(
        &environment,
        &["publish", "forms", "--to", "out", "--as", "tree"],
    );
    assert!(environment.project().join("out/forms/SKILL.md").is_file());
    fine(&environment, &["undo"]);
    assert!(!environment.project().join("out").exists());
}

/// What cannot be written is not asked for by who only reads. The lock of the records stands for a disk that is mounted
/// to be read, which tests that run as the superuser cannot have.
#[test]
fn a_history_is_read_where_nothing_can_be_written() {
    let environment = Environment::new();
    fine(&environment, &["new", "pdf-forms"]);
    let data = environment.home().join(".local/share/skillful");
    let lock = data.join("records.lock");
    fs::remove_file(&lock).unwrap();
    fs::create_dir(&lock).unwrap();
    let history = environment.run(&["history", "--json"]);
    assert_eq!(history.code, 0, "{}", history.transcript());
    assert_eq!(history.json()["entries"][0]["op"], "create");
    // The same without the files that SQLite keeps beside a database in use.
    for ending in ["-wal", "-shm"] {
        let _ = fs::remove_file(data.join(format!("journal.db{ending}")));
    }
    assert_eq!(
        environment.run(&["history", "--json"]).json()["entries"][0]["seq"],
        1
    );
    let undo = environment.run(&["undo"]);
    assert_eq!(undo.code, 1, "{}", undo.transcript());
    assert!(environment.project().join("pdf-forms").exists());
}
