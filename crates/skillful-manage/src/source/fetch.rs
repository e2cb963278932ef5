//! Fetching: from a [`Source`] to a tree of files in a directory of the caller's.
//!
//! Every kind of source has a module of its own. All of them write below the same private directory, count what
//! arrives, and follow no link. What was fetched is not trusted by that: it is looked at afterwards.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use skillmd::name::skill_id;

use super::{Address, GitSource, Permission, Repository, Source};
use crate::find::{self, Found, FoundSkill, PickError};
use crate::http::{Cache, Client, Terms};
use crate::limits;
use crate::progress::{Progress, Step};

pub mod fault;
pub mod git;
mod hub;
mod index;
mod local;
mod marketplace;
mod web;

pub use fault::FetchError;

/// What fetching depends on.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The git program, as the search path or the configuration has it.
    pub git: PathBuf,
    /// The registry that `hub:` means.
    pub hub: Option<Address>,
    /// Marketplaces that are known by a name.
    pub marketplaces: BTreeMap<String, GitSource>,
    /// Whether redirections and indexes may lead to addresses without encryption.
    pub permission: Permission,
    /// How long one run of git may take.
    pub git_time: Duration,
    /// Most bytes that git may fetch of one repository.
    pub repository_bytes: u64,
    /// How long one answer from the web may take.
    pub web_time: Duration,
    /// Most bytes of an archive or a document.
    pub download_bytes: u64,
    /// A PEM file of certificates to trust in place of the system's, as in `SSL_CERT_FILE`.
    pub certificates: Option<PathBuf>,
    /// The directory of answers from the web that are kept, so that only what changed is sent again
    /// ([`DataDirectory::answers`](crate::DataDirectory::answers)). Without one nothing is kept.
    pub answers: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            git: PathBuf::from("git"),
            hub: None,
            marketplaces: BTreeMap::new(),
            permission: Permission::Encrypted,
            git_time: limits::GIT_TIME,
            repository_bytes: limits::REPOSITORY_BYTES,
            web_time: limits::WEB_TIME,
            download_bytes: limits::DOWNLOAD_BYTES,
            certificates: None,
            answers: None,
        }
    }
}

/// What was fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The tree of files, below the staging directory.
    pub directory: PathBuf,
    /// The source with everything decided that was open: which part of an address is the branch, which kind of site.
    pub source: Source,
    /// What exactly was fetched.
    pub resolution: Resolution,
    /// The skills in the tree. Of a repository only skills were fetched, and of one skill by name only that one.
    pub skills: Found,
    /// What is worth knowing, in plain words.
    pub notes: Vec<String>,
}

impl Fetched {
    /// The skills that the source asks for, or those that are chosen when it asks for none.
    ///
    /// # Errors
    ///
    /// [`PickError`].
    pub fn chosen(&self) -> Result<Vec<&FoundSkill>, PickError> {
        find::choose(&self.skills, self.source.selector())
    }
}

/// What exactly was fetched: enough to fetch the same again, and to ask cheaply whether there is something newer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolution {
    /// The host it came from.
    pub host: Option<String>,
    /// The address of the repository, archive or registry.
    pub url: Option<String>,
    /// The path in the repository that was asked for.
    pub path: Option<String>,
    /// The branch, tag or range that was asked for.
    pub reference: Option<String>,
    /// The branch or tag that it turned out to be, such as `refs/tags/v1.2.0`.
    pub resolved: Option<String>,
    /// The commit.
    pub commit: Option<String>,
    /// The git tree of each skill, by its path in the repository.
    pub trees: BTreeMap<String, String>,
    /// The SHA-256 of the bytes that arrived, in hexadecimal digits: of an archive or a document.
    pub artifact: Option<String>,
    /// What the server calls this state of it.
    pub etag: Option<String>,
    /// The version that a registry gives it.
    pub version: Option<String>,
}

/// Fetches sources.
#[derive(Debug)]
pub struct Fetcher {
    settings: Settings,
}

/// One fetch: what its parts share.
pub(crate) struct Job<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) staging: &'a Path,
    pub(crate) progress: &'a dyn Progress,
}

