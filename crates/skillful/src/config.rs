//! `skills.toml`: what the operator wants otherwise than by default.
//!
//! ```toml
//! [skills.pdf-forms]                 # a skill, by its id
//! mode = "pinned"
//!
//! [permissions]
//! grants = ["run_shell_command"]     # what skills may ask for
//! ```
//!
//! Several layers are laid over each other, the later ones counting:
//!
//! ```text
//! built-in  <  system  <  user  <  project  <  environment  <  options of a command
//! ```
//!
//! A project's file comes from strangers and may only tighten what holds without it; [`schema::KEYS`] says which keys
//! there are, what each takes and what a project may do with it. Each value remembers who said it and where. What is
//! wrong costs its own key and is a [`Problem`]; no file is ever changed by reading it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use serde_json::Value as Json;
use skillful_guard::{Policy, Preset};
use skillmd::Code;

use crate::guard::{Acceptance, OnLoad};
use crate::host::Host;
use crate::limits;
use crate::problem::Problem;
use crate::roots::{ExtraRoot, Source, Trust};

pub mod edit;
mod files;
mod layer;
mod path;
mod positions;
pub mod schema;
mod shown;
mod switches;
mod tighten;
mod value;

pub use files::{ConfigFile, ConfigText, FILE_NAME, USER_FILE, locate, read_files};
pub use layer::{Layer, Level, Origin, Setting};
pub use path::{KeyPath, KeyPathError, id_form};
pub use schema::{KeySpec, ProjectRule};
pub use shown::Shown;
pub use switches::{Said, Switches};
pub use tighten::{Tightening, tighten};
pub use value::{Kind, Taken, Value};

/// What all layers say together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    settings: BTreeMap<KeyPath, Setting>,
    /// The ids of the skills that something is said of.
    skills: BTreeSet<String>,
    /// The operator's values, as one tree.
    values: Json,
    problems: Vec<Problem>,
}

impl Config {
    /// What these files say, in their order, and then the environment.
    pub fn new(texts: &[ConfigText], host: &Host) -> Self {
        let files = texts.iter().map(ConfigText::layer);
        Self::of_layers(files.chain([Layer::of_environment(host)]))
    }

    /// Lays these layers over each other, the lowest first.
    pub fn of_layers(layers: impl IntoIterator<Item = Layer>) -> Self {
        let mut config = Self::default();
        for layer in layers {
            let before = config.problems.len();
            config.problems.extend(layer.problems);
            for (path, setting) in layer.settings {
                if let Some(spec) = schema::find(&path) {
                    config.lay(spec, path, setting);
                }
            }
            config.limit_problems(before);
        }
        config.skills = config
            .settings
            .keys()
            .filter_map(|path| match path.segments() {
                [section, id, ..] if section == "skills" => Some(id.clone()),
                _ => None,
            })
            .collect();
        config.values = config.value_tree();
        config
    }

    /// All that is said, sorted by key.
    pub fn settings(&self) -> impl Iterator<Item = (&KeyPath, &Setting)> {
        self.settings.iter()
    }

    /// What is said of a key.
    pub fn get(&self, path: &KeyPath) -> Option<&Setting> {
        self.settings.get(path)
    }

    /// What is wrong with the layers.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The most characters of the catalog.
    pub fn max_characters(&self) -> Option<u64> {
        self.count(schema::MAX_CHARACTERS)
    }

    /// The most tokens of the catalog.
    pub fn max_tokens(&self) -> Option<u64> {
        self.count(schema::MAX_TOKENS)
    }

    /// The most skills in the catalog.
    pub fn max_skills(&self) -> Option<u64> {
        self.count(schema::MAX_SKILLS)
    }

    /// What skills may be permitted to do.
    pub fn grants(&self) -> &[String] {
        self.list(schema::GRANTS)
    }

    /// Whether the operator allows that commands in a skill's text are run.
    pub fn allows_inline_shell(&self) -> bool {
        matches!(self.fixed(schema::INLINE_SHELL), Some(Value::Flag(true)))
    }

    /// Package managers, the preferred one first.
    pub fn preferred_installers(&self) -> &[String] {
        self.list(schema::PREFER)
    }

    /// The sources whose skills are trusted.
    pub fn trusted_sources(&self) -> &[String] {
        self.list(schema::TRUSTED)
    }

