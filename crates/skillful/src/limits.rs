//! Every limit of the runtime, in one place. The codec's are in [`skillmd::limits`].
//!
//! A search that reaches one is not an error: what was found stays, and a diagnostic names the limit and the place.

use std::time::Duration;

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

/// Most files of a bundle that are read for the scanner, which looks at no more. What is beyond makes the scan incomplete.
pub const SCAN_FILES: usize = skillful_guard::limits::FILES;

/// Largest file that is read for the scanner: 16 MiB. Fonts and models are larger than any text that it searches, and a
/// larger file makes the scan incomplete. All files together may have [`BUNDLE_BYTES`], as may an archive.
pub const SCAN_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// How many directories down from the skill's own a resource may lie. The deepest real one lies at 14.
pub const BUNDLE_DEPTH: usize = 32;

/// Most members of an archive that is read in place.
pub const ARCHIVE_MEMBERS: usize = 10_000;

/// Most directories that are looked at for one wildcard of a plugin pattern.
pub const PLUGINS: usize = 10_000;

/// Largest file of a skill that is handed over by itself: 5 MiB, more than any model reads at once.
pub const RESOURCE_BYTES: u64 = 5 * 1024 * 1024;

/// Most bytes of a path of a file in a skill; no real one has more than 300.
pub const RESOURCE_PATH_BYTES: usize = 1_024;

/// Most files that an activation names; the others are counted. Clients name 10 to 200.
pub const ACTIVATION_RESOURCES: usize = 200;

/// Most bytes of the arguments that a skill is activated with. They are given to commands in one environment variable,
/// for which Linux has room for 128 KiB.
pub const ARGUMENT_BYTES: usize = 64 * 1024;

/// Most names of arguments that count; no real skill has more than ten.
pub const ARGUMENT_NAMES: usize = 64;

/// Most bytes of a text with everything put in its place. One placeholder may stand in a body a hundred thousand times.
pub const RENDERED_BYTES: usize = 4 * 1024 * 1024;

/// Most inline commands that one activation runs; those beyond stay text.
pub const INLINE_COMMANDS: usize = 20;

/// Most bytes of one inline command.
pub const INLINE_COMMAND_BYTES: usize = 4_096;

/// Most characters of an inline command's output, as in Hermes; what is beyond is cut off.
pub const INLINE_OUTPUT_CHARS: usize = 4_000;

/// How long one inline command may take, as in Aleph and Hermes.
pub const INLINE_TIME: Duration = Duration::from_secs(10);

/// How long all inline commands of one activation may take together; somebody is waiting.
pub const INLINE_TIME_TOTAL: Duration = Duration::from_secs(30);
/// Paths of one place that a batch of changes names before it says "all of it" instead: beyond that a search of the whole
/// root is cheaper than single looks.
pub const CHANGED_PATHS: usize = 4_096;

/// Single looks after which a search of the root costs less: each puts one skill into the registry anew.
pub const LOOKS: usize = 32;

/// Reports of the operating system that wait for the watcher. As many as Linux keeps by itself
/// (`fs.inotify.max_queued_events`); with more, everything is looked at again.
pub const WATCH_HINTS: usize = 16_384;

/// Events that are kept for subscribers that lag, unless the hub is made with another number.
pub const EVENTS: usize = 1_024;

/// Longest schedule that is read, in bytes. The longest sensible cron expression has some 200.
pub const SCHEDULE_BYTES: usize = 256;
/// Bytes of a skill's body that search looks at, from its beginning. More of it makes the index slower to build and
/// hardly any request easier to answer; docs/search.md has the figures.
pub const SEARCH_BODY_BYTES: usize = 4 * 1024;

/// Bytes of a skill's body behind those in which headings are looked for.
pub const SEARCH_HEADINGS_BYTES: usize = 64 * 1024;

/// Longest time between two looks for runs that are due: half of the shortest interval, so that what another process
/// approved is seen before it is due.
pub const SCHEDULE_WAIT: Duration = Duration::from_secs(30);

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
/// Largest configuration file that is read, in bytes. A thousand skills with ten lines each stay below a tenth of it.
pub const CONFIG_BYTES: usize = 1024 * 1024;

/// Most faults of one configuration file that are listed; the rest is counted.
pub const CONFIG_PROBLEMS: usize = 100;

/// Most parts of a dotted path into a configuration.
pub const KEY_DEPTH: usize = 64;

/// Most directories of the search path that are looked into for a program.
pub const PROGRAM_DIRECTORIES: usize = 256;
/// Most characters of one text of a skill in a catalog; four times what the standard allows for a description.
pub const CATALOG_TEXT_CHARS: usize = 4_096;

/// Bytes of files that a system keeps of the skills that were activated, for the case that they turn broken: a thousand
/// of common size.
pub const KEPT_TEXTS_BYTES: usize = 8 * 1024 * 1024;

/// Most findings that are kept of one skill, each of another rule, file or confidence; with more the skill counts as not
/// read whole. A hostile skill of a thousand files must not fill the records.
pub const GUARD_FINDINGS: usize = 2_000;

/// Findings that are kept with their line; those behind are kept without.
pub const GUARD_EXCERPTS: usize = 20;

/// Seconds for which files must have been left alone before they are recognised by their stamps. The coarsest clock of a
/// common file system, that of FAT, ticks every two.
pub const STAMP_SECONDS: i64 = 2;

/// Skills of which a system remembers that their files were read and when they changed, so that handing them over again
/// reads nothing but what is handed over.
pub const SEEN_SKILLS: usize = 4_096;
