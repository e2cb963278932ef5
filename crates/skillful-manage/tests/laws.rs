//! Whatever is changed and undone in whatever order, the disk ends where a plain model in memory says.

#![expect(clippy::unwrap_used, reason = "a test ends where its helpers fail")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use skillful_manage::{
    Actor, Change, ChangeError, DataDirectory, Objects, Operation, Options, Query, State, Swap,
    Writer, observe,
};

/// The paths that are changed; some lie in directories that come and go.
const PATHS: [&str; 4] = ["a", "b", "deep/er/c", "deep/d"];

/// What can be at a path, in a few words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Nothing,
    File(u8),
    Script(u8),
    Tree(u8),
    Link(u8),
}

#[derive(Clone, Debug)]
enum Act {
    /// Sets these paths, all at once.
    Change(Vec<(usize, Content)>),
    /// Undoes the entry of this number, counted from the first and around.
    Undo(usize),
    UndoLast,
    /// Somebody else writes a path.
    Edit(usize, Content),
}

/// What ought to be: every path's content, and of each entry what it changed and whether it is undone.
#[derive(Default)]
struct Model {
    world: BTreeMap<usize, Content>,
    entries: Vec<Done>,
}

struct Done {
    swaps: Vec<(usize, Content, Content)>,
    is_undo: bool,
    is_undone: bool,
}

impl Model {
    fn at(&self, path: usize) -> Content {
        self.world.get(&path).copied().unwrap_or(Content::Nothing)
    }

    /// Gives whether anything is to be done.
    fn change(&mut self, to: &[(usize, Content)]) -> bool {
        let swaps: Vec<_> = to
            .iter()
            .map(|(path, after)| (*path, self.at(*path), *after))
            .filter(|(_, before, after)| before != after)
            .collect();
        self.make(swaps, false)
    }

    fn make(&mut self, swaps: Vec<(usize, Content, Content)>, is_undo: bool) -> bool {
        if swaps.is_empty() {
            return false;
        }
        for (path, _, after) in &swaps {
            self.world.insert(*path, *after);
        }
        self.entries.push(Done {
            swaps,
            is_undo,
            is_undone: false,
        });
        true
    }

    /// Gives whether the entry can be undone.
    fn undo(&mut self, index: usize) -> bool {
        let Some(done) = self.entries.get(index) else {
            return false;
        };
        let is_as_left = done
            .swaps
            .iter()
            .all(|(path, _, after)| self.at(*path) == *after);
        if done.is_undone || !is_as_left {
            return false;
        }
        let inverse = done
            .swaps
            .iter()
            .map(|(path, before, after)| (*path, *after, *before));
        let (inverse, is_undo) = (inverse.collect(), !done.is_undo);
        self.entries[index].is_undone = true;
        self.make(inverse, is_undo)
    }

    fn last(&self) -> Option<usize> {
        self.entries
            .iter()
            .rposition(|done| !done.is_undone && !done.is_undo)
    }
}

fn put(content: Content, objects: &Objects) -> State {
    match content {
        Content::Nothing => State::Absent,
        Content::File(text) => objects.put_bytes(&[text], false).unwrap(),
        Content::Script(text) => objects.put_bytes(&[text], true).unwrap(),
        Content::Link(text) => State::Link {
            target: format!("nowhere-{text}"),
        },
        Content::Tree(_) => {
            let staging = objects.stage().unwrap();
            let path = staging.path().join("t");
            write(content, &path);
            objects.put_tree(&path).unwrap().state()
        }
    }
}

