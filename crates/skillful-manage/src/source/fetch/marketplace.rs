//! Claude plugin marketplaces: repositories with a `.claude-plugin/marketplace.json` that lists plugins, here or
//! elsewhere.

use std::fs;

use serde::Deserialize;
use serde_json::Value;

use super::{FetchError, Fetched, Job, Kind, git, hub};
use crate::find::near;
use crate::limits;
use crate::source::{
    Commit, GitSource, Marketplace, Place, PluginSource, RefName, Reference, Source, SubPath,
};

const MANIFEST: &str = ".claude-plugin/marketplace.json";

#[derive(Deserialize)]
struct Manifest {
    plugins: Vec<Value>,
    metadata: Option<Metadata>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    plugin_root: Option<String>,
}

#[derive(Deserialize)]
struct Plugin {
    name: String,
    source: PluginPlace,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum PluginPlace {
    /// In the same repository.
    Path(String),
    Elsewhere(Elsewhere),
}

#[derive(Deserialize)]
struct Elsewhere {
    source: String,
    repo: Option<String>,
    url: Option<String>,
    path: Option<String>,
    #[serde(rename = "ref")]
    reference: Option<String>,
    sha: Option<String>,
}

impl Kind for PluginSource {
    fn fetch(&self, job: &Job<'_>) -> Result<Fetched, FetchError> {
        let marketplace = match &self.marketplace {
            Marketplace::Repository(source) => source.as_ref(),
            Marketplace::Named(name) => {
                let known = &job.settings.marketplaces;
                known
                    .get(name.as_str())
                    .ok_or_else(|| FetchError::UnknownMarketplace {
                        name: name.to_string(),
                        near: near(name.as_str(), known.keys().map(String::as_str)),
                    })?
            }
        };
        let plugin = resolve(job, self, marketplace)?;
        let staging = job.staging.join("plugin");
        fs::create_dir(&staging)?;
        let job = Job {
            staging: &staging,
            ..*job
        };
        let mut fetched = plugin.fetch(&job)?;
        fetched.source = Source::Plugin(self.clone());
        Ok(fetched)
    }
}

/// Where the plugin is.
fn resolve(
    job: &Job<'_>,
    source: &PluginSource,
    marketplace: &GitSource,
) -> Result<GitSource, FetchError> {
    let url = marketplace.repository.url();
    let opened = git::open(job, &url, &marketplace.place)?;
    let wrong = |reason: String| FetchError::Document {
        url: format!("{url}/{MANIFEST}"),
        reason,
    };
    let text = opened.read_file(MANIFEST, limits::INDEX_BYTES)?;
    let manifest: Manifest =
        serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))?;
    let plugins: Vec<Plugin> = manifest
        .plugins
        .into_iter()
        .take(limits::INDEX_ENTRIES)
        .filter_map(|value| serde_json::from_value(value).ok())
        .collect();
    let wanted = source.plugin.as_str();
    let Some(plugin) = plugins.iter().find(|plugin| plugin.name == wanted) else {
        return Err(FetchError::UnknownPlugin {
            marketplace: url,
            plugin: wanted.to_owned(),
            near: near(wanted, plugins.iter().map(|plugin| &*plugin.name)),
        });
    };
    let refused = |reason: String| FetchError::Plugin {
        plugin: wanted.to_owned(),
        reason,
    };
    match &plugin.source {
        PluginPlace::Path(path) => {
            let root = manifest.metadata.and_then(|metadata| metadata.plugin_root);
            let path = below(root.as_deref(), path).map_err(refused)?;
            Ok(GitSource {
                repository: marketplace.repository.clone(),
                place: Place::Known {
                    // The same state as the list's.
                    reference: Commit::parse(&opened.commit).map(Reference::Commit),
                    path,
                },
                skill: None,
            })
        }
        PluginPlace::Elsewhere(place) => {
            elsewhere(job, marketplace.repository.host(), place).map_err(refused)
        }
    }
}

/// A path in the marketplace's repository, below its `pluginRoot` unless it begins with `./`.
fn below(root: Option<&str>, path: &str) -> Result<Option<SubPath>, String> {
    let plain = |text: &str| text.trim_start_matches("./").trim_matches('/').to_owned();
    let is_relative_to_top = path.starts_with("./") || path == ".";
    let joined = match root.map(plain) {
        Some(root) if !is_relative_to_top && !root.is_empty() => format!("{root}/{}", plain(path)),
        _ => plain(path),
    };
    if joined.is_empty() || joined == "." {
        return Ok(None);
    }
    SubPath::parse(&joined)
        .map(Some)
        .map_err(|fault| fault.to_string())
}

fn elsewhere(job: &Job<'_>, from: Option<&str>, place: &Elsewhere) -> Result<GitSource, String> {
    let address = match &*place.source {
        "github" => place.repo.as_deref().or(place.url.as_deref()),
        "url" | "git" | "git-subdir" => place.url.as_deref().or(place.repo.as_deref()),
        "npm" => {
            return Err("it is a package of npm, and installing one runs its programs".to_owned());
        }
        other => {
            let other = crate::unpack::shown(other.as_bytes());
            return Err(format!(
                "its source is of a kind that is not known: `{other}`"
            ));
        }
    };
    let address = address.ok_or("its source has no address")?;
    let repository = hub::repository(address, from, job)?;
    let path = match place.path.as_deref() {
        Some(path) => below(None, path)?,
        None => None,
    };
    let reference = match (&place.sha, &place.reference) {
        (Some(sha), _) => Some(Reference::Commit(
            Commit::parse(sha).ok_or("its `sha` is no whole hash of a commit")?,
        )),
        (None, Some(name)) => Some(Reference::Name(
            RefName::parse(name).map_err(|fault| fault.to_string())?,
        )),
        (None, None) => None,
    };
    Ok(GitSource {
        place: Place::Known { reference, path },
        ..repository
    })
}
