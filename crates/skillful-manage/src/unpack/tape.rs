//! tar archives, plain or through gzip.
//!
//! Headers are taken one by one as they stand, with extended ones not applied by the library: an extended header may
//! say of the next member what its own header does not, and that is where readers disagree.

use std::io::{self, Read};

use cap_std::fs::Dir;
use tar::{EntryType, Header, PaxExtensions};

use super::budget::{Budget, Stop, stream};
use super::name::{Names, is_left_out};
use super::writer::write_member;
use super::{Reason, UnpackError};
use crate::limits;

const SPECIAL_BITS: u32 = 0o7_000;

/// Most bytes of an extended header; the longest honest one names one path.
const EXTENDED_BYTES: u64 = 16 * 1024;

/// Most bytes behind the end of a tar: tape drives wrote in blocks of up to this.
const PADDING_BYTES: u64 = 1024 * 1024;

/// What an extended header says about the next member.
#[derive(Debug, Default)]
struct Ahead {
    name: Option<Vec<u8>>,
    by_pax: bool,
}

pub(super) fn unpack(
    reader: impl Read,
    into: &Dir,
    budget: &mut Budget,
) -> Result<(), UnpackError> {
    let mut archive = tar::Archive::new(Tail::new(reader));
    let mut names = Names::default();
    let mut ahead = Ahead::default();
    let entries = archive.entries().map_err(|error| whole(&error))?.raw(true);
    for entry in entries {
        budget.entry().map_err(UnpackError::whole)?;
        let mut entry = entry.map_err(|error| whole(&error))?;
        // Each header is a block that came out of the archive too.
        budget.work(512).map_err(UnpackError::whole)?;
        let header = entry.header().clone();
        let own_name = header.path_bytes().into_owned();
        let refused = |reason| UnpackError::member(&own_name, reason);
        if is_extension(&header) {
            let content = extension(&mut entry, &header, budget).map_err(refused)?;
            read_extension(&header, &content, &mut ahead).map_err(refused)?;
            continue;
        }
        let name = ahead.take_name(&own_name).map_err(refused)?;
        let refused = |reason| UnpackError::member(&name, reason);
        let is_directory = header.entry_type() == EntryType::Directory;
        check(&header).map_err(refused)?;
        // GNU tar writes the directory itself first.
        if is_directory && matches!(&*name, b"." | b"./") {
            continue;
        }
        let path = names.take(&name, is_directory).map_err(refused)?;
        if is_left_out(path.as_str()) {
            budget.left_out(path.into_string());
        } else if is_directory {
            into.create_dir_all(path.as_str())?;
        } else {
            let executable = header.mode().is_ok_and(|mode| mode & 0o111 != 0);
            let stated = header.entry_size().map_err(|_| refused(Reason::Damaged))?;
            write_member(into, &path, executable, stated, &mut entry, budget, fault)
                .map_err(shorter_is_truncated)?;
        }
    }
    if ahead.name.is_some() {
        return Err(UnpackError::whole(Reason::GnuLongName));
    }
    end(archive.into_inner())?;
    if budget.unpacked.files == 0 {
        return Err(UnpackError::whole(Reason::Empty));
    }
    Ok(())
}

/// The library passes on what there is of a member that is cut off.
fn shorter_is_truncated(error: UnpackError) -> UnpackError {
    match error {
        UnpackError::Refused {
            member,
            reason: Reason::SizeMismatch,
        } => UnpackError::Refused {
            member,
            reason: Reason::Truncated,
        },
        other => other,
    }
}

fn is_extension(header: &Header) -> bool {
    matches!(
        header.entry_type(),
        EntryType::XHeader
            | EntryType::XGlobalHeader
            | EntryType::GNULongName
            | EntryType::GNULongLink
    )
}

/// The content of an extended header.
fn extension(
    entry: &mut impl Read,
    header: &Header,
    budget: &mut Budget,
) -> Result<Vec<u8>, Reason> {
    let is_long_name = header.entry_type() == EntryType::GNULongName;
    let fault = if is_long_name {
        Reason::GnuLongName
    } else {
        Reason::PaxDamaged
    };
    let stated = header.entry_size().map_err(|_| fault)?;
    if stated > EXTENDED_BYTES || is_long_name && stated > limits::PATH_BYTES as u64 + 1 {
        return Err(if is_long_name {
            Reason::PathTooLong
        } else {
            Reason::PaxDamaged
        });
    }
    budget.work(stated)?;
    let mut content = Vec::new();
    entry
        .read_to_end(&mut content)
        .map_err(|error| self::fault(&error))?;
    if (content.len() as u64) < stated {
        return Err(Reason::Truncated);
    }
    Ok(content)
}

