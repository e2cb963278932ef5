use std::fs;
use std::path::Path;

use skillful::{Clients, Host, Library, Options};

use super::*;
use crate::limits;

fn write(directory: &Path, path: &str, content: &str) {
    let path = directory.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

#[cfg(unix)]
fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

const SKILL: &str = "---\nname: a\ndescription: d\n---\nx\n";

#[cfg(unix)]
#[test]
fn plain_files_have_the_digest_that_the_runtime_gives_a_skill() {
    let root = tempfile::tempdir().unwrap();
    let skill = root.path().join("a");
    for (path, content) in [
        ("SKILL.md", SKILL),
        ("scripts/run.sh", "true\n"),
        ("scripts-2/x", ""),
        ("ä/ö.txt", "ü"),
        (".hidden", "h"),
        ("Z", "upper case comes first"),
    ] {
        write(&skill, path, content);
    }
    make_executable(&skill.join("scripts/run.sh"));
    let options = Options {
        roots: vec![root.path().to_owned()],
        ..Options::default()
    };
    let library = Library::scan(
        &Host::new(root.path()),
        &Clients::built_in().unwrap(),
        &options,
    );
    let expected = skillful::bundle::digest(&library.registry.skills()[0]).unwrap();
    assert_eq!(
        Tree::capture(&skill).unwrap().digest().to_string(),
        expected
    );
}

#[cfg(unix)]
#[test]
fn links_empty_directories_and_hidden_files_are_captured_as_they_are() {
    let directory = tempfile::tempdir().unwrap();
    let top = directory.path().join("a");
    write(&top, "SKILL.md", SKILL);
    write(&top, ".git/HEAD", "ref");
    fs::create_dir_all(top.join("empty/deeper")).unwrap();
    std::os::unix::fs::symlink("../outside", top.join("out")).unwrap();
    let tree = Tree::capture(&top).unwrap();
    let paths: Vec<&str> = tree.nodes().map(|(path, _)| path).collect();
    assert_eq!(paths, [".git/HEAD", "SKILL.md", "empty/deeper", "out"]);
    let target = "../outside".to_owned();
    assert_eq!(tree.node("out"), Some(&Node::Link { target }));
    assert_eq!(tree.node("empty/deeper"), Some(&Node::EmptyDirectory));
    assert_eq!(tree.bytes(), SKILL.len() as u64 + 3);

    let mut digests = vec![tree.digest()];
    let mut changed = || digests.push(Tree::capture(&top).unwrap().digest());
    fs::remove_dir(top.join("empty/deeper")).unwrap();
    changed();
    fs::remove_file(top.join("out")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", top.join("out")).unwrap();
    changed();
    make_executable(&top.join("SKILL.md"));
    changed();
    fs::rename(top.join(".git/HEAD"), top.join(".git/head")).unwrap();
    changed();
    let count = digests.len();
    digests.sort();
    digests.dedup();
    assert_eq!(digests.len(), count);
}

/// The bytes of the digest are a contract: locks hold them.
#[cfg(unix)]
#[test]
fn the_format_is_known() {
    let directory = tempfile::tempdir().unwrap();
    let top = directory.path().join("a");
    write(&top, "b", "x");
    fs::create_dir(top.join("c")).unwrap();
    std::os::unix::fs::symlink("b", top.join("a")).unwrap();
    let content = hash::of("x").hex();
    let text = format!("a\0{}\0b\0l\nb\0{}\0{content}\0-\nc\0{}\0\0d\n", 1, 1, 0);
    assert_eq!(Tree::capture(&top).unwrap().digest(), hash::of(text));
}

#[cfg(unix)]
#[test]
fn what_cannot_be_kept_is_refused() {
    use std::os::unix::ffi::OsStrExt;

    let directory = tempfile::tempdir().unwrap();
    let top = directory.path().join("a");
    let capture = || Tree::capture(&top).unwrap_err();
    fs::create_dir(&top).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, top.join("pipe"), rustix::fs::Mode::RWXU).unwrap();
    assert!(matches!(capture(), ReadError::Special { path, .. } if path == top.join("pipe")));
    fs::remove_file(top.join("pipe")).unwrap();

    let name = top.join(std::ffi::OsStr::from_bytes(b"a\xff"));
    // Some file systems take no such name in the first place.
    if fs::write(&name, "").is_ok() {
        assert!(matches!(capture(), ReadError::NotUnicode { path } if path == name));
        fs::remove_file(&name).unwrap();
    }

    let deep = vec!["d"; limits::TREE_DEPTH + 1].join("/");
    fs::create_dir_all(top.join(&deep)).unwrap();
    assert!(matches!(capture(), ReadError::TooDeep { path } if path == top.join(&deep)));
    fs::remove_dir_all(top.join("d")).unwrap();

    let large = fs::File::create(top.join("large")).unwrap();
    large.set_len(limits::TREE_BYTES).unwrap();
    write(&top, "more", "1");
    assert!(matches!(capture(), ReadError::TooLarge { limit, .. } if limit == limits::TREE_BYTES));
    fs::remove_file(top.join("large")).unwrap();

    for number in 0..=limits::TREE_ENTRIES {
        fs::File::create(top.join(number.to_string())).unwrap();
    }
    assert!(matches!(capture(), ReadError::TooManyEntries { path } if path == top));

    let link = directory.path().join("link");
    std::os::unix::fs::symlink(&top, &link).unwrap();
    let error = Tree::capture(&link).unwrap_err();
    assert!(matches!(error, ReadError::NotA { .. }), "{error}");
}