/// One kind of source.
pub(crate) trait Kind {
    /// Fetches into the job's directory.
    fn fetch(&self, job: &Job<'_>) -> Result<Fetched, FetchError>;
}

impl Fetcher {
    /// A fetcher with these settings.
    pub fn new(settings: Settings) -> Self {
        Self { settings }
    }

    /// Fetches a source into a directory, which must exist, be empty, and belong to the caller alone. The directory is
    /// the caller's to remove, whatever happens.
    ///
    /// # Errors
    ///
    /// [`FetchError`].
    pub fn fetch(
        &self,
        source: &Source,
        staging: &Path,
        progress: &dyn Progress,
    ) -> Result<Fetched, FetchError> {
        let job = Job {
            settings: &self.settings,
            staging,
            progress,
        };
        let kind: &dyn Kind = match source {
            Source::Git(source) => source,
            Source::Local(path) => path,
            Source::Archive(source) => &web::Archive(source),
            Source::Document(address) => &web::Document(address),
            Source::WellKnown(source) => &index::Index(source),
            Source::Site(source) => &index::Site(source),
            Source::Hub(source) => source,
            Source::Plugin(source) => source,
        };
        kind.fetch(&job)
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Asks a repository what became of skills that were fetched from it: one question to the server when nothing
    /// changed at all, and one fetch of directories without files else, for any number of skills.
    ///
    /// `trees` is [`Resolution::trees`] of the skills in question, `commit` that of [`Resolution::commit`]. The
    /// directory is used as by [`Fetcher::fetch`].
    ///
    /// # Errors
    ///
    /// [`FetchError`].
    pub fn check(
        &self,
        source: &GitSource,
        commit: &str,
        trees: &BTreeMap<String, String>,
        staging: &Path,
        progress: &dyn Progress,
    ) -> Result<git::Check, FetchError> {
        let job = Job {
            settings: &self.settings,
            staging,
            progress,
        };
        git::check(&job, source, commit, trees)
    }

    /// Asks a repository what became of many skills, from whichever branches and tags they were fetched: one question to
    /// the server when nothing changed. What stands against one branch or tag does not stand against the others.
    ///
    /// # Errors
    ///
    /// [`FetchError`] when the repository cannot be asked at all.
    pub fn survey(
        &self,
        repository: &Repository,
        asked: &[git::Asked],
        staging: &Path,
        progress: &dyn Progress,
    ) -> Result<Vec<Result<git::Surveyed, FetchError>>, FetchError> {
        let job = Job {
            settings: &self.settings,
            staging,
            progress,
        };
        let url = repository.url();
        let label = format!("asking {url}");
        progress.step(Step::Begin(&label));
        let surveyed = git::survey(&job, &url, asked);
        progress.step(Step::End);
        surveyed
    }
}

impl Job<'_> {
    /// Does a piece of work, and says when it begins and ends.
    pub(crate) fn during<T>(
        &self,
        what: &str,
        work: impl FnOnce() -> Result<T, FetchError>,
    ) -> Result<T, FetchError> {
        self.progress.step(Step::Begin(what));
        let done = work();
        self.progress.step(Step::End);
        done
    }

    /// A client for the web on behalf of a source, whose address this is.
    pub(crate) fn web(&self, first: &Address) -> Result<Client<'_>, FetchError> {
        let terms = Terms {
            time: self.settings.web_time,
            permission: self.settings.permission,
            redirections: limits::REDIRECTIONS,
            certificates: self.settings.certificates.as_deref(),
            cache: self.settings.answers.as_deref().map(Cache::at),
            progress: self.progress,
        };
        Client::new(terms, first)
    }

    /// A new directory for the files, as a path and as a handle. Its name is made of that of the repository, archive or
    /// directory, since a skill at its top may go by that.
    pub(crate) fn tree(&self, name: &str) -> io::Result<(PathBuf, Dir)> {
        let name = skill_id(name);
        let path = self
            .staging
            .join("tree")
            .join(name.as_deref().unwrap_or("skill"));
        fs::create_dir_all(&path)?;
        let handle = Dir::open_ambient_dir(&path, ambient_authority())?;
        Ok((path, handle))
    }
}
