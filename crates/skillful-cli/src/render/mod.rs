//! How results look: diagnostics with their source line, tables, diffs, and the formats of other programs.

pub(crate) mod diff;
pub(crate) mod github;
pub(crate) mod sarif;
pub(crate) mod snippet;
pub(crate) mod table;

use anstyle::Style;
use skillful::State;

use crate::terminal::{DIM, ERROR, GOOD, WARNING};

/// The colour of a state.
pub(crate) fn state_style(state: State) -> Style {
    match state {
        State::Ready => GOOD,
        State::Broken | State::Withheld => ERROR,
        State::Ineligible => WARNING,
        State::Disabled | State::Archived | State::Shadowed => DIM,
    }
}
