use std::fs;

use tempfile::TempDir;

use super::*;
use crate::watch::Place;

/// Notes what is to be watched.
#[derive(Default)]
struct Notes(BTreeSet<PathBuf>);

impl Guard for Notes {
    fn guard(&mut self, directories: &[PathBuf]) -> Result<(), PollingReason> {
        self.0.extend(directories.iter().cloned());
        Ok(())
    }

    fn wants_stamps(&self) -> bool {
        false
    }
}

/// A directory `root`, beside which other things may lie.
struct Ground {
    base: TempDir,
}

impl Ground {
    fn with(paths: &[&str]) -> Self {
        let ground = Self {
            base: tempfile::tempdir().unwrap(),
        };
        for path in paths {
            ground.file(path);
        }
        ground
    }

    /// Without links, as all that a survey gives.
    fn path(&self, path: &str) -> PathBuf {
        fs::canonicalize(self.base.path()).unwrap().join(path)
    }

    fn file(&self, path: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }

    #[cfg(unix)]
    fn link(&self, path: &str, target: &str) {
        std::os::unix::fs::symlink(self.path(target), self.path(path)).unwrap();
    }

    /// What is watched, and what was seen.
    fn survey(&self) -> (BTreeSet<PathBuf>, Survey) {
        let mut notes = Notes::default();
        let survey = Survey::of(&Place::tree(self.path("root"), 2), &mut notes).unwrap();
        notes.0.extend(survey.beside.iter().cloned());
        (notes.0, survey)
    }

    fn stamps(&self) -> BTreeMap<PathBuf, Stamp> {
        let survey = Survey::unguarded(&Place::tree(self.path("root"), 2));
        survey.stamps.unwrap()
    }

    fn names<'a>(&self, paths: impl IntoIterator<Item = &'a PathBuf>) -> Vec<String> {
        let base = self.path("");
        let name = |path: &PathBuf| {
            let below = path.strip_prefix(&base).unwrap_or(path);
            below.to_string_lossy().replace('\\', "/")
        };
        paths.into_iter().map(name).collect()
    }
}

#[test]
fn it_goes_where_discovery_goes_and_below_skills() {
    let ground = Ground::with(&[
        "root/a/SKILL.md",
        "root/a/references/deep/deeper/x.md",
        "root/a/node_modules/x/y.js",
        "root/a/.git/x",
        "root/a/.hidden/x",
        "root/kind/b/SKILL.md",
        "root/kind/b/scripts/run.sh",
        "root/1/2/3/SKILL.md",
        "root/.hidden/x/SKILL.md",
        "root/node_modules/x/SKILL.md",
        "root/python/pyvenv.cfg",
        "root/python/lib/x",
    ]);
    assert_eq!(
        ground.names(&ground.survey().0),
        [
            "root",
            "root/1",
            "root/1/2",
            "root/a",
            "root/a/.hidden",
            "root/a/references",
            "root/a/references/deep",
            "root/a/references/deep/deeper",
            "root/kind",
            "root/kind/b",
            "root/kind/b/scripts",
            "root/node_modules",
            "root/python",
        ]
    );
}

#[cfg(unix)]
#[test]
fn links_are_followed_to_where_they_lead() {
    let ground = Ground::with(&[
        "elsewhere/a/SKILL.md",
        "elsewhere/a/assets/x",
        "texts/one.md",
        "root/in/x",
    ]);
    ground.link("root/linked", "elsewhere/a");
    ground.link("root/in/SKILL.md", "texts/one.md");
    ground.link("root/round", "root");
    ground.link("root/gone", "missing/a");
    let (watched, survey) = ground.survey();
    assert_eq!(
        ground.names(&watched),
        [
            "elsewhere/a",
            "elsewhere/a/assets",
            "root",
            "root/in",
            "texts"
        ]
    );
    let shown: BTreeSet<_> = survey.tops.into_iter().collect();
    for (real, path) in [
        ("root", "root"),
        ("elsewhere/a", "root/linked"),
        ("texts/one.md", "root/in/SKILL.md"),
    ] {
        let top = (ground.path(real), ground.path(path));
        assert!(shown.contains(&top), "{top:?} is not among {shown:?}");
    }
    assert_eq!(ground.names(&survey.missing), ["missing/a"]);
}

