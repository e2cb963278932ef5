//! Skill directories of plugins.
//!
//! A plugin is a directory whose `skills` holds skills; its `.claude-plugin/plugin.json` gives its name and may list
//! other skill directories. A marketplace is a directory whose `.claude-plugin/marketplace.json` lists plugins (Claude
//! Code documentation, "Plugins reference" and "Plugin marketplaces"). Both files are strangers' work: a path in them
//! that leaves its directory is refused.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use super::{Claims, Root, Source, Trust};
use crate::clients::{Client, template::Ground};
use crate::limits;
use crate::problem::Problem;
use crate::read::{self, Links, ReadError};

const PLUGIN_MANIFEST: &str = ".claude-plugin/plugin.json";
const MARKETPLACE_MANIFEST: &str = ".claude-plugin/marketplace.json";

/// Claims the skill directories of all plugins of a client.
pub(super) fn of_client(
    client: &Client,
    ground: Ground<'_>,
    levels: &[PathBuf],
    claims: &mut Claims,
) {
    let installed = client
        .installed
        .as_ref()
        .and_then(|list| list.resolve(ground));
    if let Some(list) = installed
        && let Some(found) = read_json::<Installed>(&list, claims)
    {
        for (key, installs) in found.plugins {
            let name = key.split_once('@').map_or(&*key, |(name, _)| name);
            for install in installs.counting_in(levels) {
                let inside =
                    !ground.hermetic || list.parent().is_some_and(|base| install.starts_with(base));
                if inside && install.is_absolute() {
                    of_checkout(&install, name, client, claims);
                }
            }
        }
        return;
    }
    for pattern in client
        .plugins
        .iter()
        .filter_map(|path| path.resolve(ground))
    {
        let Some(plugins) = pattern.parent() else {
            continue;
        };
        for (directory, name) in expand(plugins, &mut claims.listings) {
            of_checkout(&directory, &name, client, claims);
        }
    }
}

/// Claims what a directory of a project declares: it is a plugin or a marketplace by its `.claude-plugin`.
pub(super) fn of_directory(directory: &Path, claims: &mut Claims) {
    let manifest = directory.join(PLUGIN_MANIFEST);
    if !directory.join(".claude-plugin").is_dir() {
        let marketplace = directory.join(MARKETPLACE_MANIFEST);
        claims.files.extend([manifest, marketplace]);
        return;
    }
    if manifest.is_file() {
        let name = directory.file_name().unwrap_or_default().to_string_lossy();
        of_plugin(directory, &name, None, claims);
    } else {
        claims.files.insert(manifest);
    }
    let path = directory.join(MARKETPLACE_MANIFEST);
    if let Some(marketplace) = read_json::<Marketplace>(&path, claims) {
        of_marketplace(directory, marketplace.plugins, None, claims);
    }
}

/// Claims the skill directories of what lies in a client's plugin directory: a plugin with its own manifest, one that
/// only the marketplace it was copied from describes, a whole marketplace, or a plugin without any manifest.
fn of_checkout(directory: &Path, name: &str, client: &Client, claims: &mut Claims) {
    if !directory.join(PLUGIN_MANIFEST).is_file()
        && let Some(mut marketplace) =
            read_json::<Marketplace>(&directory.join(MARKETPLACE_MANIFEST), claims)
    {
        if marketplace.plugins.iter().any(|plugin| plugin.name == name) {
            marketplace.plugins.retain(|plugin| plugin.name == name);
        }
        of_marketplace(directory, marketplace.plugins, Some(client), claims);
    } else {
        of_plugin(directory, name, Some(client), claims);
    }
}

/// Claims the skill directories of a marketplace's plugins that lie in its own directory.
fn of_marketplace(
    directory: &Path,
    plugins: Vec<MarketplacePlugin>,
    client: Option<&Client>,
    claims: &mut Claims,
) {
    let manifest = directory.join(MARKETPLACE_MANIFEST);
    for plugin in plugins {
        let PluginSource::Path(source) = plugin.source else {
            continue;
        };
        let Some(place) = inside(directory, &source, &manifest, claims) else {
            continue;
        };
        let lists = plugin.skills.paths();
        if lists.is_empty() {
            of_plugin(&place, &plugin.name, client, claims);
        }
        for listed in lists {
            if let Some(skills) = inside(&place, &listed, &manifest, claims) {
                claim(skills, &plugin.name, true, client, claims);
            }
        }
    }
}

/// Claims the skill directories of one plugin. `name` counts when the plugin's own manifest gives none.
fn of_plugin(directory: &Path, name: &str, client: Option<&Client>, claims: &mut Claims) {
    let path = directory.join(PLUGIN_MANIFEST);
    let manifest = read_json::<PluginManifest>(&path, claims).unwrap_or_default();
    let name = manifest.name.as_deref().unwrap_or(name);
    claim(directory.join("skills"), name, false, client, claims);
    for listed in manifest.skills.paths() {
        if let Some(skills) = inside(directory, &listed, &path, claims) {
            claim(skills, name, true, client, claims);
        }
    }
}

fn claim(path: PathBuf, name: &str, single: bool, client: Option<&Client>, claims: &mut Claims) {
    let name = Arc::from(name);
    let new = |path| Root {
        single,
        ..Root::new(path, Source::Plugin { name }, Trust::Community)
    };
    if let Some(root) = claims.claim(path, new)
        && let Some(client) = client
    {
        root.clients = vec![Arc::clone(&client.id)];
        root.client = Some(Arc::clone(&client.id));
    }
}

