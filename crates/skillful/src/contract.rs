//! The JSON that commands and servers answer with. Fields are added, never changed.

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use skillful_guard::Verdict;
use skillmd::quote::reads_alike;
use skillmd::{Diagnostic, Document, Fix, Node, Resolved, Scalar, Value};

use crate::bundle::{Resource, digest};
use crate::details::Details;
use crate::load::Skill;
use crate::problem::Problem;
use crate::state::Blocker;

mod accept;
mod author;
mod catalog;
mod check;
mod config;
mod convert;
mod error;
mod event;
mod explain;
mod fix;
mod format;
mod learn;
mod manifest;
mod new;
mod overview;
mod read;
mod retrieval;
mod scan;
mod schedule;
#[cfg(feature = "schema")]
pub mod schema;
mod search;
mod source;
mod status;
mod usage;
mod why;

pub use accept::{AcceptDocument, AcceptedJson};
pub use author::{AuthoredDocument, EntryJson, HistoryDocument, RemarkJson, UndoDocument};
pub use catalog::CatalogDocument;
pub use check::{CheckDocument, Summary, TextCheckDocument};
pub use config::{ChangeDocument, FilesDocument, SettingJson, SettingsDocument};
pub use convert::ConvertDocument;
pub use error::ErrorDocument;
pub use event::EventLine;
pub use explain::{CodesDocument, ExplainDocument};
pub use fix::{FixDocument, FixedFile};
pub use format::{FormatDocument, SkippedFile};
pub use learn::{
    CheckApprovalDocument, DecayedJson, EvidenceJson, GradedJson, LearnedDocument, LearnedJson,
};
pub use manifest::ManifestJson;
use manifest::PairsJson;
pub use new::NewDocument;
pub use overview::{ClientsDocument, OverviewDocument, RootsDocument};
pub use read::{ActivationDocument, FileDocument};
pub use retrieval::{TestDocument, TestSummary};
pub use scan::{RuleDocument, RulesDocument, ScanDocument, ScanSummary, ScannedBundle};
pub use schedule::{ApprovalDocument, SchedulesDocument};
pub use search::{MatchDocument, SearchDocument};
pub use source::SourceDocument;
pub use status::{LifecycleDocument, StatusDocument};
pub use usage::UsageDocument;
pub use why::{ReasonJson, WhyDocument};

/// The version of every document.
pub const VERSION: u32 = 1;

/// All skills: `{"version", "skills", "problems"?}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListDocument<'a> {
    version: u32,
    skills: EntriesJson<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<DiagnosticJson<'a>>,
}

impl<'a> ListDocument<'a> {
    /// The document of these skills, in this order, and of what went wrong around them.
    pub fn new(skills: &'a [Arc<Skill>], problems: &'a [(Diagnostic, &'a Path)]) -> Self {
        Self {
            version: VERSION,
            skills: EntriesJson {
                skills: skills.iter().map(|skill| &**skill).collect(),
                digests: Vec::new(),
            },
            problems: problems
                .iter()
                .map(|(diagnostic, path)| DiagnosticJson { diagnostic, path })
                .collect(),
        }
    }
}

impl ListDocument<'_> {
    /// The same with only those skills that are wanted.
    #[must_use]
    pub fn only(mut self, is_wanted: impl Fn(&Skill) -> bool) -> Self {
        self.skills.skills.retain(|skill| is_wanted(skill));
        self
    }

    /// The same with a digest for each skill: all their files are read.
    #[must_use]
    pub fn with_digests(mut self) -> Self {
        let skills = self.skills.skills.par_iter();
        self.skills.digests = skills.map(|skill| digest(skill)).collect();
        self
    }
}

/// What went wrong around skills, as diagnostics with their paths.
pub fn problem_diagnostics(problems: &[Problem]) -> Vec<(Diagnostic, &Path)> {
    problems
        .iter()
        .map(|problem| (problem.diagnostic(), problem.path()))
        .collect()
}

/// Skills, in their order.
#[derive(Clone, Debug)]
struct EntriesJson<'a> {
    skills: Vec<&'a Skill>,
    /// One for each skill, or none at all.
    digests: Vec<Option<String>>,
}