#[test]
fn what_does_not_exist_is_awaited() {
    let ground = Ground::with(&[]);
    let (_, survey) = ground.survey();
    assert_eq!(ground.names(&survey.missing), ["root"]);
    let file = Survey::unguarded(&Place::file(ground.path("no/skills.toml")));
    assert_eq!(ground.names(&file.missing), ["no/skills.toml"]);
}

#[test]
fn a_single_file_is_watched_through_its_directory() {
    let ground = Ground::with(&["home/other.toml"]);
    let survey = Survey::unguarded(&Place::file(ground.path("home/skills.toml")));
    assert_eq!(ground.names(&survey.beside), ["home"]);
    assert_eq!(survey.tops.len(), 1);
    assert_eq!(survey.stamps.unwrap().len(), 0, "it does not exist yet");
}

#[test]
fn states_differ_where_something_happened() {
    let ground = Ground::with(&["root/a/SKILL.md", "root/b/SKILL.md", "root/c/SKILL.md"]);
    let before = ground.stamps();
    fs::write(ground.path("root/a/SKILL.md"), "longer").unwrap();
    fs::remove_dir_all(ground.path("root/b")).unwrap();
    ground.file("root/d/SKILL.md");
    let after = ground.stamps();
    let mut changed = ground.names(differences(&before, &after));
    changed.sort();
    assert_eq!(
        changed,
        [
            "root/a/SKILL.md",
            "root/b",
            "root/b/SKILL.md",
            "root/d",
            "root/d/SKILL.md"
        ]
    );
}

#[cfg(unix)]
#[test]
fn an_edit_that_keeps_length_and_time_is_seen() {
    let ground = Ground::with(&[]);
    let file = ground.path("x");
    fs::write(&file, "one").unwrap();
    let metadata = fs::metadata(&file).unwrap();
    let before = Stamp::of(&metadata);
    let time = metadata.modified().unwrap();
    // The change time advances with the kernel's tick; the condition is waited for, not a fixed time.
    let seen = (0..10_000).any(|_| {
        fs::write(&file, "two").unwrap();
        let open = fs::File::options().write(true).open(&file).unwrap();
        open.set_modified(time).unwrap();
        let after = fs::metadata(&file).unwrap();
        assert_eq!(
            (after.len(), after.modified().unwrap()),
            (metadata.len(), time)
        );
        Stamp::of(&after) != before
    });
    assert!(seen);
}

#[test]
fn the_level_of_a_path_is_that_of_its_tree() {
    let ground = Ground::with(&["root/a/SKILL.md", "root/a/b/x", "root/kind/x"]);
    let level = |path: &str| Level::of(&ground.path(path), &ground.path("root"), 2);
    assert_eq!(level("root"), Level::Search(2));
    assert_eq!(level("root/kind"), Level::Search(1));
    assert_eq!(level("root/kind/x/y/z"), Level::Search(0));
    assert_eq!(level("root/a/b"), IN_SKILL);
}

#[test]
fn a_guard_that_fails_ends_it() {
    struct Full;
    impl Guard for Full {
        fn guard(&mut self, _: &[PathBuf]) -> Result<(), PollingReason> {
            Err(PollingReason::Limit)
        }

        fn wants_stamps(&self) -> bool {
            false
        }
    }
    let ground = Ground::with(&["root/a/SKILL.md"]);
    let place = Place::tree(ground.path("root"), 2);
    assert_eq!(
        Survey::of(&place, &mut Full).err(),
        Some(PollingReason::Limit)
    );
}
