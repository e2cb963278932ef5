//! The shapes of documents as JSON Schema, for who describes an interface.
//!
//! What is rendered by a derived `Serialize` has a derived schema. What is rendered by hand has the schema of a type here
//! that stands for it, and a test of real documents against them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value};

use super::check::{FoundJson, SkillsJson};
use super::manifest::ManifestJson;
use super::status::UsageJson;
use super::usage::DayJson;
use super::{
    BlockersJson, DiagnosticJson, DiagnosticsJson, EntriesJson, Entry, FrontmatterJson, PathText,
    ResourcesJson, Texts,
};

/// An object whose members are not told here.
pub type Object = Map<String, Value>;

/// A reason.
#[derive(Debug, Serialize, JsonSchema)]
struct Blocker {
    /// What sort of reason.
    kind: String,
    /// The reason for people.
    detail: String,
}

/// Something that is wrong, or worth knowing.
#[derive(Debug, Serialize, JsonSchema)]
struct Diagnostic {
    code: String,
    /// `error`, `warning` or `info`.
    severity: String,
    message: String,
    path: String,
    /// From 1.
    line: usize,
    /// From 1.
    column: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<Fix>,
}

/// What would mend it.
#[derive(Debug, Serialize, JsonSchema)]
struct Fix {
    title: String,
    edits: Vec<Edit>,
}

/// A place in bytes of the decoded text, and what is to stand there.
#[derive(Debug, Serialize, JsonSchema)]
struct Edit {
    start: usize,
    end: usize,
    replacement: String,
}

/// A file of a skill.
#[derive(Debug, Serialize, JsonSchema)]
struct File {
    path: String,
    size: u64,
    executable: bool,
}

/// A checked skill.
#[derive(Debug, Serialize, JsonSchema)]
struct Checked {
    path: String,
    id: String,
    name: String,
    valid: bool,
    diagnostics: Vec<Diagnostic>,
}

/// How often each thing happened, and when.
#[derive(Debug, Serialize, JsonSchema)]
struct Usage {
    offers: u64,
    reads: u64,
    uses: u64,
    wins: u64,
    patches: u64,
    confidence: f64,
    /// Times in RFC 3339: `first`, and `last_` with each thing that happened.
    #[serde(flatten)]
    times: BTreeMap<String, Value>,
}

/// How often each thing happened on one day.
#[derive(Debug, Serialize, JsonSchema)]
struct UsedOn {
    /// Such as `2026-12-01`.
    day: String,
    offers: u64,
    reads: u64,
    uses: u64,
    wins: u64,
    patches: u64,
}

/// What the guard says of one bundle.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Bundle {
    path: String,
    /// `safe`, `caution` or `dangerous`.
    verdict: String,
    /// Whether everything was read.
    complete: bool,
    files: usize,
    bytes: u64,
    findings: Vec<Finding>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gaps: Vec<Object>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suppressed: Vec<Object>,
}

/// Something that the guard found.
#[derive(Debug, Serialize, JsonSchema)]
struct Finding {
    rule: String,
    category: String,
    severity: String,
    confidence: String,
    path: String,
    line: usize,
    column: usize,
    excerpt: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lowered: Vec<Value>,
    help: String,
    fingerprint: String,
}

/// Gives what is rendered by hand the schema of what stands for it.
macro_rules! stands_for {
    ($($shape:ty => $rendered:ty),+ $(,)?) => {
        $(
            impl JsonSchema for $rendered {
                fn schema_name() -> Cow<'static, str> {
                    <$shape>::schema_name()
                }

                fn inline_schema() -> bool {
                    true
                }

                fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                    generator.subschema_for::<$shape>()
                }
            }
        )+
    };
}

stands_for! {
    String => PathText<'_>,
    Vec<String> => Texts<'_>,
    Vec<Blocker> => BlockersJson<'_>,
    Diagnostic => DiagnosticJson<'_>,
    Vec<Diagnostic> => DiagnosticsJson<'_>,
    Vec<Diagnostic> => FoundJson<'_>,
    Vec<File> => ResourcesJson<'_>,
    Vec<Entry<'static>> => EntriesJson<'_>,
    Vec<Checked> => SkillsJson<'_>,
    Object => FrontmatterJson<'_>,
    Object => ManifestJson<'_>,
    Usage => UsageJson<'_>,
    UsedOn => DayJson<'_>,
}

/// The schema of a document as it is rendered, with everything that it refers to in it.
pub fn of<T: JsonSchema>() -> Schema {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    let settings = settings.with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    settings.into_generator().into_root_schema_for::<T>()
}
