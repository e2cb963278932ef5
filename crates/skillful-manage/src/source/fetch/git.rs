//! Git repositories, by the system's git.
//!
//! Nothing is checked out. The wanted commit is fetched without its files and without its history, its list of files is
//! read, and then only the files that belong to skills are fetched, all in one request, and written as their bytes are:
//! no attribute, filter or line ending of the repository has a say, no link is made, and a repository of gigabytes with
//! one small skill costs what its list of files costs.
//!
//! A server that cannot leave files out sends them all; one that gives out no commit by its hash is asked for all
//! branches instead.

use std::collections::{BTreeMap, BTreeSet};

use super::{FetchError, Fetched, Job, Kind, Resolution};
use crate::find::{self, Found, PickError};
use crate::source::{Commit, GitSource, Place, Reference, Source, SubPath};

mod blobs;
mod check;
mod lead;
mod refs;
mod run;
mod said;
mod survey;
mod tree;

pub(crate) use check::check;
pub use check::{Check, Now};
pub(super) use survey::survey;
pub use survey::{Asked, AskedSkill, Surveyed, SurveyedSkill};

use refs::{Refs, Want};
use run::{Git, Input};
use tree::{Listing, Scope};

impl Kind for GitSource {
    fn fetch(&self, job: &Job<'_>) -> Result<Fetched, FetchError> {
        let url = self.repository.url();
        job.during(&format!("fetching {url}"), || fetch(job, self, &url))
    }
}

/// A commit whose list of files is here.
pub(super) struct Opened<'a> {
    pub(super) git: Git<'a>,
    pub(super) url: String,
    pub(super) want: Want,
    pub(super) commit: String,
    pub(super) listing: Listing,
}

/// Fetches the commit that a place means, without its files.
pub(super) fn open<'a>(
    job: &'a Job<'a>,
    url: &str,
    place: &Place,
) -> Result<Opened<'a>, FetchError> {
    let git = Git::init(job, url)?;
    let want = match place {
        // A commit needs no list of branches.
        Place::Known {
            reference: Some(Reference::Commit(commit)),
            path,
        } => Want {
            name: commit.as_str().to_owned(),
            commit: None,
            reference: Some(Reference::Commit(commit.clone())),
            path: path.clone(),
        },
        place => Refs::ask(&git)?.find(url, place)?,
    };
    Opened::at(git, url, want)
}

impl<'a> Opened<'a> {
    fn at(git: Git<'a>, url: &str, want: Want) -> Result<Self, FetchError> {
        let commit = fetch_commit(&git, url, &want)?;
        let listing = Listing::of(&git, &commit)?;
        Ok(Self {
            git,
            url: url.to_owned(),
            want,
            commit,
            listing,
        })
    }
}

impl Opened<'_> {
    /// The bytes of one file.
    pub(super) fn read_file(&self, path: &str, limit: u64) -> Result<Vec<u8>, FetchError> {
        let entry = self
            .listing
            .file(path)
            .ok_or_else(|| FetchError::PathNotFound {
                place: self.url.clone(),
                path: path.to_owned(),
                near: Vec::new(),
            })?;
        blobs::read(self, entry, limit)
    }
}

const FETCH: [&str; 5] = [
    "fetch",
    "--progress",
    "--no-tags",
    "--no-recurse-submodules",
    "--filter=blob:none",
];

fn fetch_commit(git: &Git<'_>, url: &str, want: &Want) -> Result<String, FetchError> {
    let mut arguments = FETCH.to_vec();
    arguments.extend(["--depth=1", "--", "origin", &want.name]);
    let first = git.ask(&arguments, Input::default());
    let Some(Reference::Commit(commit)) = &want.reference else {
        first?;
        let output = git.run(
            &[
                "rev-parse",
                "--verify",
                "--end-of-options",
                "FETCH_HEAD^{commit}",
            ],
            Input::default(),
        )?;
        return Ok(String::from_utf8_lossy(&output).trim().to_owned());
    };
    match first {
        Ok(_) => {}
        Err(error) if said::refuses_commit(&error) => {
            let mut arguments = FETCH.to_vec();
            arguments.extend([
                "--",
                "origin",
                "+refs/heads/*:refs/heads/*",
                "+refs/tags/*:refs/tags/*",
            ]);
            git.ask(&arguments, Input::default())?;
        }
        Err(error) => return Err(error),
    }
    let object = format!("{commit}^{{commit}}");
    match git.run(&["cat-file", "-e", &object], Input::default()) {
        Ok(_) => Ok(commit.as_str().to_owned()),
        Err(_) => Err(FetchError::CommitNotFound {
            url: url.to_owned(),
            commit: commit.as_str().to_owned(),
        }),
    }
}

