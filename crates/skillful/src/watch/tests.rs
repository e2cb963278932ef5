//! From a change on disk to the batch. Each test waits for what must come, with a deadline that only a fault reaches.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Instant;

use tempfile::TempDir;

use super::native::Native;
use super::*;

const DEADLINE: Duration = Duration::from_secs(60);

const BACKENDS: [Backend; 2] = [Backend::Auto, Backend::Poll];

fn options(backend: Backend) -> WatchOptions {
    WatchOptions {
        debounce: Duration::from_millis(10),
        max_wait: Duration::from_millis(100),
        poll_interval: Duration::from_millis(50),
        backend,
    }
}

/// Follows places in a temporary directory.
struct Follower {
    watcher: Watcher,
    changes: Changes,
    seen: Batch,
    base: TempDir,
}

impl Follower {
    /// Follows `root`, in which the files are there already.
    fn new(backend: Backend, files: &[&str]) -> Self {
        Self::of(backend, files, |base| {
            vec![Place::tree(base.join("root"), 6)]
        })
    }

    fn of(backend: Backend, files: &[&str], places: impl FnOnce(&Path) -> Vec<Place>) -> Self {
        let base = tempfile::tempdir().unwrap();
        for path in files {
            write(&base.path().join(path), "first");
        }
        let places = places(base.path());
        let (watcher, changes) = Watcher::start(places, options(backend)).unwrap();
        Self {
            watcher,
            changes,
            seen: Batch::default(),
            base,
        }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.base.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        write(&self.path(path), text);
    }

    /// Waits until it was told to look at the path again, and forgets all that it was told.
    fn expect(&mut self, path: &str) {
        let path = self.path(path);
        let told = |batch: &Batch| {
            batch.places.iter().any(|(place, changed)| match changed {
                Changed::All => path.starts_with(place),
                Changed::Paths(paths) => paths.contains(&path),
            })
        };
        self.wait(&format!("a change of {}", path.display()), told);
        self.seen = Batch::default();
    }

