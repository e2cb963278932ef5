//! A skill's own text, for who edits it.

use std::path::Path;

use serde::Serialize;

use super::{PathText, VERSION};

/// A SKILL.md as it is: `{"version", "id", "path", "text", "sha256", "digest", "editable", "reason"?}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceDocument<'a> {
    version: u32,
    /// The skill's id.
    pub id: &'a str,
    /// The SKILL.md's or flat file's path.
    pub path: PathText<'a>,
    /// Its text.
    pub text: &'a str,
    /// The SHA-256 of this file, as `sha256:` and 64 hexadecimal digits.
    pub sha256: String,
    /// The digest of all files of the skill, which a change expects; null where there is none.
    pub digest: Option<&'a str>,
    /// Whether it may be changed.
    pub editable: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl<'a> SourceDocument<'a> {
    /// The document of a text that may be changed.
    pub fn new(id: &'a str, path: &'a Path, text: &'a str, sha256: String) -> Self {
        Self {
            version: VERSION,
            id,
            path: PathText(path),
            text,
            sha256,
            digest: None,
            editable: true,
            reason: None,
        }
    }
}
