//! Reads what can be read of a frontmatter that is not valid as a whole: one fault costs one value.

pub(crate) mod flat_text;
mod pieces;
pub(crate) mod toml;
pub(crate) mod yaml;

use crate::node::Pair;
use crate::span::Span;

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
}

/// What could be read of a block.
#[derive(Default)]
pub(crate) struct Recovered {
    pub(crate) pairs: Vec<RecoveredPair>,
    /// Text that belongs to no pair.
    pub(crate) strays: Vec<Span>,
}

impl Recovered {
    /// The pairs of a block that is valid as a whole.
    pub(crate) fn whole(pairs: Vec<Pair>) -> Self {
        Self {
            pairs: pairs.into_iter().map(RecoveredPair::whole).collect(),
            strays: Vec::new(),
        }
    }

    /// A block of which nothing could be read.
    pub(crate) fn nothing(block: Span) -> Self {
        Self {
            pairs: Vec::new(),
            strays: vec![block],
        }
    }
}
