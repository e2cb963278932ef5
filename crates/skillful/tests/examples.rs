//! The examples do what they say.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is the report")]

use std::error::Error;
use std::io::Write;
use std::path::Path;

#[expect(dead_code, reason = "a test needs no `main`")]
#[path = "../examples/agent_loop.rs"]
mod agent_loop;
#[expect(dead_code, reason = "a test needs no `main`")]
#[path = "../examples/custom_host.rs"]
mod custom_host;
#[expect(dead_code, reason = "a test needs no `main`")]
#[path = "../examples/custom_root.rs"]
mod custom_root;

type Example = fn(&Path, &mut dyn Write) -> Result<(), Box<dyn Error>>;

/// What an example prints about a directory, which is shown as `DIRECTORY`.
fn printed(example: Example, directory: &Path) -> String {
    let mut out = Vec::new();
    example(directory, &mut out).unwrap();
    let real = directory.canonicalize().unwrap();
    let text = String::from_utf8(out).unwrap();
    text.replace(&*real.to_string_lossy(), "DIRECTORY")
}

#[test]
fn an_agent_holds_a_conversation() {
    let directory = tempfile::tempdir().unwrap();
    agent_loop::write_skills(directory.path()).unwrap();
    insta::assert_snapshot!(printed(agent_loop::run, directory.path()));
}

#[test]
fn an_agent_takes_any_directory() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().join("tidy");
    std::fs::create_dir(&place).unwrap();
    let text = "---\nname: tidy\ndescription: Tidies up.\n---\nPut it away.\n";
    std::fs::write(place.join("SKILL.md"), text).unwrap();
    let printed = printed(agent_loop::run, directory.path());
    assert!(printed.contains("model   skill(\"tidy\")"), "{printed}");
    assert!(printed.contains("Put it away."), "{printed}");
    assert!(printed.contains("ARGUMENTS: please"), "{printed}");
}

#[test]
fn an_agent_without_skills_has_nothing_to_say() {
    let directory = tempfile::tempdir().unwrap();
    let printed = printed(agent_loop::run, directory.path());
    assert!(printed.ends_with("\nOn record:\n"), "{printed}");
}

#[test]
fn a_host_decides_what_can_be_used() {
    let directory = tempfile::tempdir().unwrap();
    insta::assert_snapshot!(printed(custom_host::run, directory.path()));
}

#[test]
fn a_root_is_followed() {
    let directory = tempfile::tempdir().unwrap();
    let printed = printed(custom_root::run, directory.path());
    let mut rest = printed.as_str();
    for line in [
        "0 skills\n",
        "event: loaded greet\n",
        "greet is ready: Says hello. ",
        "event: changed greet\n",
        "greet is ready: Says hello and goodbye. ",
    ] {
        let (_, after) = rest.split_once(line).unwrap_or_else(|| {
            panic!("no {line:?} after what came before in:\n{printed}");
        });
        rest = after;
    }
}
