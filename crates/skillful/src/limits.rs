//! Every limit of the runtime, in one place. The codec's are in [`skillmd::limits`].
//!
//! A search that reaches one is not an error: what was found stays, and a diagnostic names the limit and the place.

/// Largest SKILL.md that is read, in bytes.
pub const FILE_BYTES: usize = skillmd::limits::FILE_BYTES;

/// How many directories down from its root a skill may lie, unless the client's entry says otherwise.
pub const DEPTH: u8 = 6;

/// Most directory entries that are looked at in one root. The largest library measured has 100,000 skills.
pub const ENTRIES: usize = 1_000_000;

/// Most directories that are opened in one root, skills included.
pub const DIRECTORIES: usize = 250_000;

/// Files of one skill above which a warning is given. The MCP Skills extension takes no more.
pub const BUNDLE_FILES_WARNING: usize = 512;

/// Bytes of one skill's files above which a warning is given: 16 MiB, as in the MCP Skills extension.
pub const BUNDLE_BYTES_WARNING: u64 = 16 * 1024 * 1024;

/// Most files of one skill; those beyond are not listed.
pub const BUNDLE_FILES: usize = 1_000;

/// Most bytes of one skill's files; a larger skill is refused. 50 MiB, the largest upload any registry takes.
pub const BUNDLE_BYTES: u64 = 50 * 1024 * 1024;

/// How many directories down from the skill's own a resource may lie. The deepest real one lies at 14.
pub const BUNDLE_DEPTH: usize = 32;

/// Most members of an archive that is read in place.
pub const ARCHIVE_MEMBERS: usize = 10_000;

/// Most directories that are looked at for one wildcard of a plugin pattern.
pub const PLUGINS: usize = 10_000;

/// Most characters of one text of a skill in a catalog; four times what the standard allows for a description.
pub const CATALOG_TEXT_CHARS: usize = 4_096;
