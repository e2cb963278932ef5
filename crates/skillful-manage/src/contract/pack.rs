//! What `pack` answers.

use std::path::Path;

use serde::Serialize;

use super::{PathText, VERSION};
use crate::pack::{PackedArchive, Prepared};

/// An archive: `{"version", "id", "name", "output", "form", "bytes", "sha256", "digest", "verdict", "files", …}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PackDocument<'a> {
    version: u32,
    id: &'a str,
    name: &'a str,
    /// Where it was, or would be, written.
    output: PathText<'a>,
    /// `zip`, `skill` or `tar.gz`.
    form: &'static str,
    /// Length of the archive.
    bytes: usize,
    /// Of the archive: `sha256:` and 64 digits.
    sha256: &'a str,
    /// Of the skill that is unpacked from it.
    digest: &'a str,
    /// `safe`, `caution` or `dangerous`, which a person accepted then.
    verdict: &'static str,
    files: Vec<FileJson<'a>>,
    left_out: Vec<LeftOutJson<'a>>,
    notes: &'a [String],
    /// Whether it was written; not with `--dry-run`, and not when the very same was there.
    written: bool,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FileJson<'a> {
    path: &'a str,
    size: usize,
    executable: bool,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct LeftOutJson<'a> {
    path: &'a str,
    /// `hidden`, `generated` or `ignored`.
    reason: &'static str,
    /// Whether the skill's text refers to it.
    referred_to: bool,
}

impl<'a> PackDocument<'a> {
    /// The document of an archive at this place.
    pub fn new(
        skill: &'a Prepared,
        archive: &'a PackedArchive,
        output: &'a Path,
        written: bool,
    ) -> Self {
        Self {
            version: VERSION,
            id: &skill.id,
            name: &skill.name,
            output: PathText(output),
            form: archive.form.as_str(),
            bytes: archive.bytes.len(),
            sha256: &archive.digest,
            digest: &skill.digest,
            verdict: skill.verdict.as_str(),
            files: skill
                .files
                .iter()
                .map(|file| FileJson {
                    path: &file.path,
                    size: file.bytes.len(),
                    executable: file.executable,
                })
                .collect(),
            left_out: skill
                .left_out
                .iter()
                .map(|out| LeftOutJson {
                    path: &out.path,
                    reason: out.reason.as_str(),
                    referred_to: out.is_referred_to,
                })
                .collect(),
            notes: &skill.notes,
            written,
        }
    }
}
