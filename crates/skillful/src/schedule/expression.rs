//! When a run is due, in the words that authors use.
//!
//! | text | meaning |
//! |---|---|
//! | `every 30m`, `every 2 hours`, `@every 1d` | in intervals, from the last run on; a minute at least |
//! | `hourly`, `@daily`, `weekly`, `monthly`, `yearly` | as cron's words: at the beginning of the hour, day, … |
//! | `08:00`, `daily 08:00`, `daily:08:00`, `every day at 08:00` | each day at that time |
//! | `weekdays 08:00`, `weekends 10:00`, `monday 09:30` | on those days |
//! | `0 8 * * 1-5` | five cron fields: minute, hour, day, month, day of the week |
//! | `30 0 8 * * *` | six: a second in front, a single number |
//! | `0 8 * * * Europe/Berlin` | cron fields in a time zone |
//! | any other single word | a schedule that the agent's host keeps under this name; never due by the clock |

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use cronexpr::{Crontab, FallbackTimezoneOption, MakeTimestamp, ParseOptions};

use super::Moment;
use crate::limits;

/// The shortest interval, in seconds. A run of an agent takes longer than that.
const SHORTEST: u64 = 60;

/// The longest interval, in seconds: a year.
const LONGEST: u64 = 366 * 24 * 60 * 60;

/// When a run is due.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// So many seconds after the last run.
    Every(u64),
    /// At the times of a cron expression.
    Cron(Cron),
    /// When the agent's host says so, by this name.
    Named(String),
}

/// A cron expression that has a time in the next years.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cron {
    /// Minute, hour, day, month, day of the week.
    fields: String,
    second: u8,
    /// The time zone that the author gave.
    zone: Option<Zone>,
}

/// A time zone: UTC, or a name from the IANA database such as `Europe/Berlin`. Daylight saving time is taken into
/// account: what would be skipped runs an hour later, what would come twice runs once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Zone(Arc<str>);

/// The text is not the name of a time zone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a time zone: use `UTC` or a name such as `Europe/Berlin`")]
pub struct UnknownZone(pub String);

/// A text does not say when.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// Nothing but blanks.
    #[error("the schedule is empty")]
    Empty,
    /// Longer than any sensible one.
    #[error("the schedule has {0} bytes, more than the limit of {limit}", limit = limits::SCHEDULE_BYTES)]
    TooLong(usize),
    /// No known form.
    #[error("`{0}` is not a schedule")]
    Unknown(String),
    /// An interval that is too short or too long.
    #[error("`{0}` is not a schedule: an interval is between one minute and a year")]
    Interval(String),
    /// A cron expression with a fault.
    #[error("`{text}` is not a schedule: {reason}")]
    Cron {
        /// The expression.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A date that does not exist, such as the 31st of February.
    #[error("`{0}` never comes")]
    Never(String),
}

impl When {
    /// The first moment after `moment` at which the run is due; nothing when it never is by the clock. A cron
    /// expression without a time zone counts in `zone`.
    pub fn next_after(&self, moment: Moment, zone: &Zone) -> Option<Moment> {
        match self {
            Self::Every(seconds) => {
                let seconds = i64::try_from(*seconds).ok()?;
                moment.0.checked_add(seconds).map(Moment)
            }
            Self::Cron(cron) => cron.next_after(moment, zone),
            Self::Named(_) => None,
        }
    }
}

impl FromStr for When {
    type Err = ScheduleError;

    fn from_str(text: &str) -> Result<Self, ScheduleError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(ScheduleError::Empty);
        }
        if text.len() > limits::SCHEDULE_BYTES {
            return Err(ScheduleError::TooLong(text.len()));
        }
        if !text.is_ascii() {
            return Err(ScheduleError::Unknown(text.to_owned()));
        }
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        if words.len() >= 5 && words.first().is_some_and(|word| is_cron_field(word)) {
            return cron(text, &words).map(Self::Cron);
        }
        let lower = text.to_ascii_lowercase();
        if let Some(seconds) = interval(&lower) {
            return if (SHORTEST..=LONGEST).contains(&seconds) {
                Ok(Self::Every(seconds))
            } else {
                Err(ScheduleError::Interval(text.to_owned()))
            };
        }
        if let Some(fields) = in_words(&lower) {
            return Cron::new(text, &fields, 0, None).map(Self::Cron);
        }
        if is_name(text) {
            return Ok(Self::Named(text.to_owned()));
        }
        Err(ScheduleError::Unknown(text.to_owned()))
    }
}

