//! Retrieval tests: what an author promises about how a skill is found, and whether it holds.
//!
//! ```text
//! tests/retrieval.md ─read→ rows ─┐
//! skills ─→ Shelf ────────────────┴─judge→ verdicts: kept or broken, at which rank, and what came before it
//! ```
//!
//! A row says of one request which skills must be offered and which must not. It is judged as the request itself would
//! be answered: a skill is offered when it is among the first of [`crate::search`], or when [`crate::matching`] brings
//! it up. Rows may be about any skill, so that two skills that are easily mistaken for one another can be kept apart.

mod judge;
mod rows;

pub use judge::{Found, Rival, Shelf, Verdict};
pub use rows::{Row, RowProblem, Rows};

/// How many of the first hits count as offered, unless the caller says otherwise.
pub const FIRST: usize = 5;

#[cfg(test)]
mod tests;
