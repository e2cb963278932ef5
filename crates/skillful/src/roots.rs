//! Which directories are searched for skills, and what each is to whom.
//!
//! A root is declared, never guessed from a path: by the client table, by a plugin, by the user's `--root`, or by this
//! program for the skills it brings along. Directories that several clients share are one root. What is nearer to the
//! work comes first: the working directory, its parents up to the repository root, plugins, the user's own
//! directories, the machine's, and last what is bundled.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use crate::clients::{Client, Clients, Flat, Template, template::Ground};
use crate::host::Host;
use crate::limits;
use crate::problem::Problem;

mod own;
mod plugins;

pub use own::ClientDirectories;

/// The client that the shared directories `.agents/skills` belong to.
pub const UNIVERSAL: &str = "universal";

/// Where a root's skills come from. Ordered by precedence: of skills with one id, that of the greatest source wins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// Part of the program.
    Bundled,
    /// The user's or the machine's directories.
    Global,
    /// A plugin.
    Plugin {
        /// The plugin's name; its skills are called `name:skill`.
        name: Arc<str>,
    },
    /// A project, or a directory that was named explicitly.
    Workspace {
        /// How many directories above the working directory the root's project level lies. Nearer ones win.
        distance: u32,
    },
}

impl Source {
    /// The word used in every output: `bundled`, `global`, `plugin` or `workspace`.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Bundled => "bundled",
            Self::Global => "global",
            Self::Plugin { .. } => "plugin",
            Self::Workspace { .. } => "workspace",
        }
    }

    /// Greater for what wins. Plugins do not outrank each other.
    pub(crate) const fn rank(&self) -> (u8, Reverse<u32>) {
        match self {
            Self::Bundled => (0, Reverse(0)),
            Self::Global => (1, Reverse(0)),
            Self::Plugin { .. } => (2, Reverse(0)),
            Self::Workspace { distance } => (3, Reverse(*distance)),
        }
    }
}

/// How far what lies in a root is trusted before anything was scanned or approved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trust {
    /// Part of the program.
    Builtin,
    /// Put there by the machine's administrator.
    Trusted,
    /// Anybody's.
    Community,
    /// Written by an agent.
    Agent,
}

impl Trust {
    /// The word used in every output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::Trusted => "trusted",
            Self::Community => "community",
            Self::Agent => "agent",
        }
    }
}

/// A word that is no trust.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a trust: use `builtin`, `trusted`, `community` or `agent`")]
pub struct UnknownTrust(pub String);

impl FromStr for Trust {
    type Err = UnknownTrust;

    fn from_str(text: &str) -> Result<Self, UnknownTrust> {
        [Self::Builtin, Self::Trusted, Self::Community, Self::Agent]
            .into_iter()
            .find(|trust| trust.as_str() == text)
            .ok_or_else(|| UnknownTrust(text.to_owned()))
    }
}

/// A directory that is searched for skills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// The directory as it was declared, absolute.
    pub path: PathBuf,
    /// The same without links.
    pub real: PathBuf,
    /// Its rank among all roots: the one with the highest precedence has 0.
    pub order: u32,
    /// Where its skills come from.
    pub source: Source,
    /// How far they are trusted.
    pub trust: Trust,
    /// The client whose own directory it is; [`UNIVERSAL`] when it is shared or nobody's own; none when no client
    /// declared it.
    pub client: Option<Arc<str>>,
    /// All clients that read it, sorted.
    pub clients: Vec<Arc<str>>,
    /// How many directories down a skill may lie.
    pub depth: u8,
    /// Which single files in it are skills.
    pub flat: Flat,
    /// Whether a directory without SKILL.md is a skill if another Markdown file in it begins with a frontmatter.
    pub any_markdown: bool,
    /// Whether a SKILL.md in the root itself makes it one skill, below which nothing more is looked for.
    pub single: bool,
}

