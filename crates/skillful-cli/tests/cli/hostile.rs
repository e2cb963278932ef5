//! Files and directories that mean harm, or are merely odd: a state, a reason, and no hang.

use std::fs;

use crate::environment::{Environment, skill_text};

fn states(environment: &Environment) -> Vec<(String, String, String)> {
    let list = environment.run(&["list", "--root", "skills", "--json"]);
    assert_eq!(list.code, 0, "{}", list.stderr);
    list.json()["skills"]
        .as_array()
        .unwrap()
        .iter()
        .map(|skill| {
            let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
            (
                text(&skill["id"]),
                text(&skill["state"]),
                text(&skill["blockers"][0]["kind"]),
            )
        })
        .collect()
}

#[track_caller]
fn assert_state(environment: &Environment, id: &str, state: &str, kind: &str) {
    let states = states(environment);
    let expected = (id.to_owned(), state.to_owned(), kind.to_owned());
    assert!(
        states.contains(&expected),
        "{expected:?} is not in {states:?}"
    );
}

#[test]
fn files_that_are_no_text() {
    let environment = Environment::new();
    environment.write("skills/binary/SKILL.md", [0x7F, b'E', b'L', b'F', 0, 0xFF]);
    environment.write("skills/empty/SKILL.md", "");
    environment.write("skills/huge/SKILL.md", vec![b'x'; 1024 * 1024 + 1]);
    environment.write("skills/limit/SKILL.md", vec![b'x'; 1024 * 1024]);
    fs::create_dir_all(environment.project().join("skills/directory/SKILL.md")).unwrap();
    assert_state(&environment, "binary", "broken", "not-utf8");
    assert_state(&environment, "empty", "broken", "file-empty");
    assert_state(&environment, "huge", "broken", "file-too-large");
    assert_state(&environment, "limit", "ready", "");
    assert_state(&environment, "directory", "broken", "file-not-regular");
    let check = environment.run(&["check", "--json", "skills"]);
    assert_eq!(check.code, 1);
    assert_eq!(check.json()["summary"]["skills"], 5);
}

/// A sparse file of 100 MiB costs no disk, and must cost no memory either.
#[test]
fn a_file_of_a_hundred_mebibytes() {
    let environment = Environment::new();
    let path = environment.write("skills/sparse/SKILL.md", "---\n");
    fs::File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_len(100 << 20)
        .unwrap();
    assert_state(&environment, "sparse", "broken", "file-too-large");
}

#[test]
fn names_that_are_paths_stay_names() {
    let environment = Environment::new();
    for (directory, name) in [
        ("a", "../../etc"),
        ("b", "/etc/passwd"),
        ("c", "..\\\\x"),
        ("d", "a\u{202e}b"),
    ] {
        let text = format!("---\nname: \"{name}\"\ndescription: d\n---\nx\n");
        environment.write(&format!("skills/{directory}/SKILL.md"), text);
    }
    for id in ["etc", "etcpasswd", "x", "ab"] {
        assert_state(&environment, id, "ready", "");
    }
    let show = environment
        .run(&["show", "../../etc", "--root", "skills", "--json"])
        .json();
    assert_eq!(show["id"], "etc");
    let text = environment.run(&["show", "ab", "--root", "skills"]).stdout;
    assert!(
        !text.contains('\u{202e}'),
        "overrides are shown, not obeyed"
    );
}

#[test]
fn terminal_escapes_in_a_skill_do_nothing() {
    let environment = Environment::new();
    environment.write(
        "skills/a/SKILL.md",
        "---\nname: a\ndescription: \"x\\e[2J\\e]0;t\\ay\"\n---\nx\n",
    );
    for arguments in [
        &["list", "--root", "skills"][..],
        &["show", "a", "--root", "skills"],
        &["check", "skills"],
        &["check", "--format", "github", "skills"],
        &["fix", "--dry-run", "skills"],
        &["--root", "skills"],
    ] {
        assert_no_escapes(&environment, arguments);
    }
}

/// Colours are asked for: without them all escapes are taken out at the end, and what let them through would not show.
#[track_caller]
fn assert_no_escapes(environment: &Environment, arguments: &[&str]) {
    let run = environment.run(&[&["--color", "always"], arguments].concat());
    assert!(!run.stdout.is_empty());
    for (escape, _) in run.stdout.match_indices('\u{1b}') {
        let sequence = &run.stdout[escape + 1..];
        let end = sequence.find(|c: char| c.is_ascii_alphabetic());
        assert_eq!(
            end.map(|end| &sequence[end..=end]),
            Some("m"),
            "{arguments:?}: {:?}",
            run.stdout
        );
    }
}

