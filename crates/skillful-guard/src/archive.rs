//! Archives inside the bundle: their members are files like any other, as long as they stay within the limits.

use std::io::{Cursor, Read};

use zip::ZipArchive;

use crate::bundle::{Content, FileInput};
use crate::coverage::{Coverage, GapKind};
use crate::limits::{ARCHIVE_BYTES, ARCHIVE_DEPTH, ARCHIVE_MEMBERS, ARCHIVE_RATIO};

/// Below this size a high ratio is what text compresses to.
const RATIO_FROM: u64 = 1024 * 1024;

/// The members of all archives among the files, and of the archives among those. What is not unpacked is a gap.
pub(crate) fn members(files: &[FileInput], coverage: &mut Coverage) -> Vec<FileInput> {
    let mut unpacked: Vec<FileInput> = Vec::new();
    let mut budget = ARCHIVE_BYTES;
    let mut level: Vec<FileInput> = files.iter().filter_map(|file| of_file(file, &mut budget, coverage)).flatten().collect();
    for depth in 1.. {
        let next: Vec<FileInput> = if depth < ARCHIVE_DEPTH {
            level.iter().filter_map(|file| of_file(file, &mut budget, coverage)).flatten().collect()
        } else {
            for file in level.iter().filter(|file| is_archive(file)) {
                coverage.gap(&file.path, GapKind::Archive, format!("more than {ARCHIVE_DEPTH} archives, one inside the other"));
            }
            Vec::new()
        };
        unpacked.append(&mut level);
        if next.is_empty() {
            break;
        }
        level = next;
    }
    unpacked
}

fn bytes_of(file: &FileInput) -> Option<&[u8]> {
    match &file.content {
        Content::Bytes(bytes) => Some(bytes),
        _ => None,
    }
}

fn is_archive(file: &FileInput) -> bool {
    bytes_of(file).is_some_and(|bytes| bytes.starts_with(b"PK\x03\x04"))
}

/// Archives that are named as such and that the guard cannot open.
fn is_closed_archive(file: &FileInput) -> bool {
    let magics: &[&[u8]] = &[b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd"];
    bytes_of(file).is_some_and(|bytes| magics.iter().any(|magic| bytes.starts_with(magic)))
}

fn of_file(file: &FileInput, budget: &mut u64, coverage: &mut Coverage) -> Option<Vec<FileInput>> {
    if is_closed_archive(file) {
        coverage.gap(&file.path, GapKind::Archive, "an archive of a kind that is not opened".to_owned());
    }
    if !is_archive(file) {
        return None;
    }
    match unpack(file, budget, coverage) {
        Ok(members) => Some(members),
        Err(error) => {
            coverage.gap(&file.path, GapKind::Archive, error.to_string());
            None
        }
    }
}

fn unpack(file: &FileInput, budget: &mut u64, coverage: &mut Coverage) -> Result<Vec<FileInput>, zip::result::ZipError> {
    let bytes = bytes_of(file).unwrap_or_default();
    let mut archive = ZipArchive::new(Cursor::new(bytes))?;
    if archive.len() > ARCHIVE_MEMBERS {
        coverage.gap(&file.path, GapKind::Archive, format!("{} members: the limit is {ARCHIVE_MEMBERS}", archive.len()));
    }
    let mut members = Vec::new();
    for index in 0..archive.len().min(ARCHIVE_MEMBERS) {
        let mut member = match archive.by_index(index) {
            Ok(member) => member,
            Err(error) => {
                let kind = if error.to_string().to_ascii_lowercase().contains("password") { GapKind::Encrypted } else { GapKind::Archive };
                coverage.gap(&file.path, kind, error.to_string());
                continue;
            }
        };
        if member.is_dir() {
            continue;
        }
        let path = format!("{}!{}", file.path, member.name().unwrap_or_default());
        let is_link = member.is_symlink();
        let executable = member.unix_mode().is_some_and(|mode| mode & 0o111 != 0);
        // The size in the header may lie, so what comes out is counted.
        let allowed = (*budget).min((bytes.len() as u64 * ARCHIVE_RATIO).max(RATIO_FROM));
        let mut content = Vec::new();
        if let Err(error) = member.by_ref().take(allowed + 1).read_to_end(&mut content) {
            coverage.gap(&path, GapKind::Archive, error.to_string());
            continue;
        }
        if content.len() as u64 > allowed {
            coverage.gap(&path, GapKind::Archive, format!("unpacks to more than {allowed} bytes"));
            return Ok(members);
        }
        *budget -= content.len() as u64;
        let content = if is_link { Content::Link { target: String::from_utf8_lossy(&content).into_owned() } } else { Content::Bytes(content) };
        members.push(FileInput { path, content, executable });
    }
    Ok(members)
}
