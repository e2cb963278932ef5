//! Which skills a status is asked for.

use std::fmt;
use std::str::FromStr;

use skillful_guard::Verdict;
use skillful_store::Stage;

use super::StatusEntry;
use crate::state::State;

/// A choice among skills by their status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Filter {
    /// Every skill.
    #[default]
    All,
    /// Those that can be used and were not put away.
    Ready,
    /// Those that something is missing for.
    NeedsSetup,
    /// Those that were switched off.
    Disabled,
    /// Those that cannot be read.
    Broken,
    /// Those that were not used for long.
    Stale,
    /// Those that were put away.
    Archived,
    /// Those that the guard withholds.
    Withheld,
    /// Those that the guard says need a look: caution, or dangerous.
    Suspect,
}

impl Filter {
    /// All filters, in the order in which they are explained.
    pub const ALL: [Self; 9] = [
        Self::All,
        Self::Ready,
        Self::NeedsSetup,
        Self::Disabled,
        Self::Broken,
        Self::Stale,
        Self::Archived,
        Self::Withheld,
        Self::Suspect,
    ];

    /// The word used on the command line and in requests.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Ready => "ready",
            Self::NeedsSetup => "needs-setup",
            Self::Disabled => "disabled",
            Self::Broken => "broken",
            Self::Stale => "stale",
            Self::Archived => "archived",
            Self::Withheld => "withheld",
            Self::Suspect => "suspect",
        }
    }

    /// Whether a skill with this status is among those.
    pub fn takes(self, entry: &StatusEntry<'_>) -> bool {
        let state = entry.skill.state;
        let archived = entry.stage == Stage::Archived;
        match self {
            Self::All => true,
            Self::Ready => state == State::Ready && !archived,
            Self::NeedsSetup => state == State::Ineligible && !archived,
            Self::Disabled => state == State::Disabled,
            Self::Broken => state == State::Broken,
            Self::Stale => entry.stage == Stage::Stale,
            Self::Archived => archived,
            Self::Withheld => state == State::Withheld,
            Self::Suspect => matches!(
                entry.skill.verdict(),
                Some(Verdict::Caution | Verdict::Dangerous)
            ),
        }
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that is no filter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a filter; the filters are all, ready, needs-setup, disabled, broken, stale, archived, withheld, suspect"
)]
pub struct UnknownFilter(pub String);

impl FromStr for Filter {
    type Err = UnknownFilter;

    /// `needs_setup` is the same as `needs-setup`.
    fn from_str(text: &str) -> Result<Self, UnknownFilter> {
        let word = text.replace('_', "-");
        Self::ALL
            .into_iter()
            .find(|filter| filter.as_str() == word)
            .ok_or_else(|| UnknownFilter(text.to_owned()))
    }
}
