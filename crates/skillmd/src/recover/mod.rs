//! Reads what can be read of a frontmatter that is not valid as a whole: one fault costs one value.

pub(crate) mod toml;
pub(crate) mod yaml;

use crate::node::Pair;

/// A pair and whether some of its value could only be read as literal text.
pub(crate) struct RecoveredPair {
    pub(crate) pair: Pair,
    pub(crate) recovered: bool,
}

impl RecoveredPair {
    /// A pair that was read as it stands.
    pub(crate) fn whole(pair: Pair) -> Self {
        Self {
            pair,
            recovered: false,
        }
    }

    /// The pairs of a block that is valid as a whole.
    pub(crate) fn all_whole(pairs: Vec<Pair>) -> Vec<Self> {
        pairs.into_iter().map(Self::whole).collect()
    }
}
