//! A collection of hostile archives, made here: each is refused with its own reason, and nothing lands outside.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is the report")]

mod build;
mod hostile;

use std::collections::BTreeSet;
use std::fs;
use std::io::{Cursor, Read};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use skillful_manage::unpack::{Kind, Limits, Reason, UnpackError, Unpacked, unpack};

use crate::build::{block, file, gz, member, pax, tar, zip};
use crate::hostile::{hostile_tars, hostile_zips};

struct Room {
    outer: tempfile::TempDir,
}

impl Room {
    /// A staging directory with neighbours that must not change.
    fn new() -> Self {
        let outer = tempfile::tempdir().unwrap();
        fs::create_dir(outer.path().join("staging")).unwrap();
        fs::write(outer.path().join("secret"), "secret").unwrap();
        fs::write(outer.path().join("x"), "canary").unwrap();
        Self { outer }
    }

    fn unpack(&self, bytes: &[u8], limits: Limits) -> Result<Unpacked, UnpackError> {
        let staging = self.outer.path().join("staging");
        let directory = Dir::open_ambient_dir(staging, ambient_authority()).unwrap();
        let result = unpack(Cursor::new(bytes), &directory, limits);
        let mut names: Vec<String> = fs::read_dir(self.outer.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, ["secret", "staging", "x"], "nothing lands outside");
        assert_eq!(fs::read(self.outer.path().join("x")).unwrap(), b"canary");
        result
    }

    fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.outer.path().join("staging").join(path)).unwrap()
    }
}

