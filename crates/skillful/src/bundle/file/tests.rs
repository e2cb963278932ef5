use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::bundle::tests::{Place, TEXT};
use crate::state::State;

fn read(place: &Place, path: &str) -> Result<FileContent, ReadError> {
    read_file(&place.skill("x/SKILL.md"), path, Range::Whole)
}

fn message(place: &Place, path: &str) -> String {
    read(place, path).unwrap_err().to_string()
}

#[test]
fn text_is_text_and_anything_else_bytes() {
    let place = Place::new();
    place.file("x/references/über.md", "größe\n");
    place.file("x/a.bin", [0xff, 0, 1]);
    place.file("x/zero.txt", "a\0b");
    let file = read(&place, "./references/über.md").unwrap();
    assert_eq!(file.path.as_str(), "references/über.md");
    assert_eq!(file.content, Content::Text("größe\n".to_owned()));
    assert_eq!((file.bytes, file.part.total), (8, 6));
    let file = read(&place, "a.bin").unwrap();
    assert_eq!(file.content, Content::Binary(vec![0xff, 0, 1]));
    assert_eq!(file.content.to_base64(), "/wAB");
    assert!(matches!(
        read(&place, "zero.txt").unwrap().content,
        Content::Binary(_)
    ));
    assert_eq!(
        read(&place, "SKILL.md").unwrap().content,
        Content::Text(TEXT.to_owned())
    );
}

#[test]
fn a_part_of_a_file() {
    let place = Place::new();
    place.file("x/a.txt", "äöü\nb\n");
    place.file("x/a.bin", [0xff, 1, 2]);
    let skill = place.skill("x/SKILL.md");
    let range = Range::Characters {
        offset: 1,
        limit: Some(1),
    };
    let file = read_file(&skill, "a.txt", range).unwrap();
    assert_eq!(file.content.as_bytes(), "ö".as_bytes());
    assert_eq!(file.part.next, Some(2));
    let file = read_file(&skill, "a.bin", range).unwrap();
    assert_eq!(file.content, Content::Binary(vec![1]));
    let range = Range::Lines {
        first: 9,
        limit: None,
    };
    let error = read_file(&skill, "a.txt", range).unwrap_err().to_string();
    assert_eq!(
        error,
        "`a.txt`: the part begins at 9, but there are only 2 lines"
    );
    assert!(read_file(&skill, "a.bin", range).is_err());
}

#[test]
fn paths_that_lead_elsewhere_are_refused_before_anything_is_opened() {
    let place = Place::new();
    place.file("secret", "");
    place.file("x/.env", "KEY=1");
    for path in [
        "../secret",
        "/etc/passwd",
        "a\\b",
        ".env",
        "C:x",
        "NUL",
        "",
        "a/../../secret",
    ] {
        let error = read(&place, path).unwrap_err();
        assert!(matches!(error, ReadError::Path { .. }), "{error}");
    }
}

#[test]
fn a_file_that_does_not_exist_has_near_names() {
    let place = Place::new();
    place.file("x/references/guide.md", "");
    place.file("x/scripts/run.sh", "");
    place.file("x/.hidden/guide.md", "");
    assert_eq!(
        message(&place, "guide.md"),
        "`x` has no file `guide.md`; did you mean `references/guide.md`?"
    );
    assert_eq!(
        message(&place, "script/run.sh"),
        "`x` has no file `script/run.sh`; did you mean `scripts/run.sh`?"
    );
    assert_eq!(message(&place, "zzz"), "`x` has no file `zzz`");
    assert_eq!(
        message(&place, "references/guide.md/more"),
        "`x` has no file `references/guide.md/more`; did you mean `references/guide.md`?"
    );
}

#[test]
fn a_directory_is_no_file() {
    let place = Place::new();
    place.file("x/references/guide.md", "");
    assert_eq!(
        message(&place, "references"),
        "`references` of `x` is a directory"
    );
}

