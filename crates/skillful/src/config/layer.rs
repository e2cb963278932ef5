//! One layer of the configuration: what a file or the environment says, with the place of each word.
//!
//! A fault costs its own key. What is wrong is a [`Problem`] with file, line and column; the file is never changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skillmd::Position;
use toml_edit::{Document, Item, TableLike};

use super::path::{KeyPath, id_form};
use super::positions::Positions;
use super::schema::{self, KEYS, KeySpec, Place};
use super::value::Value;
use crate::host::Host;
use crate::problem::Problem;

/// Whose word a layer is. Ordered: the greater one counts, but for [`Level::Project`], which can only tighten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The machine's administrator.
    System,
    /// The user.
    User,
    /// The project that is worked in.
    Project,
    /// A file that was named, in place of all others.
    Named,
    /// Environment variables.
    Environment,
}

impl Level {
    /// The word used in every output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Project => "project",
            Self::Named => "named",
            Self::Environment => "environment",
        }
    }
}

/// Where a value was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Whose word it is.
    pub level: Level,
    /// The file; for [`Level::Environment`] the name of the variable, with a `$` before it.
    pub file: Arc<Path>,
    /// Where in the file.
    pub position: Position,
}

/// What one layer says of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The value.
    pub value: Value,
    /// Where it was said.
    pub origin: Origin,
}

/// What one layer says.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Whose word it is.
    pub level: Level,
    /// Its settings by key, skills by their ids.
    pub settings: BTreeMap<KeyPath, Setting>,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}

impl Layer {
    fn new(level: Level) -> Self {
        Self {
            level,
            settings: BTreeMap::new(),
            problems: Vec::new(),
        }
    }

    /// Reads the text of the file at `path`. A text that is not TOML says nothing, and is a problem.
    pub fn read(level: Level, path: &Path, text: &str) -> Self {
        let mut layer = Self::new(level);
        match Document::parse(text) {
            Ok(document) => {
                let mut reader = Reader {
                    positions: Positions::of(text),
                    file: path.into(),
                    layer: &mut layer,
                };
                reader.section(None, document.as_table());
            }
            Err(error) => layer.problems.push(syntax_problem(path, text, &error)),
        }
        layer
    }

    /// A file that could not be read, for this reason.
    pub(super) fn unreadable(level: Level, path: &Path, reason: String) -> Self {
        let mut layer = Self::new(level);
        layer.problems.push(Problem::Config {
            path: path.to_owned(),
            position: Position::START,
            reason,
        });
        layer
    }

    /// What the environment says: for each key of the table without a wildcard, the variable
    /// [`KeySpec::variable`].
    pub fn of_environment(host: &Host) -> Self {
        let mut layer = Self::new(Level::Environment);
        let given = |spec: &'static KeySpec| {
            let name = spec.variable()?;
            let text = host.variable(&name)?;
            Some((spec, PathBuf::from(format!("${name}")), text))
        };
        for (spec, place, text) in KEYS.iter().filter_map(given) {
            let position = Position::START;
            match Value::from_text(spec.kind, text) {
                Ok(value) => {
                    let path = spec.pattern.split('.').map(str::to_owned).collect();
                    let origin = Origin {
                        level: Level::Environment,
                        file: place.into(),
                        position,
                    };
                    let setting = Setting { value, origin };
                    layer
                        .settings
                        .extend(KeyPath::new(path).map(|path| (path, setting)));
                }
                Err(reason) => layer.problems.push(Problem::Config {
                    path: place,
                    position,
                    reason,
                }),
            }
        }
        layer
    }
}

/// The problem of a text that is not TOML.
pub(super) fn syntax_problem(path: &Path, text: &str, error: &toml_edit::TomlError) -> Problem {
    let offset = error.span().map_or(0, |span| span.start);
    Problem::Config {
        path: path.to_owned(),
        position: Position::of(text, offset),
        reason: format!(
            "the file is not TOML and was left as it is: {}",
            error.message()
        ),
    }
}

/// Goes through a document.
struct Reader<'a> {
    positions: Positions<'a>,
    file: Arc<Path>,
    layer: &'a mut Layer,
}

