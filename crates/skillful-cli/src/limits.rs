//! The limits of what the command itself reads; those of skills are in the crates below.

/// Largest baseline that is read, in bytes. A finding takes about forty.
pub(crate) const BASELINE_BYTES: u64 = 16 * 1024 * 1024;
