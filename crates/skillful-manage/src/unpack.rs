//! Unpacks archives that nobody has looked at yet.
//!
//! Every byte is taken for hostile. Names are checked before anything is written, what comes out is counted while it
//! streams, and files are made through the handle of the directory that they belong to, so that nothing lands beside
//! it. The first thing that is wrong refuses the whole archive, with a reason of its own: an archive that tries one
//! trick is not to be trusted with the rest. What was written until then stays in the caller's staging directory, which
//! the caller discards.
//!
//! Bytes are kept exactly, and so is whether the owner may execute a file. Archives inside the archive stay files.
//! Left out, and named in [`Unpacked::left_out`], is only what tools add by themselves: `.git`, `__MACOSX`,
//! `.DS_Store`.

use std::io::{self, Read, Seek, SeekFrom};

use cap_std::fs::Dir;

mod budget;
mod name;
mod refusal;
mod tape;
mod writer;
mod zipped;

use budget::Budget;
pub(crate) use name::{MemberPath, Names, is_left_out};
pub(crate) use refusal::shown;
pub use refusal::{Reason, UnpackError};
pub(crate) use writer::write_file;

/// How an archive is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `.zip` and `.skill`.
    Zip,
    /// `.tar`.
    Tar,
    /// `.tar.gz` and `.tgz`.
    TarGz,
}

impl Kind {
    /// The endings of names, with the kind that each stands for.
    const ENDINGS: [(&str, Self); 5] = [
        (".zip", Self::Zip),
        (".skill", Self::Zip),
        (".tar.gz", Self::TarGz),
        (".tgz", Self::TarGz),
        (".tar", Self::Tar),
    ];

    /// What the ending of a name says, in any case of letters.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::split_name(name).map(|(_, kind)| kind)
    }

    /// A name without the ending of an archive, and the kind.
    pub(crate) fn split_name(name: &str) -> Option<(&str, Self)> {
        let lower = name.to_ascii_lowercase();
        let (ending, kind) = Self::ENDINGS
            .into_iter()
            .find(|(ending, _)| lower.ends_with(ending))?;
        Some((name.get(..name.len() - ending.len())?, kind))
    }

    /// What the first 512 bytes say.
    pub fn of_bytes(head: &[u8]) -> Option<Self> {
        if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
            Some(Self::Zip)
        } else if head.starts_with(b"\x1f\x8b") {
            Some(Self::TarGz)
        } else if head.get(257..262) == Some(b"ustar") {
            Some(Self::Tar)
        } else {
            None
        }
    }
}

/// How much may come out of an archive. The defaults stand in [`crate::limits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most members, directories included.
    pub entries: u64,
    /// Most bytes of all files together.
    pub bytes: u64,
    /// Most bytes of one file.
    pub file_bytes: u64,
    /// Most bytes out for each byte in, from a mebibyte on.
    pub ratio: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            entries: crate::limits::ARCHIVE_ENTRIES,
            bytes: crate::limits::ARCHIVE_BYTES,
            file_bytes: crate::limits::ARCHIVE_FILE_BYTES,
            ratio: crate::limits::ARCHIVE_RATIO,
        }
    }
}

/// What came out of an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unpacked {
    /// How many files were written.
    pub files: u64,
    /// How many bytes they have together.
    pub bytes: u64,
    /// Members that tools add by themselves and that were not written; at most the first
    /// [`crate::limits::NOTES`] of them.
    pub left_out: Vec<String>,
}

/// Unpacks an archive into a directory, which must be empty.
///
/// # Errors
///
/// [`UnpackError`] with the member and the reason; the directory then holds what was written so far.
pub fn unpack<R: Read + Seek>(
    mut archive: R,
    into: &Dir,
    limits: Limits,
) -> Result<Unpacked, UnpackError> {
    let packed = archive.seek(SeekFrom::End(0))?;
    archive.rewind()?;
    let mut head = [0; 512];
    let length = read_up_to(&mut archive, &mut head)?;
    archive.rewind()?;
    let kind = head
        .get(..length)
        .and_then(Kind::of_bytes)
        .ok_or_else(|| UnpackError::whole(Reason::NotAnArchive))?;
    let mut budget = Budget::new(limits, packed);
    match kind {
        Kind::Zip => zipped::unpack(archive, into, &mut budget)?,
        Kind::Tar => tape::unpack(archive, into, &mut budget)?,
        Kind::TarGz => tape::unpack(flate2::read::GzDecoder::new(archive), into, &mut budget)?,
    }
    Ok(budget.unpacked)
}

/// Fills as much of the buffer as there is.
fn read_up_to(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match reader.read(rest) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
