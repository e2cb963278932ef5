//! What `status`, `archive` and `restore` answer.

use std::path::Path;

use serde::{Serialize, Serializer};
use skillful_guard::Verdict;
use skillful_store::{Activity, Archived, Evidence, Reason, Timestamp, Usage};
use skillmd::Manifest;

use super::accept::AcceptedJson;
use super::{BlockersJson, PathText, Texts, VERSION};
use crate::status::{InstallOption, StatusEntry};

/// The status of skills: `{"version", "total", "filtered", "skills"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StatusDocument<'a> {
    version: u32,
    total: usize,
    filtered: usize,
    skills: Vec<StatusJson<'a>>,
}

impl<'a> StatusDocument<'a> {
    /// The document of these skills, in this order, out of so many.
    pub fn new(entries: &'a [StatusEntry<'a>], total: usize) -> Self {
        Self {
            version: VERSION,
            total,
            filtered: entries.len(),
            skills: entries.iter().map(StatusJson::from).collect(),
        }
    }
}

/// The status of one skill.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct StatusJson<'a> {
    id: &'a str,
    name: &'a str,
    description: &'a str,
    source: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    client: Option<&'a str>,
    clients: Texts<'a>,
    root: PathText<'a>,
    path: PathText<'a>,
    trust: &'static str,
    /// Nothing when the guard did not look at it.
    verdict: Option<&'static str>,
    /// By what its files are accepted as they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<AcceptedJson>,
    state: &'static str,
    blockers: BlockersJson<'a>,
    mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<&'static str>,
    user_invocable: bool,
    model_invocable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    emoji: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    homepage: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    primary_env: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    api_key_set: Option<bool>,
    install_options: Vec<InstallOptionJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<&'a str>,
    bytes: u64,
    tokens: usize,
    /// How many diagnostics a list gives for it.
    diagnostics: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    shadowed_by: Option<PathText<'a>>,
    shadows: Vec<PathText<'a>>,
    lifecycle: &'static str,
    pinned: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<super::schema::Object>"))]
    archived: Option<&'a Archived>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<UsageJson<'a>>,
}

impl<'a> From<&'a StatusEntry<'a>> for StatusJson<'a> {
    fn from(entry: &'a StatusEntry<'a>) -> Self {
        let skill = entry.skill;
        let (root, manifest) = (&*skill.root, skill.manifest.as_deref());
        Self {
            id: &skill.id,
            name: &skill.name,
            description: &skill.description,
            source: root.source.as_str(),
            client: root.client.as_deref(),
            clients: Texts(&root.clients),
            root: PathText(&root.path),
            path: PathText(&skill.path),
            trust: root.trust.as_str(),
            verdict: skill.verdict().map(Verdict::as_str),
            accepted: entry.accepted.map(AcceptedJson::from),
            state: skill.state.as_str(),
            blockers: BlockersJson(&skill.blockers),
            mode: entry.mode.as_str(),
            scope: manifest.map(|manifest| manifest.scope().as_str()),
            user_invocable: manifest.is_some_and(Manifest::is_user_invocable),
            model_invocable: manifest.is_some_and(Manifest::is_model_invocable),
            emoji: manifest.and_then(|manifest| manifest.display.emoji.as_deref()),
            homepage: manifest.and_then(|manifest| manifest.display.homepage.as_deref()),
            primary_env: manifest.and_then(|manifest| manifest.requirements.primary_env.as_deref()),
            api_key_set: entry.api_key_set,
            install_options: entry
                .install_options
                .iter()
                .map(InstallOptionJson::from)
                .collect(),
            digest: entry.digest.as_deref(),
            bytes: entry.bytes,
            tokens: entry.tokens,
            diagnostics: skill.diagnostics.len(),
            shadowed_by: skill.shadowed_by.as_deref().map(PathText),
            shadows: entry.shadows.iter().map(|path| PathText(path)).collect(),
            lifecycle: entry.stage.as_str(),
            pinned: entry.pinned,
            archived: entry.archived,
            usage: entry.usage.map(UsageJson),
        }
    }
}

/// One way to get a program: `{"id", "kind", "label", "package"?, "bins"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct InstallOptionJson<'a> {
    id: &'a str,
    kind: &'static str,
    label: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    package: Option<&'a str>,
    bins: &'a [String],
}

impl<'a> From<&'a InstallOption<'a>> for InstallOptionJson<'a> {
    fn from(option: &'a InstallOption<'a>) -> Self {
        Self {
            id: &option.id,
            kind: option.spec.kind.as_str(),
            label: &option.label,
            package: option.spec.package.as_deref(),
            bins: &option.spec.bins,
        }
    }
}

/// Usage: `{"offers", "reads", "uses", "wins", "patches", "first"?, "last_use"?, "last_offer"?, …, "confidence"}`, times
/// in RFC 3339.
#[derive(Clone, Copy, Debug)]
pub(super) struct UsageJson<'a>(&'a Usage);

impl Serialize for UsageJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;

        let usage = self.0;
        let mut map = serializer.serialize_map(None)?;
        for activity in Activity::ALL {
            map.serialize_entry(activity.as_plural(), &usage.of(activity).count)?;
        }
        if let Some(first) = usage.first {
            map.serialize_entry("first", &first)?;
        }
        for activity in Activity::ALL {
            if let Some(last) = usage.of(activity).last {
                map.serialize_entry(&format!("last_{activity}"), &last)?;
            }
        }
        map.serialize_entry("confidence", &Evidence::of(usage).confidence())?;
        map.end()
    }
}

/// That something was changed about one skill, or not: `{"version", "outcome", "id", "path"?, "archived_at"?, "reason"?}`.
/// A skill that is on record and not on disk has no path.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LifecycleDocument<'a> {
    version: u32,
    outcome: &'static str,
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<PathText<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    archived_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

impl<'a> LifecycleDocument<'a> {
    /// The document of what became of a skill, which is now archived or not.
    pub fn new(
        outcome: &'static str,
        id: &'a str,
        path: Option<&'a Path>,
        archived: Option<&'a Archived>,
    ) -> Self {
        Self {
            version: VERSION,
            outcome,
            id,
            path: path.map(PathText),
            archived_at: archived.map(|archived| archived.at),
            reason: archived
                .and_then(|archived| archived.reason.as_ref())
                .map(Reason::as_str),
        }
    }
}
