//! Tar archives, as they are or out of gzip: read as a stream, so that nothing but one member is held.

use std::io::Read;

use tar::{Archive, Entry, EntryType, Header};

use super::Opening;
use super::bounded::Bounded;
use crate::bundle::Content;
use crate::coverage::GapKind;
use crate::limits::ARCHIVE_MEMBERS;

/// The length of a header, which is also the unit of the format.
pub(super) const BLOCK: usize = 512;

/// Whether the bytes begin with the header of a member: its sum of bytes is right.
pub(super) fn begins(bytes: &[u8]) -> bool {
    let Some(block) = bytes.get(..BLOCK) else {
        return false;
    };
    let header = Header::from_byte_slice(block);
    let sum: u64 = block
        .iter()
        .enumerate()
        // The sum's own digits count as blanks.
        .map(|(at, &byte)| u64::from(if (148..156).contains(&at) { b' ' } else { byte }))
        .sum();
    header.cksum().is_ok_and(|said| u64::from(said) == sum) && block.iter().any(|&byte| byte != 0)
}

/// Reads the members that come out of a stream.
pub(super) fn open(opening: &mut Opening<'_>, stream: impl Read) {
    let allowed = opening.allowed();
    let mut archive = Archive::new(Bounded::new(stream, allowed));
    if let Err(error) = members(opening, &mut archive) {
        opening.gap(error.to_string());
    }
    let mut stream = archive.into_inner();
    // What follows the end is in the file and in no listing.
    let rest = match is_empty(&mut stream) {
        Ok(true) => None,
        Ok(false) => Some("bytes after the end of the archive".to_owned()),
        Err(error) => Some(error.to_string()),
    };
    opening.spend(stream.bytes_read());
    if stream.is_exceeded() {
        let path = opening.path;
        opening.is_bomb(path, allowed);
    } else if let Some(detail) = rest {
        opening.gap(detail);
    }
}

fn members<R: Read>(
    opening: &mut Opening<'_>,
    archive: &mut Archive<R>,
) -> Result<(), std::io::Error> {
    for (index, entry) in archive.entries()?.enumerate() {
        if index >= ARCHIVE_MEMBERS {
            opening.gap(format!("more than {ARCHIVE_MEMBERS} members"));
            break;
        }
        member(opening, entry?)?;
    }
    Ok(())
}

fn member<R: Read>(
    opening: &mut Opening<'_>,
    mut entry: Entry<'_, R>,
) -> Result<(), std::io::Error> {
    let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
    let path = opening.path_of(&name);
    let target = entry
        .link_name_bytes()
        .map(|target| String::from_utf8_lossy(&target).into_owned())
        .unwrap_or_default();
    match entry.header().entry_type() {
        EntryType::Directory => opening.directory(&name),
        EntryType::XGlobalHeader => {}
        EntryType::Symlink => opening.entry(path, Content::Link { target }),
        EntryType::Link => {
            // A hard link names its target from the top of the archive.
            let up = "../".repeat(name.matches('/').count());
            let target = if target.starts_with('/') {
                target
            } else {
                up + &target
            };
            opening.entry(path, Content::Link { target });
        }
        EntryType::Block | EntryType::Char | EntryType::Fifo => {
            opening.entry(path, Content::Special);
        }
        EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {
            let executable = entry.header().mode().is_ok_and(|mode| mode & 0o111 != 0);
            let allowed = opening.allowed();
            let mut content = Vec::new();
            // A sparse file is larger than its part of the stream.
            entry.by_ref().take(allowed + 1).read_to_end(&mut content)?;
            if content.len() as u64 > allowed {
                opening.is_bomb(&path, allowed);
                return Ok(());
            }
            opening.file(path, content, executable);
        }
        other => {
            let detail = format!(
                "a member of the kind {:?}, which is not read",
                char::from(other.as_byte())
            );
            opening.coverage.gap(&path, GapKind::Archive, detail);
        }
    }
    Ok(())
}

/// Whether nothing but zeros is left.
fn is_empty(stream: &mut impl Read) -> Result<bool, std::io::Error> {
    let mut buffer = [0; 4096];
    loop {
        let read = stream.read(&mut buffer)?;
        let bytes = buffer.get(..read).unwrap_or_default();
        if bytes.is_empty() {
            return Ok(true);
        }
        if bytes.iter().any(|&byte| byte != 0) {
            return Ok(false);
        }
    }
}
