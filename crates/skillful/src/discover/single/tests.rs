use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::clients::Flat;
use crate::discover::search;
use crate::roots::{Source, Trust};

/// A root in a temporary directory.
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
        root.depth = 3;
        Self { base, root }
    }

    fn with(paths: &[&str]) -> Self {
        let place = Self::new();
        for path in paths {
            place.file(path, "");
        }
        place
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.path.join(path)
    }

    fn file(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn look(&self, path: &str) -> String {
        match look(&self.root, &self.path(path)) {
            Look::Skill(candidate) => {
                let below = candidate.path.strip_prefix(&self.root.path).unwrap();
                below.to_string_lossy().replace('\\', "/")
            }
            Look::Nothing => "nothing".to_owned(),
            Look::Search => "search".to_owned(),
        }
    }
}

#[test]
fn a_path_leads_to_the_skill_that_it_is_part_of() {
    let mut place = Place::with(&[
        "a/SKILL.md",
        "a/scripts/run.sh",
        "a/nested/SKILL.md",
        "kind/b/SKILL.md",
        "kind/README.md",
        "x.skill.md",
        "1/2/3/SKILL.md",
        "1/2/3/4/SKILL.md",
        "1/2/y/4/SKILL.md",
        ".hidden/SKILL.md",
        "target/SKILL.md",
        "node_modules/x/SKILL.md",
        "python/pyvenv.cfg",
        "python/x/SKILL.md",
    ]);
    place.root.flat = Flat::SkillMd;
    for (path, found) in [
        ("a", "a/SKILL.md"),
        ("a/SKILL.md", "a/SKILL.md"),
        ("a/scripts/run.sh", "a/SKILL.md"),
        ("a/scripts/gone.sh", "a/SKILL.md"),
        ("a/nested/SKILL.md", "a/SKILL.md"),
        ("kind/b", "kind/b/SKILL.md"),
        ("kind", "search"),
        ("kind/README.md", "nothing"),
        ("x.skill.md", "x.skill.md"),
        ("1/2/3/4", "1/2/3/SKILL.md"),
        ("1/2/y/4", "nothing"),
        (".hidden", "nothing"),
        ("target", "target/SKILL.md"),
        ("node_modules/x", "nothing"),
        ("python/x", "nothing"),
        ("gone", "nothing"),
        ("kind/gone/SKILL.md", "nothing"),
        ("kind/../a", "nothing"),
        ("", "search"),
    ] {
        assert_eq!(place.look(path), found, "{path}");
    }
    assert_eq!(look(&place.root, place.base.path()), Look::Nothing);
}

#[test]
fn a_skill_in_the_root_itself() {
    let mut place = Place::with(&["SKILL.md", "a/SKILL.md"]);
    assert_eq!(place.look("SKILL.md"), "SKILL.md");
    assert_eq!(place.look("a"), "a/SKILL.md");
    place.root.single = true;
    assert_eq!(place.look("a"), "SKILL.md");
}

#[cfg(unix)]
#[test]
fn links_to_skills_and_to_directories_of_skills() {
    use std::os::unix::fs::symlink;
    let place = Place::with(&["x/y"]);
    let outside = place.base.path().join("outside/a");
    fs::create_dir_all(&outside).unwrap();
    fs::write(outside.join("SKILL.md"), "").unwrap();
    symlink(&outside, place.path("one")).unwrap();
    symlink(outside.parent().unwrap(), place.path("all")).unwrap();
    symlink("nowhere", place.path("gone")).unwrap();
    assert_eq!(place.look("one/more.md"), "one/SKILL.md");
    let found = candidate_at(&place.root, &place.path("one")).unwrap();
    let real = fs::canonicalize(&outside).unwrap();
    assert_eq!(found.real_directory, Some(real));
    assert_eq!(place.look("all/a"), "search");
    assert_eq!(place.look("gone"), "gone/SKILL.md");
    assert_eq!(candidate_at(&place.root, &place.path("all")), None);
}

const NAMES: [&str; 9] = [
    "a",
    "kind",
    ".hidden",
    "node_modules",
    "SKILL.md",
    "skill.md",
    "x.skill.md",
    "y.md",
    "z.skill",
];

const TEXTS: [&str; 2] = ["", "---\nname: x\n---\n"];

/// A file of a random tree: the path, and whether its text has a frontmatter.
fn files() -> impl Strategy<Value = Vec<(Vec<&'static str>, usize)>> {
    let path = prop::collection::vec(prop::sample::select(&NAMES[..]), 1..5);
    prop::collection::vec((path, 0..TEXTS.len()), 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Looking at every path of a tree gives the very candidates that a search gives, and no others.
    #[test]
    fn looks_and_searches_agree(files in files(), flat in 0usize..4, any_markdown: bool, single: bool) {
        let mut place = Place::new();
        place.root.flat = [Flat::None, Flat::SkillMd, Flat::NamedMarkdown, Flat::Markdown][flat];
        place.root.any_markdown = any_markdown;
        place.root.single = single;
        let mut paths = BTreeSet::new();
        for (names, text) in &files {
            let path = place.root.path.join(names.iter().collect::<PathBuf>());
            // A name may be a directory already, or a file where a directory is wanted.
            if fs::create_dir_all(path.parent().unwrap()).is_ok() && fs::write(&path, TEXTS[*text]).is_ok() {
                paths.extend(path.ancestors().take_while(|above| *above != place.root.path).map(PathBuf::from));
            }
        }
        let mut searched = search(&place.root, SearchLimits::default(), |candidate| candidate).skills;
        searched.sort_by(|a, b| a.path.cmp(&b.path));
        let mut looked: Vec<_> = paths.iter().filter_map(|path| candidate_at(&place.root, path)).collect();
        looked.sort_by(|a, b| a.path.cmp(&b.path));
        looked.dedup();
        prop_assert_eq!(&looked, &searched);
        for candidate in &searched {
            let again = candidate_at(&place.root, &candidate.path);
            prop_assert_eq!(again.as_ref(), Some(candidate));
        }
    }
}
