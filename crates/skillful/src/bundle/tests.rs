use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use tempfile::TempDir;

use super::*;
use crate::discover::{SearchLimits, search};
use crate::load::load;
use crate::roots::{Root, Source, Trust};

pub(crate) const TEXT: &str = "---\nname: x\ndescription: x\n---\n";

/// A root with skills.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        place.file("x/SKILL.md", TEXT);
        place
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    pub(crate) fn file(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn skill(&self, path: &str) -> Skill {
        let mut root = Root::new(self.path(""), Source::Global, Trust::Community);
        root.real = fs::canonicalize(&root.path).unwrap();
        let root = Arc::new(root);
        search(&root, SearchLimits::default(), |candidate| {
            load(candidate, &root)
        })
        .skills
        .into_iter()
        .find(|skill| skill.path == self.path(path))
        .unwrap()
    }

    /// An archive whose members all hold the text of a skill.
    pub(crate) fn archive(&self, path: &str, members: &[(&str, u32)]) {
        use std::io::Write;
        let mut writer = zip::ZipWriter::new(File::create(self.path(path)).unwrap());
        let options = zip::write::SimpleFileOptions::default();
        for (name, mode) in members {
            writer
                .start_file(*name, options.unix_permissions(*mode))
                .unwrap();
            writer.write_all(TEXT.as_bytes()).unwrap();
        }
        writer.finish().unwrap();
    }

    fn bundle(&self) -> Bundle {
        Bundle::of(&self.skill("x/SKILL.md"))
    }
}

fn paths(bundle: &Bundle) -> Vec<&str> {
    bundle
        .resources
        .iter()
        .map(|resource| &*resource.path)
        .collect()
}

fn codes(bundle: &Bundle) -> Vec<Code> {
    bundle
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.code)
        .collect()
}

#[test]
fn files_are_listed_in_order_with_their_sizes() {
    let place = Place::new();
    place.file("x/scripts/run.sh", "#!/bin/sh\n");
    place.file("x/a.txt", "12345");
    place.file("x/.env", "");
    place.file("x/.git/config", "");
    let bundle = place.bundle();
    assert_eq!(paths(&bundle), [".env", "a.txt", "scripts/run.sh"]);
    assert_eq!(bundle.resources[1].size, 5);
    assert_eq!(bundle.bytes, TEXT.len() as u64 + 15);
    assert_eq!(codes(&bundle), []);
}

#[cfg(unix)]
#[test]
fn the_executable_bit_is_noted() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.file("x/run", "");
    place.file("x/text", "");
    fs::set_permissions(place.path("x/run"), fs::Permissions::from_mode(0o755)).unwrap();
    let executable: Vec<_> = place
        .bundle()
        .resources
        .iter()
        .map(|resource| resource.executable)
        .collect();
    assert_eq!(executable, [true, false]);
}

#[test]
fn a_skill_inside_is_noted() {
    let place = Place::new();
    place.file("x/in/SKILL.md", TEXT);
    let bundle = place.bundle();
    assert_eq!(paths(&bundle), ["in/SKILL.md"]);
    assert_eq!(codes(&bundle), [Code::NestedSkill]);
}

#[cfg(target_os = "linux")]
#[test]
fn another_spelling_beside_it_is_noted() {
    let place = Place::new();
    place.file("x/skill.md", TEXT);
    let bundle = place.bundle();
    assert_eq!(paths(&bundle), ["skill.md"]);
    assert_eq!(codes(&bundle), [Code::FileNameCase]);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let place = Place::new();
    place.file("outside/secret", "");
    place.file("x/real", "");
    symlink(place.path("outside"), place.path("x/a")).unwrap();
    symlink(place.path("x/real"), place.path("x/b")).unwrap();
    symlink(place.path("missing"), place.path("x/c")).unwrap();
    let bundle = place.bundle();
    assert_eq!(paths(&bundle), ["real"]);
    assert_eq!(codes(&bundle), [Code::LinkOutsideRoot, Code::LinkBroken]);
    assert!(
        bundle
            .diagnostics
            .iter()
            .all(|diagnostic| diagnostic.severity == Severity::Warning)
    );
}

#[test]
fn many_files_are_a_warning_and_too_many_an_error() {
    let place = Place::new();
    for index in 0..limits::BUNDLE_FILES_WARNING {
        place.file(&format!("x/{index}"), "");
    }
    let bundle = place.bundle();
    assert_eq!(codes(&bundle), [Code::BundleTooLarge]);
    assert_eq!(bundle.diagnostics[0].severity, Severity::Warning);
    for index in 0..limits::BUNDLE_FILES {
        place.file(&format!("x/more/{index}"), "");
    }
    let bundle = place.bundle();
    assert!(bundle.truncated);
    assert_eq!(bundle.resources.len(), limits::BUNDLE_FILES - 1);
    assert_eq!(bundle.diagnostics[0].severity, Severity::Error);
}

#[test]
fn many_bytes_are_a_warning_and_too_many_an_error() {
    let place = Place::new();
    let file = |name: &str, bytes| {
        place.file(name, "");
        let path = fs::OpenOptions::new()
            .write(true)
            .open(place.path(name))
            .unwrap();
        path.set_len(bytes).unwrap();
    };
    file("x/a", limits::BUNDLE_BYTES_WARNING);
    let severities = || -> Vec<Severity> {
        place
            .bundle()
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.severity)
            .collect()
    };
    assert_eq!(severities(), [Severity::Warning]);
    file("x/b", limits::BUNDLE_BYTES);
    assert_eq!(severities(), [Severity::Error]);
}

#[test]
fn the_members_of_an_archive_are_listed() {
    let place = Place::new();
    place.archive(
        "y.skill",
        &[
            ("y/SKILL.md", 0o644),
            ("y/scripts/run.sh", 0o755),
            ("y/../../out", 0o644),
            ("z/other", 0o644),
        ],
    );
    let bundle = Bundle::of(&place.skill("y.skill"));
    assert_eq!(
        bundle.resources,
        [Resource {
            path: "scripts/run.sh".to_owned(),
            size: TEXT.len() as u64,
            executable: true
        }]
    );
}

#[test]
fn the_same_content() {
    let place = Place::new();
    place.file("y/SKILL.md", TEXT);
    let same = || same_content(&place.skill("x/SKILL.md"), &place.skill("y/SKILL.md"));
    assert!(same());
    place.file("x/run.sh", "1");
    assert!(!same(), "a file more");
    place.file("y/run.sh", "2");
    assert!(!same(), "other bytes");
    place.file("y/run.sh", "1");
    assert!(same());
    for (skill, last) in [("x", "1"), ("y", "2")] {
        place.file(&format!("{skill}/large"), "0".repeat(100_000) + last);
    }
    assert!(!same(), "another end");
    place.file("y/large", "0".repeat(100_000) + "1");
    assert!(same());
    place.file("y/SKILL.md", TEXT.replace("x\n", "y\n"));
    assert!(!same(), "another SKILL.md of the same length");
}
