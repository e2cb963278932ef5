//! What `fix` answers.

use std::path::Path;

use serde::Serialize;
use skillmd::Diagnostic;

use super::{PathText, VERSION};
use crate::mend::{AppliedFix, Mended};

/// Mended files: `{"version", "files", "written"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FixDocument<'a> {
    version: u32,
    files: Vec<FixedFile<'a>>,
    written: bool,
}

impl<'a> FixDocument<'a> {
    /// The document of these files, in this order; `written` says whether they were changed on disk.
    pub fn new(files: Vec<FixedFile<'a>>, written: bool) -> Self {
        Self {
            version: VERSION,
            files,
            written,
        }
    }
}

/// A file: `{"path", "applied": [{"code", "title"}], "remaining": [code]}`, or `{"path", "skipped"}` with the reason.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FixedFile<'a> {
    path: PathText<'a>,
    #[serde(flatten)]
    result: FixResult<'a>,
}

impl<'a> FixedFile<'a> {
    /// The file at `path` and what became of it, or why it was left alone.
    pub fn new(path: &'a Path, result: Result<&'a Mended, &'a str>) -> Self {
        Self {
            path: PathText(path),
            result: match result {
                Err(skipped) => FixResult::Skipped { skipped },
                Ok(mended) => FixResult::Mended {
                    applied: mended.applied.iter().map(AppliedJson::from).collect(),
                    remaining: mended.remaining.iter().map(code).collect(),
                },
            },
        }
    }
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum FixResult<'a> {
    Skipped {
        skipped: &'a str,
    },
    Mended {
        applied: Vec<AppliedJson<'a>>,
        remaining: Vec<&'static str>,
    },
}

#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct AppliedJson<'a> {
    code: &'static str,
    title: &'a str,
}

impl<'a> From<&'a AppliedFix> for AppliedJson<'a> {
    fn from(fix: &'a AppliedFix) -> Self {
        Self {
            code: fix.code.as_str(),
            title: &fix.title,
        }
    }
}

fn code(found: &Diagnostic) -> &'static str {
    found.code.as_str()
}
