//! Every limit of the write side. Reaching one is an error that names it.

use std::time::Duration;

/// Most entries (files, links, directories) of a tree that is captured. Ten times what a skill may have: what lies in the
/// way of a change must be kept as well, with its `.git` and whatever else is in it.
pub const TREE_ENTRIES: usize = 10_000;

/// Most bytes of all files of a tree that is captured.
pub const TREE_BYTES: u64 = 256 * 1024 * 1024;

/// How many directories deep a tree may be.
pub const TREE_DEPTH: usize = 64;

/// Largest file that is captured by itself, in bytes.
pub const FILE_BYTES: u64 = 64 * 1024 * 1024;

/// Longest text of a link, in bytes: as long as a path may be on Linux.
pub const LINK_BYTES: usize = 4_096;

/// Most swaps of one change.
pub const SWAPS: usize = 10_000;

/// How long a writer waits for another process to finish its change.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// How long an object that nothing refers to is kept: as long as it may take from a plan to its change, a question to a
/// person in between.
pub const UNREFERRED: Duration = Duration::from_secs(24 * 60 * 60);

/// Largest file that tells of an unfinished change, in bytes.
pub const INTENT_BYTES: u64 = 64 * 1024 * 1024;

/// Up to how many files and directories are brought to the disk one by one; above, the file system is asked to write all
/// that it has, where it can be asked.
pub const SYNCED_ONE_BY_ONE: usize = 64;