/// What narrows the search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Directories that replace all other roots, the first with the highest precedence.
    pub roots: Vec<PathBuf>,
    /// The project; replaces the walk up from the working directory.
    pub project: Option<PathBuf>,
    /// The home; with it no directory outside it and the project is looked at.
    pub home: Option<PathBuf>,
    /// Directories that the configuration adds to those of the clients.
    pub extra: Vec<ExtraRoot>,
}

/// A root that the configuration adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtraRoot {
    /// The directory, absolute.
    pub path: PathBuf,
    /// What its skills rank as.
    pub source: Source,
    /// How far they are trusted.
    pub trust: Trust,
    /// The directory that it must not leave, not even by a link.
    pub within: Option<PathBuf>,
}

/// The roots of a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roots {
    /// Those that exist, the one with the highest precedence first.
    pub roots: Vec<Root>,
    /// What could not be used.
    pub problems: Vec<Problem>,
    /// What they depend on.
    pub depends_on: Dependencies,
}

/// What roots depend on besides their own directories: when any of it appears, changes or goes, they are to be resolved
/// anew. All sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependencies {
    /// Directories that do not exist and would be roots if they did.
    pub absent: Vec<PathBuf>,
    /// Files of plugins that were read, or would have been.
    pub files: Vec<PathBuf>,
    /// Directories in which plugins were looked for by name.
    pub listings: Vec<PathBuf>,
}

/// Finds all roots. Only asks which directories exist; plugin manifests are the only files read.
///
/// Without [`Options::project`] the project is the repository that holds the working directory: each directory from it
/// up to the first with a `.git`; outside a repository the working directory alone.
pub fn resolve(host: &Host, clients: &Clients, options: &Options) -> Roots {
    if !options.roots.is_empty() {
        return explicit(host, &options.roots);
    }
    let working_directory = host.working_directory();
    let home = home(host, options);
    let variable = |name: &str| host.variable(name);
    let ground = ground(home.as_deref(), &variable, options);
    let levels = match &options.project {
        Some(project) => vec![working_directory.join(project)],
        None => project_levels(working_directory),
    };
    let mut claims = Claims::default();
    if let Some(project) = &options.project
        && !levels.iter().all(|level| level.is_dir())
    {
        let path = working_directory.join(project);
        claims.problems.push(Problem::RootMissing(path));
    }
    // A directory belongs to who claims it first: what a plugin declares is the plugin's even where a client looks
    // there too, and a working directory that is the home does not make the user's directories a project's.
    for level in &levels {
        plugins::of_directory(level, &mut claims);
    }
    for client in clients {
        plugins::of_client(client, ground, &levels, &mut claims);
    }
    claims.extra(options, &levels);
    claims.global(clients, ground);
    for (level, distance) in levels.iter().zip(0..) {
        claims.project(clients, level, distance);
    }
    claims.finish()
}

/// What `~` stands for: the home that was named, else the host's.
pub fn home(host: &Host, options: &Options) -> Option<PathBuf> {
    match &options.home {
        Some(home) => Some(host.working_directory().join(home)),
        None => host.home().map(Path::to_owned),
    }
}

/// Where paths of clients lead.
fn ground<'a>(
    home: Option<&'a Path>,
    variable: &'a dyn Fn(&str) -> Option<&'a str>,
    options: &Options,
) -> Ground<'a> {
    Ground {
        home,
        variable,
        hermetic: options.home.is_some(),
    }
}

/// The working directory and its parents up to the repository root.
fn project_levels(working_directory: &Path) -> Vec<PathBuf> {
    if working_directory.as_os_str().is_empty() {
        return Vec::new();
    }
    let repository = repository(working_directory);
    working_directory
        .ancestors()
        .take_while(|level| level.starts_with(repository))
        .map(Path::to_owned)
        .collect()
}

/// The repository that holds a directory: the nearest one above with a `.git`, or the directory itself.
pub fn repository(directory: &Path) -> &Path {
    directory
        .ancestors()
        .find(|level| level.join(".git").exists())
        .unwrap_or(directory)
}

