//! The verbs that change skills, killed at random moments: afterwards every skill is wholly in one of its versions, and
//! the next command puts everything in order.
//!
//! `SKILLFUL_KILLS` says how often; the moments are drawn from `SKILLFUL_SEED`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::environment::Environment;

/// Files of the skill that is installed. Every one of them carries the version, so that a mixture shows.
const FILES: [&str; 4] = ["SKILL.md", "a.txt", "scripts/run.sh", "deep/er/b.txt"];

/// Longest time before a command is killed; most take less.
const LONGEST: Duration = Duration::from_millis(120);

/// Splitmix64: moments must be the same for the same seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap()
    }
}

struct World {
    environment: Environment,
    source: PathBuf,
    version: usize,
}

impl World {
    fn new() -> Self {
        let environment = Environment::new();
        fs::create_dir_all(environment.project().join(".claude")).unwrap();
        let source = environment.project().parent().unwrap().join("source");
        let mut world = Self {
            environment,
            source,
            version: 0,
        };
        world.publish();
        write_own(&world.environment);
        world
    }

    /// Publishes the next version of the skill.
    fn publish(&mut self) {
        self.version += 1;
        let directory = self.source.join("tool");
        for file in FILES {
            let path = directory.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content(file, self.version)).unwrap();
        }
        let git = |arguments: &[&str]| {
            let done = Command::new("git")
                .args(["-c", "user.name=a", "-c", "user.email=a@example.com"])
                .args(arguments)
                .current_dir(&self.source)
                .output();
            assert!(done.unwrap().status.success(), "{arguments:?}");
        };
        if self.version == 1 {
            git(&["init", "-q", "-b", "main"]);
        }
        git(&["add", "-A"]);
        git(&["commit", "-q", "-m", "version"]);
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.environment.command(arguments);
        command
            .env("PATH", std::env::var_os("PATH").unwrap())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    /// Runs a command to its end.
    fn run(&self, arguments: &[&str]) -> Option<i32> {
        self.command(arguments).status().unwrap().code()
    }

    fn kill(&self, arguments: &[&str], after: Duration) -> bool {
        let mut child = self.command(arguments).spawn().unwrap();
        thread::sleep(after);
        child.kill().unwrap();
        child.wait().unwrap().code().is_none()
    }

    fn place(&self, path: &str) -> PathBuf {
        self.environment.project().join(path)
    }

    /// What must hold at every moment.
    fn check_whole(&self, after: &str) {
        for place in [".agents/skills/tool", ".claude/skills/tool"] {
            let place = self.place(place);
            if place.exists() {
                check_one_version(&place, after);
            }
        }
        let own: Vec<PathBuf> = ["own", "renamed"]
            .iter()
            .map(|name| self.place(&format!(".agents/skills/{name}")))
            .filter(|place| place.exists())
            .collect();
        for place in own {
            let name = place.file_name().unwrap().to_str().unwrap().to_owned();
            let text = fs::read_to_string(place.join("SKILL.md")).unwrap();
            let is_whole = ["First", "Second"]
                .iter()
                .any(|word| text == own_text(&name, word));
            assert!(is_whole, "after {after}: {name} holds {text}");
            assert_eq!(fs::read_to_string(place.join("kept.txt")).unwrap(), "kept");
        }
        let canary = fs::read_to_string(self.place("canary.txt")).unwrap();
        assert_eq!(canary, "untouched");
    }

    /// What must hold once a command ran to its end.
    fn check_in_order(&self, after: &str) {
        // Any change finishes what was left, this one is undone at once.
        assert_eq!(
            self.run(&["hold", "tool", "--reason", "x"]).map(|_| ()),
            Some(())
        );
        self.run(&["hold", "tool", "--release"]);
        let verified = self
            .environment
            .run_with_path(&["verify", "--json"], &std::env::var_os("PATH").unwrap());
        assert_eq!(verified.code, 0, "after {after}: {}", verified.transcript());
        let own = ["own", "renamed"]
            .iter()
            .filter(|name| self.place(&format!(".agents/skills/{name}")).exists());
        assert_eq!(own.count(), 1, "after {after}: the skill is there once");
        let skills = self.place(".agents/skills");
        let names = names(&skills);
        let known: BTreeSet<String> = ["own", "renamed", "tool"].map(str::to_owned).into();
        assert!(names.is_subset(&known), "after {after}: {names:?}");
    }
}

fn write_own(environment: &Environment) {
    environment.write(".agents/skills/own/SKILL.md", own_text("own", "First"));
    environment.write(".agents/skills/own/kept.txt", "kept");
    environment.write("canary.txt", "untouched");
}

fn own_text(name: &str, word: &str) -> String {
    format!("---\nname: {name}\ndescription: {word}. Use when it is asked for.\n---\n\n{word}\n")
}

fn content(file: &str, version: usize) -> String {
    let padding = format!("version {version}\n").repeat(500);
    match file {
        "SKILL.md" => {
            format!("---\nname: tool\ndescription: Does it. Use when asked.\n---\n\n{padding}")
        }
        _ => padding,
    }
}

fn check_one_version(place: &Path, after: &str) {
    let versions: BTreeSet<Option<String>> = FILES
        .iter()
        .map(|file| {
            let text = fs::read_to_string(place.join(file)).ok()?;
            text.lines().last().map(str::to_owned)
        })
        .collect();
    assert_eq!(
        versions.len(),
        1,
        "after {after}: {} {versions:?}",
        place.display()
    );
    assert!(
        versions.iter().all(Option::is_some),
        "after {after}: {versions:?}"
    );
}

fn names(directory: &Path) -> BTreeSet<String> {
    let Ok(entries) = fs::read_dir(directory) else {
        return BTreeSet::new();
    };
    entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect()
}

fn number(name: &str, otherwise: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.map_or(otherwise, |text| text.parse().unwrap())
}

#[test]
fn a_killed_verb_leaves_every_skill_whole() {
    let mut world = World::new();
    let mut random = Random(number("SKILLFUL_SEED", 1));
    let kills = number("SKILLFUL_KILLS", 25);
    let source = format!("git+file://{}", world.source.display());
    let mut mid = 0;
    for round in 0..kills {
        let own = if world.place(".agents/skills/own").exists() {
            ("own", "renamed")
        } else {
            ("renamed", "own")
        };
        let text = world.place("next.md");
        let content = if round % 2 == 0 { "Second" } else { "First" };
        fs::write(&text, own_text(own.0, content)).unwrap();
        let text = text.to_str().unwrap().to_owned();
        if random.below(3) == 0 {
            world.publish();
        }
        let verbs: [&[&str]; 7] = [
            &["add", &source, "--yes"],
            &["update", "--yes"],
            &["remove", "tool"],
            &["edit", own.0, "--file", &text],
            &["rename", own.0, own.1],
            &["undo"],
            &["install", "--yes"],
        ];
        let verb = verbs[random.below(verbs.len())];
        let longest = usize::try_from(LONGEST.as_micros()).unwrap();
        let moment = Duration::from_micros(random.below(longest) as u64);
        let was_killed = world.kill(verb, moment);
        mid += usize::from(was_killed);
        let after = format!("{verb:?} killed after {moment:?} in round {round}");
        world.check_whole(&after);
        world.check_in_order(&after);
        world.check_whole(&after);
        // So that there is something to remove and to update.
        if random.below(2) == 0 {
            world.run(&["add", &source, "--yes"]);
        }
    }
    assert!(mid > 0, "no command was running when it was killed");
}
