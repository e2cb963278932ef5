//! How a user wants a skill to be brought up, whatever its author says.

use std::fmt;
use std::str::FromStr;

/// A user's switch for one skill. The default, [`Mode::Auto`], leaves it to the author and the budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// The model may bring it up; its catalog entry is as long as the budget allows.
    #[default]
    Auto,
    /// As auto, but its entry is the last to be shortened.
    Pinned,
    /// The model sees its name alone.
    NameOnly,
    /// Only a person may bring it up.
    ManualOnly,
    /// As pinned; and a catalog that has no room for it is an error.
    Required,
    /// Nobody may use it.
    Disabled,
}

impl Mode {
    /// All modes, in the order in which they are explained.
    pub const ALL: [Self; 6] = [
        Self::Auto,
        Self::Pinned,
        Self::NameOnly,
        Self::ManualOnly,
        Self::Required,
        Self::Disabled,
    ];

    /// The word used in every file and output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Pinned => "pinned",
            Self::NameOnly => "name-only",
            Self::ManualOnly => "manual-only",
            Self::Required => "required",
            Self::Disabled => "disabled",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that is no mode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a mode; the modes are auto, pinned, name-only, manual-only, required, disabled"
)]
pub struct UnknownMode(pub String);

impl FromStr for Mode {
    type Err = UnknownMode;

    fn from_str(text: &str) -> Result<Self, UnknownMode> {
        Self::ALL
            .into_iter()
            .find(|mode| mode.as_str() == text)
            .ok_or_else(|| UnknownMode(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_read_back() {
        for mode in Mode::ALL {
            assert_eq!(mode.to_string().parse(), Ok(mode));
        }
        let error = "Pinned".parse::<Mode>().unwrap_err().to_string();
        assert!(Mode::ALL.iter().all(|mode| error.contains(mode.as_str())));
    }
}