#[test]
fn a_root_that_does_not_exist() {
    let environment = Environment::new();
    assert_eq!(environment.run(&["list", "--root", "none"]).code, 2);
    assert_eq!(environment.run(&["list", "--project", "none"]).code, 2);
    environment.write("file", "x");
    assert_eq!(environment.run(&["list", "--root", "file"]).code, 2);
    assert_eq!(
        environment.run(&["list", "--home", "none", "--json"]).code,
        0,
        "a home may lack everything"
    );
}

#[cfg(unix)]
#[test]
fn terminal_escapes_in_paths_do_nothing() {
    let environment = Environment::new();
    let root = "a\u{1b}[2Jb";
    environment.write(
        &format!("{root}/c\u{1b}]0;t\u{7}/SKILL.md"),
        "---\nname: c\ndescription: x: y\n---\n",
    );
    for arguments in [
        &["list", "--root", root][..],
        &["show", "c", "--root", root],
        &["check", root],
        &["check", "--format", "github", root],
        &["fix", "--dry-run", root],
        &["--root", root],
    ] {
        assert_no_escapes(&environment, arguments);
    }
}

#[cfg(unix)]
mod unix {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::Command;

    use super::*;

    #[test]
    fn links_in_circles_and_out_of_the_root() {
        let environment = Environment::new();
        environment.skill("skills/real");
        let skills = environment.project().join("skills");
        symlink(&skills, skills.join("circle")).unwrap();
        symlink("self", skills.join("self")).unwrap();
        symlink("real", skills.join("again")).unwrap();
        let secret = environment.write("secret.md", skill_text("secret"));
        fs::create_dir(skills.join("leak")).unwrap();
        symlink(&secret, skills.join("leak/SKILL.md")).unwrap();
        fs::create_dir(skills.join("dangling")).unwrap();
        symlink("nowhere", skills.join("dangling/SKILL.md")).unwrap();
        assert_state(&environment, "real", "ready", "");
        assert_state(&environment, "leak", "broken", "link-outside-root");
        assert_state(&environment, "dangling", "broken", "link-broken");
        let all = states(&environment);
        assert_eq!(
            all.iter().filter(|(id, ..)| id == "real").count(),
            2,
            "{all:?}"
        );
        let text = environment
            .run(&["list", "--root", "skills", "--json"])
            .stdout;
        assert!(
            !text.contains("Does secret"),
            "nothing of the file outside is shown"
        );
    }

    #[test]
    fn archives_behind_links_out_of_the_root_are_not_read() {
        let environment = Environment::new();
        environment.skill("skills/real");
        let outside = environment.write("outside.zip", "PK\u{3}\u{4}");
        symlink(&outside, environment.project().join("skills/x.skill")).unwrap();
        assert_state(&environment, "x", "broken", "link-outside-root");
    }

    #[test]
    fn pipes_and_devices_are_not_opened() {
        let environment = Environment::new();
        let directory = environment.project().join("skills/pipe");
        fs::create_dir_all(&directory).unwrap();
        let made = Command::new("mkfifo")
            .arg(directory.join("SKILL.md"))
            .status()
            .unwrap();
        assert!(made.success());
        assert_state(&environment, "pipe", "broken", "file-not-regular");
        let bundle = environment.project().join("skills/bundle.skill");
        assert!(
            Command::new("mkfifo")
                .arg(bundle)
                .status()
                .unwrap()
                .success()
        );
        assert_state(&environment, "bundle", "broken", "file-not-regular");
        let check = environment.run(&["check", "--json", "skills/pipe"]);
        assert_eq!(check.code, 1);
    }

    #[test]
    fn directories_without_permission_are_told() {
        let environment = Environment::new();
        environment.skill("skills/open");
        environment.skill("skills/closed");
        let closed = environment.project().join("skills/closed");
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
        let is_root = fs::read_dir(&closed).is_ok();
        let run = environment.run(&["list", "--root", "skills", "--json"]);
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(run.code, 0);
        let list = run.json();
        let ids: Vec<_> = list["skills"]
            .as_array()
            .unwrap()
            .iter()
            .map(|skill| skill["id"].as_str().unwrap().to_owned())
            .collect();
        assert!(ids.contains(&"open".to_owned()));
        // The superuser may read everything; for others the directory must not vanish.
        let told = ids.contains(&"closed".to_owned()) || run.stdout.contains("closed");
        assert!(is_root || told, "{}", run.stdout);
    }
}