impl Serialize for EntriesJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut digests = self.digests.iter();
        serializer.collect_seq(self.skills.iter().map(|skill| Entry {
            digest: digests.next().and_then(Option::as_deref),
            ..Entry::from(*skill)
        }))
    }
}

/// One skill in a list.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Entry<'a> {
    /// See [`Skill::id`].
    pub id: &'a str,
    /// See [`Skill::name`].
    pub name: &'a str,
    /// See [`Skill::description`].
    pub description: &'a str,
    /// `bundled`, `global`, `plugin` or `workspace`.
    pub source: &'static str,
    /// The client whose own directory the skill lies in, or `universal`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<&'a str>,
    /// All clients that read the directory, sorted.
    pub clients: Texts<'a>,
    /// The root's path.
    pub root: PathText<'a>,
    /// The SKILL.md's, flat file's or archive's path.
    pub path: PathText<'a>,
    /// See [`crate::state::State`].
    pub state: &'static str,
    /// Why it is not ready.
    pub blockers: BlockersJson<'a>,
    /// `safe`, `caution` or `dangerous`; null when the guard did not look at it.
    pub verdict: Option<&'static str>,
    /// The path of the skill that has precedence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shadowed_by: Option<PathText<'a>>,
    /// What is wrong with it.
    pub diagnostics: DiagnosticsJson<'a>,
    /// See [`crate::bundle::digest`]; only where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<&'a str>,
}

impl<'a> From<&'a Skill> for Entry<'a> {
    fn from(skill: &'a Skill) -> Self {
        let root = &*skill.root;
        Self {
            id: &skill.id,
            name: &skill.name,
            description: &skill.description,
            source: root.source.as_str(),
            client: root.client.as_deref(),
            clients: Texts(&root.clients),
            root: PathText(&root.path),
            path: PathText(&skill.path),
            state: skill.state.as_str(),
            blockers: BlockersJson(&skill.blockers),
            verdict: skill.verdict().map(Verdict::as_str),
            shadowed_by: skill.shadowed_by.as_deref().map(PathText),
            diagnostics: DiagnosticsJson {
                diagnostics: &skill.diagnostics,
                path: &skill.path,
            },
            digest: None,
        }
    }
}

/// One skill with all that is known of it: its entry in a list and more.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShowDocument<'a> {
    /// [`VERSION`].
    pub version: u32,
    /// What a list says of it.
    #[serde(flatten)]
    pub entry: Entry<'a>,
    /// All typed fields.
    pub manifest: ManifestJson<'a>,
    /// The frontmatter as it is written; nothing for a skill that could not be read.
    pub frontmatter: Option<FrontmatterJson<'a>>,
    /// All other files.
    pub resources: ResourcesJson<'a>,
    /// Bytes of all files.
    pub bytes: u64,
    /// Tokens of the body, estimated.
    pub tokens: usize,
}

impl<'a> ShowDocument<'a> {
    /// The document of a skill.
    pub fn new(skill: &'a Skill, details: &'a Details) -> Self {
        let mut entry = Entry::from(skill);
        entry.diagnostics.diagnostics = &details.diagnostics;
        Self {
            version: VERSION,
            entry,
            manifest: ManifestJson(&details.manifest),
            frontmatter: details.document.as_ref().map(FrontmatterJson),
            resources: ResourcesJson(&details.bundle.resources),
            bytes: details.bundle.bytes,
            tokens: details.tokens,
        }
    }
}

/// A list of names.
#[derive(Clone, Copy, Debug)]
pub struct Texts<'a>(pub &'a [Arc<str>]);

impl Serialize for Texts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|text| &**text))
    }
}

/// A path; characters that are not Unicode are replaced.
#[derive(Clone, Copy, Debug)]
pub struct PathText<'a>(pub &'a Path);

impl Serialize for PathText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.to_string_lossy())
    }
}

/// Reasons: `[{"kind", "detail"}]`.
#[derive(Clone, Copy, Debug)]
pub struct BlockersJson<'a>(pub &'a [Blocker]);

impl Serialize for BlockersJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Json<'a> {
            kind: &'a str,
            detail: &'a str,
        }
        serializer.collect_seq(self.0.iter().map(|blocker| Json {
            kind: &blocker.kind,
            detail: &blocker.detail,
        }))
    }
}

