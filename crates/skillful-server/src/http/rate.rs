//! How often somebody may ask.

use std::fmt;
use std::num::NonZeroU32;

use axum::http::StatusCode;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::problem::Problem;
use crate::limits;

/// The rates of all who asked lately.
pub(crate) struct Rate(DefaultKeyedRateLimiter<String>);

impl Rate {
    /// So many requests per second, and twice as many at once.
    pub(crate) fn new(per_second: NonZeroU32) -> Self {
        let quota = Quota::per_second(per_second).allow_burst(per_second.saturating_mul(TWICE));
        Self(RateLimiter::keyed(quota))
    }

    /// Takes one request from the allowance of whoever has this key.
    ///
    /// # Errors
    ///
    /// 429 when there is none left, with the time to wait.
    pub(crate) fn take(&self, key: &str) -> Result<(), Problem> {
        if self.0.len() >= limits::RATES {
            // Who has not asked for a while has the whole allowance again, and need not be remembered.
            self.0.retain_recent();
        }
        self.0.check_key(&key.to_owned()).map_err(|until| {
            let wait = until.wait_time_from(DefaultClock::default().now());
            let seconds = wait.as_secs() + 1;
            Problem::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too-many-requests",
                "you ask more often than is allowed",
            )
            .hint(format!("ask again in {seconds} s"))
            .retry_after(seconds)
        })
    }
}

const TWICE: NonZeroU32 = NonZeroU32::MIN.saturating_add(1);

impl fmt::Debug for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rate")
            .field("clients", &self.0.len())
            .finish()
    }
}
