use std::fs;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::clients::Clients;
use crate::host::Host;
use crate::library::Library;
use crate::roots::Options;
use crate::watch::Batch;
use crate::watch::affected::{Known, affected};

/// Two roots, what is known of them, and what a change is told as.
struct Followed {
    base: TempDir,
    library: Library,
    places: SkillPlaces,
}

impl Followed {
    fn new() -> Self {
        let base = tempfile::tempdir().unwrap();
        for root in ["one", "two"] {
            fs::create_dir(base.path().join(root)).unwrap();
        }
        let library = Self::scan(&base);
        let places = SkillPlaces::of(&library.registry);
        Self {
            base,
            library,
            places,
        }
    }

    fn scan(base: &TempDir) -> Library {
        let options = Options {
            roots: vec!["one".into(), "two".into()],
            ..Options::default()
        };
        let clients = Clients::built_in().unwrap();
        Library::scan(&Host::new(base.path()), &clients, &options)
    }

    fn path(&self, path: &str) -> PathBuf {
        self.base.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        // A name may be a directory already, or a file where a directory is wanted.
        let _ = fs::create_dir_all(path.parent().unwrap());
        let _ = fs::write(path, text);
    }

    fn remove(&self, path: &str) {
        let path = self.path(path);
        let _ = fs::remove_file(&path);
        let _ = fs::remove_dir_all(&path);
    }

    /// Reloads what is told to have changed; gives the roots that were searched.
    fn told(&mut self, paths: &[&str]) -> usize {
        let mut batch = Batch::default();
        for path in paths {
            let path = self.path(path);
            let roots = self.library.roots.iter();
            let root = roots.clone().find(|root| path.starts_with(&root.path));
            batch.add_path(&Arc::from(&*root.unwrap().path), path);
        }
        let known = Known {
            roots: &self.library.roots,
            skills: &self.places,
            config: &BTreeSet::new(),
        };
        let work = affected(&batch, known);
        let registry = &mut self.library.registry;
        reload(&work, &self.library.roots, registry, &mut self.places).len()
    }

    fn paths(&self) -> Vec<String> {
        let skills = self.library.registry.skills().iter();
        let base = self.base.path();
        skills
            .map(|skill| skill.path.strip_prefix(base).unwrap().to_string_lossy())
            .map(|path| path.replace('\\', "/"))
            .collect()
    }

    fn is_up_to_date(&self) -> Result<(), TestCaseError> {
        let fresh = Self::scan(&self.base);
        prop_assert_eq!(self.library.registry.skills(), fresh.registry.skills());
        prop_assert_eq!(&self.places, &SkillPlaces::of(&fresh.registry));
        Ok(())
    }
}

const SKILL: &str = "---\nname: x\ndescription: d\n---\n";

#[test]
fn one_file_costs_no_search() {
    let mut followed = Followed::new();
    followed.write("one/a/SKILL.md", SKILL);
    followed.write("two/a/SKILL.md", SKILL);
    assert_eq!(followed.told(&["one/a", "two/a/SKILL.md"]), 0);
    assert_eq!(followed.paths(), ["one/a/SKILL.md", "two/a/SKILL.md"]);
    followed.write("one/a/SKILL.md", "---\nname: y\ndescription: d\n---\n");
    assert_eq!(followed.told(&["one/a/SKILL.md"]), 0);
    followed.is_up_to_date().unwrap();
    followed.remove("one/a");
    assert_eq!(followed.told(&["one/a"]), 0);
    assert_eq!(followed.paths(), ["two/a/SKILL.md"]);
}

#[test]
fn the_shadowed_skill_comes_back() {
    let mut followed = Followed::new();
    followed.write("one/a/SKILL.md", SKILL);
    followed.write("two/a/SKILL.md", SKILL);
    followed.told(&["one/a", "two/a"]);
    let count = |followed: &Followed| followed.library.registry.get("x").unwrap().path.clone();
    assert_eq!(count(&followed), followed.path("one/a/SKILL.md"));
    followed.remove("one/a");
    followed.told(&["one/a"]);
    assert_eq!(count(&followed), followed.path("two/a/SKILL.md"));
}