    /// How skills are judged: the preset, and the findings that do not count.
    pub fn guard_policy(&self) -> Policy {
        let preset = match self.fixed(schema::PRESET) {
            Some(Value::Preset(preset)) => *preset,
            _ => Preset::Balanced,
        };
        let suppressions = match self.fixed(schema::SUPPRESS) {
            Some(Value::Suppressions(entries)) => entries.clone(),
            _ => Vec::new(),
        };
        Policy {
            suppressions,
            ..preset.policy()
        }
    }

    /// Which skills are scanned before they are used.
    pub fn guard_on_load(&self) -> OnLoad {
        match self.fixed(schema::ON_LOAD) {
            Some(Value::OnLoad(on_load)) => *on_load,
            _ => OnLoad::default(),
        }
    }

    /// The content that is accepted whatever was found in it.
    pub fn guard_acceptances(&self) -> &[Acceptance] {
        match self.fixed(schema::ACCEPT) {
            Some(Value::Acceptances(entries)) => entries,
            _ => &[],
        }
    }

    /// The diagnostics that `check` does not report.
    pub fn ignored(&self) -> BTreeSet<Code> {
        let names = self.list(schema::IGNORED).iter();
        names.filter_map(|name| name.parse().ok()).collect()
    }

    /// The operator's values, which a skill's `config` requirements ask for. An object, or null when there are none.
    pub fn values(&self) -> &Json {
        &self.values
    }

    /// The host with the tools, kinds of environment and values that the operator says it has as well.
    #[must_use]
    pub fn furnish(&self, host: Host) -> Host {
        host.with_tools(self.list(schema::TOOLS))
            .with_toolsets(self.list(schema::TOOLSETS))
            .with_environments(self.list(schema::ENVIRONMENTS))
            .with_more_values(self.values.clone())
    }

    /// The roots that are to be searched beside those of the clients, sorted by name. `home` is what `~` stands for.
    pub fn extra_roots(&self, home: Option<&Path>) -> Vec<ExtraRoot> {
        let roots = self.settings.iter();
        roots
            .filter_map(|(key, setting)| match (key.segments(), &setting.value) {
                ([section, name, last], Value::Text(text))
                    if section == "roots" && last == "path" =>
                {
                    self.extra_root(name, text, &setting.origin, home)
                }
                _ => None,
            })
            .collect()
    }

    fn extra_root(
        &self,
        name: &str,
        text: &str,
        origin: &Origin,
        home: Option<&Path>,
    ) -> Option<ExtraRoot> {
        let beside = origin.file.parent()?;
        let path = match text.strip_prefix("~/") {
            Some(below) => home?.join(below),
            None => beside.join(text),
        };
        let is_project = origin.level == Level::Project;
        let trust = self.fixed_at(&["roots", name, "trust"]);
        Some(ExtraRoot {
            path: path.components().collect(),
            source: if is_project {
                Source::Workspace { distance: 0 }
            } else {
                Source::Global
            },
            trust: match trust {
                Some(Value::Trust(trust)) if !is_project => *trust,
                _ => Trust::Community,
            },
            within: is_project.then(|| beside.to_owned()),
        })
    }

    /// Of the problems from `first` on keeps no more than anybody reads.
    fn limit_problems(&mut self, first: usize) {
        let most = first + limits::CONFIG_PROBLEMS;
        let more = self.problems.len().saturating_sub(most);
        self.problems.truncate(most);
        if let (1.., Some(Problem::Config { path, position, .. })) = (more, self.problems.last()) {
            let more = Problem::Config {
                path: path.clone(),
                position: *position,
                reason: format!("{more} more faults of the file are not listed"),
            };
            self.problems.push(more);
        }
    }

    /// Lays one setting over what is there.
    fn lay(&mut self, spec: &KeySpec, path: KeyPath, mut setting: Setting) {
        if setting.origin.level == Level::Project {
            match self.allowed_to_project(spec, &path, &setting) {
                Ok(Some(value)) => setting.value = value,
                Ok(None) => return,
                Err((value, reason)) => {
                    self.problems.push(Problem::Config {
                        path: setting.origin.file.to_path_buf(),
                        position: setting.origin.position,
                        reason: format!("`{path}`: {reason}"),
                    });
                    let Some(value) = value else { return };
                    setting.value = value;
                }
            }
        }
        if spec.adds_up {
            self.add_up(&path, &mut setting);
        }
        if spec.pattern.ends_with("**") {
            self.clear_around(&path);
        }
        self.settings.insert(path, setting);
    }

