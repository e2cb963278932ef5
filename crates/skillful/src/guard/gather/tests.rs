use std::io::{Cursor, Write};

use proptest::prelude::*;
use zip::write::SimpleFileOptions;

use super::*;
use crate::bundle;
use crate::places::skills_at;

const SKILL: &str = "---\nname: a\ndescription: d\n---\nx\n";

fn write(directory: &Path, path: &str, content: impl AsRef<[u8]>) {
    let path = directory.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

/// A word for each entry.
fn kinds(bundle: &Bundle) -> Vec<String> {
    let kind = |file: &FileInput| match &file.content {
        Content::Bytes(bytes) => format!("{} bytes", bytes.len()),
        Content::Link { target } => format!("to {target}"),
        Content::Unreadable(_) => "unreadable".to_owned(),
        Content::TooLarge(size) => format!("too large {size}"),
        Content::Special => "special".to_owned(),
    };
    let mark = |file: &FileInput| if file.executable { "*" } else { "" };
    bundle
        .files()
        .iter()
        .map(|file| format!("{}{}: {}", file.path, mark(file), kind(file)))
        .collect()
}

fn only(path: &Path) -> Skill {
    let mut skills = skills_at(path).unwrap();
    assert_eq!(skills.len(), 1);
    skills.remove(0)
}

fn archive(members: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in members {
        let options = SimpleFileOptions::default().unix_permissions(0o755);
        writer.start_file(*name, options).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn hidden_and_nested_files_are_read() {
    let directory = tempfile::tempdir().unwrap();
    let top = directory.path();
    write(top, "SKILL.md", SKILL);
    write(top, ".hidden/.run.sh", "true\n");
    write(top, "node_modules/x/index.js", "1");
    write(top, "nested/SKILL.md", SKILL);
    let gathered = gather_skill(&only(top));
    assert_eq!(
        kinds(&gathered.bundle),
        [
            ".hidden/.run.sh: 5 bytes",
            "SKILL.md: 33 bytes",
            "nested/SKILL.md: 33 bytes",
            "node_modules/x/index.js: 1 bytes"
        ]
    );
    assert_eq!(gathered.digest, bundle::digest(&only(top)));
    assert_eq!(gather_directory(top), gathered.bundle);
}

/// Git runs hooks and what its configuration names; what it stores is left out, and what it writes by itself changes no
/// digest.
#[test]
fn of_a_git_directory_all_but_its_storage_is_read_and_what_runs_is_in_the_digest() {
    let directory = tempfile::tempdir().unwrap();
    let top = directory.path();
    write(top, "SKILL.md", SKILL);
    let digest = || {
        let gathered = gather_skill(&only(top));
        assert_eq!(gathered.digest, bundle::digest(&only(top)));
        gathered.digest.unwrap()
    };
    let before = digest();
    write(top, ".git/config", "[core]\n\tbare = false\n");
    write(top, ".git/HEAD", "ref: refs/heads/main\n");
    write(top, ".git/index", "DIRC");
    write(top, &format!(".git/objects/ab/{}", "0".repeat(38)), "x");
    write(top, ".git/hooks/update.sample", "#!/bin/sh\n");
    let files = kinds(&gather_skill(&only(top)).bundle);
    assert_eq!(
        files,
        [
            "SKILL.md: 33 bytes",
            ".git/HEAD: 21 bytes",
            ".git/config: 21 bytes",
            ".git/hooks/update.sample: 10 bytes"
        ]
        .map(str::to_owned)
        .into_iter()
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect::<Vec<_>>()
    );
    assert_eq!(digest(), before);
    write(top, ".git/hooks/post-checkout", "#!/bin/sh\n");
    let hooked = digest();
    assert_ne!(hooked, before);
    write(top, ".git/config", "[core]\n\tfsmonitor = ./x.sh\n");
    assert!(![before, hooked].contains(&digest()));
}

#[test]
fn every_form_has_the_digest_that_the_bundle_has() {
    let directory = tempfile::tempdir().unwrap();
    let top = directory.path();
    write(top, "flat/greet.skill.md", SKILL);
    write(
        top,
        "packed/a.skill",
        archive(&[("a/SKILL.md", SKILL), ("a/run.sh", "true"), ("b", "x")]),
    );
    for path in ["flat/greet.skill.md", "packed/a.skill"] {
        let skill = only(&top.join(path));
        let gathered = gather_skill(&skill);
        assert!(gathered.digest.is_some(), "{path}");
        assert_eq!(gathered.digest, bundle::digest(&skill), "{path}");
        assert_eq!(gathered.bundle.files().len(), 1, "{path}");
        assert_eq!(gather(&skill.form, &skill.path), gathered);
    }
    let bundled = bundled::candidates().next().unwrap();
    let gathered = gather(&bundled.form, &bundled.path);
    assert_eq!(gathered.bundle.files()[0].path, SKILL_MD);
    assert!(gathered.digest.is_some());
}

#[test]
fn what_is_over_a_limit_is_named_and_has_no_digest() {
    let directory = tempfile::tempdir().unwrap();
    let top = directory.path();
    write(top, "SKILL.md", SKILL);
    let size = limits::SCAN_FILE_BYTES + 1;
    let file = std::fs::File::create(top.join("model.bin")).unwrap();
    file.set_len(size).unwrap();
    let deep = vec!["d"; limits::BUNDLE_DEPTH + 1].join("/");
    write(top, &format!("{deep}/x"), "");
    let gathered = gather_skill(&only(top));
    assert_eq!(
        kinds(&gathered.bundle),
        [
            "SKILL.md: 33 bytes".to_owned(),
            format!("{deep}: unreadable"),
            format!("model.bin: too large {size}"),
        ]
    );
    assert_eq!(gathered.digest, None);
}

/// A scan that is incomplete may be accepted, because no byte of what it did not make sense of is left out of the digest.
#[test]
fn the_digest_covers_what_the_scan_could_not_make_sense_of() {
    let directory = tempfile::tempdir().unwrap();
    let top = directory.path();
    write(top, "SKILL.md", SKILL);
    let rules = skillful_guard::RuleBook::built_in().unwrap();
    let mut text = "word ".repeat(skillful_guard::limits::FILE_BYTES / 5 + 1);
    let digest = |text: &str| {
        write(top, "large.txt", text);
        let gathered = gather_skill(&only(top));
        let scan = skillful_guard::scan(&gathered.bundle, rules);
        assert!(!scan.coverage.is_complete());
        gathered.digest.unwrap()
    };
    let before = digest(&text);
    text.pop();
    text.push('!');
    assert_ne!(digest(&text), before);
}

#[test]
fn of_too_many_files_the_same_ones_are_read() {
    let directory = tempfile::tempdir().unwrap();
    let top = directory.path();
    for number in 0..limits::SCAN_FILES + 10 {
        write(top, &format!("z/{number:05}"), "");
    }
    write(top, "SKILL.md", SKILL);
    let bundle = gather_directory(top);
    assert_eq!(bundle.files().len(), limits::SCAN_FILES);
    assert_eq!(bundle.files()[0].path, "SKILL.md");
    let last = format!("z/{:05}", limits::SCAN_FILES - 2);
    assert_eq!(bundle.files().last().unwrap().path, last);
    assert_eq!(gather_skill(&only(top)).digest, None);
    let rules = skillful_guard::RuleBook::built_in().unwrap();
    assert!(!skillful_guard::scan(&bundle, rules).coverage.is_complete());
}

#[test]
fn all_files_together_have_a_limit() {
    let directory = tempfile::tempdir().unwrap();
    let top = directory.path();
    write(top, "SKILL.md", SKILL);
    let each = limits::SCAN_FILE_BYTES;
    for name in ["a.bin", "b.bin", "c.bin", "d.bin"] {
        let file = std::fs::File::create(top.join(name)).unwrap();
        file.set_len(each).unwrap();
    }
    assert_eq!(
        kinds(&gather_directory(top)),
        [
            "SKILL.md: 33 bytes".to_owned(),
            format!("a.bin: {each} bytes"),
            format!("b.bin: {each} bytes"),
            format!("c.bin: {each} bytes"),
            "d.bin: unreadable".to_owned(),
        ]
    );
}

#[test]
fn what_is_not_there_is_an_entry_that_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let none = directory.path().join("none");
    assert_eq!(kinds(&gather_directory(&none)), ["none: unreadable"]);
    assert_eq!(
        kinds(&gather_named(&Form::File, &none).bundle),
        ["none: unreadable"]
    );
    assert_eq!(
        kinds(&gather(&Form::Directory, &none.join("SKILL.md")).bundle),
        ["SKILL.md: unreadable"]
    );
}

proptest! {
    #[test]
    fn the_digest_is_that_of_the_files(
        files in prop::collection::btree_map("[a-c.]{1,3}/[a-c]{1,3}", prop::collection::vec(any::<u8>(), 0..40), 0..6)
    ) {
        let directory = tempfile::tempdir().unwrap();
        write(directory.path(), "SKILL.md", SKILL);
        for (path, content) in files.iter().filter(|(path, _)| !path.starts_with("./") && !path.starts_with("../")) {
            write(directory.path(), path, content);
        }
        let skill = only(directory.path());
        prop_assert_eq!(gather_skill(&skill).digest, bundle::digest(&skill));
    }
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn links_are_entries_and_pipes_are_not_waited_for() {
        let directory = tempfile::tempdir().unwrap();
        let top = directory.path().join("a");
        write(&top, "SKILL.md", SKILL);
        symlink("/etc/passwd", top.join("notes")).unwrap();
        symlink("..", top.join("up")).unwrap();
        symlink("loop", top.join("loop")).unwrap();
        let mode = rustix::fs::Mode::RWXU;
        rustix::fs::mkfifoat(rustix::fs::CWD, top.join("pipe"), mode).unwrap();
        write(&top, "run.sh", "");
        let runs = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(top.join("run.sh"), runs).unwrap();
        let skill = only(&top);
        let gathered = gather_skill(&skill);
        assert_eq!(
            kinds(&gathered.bundle),
            [
                "SKILL.md: 33 bytes",
                "loop: to loop",
                "notes: to /etc/passwd",
                "pipe: special",
                "run.sh*: 0 bytes",
                "up: to .."
            ]
        );
        assert_eq!(gathered.digest, bundle::digest(&skill));
        assert!(gathered.digest.is_some());
        // Where a link leads to, and that there is one, belongs to what a person accepts.
        let mut digests = vec![gathered.digest];
        for (link, target) in [("notes", "/etc/hosts"), ("more", "SKILL.md")] {
            std::fs::remove_file(top.join(link)).ok();
            symlink(target, top.join(link)).unwrap();
            let digest = gather_skill(&only(&top)).digest;
            assert_eq!(digest, bundle::digest(&only(&top)));
            assert!(!digests.contains(&digest), "{link}");
            digests.push(digest);
        }
        std::fs::remove_file(top.join("pipe")).unwrap();
        assert!(!digests.contains(&gather_skill(&only(&top)).digest));
        rustix::fs::mkfifoat(rustix::fs::CWD, top.join("pipe"), mode).unwrap();
        for (path, named, staged) in [
            ("pipe", "pipe: special", "pipe: special"),
            ("note", "note: 33 bytes", "note: to SKILL.md"),
        ] {
            symlink("SKILL.md", top.join("note")).ok();
            let path = top.join(path);
            assert_eq!(kinds(&gather_named(&Form::File, &path).bundle), [named]);
            assert_eq!(kinds(&gather(&Form::File, &path).bundle), [staged]);
        }
    }

    #[test]
    fn a_name_that_is_no_text_is_read_and_has_no_digest() {
        let directory = tempfile::tempdir().unwrap();
        write(directory.path(), "SKILL.md", SKILL);
        let name = OsStr::from_bytes(b"x\xff.sh");
        // Some file systems take no such names.
        if std::fs::write(directory.path().join(name), "true").is_err() {
            return;
        }
        let gathered = gather_skill(&only(directory.path()));
        assert_eq!(
            kinds(&gathered.bundle),
            ["SKILL.md: 33 bytes", "x\u{fffd}.sh: 4 bytes"]
        );
        assert_eq!(gathered.digest, None);
    }

    /// An agent is handed the text that the link leads to, so that it is what has to be scanned.
    #[test]
    fn a_skill_md_that_is_a_link_is_read_where_an_agent_reads_it() {
        let directory = tempfile::tempdir().unwrap();
        let top = directory.path();
        write(top, "shared/text.md", SKILL);
        write(top, "secret", SKILL);
        std::fs::create_dir(top.join("shared/a")).unwrap();
        symlink("../text.md", top.join("shared/a/SKILL.md")).unwrap();
        let skill = only(&top.join("shared/a/SKILL.md"));
        let gathered = gather_skill(&skill);
        assert_eq!(kinds(&gathered.bundle), ["SKILL.md: 33 bytes"]);
        assert_eq!(gathered.digest, bundle::digest(&skill));
        let staged = gather(&skill.form, &skill.path);
        assert_eq!(kinds(&staged.bundle), ["SKILL.md: to ../text.md"]);
        assert_eq!(staged.digest, None);
    }
}
