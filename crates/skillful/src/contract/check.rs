//! What `check` answers.

use serde::{Serialize, Serializer};
use skillmd::Severity;

use super::{DiagnosticJson, PathText, ScannedBundle, VERSION};
use crate::check::Checked;

/// Checked skills: `{"version", "skills", "summary"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckDocument<'a> {
    version: u32,
    skills: SkillsJson<'a>,
    summary: Summary,
}

impl<'a> CheckDocument<'a> {
    /// The document of these skills, in this order.
    pub fn new(skills: &'a [Checked]) -> Self {
        Self {
            version: VERSION,
            skills: SkillsJson(skills),
            summary: Summary::of(skills),
        }
    }
}

/// A text that is being edited: what `check` says of it, and what the guard does in `scan`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextCheckDocument<'a> {
    #[serde(flatten)]
    check: CheckDocument<'a>,
    scan: &'a ScannedBundle,
}

impl<'a> TextCheckDocument<'a> {
    /// The document of one text.
    pub fn new(checked: &'a [Checked], scan: &'a ScannedBundle) -> Self {
        Self {
            check: CheckDocument::new(checked),
            scan,
        }
    }
}

/// How much was found in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// Skills that were checked.
    pub skills: usize,
    /// Errors in all of them.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// Notes.
    pub infos: usize,
}

impl Summary {
    /// Counts.
    pub fn of(skills: &[Checked]) -> Self {
        let mut summary = Self {
            skills: skills.len(),
            ..Self::default()
        };
        for (_, found) in skills.iter().flat_map(Checked::diagnostics) {
            match found.severity {
                Severity::Error => summary.errors += 1,
                Severity::Warning => summary.warnings += 1,
                Severity::Info => summary.infos += 1,
            }
        }
        summary
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct SkillsJson<'a>(&'a [Checked]);

impl Serialize for SkillsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|skill| SkillJson {
            path: PathText(skill.path()),
            id: &skill.id,
            name: &skill.name,
            valid: skill.is_valid(),
            diagnostics: FoundJson(skill),
        }))
    }
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SkillJson<'a> {
    path: PathText<'a>,
    id: &'a str,
    name: &'a str,
    valid: bool,
    diagnostics: FoundJson<'a>,
}

pub(super) struct FoundJson<'a>(&'a Checked);

impl Serialize for FoundJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(
            self.0
                .diagnostics()
                .map(|(file, diagnostic)| DiagnosticJson {
                    diagnostic,
                    path: &file.path,
                }),
        )
    }
}
