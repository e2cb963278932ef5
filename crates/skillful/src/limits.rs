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

/// Bytes of a skill's body that search looks at, from its beginning. More of it makes the index slower to build and
/// hardly any request easier to answer; docs/search.md has the figures.
pub const SEARCH_BODY_BYTES: usize = 4 * 1024;

/// Bytes of a skill's body behind those in which headings are looked for.
pub const SEARCH_HEADINGS_BYTES: usize = 64 * 1024;

/// Most words of a query that are looked up; the rest is left out. A request of a person has fewer than thirty.
pub const QUERY_WORDS: usize = 64;

/// Bytes of a message that triggers are looked for in, from its beginning.
pub const MESSAGE_BYTES: usize = 64 * 1024;

/// Longest word of a message that can be a command, in bytes.
pub const COMMAND_BYTES: usize = 256;

/// Longest phrase of a trigger, in bytes; a longer one never matches.
pub const PHRASE_BYTES: usize = 512;

/// Most triggers of one skill that are looked at. The most that a real skill has is below a hundred.
pub const TRIGGERS: usize = 256;

/// Most `paths` globs of one skill that are looked at.
pub const GLOBS: usize = 64;

/// Longest glob, in bytes; a longer one never matches.
pub const GLOB_BYTES: usize = 512;

/// Most touched files that are looked at for one message.
pub const TOUCHED_PATHS: usize = 1_000;

/// Largest file of retrieval rows, in bytes.
pub const RETRIEVAL_BYTES: usize = 1024 * 1024;

/// Most retrieval rows of one skill; each is a search over the whole library.
pub const RETRIEVAL_ROWS: usize = 1_000;