#[test]
fn skills_within_skills_come_and_go() {
    let mut followed = Followed::new();
    followed.write("one/a/b/SKILL.md", SKILL);
    followed.told(&["one/a"]);
    assert_eq!(followed.paths(), ["one/a/b/SKILL.md"]);
    followed.write("one/a/SKILL.md", SKILL);
    followed.told(&["one/a/SKILL.md"]);
    assert_eq!(followed.paths(), ["one/a/SKILL.md"]);
    followed.remove("one/a/SKILL.md");
    followed.told(&["one/a/SKILL.md"]);
    assert_eq!(followed.paths(), ["one/a/b/SKILL.md"]);
}

#[test]
fn a_skill_in_the_root_comes_and_goes_alone() {
    let mut followed = Followed::new();
    followed.write("one/a/SKILL.md", SKILL);
    followed.write("one/SKILL.md", SKILL);
    followed.told(&["one/a", "one/SKILL.md"]);
    assert_eq!(followed.paths().len(), 2);
    followed.remove("one/SKILL.md");
    followed.told(&["one/SKILL.md"]);
    assert_eq!(followed.paths(), ["one/a/SKILL.md"]);
}

const NAMES: [&str; 8] = [
    "a",
    "b",
    "target",
    "SKILL.md",
    "skill.md",
    "x.skill.md",
    "y.md",
    "pyvenv.cfg",
];

const TEXTS: [&str; 4] = [
    SKILL,
    "---\nname: y\ndescription: other\n---\n",
    "no frontmatter\n",
    "",
];

/// A change of a path: writing a text, removing it, or moving it to another path.
#[derive(Clone, Debug)]
enum Change {
    Write(String, usize),
    Remove(String),
    Move(String, String),
}

fn path() -> impl Strategy<Value = String> {
    let names = prop::collection::vec(prop::sample::select(&NAMES[..]), 1..5);
    let root = prop::sample::select(&["one", "two"][..]);
    (root, names).prop_map(|(root, names)| format!("{root}/{}", names.join("/")))
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => (path(), 0..TEXTS.len()).prop_map(|(path, text)| Change::Write(path, text)),
        1 => path().prop_map(Change::Remove),
        1 => (path(), path()).prop_map(|(from, to)| Change::Move(from, to)),
    ]
}

/// The path and, as a watcher tells it, the directories above that may have been made for it.
fn with_parents(path: &str) -> Vec<&str> {
    let ends = path.match_indices('/').skip(1).map(|(end, _)| end);
    ends.filter_map(|end| path.get(..end))
        .chain([path])
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// After any sequence of changes the registry is that of a fresh search, whatever came before.
    #[test]
    fn reloading_is_searching_anew(changes in prop::collection::vec(change(), 1..14)) {
        let mut followed = Followed::new();
        for change in changes {
            match &change {
                Change::Write(path, text) => {
                    followed.write(path, TEXTS[*text]);
                    followed.told(&with_parents(path));
                }
                Change::Remove(path) => {
                    followed.remove(path);
                    followed.told(&[path]);
                }
                Change::Move(from, to) => {
                    let _ = fs::rename(followed.path(from), followed.path(to));
                    followed.told(&[from, to]);
                }
            }
            followed.is_up_to_date()?;
        }
    }

    /// The same when only the path itself is told, not the directories that were made on the way, as long as these
    /// existed.
    #[test]
    fn one_path_suffices_for_one_change(changes in prop::collection::vec((path(), 0..TEXTS.len()), 1..12)) {
        let mut followed = Followed::new();
        for (path, text) in changes {
            let parent = followed.path(&path).parent().unwrap().to_owned();
            if !parent.is_dir() {
                continue;
            }
            followed.write(&path, TEXTS[text]);
            followed.told(&[&path]);
            followed.is_up_to_date()?;
        }
    }
}
