//! Where an installed skill goes: the clients' directories, each real one once.
//!
//! ```text
//! Reach, clients wanted ─choose→ directories, the first of which holds the skill itself
//! ```
//!
//! In a project the first directory gets a copy that can be committed, and the others get relative links to it, so that
//! the project can be moved and shared. For the user every directory gets a link to the store of objects. A client that
//! reads a directory which is chosen already gets none of its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use skillful::roots::{self, ClientDirectories, UNIVERSAL};
use skillful::{Client, Clients, Host, Options, Setup};

/// Whose skills are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Those of the project in this directory.
    Project(PathBuf),
    /// The user's own.
    User,
    /// Those in this directory, whichever client reads it.
    Directory(PathBuf),
}

impl Reach {
    /// Those that are meant where nobody says it: of a directory that was named, of the project that was named or that
    /// holds the working directory, else the user's own. `is_global` means the user's own in any case but the first.
    pub fn usual(setup: &Setup, is_global: bool) -> Self {
        if let Some(root) = setup.options.roots.first() {
            return Self::Directory(setup.host.working_directory().join(root));
        }
        let project = setup.project();
        let is_project = setup.options.project.is_some() || project.join(".git").exists();
        if is_global || !is_project {
            Self::User
        } else {
            Self::Project(project)
        }
    }
}

/// Which clients are to have a skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum WantedClients {
    /// Those that are there, and the shared directory.
    #[default]
    Present,
    /// All that are known.
    All,
    /// These.
    Named(Vec<String>),
}

/// How a skill gets into a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// Its files are copied.
    Copy,
    /// A link leads to them; on Windows a junction.
    Link,
}

impl Method {
    /// The word used in output and in locks.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Copy => "copy",
            Self::Link => "link",
        }
    }

    /// The method that a word stands for.
    pub fn of_word(word: &str) -> Option<Self> {
        [Self::Copy, Self::Link]
            .into_iter()
            .find(|method| method.as_str() == word)
    }
}

/// A directory that a skill is put into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directory {
    /// The directory that holds skills, absolute. It need not exist.
    pub path: PathBuf,
    /// The client whose directory it is; nothing when it was named by its path.
    pub client: Option<Arc<str>>,
    /// How the skill gets there.
    pub method: Method,
    /// The clients that read it, those that asked for it and those that read it anyway; sorted.
    pub readers: Vec<Arc<str>>,
}

/// No directory can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// There is no such client.
    #[error("there is no client `{name}`")]
    UnknownClient {
        /// What was asked for.
        name: String,
        /// Ids that look like it.
        near: Vec<String>,
    },
    /// The client keeps no skills there.
    #[error("{client} keeps no skills {}", .reach)]
    NoDirectory {
        /// The client's id.
        client: String,
        /// `in projects` or `of the user`.
        reach: &'static str,
    },
}

/// What directories are chosen from.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// The outside world.
    pub host: &'a Host,
    /// The clients that are known.
    pub clients: &'a Clients,
    /// What narrows the search.
    pub options: &'a Options,
}

