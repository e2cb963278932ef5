//! Every limit of the servers.

/// Entries of a page of a list where nobody says how many.
pub const PAGE_ENTRIES: usize = 100;

/// The most entries that a page may have.
pub const PAGE_ENTRIES_MAX: usize = 1_000;

/// Results of a search where nobody says how many.
pub const SEARCH_RESULTS: usize = 10;

/// How alike two names must be for one to be meant by the other, from 0 to 1.
pub(crate) const ALIKE: f64 = 0.75;

/// Bytes of a skill's text that are rendered as HTML; the rest is only in the file.
pub const RENDERED_BYTES: usize = 512 * 1024;

/// How deep quotations and lists may be nested in what is rendered; deeper ones are shown at this depth.
pub const RENDERED_DEPTH: usize = 32;
