//! What it costs to find, load, list and check a library of a thousand skills. Run with `cargo bench -p skillful`.

#![expect(
    clippy::unwrap_used,
    reason = "a benchmark ends where its world cannot be made"
)]

use std::fs;

use divan::Bencher;
use skillful::check::{Rules, check};
use skillful::contract::{ListDocument, problem_diagnostics};
use skillful::{Clients, Host, Library, Options, places};
use tempfile::TempDir;

const SKILLS: usize = 1_000;

fn main() {
    divan::main();
}

/// A root with skills of three shapes, some with a file beside the SKILL.md.
fn world() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let body = "## Step\n\nDo this, then that.\n\n".repeat(200);
    for number in 0..SKILLS {
        let skill = directory.path().join(format!("skill-{number:04}"));
        fs::create_dir(&skill).unwrap();
        let frontmatter = match number % 3 {
            0 => "description: Does it. Use when it is due.\nlicense: MIT\n",
            1 => "description: >\n  Does it.\n  Use when it is due.\nmetadata:\n  version: \"1\"\n",
            _ => "description: \"Does it: all\"\ntags: [a, b]\nmetadata: {\"x\": [1]}\n",
        };
        let text = format!("---\nname: skill-{number:04}\n{frontmatter}---\n\n{body}");
        fs::write(skill.join("SKILL.md"), text).unwrap();
        if number % 4 == 0 {
            fs::create_dir(skill.join("scripts")).unwrap();
            fs::write(skill.join("scripts/run.sh"), "true\n").unwrap();
        }
    }
    directory
}

fn options(directory: &TempDir) -> Options {
    Options {
        roots: vec![directory.path().to_owned()],
        ..Options::default()
    }
}

/// The floor: every file is opened and read, and nothing is done with it.
#[divan::bench]
fn read_only(bencher: Bencher<'_, '_>) {
    let directory = world();
    bencher.bench(|| {
        fs::read_dir(directory.path())
            .unwrap()
            .map(|entry| {
                fs::read(entry.unwrap().path().join("SKILL.md"))
                    .unwrap()
                    .len()
            })
            .sum::<usize>()
    });
}

#[divan::bench]
fn scan(bencher: Bencher<'_, '_>) {
    let directory = world();
    let (host, clients) = (Host::new(directory.path()), Clients::built_in().unwrap());
    let options = options(&directory);
    bencher.bench(|| Library::scan(&host, &clients, &options));
}

#[divan::bench]
fn list_json(bencher: Bencher<'_, '_>) {
    let directory = world();
    let (host, clients) = (Host::new(directory.path()), Clients::built_in().unwrap());
    let library = Library::scan(&host, &clients, &options(&directory));
    let problems = problem_diagnostics(&library.problems);
    bencher.bench(|| {
        let document = ListDocument::new(library.registry.skills(), &problems);
        serde_json::to_vec(&document).unwrap()
    });
}

#[divan::bench]
fn check_all(bencher: Bencher<'_, '_>) {
    let directory = world();
    let rules = Rules::default();
    bencher
        .bench(|| places::visit(directory.path(), |candidate| check(candidate, &rules)).unwrap());
}