impl Reader<'_> {
    /// Reads a table that lies at `at`; nothing is the whole file.
    fn section(&mut self, at: Option<&KeyPath>, table: &dyn TableLike) {
        for (name, item) in table.iter() {
            let place = table.key(name).and_then(toml_edit::Key::span);
            let place = place.map_or(0, |span| span.start);
            let position = self.positions.at(place);
            let Some(name) = self.name(at, name, position) else {
                continue;
            };
            let path = at.map_or_else(|| KeyPath::single(&*name), |at| at.join(&*name));
            if at.is_none() && name == schema::CLIENTS {
                continue;
            }
            self.entry(&path, item, position);
        }
    }

    /// The name of a key; that of a skill is its id.
    fn name(&mut self, at: Option<&KeyPath>, name: &str, position: Position) -> Option<String> {
        if at.is_none_or(|at| at.segments() != ["skills"]) {
            return Some(name.to_owned());
        }
        let id = id_form(name);
        if id.is_none() {
            self.problem(position, format!("`{name}` cannot be the id of a skill"));
        }
        id
    }

    fn entry(&mut self, path: &KeyPath, item: &Item, position: Position) {
        let spec = match (schema::place(path), item.as_table_like()) {
            // Below `values` every table is a branch, however it is written.
            (Place::Key(spec), Some(table)) if spec.pattern.ends_with("**") => {
                return self.section(Some(path), table);
            }
            (Place::Section, Some(table)) => return self.section(Some(path), table),
            (Place::Section, None) => {
                return self.problem(position, format!("`{path}` takes a table"));
            }
            (Place::Unknown, _) => return self.unknown(path, position),
            (Place::Key(spec), _) => spec,
        };
        match Value::from_toml(spec.kind, item) {
            Ok(taken) => {
                for fault in taken.faults {
                    self.problem(position, format!("`{path}`: {fault}"));
                }
                self.set(path, taken.value, position);
            }
            Err(fault) => self.problem(position, format!("`{path}` {fault}")),
        }
    }

    /// Notes a setting. Two spellings of one skill's id can state it twice; then the first counts.
    fn set(&mut self, path: &KeyPath, value: Value, position: Position) {
        let origin = Origin {
            level: self.layer.level,
            file: Arc::clone(&self.file),
            position,
        };
        if self.layer.settings.contains_key(path) {
            let reason =
                format!("`{path}` is given twice, under two spellings of the id; the first counts");
            return self.problem(position, reason);
        }
        self.layer
            .settings
            .insert(path.clone(), Setting { value, origin });
    }

    fn unknown(&mut self, path: &KeyPath, position: Position) {
        let siblings = schema::siblings(path).join("`, `");
        let reason = if siblings.is_empty() {
            format!("`{path}` is not a key that is known")
        } else {
            format!("`{path}` is not a key that is known; there are `{siblings}`")
        };
        self.problem(position, reason);
    }

    fn problem(&mut self, position: Position, reason: String) {
        self.layer.problems.push(Problem::Config {
            path: self.file.to_path_buf(),
            position,
            reason,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(text: &str) -> Layer {
        Layer::read(Level::User, Path::new("skills.toml"), text)
    }

    fn settings(layer: &Layer) -> Vec<String> {
        let settings = layer.settings.iter();
        settings
            .map(|(path, setting)| format!("{path} = {}", setting.value))
            .collect()
    }

    fn problems(layer: &Layer) -> Vec<String> {
        layer.problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_form_of_a_table_is_read() {
        let text = "catalog.max-skills = 3\nskills = { a = { mode = 'pinned' } }\n[values.browser]\nenabled = true\nlist = [1, 2]\n[values.empty]\n";
        let layer = layer(text);
        assert_eq!(
            settings(&layer),
            [
                "catalog.max-skills = 3",
                "skills.a.mode = pinned",
                "values.browser.enabled = true",
                "values.browser.list = [1,2]"
            ]
        );
        assert_eq!(problems(&layer), [""; 0]);
    }

    #[test]
    fn skills_are_known_by_their_ids() {
        let layer = layer(
            "[skills.PDF_Forms]\nenabled = false\n[skills.'My Tools:Lint']\nmode = 'pinned'\n[skills.'!']\nmode = 'auto'\n[skills.pdf-forms]\nenabled = true\n",
        );
        assert_eq!(
            settings(&layer),
            [
                "skills.\"my-tools:lint\".mode = pinned",
                "skills.pdf-forms.enabled = false"
            ]
        );
        let problems = problems(&layer);
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(problems[0].starts_with("skills.toml:5:9: "), "{problems:?}");
        assert!(problems[1].contains("first counts"), "{problems:?}");
    }

    #[test]
    fn a_fault_costs_its_key_and_tells_its_place() {
        let layer = layer(
            "[skills.a]\nenabled = 'no'\ncolour = 1\nmode = 'name-only'\n[permissions]\ngrants = ['x', 2]\n[odd]\nx = 1\n",
        );
        assert_eq!(
            settings(&layer),
            ["permissions.grants = x", "skills.a.mode = name-only"]
        );
        let problems = problems(&layer);
        assert_eq!(problems.len(), 4, "{problems:?}");
        assert!(
            problems[0].starts_with("skills.toml:2:1: `skills.a.enabled` takes"),
            "{problems:?}"
        );
        assert!(
            problems[1].contains("3:1") && problems[1].contains("scope"),
            "{problems:?}"
        );
        assert!(problems[2].contains("6:1"), "{problems:?}");
        assert!(problems[3].contains("7:2: `odd`"), "{problems:?}");
    }

    #[test]
    fn what_is_not_toml_says_nothing() {
        let layer = layer("[skills.a]\nenabled = false\n[catalog\n");
        assert_eq!(settings(&layer), [""; 0]);
        assert!(
            problems(&layer)[0].starts_with("skills.toml:3:"),
            "{:?}",
            problems(&layer)
        );
    }

    #[test]
    fn the_environment_sets_fixed_keys() {
        let host = Host::new("/w")
            .with_variable("SKILLFUL_CATALOG_MAX_TOKENS", "900")
            .with_variable("SKILLFUL_PERMISSIONS_GRANTS", "a,b")
            .with_variable("SKILLFUL_PERMISSIONS_INLINE_SHELL", "perhaps")
            .with_variable("SKILLFUL_HOME", "/h");
        let layer = Layer::of_environment(&host);
        assert_eq!(
            settings(&layer),
            ["catalog.max-tokens = 900", "permissions.grants = a, b"]
        );
        let problems = problems(&layer);
        assert_eq!(problems.len(), 1);
        assert!(
            problems[0].starts_with("$SKILLFUL_PERMISSIONS_INLINE_SHELL"),
            "{problems:?}"
        );
    }
}
