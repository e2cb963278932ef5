//! The programs that read skills, and the directories in which each looks for them.
//!
//! All of it is data: `clients.toml` is part of the program, and a user's file of the same shape is laid over it, client
//! by client and field by field. The file's head explains the fields.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use skillmd::Position;

use crate::limits;

pub(crate) mod template;

pub use template::Template;

const BUILT_IN: &str = include_str!("clients.toml");

/// Which single files of a root are skills. Ordered: each takes what those before it take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
pub enum Flat {
    /// None: only directories with a SKILL.md are skills.
    #[default]
    #[serde(rename = "none")]
    None,
    /// `*.skill.md` (Aleph).
    #[serde(rename = "skill.md")]
    SkillMd,
    /// `*.md` that begins with a frontmatter which gives a name: for directories of which no client is known.
    #[serde(skip)]
    NamedMarkdown,
    /// Any `*.md` (Denkeeper), except documents such as README.md that have no frontmatter.
    #[serde(rename = "markdown")]
    Markdown,
}

/// A program that reads skills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// The name used in commands and output, such as `claude-code`.
    pub id: Arc<str>,
    /// The name for people.
    pub name: String,
    /// Its own directories in a project, relative to it; the first is the one to install into.
    pub project: Vec<PathBuf>,
    /// Its own directories of the user; the first is the one to install into.
    pub global: Vec<Template>,
    /// Other directories in a project that it reads: old ones, and those of other clients.
    pub also_project: Vec<PathBuf>,
    /// Other directories of the user that it reads.
    pub also_global: Vec<Template>,
    /// Directories of the machine's administrator.
    pub system: Vec<Template>,
    /// Skill directories of plugins, with `*` for any name and `{plugin}` for the plugin's.
    pub plugins: Vec<Template>,
    /// The plugin manager's list of what is installed.
    pub installed: Option<Template>,
    /// How many directories down a skill may lie in its own directories.
    pub depth: u8,
    /// Which single files in its own directories are skills.
    pub flat: Flat,
    /// Whether a directory without SKILL.md is a skill if another Markdown file in it begins with a frontmatter.
    pub any_markdown: bool,
}

/// All clients, sorted by id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clients {
    clients: Vec<Client>,
}

/// A client file could not be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientsError {
    /// The file is not TOML of the expected shape.
    #[error("{}:{}:{}: {message}", path.display(), position.line, position.column)]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Where in the file.
        position: Position,
        /// What the TOML reader says.
        message: String,
    },
    /// A field holds what it cannot hold.
    #[error("{}: client `{client}`, field `{field}`: {reason}", path.display())]
    Field {
        /// The file.
        path: PathBuf,
        /// The client's id.
        client: String,
        /// The field's name.
        field: &'static str,
        /// What is wrong with its value.
        reason: String,
    },
}

/// Where the directories that a file names may lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Anywhere: the user's own file.
    Anywhere,
    /// In the project: a project's file, which may be a stranger's.
    Project,
}

/// One line of the file. A field that is not given leaves the built-in one as it is.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    name: Option<String>,
    #[serde(borrow)]
    directory: Option<&'a str>,
    project: Option<Vec<String>>,
    global: Option<Vec<String>>,
    also_project: Option<Vec<String>>,
    also_global: Option<Vec<String>>,
    system: Option<Vec<String>>,
    plugins: Option<Vec<String>>,
    installed: Option<String>,
    depth: Option<u8>,
    flat: Option<Flat>,
    any_markdown: Option<bool>,
}

impl Clients {
    /// The clients that the program knows by itself.
    ///
    /// # Errors
    ///
    /// None in a program that passed its tests: they read the built-in file.
    pub fn built_in() -> Result<Self, ClientsError> {
        let mut clients = Self {
            clients: Vec::new(),
        };
        clients.lay_over(Path::new("<built-in>/clients.toml"), BUILT_IN)?;
        Ok(clients)
    }

    /// Lays a user's file over what is known: new clients are added, given fields replace those of known ones.
    /// After an error nothing has changed.
    ///
    /// # Errors
    ///
    /// [`ClientsError`] with the place in `text`; `path` only serves to name it.
    pub fn lay_over(&mut self, path: &Path, text: &str) -> Result<(), ClientsError> {
        let lines = toml::from_str(text).map_err(|error| syntax(path, text, &error))?;
        self.lay_lines(path, lines, Reach::Anywhere)
    }

