//! `config`, `enable`, `disable`, `pin` and `mode`: what is set, where, and what a change did.

use std::path::Path;

use serde::Serialize;
use serde_json::Value as Json;

use super::why::ReasonJson;
use super::{DiagnosticJson, PathText, VERSION};
use crate::config::{KeyPath, Level, Setting, Value};
use crate::state::Standing;

/// One setting: `{"key", "value", "layer", "file"?, "line"?}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SettingJson<'a> {
    key: String,
    value: Json,
    /// `built-in`, `system`, `user`, `project`, `named` or `environment`.
    layer: &'static str,
    /// The file; for the environment the variable's name, with a `$` before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<PathText<'a>>,
    /// From 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
}

impl<'a> SettingJson<'a> {
    /// What a layer says of a key.
    pub fn new(key: &KeyPath, setting: &'a Setting) -> Self {
        let origin = &setting.origin;
        Self {
            key: key.to_string(),
            value: setting.value.to_json(),
            layer: origin.level.as_str(),
            file: Some(PathText(&origin.file)),
            line: (origin.level != Level::Environment).then_some(origin.position.line),
        }
    }

    /// What holds for a key of which nobody says anything.
    pub fn built_in(key: &KeyPath, default: &Value) -> Self {
        Self {
            key: key.to_string(),
            value: default.to_json(),
            layer: "built-in",
            file: None,
            line: None,
        }
    }
}

/// What is set: `{"version", "settings", "problems"?}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SettingsDocument<'a> {
    version: u32,
    settings: Vec<SettingJson<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<DiagnosticJson<'a>>,
}

impl<'a> SettingsDocument<'a> {
    /// The document of these settings and of what is wrong with the files.
    pub fn new(settings: Vec<SettingJson<'a>>, problems: Vec<DiagnosticJson<'a>>) -> Self {
        Self {
            version: VERSION,
            settings,
            problems,
        }
    }
}

/// Where configuration files lie: `{"version", "files": [{"layer", "path", "exists"}]}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FilesDocument<'a> {
    version: u32,
    files: Vec<FileJson<'a>>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FileJson<'a> {
    layer: &'static str,
    path: PathText<'a>,
    exists: bool,
}

impl<'a> FilesDocument<'a> {
    /// The document of these files, each with whether it exists.
    pub fn new(files: impl IntoIterator<Item = (Level, &'a Path, bool)>) -> Self {
        let file = |(level, path, exists): (Level, &'a Path, bool)| FileJson {
            layer: level.as_str(),
            path: PathText(path),
            exists,
        };
        Self {
            version: VERSION,
            files: files.into_iter().map(file).collect(),
        }
    }
}

/// What a change of a configuration file did:
/// `{"version", "id"?, "key", "value", "layer", "file", "changed", "state"?, "blockers"?}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChangeDocument<'a> {
    version: u32,
    /// The skill that the key is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    key: String,
    /// What the file says now; null when it says nothing.
    value: Json,
    layer: &'static str,
    file: PathText<'a>,
    /// Whether the file is different from before.
    changed: bool,
    /// How the skill stands now.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blockers: Option<Vec<ReasonJson<'a>>>,
}

impl<'a> ChangeDocument<'a> {
    /// The document of a change of one key in one file.
    pub fn new(key: &KeyPath, value: Json, level: Level, file: &'a Path, changed: bool) -> Self {
        Self {
            version: VERSION,
            id: None,
            key: key.to_string(),
            value,
            layer: level.as_str(),
            file: PathText(file),
            changed,
            state: None,
            blockers: None,
        }
    }

    /// The same with the skill that it is about, and how that stands now; nothing when no such skill was found.
    #[must_use]
    pub fn about(mut self, id: &'a str, standing: Option<&'a Standing>) -> Self {
        self.id = Some(id);
        self.state = standing.map(|standing| standing.state.as_str());
        self.blockers = standing.map(|standing| ReasonJson::list(&standing.blockers));
        self
    }
}