    /// Takes out what cannot stand beside a value at `path`: values below it, and those that it lies below.
    fn clear_around(&mut self, path: &KeyPath) {
        let below = self.settings.range(path..).map(|(key, _)| key);
        let below: Vec<KeyPath> = below
            .take_while(|key| key.is_within(path))
            .cloned()
            .collect();
        for key in below.iter().chain(&path.ancestors()) {
            self.settings.remove(key);
        }
    }

    /// What of a project's setting counts: the value, or nothing where it changes nothing. An error is what does not
    /// count and why, with what is left.
    fn allowed_to_project(
        &self,
        spec: &KeySpec,
        path: &KeyPath,
        setting: &Setting,
    ) -> Result<Option<Value>, (Option<Value>, String)> {
        let refused = |reason: &str| Err((None, reason.to_owned()));
        match spec.project {
            ProjectRule::Free => Ok(Some(setting.value.clone())),
            ProjectRule::Never => refused("a project may not set this"),
            ProjectRule::Inside if self.settings.contains_key(path) => {
                refused("a project may not move a root of yours")
            }
            ProjectRule::Inside => match &setting.value {
                Value::Text(text) if stays_inside(text) => Ok(Some(setting.value.clone())),
                _ => refused("a project may only add roots inside itself"),
            },
            ProjectRule::Tighten => match tighten(self.holding(spec, path), &setting.value) {
                Tightening::Tighter => Ok(Some(setting.value.clone())),
                Tightening::Same => Ok(None),
                Tightening::Looser => refused("a project may only tighten what holds without it"),
                Tightening::Partly(value, more) => Err((
                    Some(value),
                    format!("a project may not add `{}`", more.join("`, `")),
                )),
            },
        }
    }

    /// What holds for a key; for one of an agent what holds for all, unless the agent has its own.
    fn holding<'a>(&'a self, spec: &'a KeySpec, path: &KeyPath) -> Option<&'a Value> {
        let own = || Some(&self.settings.get(path)?.value);
        let general = || match path.segments() {
            [skills, id, agents, _, last] if agents == "agents" => {
                self.fixed_at(&[skills, id, last])
            }
            _ => None,
        };
        own().or_else(general).or(spec.default)
    }

    /// Adds to the list of a setting what lower layers list.
    fn add_up(&self, path: &KeyPath, setting: &mut Setting) {
        fn join<T: Clone + PartialEq>(lower: &[T], items: &mut Vec<T>) {
            let mut all = lower.to_vec();
            all.extend(items.drain(..).filter(|item| !lower.contains(item)));
            *items = all;
        }
        let Some(lower) = self.settings.get(path).map(|lower| &lower.value) else {
            return;
        };
        match (lower, &mut setting.value) {
            (Value::List(lower), Value::List(items)) => join(lower, items),
            (Value::Suppressions(lower), Value::Suppressions(items)) => join(lower, items),
            (Value::Acceptances(lower), Value::Acceptances(items)) => join(lower, items),
            _ => {}
        }
    }

    fn value_tree(&self) -> Json {
        let mut tree = Json::Null;
        for (path, setting) in &self.settings {
            if let ([section, below @ ..], Value::Any(value)) = (path.segments(), &setting.value)
                && section == "values"
            {
                let leaf = below.iter().fold(&mut tree, |node, segment| {
                    if !node.is_object() {
                        *node = Json::Object(serde_json::Map::new());
                    }
                    &mut node[segment.as_str()]
                });
                *leaf = value.clone();
            }
        }
        tree
    }

    fn fixed(&self, key: &str) -> Option<&Value> {
        let segments: Vec<&str> = key.split('.').collect();
        self.fixed_at(&segments)
    }

    fn fixed_at(&self, segments: &[&str]) -> Option<&Value> {
        let path = KeyPath::new(segments.iter().map(|&segment| segment.to_owned()).collect())?;
        Some(&self.settings.get(&path)?.value)
    }

    fn count(&self, key: &str) -> Option<u64> {
        match self.fixed(key) {
            Some(Value::Count(count)) => Some(*count),
            _ => None,
        }
    }

    fn list(&self, key: &str) -> &[String] {
        match self.fixed(key) {
            Some(Value::List(items)) => items,
            _ => &[],
        }
    }
}

/// Whether a path that a project gives stays below the project, as far as its text tells.
fn stays_inside(text: &str) -> bool {
    let path = PathBuf::from(text);
    !text.starts_with('~')
        && !text.contains('\\')
        && path
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

#[cfg(test)]
mod tests;
