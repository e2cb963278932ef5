//! Where a skill comes from, from what other tools write down about it.

use crate::install::Files;
use crate::lock::Resolved;
use crate::source::{
    Commit, GitSource, Place, RefName, Reference, Selector, Source, SourceError, SubPath,
};

/// Where a skill comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Origin {
    /// The source, in its canonical form.
    pub(super) source: String,
    pub(super) resolved: Resolved,
}

/// What tools say about a repository.
#[derive(Clone, Debug, Default)]
pub(super) struct Told<'t> {
    /// `owner/repo` or an address.
    pub(super) repository: &'t str,
    /// The directory of the skill in it, or its SKILL.md.
    pub(super) path: Option<&'t str>,
    /// A branch or tag, or a commit that it is kept at.
    pub(super) reference: Option<&'t str>,
    /// The commit that was fetched.
    pub(super) commit: Option<&'t str>,
    /// The hash of the skill's git tree.
    pub(super) tree: Option<String>,
}

/// The origin in a repository; the skill is named, so that it is found again when it moves.
pub(super) fn in_repository(files: &Files, skill: &str, told: &Told<'_>) -> Result<Origin, String> {
    let mut git = repository(files, told.repository)?;
    let path = told.path.map(directory_of).filter(|path| !path.is_empty());
    let path = path.map(SubPath::parse).transpose();
    let path = path.map_err(|fault| fault.to_string())?;
    let reference = told.reference.map(reference_of).transpose()?;
    if path.is_some() {
        git.skill = Selector::parse(skill).ok();
    }
    git.place = Place::Known {
        reference: reference.or(match git.place {
            Place::Known { reference, .. } => reference,
            Place::Tail(_) => None,
        }),
        path: None,
    };
    let commit = told.commit.and_then(commit_of);
    Ok(Origin {
        resolved: Resolved {
            address: git.repository.url(),
            path: path
                .map(|path| path.as_str().to_owned())
                .unwrap_or_default(),
            commit: commit.map(|commit| commit.as_str().to_owned()),
            tree: told.tree.clone(),
            ..Resolved::default()
        },
        source: Source::Git(git).to_string(),
    })
}

/// The origin that a text means as it is.
pub(super) fn of_text(files: &Files, text: &str) -> Result<Origin, String> {
    let source = files.source(text).map_err(|error| reason(&error))?;
    let address = match &source {
        Source::Git(git) => git.repository.url(),
        other => other.to_string(),
    };
    let text = match &source {
        Source::Local(path) => files.local_source(path),
        other => other.to_string(),
    };
    Ok(Origin {
        source: text,
        resolved: Resolved {
            address,
            ..Resolved::default()
        },
    })
}

/// The text of a skill that a site lists at a well-known place.
pub(super) fn well_known(address: &str, skill: &str) -> String {
    // Without a path, what stands before the `@` would be taken for a user.
    format!("well-known:{}/@{skill}", address.trim_end_matches('/'))
}

fn repository(files: &Files, text: &str) -> Result<GitSource, String> {
    let parsed = files.source(text);
    let with_scheme = || files.source(&format!("git+{text}"));
    match parsed {
        Ok(Source::Git(git)) => Ok(git),
        Ok(_) => match with_scheme() {
            Ok(Source::Git(git)) => Ok(git),
            Ok(_) => Err(format!("`{text}` is no repository")),
            Err(error) => Err(reason(&error)),
        },
        Err(error) => match with_scheme() {
            Ok(Source::Git(git)) => Ok(git),
            _ => Err(reason(&error)),
        },
    }
}

fn reason(error: &SourceError) -> String {
    error.to_string()
}

fn reference_of(text: &str) -> Result<Reference, String> {
    if let Some(commit) = commit_of(text) {
        return Ok(Reference::Commit(commit));
    }
    let short = text
        .strip_prefix("refs/heads/")
        .or_else(|| text.strip_prefix("refs/tags/"))
        .unwrap_or(text);
    let name = RefName::parse(short).map_err(|fault| fault.to_string())?;
    Ok(Reference::Name(name))
}

fn commit_of(text: &str) -> Option<Commit> {
    Commit::parse(text)
}

/// The directory of a SKILL.md; a directory is its own.
fn directory_of(path: &str) -> &str {
    let path = path.trim_matches('/');
    let path = if path == "." { "" } else { path };
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    if name.eq_ignore_ascii_case("SKILL.md") {
        directory
    } else {
        path
    }
}
