//! What a command answers that failed.

use serde::Serialize;

use super::VERSION;

/// Why there is no other document: `{"version", "error": {"message", "hints"}}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorDocument<'a> {
    version: u32,
    error: ErrorJson<'a>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ErrorJson<'a> {
    message: &'a str,
    /// Ways out; may be empty.
    hints: &'a [String],
}

impl<'a> ErrorDocument<'a> {
    /// The document of a failure.
    pub fn new(message: &'a str, hints: &'a [String]) -> Self {
        Self {
            version: VERSION,
            error: ErrorJson { message, hints },
        }
    }
}
