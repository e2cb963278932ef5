//! Every limit of the servers.

/// Entries of a page of a list where nobody says how many.
pub const PAGE_ENTRIES: usize = 100;

/// The most entries that a page may have.
pub const PAGE_ENTRIES_MAX: usize = 1_000;

/// Results of a search where nobody says how many.
pub const SEARCH_RESULTS: usize = 10;

/// How alike two names must be for one to be meant by the other, from 0 to 1.
pub(crate) const ALIKE: f64 = 0.75;

/// Days of usage where nobody says how many.
pub const USAGE_DAYS: u32 = 30;

/// The most days of usage.
pub const USAGE_DAYS_MAX: u32 = 730;

/// Readers that may follow events at the same time.
pub const FOLLOWERS: usize = 64;
