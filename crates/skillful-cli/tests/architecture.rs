//! The rules of the house that a compiler does not check: which crate may use which, what the lower floors must do
//! without, how long a file may be, and that the links of the documentation lead somewhere.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is the report")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A crate of ours, the floor it lives on, and the crates of ours that it may use. All of them lie on lower floors.
struct House {
    name: &'static str,
    floor: u8,
    may_use: &'static [&'static str],
}

const HOUSES: &[House] = &[
    House {
        name: "skillmd",
        floor: 0,
        may_use: &[],
    },
    House {
        name: "skillful-store",
        floor: 1,
        may_use: &[],
    },
    House {
        name: "skillful-guard",
        floor: 1,
        may_use: &["skillmd"],
    },
    House {
        name: "skillful",
        floor: 2,
        may_use: &["skillful-guard", "skillful-store", "skillmd"],
    },
    House {
        name: "skillful-manage",
        floor: 3,
        may_use: &["skillful", "skillful-guard", "skillful-store", "skillmd"],
    },
    House {
        name: "skillful-server",
        floor: 4,
        may_use: &[
            "skillful",
            "skillful-guard",
            "skillful-manage",
            "skillful-store",
            "skillmd",
        ],
    },
    House {
        name: "skillful-cli",
        floor: 5,
        may_use: &[
            "skillful",
            "skillful-guard",
            "skillful-manage",
            "skillful-server",
            "skillful-store",
            "skillmd",
        ],
    },
];

/// The highest floor that must do without [`FOREIGN`].
const LIBRARY_FLOOR: u8 = 2;

/// What no crate up to [`LIBRARY_FLOOR`] may draw in, not even through others: runtimes, databases, HTTP, command lines.
const FOREIGN: &[&str] = &[
    "async-std",
    "axum",
    "clap",
    "diesel",
    "hyper",
    "libsqlite3-sys",
    "postgres",
    "reqwest",
    "rusqlite",
    "smol",
    "sqlx",
    "tokio",
    "tokio-postgres",
    "tonic",
    "tower",
    "ureq",
];

/// Most lines of a source file.
const SOURCE_LINES: usize = 600;

#[test]
fn crates_use_only_what_lies_below_them() {
    let metadata = metadata();
    let ours: BTreeSet<&str> = HOUSES.iter().map(|house| house.name).collect();
    for package in workspace_packages(&metadata) {
        let name = text(&package["name"]);
        let house = house(name);
        for dependency in array(&package["dependencies"]) {
            let used = text(&dependency["name"]);
            // What tests use ends in no other crate.
            if dependency["kind"] == "dev" || !ours.contains(used) {
                continue;
            }
            assert!(
                house.may_use.contains(&used),
                "{name} must not use {used}: allowed are {:?}",
                house.may_use
            );
        }
        for used in house.may_use {
            let floor = HOUSES
                .iter()
                .find(|other| other.name == *used)
                .map(|h| h.floor);
            assert!(
                floor < Some(house.floor),
                "{name} may use {used}, which does not lie below it"
            );
        }
    }
}

/// With the features that each crate has by default: the command may well turn on a database that a library offers.
#[test]
fn the_libraries_do_without_runtimes_databases_and_http() {
    for house in HOUSES.iter().filter(|house| house.floor <= LIBRARY_FLOOR) {
        let tree = dependencies_of(house.name);
        assert!(tree.contains(house.name), "{tree:?}");
        let foreign: Vec<&str> = FOREIGN
            .iter()
            .copied()
            .filter(|name| tree.contains(*name))
            .collect();
        assert!(foreign.is_empty(), "{} draws in {foreign:?}", house.name);
    }
    assert!(
        dependencies_of("skillful-cli").contains("rusqlite"),
        "the command keeps records, or the way of asking has changed"
    );
}

#[test]
fn source_files_are_short() {
    let long: Vec<String> = files_below(&workspace().join("crates"), "rs")
        .into_iter()
        .filter(|path| path.components().any(|part| part.as_os_str() == "src"))
        .filter_map(|path| {
            let lines = fs::read_to_string(&path).unwrap().lines().count();
            (lines > SOURCE_LINES).then(|| format!("{}: {lines} lines", path.display()))
        })
        .collect();
    assert!(
        long.is_empty(),
        "longer than {SOURCE_LINES} lines: {long:#?}"
    );
}

