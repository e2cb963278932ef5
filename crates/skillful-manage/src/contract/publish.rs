//! What `publish` answers.

use serde::Serialize;

use super::{PathText, VERSION};
use crate::publish::{Published, Target};

/// What was published: `{"version", "to", "layout", "indexes", "skills": [{"name", "change", "url"?, "digest"?}],
/// "seq"?}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PublishDocument<'a> {
    version: u32,
    to: PathText<'a>,
    /// `well-known` or `tree`.
    layout: &'static str,
    /// The files that readers begin with.
    indexes: Vec<PathText<'a>>,
    /// Sorted by name.
    skills: Vec<SkillJson<'a>>,
    /// The number of the change in the history, of a tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SkillJson<'a> {
    name: &'a str,
    /// `added`, `replaced`, `unchanged` or `pruned`.
    change: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    /// Of the artifact in a site, of the files in a tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<&'a str>,
}

impl<'a> PublishDocument<'a> {
    /// The document of what was published there.
    pub fn new(target: &'a Target, published: &'a Published) -> Self {
        let skills = published.skills.iter().map(|skill| SkillJson {
            name: &skill.name,
            change: skill.change.as_str(),
            url: skill.url.as_deref(),
            digest: skill.digest.as_deref(),
        });
        Self {
            version: VERSION,
            to: PathText(&target.directory),
            layout: target.layout.as_str(),
            indexes: published
                .indexes
                .iter()
                .map(|path| PathText(path))
                .collect(),
            skills: skills.collect(),
            seq: published.entry.as_ref().map(|entry| entry.seq),
        }
    }
}
