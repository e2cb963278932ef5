use std::fs;
use std::path::{Path, PathBuf};

use skillful_store::journal::{JournalError, Query, State};

use super::intent::Intent;
use super::plan::Undone;
use super::*;
use crate::state::observe;

struct World {
    directory: tempfile::TempDir,
    data: DataDirectory,
}

impl World {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let data = DataDirectory::at(directory.path().join("data"));
        Self { directory, data }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.directory.path().join(path)
    }

    fn writer(&self) -> Writer {
        Writer::open(&self.data).unwrap()
    }

    fn file(&self, text: &str) -> State {
        let objects = self.data.objects();
        objects.put_bytes(text.as_bytes(), false).unwrap()
    }

    fn tree(&self, text: &str) -> State {
        let staging = self.data.objects().stage().unwrap();
        fs::write(staging.path().join("SKILL.md"), text).unwrap();
        let objects = self.data.objects();
        objects.put_tree(staging.path()).unwrap().state()
    }

    /// From what is there now.
    fn to(&self, path: &str, after: State) -> Swap {
        let path = self.at(path);
        let before = observe(&path).unwrap();
        Swap::new(path, before, after)
    }

    fn names(&self, path: &str) -> Vec<String> {
        let entries = fs::read_dir(self.at(path)).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

fn edit() -> Change {
    Change::new(Operation::EDIT, Actor::USER).about("a")
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_plan_that_is_out_of_date_touches_nothing() {
    let world = World::new();
    fs::write(world.at("one"), "1").unwrap();
    let change = edit()
        .swap(world.to("one", world.file("new")))
        .swap(world.to("two", world.file("new")));
    fs::write(world.at("two"), "somebody's").unwrap();
    let error = world.writer().commit(change).unwrap_err();
    let ChangeError::Changed(paths) = &error else {
        panic!("{error}");
    };
    assert_eq!(paths.len(), 1);
    assert_eq!(paths[0].path, world.at("two"));
    assert!(error.to_string().contains("two there is a file"), "{error}");
    assert_eq!(text(&world.at("one")), "1");
    assert_eq!(world.names("."), ["data", "one", "two"]);
}

#[test]
fn paths_that_cannot_be_changed_are_refused() {
    let world = World::new();
    let mut writer = world.writer();
    fs::create_dir(world.at("d")).unwrap();
    fs::write(world.at("file"), "").unwrap();
    let mut fault_of = |paths: &[PathBuf]| {
        let swaps = paths
            .iter()
            .map(|path| Swap::new(path, State::Absent, world.file("x")));
        let mut change = edit();
        change.swaps = swaps.collect();
        match writer.commit(change).unwrap_err() {
            ChangeError::Path { fault, .. } => fault,
            error => panic!("{error}"),
        }
    };
    assert_eq!(fault_of(&["x".into()]), PathFault::NotPlain);
    assert_eq!(fault_of(&[world.at("d/../x")]), PathFault::NotPlain);
    assert_eq!(fault_of(&["/".into()]), PathFault::NotPlain);
    let twice = [world.at("d/x"), world.at("d/x")];
    assert_eq!(fault_of(&twice), PathFault::Twice);
    let nested = [world.at("d"), world.at("e"), world.at("d/x/y")];
    assert_eq!(fault_of(&nested), PathFault::Twice);
    assert_eq!(fault_of(&[world.at("data/journal.db")]), PathFault::Ours);
    assert_eq!(fault_of(&[world.at("data/objects/x")]), PathFault::Ours);
    assert_eq!(fault_of(&[world.at("data")]), PathFault::Ours);
    assert_eq!(fault_of(&[world.at("")]), PathFault::Ours);
    assert_eq!(fault_of(&[world.at("file/x")]), PathFault::NoDirectory);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("d", world.at("link")).unwrap();
        std::os::unix::fs::symlink("data", world.at("to-data")).unwrap();
        std::os::unix::fs::symlink("nowhere", world.at("broken")).unwrap();
        let linked = [world.at("link/x"), world.at("d/x")];
        assert_eq!(fault_of(&linked), PathFault::Twice);
        assert_eq!(fault_of(&[world.at("to-data/journal.db")]), PathFault::Ours);
        assert_eq!(fault_of(&[world.at("broken/x")]), PathFault::NoDirectory);
    }
    assert!(matches!(writer.commit(edit()), Err(ChangeError::Nothing)));
}

#[cfg(unix)]
#[test]
fn a_directory_may_be_reached_through_a_link_and_a_target_is_never_followed() {
    let world = World::new();
    fs::create_dir_all(world.at("dotfiles/skills")).unwrap();
    std::os::unix::fs::symlink("dotfiles/skills", world.at("skills")).unwrap();
    fs::write(world.at("theirs"), "theirs").unwrap();
    std::os::unix::fs::symlink("../../theirs", world.at("dotfiles/skills/a")).unwrap();
    let mut writer = world.writer();
    let swap = world.to("skills/a", world.tree("new"));
    writer.commit(edit().swap(swap)).unwrap();
    assert_eq!(text(&world.at("dotfiles/skills/a/SKILL.md")), "new");
    assert_eq!(text(&world.at("theirs")), "theirs");
    assert!(world.at("skills").is_symlink());
    writer.undo(1, Actor::USER).unwrap();
    assert!(world.at("dotfiles/skills/a").is_symlink());
    assert_eq!(world.names("skills"), ["a"]);
}

#[test]
fn content_that_is_not_kept_or_not_right_is_an_error() {
    let world = World::new();
    let state = crate::state_of_bytes(b"never put", false);
    let error = world
        .writer()
        .commit(edit().swap(world.to("deep/x", state)))
        .unwrap_err();
    assert!(
        matches!(
            error,
            ChangeError::Object(crate::ObjectError::Missing { .. })
        ),
        "{error}"
    );
    let tree = world.tree("good");
    let State::Tree { digest } = tree else {
        panic!()
    };
    let object = world.data.objects().tree_path(&digest);
    fs::write(object.join("more"), "").unwrap();
    let error = world
        .writer()
        .commit(edit().swap(world.to("deep/x", tree)))
        .unwrap_err();
    assert!(
        matches!(
            error,
            ChangeError::Object(crate::ObjectError::Damaged { .. })
        ),
        "{error}"
    );
    assert_eq!(world.names("."), ["data"], "no directory is left either");
}

#[cfg(unix)]
#[test]
fn what_replaces_something_is_as_private_as_that_was() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    let mode = |path: &str| world.at(path).metadata().unwrap().permissions().mode() & 0o777;
    let set = |path: &str, mode| {
        fs::set_permissions(world.at(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    fs::write(world.at("secret"), "").unwrap();
    set("secret", 0o600);
    fs::create_dir(world.at("skill")).unwrap();
    set("skill", 0o700);
    let executable = world.data.objects().put_bytes(b"#!", true).unwrap();
    let change = edit()
        .swap(world.to("secret", executable))
        .swap(world.to("skill", world.tree("x")));
    world.writer().commit(change).unwrap();
    assert_eq!(
        mode("secret"),
        0o700,
        "its owner may execute it, and nobody else"
    );
    assert_eq!(mode("skill"), 0o700);
    world.writer().undo(1, Actor::USER).unwrap();
    assert_eq!(mode("secret"), 0o600);
}

#[test]
fn directories_come_and_go_with_what_they_were_made_for() {
    let world = World::new();
    let mut writer = world.writer();
    let first = world.to("p/.agents/skills/a", world.tree("a"));
    let made = writer.commit(edit().swap(first)).unwrap();
    let directories = ["p", "p/.agents", "p/.agents/skills"].map(|path| world.at(path));
    assert_eq!(made.made_directories, directories);
    fs::write(world.at("p/README"), "mine").unwrap();
    let undone = writer.undo(made.seq, Actor::USER).unwrap();
    assert_eq!(
        world.names("p"),
        ["README"],
        "only what was made, and is empty"
    );
    writer.undo(undone.seq, Actor::USER).unwrap();
    assert_eq!(text(&world.at("p/.agents/skills/a/SKILL.md")), "a");
    // A removal of what others made leaves their directory.
    fs::create_dir(world.at("others")).unwrap();
    let other = world.to("others/b", world.tree("b"));
    let made = writer.commit(edit().swap(other)).unwrap();
    writer.undo(made.seq, Actor::USER).unwrap();
    assert_eq!(world.names("others"), [""; 0]);
}

#[test]
fn an_undo_happens_once_and_can_be_undone() {
    let world = World::new();
    fs::write(world.at("x"), "old").unwrap();
    let mut writer = world.writer();
    let done = writer
        .commit(edit().swap(world.to("x", world.file("new"))).saying("why"))
        .unwrap();
    assert_eq!((done.seq, done.transaction.clone()), (1, done.id.clone()));
    let undone = writer.undo(1, Actor::AGENT).unwrap();
    assert_eq!(text(&world.at("x")), "old");
    assert_eq!(undone.operation, Operation::UNDO);
    assert_eq!(
        (&undone.undoes[..], &undone.skills[..]),
        (&[1][..], &["a".to_owned()][..])
    );
    assert_eq!(undone.message, "why");
    let again = writer.undo(1, Actor::AGENT).unwrap_err();
    assert!(
        matches!(
            again,
            ChangeError::Journal(JournalError::AlreadyUndone { seq: 1, by: 2 })
        ),
        "{again}"
    );
    let redone = writer.undo(2, Actor::USER).unwrap();
    assert_eq!(redone.operation, Operation::REDO);
    assert_eq!(text(&world.at("x")), "new");
    let missing = writer.undo(9, Actor::USER).unwrap_err();
    assert!(matches!(
        missing,
        ChangeError::Journal(JournalError::NoEntry { seq: 9 })
    ));
}

#[test]
fn an_undo_never_takes_a_local_edit_away() {
    let world = World::new();
    let mut writer = world.writer();
    let swaps = [
        world.to("a", world.tree("a")),
        world.to("b", world.file("b")),
    ];
    let mut change = edit();
    change.swaps = swaps.to_vec();
    writer.commit(change).unwrap();
    fs::write(world.at("a/SKILL.md"), "edited").unwrap();
    let error = writer.undo(1, Actor::USER).unwrap_err();
    let ChangeError::ChangedSince { seq: 1, paths } = &error else {
        panic!("{error}");
    };
    assert_eq!(paths.len(), 1);
    assert_eq!(paths[0].path, world.at("a"));
    assert_eq!(text(&world.at("a/SKILL.md")), "edited");
    assert_eq!(text(&world.at("b")), "b");
    assert!(
        writer
            .journal()
            .entry(1)
            .unwrap()
            .unwrap()
            .undone_by
            .is_none()
    );
}

#[test]
fn undoing_the_last_goes_further_back_each_time() {
    let world = World::new();
    let mut writer = world.writer();
    for (name, skill) in [("1", "a"), ("2", "b"), ("3", "a")] {
        let swap = world.to("x", world.file(name));
        let change = Change::new(Operation::EDIT, Actor::USER).about(skill);
        writer.commit(change.swap(swap)).unwrap();
    }
    let all = Query::default();
    let mut undo_last = |query: &Query| {
        let undone = writer.undo_last(query, Actor::USER);
        undone.map(|entry| entry.undoes.clone())
    };
    let error = undo_last(&Query::skill("b")).unwrap_err();
    assert!(
        matches!(error, ChangeError::ChangedSince { seq: 2, .. }),
        "{error}"
    );
    assert_eq!(undo_last(&Query::skill("a")).unwrap(), [3]);
    assert_eq!(undo_last(&all).unwrap(), [2]);
    assert_eq!(undo_last(&all).unwrap(), [1]);
    assert!(matches!(undo_last(&all), Err(ChangeError::NothingToUndo)));
    assert!(!world.at("x").exists());
}

#[test]
fn a_transaction_is_undone_in_one_step_or_not_at_all() {
    let world = World::new();
    let mut writer = world.writer();
    let transaction = Change::new_transaction();
    for text in ["1", "2"] {
        for name in ["x", text] {
            let swap = world.to(name, world.file(text));
            let change = edit().swap(swap).within(&transaction);
            writer.commit(change).unwrap();
        }
    }
    let undone = writer.undo_transaction(&transaction, Actor::USER).unwrap();
    assert_eq!(undone.undoes, [4, 3, 2, 1]);
    assert_eq!(world.names("."), ["data"]);
    assert!(matches!(
        writer.undo_transaction(&transaction, Actor::USER),
        Err(ChangeError::NothingToUndo)
    ));
    writer.undo(undone.seq, Actor::USER).unwrap();
    assert_eq!(text(&world.at("x")), "2");

    let transaction = Change::new_transaction();
    let set = |writer: &mut Writer, text: &str, is_part: bool| {
        let mut change = edit().swap(world.to("x", world.file(text)));
        change.transaction = is_part.then(|| transaction.clone());
        writer.commit(change).unwrap();
    };
    set(&mut writer, "3", true);
    set(&mut writer, "4", false);
    set(&mut writer, "5", true);
    let error = writer
        .undo_transaction(&transaction, Actor::USER)
        .unwrap_err();
    assert!(matches!(error, ChangeError::NotOneStep { .. }), "{error}");
    assert_eq!(text(&world.at("x")), "5");
}

/// What a process leaves that was killed after the change was decided and before anything was swapped.
fn killed(world: &World, change: Change) {
    let writer = world.writer();
    let entry = writer.plan(change, Undone::default()).unwrap();
    Intent::record(&world.data.intents(), entry)
        .unwrap()
        .decide()
        .unwrap();
}

#[test]
fn what_somebody_changed_after_a_kill_is_left_alone_and_the_rest_completed() {
    let world = World::new();
    fs::write(world.at("a"), "old").unwrap();
    let change = edit()
        .swap(world.to("a", world.file("new")))
        .swap(world.to("b", world.tree("new")));
    killed(&world, change);
    fs::write(world.at("a"), "somebody's").unwrap();
    let writer = world.writer();
    let [recovered] = writer.recovered() else {
        panic!("{:?}", writer.recovered());
    };
    assert_eq!(recovered.outcome, Outcome::Completed(1));
    assert_eq!(recovered.left_alone, [world.at("a")]);
    assert_eq!(text(&world.at("a")), "somebody's");
    assert_eq!(text(&world.at("b/SKILL.md")), "new");
    let entry = writer.journal().entry(1).unwrap().unwrap();
    assert_eq!(entry.swaps.len(), 1);
    assert_eq!(entry.swaps[0].path, world.at("b"));
    drop(writer);
    assert!(world.writer().recovered().is_empty(), "told once");
    assert_eq!(world.names("."), ["a", "b", "data"]);
}

#[cfg(unix)]
#[test]
fn an_edit_in_the_moment_before_a_kill_is_kept() {
    let world = World::new();
    fs::write(world.at("a"), "old").unwrap();
    killed(&world, edit().swap(world.to("a", world.file("new"))));
    // As if it was exchanged right after somebody edited it, and the process was killed before it could look again.
    let left = fs::read_dir(world.data.intents()).unwrap().next().unwrap();
    let id = left.unwrap().path().file_stem().unwrap().to_owned();
    let beside = format!(".skillful-{}-0.new", id.to_str().unwrap());
    fs::write(world.at(&beside), "edited").unwrap();
    fs::write(world.at("a"), "new").unwrap();
    let mut writer = world.writer();
    assert_eq!(writer.recovered()[0].outcome, Outcome::Completed(1));
    assert_eq!(text(&world.at("a")), "new");
    writer.undo(1, Actor::USER).unwrap();
    assert_eq!(text(&world.at("a")), "edited");
    assert_eq!(world.names("."), ["a", "data"]);
}

/// Does something when a change was decided: after everything was checked, before anything is swapped.
struct WhenDecided<F>(F);

impl<F: Fn() + Send> Observer for WhenDecided<F> {
    fn reached(&self, step: Step<'_>) -> std::io::Result<()> {
        if step == Step::Decided {
            (self.0)();
        }
        Ok(())
    }
}

#[test]
fn an_edit_between_looking_and_swapping_is_not_lost() {
    for two_steps in [false, true] {
        for what in ["file", "tree", "gone", "new"] {
            let world = World::new();
            fs::write(world.at("first"), "old").unwrap();
            let path = world.at("x");
            let after = match what {
                "file" => {
                    fs::write(&path, "old").unwrap();
                    world.file("new")
                }
                "tree" => {
                    fs::create_dir(&path).unwrap();
                    world.tree("new")
                }
                "gone" => {
                    fs::create_dir(&path).unwrap();
                    State::Absent
                }
                _ => world.file("new"),
            };
            let change = edit()
                .swap(world.to("first", world.file("new")))
                .swap(world.to("x", after));
            let edited = if path.is_dir() {
                path.join("mine")
            } else {
                path
            };
            let mine = edited.clone();
            let options = Options {
                two_steps,
                observer: Box::new(WhenDecided(move || fs::write(&mine, "mine").unwrap())),
                ..Options::default()
            };
            let mut writer = Writer::open_with(&world.data, options).unwrap();
            let error = writer.commit(change).unwrap_err();
            let ChangeError::LeftAlone { error, left_alone } = &error else {
                panic!("{what}: {error}");
            };
            assert!(
                matches!(**error, ChangeError::Changed(_)),
                "{what}: {error}"
            );
            assert_eq!(*left_alone, [world.at("x")]);
            assert_eq!(text(&edited), "mine");
            assert_eq!(text(&world.at("first")), "old");
            assert_eq!(world.names("."), ["data", "first", "x"]);
            assert_eq!(world.names("data/intents"), [""; 0]);
        }
    }
}

#[test]
fn a_lock_that_somebody_holds_is_not_waited_for_forever() {
    let world = World::new();
    let held = world.writer();
    let options = Options {
        patience: Duration::ZERO,
        ..Options::default()
    };
    let error = Writer::open_with(&world.data, options).unwrap_err();
    assert!(matches!(error, ChangeError::Busy { .. }), "{error}");
    drop(held);
    world.writer();
}

#[test]
fn an_intent_that_cannot_be_read_stops_everything_and_is_named() {
    let world = World::new();
    world.writer();
    fs::create_dir_all(world.data.intents()).unwrap();
    fs::write(world.data.intents().join("half.staging"), "{\"vers").unwrap();
    world.writer();
    let damaged = world.data.intents().join("x.intent");
    fs::write(&damaged, "{\"vers").unwrap();
    let error = Writer::open(&world.data).unwrap_err();
    assert!(
        matches!(&error, ChangeError::Intent { path, .. } if *path == damaged),
        "{error}"
    );
}
