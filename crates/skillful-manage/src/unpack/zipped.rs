//! ZIP archives.

use std::io::{self, Read, Seek};

use cap_std::fs::Dir;
use zip::read::ZipFile;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::budget::Budget;
use super::name::{Names, is_left_out};
use super::writer::write_member;
use super::{Reason, UnpackError};

/// The kind of a file in its Unix mode.
const KIND: u32 = 0o170_000;
const SPECIAL_BITS: u32 = 0o7_000;

pub(super) fn unpack<R: Read + Seek>(
    reader: R,
    into: &Dir,
    budget: &mut Budget,
) -> Result<(), UnpackError> {
    let mut archive =
        ZipArchive::new(reader).map_err(|error| UnpackError::whole(fault_of(&error)))?;
    if archive.has_duplicate_names() {
        return Err(UnpackError::whole(Reason::Duplicate));
    }
    let members = archive.len();
    // Before anything that takes time for each member.
    if members as u64 > budget.entries_allowed() {
        return Err(UnpackError::whole(Reason::TooManyEntries));
    }
    match archive.has_overlapping_entries() {
        Ok(false) => {}
        Ok(true) => return Err(UnpackError::whole(Reason::Overlap)),
        Err(error) => return Err(UnpackError::whole(fault_of(&error))),
    }
    if archive.validate_header_consistency().is_err() {
        return Err(UnpackError::whole(Reason::HeaderMismatch));
    }
    let mut names = Names::default();
    for index in 0..members {
        budget.entry().map_err(UnpackError::whole)?;
        // The headers decide before anything is unpacked.
        let checked = {
            let member = archive
                .by_index_raw(index)
                .map_err(|error| UnpackError::whole(fault_of(&error)))?;
            let name = member.name_raw().to_owned();
            check(&member).map_err(|reason| UnpackError::member(&name, reason))?;
            let is_directory = member.is_dir();
            let path = names
                .take(&name, is_directory)
                .map_err(|reason| UnpackError::member(&name, reason))?;
            (path, is_directory)
        };
        let (path, is_directory) = checked;
        if is_left_out(path.as_str()) {
            budget.left_out(path.into_string());
            continue;
        }
        if is_directory {
            into.create_dir_all(path.as_str())?;
            continue;
        }
        let mut member = archive
            .by_index(index)
            .map_err(|error| UnpackError::member(path.as_str().as_bytes(), fault_of(&error)))?;
        let executable = member.unix_mode().is_some_and(|mode| mode & 0o111 != 0);
        let stated = member.size();
        write_member(
            into,
            &path,
            executable,
            stated,
            &mut member,
            budget,
            fault_while_reading,
        )?;
    }
    if budget.unpacked.files == 0 {
        return Err(UnpackError::whole(Reason::Empty));
    }
    Ok(())
}

/// What the header says the member is.
fn check<R: Read + ?Sized>(member: &ZipFile<'_, R>) -> Result<(), Reason> {
    if member.encrypted() {
        return Err(Reason::Encrypted);
    }
    if !matches!(
        member.compression(),
        CompressionMethod::Stored | CompressionMethod::Deflated
    ) {
        return Err(Reason::Compression);
    }
    // As the list has them: the library leaves out the bits that lend rights.
    let mode = member.external_attributes() >> 16;
    match mode & KIND {
        0 | 0o100_000 => {}
        0o040_000 if member.is_dir() => {}
        0o120_000 => return Err(Reason::Link),
        0o060_000 | 0o020_000 => return Err(Reason::Device),
        0o010_000 => return Err(Reason::Fifo),
        _ => return Err(Reason::OtherKind),
    }
    if member.is_symlink() {
        return Err(Reason::Link);
    }
    if mode & SPECIAL_BITS != 0 {
        return Err(Reason::SetUserId);
    }
    if member.is_dir() && member.size() != 0 {
        return Err(Reason::SizeMismatch);
    }
    Ok(())
}

fn fault_of(error: &ZipError) -> Reason {
    match error {
        ZipError::UnsupportedArchive(reason) if *reason == ZipError::PASSWORD_REQUIRED => {
            Reason::Encrypted
        }
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => {
            Reason::Compression
        }
        ZipError::Io(error) => fault_while_reading(error),
        _ => Reason::Damaged,
    }
}

fn fault_while_reading(error: &io::Error) -> Reason {
    let text = error.to_string().to_ascii_lowercase();
    if text.contains("checksum") || text.contains("crc") {
        Reason::WrongChecksum
    } else if text.contains("size") {
        Reason::SizeMismatch
    } else if error.kind() == io::ErrorKind::UnexpectedEof {
        Reason::Truncated
    } else {
        Reason::Damaged
    }
}
