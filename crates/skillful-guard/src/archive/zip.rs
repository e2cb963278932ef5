//! Zip archives, which documents of offices, wheels, jars and extensions are as well.

use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::Opening;
use crate::binary;
use crate::bundle::Content;
use crate::coverage::GapKind;
use crate::limits::ARCHIVE_MEMBERS;

/// How far before the end of a file the directory of an archive ends at the latest: its comment is no longer.
const END_BYTES: usize = 65_557;

/// Whether an archive stands behind something else, as in programs that unpack themselves.
pub(super) fn is_appended(bytes: &[u8]) -> bool {
    let tail = bytes.get(bytes.len().saturating_sub(END_BYTES)..);
    let has_directory =
        tail.is_some_and(|tail| memchr::memmem::rfind(tail, b"PK\x05\x06").is_some());
    has_directory && (!binary::is_text(bytes) || bytes.starts_with(b"#!"))
}

pub(super) fn open(opening: &mut Opening<'_>) {
    match ZipArchive::new(Cursor::new(opening.bytes)) {
        Ok(mut archive) => members(opening, &mut archive),
        Err(error) => opening.gap(error.to_string()),
    }
}

fn members(opening: &mut Opening<'_>, archive: &mut ZipArchive<Cursor<&[u8]>>) {
    // The library keeps one of those with the same name; which one is unpacked elsewhere is anyone's guess.
    if listed(opening.bytes).is_some_and(|listed| listed > archive.len()) {
        opening.gap("two members of the same name, of which one was read".to_owned());
        opening.fact("archive-names-twice");
    }
    if archive.len() > ARCHIVE_MEMBERS {
        opening.gap(format!(
            "{} members: the limit is {ARCHIVE_MEMBERS}",
            archive.len()
        ));
    }
    for index in 0..archive.len().min(ARCHIVE_MEMBERS) {
        let mut member = match archive.by_index(index) {
            Ok(member) => member,
            Err(error) => {
                not_opened(opening, &error);
                continue;
            }
        };
        let name = member.name().unwrap_or_default().into_owned();
        if member.is_dir() {
            opening.directory(&name);
            continue;
        }
        let path = opening.path_of(&name);
        let executable = member.unix_mode().is_some_and(|mode| mode & 0o111 != 0);
        let is_link = member.is_symlink();
        let allowed = opening.allowed();
        let mut content = Vec::new();
        let read = member.by_ref().take(allowed + 1).read_to_end(&mut content);
        if let Err(error) = read {
            opening
                .coverage
                .gap(&path, GapKind::Archive, error.to_string());
            continue;
        }
        if content.len() as u64 > allowed {
            opening.is_bomb(&path, allowed);
            return;
        }
        opening.spend(content.len() as u64);
        if is_link {
            let target = String::from_utf8_lossy(&content).into_owned();
            opening.entry(path, Content::Link { target });
        } else {
            opening.file(path, content, executable);
        }
    }
}

/// How many members the end of the archive says it has.
fn listed(bytes: &[u8]) -> Option<usize> {
    let end = memchr::memmem::rfind(bytes, b"PK\x05\x06")?;
    let count = bytes.get(end + 10..end + 12)?;
    Some(usize::from(u16::from_le_bytes(count.try_into().ok()?)))
}

fn not_opened(opening: &mut Opening<'_>, error: &ZipError) {
    let is_locked = matches!(error, ZipError::UnsupportedArchive(reason) if *reason == ZipError::PASSWORD_REQUIRED);
    if is_locked {
        opening
            .coverage
            .gap(opening.path, GapKind::Encrypted, error.to_string());
        opening.fact("archive-encrypted");
    } else {
        opening.gap(error.to_string());
    }
}
