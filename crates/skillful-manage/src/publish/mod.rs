//! Publishing skills into a directory that any web server can hand out, or into a plain tree.
//!
//! ```text
//! Prepared … ─artifacts→ files, new ones beside the old ─index→ renamed into place ─prune→ what nobody names any more
//! ```
//!
//! A site has both forms of Agent Skills discovery: 0.2.0 below `.well-known/agent-skills`, with one artifact for each
//! skill and its digest, and 0.1 below `.well-known/skills`, with the files one by one. Artifacts bear a part of their
//! digest in their path, so that a reader who holds the index of a moment ago is not handed other bytes.
//!
//! What others published stays. Only what a list of ours names is replaced or removed, and only while it is what we wrote.

mod index;
mod ledger;
mod site;
mod tree;
mod well_known;

use std::path::PathBuf;

use crate::Entry;
use crate::change::ChangeError;
use crate::data::DataDirectory;
use crate::error::ReadError;
use crate::objects::ObjectError;
use crate::pack::Prepared;

pub use site::SiteError;
pub use well_known::{Artifact, Offered, indexes};

/// What is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A site of Agent Skills discovery, both versions.
    WellKnown,
    /// A directory for each skill.
    Tree,
}

impl Layout {
    /// The word in every output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WellKnown => "well-known",
            Self::Tree => "tree",
        }
    }
}

/// Where and how skills are published.
#[derive(Clone, Debug)]
pub struct Target {
    /// The directory: the root of the site, or what the skills' directories lie in. It is made if it is not there.
    pub directory: PathBuf,
    /// What is made of it.
    pub layout: Layout,
    /// What addresses in the index begin with; nothing for relative ones.
    pub base_url: Option<BaseUrl>,
    /// Whether skills that we published earlier and that are not among these are taken away.
    pub prune: bool,
}

/// The address of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl(String);

/// A text that no addresses can begin with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is no address of a site: it begins with https:// or http:// and has no query and no blanks", .0.escape_debug())]
pub struct NoBaseUrl(pub String);

impl BaseUrl {
    /// Takes an address; a `/` at its end does not matter.
    ///
    /// # Errors
    ///
    /// [`NoBaseUrl`].
    pub fn parse(text: &str) -> Result<Self, NoBaseUrl> {
        let rest = text
            .strip_prefix("https://")
            .or_else(|| text.strip_prefix("http://"));
        let is_plain = |c: char| {
            c.is_ascii_graphic() && !matches!(c, '?' | '#' | '\\' | '"' | '<' | '>' | '@')
        };
        match rest {
            Some(rest)
                if !rest.is_empty() && !rest.starts_with('/') && rest.chars().all(is_plain) =>
            {
                Ok(Self(text.trim_end_matches('/').to_owned()))
            }
            _ => Err(NoBaseUrl(text.to_owned())),
        }
    }

    fn join(&self, path: &str) -> String {
        format!("{}/{path}", self.0)
    }
}

/// What became of a skill that was to be published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is new.
    Added,
    /// It replaces what was there.
    Replaced,
    /// The same was there already.
    Unchanged,
    /// It was taken away.
    Pruned,
}

impl Change {
    /// The word in every output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Replaced => "replaced",
            Self::Unchanged => "unchanged",
            Self::Pruned => "pruned",
        }
    }
}

/// A skill that was published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedSkill {
    /// Its name.
    pub name: String,
    /// What became of it.
    pub change: Change,
    /// Its address, in a site.
    pub url: Option<String>,
    /// The digest of its artifact in a site, that of its files in a tree; none for one that was taken away.
    pub digest: Option<String>,
}

/// What was published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// Sorted by name.
    pub skills: Vec<PublishedSkill>,
    /// The files that readers begin with, in a site.
    pub indexes: Vec<PathBuf>,
    /// The change in the history, of a tree; nothing when nothing changed.
    pub entry: Option<Entry>,
}

/// Skills were not published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// Two of them have one name.
    #[error("two of the skills are called `{0}`; publish them apart or rename one")]
    SameName(String),
    /// A file is in the way, or could not be read or written.
    #[error(transparent)]
    Site(#[from] SiteError),
    /// An index that is there is none that could be added to.
    #[error("{} is not an index that could be added to: {reason}", path.display())]
    Index {
        /// The index.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A skill of this name was published by somebody else.
    #[error("{} lists `{name}`, which Skillful did not publish there, and was left alone", path.display())]
    Foreign {
        /// The index.
        path: PathBuf,
        /// The skill.
        name: String,
    },
    /// A skill of this name is there that is not as we left it.
    #[error("{} is not what Skillful published there, and was left alone: move it away first", .0.display())]
    NotOurs(PathBuf),
    /// The directory cannot be one that is published into.
    #[error("{} cannot be published into: its path leads nowhere, or is not Unicode", .0.display())]
    NoPlace(PathBuf),
    /// What is to be written cannot be kept.
    #[error(transparent)]
    Object(#[from] ObjectError),
    /// What is there cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The change could not be made.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// An archive could not be made.
    #[error("`{name}` could not be packed: {reason}")]
    Pack {
        /// The skill.
        name: String,
        /// Why.
        reason: String,
    },
}

/// Publishes skills. A tree is one change in the history of `data`. A site is not: its artifacts have their digests in
/// their paths, so that the new ones come beside the old ones and nothing is there to be put back.
///
/// # Errors
///
/// [`PublishError`]. What readers of a site begin with is replaced last: until then they find what was there. Of a tree
/// nothing was changed.
pub fn publish(
    skills: &[Prepared],
    target: &Target,
    data: &DataDirectory,
) -> Result<Published, PublishError> {
    let mut skills: Vec<&Prepared> = skills.iter().collect();
    skills.sort_by(|a, b| a.name.cmp(&b.name));
    let twins = skills.windows(2).find_map(|pair| match pair {
        [a, b] if a.name == b.name => Some(a.name.clone()),
        _ => None,
    });
    if let Some(name) = twins {
        return Err(PublishError::SameName(name));
    }
    match target.layout {
        Layout::WellKnown => well_known::publish(&skills, target),
        Layout::Tree => tree::publish(&skills, target, data),
    }
}
