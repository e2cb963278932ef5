//! The directories that skills of a project or of a user can lie in, and what lies there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use skillful::roots::{self, ClientDirectories, UNIVERSAL};

use crate::install::Installer;
use crate::limits;
use crate::targets::{self, Method, Reach};

/// Where tools keep things.
#[derive(Debug)]
pub(super) struct Ground {
    /// The project, or the home.
    pub(super) top: PathBuf,
    pub(super) is_user: bool,
    /// `$XDG_STATE_HOME`, where it counts.
    pub(super) state_home: Option<PathBuf>,
    roots: Vec<Root>,
    /// All that lies in them, in their order.
    pub(super) spots: Vec<Spot>,
}

/// A directory of skills.
#[derive(Clone, Debug)]
struct Root {
    path: PathBuf,
    client: Option<Arc<str>>,
}

/// A directory in a directory of skills, or a link to one.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub(super) path: PathBuf,
    pub(super) name: String,
    pub(super) client: Option<Arc<str>>,
    pub(super) method: Method,
    /// Without links.
    pub(super) real: PathBuf,
}

/// A foreign path that leads out of its base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LeadsOut;

impl Ground {
    /// The ground of an installer; nothing where there is no home.
    pub(super) fn of(installer: &Installer<'_>) -> Option<Self> {
        let setup = installer.setup;
        let home = roots::home(&setup.host, &setup.options);
        let (top, is_user) = match &installer.reach {
            Reach::Project(project) => (project.clone(), false),
            Reach::Directory(directory) => (directory.clone(), false),
            Reach::User => (home?, true),
        };
        let state_home = setup.host.variable("XDG_STATE_HOME");
        let state_home = state_home.filter(|_| is_user && setup.options.home.is_none());
        let mut ground = Self {
            state_home: state_home.map(PathBuf::from),
            roots: Vec::new(),
            spots: Vec::new(),
            top,
            is_user,
        };
        if let Reach::Directory(directory) = &installer.reach {
            ground.add_root(directory.clone(), None);
        } else {
            ground.add_clients(installer);
        }
        let mut seen = BTreeSet::new();
        for root in ground.roots.clone() {
            ground.list(&root, &mut seen);
        }
        Some(ground)
    }

    fn add_clients(&mut self, installer: &Installer<'_>) {
        let setup = installer.setup;
        let shared = setup.clients.get(UNIVERSAL).into_iter();
        let others = setup.clients.iter().filter(|it| &*it.id != UNIVERSAL);
        for client in shared.chain(others) {
            let directories = match &installer.reach {
                Reach::Project(project) => ClientDirectories::in_project(client, project),
                _ => ClientDirectories::of_user(client, &setup.host, &setup.options),
            };
            for path in directories.own {
                self.add_root(path, Some(Arc::clone(&client.id)));
            }
        }
        // Where ClawHub and SkillPort put skills, which no client has to itself.
        for below in ["skills", ".skillport/skills"] {
            self.add_root(self.top.join(below), None);
        }
    }

    fn add_root(&mut self, path: PathBuf, client: Option<Arc<str>>) {
        if path.is_dir() && self.roots.iter().all(|root| root.path != path) {
            self.roots.push(Root { path, client });
        }
    }

    /// The directories of skills.
    pub(super) fn roots(&self) -> impl Iterator<Item = &Path> {
        self.roots.iter().map(|root| root.path.as_path())
    }

    /// Notes what lies in a root. Of several names of one directory the first that is no link of its own counts.
    fn list(&mut self, root: &Root, seen: &mut BTreeSet<PathBuf>) {
        let real_root = targets::real(&root.path);
        let Ok(entries) = fs::read_dir(&root.path) else {
            return;
        };
        let mut spots = Vec::new();
        for entry in entries.flatten().take(limits::ADOPTED_ENTRIES) {
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let path = root.path.join(&name);
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            // The same place by another spelling, because one root is a link to another.
            let is_new = seen.insert(real_root.join(&name));
            if path.is_dir() && is_new {
                spots.push(Spot {
                    real: targets::real(&path),
                    client: root.client.clone(),
                    method: if kind.is_symlink() {
                        Method::Link
                    } else {
                        Method::Copy
                    },
                    name,
                    path,
                });
            }
        }
        spots.sort_by(|a, b| a.name.cmp(&b.name));
        self.spots.append(&mut spots);
    }

    /// The directories of this name that are no links.
    pub(super) fn named<'g>(&'g self, name: &'g str) -> impl Iterator<Item = &'g Spot> {
        let spots = self.spots.iter();
        spots.filter(move |spot| spot.method == Method::Copy && is_called(&spot.name, name))
    }
}

/// Whether a directory has the name that a tool gives it, which makes names fit for directories in its own way.
fn is_called(directory: &str, name: &str) -> bool {
    directory == name || skillmd::skill_id(directory) == skillmd::skill_id(name)
}

/// The path of a foreign text below a directory of ours, one plain name after the other.
pub(super) fn below(base: &Path, text: &str) -> Result<PathBuf, LeadsOut> {
    if text.contains(['\\', ':', '\0']) {
        return Err(LeadsOut);
    }
    let mut path = base.to_owned();
    for part in Path::new(text.trim_end_matches('/')).components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                return Err(LeadsOut);
            }
        }
    }
    if path == base {
        return Err(LeadsOut);
    }
    // A link on the way could lead anywhere.
    let is_inside = targets::real(&path).starts_with(targets::real(base));
    if is_inside { Ok(path) } else { Err(LeadsOut) }
}
