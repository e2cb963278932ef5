//! `adopt`: what other tools installed is taken over without touching a byte of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use insta::assert_snapshot;
use serde_json::json;

use crate::environment::{Environment, skill_text};

/// Every file below a directory with its bytes and when it was changed.
fn files(directory: &Path) -> BTreeMap<String, (Vec<u8>, SystemTime)> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![directory.to_owned()];
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let metadata = fs::symlink_metadata(&path).unwrap();
            let time = metadata.modified().unwrap();
            let name = path.to_string_lossy().into_owned();
            if metadata.is_dir() {
                found.insert(name, (Vec::new(), time));
                waiting.push(path);
            } else if metadata.is_symlink() {
                let target = fs::read_link(&path).unwrap();
                found.insert(
                    name,
                    (target.to_string_lossy().into_owned().into_bytes(), time),
                );
            } else {
                found.insert(name, (fs::read(&path).unwrap(), time));
            }
        }
    }
    found
}

const LOCK: &str = r#"{"version":1,"skills":{
    "pdf":{"source":"acme/skills","ref":"v2","sourceType":"github","skillPath":"skills/pdf/SKILL.md","computedHash":"00","new":[]},
    "gone":{"source":"acme/skills","sourceType":"github"},
    "../evil":{"source":"acme/skills","sourceType":"github"}}}"#;

#[cfg(unix)]
#[test]
fn a_project_of_npx_skills_is_adopted_as_it_lies() {
    let environment = Environment::new();
    environment.skill(".agents/skills/pdf");
    fs::create_dir_all(environment.project().join(".claude/skills")).unwrap();
    let link = environment.project().join(".claude/skills/pdf");
    std::os::unix::fs::symlink("../../.agents/skills/pdf", link).unwrap();
    environment.write("skills-lock.json", LOCK);
    let before = files(&environment.project());

    let shown = environment.run(&["adopt", "--dry-run"]);
    assert_snapshot!(shown.transcript());
    assert_eq!(files(&environment.project()), before);

    let adopted = environment.run(&["adopt", "--json"]);
    let document = adopted.json();
    assert_eq!(document["adopted"], json!(["pdf"]));
    assert_eq!(document["skills"][0]["source"], "acme/skills@pdf#v2");
    assert_eq!(
        document["skills"][0]["targets"],
        json!([
            {"client": "universal", "path": ".agents/skills/pdf", "method": "copy"},
            {"client": "claude-code", "path": ".claude/skills/pdf", "method": "link"},
        ])
    );
    let mut after = files(&environment.project());
    let project = environment.project();
    for new in ["skills.lock", "skills.toml"] {
        assert!(
            after
                .remove(&*project.join(new).to_string_lossy())
                .is_some()
        );
    }
    assert_eq!(after, before);
    let verified = environment.run(&["verify"]);
    assert_eq!(verified.code, 0, "{}", verified.transcript());
    assert_snapshot!(
        "lock_of_adopted",
        fs::read_to_string(project.join("skills.lock")).unwrap()
    );
    let again = environment.run(&["adopt", "pdf", "--json"]).json();
    assert_eq!(again["applied"], false);
    assert_eq!(
        again["not_adopted"][0]["reason"],
        "it is installed by skillful already"
    );
    let removed = environment.run(&["remove", "pdf"]);
    assert_eq!(removed.code, 0, "{}", removed.transcript());
    assert_eq!(
        fs::read_dir(project.join(".claude/skills"))
            .unwrap()
            .count(),
        0
    );
}

#[test]
fn a_skill_that_no_tool_tells_of_is_adopted_with_its_source() {
    let environment = Environment::new();
    environment.skill(".claude/skills/notes");
    let unknown = environment.run(&["adopt", "notes"]);
    assert_eq!(unknown.code, 1);
    assert!(
        unknown.stdout.contains("`--source` does"),
        "{}",
        unknown.transcript()
    );
    assert!(!environment.project().join("skills.lock").exists());
    let adopted = environment.run(&["adopt", "notes", "--source", "acme/skills", "--json"]);
    assert_eq!(adopted.code, 0, "{}", adopted.transcript());
    assert_eq!(adopted.json()["adopted"], json!(["notes"]));
    assert_eq!(environment.run(&["verify"]).code, 0);
    let two = environment.run(&["adopt", "a", "b", "--source", "acme/skills"]);
    assert_eq!(two.code, 2);
    let none = environment.run(&["adopt", "nowhere", "--source", "acme/skills"]);
    assert_eq!(none.code, 1);
}

#[test]
fn a_lock_that_cannot_be_read_is_told() {
    let environment = Environment::new();
    environment.write("skills-lock.json", "{ no json");
    let told = environment.run(&["adopt"]);
    assert_eq!(told.code, 1);
    assert!(
        told.stderr.contains("skills-lock.json cannot be read"),
        "{}",
        told.transcript()
    );
}

#[test]
fn plugins_of_claude_code_are_listed_and_stay() {
    let environment = Environment::new();
    environment.write_home(
        ".claude/plugins/installed_plugins.json",
        r#"{"version":2,"plugins":{"tools@acme":[{"version":"1.2.0","installPath":"/x"}]}}"#,
    );
    environment.write_home(".claude/skills/mine/SKILL.md", skill_text("mine"));
    let told = environment.run(&["adopt", "--global", "--json"]);
    let mentions = json!([{"tool": "claude", "name": "tools@acme", "version": "1.2.0"}]);
    assert_eq!(told.json()["mentions"], mentions);
    assert_eq!(told.json()["applied"], false);
}
