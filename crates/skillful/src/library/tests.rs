use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use crate::state::State;

/// A machine in a temporary directory: `home` and `work`.
struct Machine(TempDir);

impl Machine {
    fn with(files: &[(&str, &str)]) -> Self {
        let machine = Self(tempfile::tempdir().unwrap());
        for directory in ["home", "work"] {
            fs::create_dir(machine.path(directory)).unwrap();
        }
        for (path, text) in files {
            let path = machine.path(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        machine
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn scan(&self, roots: &[&str]) -> Library {
        let host = Host::new(self.path("work"));
        let options = Options {
            roots: roots.iter().map(|root| self.path(root)).collect(),
            home: Some(self.path("home")),
            ..Options::default()
        };
        Library::scan(&host, &Clients::built_in().unwrap(), &options)
    }
}

fn summary(library: &Library) -> Vec<(&str, &str, State)> {
    library
        .registry
        .skills()
        .iter()
        .map(|skill| (&*skill.id, skill.root.source.as_str(), skill.state))
        .collect()
}

const DEPLOY: &str = "---\nname: deploy\ndescription: Deploys.\n---\n";

#[test]
fn all_sources_meet_in_one_list() {
    let machine = Machine::with(&[
        ("home/.claude/skills/deploy/SKILL.md", DEPLOY),
        (
            "home/.claude/plugins/cache/m/tools/1/skills/deploy/SKILL.md",
            DEPLOY,
        ),
        (
            "home/.denkeeper/skills/flat.md",
            "+++\nname = \"flat\"\ndescription = \"x\"\n+++\n",
        ),
        (
            "work/.agents/skills/deploy/SKILL.md",
            "---\nname: deploy\ndescription: Mine.\n---\n",
        ),
        ("work/.agents/skills/empty/SKILL.md", ""),
    ]);
    let library = machine.scan(&[]);
    assert_eq!(
        summary(&library),
        [
            ("deploy", "workspace", State::Ready),
            ("deploy", "global", State::Shadowed),
            ("empty", "workspace", State::Broken),
            ("flat", "global", State::Ready),
            ("tools:deploy", "plugin", State::Ready),
            ("writing-skills", "bundled", State::Ready),
        ]
    );
    assert_eq!(library.problems, []);
    assert_eq!(library.roots.len(), 5);
}

#[test]
fn a_bundled_skill_can_be_replaced() {
    let text = DEPLOY.replace("deploy", "writing-skills");
    let machine = Machine::with(&[("home/.claude/skills/w/SKILL.md", &text)]);
    assert_eq!(
        summary(&machine.scan(&[])),
        [
            ("writing-skills", "global", State::Ready),
            ("writing-skills", "bundled", State::Shadowed),
        ]
    );
}

#[test]
fn named_roots_are_searched_alone_and_copies_collapse() {
    let machine = Machine::with(&[
        ("home/.claude/skills/other/SKILL.md", DEPLOY),
        ("a/deploy/SKILL.md", DEPLOY),
        ("b/deploy/SKILL.md", DEPLOY),
    ]);
    let library = machine.scan(&["b", "a", "missing"]);
    assert_eq!(
        summary(&library),
        [
            ("deploy", "workspace", State::Ready),
            ("deploy", "workspace", State::Shadowed),
        ]
    );
    let [winner, copy] = library.registry.skills() else {
        panic!()
    };
    assert_eq!(winner.root.path, machine.path("b"), "the first root wins");
    assert_eq!(copy.blockers[0].kind, "identical");
    assert_eq!(
        library.problems,
        [Problem::RootMissing(machine.path("missing"))]
    );
}

#[cfg(unix)]
#[test]
fn a_directory_that_two_roots_reach_counts_once() {
    let machine = Machine::with(&[("home/.agents/skills/deploy/SKILL.md", DEPLOY)]);
    fs::create_dir_all(machine.path("home/.claude/skills")).unwrap();
    std::os::unix::fs::symlink(
        machine.path("home/.agents/skills/deploy"),
        machine.path("home/.claude/skills/renamed"),
    )
    .unwrap();
    let library = machine.scan(&[]);
    let [first, second, _bundled] = library.registry.skills() else {
        panic!()
    };
    assert_eq!(first.root.path, machine.path("home/.agents/skills"));
    assert_eq!(second.state, State::Shadowed);
    assert_eq!(second.blockers[0].kind, "same-directory");
}

#[test]
fn two_searches_find_the_same() {
    let machine = Machine::with(&[
        ("a/x/SKILL.md", DEPLOY),
        ("a/y/SKILL.md", DEPLOY),
        ("a/z/w/SKILL.md", "no frontmatter"),
    ]);
    let first = machine.scan(&["a"]);
    let second = machine.scan(&["a"]);
    assert_eq!(first.registry.skills(), second.registry.skills());
    assert_eq!(first.registry.skills().len(), 3);
}
