//! Packing a skill: the same files give the same bytes, on every system, at any time.
//!
//! ```text
//! Skill ─collect→ files, what is left out ─check, scan→ Prepared ─archive→ bytes
//! ```
//!
//! What is checked and scanned are the very bytes that are packed. Nothing goes into an archive but paths, contents and
//! whether a file may be executed: no dates, no owners, no order of a file system.

mod archive;
mod collect;
mod digest;
mod gate;
mod ignored;
mod prepare;

pub(crate) use digest::of_bytes as digest_of_bytes;

pub use archive::{Form, PackedArchive, UnknownForm};
pub use collect::{LeftOut, PackedFile, Reason, Unpackable};
pub use gate::Finding;
pub use prepare::{PackError, Prepared, Wishes, prepare};