#[test]
fn a_large_file_is_refused_with_the_limit() {
    let place = Place::new();
    place.file("x/large", "");
    let file = std::fs::OpenOptions::new()
        .write(true)
        .open(place.path("x/large"))
        .unwrap();
    file.set_len(limits::RESOURCE_BYTES).unwrap();
    assert_eq!(
        read(&place, "large").unwrap().bytes as u64,
        limits::RESOURCE_BYTES
    );
    file.set_len(limits::RESOURCE_BYTES + 1).unwrap();
    assert!(matches!(
        read(&place, "large"),
        Err(ReadError::TooLarge { bytes, .. }) if bytes == limits::RESOURCE_BYTES + 1
    ));
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_wherever_they_lead() {
    use std::os::unix::fs::symlink;
    let place = Place::new();
    place.file("outside/secret", "secret");
    place.file("x/real/file", "");
    symlink(place.path("outside/secret"), place.path("x/out")).unwrap();
    symlink("real/file", place.path("x/in")).unwrap();
    symlink("../outside", place.path("x/directory")).unwrap();
    symlink(".", place.path("x/cycle")).unwrap();
    symlink("self", place.path("x/self")).unwrap();
    symlink("nowhere", place.path("x/broken")).unwrap();
    for path in [
        "out",
        "in",
        "directory/secret",
        "cycle/cycle/SKILL.md",
        "self",
        "broken",
    ] {
        let error = message(&place, path);
        assert!(
            error.ends_with("is a link; links are not followed"),
            "{error}"
        );
    }
}

#[cfg(unix)]
#[test]
fn pipes_and_sockets_are_not_waited_for() {
    let place = Place::new();
    rustix::fs::mkfifoat(
        rustix::fs::CWD,
        place.path("x/pipe"),
        rustix::fs::Mode::RWXU,
    )
    .unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(place.path("x/socket")).unwrap();
    assert_eq!(
        message(&place, "pipe"),
        "`pipe` of `x` is not a regular file"
    );
    assert_eq!(
        message(&place, "socket"),
        "`socket` of `x` is not a regular file"
    );
}

/// A directory that is exchanged for a link all the time: what is read is the skill's own file, or nothing.
#[cfg(unix)]
#[test]
fn a_link_that_comes_in_between_leads_nowhere() {
    use std::os::unix::fs::symlink;
    let place = Place::new();
    place.file("outside/file", "secret");
    place.file("x/a/file", "own");
    let skill = place.skill("x/SKILL.md");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                std::fs::rename(place.path("x/a"), place.path("x/b")).unwrap();
                symlink(place.path("outside"), place.path("x/a")).unwrap();
                std::fs::remove_file(place.path("x/a")).unwrap();
                std::fs::rename(place.path("x/b"), place.path("x/a")).unwrap();
            }
        });
        for _ in 0..2_000 {
            if let Ok(file) = read_file(&skill, "a/file", Range::Whole) {
                assert_eq!(file.content.as_bytes(), b"own");
            }
        }
        done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn members_of_an_archive_are_read_in_place() {
    let place = Place::new();
    place.archive(
        "y.skill",
        &[
            ("y/SKILL.md", 0o644),
            ("y/references/a.md", 0o644),
            ("z/other.md", 0o644),
            ("y/../../out.md", 0o644),
        ],
    );
    let skill = place.skill("y.skill");
    for path in ["SKILL.md", "references/a.md"] {
        let file = read_file(&skill, path, Range::Whole).unwrap();
        assert_eq!(file.content.as_bytes(), TEXT.as_bytes());
    }
    let message = |path| {
        read_file(&skill, path, Range::Whole)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        message("a.md"),
        "`x` has no file `a.md`; did you mean `references/a.md`?"
    );
    assert!(message("../z/other.md").contains("leads out of the skill"));
    assert_eq!(message("other.md"), "`x` has no file `other.md`");
    assert_eq!(message("out.md"), "`x` has no file `out.md`");
}

#[test]
fn a_skill_of_the_program_has_its_text_alone() {
    let root = std::sync::Arc::new(bundled::root());
    let candidate = bundled::candidates().next().unwrap();
    let skill = crate::load::load(candidate, &root);
    assert!(read_file(&skill, "SKILL.md", Range::Whole).is_ok());
    assert!(matches!(
        read_file(&skill, "other.md", Range::Whole),
        Err(ReadError::Missing { .. })
    ));
}

#[test]
fn what_is_not_ready_is_refused() {
    let place = Place::new();
    let mut skill = place.skill("x/SKILL.md");
    skill.state = State::Withheld;
    let error = read_file(&skill, "SKILL.md", Range::Whole).unwrap_err();
    assert_eq!(error.to_string(), "`x` is withheld");
    skill.state = State::Ready;
    skill.form = Form::File;
    let error = read_file(&skill, "SKILL.md", Range::Whole).unwrap_err();
    assert_eq!(error.to_string(), "`x` is a single file and has no others");
}