/// The roots that were named. They may hold skills of every form, whatever client wrote them.
fn explicit(host: &Host, directories: &[PathBuf]) -> Roots {
    let mut claims = Claims::default();
    for directory in directories {
        // Without `.` in the middle, which would show in every path below.
        let path = host.working_directory().join(directory);
        let path: PathBuf = path.components().collect();
        match std::fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => {
                let root = Root {
                    flat: Flat::NamedMarkdown,
                    any_markdown: true,
                    ..Root::new(path, Source::Workspace { distance: 0 }, Trust::Community)
                };
                claims.add(root);
            }
            Ok(_) => claims.problems.push(Problem::RootNotDirectory(path)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                claims.known.insert(path.clone(), None);
                claims.problems.push(Problem::RootMissing(path));
            }
            Err(error) => claims.problems.push(Problem::DirectoryUnreadable {
                path,
                reason: error.to_string(),
            }),
        }
    }
    claims.finish()
}

impl Root {
    pub(crate) fn new(path: PathBuf, source: Source, trust: Trust) -> Self {
        Self {
            real: PathBuf::new(),
            path,
            order: u32::MAX,
            source,
            trust,
            client: None,
            clients: Vec::new(),
            depth: limits::DEPTH,
            flat: Flat::None,
            any_markdown: false,
            single: false,
        }
    }

    /// A directory that was named, to be searched by itself: one skill if it holds a SKILL.md, else whatever lies below.
    ///
    /// # Errors
    ///
    /// When the path cannot be resolved.
    pub(crate) fn of_path(path: &Path) -> std::io::Result<Self> {
        let source = Source::Workspace { distance: 0 };
        Ok(Self {
            real: path.canonicalize()?,
            flat: Flat::SkillMd,
            single: true,
            ..Self::new(path.to_owned(), source, Trust::Community)
        })
    }

    /// Notes that `client` reads the root; a directory of its own is read in the client's way.
    fn read_by(&mut self, client: &Client, own: bool) {
        if let Err(place) = self.clients.binary_search(&client.id) {
            self.clients.insert(place, Arc::clone(&client.id));
        }
        if !own {
            return;
        }
        if self.client.is_none() || &*client.id == UNIVERSAL {
            self.client = Some(Arc::clone(&client.id));
        }
        self.depth = self.depth.max(client.depth);
        self.flat = self.flat.max(client.flat);
        self.any_markdown |= client.any_markdown;
    }
}

/// One of a client's lists of directories.
type List<T> = fn(&Client) -> &[T];

/// Roots in the making: each existing directory once.
#[derive(Debug, Default)]
struct Claims {
    roots: Vec<Root>,
    /// Where in `roots` a directory stands; nowhere when it does not exist.
    known: HashMap<PathBuf, Option<usize>>,
    problems: Vec<Problem>,
    /// See [`Dependencies::files`].
    files: BTreeSet<PathBuf>,
    /// See [`Dependencies::listings`].
    listings: BTreeSet<PathBuf>,
}

impl Claims {
    /// Adds a root unless its directory is one already.
    fn add(&mut self, root: Root) {
        if !self.known.contains_key(&root.path) {
            self.known.insert(root.path.clone(), Some(self.roots.len()));
            self.roots.push(root);
        }
    }

    /// The root of `path`, made by `new` if it is none yet; nothing where there is no such directory.
    fn claim(&mut self, path: PathBuf, new: impl FnOnce(PathBuf) -> Root) -> Option<&mut Root> {
        let index = match self.known.get(&path) {
            Some(&index) => index?,
            None if path.is_dir() => {
                self.add(new(path));
                self.roots.len() - 1
            }
            None => {
                self.known.insert(path, None);
                return None;
            }
        };
        self.roots.get_mut(index)
    }