#[test]
fn every_hostile_archive_is_refused_for_its_own_reason() {
    let mut reasons = BTreeSet::new();
    let mut wrong = Vec::new();
    let all: Vec<_> = hostile_zips().into_iter().chain(hostile_tars()).collect();
    let count = all.len();
    for (what, bytes, reason) in all {
        let room = Room::new();
        let error = match room.unpack(&bytes, Limits::default()) {
            Ok(unpacked) => {
                wrong.push(format!("{what} was unpacked: {unpacked:?}"));
                continue;
            }
            Err(error) => error,
        };
        let text = error.to_string();
        assert!(!text.chars().any(char::is_control), "{text:?}");
        if error.reason() != Some(reason) {
            wrong.push(format!("{what} should be refused as {reason:?}: {error:?}"));
        }
        reasons.insert(reason.to_string());
        // What came out until then is no link and no device.
        for entry in fs::read_dir(room.outer.path().join("staging")).unwrap() {
            let kind = entry.unwrap().file_type().unwrap();
            assert!(kind.is_file() || kind.is_dir(), "{what}");
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(
        count >= 90 && reasons.len() >= 35,
        "{count} archives, {} reasons",
        reasons.len()
    );
}

#[test]
fn limits_are_those_that_are_given() {
    let room = Room::new();
    let bytes = zip(&[member("a"), member("b")]);
    let with = |change: &dyn Fn(&mut Limits)| {
        let mut limits = Limits::default();
        change(&mut limits);
        room.unpack(&bytes, limits).unwrap_err().reason()
    };
    assert_eq!(
        with(&|limits| limits.entries = 1),
        Some(Reason::TooManyEntries)
    );
    assert_eq!(
        with(&|limits| limits.bytes = 10),
        Some(Reason::TooManyBytes)
    );
    assert_eq!(
        Room::new()
            .unpack(
                &bytes,
                Limits {
                    file_bytes: 6,
                    ..Limits::default()
                }
            )
            .unwrap_err()
            .reason(),
        Some(Reason::FileTooLarge)
    );
}

#[test]
fn bytes_and_the_executable_bit_are_kept() {
    let content: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    let deep = format!("{}/é {}.md", ["references"; 3].join("/"), "x".repeat(90));
    let inner = zip(&[member("../evil")]);
    let zipped = zip(&[
        member("SKILL.md").with(|m| m.content.clone_from(&content)),
        member("scripts/").with(|m| {
            m.mode = 0o040_755;
            m.content.clear();
        }),
        member("scripts/run.sh").with(|m| {
            m.mode = 0o100_755;
            m.deflate = true;
        }),
        member(&deep),
        member("inner.zip").with(|m| m.content.clone_from(&inner)),
        member("__MACOSX/._SKILL.md"),
        member("a/.git/config"),
        member("from-windows.txt").with(|m| m.mode = 0),
    ]);
    let parts = [
        block(b"./", b'5', 0o755, b""),
        pax(b'g', &[("comment", "0123")]),
        block(b"./SKILL.md", b'0', 0o644, &content),
        block(b"scripts/", b'5', 0o755, b""),
        block(b"scripts/run.sh", b'0', 0o755, b"content"),
        pax(b'x', &[("path", &deep), ("mtime", "1.5")]),
        file("references"),
        block(b"inner.zip", b'0', 0o644, &inner),
        file("__MACOSX/._SKILL.md"),
        file("a/.git/config"),
        file("from-windows.txt"),
    ];
    let tarred = tar(&parts);
    for (kind, bytes) in [
        (Kind::Zip, zipped),
        (Kind::TarGz, gz(&tarred)),
        (Kind::Tar, tarred),
    ] {
        assert_eq!(Kind::of_bytes(&bytes), Some(kind));
        let room = Room::new();
        let unpacked = room.unpack(&bytes, Limits::default()).unwrap();
        assert_eq!(unpacked.files, 5, "{kind:?}");
        assert_eq!(unpacked.left_out, ["__MACOSX/._SKILL.md", "a/.git/config"]);
        assert_eq!(room.read("SKILL.md"), content);
        assert_eq!(room.read(&deep), b"content");
        assert_eq!(room.read("inner.zip"), inner, "archives inside stay files");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &str| {
                let metadata = fs::metadata(room.outer.path().join("staging").join(path)).unwrap();
                metadata.permissions().mode() & 0o7777
            };
            assert_eq!(mode("scripts/run.sh"), 0o755);
            assert_eq!(mode("SKILL.md"), 0o644);
            assert_eq!(mode("from-windows.txt"), 0o644);
        }
    }
}

#[test]
fn a_name_that_gnu_tar_could_not_fit_is_taken() {
    let long = format!("{}/{}.md", "d".repeat(60), "x".repeat(60));
    let bytes = tar(&[
        block(
            b"././@LongLink",
            b'L',
            0o644,
            format!("{long}\0").as_bytes(),
        ),
        block(&long.as_bytes()[..100], b'0', 0o644, b"content"),
    ]);
    let room = Room::new();
    room.unpack(&bytes, Limits::default()).unwrap();
    assert_eq!(room.read(&long), b"content");
}

#[cfg(unix)]
#[test]
fn a_link_that_is_there_already_is_not_written_through() {
    let room = Room::new();
    let staging = room.outer.path().join("staging");
    std::os::unix::fs::symlink("../secret", staging.join("a")).unwrap();
    std::os::unix::fs::symlink("..", staging.join("d")).unwrap();
    assert!(
        room.unpack(&zip(&[member("a")]), Limits::default())
            .is_err()
    );
    assert!(
        room.unpack(&zip(&[member("d/x")]), Limits::default())
            .is_err()
    );
    let mut secret = String::new();
    fs::File::open(room.outer.path().join("secret"))
        .unwrap()
        .read_to_string(&mut secret)
        .unwrap();
    assert_eq!(secret, "secret");
}

/// Archives to begin with: good ones and hostile ones, small enough to be changed often.
fn beginnings() -> Vec<Vec<u8>> {
    let good = zip(&[
        member("SKILL.md"),
        member("d/run.sh").with(|m| m.deflate = true),
    ]);
    let tarred = tar(&[
        pax(b'g', &[("comment", "x")]),
        file("SKILL.md"),
        block(b"d/", b'5', 0o755, b""),
        file("d/run.sh"),
    ]);
    let hostile = hostile_zips().into_iter().chain(hostile_tars());
    let mut all: Vec<Vec<u8>> = hostile
        .map(|(_, bytes, _)| bytes)
        .filter(|bytes| (1..8_000).contains(&bytes.len()))
        .collect();
    all.extend([good, gz(&tarred), tarred]);
    all
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(512))]

    #[test]
    fn whatever_the_bytes_are_it_ends_and_stays_inside(
        beginning in proptest::sample::select(beginnings()),
        changes in proptest::collection::vec((proptest::prelude::any::<proptest::sample::Index>(), proptest::prelude::any::<u8>()), 0..12),
        cut in proptest::option::weighted(0.2, proptest::prelude::any::<proptest::sample::Index>()),
    ) {
        let mut bytes = beginning;
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        let room = Room::new();
        let limits = Limits { bytes: 1 << 20, ..Limits::default() };
        if let Ok(unpacked) = room.unpack(&bytes, limits) {
            assert!(unpacked.bytes <= limits.bytes && unpacked.files > 0);
        }
    }
}
