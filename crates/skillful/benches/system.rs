//! What it costs to keep a system of ten thousand skills up to date and to ask it. Run with
//! `cargo bench -p skillful --bench system`.

#![expect(
    clippy::unwrap_used,
    reason = "a benchmark ends where its world cannot be made"
)]

use std::fs;
use std::sync::OnceLock;

use divan::Bencher;
use skillful::catalog::{Budget, Options};
use skillful::{Host, SkillSystem};
use tempfile::TempDir;

fn main() {
    divan::main();
}

/// A system, and the root that it was made from.
struct World {
    root: TempDir,
    system: SkillSystem,
}

const WORDS: [&str; 24] = [
    "charts",
    "deploys",
    "letters",
    "tables",
    "invoices",
    "photos",
    "tests",
    "servers",
    "maps",
    "queries",
    "slides",
    "forms",
    "songs",
    "reports",
    "tickets",
    "backups",
    "prices",
    "routes",
    "drafts",
    "icons",
    "logs",
    "schemas",
    "contracts",
    "recipes",
];

fn skill(number: usize) -> String {
    let word = |step: usize| WORDS[(number / step + number) % WORDS.len()];
    let (first, second, third) = (word(1), word(7), word(131));
    let body = format!("## Steps\n\nTake the {first}, then the {second}.\n\n").repeat(60);
    format!(
        "---\nname: skill-{number:05}\ndescription: Makes {first} from {second} and {third}. Use when somebody asks for \
         {first} number {number}.\n---\n\n{body}"
    )
}

fn world(skills: usize) -> World {
    let root = tempfile::tempdir().unwrap();
    for number in 0..skills {
        let directory = root.path().join(format!("skill-{number:05}"));
        fs::create_dir(&directory).unwrap();
        fs::write(directory.join("SKILL.md"), skill(number)).unwrap();
    }
    let system = build(&root);
    World { root, system }
}

fn build(root: &TempDir) -> SkillSystem {
    SkillSystem::builder()
        .host(Host::new(root.path()))
        .root(root.path())
        .build()
        .unwrap()
}

/// Made once, as it takes longer than what is measured.
fn large() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(|| world(10_000))
}

/// Everything is searched, read and judged.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn build_10_000(bencher: Bencher<'_, '_>) {
    let world = large();
    bencher.bench(|| build(&world.root));
}

/// The floor of the above: every file is opened and read, and nothing is done with it.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn read_only_10_000(bencher: Bencher<'_, '_>) {
    let world = large();
    bencher.bench(|| {
        fs::read_dir(world.root.path())
            .unwrap()
            .map(|entry| {
                fs::read(entry.unwrap().path().join("SKILL.md"))
                    .unwrap()
                    .len()
            })
            .sum::<usize>()
    });
}

/// One file changed.
#[divan::bench(sample_count = 50, sample_size = 1)]
fn reload_one_of_10_000(bencher: Bencher<'_, '_>) {
    let world = large();
    let path = world.root.path().join("skill-05000/SKILL.md");
    let mut version = 0;
    bencher
        .with_inputs(|| {
            version += 1;
            fs::write(&path, format!("{}\nVersion {version}\n", skill(5_000))).unwrap();
            path.clone()
        })
        .bench_local_values(|path| world.system.reload([path]));
}

/// The first search after a change makes the index.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn index_10_000(bencher: Bencher<'_, '_>) {
    let world = large();
    bencher
        .with_inputs(|| build(&world.root))
        .bench_values(|system| system.search("tables", 10));
}

#[divan::bench]
fn search_10_000(bencher: Bencher<'_, '_>) {
    let world = large();
    world.system.search("tables", 10);
    bencher.bench(|| {
        world
            .system
            .search("turn these invoices into a chart with prices", 10)
    });
}

#[divan::bench(args = [None, Some(40_000)])]
fn catalog_1_000(bencher: Bencher<'_, '_>, characters: Option<usize>) {
    let world = world(1_000);
    let options = Options {
        budget: Budget {
            characters,
            ..Budget::default()
        },
        ..Options::default()
    };
    bencher.bench(|| world.system.catalog(&options));
}
