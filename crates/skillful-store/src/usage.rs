//! How often a skill was brought up, and when last.

use std::fmt;

use crate::key::Key;
use crate::time::{Day, Timestamp};

/// One thing that happens to a skill while agents work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Activity {
    /// A model was shown that the skill is there.
    Offer,
    /// Its text was handed over.
    Read,
    /// It was brought up to drive a turn, by a command, a trigger or the model itself.
    Use,
    /// What it was read for went well.
    Win,
    /// Its files were changed.
    Patch,
}

impl Activity {
    /// All, in the order of their numbers.
    pub const ALL: [Self; 5] = [Self::Offer, Self::Read, Self::Use, Self::Win, Self::Patch];

    /// The word in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Offer => "offer",
            Self::Read => "read",
            Self::Use => "use",
            Self::Win => "win",
            Self::Patch => "patch",
        }
    }

    /// The word for several.
    pub const fn as_plural(self) -> &'static str {
        match self {
            Self::Offer => "offers",
            Self::Read => "reads",
            Self::Use => "uses",
            Self::Win => "wins",
            Self::Patch => "patches",
        }
    }

    /// The activity with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|activity| activity.as_str() == word)
    }

    /// Whether it shows that somebody has a use for the skill. Being offered shows nothing.
    pub const fn is_use(self) -> bool {
        !matches!(self, Self::Offer)
    }
}

impl fmt::Display for Activity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Something that happened to a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// To which skill.
    pub key: Key,
    /// What.
    pub activity: Activity,
    /// When.
    pub at: Timestamp,
}

/// How often something happened, and when last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How often.
    pub count: u64,
    /// The latest time; nothing if it never happened. Does not go back when a clock does.
    pub last: Option<Timestamp>,
}

/// All that is counted of one skill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The earliest time of anything that was recorded.
    pub first: Option<Timestamp>,
    tallies: [Tally; Activity::ALL.len()],
}

impl Usage {
    /// How often this happened.
    pub const fn of(&self, activity: Activity) -> Tally {
        self.tallies[activity as usize]
    }

    /// Counts something that happened.
    pub fn count(&mut self, activity: Activity, at: Timestamp) {
        let tally = &mut self.tallies[activity as usize];
        tally.count = tally.count.saturating_add(1);
        tally.last = tally.last.max(Some(at));
        self.first = Some(self.first.map_or(at, |first| first.min(at)));
    }

    /// The latest sign that somebody has a use for the skill.
    pub fn last_use(&self) -> Option<Timestamp> {
        Activity::ALL
            .into_iter()
            .filter(|activity| activity.is_use())
            .filter_map(|activity| self.of(activity).last)
            .max()
    }

    /// Puts in what a store kept.
    #[cfg(feature = "sqlite")]
    pub(crate) fn set(&mut self, activity: Activity, tally: Tally) {
        self.tallies[activity as usize] = tally;
    }
}

/// How often each thing happened to a skill on one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayUsage {
    /// The day.
    pub day: Day,
    counts: [u64; Activity::ALL.len()],
}

impl DayUsage {
    /// A day on which nothing happened.
    pub(crate) const fn empty(day: Day) -> Self {
        Self {
            day,
            counts: [0; Activity::ALL.len()],
        }
    }

    /// How often this happened.
    pub const fn of(&self, activity: Activity) -> u64 {
        self.counts[activity as usize]
    }

    pub(crate) fn add(&mut self, activity: Activity, count: u64) {
        let known = &mut self.counts[activity as usize];
        *known = known.saturating_add(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back() {
        for activity in Activity::ALL {
            assert_eq!(Activity::from_word(&activity.to_string()), Some(activity));
        }
        assert_eq!(Activity::from_word("view"), None);
    }

    #[test]
    fn a_clock_that_goes_back_takes_nothing_away() {
        let at = Timestamp::from_seconds;
        let mut usage = Usage::default();
        usage.count(Activity::Read, at(100));
        usage.count(Activity::Read, at(50));
        assert_eq!(
            usage.of(Activity::Read),
            Tally {
                count: 2,
                last: Some(at(100))
            }
        );
        assert_eq!(usage.first, Some(at(50)));
    }

    #[test]
    fn an_offer_is_no_use() {
        let mut usage = Usage::default();
        usage.count(Activity::Offer, Timestamp::from_seconds(9));
        assert_eq!(usage.last_use(), None);
        usage.count(Activity::Patch, Timestamp::from_seconds(5));
        usage.count(Activity::Read, Timestamp::from_seconds(3));
        assert_eq!(usage.last_use(), Some(Timestamp::from_seconds(5)));
    }
}