    /// The directories that the configuration adds. In a hermetic run they must lie below the home or in the project.
    fn extra(&mut self, options: &Options, levels: &[PathBuf]) {
        for extra in &options.extra {
            let grounds: Vec<&Path> = match (&extra.within, &options.home) {
                (Some(within), _) => vec![within],
                (None, Some(home)) => levels.iter().chain([home]).map(PathBuf::as_path).collect(),
                (None, None) => Vec::new(),
            };
            // Reading a directory tells whether it is one; canonicalizing alone would take a file as well.
            let real = std::fs::read_dir(&extra.path).and_then(|_| extra.path.canonicalize());
            let real = match real {
                Ok(real) => real,
                Err(error) => {
                    self.problems.push(Problem::DirectoryUnreadable {
                        path: extra.path.clone(),
                        reason: error.to_string(),
                    });
                    continue;
                }
            };
            let is_within = |ground: &&Path| {
                std::fs::canonicalize(ground).is_ok_and(|ground| real.starts_with(ground))
            };
            if !grounds.is_empty() && !grounds.iter().any(is_within) {
                self.problems.push(Problem::RootOutside(extra.path.clone()));
            } else {
                self.add(Root {
                    flat: Flat::SkillMd,
                    ..Root::new(extra.path.clone(), extra.source.clone(), extra.trust)
                });
            }
        }
    }

    /// The directories of the user, then those of the machine.
    fn global(&mut self, clients: &Clients, ground: Ground<'_>) {
        let lists: [(List<Template>, bool, Trust); 3] = [
            (|client| &client.global, true, Trust::Community),
            (|client| &client.also_global, false, Trust::Community),
            (|client| &client.system, true, Trust::Trusted),
        ];
        for (list, own, trust) in lists {
            for client in universal_first(clients) {
                for path in list(client).iter().filter_map(|path| path.resolve(ground)) {
                    let new = |path| Root::fresh(path, Source::Global, trust, client, own);
                    if let Some(root) = self.claim(path, new) {
                        root.read_by(client, own);
                    }
                }
            }
        }
    }

    /// The directories of one level of the project.
    fn project(&mut self, clients: &Clients, level: &Path, distance: u32) {
        let lists: [(List<PathBuf>, bool); 2] = [
            (|client| &client.project, true),
            (|client| &client.also_project, false),
        ];
        for (list, own) in lists {
            for client in universal_first(clients) {
                for path in list(client) {
                    let source = Source::Workspace { distance };
                    let new = |path| Root::fresh(path, source, Trust::Community, client, own);
                    if let Some(root) = self.claim(level.join(path), new) {
                        root.read_by(client, own);
                    }
                }
            }
        }
    }

    fn finish(self) -> Roots {
        let mut roots = self.roots;
        // Stable: within one rank the order of the claims is the order of the roots.
        roots.sort_by_key(|root| Reverse(root.source.rank()));
        for (root, order) in roots.iter_mut().zip(0..) {
            root.order = order;
            if !root.clients.is_empty() {
                root.client.get_or_insert_with(|| Arc::from(UNIVERSAL));
            }
            root.real = std::fs::canonicalize(&root.path).unwrap_or_else(|_| root.path.clone());
        }
        let absent = self.known.into_iter().filter(|(_, root)| root.is_none());
        let absent: BTreeSet<PathBuf> = absent.map(|(path, _)| path).collect();
        Roots {
            roots,
            problems: self.problems,
            depends_on: Dependencies {
                absent: absent.into_iter().collect(),
                files: self.files.into_iter().collect(),
                listings: self.listings.into_iter().collect(),
            },
        }
    }
}

impl Root {
    /// A root that a client declares; its own way of reading replaces the default one.
    fn fresh(path: PathBuf, source: Source, trust: Trust, client: &Client, own: bool) -> Self {
        let mut root = Self::new(path, source, trust);
        if own {
            root.depth = client.depth;
        }
        root
    }
}

/// The shared directories come before those of single clients.
fn universal_first(clients: &Clients) -> impl Iterator<Item = &Client> {
    clients
        .get(UNIVERSAL)
        .into_iter()
        .chain(clients.iter().filter(|client| &*client.id != UNIVERSAL))
}

#[cfg(test)]
mod tests;
