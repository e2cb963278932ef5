//! `schedule`, and what `watch` tells of it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::time::Duration;

use insta::{assert_snapshot, with_settings};
use serde_json::Value;
use skillful::{Host, Options};
use skillful_store::{Approval, Choice, Key, SqliteStore, Store, Timestamp};

use crate::environment::Environment;

/// A skill with an automation, one with several schedules, one that cannot be read, and one that suggests nothing.
fn machine() -> Environment {
    let environment = Environment::new();
    let skill = |name: &str, rest: &str| {
        let text = format!(
            "---\nname: {name}\ndescription: Does {name}. Use when asked.\n{rest}---\n\nDo it.\n"
        );
        environment.write_home(&format!(".claude/skills/{name}/SKILL.md"), text);
    };
    skill(
        "greet",
        "automation:\n  schedule: 0 8 * * 1-5\n  prompt: \"Say \\e[2J hello\"\n  deliver: mail\n",
    );
    skill(
        "report",
        "triggers: ['schedule:every 1m', 'schedule:-daily', 'schedule:@daily', 'schedule:night-watch']\n",
    );
    skill("plain", "");
    environment
}

fn json(environment: &Environment, arguments: &[&str]) -> Value {
    let mut all = vec!["schedule"];
    all.extend(arguments);
    all.push("--json");
    let run = environment.run(&all);
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.json()
}

fn standings(environment: &Environment) -> Vec<String> {
    let document = json(environment, &[]);
    let schedules = document["schedules"].as_array().unwrap().iter();
    schedules
        .map(|it| {
            let text = |field: &str| it[field].as_str().unwrap().to_owned();
            assert_eq!(it["approved"], it["standing"] == "approved");
            assert_eq!(it["approved"], it.get("next").is_some());
            format!(
                "{} {}: {}",
                text("id"),
                text("expression"),
                text("standing")
            )
        })
        .collect()
}

#[test]
fn what_skills_suggest_is_listed_and_nothing_is_approved() {
    let environment = machine();
    assert_eq!(
        standings(&environment),
        [
            "greet 0 8 * * 1-5: not-approved",
            "report every 1m: not-approved",
            "report @daily: not-approved",
            "report night-watch: by-name",
        ]
    );
    let document = json(&environment, &["list"]);
    assert_eq!(document["version"], 1);
    let greet = &document["schedules"][0];
    assert_eq!(greet["kind"], "automation");
    assert_eq!(greet["prompt"], "Say \u{1b}[2J hello");
    assert_eq!(greet["deliver"], "mail");
    assert!(greet["digest"].as_str().unwrap().starts_with("sha256:"));
    assert_eq!(document["schedules"][1]["kind"], "skill");
    let refused = &document["refused"][0];
    assert_eq!(refused["code"], "invalid-value");
    assert!(refused["message"].as_str().unwrap().contains("`-daily`"));
    assert_snapshot!(environment.run(&["schedule"]).transcript());
}

#[test]
fn an_approval_is_made_shown_and_taken_back() {
    let environment = machine();
    let mut transcript = String::new();
    for arguments in [
        &["schedule", "approve", "greet"][..],
        &["schedule", "approve", "greet", "0 8 * * 1-5"],
        &["schedule"],
        &["schedule", "approve", "report"],
        &["schedule", "approve", "report", "-daily"],
        &["schedule", "approve", "report", "night-watch"],
        &["schedule", "approve", "plain"],
        &["schedule", "approve", "grete"],
        &["schedule", "withdraw", "greet"],
        &["schedule", "withdraw", "greet"],
        &["schedule", "--zone", "Middle/Earth"],
    ] {
        transcript += &environment.run(arguments).transcript();
    }
    let time = r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ";
    with_settings!({filters => vec![(time, "[TIME]")]}, {
        assert_snapshot!(transcript);
    });
}

#[test]
fn outcomes_are_words() {
    let environment = machine();
    let outcome = |arguments: &[&str]| {
        let document = json(&environment, arguments);
        assert_eq!(document["version"], 1);
        assert_eq!(document["id"], "report");
        document["outcome"].as_str().unwrap().to_owned()
    };
    let (approve, withdraw) = (["approve", "report", "@daily"], ["withdraw", "report"]);
    assert_eq!(outcome(&approve), "approved");
    assert_eq!(outcome(&approve), "already-approved");
    environment.write_home(".claude/skills/report/new.sh", "true\n");
    assert!(standings(&environment).contains(&"report @daily: outdated".to_owned()));
    assert_eq!(outcome(&approve), "approved", "the new files");
    fs::remove_dir_all(environment.home().join(".claude/skills/report")).unwrap();
    assert_eq!(outcome(&withdraw), "withdrawn", "though it has gone");
    assert_eq!(environment.run(&["schedule", "withdraw", "report"]).code, 1);
}

#[test]
fn a_watcher_tells_once_what_is_due() {
    let environment = machine();
    let schedules = json(&environment, &[]);
    let digest = schedules["schedules"][1]["digest"].as_str().unwrap();
    let options = Options {
        home: Some(environment.home()),
        ..Options::default()
    };
    let records = skillful::records::directory(&Host::new("/"), &options).unwrap();
    let store = SqliteStore::at(records);
    let root = environment.home().join(".claude/skills");
    let key = Key::new("report", root.to_string_lossy());
    let what = "schedule:@daily";
    let approve = Choice::Approve {
        what: what.to_owned(),
        approval: Approval::new(digest, Timestamp::from_seconds(1)),
    };
    store.choose(&key, approve).unwrap();

    let mut watch = environment
        .command(&["watch", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let stdout = BufReader::new(watch.stdout.take().unwrap());
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in stdout.lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let due = loop {
        let line = lines.recv_timeout(Duration::from_secs(120)).unwrap();
        let event: Value = serde_json::from_str(&line).unwrap();
        if event["kind"] == "due" {
            break event;
        }
    };
    watch.kill().unwrap();
    watch.wait().unwrap();
    assert_eq!(due["id"], "report");
    assert_eq!(due["expression"], "@daily");
    assert_eq!(due["due"], "1970-01-02T00:00:00Z");
    assert_eq!(due["detail"], "`@daily`: use the skill `report`");
    let choices = store.choices().unwrap();
    assert!(choices.approval(&key, what).unwrap().used.is_some());
}

#[test]
fn roots_without_a_home_have_no_approvals() {
    let environment = machine();
    let root = environment.home().join(".claude/skills");
    let mut command = environment.command(&["schedule", "approve", "greet", "--root"]);
    let output = command
        .arg(root)
        .env_remove("SKILLFUL_HOME")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--home"));
}
