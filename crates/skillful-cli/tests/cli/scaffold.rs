//! `new` and `completions`.

use std::fs;

use insta::assert_snapshot;

use crate::environment::Environment;

#[test]
fn a_new_skill_passes_the_check() {
    let environment = Environment::new();
    let run = environment.run(&["new", "PDF Forms", "--in", ".claude/skills"]);
    assert_snapshot!(run.transcript());
    let check = environment.run(&["check", "--strict", ".claude/skills/pdf-forms"]);
    assert_eq!(check.code, 0, "{}", check.transcript());
}

#[test]
fn descriptions_of_any_text_are_kept() {
    let environment = Environment::new();
    for (name, description) in [
        ("a", "Use when: #1 is \"due\""),
        ("b", "- dash"),
        ("c", "true"),
        ("d", "中文 — 说明"),
    ] {
        let run = environment.run(&["new", name, "--description", description, "--json"]);
        assert_eq!(run.json()["id"], name);
        let show = environment
            .run(&["show", name, "--root", ".", "--json"])
            .json();
        assert_eq!(show["description"], description);
    }
}

#[test]
fn nothing_that_exists_is_touched() {
    let environment = Environment::new();
    let path = environment.skill("forms");
    let before = fs::read(&path).unwrap();
    let run = environment.run(&["new", "forms"]);
    assert_snapshot!(run.transcript());
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn hostile_and_missing_names_are_wrong_usage_or_harmless() {
    let environment = Environment::new();
    let run = environment.run(&["new", "../../etc/passwd"]);
    assert_eq!(run.code, 0);
    assert!(environment.project().join("etcpasswd/SKILL.md").is_file());
    assert_eq!(environment.run(&["new", "!!!"]).code, 2);
    assert_eq!(environment.run(&["new"]).code, 2);
    let device = environment.run(&["new", "con"]);
    assert_eq!(device.code, 2);
    assert!(device.stderr.contains("Windows"), "{}", device.stderr);
    let long = "d".repeat(1025);
    assert_eq!(
        environment.run(&["new", "x", "--description", &long]).code,
        2
    );
    assert!(!environment.project().join("x").exists());
}

#[test]
fn every_shell_gets_a_script() {
    let environment = Environment::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = environment.run(&["completions", shell]);
        assert_eq!(run.code, 0);
        assert!(
            run.stdout.contains("skillful") && run.stdout.contains("dry-run"),
            "{shell}"
        );
    }
}

#[test]
fn help_has_examples() {
    let environment = Environment::new();
    assert_snapshot!(environment.run(&["--help"]).transcript());
    for verb in [
        "list",
        "show",
        "check",
        "fmt",
        "fix",
        "explain",
        "new",
        "convert",
        "prompt",
        "schedule",
        "deps",
        "pack",
        "publish",
        "serve",
        "token",
        "completions",
    ] {
        let help = environment.run(&[verb, "--help"]);
        assert_eq!(help.code, 0);
        assert!(help.stdout.contains("Examples:"), "{verb}");
    }
    assert_eq!(
        environment.run(&["launch"]).code,
        2,
        "only verbs that work are known"
    );
}