/// The diagnostics of one file.
#[derive(Clone, Copy, Debug)]
pub struct DiagnosticsJson<'a> {
    /// The diagnostics.
    pub diagnostics: &'a [Diagnostic],
    /// The file.
    pub path: &'a Path,
}

impl Serialize for DiagnosticsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let path = self.path;
        serializer.collect_seq(
            self.diagnostics
                .iter()
                .map(|diagnostic| DiagnosticJson { diagnostic, path }),
        )
    }
}

/// One diagnostic: `{"code", "severity", "message", "path", "line", "column", "help"?, "fix"?}`, line and column from 1.
#[derive(Clone, Copy, Debug)]
pub struct DiagnosticJson<'a> {
    /// The diagnostic.
    pub diagnostic: &'a Diagnostic,
    /// The file.
    pub path: &'a Path,
}

impl Serialize for DiagnosticJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let diagnostic = self.diagnostic;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", diagnostic.code.as_str())?;
        map.serialize_entry("severity", diagnostic.severity.as_str())?;
        map.serialize_entry("message", &diagnostic.message)?;
        map.serialize_entry("path", &PathText(self.path))?;
        map.serialize_entry("line", &diagnostic.position.line)?;
        map.serialize_entry("column", &diagnostic.position.column)?;
        if let Some(help) = &diagnostic.help {
            map.serialize_entry("help", help)?;
        }
        if let Some(fix) = &diagnostic.fix {
            map.serialize_entry("fix", &FixJson(fix))?;
        }
        map.end()
    }
}

/// A mending: `{"title", "edits": [{"start", "end", "replacement"}]}`, in bytes of the decoded text.
struct FixJson<'a>(&'a Fix);

impl Serialize for FixJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Json<'a> {
            start: usize,
            end: usize,
            replacement: &'a str,
        }
        let edits: Vec<_> = self
            .0
            .edits
            .iter()
            .map(|edit| Json {
                start: edit.span.start,
                end: edit.span.end,
                replacement: &edit.replacement,
            })
            .collect();
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("title", &self.0.title)?;
        map.serialize_entry("edits", &edits)?;
        map.end()
    }
}

/// Files: `[{"path", "size", "executable"}]`.
#[derive(Clone, Copy, Debug)]
pub struct ResourcesJson<'a>(pub &'a [Resource]);

impl Serialize for ResourcesJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Json<'a> {
            path: &'a str,
            size: u64,
            executable: bool,
        }
        serializer.collect_seq(self.0.iter().map(|resource| Json {
            path: &resource.path,
            size: resource.size,
            executable: resource.executable,
        }))
    }
}

/// A frontmatter with every key, unknown ones included, in the order of the source. Scalars keep their source text: a
/// number is one in JSON only where any reader of JSON writes it back as it stands. Of a key that is given twice the
/// first counts.
#[derive(Clone, Copy, Debug)]
pub struct FrontmatterJson<'a>(pub &'a Document);

impl Serialize for FrontmatterJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let entries = self.0.entries().iter().filter(|entry| !entry.duplicate);
        serializer.collect_map(entries.map(|entry| (&entry.key, NodeJson(&entry.value))))
    }
}

struct NodeJson<'a>(&'a Node);

impl Serialize for NodeJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0.value {
            Value::Scalar(scalar) => scalar_json(scalar, serializer),
            Value::Sequence(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(&NodeJson(item))?;
                }
                list.end()
            }
            Value::Mapping(pairs) => PairsJson(pairs).serialize(serializer),
        }
    }
}

/// `1.10`, `007`, `0x1F` and numbers of many digits stay the text that was written: as numbers they would come out as
/// something else.
fn scalar_json<S: Serializer>(scalar: &Scalar, serializer: S) -> Result<S::Ok, S::Error> {
    match scalar.resolve() {
        Resolved::Null => serializer.serialize_unit(),
        Resolved::Bool(value) => serializer.serialize_bool(value),
        Resolved::Integer(value) if reads_alike(scalar) => serializer.serialize_i64(value),
        Resolved::Float(value) if reads_alike(scalar) => serializer.serialize_f64(value),
        Resolved::Integer(_) | Resolved::Float(_) | Resolved::Text(_) => {
            serializer.serialize_str(&scalar.text)
        }
    }
}

#[cfg(test)]
mod tests;