fn fetch(job: &Job<'_>, source: &GitSource, url: &str) -> Result<Fetched, FetchError> {
    let opened = open(job, url, &source.place)?;
    let name = url.trim_end_matches('/').trim_end_matches(".git");
    let (directory, tree) = job.tree(name.rsplit(['/', ':']).next().unwrap_or(name))?;
    let mut notes = Vec::new();
    let scope = opened.listing.scope(&opened.want, url)?;
    let mut wanted = opened.listing.skills_in(&scope);
    let mut writer = blobs::Writer::new(&opened, &tree);
    if let Some(skill) = &source.skill
        && wanted.len() > 1
        && *skill != crate::source::Selector::All
    {
        // The skills' texts alone say which of them is meant.
        writer.write(&opened.listing.texts_of(&wanted))?;
        let found = find::find(&directory)?;
        let picked = find::pick(&found, skill)?;
        wanted = picked.iter().map(|skill| skill.path.clone()).collect();
        writer.rewind(&directory)?;
    }
    if wanted.is_empty() {
        return Err(PickError::None.into());
    }
    writer.write(&opened.listing.files_of(&wanted))?;
    writer.links(&mut notes);
    notes.append(&mut writer.notes);

    let skills = match &scope {
        Scope::File(path) => single(&directory, path),
        Scope::Directory(_) => find::find(&directory)?,
    };
    let trees = skills
        .skills
        .iter()
        .filter_map(|skill| Some((skill.path.clone(), opened.listing.tree(&skill.path)?)))
        .collect();
    note_whole(&skills, &mut notes);
    Ok(Fetched {
        directory,
        source: Source::Git(decided(source, &opened.want)),
        resolution: Resolution {
            host: source.repository.host().map(str::to_owned),
            url: Some(opened.url.clone()),
            path: opened.want.path.as_ref().map(SubPath::to_string),
            reference: opened.want.reference.as_ref().map(Reference::to_string),
            resolved: Some(opened.want.name.clone()),
            commit: Some(opened.commit.clone()),
            trees,
            ..Resolution::default()
        },
        skills,
        notes,
    })
}

fn single(directory: &std::path::Path, path: &str) -> Found {
    find::find_file(directory, path)
}

/// The source with the branch and the path told apart.
fn decided(source: &GitSource, want: &Want) -> GitSource {
    GitSource {
        place: Place::Known {
            reference: want.reference.clone(),
            path: want.path.clone(),
        },
        ..source.clone()
    }
}

/// A skill at the top brings everything along, which is seldom meant.
pub(super) fn note_whole(found: &Found, notes: &mut Vec<String>) {
    if let Some(whole) = found.whole.filter(|whole| whole.others > 0) {
        notes.push(format!(
            "the SKILL.md at the top makes all of it one skill: {} files, {} bytes, and {} other skills in it; name one with `@NAME` to take that alone",
            whole.files, whole.bytes, whole.others
        ));
    }
}

/// The source pinned to a commit, as a lock keeps it.
pub fn pinned(source: &GitSource, commit: &str) -> Option<GitSource> {
    let Place::Known { path, .. } = &source.place else {
        return None;
    };
    Some(GitSource {
        place: Place::Known {
            reference: Some(Reference::Commit(Commit::parse(commit)?)),
            path: path.clone(),
        },
        ..source.clone()
    })
}

/// Text of another program without the credentials that an address in it may hold.
fn redacted(text: &str) -> String {
    let words: Vec<String> = text
        .split(' ')
        .map(crate::source::error::without_credentials)
        .collect();
    words.join(" ")
}

/// The names of paths, for errors.
fn near_paths<'p>(path: &str, known: impl IntoIterator<Item = &'p str>) -> Vec<String> {
    let last = path.rsplit('/').next().unwrap_or(path);
    let known: BTreeSet<&str> = known.into_iter().collect();
    let same_name: Vec<String> = known
        .iter()
        .filter(|other| other.rsplit('/').next() == Some(last))
        .take(3)
        .map(|other| (*other).to_owned())
        .collect();
    if same_name.is_empty() {
        find::near(path, known)
    } else {
        same_name
    }
}

/// Objects by their paths.
type ByPath = BTreeMap<String, String>;
