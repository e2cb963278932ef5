//! Every limit of the store, in one place.

use std::time::Duration;

/// How long a store waits for another process to let go of the database or of the choices. Long enough for any honest
/// transaction, which takes milliseconds, even on a machine that swaps.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// Longest reason for a choice, in characters: a short paragraph for people.
pub const REASON_CHARACTERS: usize = 1_000;

/// Largest file of choices that is read, in bytes. Some 100,000 skills with a choice each fit in.
pub const CHOICES_BYTES: u64 = 16 * 1024 * 1024;

/// Most scans that are kept, and most places at which their content was seen; the oldest go first. As many as a search
/// of one root opens directories.
pub const VERDICTS: usize = 250_000;

/// Largest outcome of a scan that is kept, in bytes. A larger one is not kept, and its content scanned again each time.
pub const OUTCOME_BYTES: usize = 1024 * 1024;

/// How many damaged files of one name are kept. When there are more, the next one is refused, because something
/// damages files again and again and ought to be found first.
pub const KEPT_ASIDE: u32 = 100;

/// How long usage waits to be written where it is written in the background.
pub const DEFERRED: Duration = Duration::from_millis(200);

/// So many events do not wait: whoever counts the last of them writes all.
pub const DEFERRED_EVENTS: usize = 1_024;
