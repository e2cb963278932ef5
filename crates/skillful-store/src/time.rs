//! Points in time and days, both in UTC. They come in as values; nothing here asks a clock.

use std::fmt;
use std::str::FromStr;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

/// Seconds of a day.
const DAY: i64 = 24 * 60 * 60;

/// The last second that every time zone can write with four digits for the year; the library of dates ends there as well.
const LAST: i64 = 253_402_207_200;

/// A point in time: whole seconds since the beginning of 1970, UTC. Written as RFC 3339, such as
/// `2026-12-01T09:30:00Z`. Never before 1970, never after the year 9999: a clock that is so far off is taken for the
/// nearer of the two.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(try_from = "String", into = "String")]
pub struct Timestamp(i64);

/// A day of the calendar, UTC. Written as `2026-12-01`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i64);

/// A text is no point in time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no point in time such as `2026-12-01T09:30:00Z`")]
pub struct InvalidTime(pub String);

impl Timestamp {
    /// So many seconds after the beginning of 1970.
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(if seconds < 0 {
            0
        } else if seconds > LAST {
            LAST
        } else {
            seconds
        })
    }

    /// Seconds since the beginning of 1970.
    pub const fn as_seconds(self) -> i64 {
        self.0
    }

    /// The day that it lies in.
    pub const fn day(self) -> Day {
        Day(self.0 / DAY)
    }

    /// Whole days from `earlier` to this; none when `earlier` is later, as after a clock was put back.
    pub fn days_since(self, earlier: Self) -> u64 {
        u64::try_from((self.0 - earlier.0) / DAY).unwrap_or(0)
    }
}

impl Day {
    /// The day that comes so many days after the first of 1970.
    pub const fn from_number(number: i64) -> Self {
        Timestamp::from_seconds(number.saturating_mul(DAY)).day()
    }

    /// Days since the first of 1970.
    pub const fn number(self) -> i64 {
        self.0
    }
}

impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Self {
        let since = time
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        Self::from_seconds(i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&calendar(self.0), f)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", calendar(self.0 * DAY).strftime("%Y-%m-%d"))
    }
}

/// Every second that the types above hold is one that the calendar has.
fn calendar(seconds: i64) -> jiff::Timestamp {
    jiff::Timestamp::from_second(seconds).unwrap_or_default()
}

impl FromStr for Timestamp {
    type Err = InvalidTime;

    fn from_str(text: &str) -> Result<Self, InvalidTime> {
        text.parse::<jiff::Timestamp>()
            .map(|time| Self::from_seconds(time.as_second()))
            .map_err(|_| InvalidTime(text.to_owned()))
    }
}

impl TryFrom<String> for Timestamp {
    type Error = InvalidTime;

    fn try_from(text: String) -> Result<Self, InvalidTime> {
        text.parse()
    }
}

impl From<Timestamp> for String {
    fn from(time: Timestamp) -> Self {
        time.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_rfc_3339_and_read_back() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (1_796_117_400, "2026-12-01T09:30:00Z"),
            (LAST, "9999-12-30T22:00:00Z"),
        ] {
            let time = Timestamp::from_seconds(seconds);
            assert_eq!(time.to_string(), text);
            assert_eq!(text.parse(), Ok(time));
        }
        let elsewhere = "2026-12-01T10:30:00.9+01:00".parse::<Timestamp>().unwrap();
        assert_eq!(elsewhere.to_string(), "2026-12-01T09:30:00Z");
        assert!("yesterday".parse::<Timestamp>().is_err());
    }

    #[test]
    fn clocks_that_are_far_off_are_bounded() {
        assert_eq!(Timestamp::from_seconds(-5).as_seconds(), 0);
        assert_eq!(Timestamp::from_seconds(i64::MAX).as_seconds(), LAST);
        let before = SystemTime::UNIX_EPOCH - std::time::Duration::from_secs(9);
        assert_eq!(Timestamp::from(before), Timestamp::default());
        assert_eq!(Day::from_number(i64::MAX).to_string(), "9999-12-30");
    }

    #[test]
    fn days_begin_at_midnight_and_never_count_backwards() {
        let (evening, midnight) = (
            "2026-11-30T23:59:59Z".parse::<Timestamp>().unwrap(),
            "2026-12-01T00:00:00Z".parse::<Timestamp>().unwrap(),
        );
        assert_eq!(evening.day().to_string(), "2026-11-30");
        assert_eq!(midnight.day().number(), evening.day().number() + 1);
        assert_eq!(midnight.days_since(evening), 0);
        assert_eq!(
            Timestamp::from_seconds(2 * DAY).days_since(Timestamp::default()),
            2
        );
        assert_eq!(
            Timestamp::default().days_since(Timestamp::from_seconds(2 * DAY)),
            0
        );
    }
}
