//! Skills in `.zip` and `.skill` archives, read in place.
//!
//! Only the SKILL.md is unpacked, into memory and up to a limit. A member's name never becomes a path; names that would
//! lead elsewhere are passed over.

use std::borrow::Cow;
use std::io::Read;
use std::path::{Path, PathBuf};

use skillmd::{Code, Diagnostic};
use zip::ZipArchive;

use super::candidate::{self, Candidate, Form, SKILL_MD};
use crate::limits;
use crate::read::{self, Links, ReadError};

/// The skill in an archive; nothing when the archive is a sound one without a SKILL.md.
pub(super) fn candidate(path: PathBuf) -> Option<Candidate> {
    let (member, content) = match skill_in(&path) {
        Ok(Some((member, bytes))) => (member, Ok(bytes)),
        Ok(None) => return None,
        Err(reason) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let message = format!("`{name}` could not be read as a skill: {reason}");
            let diagnostic = Diagnostic::about_file(Code::BundleUnreadable, message);
            (String::new(), Err(Box::new(diagnostic)))
        }
    };
    let mut notes = Vec::new();
    let file = member.rsplit('/').next().unwrap_or_default();
    if content.is_ok() && file != SKILL_MD {
        notes.push(candidate::misspelt(file.as_ref()));
    }
    Some(Candidate {
        path,
        form: Form::Archive { member },
        real_directory: None,
        content,
        notes,
    })
}

/// The skill that an archive would be if it could be read.
pub(super) fn unreadable(path: PathBuf, reason: Box<Diagnostic>) -> Candidate {
    Candidate {
        path,
        form: Form::Archive {
            member: String::new(),
        },
        real_directory: None,
        content: Err(reason),
        notes: Vec::new(),
    }
}

/// The name and the bytes of an archive's SKILL.md.
fn skill_in(path: &Path) -> Result<Option<(String, Vec<u8>)>, String> {
    let file = read::open_regular(path, Links::Follow, limits::BUNDLE_BYTES).map_err(reason)?;
    let mut archive = ZipArchive::new(file).map_err(|error| error.to_string())?;
    if archive.len() > limits::ARCHIVE_MEMBERS {
        return Err(format!(
            "{} members are more than the limit of {}",
            archive.len(),
            limits::ARCHIVE_MEMBERS
        ));
    }
    let mut members: Vec<String> = archive
        .file_names()
        .filter_map(Result::ok)
        .filter(|name| is_skill_md(name))
        .map(Cow::into_owned)
        .collect();
    // One at the top counts before one in a directory, and the right spelling before others.
    members.sort_by_key(|name| (name.contains('/'), !name.ends_with(SKILL_MD)));
    let member = match &members[..] {
        [] if path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("skill")) =>
        {
            return Err(format!("it has no {SKILL_MD}"));
        }
        [] => return Ok(None),
        [first, rest @ ..] => {
            let directory = |name: &str| {
                name.split_once('/')
                    .map(|(directory, _)| directory.to_owned())
            };
            if first.contains('/') && rest.iter().any(|name| directory(name) != directory(first)) {
                return Err("it holds several skills".to_owned());
            }
            first.clone()
        }
    };
    let file = archive
        .by_name(&member)
        .map_err(|error| error.to_string())?;
    if !file.is_file() {
        return Err(format!("its {SKILL_MD} is not a regular file"));
    }
    let mut bytes = Vec::new();
    let limit = limits::FILE_BYTES as u64;
    file.take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if bytes.len() > limits::FILE_BYTES {
        return Err(format!("its {SKILL_MD} is larger than {limit} bytes"));
    }
    Ok(Some((member, bytes)))
}

fn reason(error: ReadError) -> String {
    match error {
        ReadError::NotRegular => "it is not a regular file".to_owned(),
        ReadError::TooLarge(size) => {
            format!(
                "{size} bytes are more than the limit of {}",
                limits::BUNDLE_BYTES
            )
        }
        ReadError::Io(error) => error.to_string(),
    }
}

/// Whether a member is a SKILL.md at the top or in one directory. Names with backslashes, `..` or an empty part are
/// not, nor is what macOS adds to archives.
fn is_skill_md(member: &str) -> bool {
    let (directory, file) = member.rsplit_once('/').unwrap_or((".", member));
    let plain =
        !directory.contains(['/', '\\', ':', '\0']) && !matches!(directory, "" | ".." | "__MACOSX");
    plain && file.eq_ignore_ascii_case(SKILL_MD)
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use zip::write::SimpleFileOptions;

    use super::*;

    fn archive(members: &[(&str, &str)]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in members {
            writer
                .start_file(*name, SimpleFileOptions::default())
                .unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn read(name: &str, bytes: &[u8]) -> Option<(String, Result<Vec<u8>, Code>)> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let found = candidate(path)?;
        Some((
            found.place_name().into_owned(),
            found.content.map_err(|diagnostic| diagnostic.code),
        ))
    }

    #[test]
    fn at_the_top_or_in_one_directory() {
        let found = read(
            "deploy.skill",
            &archive(&[("SKILL.md", "top"), ("x/SKILL.md", "below")]),
        );
        assert_eq!(found, Some(("deploy".to_owned(), Ok(b"top".to_vec()))));
        let found = read(
            "x.zip",
            &archive(&[("deploy/SKILL.md", "one"), ("__MACOSX/SKILL.md", "junk")]),
        );
        assert_eq!(found, Some(("deploy".to_owned(), Ok(b"one".to_vec()))));
    }

    #[test]
    fn an_archive_without_a_skill() {
        let bytes = archive(&[("README.md", ""), ("a/b/SKILL.md", "too deep")]);
        assert_eq!(read("x.zip", &bytes), None);
        let broken = Some(("x".to_owned(), Err(Code::BundleUnreadable)));
        assert_eq!(read("x.skill", &bytes), broken);
        assert_eq!(read("x.zip", b"no archive"), broken);
        let several = archive(&[("a/SKILL.md", ""), ("b/SKILL.md", "")]);
        assert_eq!(read("x.zip", &several), broken);
    }

    #[test]
    fn names_that_lead_elsewhere_are_passed_over() {
        for name in [
            "../SKILL.md",
            "/SKILL.md",
            "a\\SKILL.md",
            "c:/SKILL.md",
            "a/../SKILL.md",
        ] {
            assert!(!is_skill_md(name), "{name}");
        }
        assert!(is_skill_md("a/skill.md"));
    }

    #[test]
    fn a_bomb_is_unpacked_up_to_the_limit() {
        let text = "x".repeat(limits::FILE_BYTES + 1);
        let found = read("x.skill", &archive(&[("SKILL.md", &text)]));
        assert_eq!(found, Some(("x".to_owned(), Err(Code::BundleUnreadable))));
    }
}
