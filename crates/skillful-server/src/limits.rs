//! Every limit of the servers.

use std::num::NonZeroU32;
use std::time::Duration;

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

/// The most tokens.
pub const TOKENS: usize = 256;

/// Most bytes of a token's name.
pub const TOKEN_NAME: usize = 64;

/// Connections at the same time. When there are as many, the one that has been idle for longest makes room for a new one.
pub const CONNECTIONS: usize = 512;

/// How long a client may take to send the head of a request, and how long a connection may be idle.
pub const HEAD_TIME: Duration = Duration::from_secs(15);

/// How long a client may take to send the body of a request.
pub const BODY_TIME: Duration = Duration::from_secs(30);

/// How long a client may take to read anything of what is sent to it.
pub const WRITE_TIME: Duration = Duration::from_secs(30);

/// How long answers that are under way may take when the server ends.
pub const GRACE_TIME: Duration = Duration::from_secs(10);

/// Bytes of the head of a request.
pub const HEAD_BYTES: usize = 64 << 10;

/// Bytes of the body of a request.
pub const BODY_BYTES: usize = 2 << 20;

/// Requests per second of one client in the long run; twice as many may come at once.
pub const REQUESTS_PER_SECOND: NonZeroU32 = NonZeroU32::MIN.saturating_add(59);

/// Clients whose rate is remembered.
pub const RATES: usize = 4_096;

/// How long work on other threads is waited for at the very end.
pub const FAREWELL_TIME: Duration = Duration::from_secs(2);

/// The port where nobody names one.
pub const PORT: u16 = 7654;

/// How coarse the clock of a file system may be.
pub const COARSE_CLOCK: Duration = Duration::from_secs(2);

/// Skills that are offered to others.
pub const OFFERED: usize = 1_000;
