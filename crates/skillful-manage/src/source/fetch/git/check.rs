//! What became of skills in their repository since they were fetched.

use std::collections::BTreeMap;

use super::refs::Refs;
use super::run::Git;
use super::tree::Listing;
use super::{Job, Opened};
use crate::source::fetch::FetchError;
use crate::source::{GitSource, Place, Reference};

/// The state of a repository, and what became of skills in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The commit that the source means now.
    pub commit: String,
    /// Each skill that was asked about, by its path.
    pub skills: BTreeMap<String, Now>,
}

/// What became of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Now {
    /// Its files are the same.
    Same,
    /// It has other files.
    Changed {
        /// Its git tree now.
        tree: String,
    },
    /// It lies elsewhere.
    Moved {
        /// Its path now.
        to: String,
        /// Its git tree now.
        tree: String,
    },
    /// It is there no more.
    Gone,
}

/// Asks once what the source means now, and looks further only when that is another commit.
pub(crate) fn check(
    job: &Job<'_>,
    source: &GitSource,
    commit: &str,
    trees: &BTreeMap<String, String>,
) -> Result<Check, FetchError> {
    let url = source.repository.url();
    let same = |commit: String| Check {
        commit,
        skills: trees.keys().map(|path| (path.clone(), Now::Same)).collect(),
    };
    if let Place::Known {
        reference: Some(Reference::Commit(pinned)),
        ..
    } = &source.place
        && pinned.as_str() == commit
    {
        return Ok(same(commit.to_owned()));
    }
    let git = Git::init(job, &url)?;
    let want = Refs::ask(&git)?.find(&url, &source.place)?;
    if want.commit.as_deref() == Some(commit) {
        return Ok(same(commit.to_owned()));
    }
    let opened = Opened::at(git, &url, want)?;
    Ok(Check {
        commit: opened.commit,
        skills: trees
            .iter()
            .map(|(path, tree)| (path.clone(), now(&opened.listing, path, tree)))
            .collect(),
    })
}

pub(super) fn now(listing: &Listing, path: &str, tree: &str) -> Now {
    match listing.tree(path) {
        Some(now) if now == tree => return Now::Same,
        Some(now) if listing.is_skill(path) => return Now::Changed { tree: now },
        _ => {}
    }
    let moved = |(to, tree): (&String, &String)| Now::Moved {
        to: to.clone(),
        tree: tree.clone(),
    };
    // The same files elsewhere, or the only skill whose directory has the same name.
    let directories = listing.directories();
    if let Some(same) = directories.iter().find(|(_, other)| *other == tree) {
        return moved(same);
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    let mut same_name = directories
        .iter()
        .filter(|(other, _)| other.rsplit('/').next() == Some(name) && listing.is_skill(other));
    match (same_name.next(), same_name.next()) {
        (Some(only), None) => moved(only),
        _ => Now::Gone,
    }
}
