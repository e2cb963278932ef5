//! What differs between two versions of a skill, in JSON.

use std::path::Path;

use serde::Serialize;
use skillful::contract::EntryJson;
use skillful_store::journal::Entry;

use super::{PathText, VERSION};
use crate::difference::{Comparison, FileChange};

/// One file that differs: `{"path", "kind", "bytes_before"?, "bytes_after"?, "content", "diff"?}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct FileChangeJson<'a> {
    path: &'a str,
    /// `added`, `removed`, `modified`, `mode` or `replaced`.
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_before: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_after: Option<u64>,
    /// `text`, `binary`, `too-long`, `not-kept` or `same`.
    content: &'static str,
    /// The lines that differ, as a unified diff; only of texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<&'a str>,
}

impl<'a> From<&'a FileChange> for FileChangeJson<'a> {
    fn from(change: &'a FileChange) -> Self {
        let (content, diff) = match &change.content {
            Comparison::Lines(lines) => ("text", Some(lines.as_str())),
            Comparison::Binary => ("binary", None),
            Comparison::TooLong => ("too-long", None),
            Comparison::NotKept => ("not-kept", None),
            Comparison::Same => ("same", None),
        };
        Self {
            path: &change.path,
            kind: change.kind.as_str(),
            bytes_before: change.bytes_before,
            bytes_after: change.bytes_after,
            content,
            diff,
        }
    }
}

pub(super) fn changes(changes: &[FileChange]) -> Vec<FileChangeJson<'_>> {
    changes.iter().map(FileChangeJson::from).collect()
}

/// One change of the history in full: `{"version", "entry", "places": [{"path", "files"}]}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChangedDocument<'a> {
    version: u32,
    entry: EntryJson<'a>,
    places: Vec<PlaceJson<'a>>,
}

/// A place that was changed, and what differs in it, file by file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PlaceJson<'a> {
    path: PathText<'a>,
    files: Vec<FileChangeJson<'a>>,
}

impl<'a> ChangedDocument<'a> {
    /// The document of an entry, with what differs at each place.
    pub fn new(
        entry: &'a Entry,
        places: impl IntoIterator<Item = (&'a Path, &'a [FileChange])>,
    ) -> Self {
        let place = |(path, files): (&'a Path, &'a [FileChange])| PlaceJson {
            path: PathText(path),
            files: changes(files),
        };
        Self {
            version: VERSION,
            entry: EntryJson::from(entry),
            places: places.into_iter().map(place).collect(),
        }
    }
}
