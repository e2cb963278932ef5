//! SHA-256 of bytes, and of files while they are read.

use std::io::{self, Read, Write};

use sha2::Digest as _;
use skillful_store::journal::Digest;

const BUFFER_BYTES: usize = 64 * 1024;

pub(crate) fn of(bytes: impl AsRef<[u8]>) -> Digest {
    Digest::from_bytes(sha2::Sha256::digest(bytes).into())
}

/// What was read.
pub(crate) struct Hashed {
    pub(crate) sha256: Digest,
    pub(crate) size: u64,
}

/// Why nothing came of it.
pub(crate) enum Stopped {
    TooLarge,
    Reading(io::Error),
    Writing(io::Error),
}

/// Copies `from` to `to` to its end, but no more than `limit` bytes.
pub(crate) fn copy(mut from: impl Read, mut to: impl Write, limit: u64) -> Result<Hashed, Stopped> {
    let mut hasher = sha2::Sha256::new();
    let mut buffer = vec![0; BUFFER_BYTES];
    let mut size = 0_u64;
    loop {
        let count = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Stopped::Reading(error)),
        };
        let read = buffer.get(..count).unwrap_or_default();
        size += count as u64;
        if size > limit {
            return Err(Stopped::TooLarge);
        }
        hasher.update(read);
        to.write_all(read).map_err(Stopped::Writing)?;
    }
    Ok(Hashed {
        sha256: Digest::from_bytes(hasher.finalize().into()),
        size,
    })
}
