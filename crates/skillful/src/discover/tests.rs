use std::fs;

use tempfile::TempDir;

use super::*;
use crate::roots::{Source, Trust};

/// A root in a temporary directory, beside which other things may lie.
struct Place {
    base: TempDir,
    root: Root,
}

impl Place {
    fn new() -> Self {
        let base = tempfile::tempdir().unwrap();
        let path = base.path().join("root");
        fs::create_dir(&path).unwrap();
        let mut root = Root::new(path, Source::Workspace { distance: 0 }, Trust::Community);
        root.real = fs::canonicalize(&root.path).unwrap();
        Self { base, root }
    }

    /// A place with files, each empty.
    fn with(paths: &[&str]) -> Self {
        let place = Self::new();
        for path in paths {
            place.file(path, "");
        }
        place
    }

    fn path(&self, path: &str) -> PathBuf {
        self.base.path().join(path)
    }

    fn file(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[cfg(unix)]
    fn link(&self, path: &str, target: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(self.path(target), path).unwrap();
    }

    fn search(&self) -> Found<Candidate> {
        self.search_within(SearchLimits::default())
    }

    fn search_within(&self, limits: SearchLimits) -> Found<Candidate> {
        let mut found = search(&self.root, limits, |candidate| candidate);
        found.skills.sort_by(|a, b| a.path.cmp(&b.path));
        found
    }

    /// The paths of all candidates below the root; of broken ones with the code, of noted ones with a `*`.
    fn summary(&self) -> Vec<String> {
        self.search()
            .skills
            .iter()
            .map(|candidate| {
                let path = candidate.path.strip_prefix(&self.root.path).unwrap();
                let mut text = path.to_string_lossy().replace('\\', "/");
                if let Err(diagnostic) = &candidate.content {
                    text = format!("{text} {}", diagnostic.code);
                }
                if !candidate.notes.is_empty() {
                    text.push('*');
                }
                text
            })
            .collect()
    }
}

#[test]
fn skills_lie_up_to_six_levels_down() {
    let place = Place::with(&[
        "root/a/SKILL.md",
        "root/1/2/3/4/5/6/SKILL.md",
        "root/1/2/3/4/5/x/7/SKILL.md",
    ]);
    assert_eq!(place.summary(), ["1/2/3/4/5/6/SKILL.md", "a/SKILL.md"]);
    let problems = place.search().problems;
    assert!(
        matches!(&problems[..], [Problem::SearchLimit { path, what: "levels", limit: 6 }]
            if path.ends_with("1/2/3/4/5/x")),
        "{problems:?}"
    );
}

#[test]
fn below_a_skill_nothing_is_looked_for() {
    let place = Place::with(&["root/a/SKILL.md", "root/a/b/SKILL.md"]);
    assert_eq!(place.summary(), ["a/SKILL.md"]);
}

#[test]
fn a_stray_file_in_the_root_hides_nothing() {
    let mut place = Place::with(&["root/SKILL.md", "root/a/SKILL.md"]);
    assert_eq!(place.summary(), ["SKILL.md", "a/SKILL.md"]);
    place.root.single = true;
    assert_eq!(place.summary(), ["SKILL.md"]);
}

#[test]
fn hidden_and_foreign_directories_are_not_searched() {
    let place = Place::with(&[
        "root/.git/x/SKILL.md",
        "root/.hidden/SKILL.md",
        "root/node_modules/x/SKILL.md",
        "root/target/x/SKILL.md",
        "root/python/pyvenv.cfg",
        "root/python/lib/x/SKILL.md",
    ]);
    assert_eq!(place.summary(), [""; 0]);
}

#[test]
fn a_skill_may_be_called_like_a_foreign_directory() {
    let place = Place::with(&["root/target/SKILL.md"]);
    assert_eq!(place.summary(), ["target/SKILL.md"]);
}

#[cfg(target_os = "linux")]
#[test]
fn other_spellings_are_found_and_noted() {
    let place = Place::with(&["root/a/skill.md", "root/b/Skill.md", "root/b/skill.md"]);
    assert_eq!(place.summary(), ["a/skill.md*", "b/Skill.md*"]);
    let notes: Vec<_> = place
        .search()
        .skills
        .into_iter()
        .map(|candidate| candidate.notes.len())
        .collect();
    assert_eq!(notes, [1, 2], "the second file of `b` is noted as well");
}

#[test]
fn what_is_no_regular_file_is_broken() {
    let place = Place::with(&["root/a/SKILL.md/x"]);
    assert_eq!(place.summary(), ["a/SKILL.md file-not-regular"]);
}

#[cfg(unix)]
#[test]
fn pipes_and_sockets_are_broken_and_not_waited_for() {
    use std::os::unix::net::UnixListener;
    let place = Place::with(&["root/pipe/x", "root/socket/x"]);
    rustix::fs::mkfifoat(
        rustix::fs::CWD,
        place.path("root/pipe/SKILL.md"),
        rustix::fs::Mode::RWXU,
    )
    .unwrap();
    let _socket = UnixListener::bind(place.path("root/socket/SKILL.md")).unwrap();
    assert_eq!(
        place.summary(),
        [
            "pipe/SKILL.md file-not-regular",
            "socket/SKILL.md file-not-regular"
        ]
    );
}

#[test]
fn a_file_over_the_limit_is_broken() {
    let place = Place::new();
    place.file("root/a/SKILL.md", &"x".repeat(limits::FILE_BYTES + 1));
    place.file("root/b/SKILL.md", &"x".repeat(limits::FILE_BYTES));
    assert_eq!(place.summary(), ["a/SKILL.md file-too-large", "b/SKILL.md"]);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_directory_is_followed_once_and_not_in_circles() {
    let place = Place::with(&["elsewhere/kind/a/SKILL.md"]);
    place.link("root/one", "elsewhere/kind/a");
    place.link("root/two", "elsewhere");
    place.link("root/three", "elsewhere");
    place.link("elsewhere/up", "elsewhere");
    place.link("elsewhere/further-up", "root");
    assert_eq!(place.summary(), ["one/SKILL.md", "three/kind/a/SKILL.md"]);
    let real = fs::canonicalize(place.path("elsewhere/kind/a")).unwrap();
    for candidate in place.search().skills {
        assert_eq!(candidate.real_directory.as_ref(), Some(&real));
    }
}

#[cfg(unix)]
#[test]
fn a_link_into_the_root_itself_is_not_searched_again() {
    let place = Place::with(&["root/kind/a/SKILL.md", "root/.hidden/b/SKILL.md"]);
    place.link("root/again", "root/kind");
    place.link("root/shown", "root/.hidden");
    assert_eq!(place.summary(), ["kind/a/SKILL.md", "shown/b/SKILL.md"]);
}

#[cfg(unix)]
#[test]
fn a_linked_file_must_stay_in_the_root() {
    let place = Place::with(&[
        "outside/SKILL.md",
        "root/shared/text",
        "root/in/x",
        "root/out/x",
    ]);
    place.link("root/in/SKILL.md", "root/shared/text");
    place.link("root/out/SKILL.md", "outside/SKILL.md");
    place.link("root/nowhere/SKILL.md", "missing");
    assert_eq!(
        place.summary(),
        [
            "in/SKILL.md",
            "nowhere/SKILL.md link-broken",
            "out/SKILL.md link-outside-root"
        ]
    );
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_a_broken_skill() {
    let place = Place::with(&["root/kind/x"]);
    place.link("root/gone", "missing");
    place.link("root/round", "root/round");
    place.link("root/kind/gone", "missing");
    assert_eq!(
        place.summary(),
        ["gone/SKILL.md link-broken", "round/SKILL.md link-broken"]
    );
}

#[cfg(unix)]
#[test]
fn a_broken_link_is_called_by_its_name_for_its_path_stands_beside() {
    let place = Place::with(&["outside/SKILL.md"]);
    place.link("root/gone", "missing");
    place.link("root/nowhere/SKILL.md", "missing");
    place.link("root/out/SKILL.md", "outside/SKILL.md");
    let found = place.search().skills;
    let messages = found
        .iter()
        .map(|candidate| candidate.content.as_ref().unwrap_err().message.as_str());
    for (message, name) in messages.zip(["gone", "SKILL.md", "SKILL.md"]) {
        let start = format!("`{name}` is a link ");
        assert!(message.starts_with(&start), "{message}");
    }
}

#[test]
fn single_files_only_where_the_root_allows_them() {
    let mut place = Place::with(&[
        "root/deploy.md",
        "root/x.skill.md",
        "root/README.md",
        "root/kind/deep.skill.md",
        "root/kind/deep.md",
    ]);
    place.file("root/AGENTS.md", "---\nname: agents\n---\n");
    place.file("root/named.md", "+++\nname = \"named\"\n+++\n");
    assert_eq!(place.summary(), [""; 0]);
    place.root.flat = Flat::SkillMd;
    assert_eq!(place.summary(), ["kind/deep.skill.md", "x.skill.md"]);
    place.root.flat = Flat::NamedMarkdown;
    assert_eq!(
        place.summary(),
        ["AGENTS.md", "kind/deep.skill.md", "named.md", "x.skill.md"]
    );
    place.root.flat = Flat::Markdown;
    assert_eq!(
        place.summary(),
        [
            "AGENTS.md",
            "deploy.md",
            "kind/deep.skill.md",
            "named.md",
            "x.skill.md"
        ]
    );
}

#[test]
fn another_markdown_file_only_where_the_root_allows_it() {
    let mut place = Place::with(&["root/a/notes.md", "root/kind/b/SKILL.md"]);
    for path in [
        "root/a/main.md",
        "root/kind/README.md",
        "root/kind/c/deeper.md",
    ] {
        place.file(path, "---\nname: a\n---\n");
    }
    assert_eq!(place.summary(), ["kind/b/SKILL.md"]);
    place.root.any_markdown = true;
    assert_eq!(place.summary(), ["a/main.md*", "kind/b/SKILL.md"]);
}

#[test]
fn limits_end_the_search_and_are_named() {
    let place = Place::with(&["root/a/SKILL.md", "root/b/SKILL.md", "root/c/SKILL.md"]);
    let entries = SearchLimits {
        entries: 2,
        ..SearchLimits::default()
    };
    let found = place.search_within(entries);
    assert_eq!(found.skills.len(), 2);
    assert!(matches!(
        &found.problems[..],
        [Problem::SearchLimit {
            what: "entries",
            limit: 2,
            ..
        }]
    ));
    let directories = SearchLimits {
        directories: 1,
        ..SearchLimits::default()
    };
    let found = place.search_within(directories);
    assert_eq!(found.skills.len(), 1);
    assert!(matches!(
        &found.problems[..],
        [Problem::SearchLimit {
            what: "directories",
            limit: 1,
            ..
        }]
    ));
}

#[test]
fn a_root_that_vanished_is_a_problem() {
    let place = Place::new();
    fs::remove_dir(&place.root.path).unwrap();
    assert!(matches!(
        &place.search().problems[..],
        [Problem::DirectoryUnreadable { .. }]
    ));
}