impl Ground<'_> {
    /// Chooses the directories that a skill goes into. With `copy` every one gets a copy.
    ///
    /// # Errors
    ///
    /// See [`TargetError`].
    pub fn choose(
        &self,
        reach: &Reach,
        wanted: &WantedClients,
        copy: bool,
    ) -> Result<Vec<Directory>, TargetError> {
        if let Reach::Directory(path) = reach {
            return Ok(vec![Directory {
                path: path.clone(),
                client: None,
                method: Method::Copy,
                readers: Vec::new(),
            }]);
        }
        let mut choice = Choice::default();
        match wanted {
            WantedClients::Named(names) => {
                for name in names {
                    let client = self.client(name)?;
                    choice.add(client, &self.directories(client, reach), false)?;
                }
            }
            WantedClients::All => {
                for client in self.universal_first() {
                    let directories = self.directories(client, reach);
                    if !directories.own.is_empty() {
                        choice.add(client, &directories, false)?;
                    }
                }
            }
            WantedClients::Present => self.add_present(reach, &mut choice)?,
        }
        choice.note_readers(self.clients.iter().map(|client| {
            let directories = self.directories(client, reach);
            (Arc::clone(&client.id), directories)
        }));
        Ok(choice.finish(reach, copy))
    }

    /// The shared directory, and those of clients that are there and do not read it.
    fn add_present(&self, reach: &Reach, choice: &mut Choice) -> Result<(), TargetError> {
        let home = self.home();
        let base = match reach {
            Reach::Project(project) => project.as_path(),
            Reach::User | Reach::Directory(_) => home.as_deref().unwrap_or(Path::new("")),
        };
        let (shared, others): (Vec<&Client>, Vec<&Client>) = self
            .universal_first()
            .partition(|client| &*client.id == UNIVERSAL);
        let present: Vec<(&Client, ClientDirectories)> = others
            .into_iter()
            .map(|client| (client, self.directories(client, reach)))
            .filter(|(_, directories)| is_present(directories, base))
            .collect();
        for client in shared {
            let mut directories = self.directories(client, reach);
            // Of several shared directories the one that most of the clients read.
            let readers = |path: &Path| present.iter().filter(|(_, it)| it.reads(path)).count();
            directories
                .own
                .sort_by_key(|path| std::cmp::Reverse(readers(path)));
            let is_read = directories
                .own
                .first()
                .is_some_and(|path| readers(path) > 0);
            if is_read || present.is_empty() || matches!(reach, Reach::Project(_)) {
                choice.add(client, &directories, false)?;
            }
        }
        for (client, directories) in &present {
            choice.add(client, directories, true)?;
        }
        Ok(())
    }

    fn home(&self) -> Option<PathBuf> {
        roots::home(self.host, self.options)
    }

    fn client(&self, name: &str) -> Result<&Client, TargetError> {
        self.clients.get(name).ok_or_else(|| {
            let mut near: Vec<(f64, &str)> = self
                .clients
                .iter()
                .map(|client| (strsim::jaro_winkler(&client.id, name), &*client.id))
                .filter(|(likeness, _)| *likeness > 0.8)
                .collect();
            near.sort_by(|a, b| b.0.total_cmp(&a.0));
            TargetError::UnknownClient {
                name: name.to_owned(),
                near: near
                    .iter()
                    .take(3)
                    .map(|(_, id)| (*id).to_owned())
                    .collect(),
            }
        })
    }

    fn directories(&self, client: &Client, reach: &Reach) -> ClientDirectories {
        match reach {
            Reach::Project(project) => ClientDirectories::in_project(client, project),
            Reach::User => ClientDirectories::of_user(client, self.host, self.options),
            Reach::Directory(_) => ClientDirectories::default(),
        }
    }

    fn universal_first(&self) -> impl Iterator<Item = &Client> {
        let shared = self.clients.get(UNIVERSAL).into_iter();
        let others = self.clients.iter().filter(|it| &*it.id != UNIVERSAL);
        shared.chain(others)
    }
}

/// Directories that say nothing about which client is there.
const SHARED: [&str; 3] = [".agents", ".config", ".config/agents"];

/// Whether a client is there: a directory for its skills exists, or the one around it does, if that is the client's own.
fn is_present(directories: &ClientDirectories, base: &Path) -> bool {
    directories.own.iter().any(|path| {
        let around = path.parent().filter(|around| {
            let below = around.strip_prefix(base).unwrap_or(around);
            let is_hidden = below.to_string_lossy().starts_with('.');
            is_hidden && SHARED.iter().all(|shared| below != Path::new(shared))
        });
        path.is_dir() || around.is_some_and(Path::is_dir)
    })
}

/// The directories chosen so far.
#[derive(Debug, Default)]
struct Choice {
    directories: Vec<Directory>,
}

impl Choice {
    /// Adds a client's first directory, unless it is chosen already, or is another spelling of one that is. With
    /// `if_unread` it is only added when the client reads none that is chosen.
    fn add(
        &mut self,
        client: &Client,
        directories: &ClientDirectories,
        if_unread: bool,
    ) -> Result<(), TargetError> {
        let chosen = &self.directories;
        if if_unread && chosen.iter().any(|it| directories.reads(&it.path)) {
            return Ok(());
        }
        let Some(path) = directories.own.first() else {
            let reach = if client.project.is_empty() {
                "in projects"
            } else {
                "of the user"
            };
            return Err(TargetError::NoDirectory {
                client: client.id.to_string(),
                reach,
            });
        };
        let real = real(path);
        if chosen.iter().all(|it| self::real(&it.path) != real) {
            self.directories.push(Directory {
                path: path.clone(),
                client: Some(Arc::clone(&client.id)),
                method: Method::Link,
                readers: Vec::new(),
            });
        }
        Ok(())
    }

    fn note_readers(&mut self, clients: impl Iterator<Item = (Arc<str>, ClientDirectories)>) {
        for (id, directories) in clients {
            for chosen in &mut self.directories {
                if directories.reads(&chosen.path) {
                    chosen.readers.push(Arc::clone(&id));
                }
            }
        }
    }

    fn finish(mut self, reach: &Reach, copy: bool) -> Vec<Directory> {
        for (index, directory) in self.directories.iter_mut().enumerate() {
            let holds_it = index == 0 && matches!(reach, Reach::Project(_));
            if copy || holds_it {
                directory.method = Method::Copy;
            }
        }
        self.directories
    }
}