/// A first cron field is a minute or a second.
fn is_cron_field(word: &str) -> bool {
    word.bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'*' | b'/' | b'-' | b','))
}

/// A word that could be the name of somebody's schedule, and not a slip in a time.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':'))
}

/// Five fields, a second in front of them or not, a time zone behind them or not.
fn cron(text: &str, words: &[&str]) -> Result<Cron, ScheduleError> {
    let fail = |reason: &str| ScheduleError::Cron {
        text: text.to_owned(),
        reason: reason.to_owned(),
    };
    let has_second = match words {
        [_, _, _, _, _, last] => !is_zone(last),
        _ => words.len() > 5,
    };
    let (second, rest) = match words {
        [second, rest @ ..] if has_second => (Some(*second), rest),
        _ => (None, words),
    };
    let (fields, zone) = match rest {
        [fields @ .., zone] if fields.len() == 5 => (fields, Some(*zone)),
        _ => (rest, None),
    };
    if fields.len() != 5 {
        return Err(fail(
            "it has more than a second, five fields and a time zone",
        ));
    }
    let second = second.map_or(Ok(0), |second| {
        let number = second.parse().ok().filter(|&second: &u8| second < 60);
        number.ok_or_else(|| fail("the second must be a single number below 60"))
    })?;
    let zone = zone
        .map(str::parse)
        .transpose()
        .map_err(|error: UnknownZone| fail(&error.to_string()))?;
    Cron::new(text, &fields.join(" "), second, zone)
}

/// Whether the last word behind five others names a time zone, and is not the day of the week.
fn is_zone(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_alphabetic()) && !is_weekdays(word)
}

/// Whether a word is a cron field of days of the week, such as `MON-FRI`.
fn is_weekdays(word: &str) -> bool {
    word.split([',', '-', '/', '#']).all(|part| {
        part.bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'*')
            || DAYS
                .iter()
                .any(|(day, _)| part.len() == 3 && day.starts_with(&part.to_ascii_lowercase()))
    })
}

/// `every 30m`: the seconds; nothing for another form.
fn interval(text: &str) -> Option<u64> {
    let rest = text
        .strip_prefix("@every ")
        .or_else(|| text.strip_prefix("every "))?
        .trim_start();
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = rest.split_at_checked(digits)?;
    let unit = match unit.trim() {
        "s" | "sec" | "second" | "seconds" => 1,
        "m" | "min" | "mins" | "minute" | "minutes" => 60,
        "h" | "hr" | "hour" | "hours" => 60 * 60,
        "d" | "day" | "days" => 24 * 60 * 60,
        "w" | "week" | "weeks" => 7 * 24 * 60 * 60,
        _ => return None,
    };
    let number: u64 = if number.is_empty() {
        1
    } else {
        number.parse().unwrap_or(u64::MAX)
    };
    Some(number.saturating_mul(unit))
}

/// Words for days, and the last three fields of cron for them.
const DAYS: [(&str, &str); 14] = [
    ("sunday", "* * 0"),
    ("monday", "* * 1"),
    ("tuesday", "* * 2"),
    ("wednesday", "* * 3"),
    ("thursday", "* * 4"),
    ("friday", "* * 5"),
    ("saturday", "* * 6"),
    ("day", "* * *"),
    ("daily", "* * *"),
    ("weekdays", "* * 1-5"),
    ("weekends", "* * 0,6"),
    ("weekly", "* * 0"),
    ("monthly", "1 * *"),
    ("yearly", "1 1 *"),
];

