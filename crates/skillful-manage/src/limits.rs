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
/// that it has, where it can be asked. One by one takes a wait for the disk each; on ext4 the other way was quicker from
/// the second file on, even while compilers were writing to the same disk.
pub const SYNCED_ONE_BY_ONE: usize = 2;
/// Longest name of a package, in bytes; the longest of npm has 214.
pub const PACKAGE_BYTES: usize = 256;

/// Longest address that a program is fetched from, in bytes.
pub const URL_BYTES: usize = 2_048;

/// Longest name that a program is placed under, in bytes.
pub const PROGRAM_NAME_BYTES: usize = 100;

/// Largest file that is fetched for a program: 500 MiB. Single programs of Go and Rust reach 200.
pub const PROGRAM_BYTES: u64 = 500 * 1024 * 1024;

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

/// Largest file whose lines are compared with those of another version, in bytes; of larger ones the size is told.
pub const COMPARED_BYTES: u64 = 256 * 1024;

/// Most lines of such a file: two files with nothing in common take the square of it.
pub const COMPARED_LINES: usize = 5_000;

/// Most bytes of all comparisons of one skill: what is beyond that nobody reads to its end.
pub const DIFFERENCE_BYTES: usize = 1024 * 1024;

/// Largest file of another tool that is read for what it installed, in bytes.
pub const FOREIGN_LOCK_BYTES: u64 = 4 * 1024 * 1024;

/// Most entries of one directory of skills that are looked at when skills of other tools are adopted.
pub const ADOPTED_ENTRIES: usize = 10_000;
/// Most bytes of a path in an archive, a repository or a hub's list: what Windows takes below a directory of usual
/// length.
pub const PATH_BYTES: usize = 240;

/// Most parts of such a path.
pub const PATH_DEPTH: usize = 16;

/// Most members of an archive. It may hold a whole repository with many skills; one skill may have fewer files, which
/// is checked when it is looked at.
pub const ARCHIVE_ENTRIES: u64 = 20_000;

/// Most bytes that come out of an archive: 256 MiB.
pub const ARCHIVE_BYTES: u64 = 256 * 1024 * 1024;

/// Most bytes of one file of an archive: 50 MiB, as much as a whole skill may have.
pub const ARCHIVE_FILE_BYTES: u64 = 50 * 1024 * 1024;

/// Most bytes out of an archive for each byte in, from a mebibyte on. Real archives of text reach 20.
pub const ARCHIVE_RATIO: u64 = 100;

/// Most things that were left out or noticed that are named one by one.
pub const NOTES: usize = 100;

/// Longest text of a source, in bytes.
pub const SOURCE_BYTES: usize = 2_048;

/// Most entries of a fetched tree that are looked at for skills.
pub const FETCHED_ENTRIES: usize = 200_000;

/// How long one run of git may take, unless the settings say otherwise.
pub const GIT_TIME: Duration = Duration::from_secs(300);

/// Most bytes that git may write to us at once: the list of a repository with half a million files.
pub const GIT_OUTPUT_BYTES: u64 = 64 * 1024 * 1024;

/// Most bytes that git may fetch of one repository, unless the settings say otherwise: 1 GiB. Files that are not wanted are not among them, unless the
/// server cannot leave them out.
pub const REPOSITORY_BYTES: u64 = 1024 * 1024 * 1024;

/// Most files that are taken from one repository.
pub const REPOSITORY_FILES: u64 = 20_000;

/// Most bytes that are written of one repository, or copied of one directory: 256 MiB.
pub const FETCHED_BYTES: u64 = 256 * 1024 * 1024;

/// How long one answer from the web may take, unless the settings say otherwise.
pub const WEB_TIME: Duration = Duration::from_secs(120);

/// Most bytes of an archive or document from the web: 50 MiB, the largest upload any registry takes.
pub const DOWNLOAD_BYTES: u64 = 50 * 1024 * 1024;

/// Most bytes of an index or another document that describes skills.
pub const INDEX_BYTES: u64 = 16 * 1024 * 1024;

/// Most skills of an index.
pub const INDEX_ENTRIES: usize = 10_000;

/// Most redirections that are followed.
pub const REDIRECTIONS: usize = 5;

/// Most bytes of all answers from the web that are kept to be asked for again: 256 MiB.
pub const CACHE_BYTES: u64 = 256 * 1024 * 1024;

/// Most answers from the web that are kept.
pub const CACHE_ENTRIES: usize = 2_000;

/// Most bytes of the lines that begin such an answer.
pub const CACHED_HEAD_BYTES: u64 = 1_024;

/// Longest name that a server gives an answer (`ETag`) at which the answer is kept, in bytes.
pub const VALIDATOR_BYTES: usize = 512;

/// Most times that an answer is asked for again when the server says that it is busy.
pub const RETRIES: usize = 2;

/// Longest pause that a server may ask for before it is asked again.
pub const RETRY_PAUSE: Duration = Duration::from_secs(20);

/// Most skills that are fetched from an index when none is named.
pub const INDEX_SKILLS: usize = 200;

/// Most files that are fetched one by one for a skill of an index.
pub const INDEX_FILES: usize = 512;

/// Largest file of a skill that is written by an author, in bytes. Larger ones are installed.
pub const WRITTEN_BYTES: u64 = 1024 * 1024;

/// Up to how often a text that is to be patched is looked for; whoever gave too little of it needs no exact number.
pub const MATCHES: usize = 100;

/// Most lines that are named where a text occurs several times.
pub const NAMED_LINES: usize = 10;

/// How many entries of the history are read at once.
pub const HISTORY_PAGE: usize = 200;

/// How many undos of undos are followed back to what they are about.
pub const UNDO_CHAIN: usize = 100;

/// Most characters of a lesson's text: one that is longer is no single lesson.
pub const LESSON_BODY: usize = 40_000;

/// Most characters of a lesson's title; what is beyond is cut off at a word.
pub const LESSON_TITLE: usize = 200;

/// Most tags of a lesson that are kept.
pub const LESSON_TAGS: usize = 32;

/// Most characters of a lesson's tag.
pub const LESSON_TAG: usize = 64;

/// Up to which number names of lessons are counted where titles make the same name.
pub const LESSON_NUMBERS: usize = 1_000;

/// How alike (`similarity` of `learn`) the texts of two lessons are at which the second one is not stored.
pub const NEAR_DUPLICATE: f64 = 0.8;

/// How often a learned skill was read before it is judged by what came of it.
pub const DECAY_READS: u64 = 5;

/// The confidence that a learned skill helps below which it is put away.
pub const DECAY_CONFIDENCE: f64 = 0.2;
/// Most commits of a branch that are asked for to see whether its history was rewritten.
pub const HISTORY_COMMITS: u32 = 1_000;
