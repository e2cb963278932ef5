//! Programs that skills need and that are downloaded, alone or in an archive. No network is asked.

use std::fs;
use std::path::PathBuf;

use skillful_manage::deps::{Outcome, Report, Sha256, Unusable, Wishes, apply};
use skillful_manage::progress::Silent;

use crate::machine::{Machine, OneFile, by_kind, yes};

fn download(bytes: &[u8]) -> String {
    let digest = Sha256::of(bytes);
    format!(
        "install: [{{kind: download, url: \"https://example.org/tool\", sha256: \"{digest}\", bins: [tool]}}]\n"
    )
}

#[test]
fn a_download_becomes_a_program_that_counts() {
    let bytes = b"#!/bin/sh\n";
    let machine = Machine::new(&download(bytes));
    let plan = machine.plan(&Wishes::default());
    let web = OneFile(bytes.to_vec());
    let run = || {
        apply(
            &plan,
            &machine.skill(),
            &yes(&plan),
            &machine.places(),
            &web,
            &Silent,
        )
        .unwrap()
    };
    let report = run();
    assert!(report.is_success(), "{report:?}");
    let tool: PathBuf = machine.0.path("home/.local/share/skillful/bin/tool");
    assert_eq!(report.needs[0].found, Some(tool.clone()));
    assert!(report.off_path.is_empty());
    assert!(machine.plan(&Wishes::default()).is_satisfied());

    fs::write(&tool, "mine").unwrap();
    let report = run();
    assert!(matches!(report.steps[0].outcome, Outcome::NotPlaced(_)));
    assert_eq!(fs::read(&tool).unwrap(), b"mine");
}

/// A release as projects make them: a directory with the version, and the program in it or in `bin`.
fn release(members: &[(&str, &[u8])]) -> Vec<u8> {
    let gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut builder = tar::Builder::new(gzip);
    for (path, bytes) in members {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, path, *bytes).unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap()
}

/// What becomes of a plan that is agreed to, where every address gives these bytes.
fn installed(machine: &Machine, bytes: Vec<u8>) -> Report {
    let plan = machine.plan(&Wishes::default());
    let (skill, places, web) = (machine.skill(), machine.places(), OneFile(bytes));
    apply(&plan, &skill, &yes(&plan), &places, &web, &Silent).unwrap()
}

fn archive_spec(bytes: &[u8], more: &str) -> String {
    let digest = Sha256::of(bytes);
    format!(
        "install: [{{kind: download, url: \"https://example.org/tool-1.tar.gz\", sha256: \"{digest}\", bins: [tool]{more}}}]\n"
    )
}

#[test]
fn a_program_is_taken_out_of_an_archive() {
    let bytes = release(&[
        ("tool-1/README.md", b"# Tool\n"),
        ("tool-1/bin/tool", b"#!/bin/sh\n"),
    ]);
    let machine = Machine::new(&archive_spec(&bytes, ", stripComponents: 1"));
    let report = installed(&machine, bytes);
    assert!(report.is_success(), "{report:?}");
    let bin = machine.0.path("home/.local/share/skillful/bin");
    assert_eq!(fs::read(bin.join("tool")).unwrap(), b"#!/bin/sh\n");
    assert_eq!(
        fs::read_dir(bin).unwrap().count(),
        1,
        "nothing else is taken"
    );
}

#[test]
fn an_archive_that_is_broken_or_lacks_the_program_places_nothing() {
    let whole = release(&[("other", b"#!/bin/sh\n")]);
    let broken = whole[..whole.len() - 4].to_vec();
    for bytes in [whole, broken] {
        let machine = Machine::new(&archive_spec(&bytes, ""));
        let report = installed(&machine, bytes);
        assert!(
            matches!(report.steps[0].outcome, Outcome::NotFetched(_)),
            "{report:?}"
        );
        assert!(!machine.0.path("home/.local/share/skillful/bin").exists());
    }
}

#[test]
fn other_bytes_than_promised_are_not_placed() {
    let machine = Machine::new(&download(b"good"));
    let report = installed(&machine, b"evil".to_vec());
    assert!(matches!(report.steps[0].outcome, Outcome::NotFetched(_)));
    assert!(!machine.0.path("home/.local/share/skillful/bin").exists());
    assert_eq!(report.missing, ["tool"]);
}

/// A program that was downloaded for one skill must not pass for a manager or for `sudo`.
#[test]
fn what_was_downloaded_is_no_manager() {
    let machine = Machine::new(&by_kind("npm", "tool"));
    machine
        .0
        .program("home/.local/share/skillful/bin/npm", "#!/bin/sh\n");
    let plan = machine.plan(&Wishes::default());
    assert_eq!(plan.ways[0].step, Err(Unusable::NoManager("npm")));
}
