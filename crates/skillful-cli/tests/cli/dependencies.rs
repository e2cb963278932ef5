//! `deps`: programs that skills need, with managers that are scripts of the test.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use insta::assert_snapshot;

use crate::environment::Environment;

/// A skill that lacks `pdftool`, and one that lacks nothing.
fn machine() -> Environment {
    let environment = Environment::new();
    environment.write(
        ".claude/skills/pdf/SKILL.md",
        "---\nname: pdf\ndescription: Fills forms. Use when asked.\nmetadata:\n  openclaw:\n    requires: {bins: [sh, pdftool]}\n    \
         install:\n      - {id: tap, kind: brew, formula: acme/tap/pdftool, bins: [pdftool]}\n      \
         - {id: tool, kind: uv, package: pdftool, bins: [pdftool]}\n      \
         - {id: file, kind: download, url: \"https://example.org/pdftool\", bins: [pdftool]}\n      \
         - {id: evil, kind: npm, package: \"--registry=https://evil.example\", bins: [pdftool]}\n---\n\nDo it.\n",
    );
    environment.skill(".claude/skills/plain");
    program(&environment, "sh", "");
    environment
}

fn program(environment: &Environment, name: &str, script: &str) {
    let place = environment.project();
    let script = format!("#!/bin/sh\nPLACE='{}'\n{script}\n", place.display());
    let path = environment.write(&format!("programs/{name}"), script);
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A manager that notes what it is told and makes `pdftool`.
fn manager(environment: &Environment, name: &str) {
    let script = "echo \"$0 $*\" >> \"$PLACE/ran\"\necho working\necho '#!/bin/sh' > \"$PLACE/programs/pdftool\"\n\
                  /bin/chmod 755 \"$PLACE/programs/pdftool\"";
    program(environment, name, script);
}

fn ran(environment: &Environment) -> bool {
    environment.project().join("ran").exists()
}

/// A program that Skillful placed counts as there, and is there for what a skill runs.
#[test]
fn inline_commands_find_programs_that_were_placed() {
    use std::os::unix::fs::PermissionsExt;
    let environment = Environment::new();
    let program = environment.write_home(
        ".local/share/skillful/bin/fetched-tool",
        "#!/bin/sh\necho I am fetched\n",
    );
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    environment.write_home(
        ".claude/skills/x/SKILL.md",
        "---\nname: x\ndescription: Does x. Use when x is asked for.\nallow-inline-shell: true\n\
         metadata:\n  openclaw:\n    requires: {bins: [fetched-tool]}\n---\n\nIt says: !`fetched-tool`\n",
    );
    let path = std::env::var_os("PATH").unwrap();
    let run = |arguments: &[&str]| environment.run_with_path(arguments, &path);
    let why = run(&["why", "x"]);
    assert!(why.stdout.contains("x is ready"), "{}", why.stdout);
    assert!(why.stdout.contains("bin/fetched-tool"), "{}", why.stdout);
    let read = run(&["read", "x", "--allow-inline-shell"]);
    assert!(
        read.stdout.contains("It says: I am fetched"),
        "{}",
        read.transcript()
    );
}

#[test]
fn a_plan_tells_every_way_and_runs_nothing() {
    let environment = machine();
    let deps = |arguments: &[&str]| {
        environment
            .run_with_programs("programs", arguments)
            .transcript()
    };
    assert_snapshot!("deps_without_managers", deps(&["deps", "pdf"]));
    manager(&environment, "brew");
    manager(&environment, "uv");
    manager(&environment, "npm");
    assert_snapshot!("deps_plan", deps(&["deps", "pdf"]));
    assert_snapshot!("deps_of_a_plain_skill", deps(&["deps", "plain"]));
    assert_snapshot!(
        "deps_unknown_spec",
        deps(&["deps", "pdf", "--spec", "nobody"])
    );
    assert!(!ran(&environment));
}

#[test]
fn the_configuration_and_the_command_line_say_what_is_preferred() {
    let environment = machine();
    manager(&environment, "brew");
    manager(&environment, "uv");
    environment.write(
        "skills.toml",
        "[install]\nprefer = [\"brew\", \"nobody\"]\n",
    );
    let chosen = |arguments: &[&str]| {
        let mut all = vec!["deps", "pdf", "--json"];
        all.extend(arguments);
        let run = environment.run_with_programs("programs", &all);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let ways = run.json()["plan"]["ways"].as_array().unwrap().clone();
        let chosen = ways.into_iter().find(|way| way["chosen"] == true).unwrap();
        (chosen["id"].as_str().unwrap().to_owned(), run.stderr)
    };
    let (id, warnings) = chosen(&[]);
    assert_eq!(id, "tap");
    assert!(warnings.contains("nobody"), "{warnings}");
    assert_eq!(chosen(&["--prefer", "uv"]).0, "tool");
    assert_eq!(chosen(&["--spec", "tool"]).0, "tool");
    let wrong = environment.run(&["deps", "pdf", "--prefer", "nobody"]);
    assert_eq!(wrong.code, 2);
}

#[test]
fn nothing_is_installed_without_a_yes() {
    let environment = machine();
    manager(&environment, "uv");
    let run = environment.run_with_programs("programs", &["deps", "pdf", "--install"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--yes"), "{}", run.stderr);
    let dry = environment.run_with_programs(
        "programs",
        &["deps", "pdf", "--install", "--yes", "--dry-run"],
    );
    assert_eq!(dry.code, 0);
    let stale = ["deps", "pdf", "--install", "--yes", "--digest", "sha256:0"];
    let stale = environment.run_with_programs("programs", &stale);
    assert_eq!(stale.code, 1);
    assert!(
        stale.stderr.contains("not what was agreed to"),
        "{}",
        stale.stderr
    );
    let evil = ["deps", "pdf", "--install", "--yes", "--spec", "evil"];
    let evil = environment.run_with_programs("programs", &evil);
    assert_eq!(evil.code, 1);
    assert!(
        evil.stderr.contains("would be taken for an option"),
        "{}",
        evil.stderr
    );
    assert!(!ran(&environment));
}

#[test]
fn what_is_missing_is_installed_and_counts_at_once() {
    let environment = machine();
    manager(&environment, "uv");
    let state = || {
        let list = environment
            .run_with_programs("programs", &["status", "pdf", "--json"])
            .json();
        list["skills"][0]["state"].as_str().unwrap().to_owned()
    };
    assert_eq!(state(), "ineligible");
    let run = environment.run_with_programs("programs", &["deps", "pdf", "--install", "--yes"]);
    assert_snapshot!("deps_installed", run.transcript());
    assert_eq!(state(), "ready");
    let again = environment.run_with_programs("programs", &["deps", "pdf", "--install", "--json"]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert_eq!(again.json()["result"]["ok"], true);
    let ran = fs::read_to_string(environment.project().join("ran")).unwrap();
    assert_eq!(ran.lines().count(), 1, "{ran}");
}

#[test]
fn a_failure_is_told_with_what_the_manager_said() {
    let environment = machine();
    program(
        &environment,
        "uv",
        "echo 'no such \u{1b}[31mpackage' >&2\nexit 7",
    );
    let run = environment.run_with_programs("programs", &["deps", "pdf", "--install", "--yes"]);
    assert_snapshot!("deps_failed", run.transcript());
    let run =
        environment.run_with_programs("programs", &["deps", "pdf", "--install", "--yes", "--json"]);
    assert_eq!(run.code, 1);
    let document = run.json();
    assert_eq!(document["applied"], true);
    let step = &document["result"]["steps"][0];
    assert_eq!(step["outcome"], "failed");
    assert_eq!(step["code"], 7);
    assert_eq!(document["result"]["missing"][0], "pdftool");
}

#[test]
fn nothing_is_installed_for_a_shadowed_skill() {
    let environment = machine();
    manager(&environment, "uv");
    let pdf = fs::read(environment.project().join(".claude/skills/pdf/SKILL.md")).unwrap();
    environment.write_home(
        ".claude/skills/pdf/SKILL.md",
        [pdf, b"More.\n".to_vec()].concat(),
    );
    let shadowed = environment.home().join(".claude/skills/pdf");
    let shadowed = shadowed.to_str().unwrap();
    let install = ["deps", shadowed, "--install", "--yes", "--json"];
    let run = environment.run_with_programs("programs", &install);
    assert_eq!(run.code, 1, "{}", run.transcript());
    assert_eq!(run.json()["applied"], false);
    let refused = run.json()["plan"]["refused"].clone();
    assert!(refused.as_str().unwrap().contains("shadowed"), "{refused}");
    assert!(!ran(&environment));
}

/// What Ctrl-C sends reaches the command alone, as managers lead groups of their own; it ends them.
#[test]
fn an_interruption_ends_the_manager() {
    let environment = machine();
    program(
        &environment,
        "uv",
        "echo $$ > \"$PLACE/manager\"\n/bin/sleep 1000",
    );
    let mut child = environment
        .command(&["deps", "pdf", "--install", "--yes", "--json"])
        .env("PATH", environment.project().join("programs"))
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let noted = environment.project().join("manager");
    while fs::read_to_string(&noted).map_or(true, |text| !text.ends_with('\n')) {
        assert_eq!(
            child.try_wait().unwrap(),
            None,
            "it ended before the manager began"
        );
        std::thread::yield_now();
    }
    let interrupt = ["-INT", &child.id().to_string()].map(str::to_owned);
    assert!(
        std::process::Command::new("kill")
            .args(interrupt)
            .status()
            .unwrap()
            .success()
    );
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["result"]["interrupted"], true);
    assert_eq!(document["result"]["steps"][0]["outcome"], "interrupted");
}

#[test]
fn a_download_needs_a_digest_and_is_told_to_readers() {
    let environment = machine();
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = server.local_addr().unwrap();
    std::thread::spawn(move || {
        use std::io::{BufRead, BufReader, Write};
        while let Ok((stream, _)) = server.accept() {
            let mut lines = BufReader::new(&stream).lines();
            while lines
                .next()
                .is_some_and(|line| line.is_ok_and(|line| !line.is_empty()))
            {}
            let answer =
                "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nConnection: close\r\n\r\n#!/bin/sh\n";
            let _ = (&stream).write_all(answer.as_bytes());
        }
    });
    environment.write(
        ".claude/skills/fetch/SKILL.md",
        format!(
            "---\nname: fetch\ndescription: Fetches. Use when asked.\nmetadata:\n  openclaw:\n    requires: {{bins: [fetched]}}\n    \
             install: [{{id: file, kind: download, url: \"http://{address}/fetched\", bins: [fetched]}}]\n---\n\nDo it.\n"
        ),
    );
    let deps = |arguments: &[&str]| {
        let mut all = vec!["deps", "fetch", "--install", "--yes", "--json"];
        all.extend(arguments);
        environment.run_with_programs("programs", &all)
    };
    let bare = deps(&[]);
    assert_eq!(bare.code, 1);
    assert!(
        bare.json()["plan"]["ways"][0]["reason"]
            .as_str()
            .unwrap()
            .contains("sha256")
    );
    let wrong = deps(&["--sha256", &"0".repeat(64)]);
    assert_eq!(wrong.json()["result"]["steps"][0]["outcome"], "not-fetched");
    let digest = "a8076d3d28d21e02012b20eaf7dbf75409a6277134439025f282e368e3305abf";
    let right = deps(&["--sha256", digest]);
    assert_eq!(right.code, 0, "{}", right.transcript());
    let placed = right.json()["result"]["steps"][0]["placed"][0]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(placed.ends_with("skillful/bin/fetched"), "{placed}");
    let read = environment.run_with_programs("programs", &["read", "fetch", "--as", "wrapped"]);
    assert_eq!(read.code, 0, "{}", read.stderr);
    assert!(
        read.stdout.contains("- fetched: ") && read.stdout.contains("skillful/bin/fetched"),
        "{}",
        read.stdout
    );
}