#[test]
fn links_of_the_documentation_lead_somewhere() {
    let mut pages = files_below(&workspace().join("docs"), "md");
    pages.extend(files_below(&workspace().join("skills"), "md"));
    let top = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
    ];
    pages.extend(
        top.map(|page| workspace().join(page))
            .into_iter()
            .filter(|page| page.exists()),
    );
    assert!(pages.len() > top.len(), "the documentation was not found");

    let mut broken = Vec::new();
    for page in pages {
        let content = fs::read_to_string(&page).unwrap();
        for target in link_targets(&content) {
            if !leads_somewhere(&page, &content, target) {
                broken.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere: {broken:#?}");
}

#[test]
fn links_are_told_from_code_and_from_addresses() {
    let page = "\
[a](one.md) and ![b](two.png \"title\"), `[c](code.md)`\n\
```\n[d](block.md)\n```\n\
[e](https://example.org) [f](#part)\n";
    let targets: Vec<&str> = link_targets(page).collect();
    assert_eq!(
        targets,
        ["one.md", "two.png", "https://example.org", "#part"]
    );
    let here = workspace().join("Cargo.toml");
    assert!(leads_somewhere(&here, page, "https://example.org"));
    assert!(leads_somewhere(&here, page, "crates/skillmd/Cargo.toml"));
    assert!(!leads_somewhere(&here, page, "no-such-file.md"));
    assert!(leads_somewhere(&here, "## A part, here", "#a-part-here"));
    assert!(!leads_somewhere(&here, "## A part", "#another"));
}

fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap().to_owned()
}

/// What cargo says about the workspace and all that it depends on here; other platforms' packages may not be at hand.
fn metadata() -> Value {
    let version = cargo(&["-vV"]);
    let host = version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .unwrap();
    let metadata = cargo(&[
        "metadata",
        "--format-version=1",
        "--locked",
        "--offline",
        "--filter-platform",
        host,
    ]);
    serde_json::from_str(&metadata).unwrap()
}

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(workspace())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn array(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn house(name: &str) -> &'static House {
    HOUSES
        .iter()
        .find(|house| house.name == name)
        .unwrap_or_else(|| panic!("{name} has no floor: give it a line in HOUSES"))
}

fn workspace_packages(metadata: &Value) -> impl Iterator<Item = &Value> {
    let members = array(&metadata["workspace_members"]);
    array(&metadata["packages"])
        .iter()
        .filter(move |package| members.contains(&package["id"]))
}

/// The names of all packages that go into a build of this one by itself, directly or through others.
fn dependencies_of(name: &str) -> BTreeSet<String> {
    let tree = cargo(&[
        "tree",
        "--package",
        name,
        "--edges",
        "normal,build",
        "--prefix",
        "none",
        "--format",
        "{p}",
        "--locked",
        "--offline",
    ]);
    tree.lines()
        .filter_map(|line| line.split(' ').next())
        .map(str::to_owned)
        .collect()
}

fn files_below(directory: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The targets of inline links and images outside code.
fn link_targets(page: &str) -> impl Iterator<Item = &str> {
    let mut in_block = false;
    page.lines()
        .filter(move |line| {
            let is_fence = line.trim_start().starts_with("```");
            in_block ^= is_fence;
            !in_block && !is_fence
        })
        // Every second piece between backticks is code.
        .flat_map(|line| line.split('`').step_by(2))
        .flat_map(|prose| prose.split("](").skip(1))
        .filter_map(|rest| rest.split([')', ' ']).next())
}

fn leads_somewhere(page: &Path, content: &str, target: &str) -> bool {
    if target.contains("://") || target.starts_with("mailto:") {
        return true;
    }
    let (file, part) = target.split_once('#').unwrap_or((target, ""));
    let path = page.parent().unwrap().join(file);
    if file.is_empty() {
        has_part(content, part)
    } else if part.is_empty() {
        path.exists()
    } else {
        fs::read_to_string(path).is_ok_and(|content| has_part(&content, part))
    }
}

/// Whether a heading of the page has the anchor `part`.
fn has_part(page: &str, part: &str) -> bool {
    let anchor = |heading: &str| -> String {
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = heading
            .chars()
            .filter(|&c| c.is_alphanumeric() || c == ' ' || c == '-');
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    page.lines()
        .filter(|line| line.starts_with('#'))
        .any(|heading| anchor(heading) == part)
}
