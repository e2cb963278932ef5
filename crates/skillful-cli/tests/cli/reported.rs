//! What goes wrong with installers of skills in practice, as their users report it: each case with the real command.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::environment::{Environment, Run, skill_text};

fn source(environment: &Environment) -> PathBuf {
    environment.write("../source/notes/SKILL.md", skill_text("notes"));
    environment.project().join("../source")
}

fn run(environment: &Environment, arguments: &[&str]) -> Run {
    environment.run_with_path(arguments, &std::env::var_os("PATH").unwrap())
}

#[track_caller]
fn fine(environment: &Environment, arguments: &[&str]) -> Value {
    let run = run(environment, &[arguments, &["--json"]].concat());
    assert_eq!(run.code, 0, "{}", run.transcript());
    run.json()
}

fn git(directory: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@example.com"])
        .args(arguments)
        .current_dir(directory)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
}

/// The name in a frontmatter became a part of a path.
#[test]
fn a_name_is_no_path() {
    let environment = Environment::new();
    for (directory, name) in [("a", "../../../evil"), ("b", "/etc/evil"), ("c", "x/../y")] {
        environment.write(
            &format!("../source/{directory}/SKILL.md"),
            skill_text("notes").replace("name: notes", &format!("name: \"{name}\"")),
        );
    }
    let added = fine(&environment, &["add", "../source", "--yes"]);
    let skills = environment.project().join(".agents/skills");
    for placed in added["placed"].as_array().unwrap() {
        let id = placed.as_str().unwrap();
        assert!(!id.contains(['/', '.']), "{id}");
        assert!(skills.join(id).join("SKILL.md").is_file(), "{id}");
    }
    assert_eq!(added["placed"].as_array().unwrap().len(), 3);
    assert!(!environment.project().join("../evil").exists());
}

/// The directory that was installed from was the one that was installed into, and was deleted first.
#[test]
fn a_source_that_is_its_own_destination_stays() {
    let environment = Environment::new();
    let own = environment.skill(".agents/skills/notes");
    environment.write(".agents/skills/notes/data.txt", "mine");
    let refused = run(&environment, &["add", "./.agents/skills/notes", "--yes"]);
    assert_eq!(refused.code, 1, "{}", refused.transcript());
    assert!(
        refused.stdout.contains("is the source itself"),
        "{}",
        refused.stdout
    );
    assert_eq!(fs::read_to_string(&own).unwrap(), skill_text("notes"));
    let data = own.with_file_name("data.txt");
    assert_eq!(fs::read_to_string(data).unwrap(), "mine");
    assert!(!environment.project().join("skills.lock").exists());
}

/// Line endings that somebody's git turns around made every file look changed, for ever.
#[test]
fn line_endings_are_no_change() {
    let environment = Environment::new();
    let text = skill_text("notes").replace('\n', "\r\n");
    environment.write("../source/notes/SKILL.md", &text);
    environment.write("../source/notes/a.txt", "one\r\ntwo\n");
    environment.write("../source/.gitattributes", "*.txt text eol=crlf\n");
    environment.write_home(".gitconfig", "[core]\n\tautocrlf = true\n\teol = crlf\n");
    let source = environment.project().parent().unwrap().join("source");
    git(&source, &["init", "-q", "-b", "main"]);
    git(&source, &["-c", "core.autocrlf=false", "add", "-A"]);
    git(&source, &["commit", "-q", "-m", "x"]);
    let address = format!("git+file://{}", source.display());
    fine(&environment, &["add", &address, "--yes"]);
    let placed = environment.project().join(".agents/skills/notes");
    assert_eq!(fs::read_to_string(placed.join("SKILL.md")).unwrap(), text);
    // What the repository keeps, whatever a checkout would make of it.
    assert_eq!(
        fs::read_to_string(placed.join("a.txt")).unwrap(),
        "one\ntwo\n"
    );
    git(&source, &["commit", "-q", "--allow-empty", "-m", "another"]);
    assert_eq!(
        fine(&environment, &["outdated"])["skills"][0]["kind"],
        "current"
    );
    assert_eq!(fine(&environment, &["verify"])["ok"], true);
    let updated = fine(&environment, &["update", "--yes"]);
    assert_eq!(updated["updated"], json!([]));
}