/// A path without links, as far as it exists: dotfile managers link whole directories of clients to each other.
pub fn real(path: &Path) -> PathBuf {
    for above in path.ancestors() {
        if let Ok(real) = above.canonicalize() {
            return match path.strip_prefix(above) {
                Ok(below) if !below.as_os_str().is_empty() => real.join(below),
                _ => real,
            };
        }
    }
    path.to_owned()
}

/// A path without links on the way to it; what lies there is not followed, as it may be a link that is to be replaced.
pub fn real_place(path: &Path) -> PathBuf {
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => real(parent).join(name),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct World {
        directory: tempfile::TempDir,
        clients: Clients,
    }

    impl World {
        fn new(existing: &[&str]) -> Self {
            let directory = tempfile::tempdir().unwrap();
            for path in existing {
                std::fs::create_dir_all(directory.path().join(path)).unwrap();
            }
            Self {
                directory,
                clients: Clients::built_in().unwrap(),
            }
        }

        fn choose(
            &self,
            project: bool,
            wanted: &WantedClients,
        ) -> Result<Vec<(String, &'static str)>, TargetError> {
            let top = self.directory.path();
            let host = Host::new(top).with_home(top.join("home"));
            let ground = Ground {
                host: &host,
                clients: &self.clients,
                options: &Options::default(),
            };
            let reach = if project {
                Reach::Project(top.join("project"))
            } else {
                Reach::User
            };
            let chosen = ground.choose(&reach, wanted, false)?;
            let shown = |it: Directory| {
                let path = it.path.strip_prefix(top).unwrap();
                (
                    path.to_string_lossy().replace('\\', "/"),
                    it.method.as_str(),
                )
            };
            Ok(chosen.into_iter().map(shown).collect())
        }
    }

    fn named(names: &[&str]) -> WantedClients {
        WantedClients::Named(names.iter().map(|&name| name.to_owned()).collect())
    }

    fn expected(entries: &[(&str, &'static str)]) -> Vec<(String, &'static str)> {
        entries
            .iter()
            .map(|(path, method)| ((*path).to_owned(), *method))
            .collect()
    }

    #[test]
    fn a_project_gets_the_shared_directory_and_links_for_those_that_do_not_read_it() {
        let world = World::new(&["project/.claude", "project/.cursor/skills"]);
        assert_eq!(
            world.choose(true, &WantedClients::Present).unwrap(),
            expected(&[
                ("project/.agents/skills", "copy"),
                ("project/.claude/skills", "link"),
            ])
        );
    }

    #[test]
    fn the_user_gets_links_for_the_clients_that_are_there() {
        let world = World::new(&["home/.claude", "home/.codex"]);
        assert_eq!(
            world.choose(false, &WantedClients::Present).unwrap(),
            expected(&[
                ("home/.agents/skills", "link"),
                ("home/.claude/skills", "link"),
            ]),
            "Codex reads the shared directory"
        );
        let world = World::new(&["home/.claude"]);
        assert_eq!(
            world.choose(false, &WantedClients::Present).unwrap(),
            expected(&[("home/.claude/skills", "link")]),
            "nobody there reads the shared directory"
        );
    }

    #[test]
    fn where_no_client_is_there_the_shared_directory_is_taken() {
        let chosen = World::new(&[]).choose(false, &WantedClients::Present);
        assert_eq!(chosen.unwrap().len(), 1);
    }

    #[test]
    fn a_directory_is_chosen_once_however_many_names_it_has() {
        let world = World::new(&["project"]);
        let wanted = named(&["codex", "cursor", "claude-code", "codex"]);
        assert_eq!(
            world.choose(true, &wanted).unwrap(),
            expected(&[
                ("project/.agents/skills", "copy"),
                ("project/.claude/skills", "link"),
            ])
        );
    }

    #[cfg(unix)]
    #[test]
    fn directories_that_are_links_to_each_other_are_one() {
        let world = World::new(&["home/.claude/skills", "home/.cursor"]);
        let home = world.directory.path().join("home");
        std::os::unix::fs::symlink(home.join(".claude/skills"), home.join(".cursor/skills"))
            .unwrap();
        let chosen = world.choose(false, &named(&["claude-code", "cursor"]));
        assert_eq!(
            chosen.unwrap(),
            expected(&[("home/.claude/skills", "link")])
        );
    }

    #[test]
    fn an_unknown_client_is_refused_with_near_names() {
        let world = World::new(&[]);
        let error = world.choose(true, &named(&["claude-cod"])).unwrap_err();
        assert_eq!(
            error,
            TargetError::UnknownClient {
                name: "claude-cod".to_owned(),
                near: vec!["claude-code".to_owned()],
            }
        );
        let error = world.choose(true, &named(&["denkeeper"])).unwrap_err();
        assert_eq!(error.to_string(), "denkeeper keeps no skills in projects");
    }
}