    /// The same with the table `clients` of a `skills.toml`; without one nothing changes.
    ///
    /// # Errors
    ///
    /// As [`Clients::lay_over`], and when a project's file names a directory outside the project.
    pub fn lay_over_config(
        &mut self,
        path: &Path,
        text: &str,
        reach: Reach,
    ) -> Result<(), ClientsError> {
        #[derive(Deserialize)]
        struct ConfigFile<'a> {
            #[serde(borrow, default)]
            clients: BTreeMap<&'a str, Line<'a>>,
        }
        let file: ConfigFile<'_> =
            toml::from_str(text).map_err(|error| syntax(path, text, &error))?;
        self.lay_lines(path, file.clients, reach)
    }

    fn lay_lines(
        &mut self,
        path: &Path,
        lines: BTreeMap<&str, Line<'_>>,
        reach: Reach,
    ) -> Result<(), ClientsError> {
        let mut clients = self.clients.clone();
        for (id, line) in lines {
            let place = clients.binary_search_by(|client| (*client.id).cmp(id));
            let mut client = match place {
                Ok(index) => clients[index].clone(),
                Err(_) => Client::unknown(id),
            };
            line.apply(&mut client, reach)
                .map_err(|(field, reason)| ClientsError::Field {
                    path: path.to_owned(),
                    client: id.to_owned(),
                    field,
                    reason,
                })?;
            match place {
                Ok(index) => clients[index] = client,
                Err(index) => clients.insert(index, client),
            }
        }
        self.clients = clients;
        Ok(())
    }

    /// The client with this id.
    pub fn get(&self, id: &str) -> Option<&Client> {
        self.clients
            .binary_search_by(|client| (*client.id).cmp(id))
            .ok()
            .and_then(|index| self.clients.get(index))
    }

    /// All clients, sorted by id.
    pub fn iter(&self) -> std::slice::Iter<'_, Client> {
        self.clients.iter()
    }
}

fn syntax(path: &Path, text: &str, error: &toml::de::Error) -> ClientsError {
    let offset = error.span().map_or(0, |span| span.start);
    ClientsError::Syntax {
        path: path.to_owned(),
        position: Position::of(text, offset),
        message: error.message().to_owned(),
    }
}

impl<'a> IntoIterator for &'a Clients {
    type Item = &'a Client;
    type IntoIter = std::slice::Iter<'a, Client>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Client {
    fn unknown(id: &str) -> Self {
        Self {
            id: id.into(),
            name: id.to_owned(),
            project: Vec::new(),
            global: Vec::new(),
            also_project: Vec::new(),
            also_global: Vec::new(),
            system: Vec::new(),
            plugins: Vec::new(),
            installed: None,
            depth: limits::DEPTH,
            flat: Flat::None,
            any_markdown: false,
        }
    }
}

/// A field's name and what is wrong with its value.
type Fault = (&'static str, String);

impl Line<'_> {
    fn apply(self, client: &mut Client, reach: Reach) -> Result<(), Fault> {
        if reach == Reach::Project {
            self.check_inside()?;
        }
        if let Some(directory) = self.directory {
            let skills = format!("{directory}/skills");
            client.project = vec![relative("directory", &skills)?];
            if reach == Reach::Anywhere {
                client.global = vec![template("directory", &format!("~/{skills}"))?];
            }
        }
        if let Some(name) = self.name {
            client.name = name;
        }
        set(&mut client.project, self.project, |path| {
            relative("project", path)
        })?;
        set(&mut client.global, self.global, |path| {
            template("global", path)
        })?;
        set(&mut client.also_project, self.also_project, |path| {
            relative("also_project", path)
        })?;
        set(&mut client.also_global, self.also_global, |path| {
            template("also_global", path)
        })?;
        set(&mut client.system, self.system, |path| {
            template("system", path)
        })?;
        set(&mut client.plugins, self.plugins, |path| {
            template("plugins", path)
        })?;
        if let Some(path) = self.installed {
            client.installed = Some(template("installed", &path)?);
        }
        client.depth = self.depth.unwrap_or(client.depth);
        client.flat = self.flat.unwrap_or(client.flat);
        client.any_markdown = self.any_markdown.unwrap_or(client.any_markdown);
        Ok(())
    }

    /// Refuses what leads out of a project.
    fn check_inside(&self) -> Result<(), Fault> {
        let outside = [
            ("global", self.global.is_some()),
            ("also_global", self.also_global.is_some()),
            ("system", self.system.is_some()),
            ("plugins", self.plugins.is_some()),
            ("installed", self.installed.is_some()),
        ];
        match outside.iter().find(|(_, is_given)| *is_given) {
            Some((field, _)) => {
                let reason = "a project may only name directories of its own";
                Err((field, reason.to_owned()))
            }
            None => Ok(()),
        }
    }
}

fn set<T>(
    field: &mut Vec<T>,
    given: Option<Vec<String>>,
    read: impl Fn(&str) -> Result<T, Fault>,
) -> Result<(), Fault> {
    if let Some(paths) = given {
        *field = paths
            .iter()
            .map(|path| read(path))
            .collect::<Result<_, _>>()?;
    }
    Ok(())
}

fn template(field: &'static str, text: &str) -> Result<Template, Fault> {
    text.parse()
        .map_err(|error: template::TemplateError| (field, error.to_string()))
}

/// A path that stays below the directory it is joined to.
fn relative(field: &'static str, text: &str) -> Result<PathBuf, Fault> {
    use std::path::Component;
    let path = Path::new(text);
    let plain = |component| matches!(component, Component::Normal(_));
    if text.is_empty() || text.contains('\\') || !path.components().all(plain) {
        return Err((field, format!("`{text}` is not a path inside the project")));
    }
    Ok(path.to_owned())
}

#[cfg(test)]
mod tests;