/// A client's directory of skills was a link, and relative links in it led nowhere; success was reported all the same.
#[test]
fn directories_of_skills_that_are_links_are_followed() {
    let environment = Environment::new();
    let project = environment.project();
    source(&environment);
    fs::create_dir_all(project.join("config/deep/claude")).unwrap();
    fs::create_dir_all(project.join(".claude")).unwrap();
    symlink("../config/deep/claude", project.join(".claude/skills")).unwrap();
    fine(&environment, &["add", "../source", "--yes"]);
    let opened = |path: &str| fs::read_to_string(project.join(path).join("notes/SKILL.md"));
    assert_eq!(opened(".claude/skills").unwrap(), skill_text("notes"));
    assert_eq!(opened("config/deep/claude").unwrap(), skill_text("notes"));
    assert_eq!(fine(&environment, &["verify"])["ok"], true);
    fine(&environment, &["remove", "notes"]);
    assert!(
        project.join(".claude/skills").is_symlink(),
        "the user's link stays"
    );
    assert!(opened("config/deep/claude").is_err());

    // The same in the home, as managers of dotfiles make it; there it may lead anywhere.
    fs::create_dir_all(environment.home().join("dotfiles/claude/skills")).unwrap();
    symlink("dotfiles/claude", environment.home().join(".claude")).unwrap();
    fine(&environment, &["add", "../source", "--yes", "--global"]);
    let place = environment
        .home()
        .join("dotfiles/claude/skills/notes/SKILL.md");
    assert_eq!(fs::read_to_string(place).unwrap(), skill_text("notes"));
    assert!(environment.home().join(".claude").is_symlink());
}

/// One directory by two names got the skill twice.
#[test]
fn two_names_of_one_directory_are_written_once() {
    let environment = Environment::new();
    let project = environment.project();
    source(&environment);
    fs::create_dir_all(project.join(".agents/skills")).unwrap();
    fs::create_dir_all(project.join(".claude")).unwrap();
    symlink("../.agents/skills", project.join(".claude/skills")).unwrap();
    let added = fine(&environment, &["add", "../source", "--yes"]);
    let placements = added["plan"]["skills"][0]["placements"].as_array().unwrap();
    assert_eq!(placements.len(), 1, "{placements:?}");
    assert!(!project.join(".agents/skills/notes").is_symlink());
    assert_eq!(fine(&environment, &["verify"])["ok"], true);
}

/// A frozen install wrote the lock anew, and did not notice what had drifted.
#[test]
fn a_frozen_install_only_looks_at_the_lock() {
    let environment = Environment::new();
    source(&environment);
    fine(&environment, &["add", "../source", "--yes"]);
    let lock = environment.project().join("skills.lock");
    let text = fs::read_to_string(&lock).unwrap();
    // Another order of lines is the same lock, and stays as somebody left it.
    let commented = format!("# kept by hand\n{text}");
    fs::write(&lock, &commented).unwrap();
    fs::remove_dir_all(environment.project().join(".agents/skills/notes")).unwrap();
    fine(&environment, &["install", "--frozen"]);
    assert_eq!(fs::read_to_string(&lock).unwrap(), commented);
    assert_eq!(fine(&environment, &["verify"])["ok"], true);
    let toml = environment.project().join("skills.toml");
    let wanted = fs::read_to_string(&toml).unwrap() + "\n[wanted.other]\nsource = \"../source\"\n";
    fs::write(&toml, &wanted).unwrap();
    assert_eq!(run(&environment, &["install", "--frozen"]).code, 1);
    assert_eq!(fs::read_to_string(&lock).unwrap(), commented);
}

/// A cache that goes by the version an author wrote handed out the old files.
#[test]
fn the_same_version_with_other_files_is_an_update() {
    let environment = Environment::new();
    let versioned = |more: &str| {
        let text =
            skill_text("notes").replace("---\n\n#", "metadata:\n  version: \"1.0\"\n---\n\n#");
        environment.write("../source/notes/SKILL.md", text + more);
    };
    versioned("");
    fine(&environment, &["add", "../source", "--yes"]);
    versioned("\nNewer.\n");
    let outdated = run(&environment, &["outdated", "--json"]).json();
    assert_eq!(outdated["skills"][0]["kind"], "update", "{outdated}");
    assert_eq!(
        fine(&environment, &["update", "--yes"])["updated"],
        json!(["notes"])
    );
    let placed = environment.project().join(".agents/skills/notes/SKILL.md");
    assert!(fs::read_to_string(placed).unwrap().ends_with("\nNewer.\n"));
}

/// What was deleted by hand could not be had again.
#[test]
fn what_was_deleted_by_hand_is_installed_again() {
    let environment = Environment::new();
    source(&environment);
    fine(&environment, &["add", "../source", "--yes"]);
    let placed = environment.project().join(".agents/skills/notes");
    for again in [&["add", "../source", "--yes"][..], &["install"]] {
        fs::remove_dir_all(&placed).unwrap();
        fine(&environment, again);
        assert!(placed.join("SKILL.md").is_file(), "{again:?}");
    }
}
