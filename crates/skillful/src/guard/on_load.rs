//! Which skills are scanned before they are used.

use std::fmt;
use std::str::FromStr;

use crate::roots::Trust;

/// Which skills are scanned before they are used. Ordered: the greater one scans more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OnLoad {
    /// None.
    Never,
    /// Those that neither the program nor the administrator vouches for, where what a scan found can be kept.
    #[default]
    ThirdParty,
    /// All, even where it has to be done anew each time.
    Always,
}

impl OnLoad {
    /// All of them, in their order.
    pub const ALL: [Self; 3] = [Self::Never, Self::ThirdParty, Self::Always];

    /// The word used in every output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::ThirdParty => "third-party",
            Self::Always => "always",
        }
    }

    /// Whether a skill of this trust is scanned.
    pub const fn covers(self, trust: Trust) -> bool {
        match (self, trust) {
            (Self::Never, _) | (Self::ThirdParty, Trust::Builtin | Trust::Trusted) => false,
            (Self::ThirdParty, Trust::Community | Trust::Agent) | (Self::Always, _) => true,
        }
    }
}

impl fmt::Display for OnLoad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that says nothing about loading.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` does not say what is scanned: use `third-party`, `always` or `never`")]
pub struct UnknownOnLoad(pub String);

impl FromStr for OnLoad {
    type Err = UnknownOnLoad;

    fn from_str(text: &str) -> Result<Self, UnknownOnLoad> {
        let mut all = Self::ALL.into_iter();
        all.find(|on_load| on_load.as_str() == text)
            .ok_or_else(|| UnknownOnLoad(text.to_owned()))
    }
}

impl From<Trust> for skillful_guard::Trust {
    fn from(trust: Trust) -> Self {
        match trust {
            Trust::Builtin => Self::Builtin,
            Trust::Trusted => Self::Trusted,
            Trust::Community => Self::Community,
            Trust::Agent => Self::Agent,
        }
    }
}
