use std::fs;
use std::time::{Duration, SystemTime};

use super::*;
use crate::{Actor, Change, Operation, Options, Swap, observe};

fn much_later() -> SystemTime {
    SystemTime::now() + Duration::from_secs(30 * 24 * 60 * 60)
}

#[test]
fn history_and_placed_read_without_making_anything() {
    let directory = tempfile::tempdir().unwrap();
    let data = DataDirectory::at(directory.path().join("data"));
    assert_eq!(history(&data, &Query::default()).unwrap(), []);
    assert_eq!(placed(&data, Path::new("/x")).unwrap(), None);
    assert!(!data.path().exists());
}

#[test]
fn pruning_keeps_content_that_an_entry_or_a_placement_needs() {
    let directory = tempfile::tempdir().unwrap();
    let data = DataDirectory::at(directory.path().join("data"));
    let options = Options {
        clock: much_later,
        ..Options::default()
    };
    let mut writer = Writer::open_with(&data, options).unwrap();
    let tree = |text: &str| {
        let staging = data.objects().stage().unwrap();
        fs::write(staging.path().join("SKILL.md"), text).unwrap();
        data.objects().put_tree(staging.path()).unwrap()
    };
    let mut set = |name: &str, after: State| {
        let path = directory.path().join(name);
        let swap = Swap::new(&path, observe(&path).unwrap(), after);
        let change = Change::new(Operation::ADD, Actor::USER).swap(swap);
        writer.commit(change).unwrap();
    };
    let (linked, first, second, locked, loose) = (
        tree("linked"),
        tree("1"),
        tree("2"),
        tree("locked"),
        tree("loose"),
    );
    let target = data.objects().tree_path(&linked.digest());
    let target = target.to_str().unwrap().to_owned();
    set("linked", State::Link { target });
    set("copy", first.state());
    set("copy", second.state());
    set("copy", State::Absent);

    let retention = Retention {
        entries: Some(2),
        ..Retention::ALL
    };
    let kept = BTreeSet::from([locked.digest()]);
    let (entries, objects) = writer.prune(&retention, &kept).unwrap();
    assert_eq!((entries.entries, objects.trees), (2, 1));
    let objects = data.objects();
    for tree in [&linked, &first, &second, &locked] {
        objects.verify(&tree.state()).unwrap();
    }
    assert!(!objects.contains(&loose.state()));
    writer.undo(4, Actor::USER).unwrap();
    writer.undo(3, Actor::USER).unwrap();
    assert_eq!(
        placed(&data, &directory.path().join("copy")).unwrap(),
        Some(first.state())
    );
}
