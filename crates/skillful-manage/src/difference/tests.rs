use std::fs;
use std::path::Path;

use super::*;

fn version(top: &Path, name: &str, files: &[(&str, &[u8])]) -> Version {
    let directory = top.join(name);
    fs::create_dir_all(&directory).unwrap();
    for (path, bytes) in files {
        let path = directory.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    Version::at(&directory).unwrap()
}

fn shown(changes: &[FileChange]) -> Vec<(&str, &str, &Comparison)> {
    changes
        .iter()
        .map(|change| (change.path.as_str(), change.kind.as_str(), &change.content))
        .collect()
}

#[test]
fn every_file_that_differs_is_told_with_its_lines_or_its_size() {
    let top = tempfile::tempdir().unwrap();
    let old = version(
        top.path(),
        "old",
        &[
            ("SKILL.md", b"one\ntwo\n"),
            ("gone.txt", b"x\n"),
            ("same", b"s"),
            ("logo.png", b"\x89\0\x01"),
        ],
    );
    let new = version(
        top.path(),
        "new",
        &[
            ("SKILL.md", b"one\n2\n"),
            ("same", b"s"),
            ("logo.png", b"\x89\0\x01\x02"),
            ("scripts/run.sh", b"#!/bin/sh\n"),
        ],
    );
    let changes = between(&old, &new);
    let lines = |text: &str| Comparison::Lines(text.to_owned());
    assert_eq!(
        shown(&changes),
        [
            (
                "SKILL.md",
                "modified",
                &lines("--- a/SKILL.md\n+++ b/SKILL.md\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n")
            ),
            (
                "gone.txt",
                "removed",
                &lines("--- a/gone.txt\n+++ b/gone.txt\n@@ -1 +0,0 @@\n-x\n")
            ),
            ("logo.png", "modified", &Comparison::Binary),
            (
                "scripts/run.sh",
                "added",
                &lines("--- a/scripts/run.sh\n+++ b/scripts/run.sh\n@@ -0,0 +1 @@\n+#!/bin/sh\n")
            ),
        ]
    );
    assert_eq!(
        (changes[2].bytes_before, changes[2].bytes_after),
        (Some(3), Some(4))
    );
    assert_eq!(between(&old, &old), []);
}

#[test]
fn what_is_too_long_is_told_by_its_size() {
    let top = tempfile::tempdir().unwrap();
    let long = "a\n".repeat(limits::COMPARED_LINES + 1);
    let large = "a".repeat(usize::try_from(limits::COMPARED_BYTES).unwrap() + 1);
    let files: [(&str, &[u8]); 2] = [("large", large.as_bytes()), ("long", long.as_bytes())];
    let new = version(top.path(), "new", &files);
    let changes = between(&Version::default(), &new);
    assert!(
        changes
            .iter()
            .all(|change| change.content == Comparison::TooLong),
        "{changes:?}"
    );
}

#[test]
fn what_is_not_kept_is_told_by_its_size() {
    let top = tempfile::tempdir().unwrap();
    let new = version(top.path(), "new", &[("SKILL.md", b"two")]);
    let listed = Version::listed(&[LockedFile {
        path: "SKILL.md".to_owned(),
        size: 9,
        sha256: "0".repeat(64),
        executable: false,
    }]);
    let changes = between(&listed, &new);
    assert_eq!(
        shown(&changes),
        [("SKILL.md", "modified", &Comparison::NotKept)]
    );
    assert_eq!(changes[0].bytes_before, Some(9));
}

#[cfg(unix)]
#[test]
fn modes_and_links_are_differences() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let top = tempfile::tempdir().unwrap();
    let old = version(top.path(), "old", &[("run", b"x"), ("other", b"y")]);
    version(top.path(), "new", &[("run", b"x")]);
    let new = top.path().join("new");
    fs::set_permissions(new.join("run"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink("/etc/passwd", new.join("other")).unwrap();
    let changes = between(&old, &Version::at(&new).unwrap());
    assert_eq!(
        shown(&changes),
        [
            (
                "other",
                "replaced",
                &Comparison::Lines(
                    "--- a/other\n+++ b/other\n@@ -1 +1 @@\n-y\n\\ No newline at end of file\n+link to /etc/passwd\n"
                        .to_owned()
                )
            ),
            ("run", "mode", &Comparison::Same),
        ]
    );
}
