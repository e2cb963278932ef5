//! How results look: diagnostics with their source line, tables, diffs, and the formats of other programs.

pub(crate) mod diff;
pub(crate) mod github;
pub(crate) mod sarif;
pub(crate) mod snippet;
pub(crate) mod table;
