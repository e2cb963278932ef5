//! A collection of hostile archives, made here: each is refused with its own reason, and nothing lands outside.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is the report")]

use std::collections::BTreeSet;
use std::fs;
use std::io::{Cursor, Read, Write};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use skillful_manage::unpack::{Kind, Limits, Reason, UnpackError, Unpacked, unpack};

/// A member of a ZIP archive, byte by byte.
#[derive(Clone)]
struct Member {
    name: Vec<u8>,
    local_name: Option<Vec<u8>>,
    content: Vec<u8>,
    mode: u32,
    deflate: bool,
    flags: u16,
    method: Option<u16>,
    crc: Option<u32>,
    stated: Option<u32>,
}

fn member(name: impl AsRef<[u8]>) -> Member {
    Member {
        name: name.as_ref().to_vec(),
        local_name: None,
        content: b"content".to_vec(),
        mode: 0o100_644,
        deflate: false,
        flags: 0,
        method: None,
        crc: None,
        stated: None,
    }
}

impl Member {
    fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

fn zip(members: &[Member]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut list = Vec::new();
    for member in members {
        let packed = if member.deflate {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(&member.content).unwrap();
            encoder.finish().unwrap()
        } else {
            member.content.clone()
        };
        let method = member.method.unwrap_or(if member.deflate { 8 } else { 0 });
        let crc = member.crc.unwrap_or_else(|| crc32(&member.content));
        let size = member
            .stated
            .unwrap_or(u32::try_from(member.content.len()).unwrap());
        let packed_size = u32::try_from(packed.len()).unwrap();
        let offset = u32::try_from(out.len()).unwrap();
        let facts = |out: &mut Vec<u8>| {
            out.extend(20_u16.to_le_bytes());
            out.extend(member.flags.to_le_bytes());
            out.extend(method.to_le_bytes());
            out.extend([0; 2]);
            out.extend(0x21_u16.to_le_bytes());
            out.extend(crc.to_le_bytes());
            out.extend(packed_size.to_le_bytes());
            out.extend(size.to_le_bytes());
        };
        let local = member.local_name.as_ref().unwrap_or(&member.name);
        out.extend(b"PK\x03\x04");
        facts(&mut out);
        out.extend(u16::try_from(local.len()).unwrap().to_le_bytes());
        out.extend([0; 2]);
        out.extend(local);
        out.extend(&packed);
        list.extend(b"PK\x01\x02");
        list.extend([20, 3]);
        facts(&mut list);
        list.extend(u16::try_from(member.name.len()).unwrap().to_le_bytes());
        list.extend([0; 8]);
        list.extend((member.mode << 16).to_le_bytes());
        list.extend(offset.to_le_bytes());
        list.extend(&member.name);
    }
    let count = u16::try_from(members.len()).unwrap();
    let (start, length) = (out.len(), list.len());
    out.extend(&list);
    out.extend(b"PK\x05\x06");
    out.extend([0; 4]);
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend(u32::try_from(length).unwrap().to_le_bytes());
    out.extend(u32::try_from(start).unwrap().to_le_bytes());
    out.extend([0; 2]);
    out
}

/// A member of a tar archive: a header with the name as it is, and the content.
fn block(name: &[u8], kind: u8, mode: u32, content: &[u8]) -> Vec<u8> {
    sized(name, kind, mode, content, content.len() as u64)
}

fn sized(name: &[u8], kind: u8, mode: u32, content: &[u8], size: u64) -> Vec<u8> {
    let mut header = tar::Header::new_ustar();
    header.as_mut_bytes()[..name.len().min(100)].copy_from_slice(&name[..name.len().min(100)]);
    header.set_mode(mode);
    header.set_size(size);
    header.set_mtime(0);
    header.set_uid(0);
    header.set_gid(0);
    header.as_mut_bytes()[156] = kind;
    header.set_cksum();
    let mut out = header.as_bytes().to_vec();
    out.extend(content);
    out.resize(out.len().next_multiple_of(512), 0);
    out
}

fn file(name: &str) -> Vec<u8> {
    block(name.as_bytes(), b'0', 0o644, b"content")
}

fn link(name: &str, kind: u8, target: &str) -> Vec<u8> {
    let mut header = tar::Header::new_ustar();
    header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
    header.as_mut_bytes()[157..157 + target.len()].copy_from_slice(target.as_bytes());
    header.set_mode(0o777);
    header.set_size(0);
    header.set_mtime(0);
    header.set_uid(0);
    header.set_gid(0);
    header.as_mut_bytes()[156] = kind;
    header.set_cksum();
    header.as_bytes().to_vec()
}

fn pax(kind: u8, records: &[(&str, &str)]) -> Vec<u8> {
    let mut content = Vec::new();
    for (key, value) in records {
        let rest = format!(" {key}={value}\n");
        let mut length = rest.len() + 1;
        while length.to_string().len() + rest.len() != length {
            length += 1;
        }
        content.extend(format!("{length}{rest}").as_bytes());
    }
    block(b"PaxHeaders/x", kind, 0o644, &content)
}

fn tar(parts: &[Vec<u8>]) -> Vec<u8> {
    let mut out = parts.concat();
    out.extend([0; 1024]);
    out
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Names that are refused whatever the archive is.
fn bad_names() -> Vec<(Vec<u8>, Reason)> {
    let text = |name: &str, reason| (name.as_bytes().to_vec(), reason);
    vec![
        text("../x", Reason::Traversal),
        text("a/../../x", Reason::Traversal),
        text("a/..", Reason::Traversal),
        text("..\\x", Reason::Traversal),
        text("/tmp/x", Reason::Absolute),
        text("C:/x", Reason::DriveLetter),
        text("c:x", Reason::DriveLetter),
        text("\\\\server\\share\\x", Reason::NetworkShare),
        text("//server/share/x", Reason::NetworkShare),
        text("a\\b", Reason::Backslash),
        text("a.md:stream", Reason::Colon),
        text("a\u{1b}[2Jb", Reason::ControlCharacter),
        text("a\nb", Reason::ControlCharacter),
        text("a\u{85}b", Reason::ControlCharacter),
        text("a//b", Reason::EmptyPart),
        text("a/./b", Reason::EmptyPart),
        text("a/b ", Reason::TrailingDotOrBlank),
        text("a./b", Reason::TrailingDotOrBlank),
        text("NUL", Reason::WindowsDevice),
        text("a/com1.txt", Reason::WindowsDevice),
        text("LPT\u{b9}.md", Reason::WindowsDevice),
        (b"a\xff\xfe".to_vec(), Reason::NameNotUtf8),
        (["d"; 20].join("/").into_bytes(), Reason::PathTooDeep),
    ]
}

/// Pairs of names that are one file somewhere.
fn twins() -> Vec<(&'static str, &'static str, Reason)> {
    vec![
        ("a.md", "a.md", Reason::Duplicate),
        ("a.md", "A.md", Reason::CaseTwin),
        ("dir/a.md", "Dir/b.md", Reason::CaseTwin),
        ("\u{3c3}", "\u{3c2}", Reason::CaseTwin),
        ("s", "\u{17f}", Reason::CaseTwin),
        ("caf\u{e9}", "cafe\u{301}", Reason::UnicodeTwin),
        ("a", "a/b", Reason::FileAndDirectory),
        ("a/b", "a", Reason::FileAndDirectory),
    ]
}

#[expect(clippy::too_many_lines, reason = "a list")]
fn hostile_zips() -> Vec<(String, Vec<u8>, Reason)> {
    let mut all = Vec::new();
    let mut add =
        |what: &str, bytes: Vec<u8>, reason| all.push((format!("zip: {what}"), bytes, reason));
    for (name, reason) in bad_names() {
        add(
            &format!("{:?}", String::from_utf8_lossy(&name)),
            zip(&[member("SKILL.md"), member(name)]),
            reason,
        );
    }
    add(
        "a path too long",
        zip(&[member("d/".repeat(10) + &"x".repeat(250))]),
        Reason::PathTooLong,
    );
    for (first, second, reason) in twins() {
        add(
            &format!("{first} and {second}"),
            zip(&[member(first), member(second)]),
            reason,
        );
    }
    let of_mode = |mode| zip(&[member("x").with(|m| m.mode = mode)]);
    add(
        "a link",
        zip(&[member("x").with(|m| {
            m.mode = 0o120_777;
            m.content = b"/etc/passwd".to_vec();
        })]),
        Reason::Link,
    );
    add("a character device", of_mode(0o020_666), Reason::Device);
    add("a block device", of_mode(0o060_666), Reason::Device);
    add("a pipe", of_mode(0o010_666), Reason::Fifo);
    add("a socket", of_mode(0o140_666), Reason::OtherKind);
    add("setuid", of_mode(0o104_755), Reason::SetUserId);
    add("setgid", of_mode(0o102_755), Reason::SetUserId);
    add(
        "encrypted",
        zip(&[member("x").with(|m| m.flags = 1)]),
        Reason::Encrypted,
    );
    add(
        "unknown compression",
        zip(&[member("x").with(|m| m.method = Some(99))]),
        Reason::Compression,
    );
    add(
        "a wrong checksum",
        zip(&[member("x").with(|m| m.crc = Some(7))]),
        Reason::WrongChecksum,
    );
    let zeros = |length: usize| {
        member("x").with(|m| {
            m.deflate = true;
            m.content = vec![0; length];
        })
    };
    add("a bomb", zip(&[zeros(20_000_000)]), Reason::Ratio);
    add(
        "a bomb that states little",
        zip(&[zeros(2_000_000).with(|m| m.stated = Some(10))]),
        Reason::SizeMismatch,
    );
    add(
        "more stated than there is",
        zip(&[zeros(1_000).with(|m| m.stated = Some(5_000))]),
        Reason::SizeMismatch,
    );
    add(
        "a file too large",
        zip(&[zeros(10).with(|m| m.stated = Some(u32::MAX - 1))]),
        Reason::FileTooLarge,
    );
    let many: Vec<Member> = (0..20_001)
        .map(|n| member(format!("{n}")).with(|m| m.content.clear()))
        .collect();
    add("too many members", zip(&many), Reason::TooManyEntries);
    add(
        "two names for one member",
        zip(&[member("good").with(|m| m.local_name = Some(b"evil".to_vec()))]),
        Reason::HeaderMismatch,
    );
    let whole = zip(&[member("SKILL.md"), member("x")]);
    add(
        "cut off",
        whole[..whole.len() - 40].to_vec(),
        Reason::Damaged,
    );
    add("nothing in it", zip(&[]), Reason::Empty);
    add(
        "only a directory",
        zip(&[member("d/").with(|m| {
            m.mode = 0o040_755;
            m.content.clear();
        })]),
        Reason::Empty,
    );
    // Both entries of the list point at one member.
    let mut overlapping = zip(&[member("a"), member("b")]);
    let second = overlapping
        .windows(4)
        .rposition(|four| four == b"PK\x01\x02")
        .unwrap();
    overlapping[second + 42..second + 46].fill(0);
    add("members over each other", overlapping, Reason::Overlap);
    add("no archive", b"#!/bin/sh\n".to_vec(), Reason::NotAnArchive);
    add("empty", Vec::new(), Reason::NotAnArchive);
    all
}

#[expect(clippy::too_many_lines, reason = "a list")]
fn hostile_tars() -> Vec<(String, Vec<u8>, Reason)> {
    let mut all = Vec::new();
    let mut add = |what: &str, parts: &[Vec<u8>], reason| {
        all.push((format!("tar: {what}"), tar(parts), reason));
    };
    for (name, reason) in bad_names() {
        add(
            &format!("{:?}", String::from_utf8_lossy(&name)),
            &[file("SKILL.md"), block(&name, b'0', 0o644, b"x")],
            reason,
        );
    }
    for (first, second, reason) in twins() {
        add(
            &format!("{first} and {second}"),
            &[file(first), file(second)],
            reason,
        );
    }
    let special = |kind| [block(b"x", kind, 0o644, b"")];
    add("a link", &[link("x", b'2', "/etc/passwd")], Reason::Link);
    add(
        "a link and a file through it",
        &[link("x", b'2', ".."), file("x/y")],
        Reason::Link,
    );
    add(
        "a hard link",
        &[file("a"), link("x", b'1', "a")],
        Reason::HardLink,
    );
    add(
        "a hard link out",
        &[link("x", b'1', "../../secret")],
        Reason::HardLink,
    );
    add("a character device", &special(b'3'), Reason::Device);
    add("a block device", &special(b'4'), Reason::Device);
    add("a pipe", &special(b'6'), Reason::Fifo);
    add("a sparse file", &special(b'S'), Reason::OtherKind);
    add("an unknown kind", &special(b'Z'), Reason::OtherKind);
    add(
        "setuid",
        &[block(b"x", b'0', 0o4755, b"x")],
        Reason::SetUserId,
    );
    add(
        "sticky",
        &[block(b"x", b'0', 0o1755, b"x")],
        Reason::SetUserId,
    );
    let long = "d/".repeat(3) + &"x".repeat(120);
    add(
        "pax: a second name",
        &[pax(b'x', &[("path", "evil")]), file("good")],
        Reason::PaxPath,
    );
    add(
        "pax: out by a long name",
        &[pax(b'x', &[("path", &format!("../{long}"))]), file("good")],
        Reason::Traversal,
    );
    add(
        "pax: for all",
        &[pax(b'g', &[("path", "evil")]), file("good")],
        Reason::PaxPath,
    );
    add(
        "pax: a link's target",
        &[pax(b'x', &[("linkpath", "/etc")]), file("good")],
        Reason::PaxLinkPath,
    );
    add(
        "pax: another size",
        &[pax(b'x', &[("size", "1")]), file("good")],
        Reason::PaxSize,
    );
    add(
        "pax: sparse",
        &[pax(b'x', &[("GNU.sparse.major", "1")]), file("good")],
        Reason::OtherKind,
    );
    add(
        "pax: nonsense",
        &[block(b"p", b'x', 0o644, b"nonsense"), file("good")],
        Reason::PaxDamaged,
    );
    add(
        "pax: endless",
        &[block(b"p", b'x', 0o644, &vec![b'a'; 20_000]), file("good")],
        Reason::PaxDamaged,
    );
    add(
        "pax: two names",
        &[pax(b'x', &[("path", &long), ("path", &long)]), file("good")],
        Reason::PaxPath,
    );
    let gnu = |name: &[u8]| block(b"././@LongLink", b'L', 0o644, name);
    add(
        "gnu: a short long name",
        &[gnu(b"evil\0"), file("evil")],
        Reason::GnuLongName,
    );
    add(
        "gnu: another name",
        &[gnu(long.as_bytes()), file("good")],
        Reason::GnuLongName,
    );
    add(
        "gnu: out",
        &[
            gnu(format!("../{long}\0").as_bytes()),
            block(&format!("../{long}").as_bytes()[..100], b'0', 0o644, b"x"),
        ],
        Reason::Traversal,
    );
    add(
        "gnu: two names",
        &[gnu(long.as_bytes()), gnu(long.as_bytes()), file("d")],
        Reason::GnuLongName,
    );
    add(
        "gnu: for nothing",
        &[file("a"), gnu(long.as_bytes())],
        Reason::GnuLongName,
    );
    add(
        "gnu: endless",
        &[gnu(&vec![b'a'; 5_000]), file("a")],
        Reason::PathTooLong,
    );
    add(
        "gnu: a link's target",
        &[
            block(b"././@LongLink", b'K', 0o644, long.as_bytes()),
            file("a"),
        ],
        Reason::GnuLongName,
    );
    add(
        "a directory with content",
        &[block(b"d/", b'5', 0o755, b"content")],
        Reason::SizeMismatch,
    );
    add(
        "nothing in it",
        &[block(b"d/", b'5', 0o755, b"")],
        Reason::Empty,
    );
    all.push((
        "tar: a size of exabytes".to_owned(),
        tar(&[sized(b"x", b'0', 0o644, b"x", 1 << 32)]),
        Reason::FileTooLarge,
    ));
    let whole = tar(&[file("SKILL.md"), file("x")]);
    all.push((
        "tar: cut off in a file".to_owned(),
        whole[..512 + 3].to_vec(),
        Reason::Truncated,
    ));
    all.push((
        "tar: cut off between files".to_owned(),
        whole[..1024].to_vec(),
        Reason::Truncated,
    ));
    let mut trailing = whole.clone();
    trailing.extend(b"more");
    all.push((
        "tar: more behind the end".to_owned(),
        trailing,
        Reason::TrailingData,
    ));
    let mut changed = whole.clone();
    changed[148] ^= 1;
    all.push((
        "tar: a wrong checksum".to_owned(),
        changed,
        Reason::WrongChecksum,
    ));
    let packed = gz(&whole);
    all.push((
        "tar.gz: cut off".to_owned(),
        packed[..packed.len() - 6].to_vec(),
        Reason::Truncated,
    ));
    let mut changed = packed;
    let end = changed.len();
    changed[end - 8] ^= 1;
    all.push((
        "tar.gz: a wrong checksum".to_owned(),
        changed,
        Reason::WrongChecksum,
    ));
    let zeros = block(b"x", b'0', 0o644, &vec![0; 20_000_000]);
    all.push((
        "tar.gz: a bomb".to_owned(),
        gz(&tar(&[zeros])),
        Reason::Ratio,
    ));
    all.push((
        "tar.gz: a bomb behind the end".to_owned(),
        gz(&[whole, vec![0; 30_000_000]].concat()),
        Reason::TrailingData,
    ));
    all
}

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
