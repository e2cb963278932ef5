//! The three sets of thresholds that come with the guard.

use std::fmt;
use std::str::FromStr;

use super::{Policy, Threshold};
use crate::finding::Confidence::{High, Low, Medium};
use crate::finding::words;

words! {
    /// A named set of thresholds.
    Preset {
        /// Doubt counts against the skill.
        Strict = "strict",
        /// The default: what is likely an attack is dangerous, what may be one needs a look.
        Balanced = "balanced",
        /// Only what is surely an attack.
        Permissive = "permissive",
    }
}

impl Preset {
    /// Its policy, without suppressions.
    pub fn policy(self) -> Policy {
        let (dangerous, caution) = match self {
            Self::Strict => (
                Threshold {
                    critical: Some(Medium),
                    high: Some(High),
                    ..Threshold::default()
                },
                Threshold {
                    critical: Some(Low),
                    high: Some(Low),
                    medium: Some(Medium),
                    ..Threshold::default()
                },
            ),
            Self::Balanced => (
                Threshold {
                    critical: Some(High),
                    critical_rules: Some(2),
                    high_categories: Some(2),
                    ..Threshold::default()
                },
                Threshold {
                    critical: Some(Medium),
                    high: Some(Medium),
                    medium_rules: Some(3),
                    ..Threshold::default()
                },
            ),
            Self::Permissive => (
                Threshold {
                    critical: Some(High),
                    ..Threshold::default()
                },
                Threshold {
                    critical: Some(Medium),
                    high: Some(High),
                    ..Threshold::default()
                },
            ),
        };
        Policy {
            dangerous,
            caution,
            suppressions: Vec::new(),
        }
    }
}

/// A word that names no preset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownPreset(pub String);

impl fmt::Display for UnknownPreset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "there is no preset {}: take strict, balanced or permissive",
            self.0
        )
    }
}

impl std::error::Error for UnknownPreset {}

impl FromStr for Preset {
    type Err = UnknownPreset;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.iter().find(|preset| preset.as_str() == word);
        found.copied().ok_or_else(|| UnknownPreset(word.to_owned()))
    }
}