fn read_extension(header: &Header, content: &[u8], ahead: &mut Ahead) -> Result<(), Reason> {
    match header.entry_type() {
        EntryType::GNULongName => {
            let name = content.strip_suffix(b"\0").unwrap_or(content);
            // A name that fits into the header needs no other place, and two names are one too many.
            if ahead.name.is_some() || name.len() < 100 {
                return Err(Reason::GnuLongName);
            }
            ahead.name = Some(name.to_owned());
            Ok(())
        }
        EntryType::GNULongLink => Err(Reason::GnuLongName),
        kind => read_pax(kind == EntryType::XGlobalHeader, content, ahead),
    }
}

fn read_pax(global: bool, content: &[u8], ahead: &mut Ahead) -> Result<(), Reason> {
    for record in PaxExtensions::new(content) {
        let record = record.map_err(|_| Reason::PaxDamaged)?;
        let key = record.key().map_err(|_| Reason::PaxDamaged)?;
        let value = record.value_bytes();
        match key {
            "linkpath" => return Err(Reason::PaxLinkPath),
            "size" => return Err(Reason::PaxSize),
            "path" if global => return Err(Reason::PaxPath),
            "path" => {
                // Only what a plain header has no room for: more than 100 bytes, or other letters than ASCII's.
                let is_needed = value.len() > 100 || !value.is_ascii();
                if !is_needed || ahead.name.is_some() {
                    return Err(Reason::PaxPath);
                }
                ahead.name = Some(value.to_owned());
                ahead.by_pax = true;
            }
            key if key.starts_with("GNU.sparse") => return Err(Reason::OtherKind),
            _ => {}
        }
    }
    Ok(())
}

impl Ahead {
    /// The name of the member at hand: the one that was announced, or its own.
    fn take_name(&mut self, own: &[u8]) -> Result<Vec<u8>, Reason> {
        let announced = std::mem::take(self);
        let Some(name) = announced.name else {
            return Ok(own.to_owned());
        };
        // GNU repeats as much of the long name as fits; anything else is another name.
        if !announced.by_pax && !name.starts_with(own) {
            return Err(Reason::GnuLongName);
        }
        Ok(name)
    }
}

/// What the header says the member is.
fn check(header: &Header) -> Result<(), Reason> {
    match header.entry_type() {
        EntryType::Regular | EntryType::Continuous => {}
        EntryType::Directory => {
            if header.entry_size().unwrap_or(1) != 0 {
                return Err(Reason::SizeMismatch);
            }
        }
        EntryType::Symlink => return Err(Reason::Link),
        EntryType::Link => return Err(Reason::HardLink),
        EntryType::Char | EntryType::Block => return Err(Reason::Device),
        EntryType::Fifo => return Err(Reason::Fifo),
        _ => return Err(Reason::OtherKind),
    }
    let mode = header.mode().map_err(|_| Reason::Damaged)?;
    if mode & SPECIAL_BITS != 0 && header.entry_type() != EntryType::Directory {
        return Err(Reason::SetUserId);
    }
    Ok(())
}

/// Reads what is behind the last member: at least one block of zeros, and nothing but zeros; through gzip this also
/// compares its checksum.
fn end(mut tail: Tail<impl Read>) -> Result<(), UnpackError> {
    let mut only_zeros = true;
    let read = stream(&mut tail, |piece, total| {
        only_zeros &= piece.iter().all(|&byte| byte == 0);
        if total > PADDING_BYTES {
            return Err(Reason::TrailingData.into());
        }
        Ok(())
    });
    match read {
        Ok(_) if !only_zeros => Err(UnpackError::whole(Reason::TrailingData)),
        Ok(_) if tail.zeros < 512 => Err(UnpackError::whole(Reason::Truncated)),
        Ok(_) => Ok(()),
        Err(Stop::Refused(reason)) => Err(UnpackError::whole(reason)),
        Err(Stop::Reading(error) | Stop::Writing(error)) => Err(whole(&error)),
    }
}

fn whole(error: &io::Error) -> UnpackError {
    UnpackError::whole(fault(error))
}

fn fault(error: &io::Error) -> Reason {
    let text = error.to_string().to_ascii_lowercase();
    if error.kind() == io::ErrorKind::UnexpectedEof || text.contains("eof") {
        Reason::Truncated
    } else if text.contains("checksum") || text.contains("crc") {
        Reason::WrongChecksum
    } else {
        Reason::Damaged
    }
}

/// Remembers how many of the last bytes read are zeros: whether the archive came to its end, or was cut off between two
/// members.
#[derive(Debug)]
struct Tail<R> {
    reader: R,
    zeros: usize,
}

impl<R> Tail<R> {
    fn new(reader: R) -> Self {
        Self { reader, zeros: 0 }
    }
}

impl<R: Read> Read for Tail<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        let piece = buffer.get(..read).unwrap_or_default();
        let zeros = piece.iter().rev().take_while(|&&byte| byte == 0).count();
        self.zeros = if zeros == piece.len() {
            self.zeros.saturating_add(zeros)
        } else {
            zeros
        };
        Ok(read)
    }
}