/// `daily`, `08:00`, `weekdays at 08:00` and the like as cron fields.
fn in_words(text: &str) -> Option<String> {
    let text = text.strip_prefix('@').unwrap_or(text);
    let text = text.strip_prefix("every ").unwrap_or(text).trim_start();
    match text {
        "hourly" => return Some("0 * * * *".to_owned()),
        "midnight" => return Some("0 0 * * *".to_owned()),
        "annually" => return Some("0 0 1 1 *".to_owned()),
        _ => {}
    }
    if let Some((hour, minute)) = time(text) {
        return Some(format!("{minute} {hour} * * *"));
    }
    let (word, rest) = text
        .split_once([' ', ':'])
        .map_or((text, None), |(word, rest)| (word, Some(rest)));
    let (_, days) = DAYS.iter().find(|(day, _)| *day == word)?;
    let (hour, minute) = match rest {
        None => (0, 0),
        Some(rest) => {
            let rest = rest.trim_start();
            time(rest.strip_prefix("at ").unwrap_or(rest).trim_start())?
        }
    };
    Some(format!("{minute} {hour} {days}"))
}

/// `HH:MM` or `H:MM`.
fn time(text: &str) -> Option<(u8, u8)> {
    let (hour, minute) = text.split_once(':')?;
    let number = |digits: &str, lengths: std::ops::RangeInclusive<usize>, limit: u8| {
        let fits =
            lengths.contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|&n: &u8| fits && n < limit)
    };
    Some((number(hour, 1..=2, 24)?, number(minute, 2..=2, 60)?))
}

impl Cron {
    fn new(
        text: &str,
        fields: &str,
        second: u8,
        zone: Option<Zone>,
    ) -> Result<Self, ScheduleError> {
        crontab(fields, &Zone::utc()).map_err(|reason| ScheduleError::Cron {
            text: text.to_owned(),
            reason,
        })?;
        let cron = Self {
            fields: fields.to_owned(),
            second,
            zone,
        };
        // A leap year, so that the 29th of February is found.
        let some_moment = Moment(1_704_067_200);
        match cron.next_after(some_moment, &Zone::utc()) {
            Some(_) => Ok(cron),
            None => Err(ScheduleError::Never(text.to_owned())),
        }
    }

    fn next_after(&self, moment: Moment, zone: &Zone) -> Option<Moment> {
        let crontab = crontab(&self.fields, self.zone.as_ref().unwrap_or(zone)).ok()?;
        let second = i64::from(self.second);
        let start = MakeTimestamp::from_second(moment.0.checked_sub(second)?).ok()?;
        let next = crontab.find_next(start).ok()?;
        Some(Moment(next.timestamp().as_second() + second))
    }
}

/// Reads five fields; the reason as one line.
fn crontab(fields: &str, zone: &Zone) -> Result<Crontab, String> {
    let mut options = ParseOptions::default();
    options.fallback_timezone_option = FallbackTimezoneOption::UTC;
    let text = format!("{fields} {zone}");
    cronexpr::parse_crontab_with(&text, options).map_err(|error| {
        let message = error.to_string();
        let last = message.lines().last().unwrap_or_default();
        last.trim_start_matches([' ', '^', '|']).to_owned()
    })
}

impl Zone {
    /// Coordinated universal time.
    pub fn utc() -> Self {
        Self(Arc::from("UTC"))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for Zone {
    fn default() -> Self {
        Self::utc()
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Zone {
    type Err = UnknownZone;

    /// Looks the name up in the system's time zone database.
    fn from_str(text: &str) -> Result<Self, UnknownZone> {
        let name = text.trim();
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/_+-".contains(&byte);
        let zone = Self(Arc::from(name));
        if name.is_empty() || !name.bytes().all(plain) || crontab("* * * * *", &zone).is_err() {
            return Err(UnknownZone(name.to_owned()));
        }
        Ok(zone)
    }
}

#[cfg(test)]
mod tests;
