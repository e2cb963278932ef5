//! Counts what comes out of an archive. Headers may lie; only what streams by is counted.

use std::io::{self, Read};

use super::{Limits, Reason, Unpacked};
use crate::limits;

/// Below this many bytes a high ratio is what text compresses to.
const RATIO_FROM: u64 = 1024 * 1024;

#[derive(Debug)]
pub(super) struct Budget {
    limits: Limits,
    /// Length of the archive in bytes.
    packed: u64,
    entries: u64,
    /// All bytes that were unpacked, also those of members that are not written.
    work: u64,
    pub(super) unpacked: Unpacked,
}

impl Budget {
    pub(super) fn new(limits: Limits, packed: u64) -> Self {
        Self {
            limits,
            packed,
            entries: 0,
            work: 0,
            unpacked: Unpacked::default(),
        }
    }

    pub(super) fn entries_allowed(&self) -> u64 {
        self.limits.entries
    }

    /// Counts a member.
    pub(super) fn entry(&mut self) -> Result<(), Reason> {
        self.entries += 1;
        if self.entries > self.limits.entries {
            return Err(Reason::TooManyEntries);
        }
        Ok(())
    }

    pub(super) fn left_out(&mut self, path: String) {
        if self.unpacked.left_out.len() < limits::NOTES {
            self.unpacked.left_out.push(path);
        }
    }

    /// Counts bytes that came out, of whatever kind.
    pub(super) fn work(&mut self, bytes: u64) -> Result<(), Reason> {
        self.work = self.work.saturating_add(bytes);
        if self.work > self.limits.bytes {
            return Err(Reason::TooManyBytes);
        }
        if self.work > RATIO_FROM && self.work / self.limits.ratio.max(1) > self.packed {
            return Err(Reason::Ratio);
        }
        Ok(())
    }

    pub(super) fn file_bytes(&self) -> u64 {
        self.limits.file_bytes
    }

    /// The most bytes that may come out of the rest of the archive, plus one: to be read no further than that.
    pub(super) fn room(&self) -> u64 {
        let by_ratio = self
            .packed
            .saturating_add(1)
            .saturating_mul(self.limits.ratio);
        let most = self.limits.bytes.min(by_ratio.max(RATIO_FROM));
        most.saturating_sub(self.work).saturating_add(1)
    }
}

/// Reads in pieces, and hands each to `take` with the number of bytes so far.
pub(super) fn stream(
    reader: &mut impl Read,
    mut take: impl FnMut(&[u8], u64) -> Result<(), Stop>,
) -> Result<u64, Stop> {
    let mut piece = vec![0; 64 * 1024];
    let mut total = 0;
    loop {
        let read = match reader.read(&mut piece) {
            Ok(0) => return Ok(total),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Stop::Reading(error)),
        };
        total += read as u64;
        take(piece.get(..read).unwrap_or_default(), total)?;
    }
}

/// Why a stream ended early.
#[derive(Debug)]
pub(super) enum Stop {
    Refused(Reason),
    /// The archive could not be read.
    Reading(io::Error),
    /// The file could not be written.
    Writing(io::Error),
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Self {
        Self::Refused(reason)
    }
}
