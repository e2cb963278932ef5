//! The digest of files that were read already, so that what is bound to it is bound to the bytes that were looked at.

use std::io::Cursor;

use skillful_guard::{Content, FileInput, is_run_by_git};
use zip::ZipArchive;

use super::archive;
use super::digest::{FileDigest, combine};
use super::git::below_git;
use crate::discover::SKILL_MD;
use crate::limits;

/// Of the files of a skill that is a directory; `main` is the name of its own file. Of a `.git` directory what Git runs
/// counts, and links.
pub(crate) fn files(files: &[FileInput], main: &str) -> Option<String> {
    let mut digests = Vec::with_capacity(files.len());
    let mut others = Vec::new();
    let mut bytes = 0;
    for file in files {
        let content = match &file.content {
            Content::Bytes(content) => content,
            Content::Link { target } => {
                others.push(FileDigest::of_link(file.path.clone(), target));
                continue;
            }
            Content::Special => {
                others.push(FileDigest::of_special(file.path.clone()));
                continue;
            }
            Content::Unreadable(_) | Content::TooLarge(_) => return None,
        };
        let executable = file.executable && file.path != main;
        if below_git(&file.path).is_some() {
            if is_run_by_git(&file.path, content) {
                others.push(FileDigest::of(file.path.clone(), executable, &**content).ok()?);
            }
            continue;
        }
        bytes += content.len() as u64;
        digests.push(FileDigest::of(file.path.clone(), executable, &**content).ok()?);
    }
    let fits = digests.len() <= limits::BUNDLE_FILES && bytes <= limits::BUNDLE_BYTES;
    let has_main = digests.iter().any(|file| file.path == main);
    digests.append(&mut others);
    (fits && has_main).then(|| combine(digests))
}

/// Of a skill that is one text.
pub(crate) fn flat(file: &FileInput) -> Option<String> {
    let Content::Bytes(bytes) = &file.content else {
        return None;
    };
    let digest = FileDigest::of(SKILL_MD.to_owned(), false, &**bytes).ok()?;
    Some(combine(vec![digest]))
}

/// Of a skill that is an archive; `member` is its SKILL.md.
pub(crate) fn archive(file: &FileInput, member: &str) -> Option<String> {
    let Content::Bytes(bytes) = &file.content else {
        return None;
    };
    let opened = ZipArchive::new(Cursor::new(&**bytes)).ok()?;
    archive::digests(opened, member).ok().map(combine)
}
