use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};

use super::*;
use crate::state::{observe, state_of_bytes};

fn fresh() -> (tempfile::TempDir, Objects) {
    let directory = tempfile::tempdir().unwrap();
    let objects = DataDirectory::at(directory.path().join("deep/data")).objects();
    (directory, objects)
}

fn skill(directory: &Path, text: &str) -> PathBuf {
    let path = directory.join(format!("skill-{text}"));
    fs::create_dir_all(path.join("scripts")).unwrap();
    fs::write(path.join("SKILL.md"), text).unwrap();
    fs::write(path.join("scripts/run"), "#!").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(path.join("scripts/run"), mode).unwrap();
    }
    path
}

fn left_in_staging(objects: &Objects) -> usize {
    fs::read_dir(objects.data.staging()).unwrap().count()
}

#[test]
fn what_was_put_is_what_was_there() {
    let (directory, objects) = fresh();
    let path = skill(directory.path(), "a");
    let tree = objects.put_tree(&path).unwrap();
    assert_eq!(tree.state(), observe(&path).unwrap());
    assert_eq!(
        observe(&objects.tree_path(&tree.digest())).unwrap(),
        tree.state(),
        "the bit to execute is kept"
    );
    assert_eq!(objects.put_tree(&path).unwrap(), tree, "twice is once");
    assert_eq!(objects.put(&path).unwrap(), tree.state());
    assert!(objects.contains(&tree.state()));
    assert_eq!(objects.verify(&tree.state()).unwrap(), 3);

    let state = objects.put_bytes(b"text", false).unwrap();
    assert_eq!(state, state_of_bytes(b"text", false));
    let sha256 = hash::of("text");
    assert_eq!(objects.read_file(&sha256).unwrap(), b"text");
    assert_eq!(left_in_staging(&objects), 0);

    let inside = objects.tree_path(&tree.digest()).join("scripts");
    assert_eq!(objects.tree_at(&inside), Some(tree.digest()));
    assert_eq!(objects.tree_at(directory.path()), None);
}

#[cfg(unix)]
#[test]
fn objects_are_read_only_and_copies_are_not() {
    use std::os::unix::fs::PermissionsExt;
    let (directory, objects) = fresh();
    let tree = objects.put_tree(&skill(directory.path(), "a")).unwrap();
    let mode = |path: PathBuf| path.metadata().unwrap().permissions().mode() & 0o777;
    let object = objects.tree_path(&tree.digest());
    assert_eq!(mode(object.join("SKILL.md")) & 0o222, 0);
    assert_eq!(mode(object.join("scripts/run")), 0o555);
    let staging = objects.stage().unwrap();
    let copied = objects.copy_tree(&tree.digest(), staging.path()).unwrap();
    assert_eq!(copied, tree);
    assert_eq!(mode(staging.path().join("SKILL.md")) & 0o600, 0o600);
    assert_eq!(mode(staging.path().join("scripts/run")) & 0o700, 0o700);
}

#[test]
fn an_object_that_somebody_edited_is_noticed_and_not_overwritten() {
    let (directory, objects) = fresh();
    let path = skill(directory.path(), "a");
    let tree = objects.put_tree(&path).unwrap();
    let inside = objects.tree_path(&tree.digest()).join("note");
    fs::write(&inside, "mine").unwrap();
    for result in [
        objects.verify(&tree.state()).map(drop),
        objects.put_tree(&path).map(drop),
        objects.tree(&tree.digest()).map(drop),
    ] {
        assert!(
            matches!(result, Err(ObjectError::Damaged { .. })),
            "{result:?}"
        );
    }
    let aside = objects.put_aside(&tree.state()).unwrap().unwrap();
    assert_eq!(fs::read(aside.join("note")).unwrap(), b"mine");
    assert!(matches!(
        objects.verify(&tree.state()),
        Err(ObjectError::Missing { .. })
    ));
    objects.put_tree(&path).unwrap();
    objects.verify(&tree.state()).unwrap();
}

#[test]
fn many_put_the_same_at_the_same_time() {
    let (directory, objects) = fresh();
    let path = skill(directory.path(), "a");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                objects.put_tree(&path).unwrap();
                objects.put_bytes(b"same", true).unwrap();
            });
        }
    });
    let state = observe(&path).unwrap();
    objects.verify(&state).unwrap();
    assert_eq!(left_in_staging(&objects), 0);
}

#[test]
fn pruning_keeps_what_is_referred_to_and_what_is_new() {
    let (directory, objects) = fresh();
    let put = |text| objects.put_tree(&skill(directory.path(), text)).unwrap();
    let (kept, gone) = (put("kept"), put("gone"));
    objects.put_bytes(b"gone as well", false).unwrap();
    let referred = BTreeSet::from([kept.digest()]);
    let now = SystemTime::now();
    let nothing = objects.prune(&referred, now).unwrap();
    assert_eq!(nothing, PrunedObjects::default(), "all of it is new");
    let later = now + limits::UNREFERRED + Duration::from_secs(60);
    let pruned = objects.prune(&referred, later).unwrap();
    assert_eq!(pruned, PrunedObjects { trees: 1, files: 1 });
    objects.verify(&kept.state()).unwrap();
    assert!(!objects.contains(&gone.state()));
    assert_eq!(left_in_staging(&objects), 0);
}

#[test]
fn what_processes_that_are_gone_left_behind_is_swept_and_nothing_else() {
    let (_directory, objects) = fresh();
    let staging = objects.data.staging();
    let used = objects.stage().unwrap();
    fs::write(used.path().join("x"), "in use").unwrap();
    fs::create_dir_all(staging.join("gone/deep")).unwrap();
    fs::write(staging.join("gone.lock"), "").unwrap();
    fs::create_dir(staging.join("without-lock")).unwrap();
    sweep(&staging).unwrap();
    assert_eq!(fs::read(used.path().join("x")).unwrap(), b"in use");
    assert_eq!(left_in_staging(&objects), 2, "the place and its lock");
    drop(used);
    assert_eq!(left_in_staging(&objects), 0);
}
