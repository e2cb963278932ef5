//! Where a skill stands in its life: active, stale or archived.

use std::fmt;

use crate::choices::Archived;
use crate::time::Timestamp;
use crate::usage::Usage;

/// After how many days without use a skill is stale. Long enough for a monthly task.
pub const STALE_AFTER_DAYS: u64 = 30;

/// Where a skill stands. Nothing becomes archived by itself, and nothing is ever deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stage {
    /// In use, pinned, or too new to tell.
    #[default]
    Active,
    /// Known for [`STALE_AFTER_DAYS`] without use. The next use makes it active again.
    Stale,
    /// Somebody put it away.
    Archived,
}

impl Stage {
    /// The stage, at the time `now`, of a skill with this usage. A skill that was never used counts from when it was
    /// first heard of; one that was never heard of is active. A pinned one is never stale.
    pub fn of(usage: &Usage, archived: Option<&Archived>, pinned: bool, now: Timestamp) -> Self {
        let idle_since = usage.last_use().or(usage.first);
        let is_idle = idle_since.is_some_and(|since| now.days_since(since) >= STALE_AFTER_DAYS);
        match archived {
            Some(_) => Self::Archived,
            None if is_idle && !pinned => Self::Stale,
            None => Self::Active,
        }
    }

    /// The word used in every output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Stale => "stale",
            Self::Archived => "archived",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usage::Activity;

    const DAY: i64 = 86_400;

    fn day(number: i64) -> Timestamp {
        Timestamp::from_seconds(number * DAY)
    }

    fn used(activity: Activity, at: Timestamp) -> Usage {
        let mut usage = Usage::default();
        usage.count(activity, at);
        usage
    }

    #[test]
    fn thirty_days_without_use_make_a_skill_stale_and_use_brings_it_back() {
        let mut usage = used(Activity::Read, day(100));
        let stage = |usage: &Usage, now| Stage::of(usage, None, false, now);
        assert_eq!(stage(&usage, day(129)), Stage::Active);
        assert_eq!(stage(&usage, day(130)), Stage::Stale);
        usage.count(Activity::Offer, day(130));
        assert_eq!(stage(&usage, day(130)), Stage::Stale);
        usage.count(Activity::Use, day(130));
        assert_eq!(stage(&usage, day(130)), Stage::Active);
    }

    #[test]
    fn what_was_only_ever_offered_becomes_stale_as_well() {
        let mut usage = used(Activity::Offer, day(100));
        usage.count(Activity::Offer, day(140));
        assert_eq!(Stage::of(&usage, None, false, day(140)), Stage::Stale);
        let unknown = Usage::default();
        assert_eq!(Stage::of(&unknown, None, false, day(140)), Stage::Active);
    }

    #[test]
    fn pinned_is_never_stale_and_archived_stays_archived() {
        let usage = used(Activity::Read, day(1));
        let archived = Archived {
            at: day(2),
            reason: None,
        };
        assert_eq!(Stage::of(&usage, None, true, day(999)), Stage::Active);
        for pinned in [true, false] {
            let stage = Stage::of(&usage, Some(&archived), pinned, day(2));
            assert_eq!(stage, Stage::Archived);
        }
    }

    #[test]
    fn a_clock_that_went_back_makes_nothing_stale() {
        let usage = used(Activity::Read, day(1000));
        assert_eq!(Stage::of(&usage, None, false, day(1)), Stage::Active);
    }
}
