use std::io::Write;

use ::tar::{Builder, EntryType, Header};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut writer = GzEncoder::new(Vec::new(), Compression::fast());
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

fn tarred(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = Builder::new(Vec::new());
    for (path, bytes) in members {
        let mut header = Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o755);
        writer.append_data(&mut header, path, *bytes).unwrap();
    }
    writer.into_inner().unwrap()
}

fn unpacked(path: &str, bytes: Vec<u8>) -> (Unpacked, Coverage) {
    let mut coverage = Coverage::default();
    let unpacked = Unpacked::of(&[FileInput::regular(path, bytes)], &mut coverage);
    (unpacked, coverage)
}

fn paths(unpacked: &Unpacked) -> Vec<&str> {
    unpacked
        .files
        .iter()
        .map(|file| file.path.as_str())
        .collect()
}

#[test]
fn tar_as_it_is_and_out_of_gzip_gives_its_members() {
    let long = "d/".repeat(80) + "long.md";
    let archive = tarred(&[("a.sh", b"ls\n"), (&long, b"text")]);
    for (path, bytes) in [("x.tar", archive.clone()), ("x.tgz", gzipped(&archive))] {
        let (unpacked, coverage) = unpacked(path, bytes);
        assert_eq!(
            paths(&unpacked),
            [format!("{path}!a.sh"), format!("{path}!{long}")]
        );
        assert!(unpacked.files[0].executable);
        assert!(coverage.is_complete(), "{coverage:?}");
    }
}

#[test]
fn a_single_file_out_of_gzip_keeps_its_name() {
    for (path, member) in [
        ("a/run.sh.gz", "a/run.sh.gz!run.sh"),
        ("a/logo.png", "a/logo.png!content"),
    ] {
        let (unpacked, coverage) = unpacked(path, gzipped(b"ls\n"));
        assert_eq!(paths(&unpacked), [member]);
        assert_eq!(unpacked.files[0].content, Content::Bytes(b"ls\n".to_vec()));
        assert!(coverage.is_complete());
    }
}

#[test]
fn links_and_devices_of_a_tar_are_entries() {
    let mut writer = Builder::new(Vec::new());
    for (path, kind, target) in [
        ("a/soft", EntryType::Symlink, "../b"),
        ("a/hard", EntryType::Link, "b"),
        ("pipe", EntryType::Fifo, "x"),
    ] {
        let mut header = Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(0);
        writer.append_link(&mut header, path, target).unwrap();
    }
    let (unpacked, _) = unpacked("x.tar", writer.into_inner().unwrap());
    let contents: Vec<&Content> = unpacked.files.iter().map(|file| &file.content).collect();
    let link = Content::Link {
        target: "../b".to_owned(),
    };
    assert_eq!(contents, [&link, &link, &Content::Special]);
}

#[test]
fn what_stands_behind_the_end_of_a_tar_is_a_gap() {
    let mut bytes = tarred(&[("a", b"x")]);
    bytes.extend(tarred(&[("b", b"y")]));
    let (unpacked, coverage) = unpacked("x.tar", bytes);
    assert_eq!(paths(&unpacked), ["x.tar!a"]);
    assert!(!coverage.is_complete());
}

#[test]
fn bombs_stop_at_the_allowance_that_all_archives_share() {
    let zeros = vec![0; 3 << 20];
    for bytes in [gzipped(&zeros), gzipped(&tarred(&[("a", &zeros)]))] {
        let (unpacked, coverage) = unpacked("x.gz", bytes);
        assert_eq!(unpacked.facts, [("x.gz".to_owned(), "archive-bomb")]);
        assert!(!coverage.is_complete());
    }
    // Each is within its own ratio, and together they are not.
    let noise: Vec<u8> = (0..9_u32 << 20)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 13).to_le_bytes()[0])
        .collect();
    let files: Vec<FileInput> = (0..4)
        .map(|n| FileInput::regular(format!("{n}.tar"), tarred(&[("a", &noise)])))
        .collect();
    let mut coverage = Coverage::default();
    let unpacked = Unpacked::of(&files, &mut coverage);
    assert_eq!(unpacked.files.len(), 2);
    assert!(!coverage.is_complete());
}

#[test]
fn broken_and_closed_archives_are_gaps() {
    let mut cut = gzipped(&tarred(&[("a", &[b'x'; 5_000])]));
    cut.truncate(cut.len() / 2);
    let mut torn = tarred(&[("a", b"x"), ("b", b"y")]);
    torn[1024 + 148] ^= 1;
    for bytes in [
        cut,
        torn,
        b"\x1f\x8b\x08".to_vec(),
        b"7z\xbc\xaf\x27\x1c".to_vec(),
    ] {
        let (_, coverage) = unpacked("x", bytes);
        assert!(!coverage.is_complete());
    }
}

#[test]
fn a_zip_behind_a_program_is_opened() {
    let mut bytes = std::io::Cursor::new(b"#!/usr/bin/env python3\n".to_vec());
    bytes.set_position(23);
    let mut writer = ::zip::ZipWriter::new(bytes);
    writer
        .start_file("__main__.py", ::zip::write::SimpleFileOptions::default())
        .unwrap();
    writer.write_all(b"import os\n").unwrap();
    let (unpacked, _) = unpacked("app.pyz", writer.finish().unwrap().into_inner());
    assert_eq!(paths(&unpacked), ["app.pyz!__main__.py"]);
}
