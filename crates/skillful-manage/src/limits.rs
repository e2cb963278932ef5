//! Every limit of the write side. Reaching one is an error that names it.

use std::time::Duration;

/// Most parts of a path in an archive.
pub const PATH_DEPTH: usize = 16;

/// Most things that are named one by one.
pub const NOTES: usize = 100;

/// Longest name of a package, in bytes; the longest of npm has 214.
pub const PACKAGE_BYTES: usize = 256;

/// Longest address that a program is fetched from, in bytes.
pub const URL_BYTES: usize = 2_048;

/// Longest name that a program is placed under, in bytes.
pub const PROGRAM_NAME_BYTES: usize = 100;

/// Largest file that is fetched for a program: 500 MiB. Single programs of Go and Rust reach 200.
pub const DOWNLOAD_BYTES: u64 = 500 * 1024 * 1024;

/// How long a manager or a download may take unless somebody says otherwise.
pub const INSTALL_TIME: Duration = Duration::from_secs(300);

/// The last bytes of a manager's output that are kept.
pub const OUTPUT_BYTES: usize = 64 * 1024;

/// Longest line of output that is shown while it comes, in bytes.
pub const OUTPUT_LINE_BYTES: usize = 4 * 1024;

/// Largest file with patterns of what is not packed, in bytes.
pub const IGNORE_BYTES: u64 = 64 * 1024;

/// Most entries of a directory that is packed or published into, those that are left out among them.
pub const PACK_ENTRIES: usize = 100_000;

/// Largest file of a site that is read: as much as the largest artifact.
pub const PUBLISHED_BYTES: u64 = 64 * 1024 * 1024;
