//! Every limit of a scan. Work is counted, never clocked, so that the same bytes give the same report everywhere.
//! Reaching a limit is a gap in the coverage, and a bundle with a gap is not safe.

/// Most entries of a bundle, members of archives included. The install refuses more than 1,000.
pub const FILES: usize = 2_000;

/// Largest text that is read, in bytes. Larger ones in real skills are data.
pub const FILE_BYTES: usize = 4 * 1024 * 1024;

/// Most bytes of text in a bundle that are searched.
pub const BUNDLE_BYTES: usize = 16 * 1024 * 1024;

/// Largest part of a document that is taken apart at once. Longer ones are read in parts, which bounds what is held of
/// them; hardly any document of a real skill is longer.
pub const PART_BYTES: usize = 128 * 1024;

/// Largest program that is parsed; what is longer is searched for patterns alone, and that is a gap.
pub const STRUCTURE_BYTES: usize = 1024 * 1024;

/// Largest shell script that is parsed: what the grammar remembers of each word takes far more than the word. Longer
/// ones carry data, and what carries data is a gap.
pub const SHELL_BYTES: usize = 192 * 1024;

/// Most calls of the parser's progress check for all programs of a bundle; a call stands for about a hundred steps, and
/// real programs need about twenty for each kibibyte.
pub const PARSE_STEPS: usize = 40_000;

/// What each file gets beside its share of [`PARSE_STEPS`].
pub const LEAST_PARSE_STEPS: usize = 200;

/// Most bytes of a bundle in which regular expressions are looked for around their anchors; the same bytes count for
/// each expression. Real bundles need a few times their size.
pub const CONFIRMED_BYTES: usize = 6 * 1024 * 1024;

/// What each file gets beside its share of [`CONFIRMED_BYTES`].
pub const LEAST_CONFIRMED_BYTES: usize = 16 * 1024;

/// Deepest nesting of a program's expressions that is followed.
pub const SYNTAX_DEPTH: usize = 60;

/// Most nodes of a program that are evaluated.
pub const SYNTAX_NODES: usize = 400_000;

/// Layers of encoding that are taken off one inside the other.
pub const DECODE_DEPTH: usize = 3;

/// Most bytes that decoding may produce in one file.
pub const DECODED_BYTES: usize = 1024 * 1024;

/// Most pieces of a text that decode to text and are searched; larger numbers are tables of data.
pub const DECODED_PIECES: usize = 400;

/// Shortest encoded piece that is decoded, in characters: shorter ones cannot hold a command worth hiding.
pub const ENCODED_CHARS: usize = 24;

/// Most parts of a list that are followed one by one in a program.
pub const SYNTAX_ITEMS: usize = 4_096;

/// Largest frontmatter that is no attempt to choke its readers, in bytes. Real ones have a few hundred.
pub const FRONTMATTER_BYTES: usize = 256 * 1024;

/// Deepest brackets in a frontmatter that are no attempt to choke its readers.
pub const FRONTMATTER_DEPTH: usize = 64;

/// Most values of a frontmatter, by its commas and colons, that are no such attempt.
pub const FRONTMATTER_VALUES: usize = 10_000;

/// Archives inside archives.
pub const ARCHIVE_DEPTH: usize = 3;

/// Most members of one archive.
pub const ARCHIVE_MEMBERS: usize = 1_000;

/// Most bytes that an archive may unpack to.
pub const ARCHIVE_BYTES: u64 = 25 * 1024 * 1024;

/// Most bytes out for one byte in, for archives that unpack to more than a mebibyte.
pub const ARCHIVE_RATIO: u64 = 100;

/// Most findings that are kept of one rule in one file; the first ones, by place.
pub const FINDINGS_PER_RULE: usize = 5;

/// Most findings that are kept of one file.
pub const FINDINGS_PER_FILE: usize = 200;

/// Most facts that are kept of one file while it is scanned.
pub const FACTS_PER_FILE: usize = 4_000;

/// Longest excerpt, in characters.
pub const EXCERPT_CHARS: usize = 160;

/// How far around an anchor a pattern is looked for, in bytes each way.
pub const PATTERN_WINDOW: usize = 1_200;

/// Longest sentence that is read as one, in bytes.
pub const SENTENCE_BYTES: usize = 1_200;

/// How far before and after a match the words are looked for that must stand near it, in bytes.
pub const AROUND: (usize, usize) = (280, 120);

/// Longest line before a program counts as padded or packed, in bytes.
pub const LINE_BYTES: usize = 2_000;