/// `listed` below `directory`, or a problem when it would leave it.
fn inside(directory: &Path, listed: &str, manifest: &Path, claims: &mut Claims) -> Option<PathBuf> {
    let mut path = directory.to_owned();
    for component in Path::new(listed).components() {
        match component {
            Component::CurDir => {}
            Component::Normal(name) if !listed.contains('\\') => path.push(name),
            _ => {
                claims.problems.push(Problem::PluginManifest {
                    path: manifest.to_owned(),
                    reason: format!("the path `{listed}` leaves the plugin"),
                });
                return None;
            }
        }
    }
    Some(path)
}

/// The directories that a pattern stands for, each with what `{plugin}` stands for. Names are taken in order, versions
/// of one plugin newest first. The directories that were listed for it go into `listings`.
fn expand(pattern: &Path, listings: &mut BTreeSet<PathBuf>) -> Vec<(PathBuf, String)> {
    let mut found = vec![(PathBuf::new(), String::new())];
    for component in pattern.components() {
        let text = component.as_os_str();
        let (names, versions) = (text == "{plugin}", text == "*");
        if !names && !versions {
            for (path, _) in &mut found {
                path.push(component);
            }
            continue;
        }
        listings.extend(found.iter().map(|(path, _)| path.clone()));
        found = found
            .into_iter()
            .flat_map(|(path, plugin)| {
                let below = subdirectories(&path, versions && !plugin.is_empty());
                below.into_iter().map(move |name| {
                    let plugin = if names { name.clone() } else { plugin.clone() };
                    (path.join(name), plugin)
                })
            })
            .collect();
    }
    found
}

/// The names of the directories in `path`, hidden ones left out.
fn subdirectories(path: &Path, newest_first: bool) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(path) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .take(limits::PLUGINS)
        .filter_map(Result::ok)
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| !name.starts_with('.') && path.join(name).is_dir())
        .collect();
    names.sort_by(|a, b| {
        if newest_first {
            version(b).cmp(&version(a)).then_with(|| b.cmp(a))
        } else {
            a.cmp(b)
        }
    });
    names
}

/// The numbers of a version, in order; `1.10.0` is newer than `1.9.2`.
fn version(name: &str) -> Vec<u64> {
    name.split(|c: char| !c.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .collect()
}

/// A JSON file of a plugin. Nothing without the file; nothing and a problem when it cannot be used.
fn read_json<T: for<'a> Deserialize<'a>>(path: &Path, claims: &mut Claims) -> Option<T> {
    claims.files.insert(path.to_owned());
    let reason = match read::read(path, Links::Follow, limits::FILE_BYTES) {
        Ok(bytes) => match serde_json::from_slice(&bytes) {
            Ok(value) => return Some(value),
            Err(error) => error.to_string(),
        },
        Err(ReadError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => return None,
        Err(ReadError::Io(error)) if error.kind() == std::io::ErrorKind::NotADirectory => {
            return None;
        }
        Err(ReadError::Io(error)) => error.to_string(),
        Err(ReadError::NotRegular) => "not a regular file".to_owned(),
        Err(ReadError::TooLarge(size)) => {
            format!(
                "{size} bytes are more than the limit of {}",
                limits::FILE_BYTES
            )
        }
    };
    claims.problems.push(Problem::PluginManifest {
        path: path.to_owned(),
        reason,
    });
    None
}

#[derive(Debug, Default, Deserialize)]
struct PluginManifest {
    name: Option<String>,
    #[serde(default)]
    skills: Paths,
}

#[derive(Debug, Deserialize)]
struct Marketplace {
    #[serde(default)]
    plugins: Vec<MarketplacePlugin>,
}

#[derive(Debug, Deserialize)]
struct MarketplacePlugin {
    name: String,
    source: PluginSource,
    #[serde(default)]
    skills: Paths,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum PluginSource {
    Path(String),
    Elsewhere(serde::de::IgnoredAny),
}

/// One path or several.
#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
enum Paths {
    #[default]
    None,
    One(String),
    Many(Vec<String>),
}

impl Paths {
    fn paths(self) -> Vec<String> {
        match self {
            Self::None => Vec::new(),
            Self::One(path) => vec![path],
            Self::Many(paths) => paths,
        }
    }
}

/// Claude Code's `installed_plugins.json`: `name@marketplace` to where it lies, once (version 1) or once per scope.
#[derive(Debug, Deserialize)]
struct Installed {
    #[serde(default)]
    plugins: BTreeMap<String, Installs>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Installs {
    One(Install),
    Many(Vec<Install>),
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Install {
    install_path: PathBuf,
    /// The project that a plugin was installed for; none when for the user.
    project_path: Option<PathBuf>,
}

impl Installs {
    /// Where the plugin lies for someone who works at `levels`.
    fn counting_in(self, levels: &[PathBuf]) -> Vec<PathBuf> {
        let installs = match self {
            Self::One(install) => vec![install],
            Self::Many(installs) => installs,
        };
        installs
            .into_iter()
            .filter(|install| {
                let project = install.project_path.as_ref();
                project.is_none_or(|project| levels.contains(project))
            })
            .map(|install| install.install_path)
            .collect()
    }
}
