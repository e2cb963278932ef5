//! The collection of hostile archives: what it is, its bytes, and the reason for which it must be refused.

use skillful_manage::unpack::Reason;

use crate::build::{Member, block, file, gz, link, member, pax, sized, tar, zip};

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
pub(crate) fn hostile_zips() -> Vec<(String, Vec<u8>, Reason)> {
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
pub(crate) fn hostile_tars() -> Vec<(String, Vec<u8>, Reason)> {
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
