//! Where skills come from: the grammar of what people type, and the fetching of what it means.
//!
//! ```text
//! text ─parse→ Source ─fetch→ Fetched { directory, resolution, skills, notes }
//! ```
//!
//! A text is read in a fixed order: a scheme or a prefix (`https:`, `git+…`, `hub:`, `github:`, …), then the beginnings
//! of local paths (`./ ../ / ~ C:\`), then a leading `@` (a hub), then `user@host:path`, then the shorthand
//! `owner/repo[/path][@skill][#ref]`. In shorthand `#` is a branch, tag or commit and `@` is a skill. docs/sources.md
//! tells all of it to people.
//!
//! A [`Source`] as text is canonical: it parses to itself, holds no credentials, and is what locks keep.

mod address;
mod display;
pub(crate) mod error;
pub mod fetch;
mod grammar;
mod part;
mod shorthand;
mod web;

#[cfg(test)]
mod law;
#[cfg(test)]
mod table;

pub use address::{Address, Permission};
pub use error::{Fault, SourceError};
pub use part::{Commit, RefName, Selector, SkillName, Slug, SubPath};

use std::path::PathBuf;

/// What decides about a text beside the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surroundings {
    /// The user's home, for `~`.
    pub home: Option<PathBuf>,
    /// What relative paths are relative to, absolute.
    pub working_directory: PathBuf,
    /// Whether addresses without encryption (`http:`, `git:`) are taken beyond this machine.
    pub permission: Permission,
}

/// Where skills come from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A git repository, or a part of one.
    Git(GitSource),
    /// A directory, a file or an archive on this machine; absolute.
    Local(PathBuf),
    /// An archive on the web.
    Archive(WebSource),
    /// A single file of a skill on the web: a SKILL.md or another Markdown file.
    Document(Address),
    /// A site that lists skills at a well-known place (Agent Skills discovery, 0.1 and 0.2.0).
    WellKnown(WebSource),
    /// An address that does not say what it is: a site that lists skills, else a git repository.
    Site(WebSource),
    /// A registry that speaks ClawHub's protocol.
    Hub(HubSource),
    /// A plugin of a Claude plugin marketplace.
    Plugin(PluginSource),
}

/// A git repository, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GitSource {
    /// The repository.
    pub repository: Repository,
    /// Which state of it, and where in it.
    pub place: Place,
    /// Which of the skills there.
    pub skill: Option<Selector>,
}

/// A git repository.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Repository {
    /// On a host of which it is known how it names repositories.
    Hosted {
        /// The host's name, in lower case, with the port if it has one of its own.
        host: String,
        /// `owner/repo`, with groups below groups on GitLab, without `.git`.
        name: String,
    },
    /// Anywhere else: an address with the scheme `https`, `http`, `ssh`, `git` or `file`.
    Url(Address),
}

impl Repository {
    /// The address to give to git.
    pub fn url(&self) -> String {
        match self {
            Self::Hosted { host, name } => format!("https://{host}/{name}"),
            Self::Url(address) => address.as_str().to_owned(),
        }
    }

    /// The host's name; none for a repository on this disk.
    pub fn host(&self) -> Option<&str> {
        match self {
            Self::Hosted { host, .. } => Some(host),
            Self::Url(address) => address.host(),
        }
    }
}

/// Which state of a repository, and where in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// It is clear which is which.
    Known {
        /// The state; without one the default branch as it is.
        reference: Option<Reference>,
        /// The directory or file; without one the whole.
        path: Option<SubPath>,
    },
    /// As in an address of a page, `branch/with/slashes/path`: where one ends and the other begins is decided by the
    /// branches and tags that the repository has, when it is fetched.
    Tail(SubPath),
}

impl Place {
    /// The default branch, all of it.
    pub const WHOLE: Self = Self::Known {
        reference: None,
        path: None,
    };
}

/// A state of a repository.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reference {
    /// A branch or a tag.
    Name(RefName),
    /// A commit by its whole hash.
    Commit(Commit),
    /// The newest tag that fits, as `^1.2` and `~1.2` mean it in Cargo and npm.
    Newest(String),
}

/// Something on the web, and which of the skills there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WebSource {
    /// The address.
    pub address: Address,
    /// Which of the skills.
    pub skill: Option<Selector>,
}

/// A skill of a registry that speaks ClawHub's protocol. Which registry is the configuration's to say.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HubSource {
    /// Who published it.
    pub owner: Option<Slug>,
    /// Its name there.
    pub slug: Slug,
    /// A version or a tag; without one the newest.
    pub version: Option<Slug>,
}

/// A plugin of a Claude plugin marketplace.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PluginSource {
    /// The plugin's name.
    pub plugin: Slug,
    /// The marketplace.
    pub marketplace: Marketplace,
}

/// Where a marketplace is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Marketplace {
    /// By a name that the configuration knows.
    Named(Slug),
    /// In a repository.
    Repository(Box<GitSource>),
}

impl Source {
    /// Reads what somebody typed, or what a lock keeps.
    ///
    /// # Errors
    ///
    /// [`SourceError`]: what was understood, what is wrong, and forms that are near.
    pub fn parse(text: &str, surroundings: &Surroundings) -> Result<Self, SourceError> {
        grammar::parse(text, surroundings)
    }

    /// Which of the skills there are meant; nothing when the source says nothing about it.
    pub fn selector(&self) -> Option<&Selector> {
        match self {
            Self::Git(source) => source.skill.as_ref(),
            Self::Archive(source) | Self::WellKnown(source) | Self::Site(source) => {
                source.skill.as_ref()
            }
            Self::Local(_) | Self::Document(_) | Self::Hub(_) | Self::Plugin(_) => None,
        }
    }
}
