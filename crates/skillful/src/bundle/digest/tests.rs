use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::{Clients, Host, Library, Options};

fn only(directory: &Path) -> Arc<Skill> {
    let options = Options {
        roots: vec![directory.to_owned()],
        ..Options::default()
    };
    let clients = Clients::built_in().unwrap();
    let library = Library::scan(&Host::new(directory), &clients, &options);
    library.registry.skills()[0].clone()
}

fn write(directory: &Path, path: &str, content: &str) {
    let path = directory.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

const SKILL: &str = "---\nname: a\ndescription: d\n---\nx\n";

#[test]
fn every_file_counts_and_the_place_does_not() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for directory in [&one, &two] {
        write(directory.path(), "a/SKILL.md", SKILL);
        write(directory.path(), "a/scripts/x.sh", "true\n");
    }
    let before = digest(&only(one.path())).unwrap();
    assert!(
        before.starts_with("sha256:") && before.len() == 71,
        "{before}"
    );
    assert_eq!(digest(&only(two.path())), Some(before.clone()));
    write(two.path(), "a/scripts/x.sh", "false\n");
    let content = digest(&only(two.path())).unwrap();
    write(two.path(), "a/scripts/x.sh", "true\n");
    write(two.path(), "a/y", "");
    let file = digest(&only(two.path())).unwrap();
    assert!(before != content && before != file && content != file);
}

/// The bytes of the digest are a contract: locks and approvals hold them.
#[test]
fn the_digest_of_a_single_file_is_known() {
    use sha2::{Digest, Sha256};
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), "a/SKILL.md", SKILL);
    let content = hex(&Sha256::digest(SKILL));
    let line = format!("SKILL.md\0{}\0{content}\0-\n", SKILL.len());
    let expected = format!("sha256:{}", hex(&Sha256::digest(line)));
    assert_eq!(digest(&only(directory.path())), Some(expected));
}

#[test]
fn an_archive_has_the_digest_of_the_directory_it_holds() {
    use std::io::Write;
    let (plain, packed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(plain.path(), "a/SKILL.md", SKILL);
    write(plain.path(), "a/assets/t.txt", "text");
    let file = std::fs::File::create(packed.path().join("a.zip")).unwrap();
    let mut zip = zip::ZipWriter::new(file);
    let options = zip::write::SimpleFileOptions::default();
    for (name, content) in [
        ("a/SKILL.md", SKILL),
        ("a/assets/t.txt", "text"),
        ("other", ""),
    ] {
        zip.start_file(name, options).unwrap();
        zip.write_all(content.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    assert_eq!(digest(&only(plain.path())), digest(&only(packed.path())));
}

#[test]
fn a_broken_skill_has_none() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), "a/SKILL.md", "");
    assert_eq!(digest(&only(directory.path())), None);
}