/// What somebody else would do.
fn write(content: Content, path: &Path) {
    match path.symlink_metadata() {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path).unwrap(),
        Ok(_) => fs::remove_file(path).unwrap(),
        Err(_) => {}
    }
    if content != Content::Nothing {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
    }
    match content {
        Content::Nothing => {}
        Content::File(text) | Content::Script(text) => {
            fs::write(path, [text]).unwrap();
            #[cfg(unix)]
            if matches!(content, Content::Script(_)) {
                use std::os::unix::fs::PermissionsExt;
                fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
            }
        }
        Content::Tree(text) => {
            fs::create_dir_all(path.join("empty")).unwrap();
            fs::write(path.join("SKILL.md"), [text]).unwrap();
        }
        #[cfg(unix)]
        Content::Link(text) => {
            std::os::unix::fs::symlink(format!("nowhere-{text}"), path).unwrap();
        }
        #[cfg(windows)]
        Content::Link(text) => {
            std::os::windows::fs::symlink_file(format!("nowhere-{text}"), path).unwrap();
        }
    }
}

fn content() -> impl Strategy<Value = Content> {
    prop_oneof![
        Just(Content::Nothing),
        (0..3_u8).prop_map(Content::File),
        (0..2_u8).prop_map(Content::Script),
        (0..3_u8).prop_map(Content::Tree),
        (0..2_u8).prop_map(Content::Link),
    ]
}

fn act() -> impl Strategy<Value = Act> {
    let several = prop::collection::btree_map(0..PATHS.len(), content(), 1..=3);
    prop_oneof![
        5 => several.prop_map(|to| Act::Change(to.into_iter().collect())),
        3 => (0..12_usize).prop_map(Act::Undo),
        2 => Just(Act::UndoLast),
        1 => (0..PATHS.len(), content()).prop_map(|(path, content)| Act::Edit(path, content)),
    ]
}

/// Follows one act on the disk and in the model; both must agree on whether it can be done.
fn follow(act: &Act, world: &Path, writer: &mut Writer, model: &mut Model) {
    let at = |path: usize| world.join(PATHS[path]);
    let undone = |result: Result<_, ChangeError>| match result {
        Ok(_) => true,
        Err(
            ChangeError::Journal(_) | ChangeError::ChangedSince { .. } | ChangeError::NothingToUndo,
        ) => false,
        Err(error) => panic!("{error}"),
    };
    match act {
        Act::Change(to) => {
            let mut change = Change::new(Operation::EDIT, Actor::USER);
            for (path, content) in to {
                let after = put(*content, writer.objects());
                let path = at(*path);
                let before = observe(&path).unwrap();
                change.swaps.push(Swap::new(path, before, after));
            }
            let is_made = match writer.commit(change) {
                Ok(_) => true,
                Err(ChangeError::Nothing) => false,
                Err(error) => panic!("{error}"),
            };
            assert_eq!(is_made, model.change(to));
        }
        Act::Undo(index) => {
            let is_made = undone(writer.undo(*index as u64 + 1, Actor::USER));
            assert_eq!(is_made, model.undo(*index));
        }
        Act::UndoLast => {
            let is_made = undone(writer.undo_last(&Query::default(), Actor::USER));
            assert_eq!(is_made, model.last().is_some_and(|last| model.undo(last)));
        }
        Act::Edit(path, content) => {
            write(*content, &at(*path));
            model.world.insert(*path, *content);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn the_disk_ends_where_a_model_says(
        acts in prop::collection::vec(act(), 1..20),
        two_steps in any::<bool>(),
    ) {
        let directory = tempfile::tempdir().unwrap();
        let world = directory.path().join("world");
        fs::create_dir(&world).unwrap();
        let data = DataDirectory::at(directory.path().join("data"));
        let options = Options { two_steps, ..Options::default() };
        let mut writer = Writer::open_with(&data, options).unwrap();
        let mut model = Model::default();
        for act in &acts {
            follow(act, &world, &mut writer, &mut model);
            for (index, path) in PATHS.iter().enumerate() {
                let expected = put(model.at(index), writer.objects());
                prop_assert_eq!(observe(&world.join(path)).unwrap(), expected, "{} after {:?}", path, act);
            }
        }
        prop_assert_eq!(writer.journal().entries(&Query::default()).unwrap().len(), model.entries.len());
    }
}