    fn wait(&mut self, what: &str, condition: impl Fn(&Batch) -> bool) {
        let end = Instant::now() + DEADLINE;
        while !condition(&self.seen) {
            let left = end.saturating_duration_since(Instant::now());
            match self.changes.recv_timeout(left) {
                Ok(batch) => self.seen.merge(batch),
                Err(error) => panic!("no {what} ({error}), but {:#?}", self.seen),
            }
        }
    }
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn a_skill_comes_changes_and_goes() {
    for backend in BACKENDS {
        let mut follower = Follower::new(backend, &["root/a/SKILL.md"]);
        follower.write("root/a/SKILL.md", "edited");
        follower.expect("root/a/SKILL.md");
        follower.write("root/b/SKILL.md", "new");
        follower.expect("root/b");
        fs::remove_dir_all(follower.path("root/a")).unwrap();
        follower.expect("root/a");
    }
}

#[test]
fn editors_that_save_by_renaming() {
    for backend in BACKENDS {
        let mut follower = Follower::new(backend, &["root/a/SKILL.md"]);
        let (file, new) = (
            follower.path("root/a/SKILL.md"),
            follower.path("root/a/SKILL.md~"),
        );
        for text in ["second version", "the third version"] {
            write(&new, text);
            fs::rename(&new, &file).unwrap();
            follower.expect("root/a/SKILL.md");
        }
    }
}

#[test]
fn supporting_files_however_deep_and_new() {
    for backend in BACKENDS {
        let mut follower = Follower::new(backend, &["root/a/SKILL.md", "root/a/x/y/z.md"]);
        follower.write("root/a/x/y/z.md", "edited");
        follower.expect("root/a/x/y/z.md");
        follower.write("root/a/scripts/deep/run.sh", "new");
        follower.expect("root/a/scripts");
        follower.write("root/a/scripts/deep/run.sh", "edited again");
        follower.expect("root/a/scripts/deep/run.sh");
    }
}

#[test]
fn a_directory_that_is_moved_is_followed() {
    for backend in BACKENDS {
        let mut follower = Follower::new(backend, &["root/a/SKILL.md", "root/a/x/y.md"]);
        fs::rename(follower.path("root/a"), follower.path("root/b")).unwrap();
        follower.expect("root/b");
        follower.write("root/b/x/y.md", "edited");
        follower.expect("root/b/x/y.md");
        follower.write("root/a/SKILL.md", "another in its place");
        follower.expect("root/a");
        follower.write("root/a/SKILL.md", "edited there");
        follower.expect("root/a/SKILL.md");
    }
}

#[test]
fn a_place_that_appears_later() {
    for backend in BACKENDS {
        let mut follower = Follower::of(backend, &[], |base| {
            vec![Place::tree(base.join("home/.client/skills"), 6)]
        });
        follower.write("home/unrelated.txt", "x");
        fs::create_dir_all(follower.path("home/.client")).unwrap();
        follower.write("home/.client/skills/a/SKILL.md", "new");
        follower.expect("home/.client/skills");
        follower.write("home/.client/skills/a/SKILL.md", "edited");
        follower.expect("home/.client/skills/a/SKILL.md");
    }
}

#[test]
fn a_place_that_vanishes_and_comes_back() {
    for backend in BACKENDS {
        let mut follower = Follower::new(backend, &["root/a/SKILL.md"]);
        fs::rename(follower.path("root"), follower.path("away")).unwrap();
        follower.expect("root");
        follower.write("root/b/SKILL.md", "new");
        follower.expect("root");
        follower.write("root/b/SKILL.md", "edited");
        follower.expect("root/b/SKILL.md");
    }
}

/// No report tells that a directory above a place was moved.
#[test]
fn a_place_that_is_exchanged_with_what_lies_above() {
    for backend in BACKENDS {
        let mut follower = Follower::of(backend, &["home/root/a/SKILL.md"], |base| {
            vec![Place::tree(base.join("home/root"), 6)]
        });
        fs::rename(follower.path("home"), follower.path("old")).unwrap();
        follower.write("home/root/b/SKILL.md", "new");
        follower.expect("home/root");
        follower.write("home/root/b/SKILL.md", "edited");
        follower.expect("home/root/b/SKILL.md");
    }
}

#[cfg(unix)]
#[test]
fn directories_that_links_lead_to() {
    use std::os::unix::fs::symlink;
    for backend in BACKENDS {
        let base = ["elsewhere/a/SKILL.md", "elsewhere/b/SKILL.md", "root/x"];
        let mut follower = Follower::new(backend, &base);
        symlink(follower.path("elsewhere/a"), follower.path("root/one")).unwrap();
        follower.expect("root/one");
        follower.write("elsewhere/a/SKILL.md", "edited");
        follower.expect("root/one/SKILL.md");
        follower.write("elsewhere/a/.hidden", "part of the skill");
        follower.expect("root/one/.hidden");
        symlink(follower.path("elsewhere/a"), follower.path("root/two")).unwrap();
        follower.expect("root/two");
        follower.write("elsewhere/a/more.md", "new");
        follower.expect("root/two/more.md");
        symlink(follower.path("elsewhere/later"), follower.path("root/late")).unwrap();
        follower.expect("root/late");
        follower.write("elsewhere/later/SKILL.md", "new");
        follower.expect("root");
    }
}

#[test]
fn a_single_file() {
    for backend in BACKENDS {
        let mut follower = Follower::of(backend, &["other.toml"], |base| {
            vec![Place::file(base.join("skills.toml"))]
        });
        follower.write("skills.toml", "new");
        follower.expect("skills.toml");
        follower.write("other.toml", "edited");
        follower.write("new.toml", "replaced as a whole");
        fs::rename(follower.path("new.toml"), follower.path("skills.toml")).unwrap();
        let (only, place) = (follower.path("skills.toml"), follower.path("skills.toml"));
        follower.wait("change of the file", |batch| {
            batch
                .places
                .get(&*place)
                .is_some_and(|changed| *changed == Changed::Paths(BTreeSet::from([only.clone()])))
        });
        assert_eq!(follower.seen.places.len(), 1);
    }
}

#[test]
fn other_places_at_run_time() {
    for backend in BACKENDS {
        let mut follower = Follower::new(backend, &["root/a/SKILL.md", "other/a/SKILL.md"]);
        let places = vec![Place::tree(follower.path("other"), 6)];
        follower.watcher.set_places(places);
        follower.write("root/a/SKILL.md", "not told");
        follower.write("other/a/SKILL.md", "told");
        let root = follower.path("root");
        follower.wait("change of the new place", |batch| !batch.is_empty());
        assert!(!follower.seen.places.contains_key(&*root));
        follower.expect("other/a/SKILL.md");
    }
}

/// A hundred files, each altered a hundred times as fast as possible.
#[test]
fn ten_thousand_changes_for_a_consumer_that_sleeps() {
    use std::time::UNIX_EPOCH;
    for backend in BACKENDS {
        let names: Vec<String> = (0..100).map(|n| format!("root/a/{n}.md")).collect();
        let paths: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut follower = Follower::new(backend, &paths);
        let open = |name: &&str| fs::File::options().write(true).open(follower.path(name));
        let files: Vec<fs::File> = paths.iter().map(|name| open(name).unwrap()).collect();
        for round in 1..=100 {
            for file in &files {
                file.set_modified(UNIX_EPOCH + Duration::from_secs(round))
                    .unwrap();
            }
        }
        follower.write("root/last/SKILL.md", "x");
        follower.wait("change of every file", |batch| {
            batch.places.values().any(|changed| match changed {
                Changed::All => true,
                Changed::Paths(told) => told.len() > names.len(),
            })
        });
    }
}

#[test]
fn the_end_is_clean_even_if_nobody_listens() {
    for backend in BACKENDS {
        let follower = Follower::new(backend, &["root/a/SKILL.md"]);
        follower.write("root/a/SKILL.md", "edited");
        let Follower {
            watcher, changes, ..
        } = follower;
        drop(changes);
        drop(watcher);
        let follower = Follower::new(backend, &["root/a/SKILL.md"]);
        drop(follower.watcher);
        assert!(follower.changes.count() <= 1);
    }
}

#[test]
fn without_watches_it_polls_and_says_so() {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().join("root");
    write(&root.join("a/SKILL.md"), "first");
    let none = |_| -> Result<Native, PollingReason> { Err(PollingReason::Limit) };
    let places = vec![Place::tree(&root, 6)];
    let (watcher, changes) = Watcher::with(none, places, options(Backend::Auto)).unwrap();
    let mut follower = Follower {
        watcher,
        changes,
        seen: Batch::default(),
        base,
    };
    follower.wait("notice", |batch| {
        batch.notices.iter().any(|notice| {
            matches!(notice, Notice::Polling { place, reason: PollingReason::Limit, .. } if *place == root)
        })
    });
    follower.write("root/a/SKILL.md", "edited");
    follower.expect("root/a/SKILL.md");
}

#[test]
fn what_is_read_is_not_told() {
    let follower = Follower::new(Backend::Auto, &["root/a/SKILL.md"]);
    for _ in 0..100 {
        fs::read(follower.path("root/a/SKILL.md")).unwrap();
        fs::read_dir(follower.path("root/a")).unwrap().count();
    }
    follower.write("root/b.md", "the only change");
    let batch = follower.changes.recv_timeout(DEADLINE).unwrap();
    let only = BTreeSet::from([follower.path("root/b.md")]);
    assert_eq!(batch.places[&*follower.path("root")], Changed::Paths(only));
}
