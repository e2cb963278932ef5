//! What is at a path right now.

use std::path::Path;

use skillful_store::journal::State;

use crate::error::ReadError;
use crate::hash;
use crate::place::Place;

/// What is at a path, read through the handle of the directory that it lies in. That directory may be reached through
/// links; the path itself is not followed. Where there is no such directory, there is nothing.
///
/// # Errors
///
/// [`ReadError`] for what can be neither read nor kept, such as pipes and trees over the limits; a path that is relative,
/// has `..` in it or is not Unicode is none that can be changed.
pub fn observe(path: &Path) -> Result<State, ReadError> {
    match Place::open(path)? {
        Some(place) => place.observe(),
        None => Ok(State::Absent),
    }
}

/// The state of a path where there is a file with these bytes.
pub fn state_of_bytes(bytes: &[u8], executable: bool) -> State {
    State::File {
        sha256: hash::of(bytes),
        size: bytes.len() as u64,
        executable: executable && cfg!(unix),
    }
}
