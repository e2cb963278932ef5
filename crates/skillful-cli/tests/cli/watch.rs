//! `watch`: the program runs on, and tells what happens while it does.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::environment::{Environment, skill_text};

/// How long a line is waited for that must come.
const PATIENCE: Duration = Duration::from_secs(120);

/// The running program. Killed when dropped.
struct Watch {
    child: Child,
    lines: Receiver<String>,
}

impl Watch {
    fn start(environment: &Environment, arguments: &[&str]) -> Self {
        let mut child = environment
            .command(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            let lines = stdout.lines().map_while(Result::ok);
            lines.for_each(|line| drop(sender.send(line)));
        });
        Self { child, lines }
    }

    /// The next line that fits. Others may come before it: systems report late and twice.
    #[track_caller]
    fn line(&self, what: &str, fits: impl Fn(&str) -> bool) -> String {
        let end = Instant::now() + PATIENCE;
        let mut others = Vec::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) if fits(&line) => return line,
                Ok(line) => others.push(line),
                Err(error) => panic!("{what}: {error}, after {others:#?}"),
            }
        }
    }

    /// The next event of this kind, about this skill if one is named.
    #[track_caller]
    fn event(&self, kind: &str, id: Option<&str>) -> Value {
        let parse = |line: &str| serde_json::from_str::<Value>(line).expect("a line of JSON");
        let line = self.line(kind, |line| {
            let event = parse(line);
            event["kind"] == kind && event["id"].as_str() == id
        });
        parse(&line)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn each_event_is_a_line_of_json() {
    let environment = Environment::new();
    let path = environment.skill(".claude/skills/deploy");
    let watch = Watch::start(&environment, &["watch", "--json"]);
    // Told once it watches: what happens from here on is noticed.
    let begun = watch.event("reloaded", None);
    assert_eq!(
        (&begun["version"], &begun["sequence"]),
        (&1.into(), &1.into())
    );

    fs::write(&path, skill_text("deploy").replace("Do it.", "Do it well.")).unwrap();
    let changed = watch.event("changed", Some("deploy"));
    assert_eq!(changed["path"], path.to_str().unwrap());
    assert!(changed["sequence"].as_u64() > begun["sequence"].as_u64());

    environment.skill(".agents/skills/tidy");
    watch.event("loaded", Some("tidy"));
    environment.write_home(
        ".config/skillful/skills.toml",
        "[skills.tidy]\nenabled = false\n",
    );
    let switched_off = watch.event("became-ineligible", Some("tidy"));
    let detail = switched_off["detail"].as_str().unwrap();
    assert!(detail.contains("skills.toml"), "{detail}");

    fs::remove_dir_all(path.parent().unwrap()).unwrap();
    watch.event("removed", Some("deploy"));
}

#[test]
fn people_read_one_line_for_each_event() {
    let environment = Environment::new();
    let path = environment.skill(".claude/skills/deploy");
    let watch = Watch::start(&environment, &["watch"]);
    let first = watch.line("the greeting", |line| line.starts_with("watching"));
    assert!(first.ends_with(" skills; Ctrl-C ends"), "{first}");
    fs::write(&path, [0xff, 0xff]).unwrap();
    let kept = watch.line("an edit", |line| line.contains("deploy"));
    let (kind, rest) = kept.split_once("  ").unwrap();
    assert_eq!(kind.trim_end(), "broken");
    assert!(rest.trim_start().starts_with("deploy  "), "{kept}");
    assert!(kept.contains("what was read before stays in use"), "{kept}");
    assert!(!kept.contains('\u{1b}'), "no colours in a pipe: {kept:?}");
}

#[test]
fn a_place_can_be_polled() {
    let environment = Environment::new();
    environment.write("own/one/SKILL.md", skill_text("one"));
    let arguments = ["watch", "--json", "--poll", "1", "--root", "own"];
    let watch = Watch::start(&environment, &arguments);
    watch.event("reloaded", None);
    environment.write("own/two/SKILL.md", skill_text("two"));
    watch.event("loaded", Some("two"));
}

#[test]
fn what_is_wrong_with_the_options_is_told_before_anything_is_watched() {
    let environment = Environment::new();
    let run = environment.run(&["watch", "--root", "missing/file", "--poll", "0"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("1..=3600"), "{}", run.stderr);
}
