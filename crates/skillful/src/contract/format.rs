//! What `fmt` answers.

use serde::Serialize;

use super::{PathText, VERSION};

/// Formatted files: `{"version", "files", "changed", "skipped", "written"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FormatDocument<'a> {
    version: u32,
    /// How many files were looked at.
    pub files: usize,
    /// Those that are not in canonical form, or were not.
    pub changed: Vec<PathText<'a>>,
    /// Those that were left alone.
    pub skipped: Vec<SkippedFile<'a>>,
    /// Whether the changed files were written.
    pub written: bool,
}

/// A file that was left alone: `{"path", "reason"}`.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SkippedFile<'a> {
    /// The file.
    pub path: PathText<'a>,
    /// Why.
    pub reason: &'a str,
}

impl FormatDocument<'_> {
    /// The document before any file was looked at.
    pub fn new(written: bool) -> Self {
        Self {
            version: VERSION,
            files: 0,
            changed: Vec::new(),
            skipped: Vec::new(),
            written,
        }
    }

    /// How many files were in canonical form already.
    pub fn unchanged(&self) -> usize {
        self.files
            .saturating_sub(self.changed.len() + self.skipped.len())
    }
}
