//! The documents of the verbs that write and change skills, and of their history.

use std::path::Path;

use serde::Serialize;
use skillful_store::Timestamp;
use skillful_store::journal::{ChangeId, Entry};

use super::{PathText, VERSION};

/// What became of a skill: `{"version", "outcome", "id", "path", "seq", "reason"?, "message"?, "digest"?, "similar"?,
/// "remarks"?}`. Where nothing was changed, `seq` is null; where no file is known, `path` is.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AuthoredDocument<'a> {
    version: u32,
    /// What was done, or `refused`.
    pub outcome: &'a str,
    /// The skill's id; what was typed where there is none.
    pub id: Option<&'a str>,
    /// The file that was changed, or the skill's own.
    pub path: Option<PathText<'a>>,
    /// The number of the change in the history.
    pub seq: Option<u64>,
    /// Why nothing was done, in one word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a str>,
    /// The same in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The digest of the skill's files afterwards, or of what the guard refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<&'a str>,
    /// What people should know about it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<RemarkJson>,
}

/// What people should know: `{"code", "message"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RemarkJson {
    /// The word for programs.
    pub code: &'static str,
    /// The sentence for people.
    pub message: String,
}

impl<'a> AuthoredDocument<'a> {
    /// A document of this outcome, about this skill.
    pub fn new(outcome: &'a str, id: Option<&'a str>, path: Option<&'a Path>) -> Self {
        Self {
            version: VERSION,
            outcome,
            id,
            path: path.map(PathText),
            seq: None,
            reason: None,
            message: None,
            digest: None,
            remarks: Vec::new(),
        }
    }
}

/// The history: `{"version", "entries"}`, newest first.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HistoryDocument<'a> {
    version: u32,
    entries: Vec<EntryJson<'a>>,
}

impl<'a> HistoryDocument<'a> {
    /// The document of these entries.
    pub fn new(entries: &'a [Entry]) -> Self {
        Self {
            version: VERSION,
            entries: entries.iter().map(EntryJson::from).collect(),
        }
    }
}

/// One change: `{"seq", "op", "id", "at", "actor", "undone", "ids", "message", "paths", "transaction", "undone_by"?,
/// "undoes"?}`. `id` is the first of `ids`, the new one of a rename.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EntryJson<'a> {
    seq: u64,
    op: &'a str,
    id: Option<&'a str>,
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    at: Timestamp,
    actor: &'a str,
    undone: bool,
    ids: &'a [String],
    message: &'a str,
    paths: Vec<PathText<'a>>,
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    transaction: &'a ChangeId,
    #[serde(skip_serializing_if = "Option::is_none")]
    undone_by: Option<u64>,
    #[serde(skip_serializing_if = "<[u64]>::is_empty")]
    undoes: &'a [u64],
}

impl<'a> From<&'a Entry> for EntryJson<'a> {
    fn from(entry: &'a Entry) -> Self {
        Self {
            seq: entry.seq,
            op: entry.operation.as_str(),
            id: entry.skills.first().map(String::as_str),
            at: entry.at,
            actor: entry.actor.as_str(),
            undone: entry.is_undone(),
            ids: &entry.skills,
            message: &entry.message,
            paths: entry
                .swaps
                .iter()
                .map(|swap| PathText(&swap.path))
                .collect(),
            transaction: &entry.transaction,
            undone_by: entry.undone_by,
            undoes: &entry.undoes,
        }
    }
}

/// What was undone: `{"version", "outcome", "id", "path", "seq", "undoes", "files"}`. `seq` is the number of the undo,
/// which can be undone in turn; `path` is the first of `files`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UndoDocument<'a> {
    version: u32,
    outcome: &'a str,
    id: Option<&'a str>,
    path: Option<PathText<'a>>,
    seq: u64,
    undoes: &'a [u64],
    files: Vec<UndoneFile<'a>>,
}

/// What became of a path: `{"path", "what"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct UndoneFile<'a> {
    path: PathText<'a>,
    what: &'static str,
}

impl<'a> UndoDocument<'a> {
    /// The document of an entry that undid others, with what became of each path.
    pub fn new(
        outcome: &'a str,
        entry: &'a Entry,
        files: impl IntoIterator<Item = (&'a Path, &'static str)>,
    ) -> Self {
        let files: Vec<_> = files
            .into_iter()
            .map(|(path, what)| UndoneFile {
                path: PathText(path),
                what,
            })
            .collect();
        Self {
            version: VERSION,
            outcome,
            id: entry.skills.first().map(String::as_str),
            path: files.first().map(|file| file.path),
            seq: entry.seq,
            undoes: &entry.undoes,
            files,
        }
    }
}
