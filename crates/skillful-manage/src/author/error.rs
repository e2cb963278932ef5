//! Why a skill was not written or changed. Nothing was touched then.

use std::fmt::Write as _;
use std::path::PathBuf;

use skillful::LookUpError;
use skillful::bundle::PathFault;
use skillful_guard::Verdict;
use skillful_store::StoreError;
use skillmd::edit::EditError;
use skillmd::{DecodeError, Diagnostic};

use crate::change::{ChangeError, Mismatch};
use crate::error::ReadError;
use crate::gate::Gated;
use crate::objects::ObjectError;

/// Why nothing was changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuthorError {
    /// What was named does not lead to one skill.
    #[error(transparent)]
    LookUp(#[from] LookUpError),
    /// A name without anything that an id could be made of.
    #[error("`{0}` has no letter or digit to make a name of")]
    NoName(String),
    /// A name that Windows keeps for a device, in every directory and with every ending.
    #[error("`{0}` is the name of a device on Windows, where no file or directory can have it")]
    Reserved(String),
    /// A skill with this id exists.
    #[error("there is a skill `{id}` already, at {}", path.display())]
    Exists {
        /// The id.
        id: String,
        /// Where that skill lies.
        path: PathBuf,
    },
    /// Something is where the skill would be.
    #[error("{} is there already", path.display())]
    Occupied {
        /// The path.
        path: PathBuf,
    },
    /// The skill is not one's own to change.
    #[error("`{id}` cannot be changed: {reason}")]
    ReadOnly {
        /// The skill.
        id: String,
        /// Why.
        reason: ReadOnly,
    },
    /// Somebody keeps the skill as it is.
    #[error("`{id}` is pinned, and stays as it is until it is unpinned")]
    Pinned {
        /// The skill.
        id: String,
    },
    /// A link is in the way: nothing is ever written through one.
    #[error("{} is a link, and nothing is written through links", path.display())]
    Link {
        /// The link.
        path: PathBuf,
    },
    /// The skill is the directory that is searched.
    #[error("{} is the directory that is searched itself", path.display())]
    IsRoot {
        /// The directory.
        path: PathBuf,
    },
    /// An edit would make it another skill.
    #[error("the new text is that of a skill `{found}`; an edit keeps the id `{id}`")]
    OtherId {
        /// The skill.
        id: String,
        /// The id that the new text has.
        found: String,
    },
    /// The new text has faults that the old one did not have.
    #[error("the new text was not taken: {}", list(.0))]
    Invalid(Vec<Diagnostic>),
    /// Nothing to find was given.
    #[error("there is nothing to look for; give the text that is to be replaced")]
    EmptyFind,
    /// The text to be replaced is not there.
    #[error("the text to be replaced is not in {}", path.display())]
    NoMatch {
        /// The file.
        path: PathBuf,
    },
    /// The text to be replaced is there several times.
    #[error(
        "the text to be replaced is in {} {} times, in {}; give more of what stands around it",
        path.display(), Count(*count), lines_list(lines)
    )]
    SeveralMatches {
        /// The file.
        path: PathBuf,
        /// How often; [`crate::limits::MATCHES`] means that or more often.
        count: usize,
        /// The lines on which the first of them begin, from 1.
        lines: Vec<usize>,
    },
    /// A path cannot be that of a file in a skill.
    #[error("`{path}` cannot be a file of a skill: {fault}")]
    FilePath {
        /// The path.
        path: String,
        /// What is wrong with it.
        fault: PathFault,
    },
    /// The skill's own file is edited as a whole or by a patch.
    #[error("`{0}` is the skill's own file")]
    MainFile(String),
    /// There is a file whose path differs in case alone, which is the same file on some systems.
    #[error("`{path}` and `{other}` would be one file on systems that take no heed of case")]
    CaseClash {
        /// The path.
        path: String,
        /// The one that is there.
        other: String,
    },
    /// Content over a limit.
    #[error("{what} has {bytes} bytes; the limit is {limit}")]
    TooLarge {
        /// What.
        what: String,
        /// How long it is.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// With this file the skill would be over a limit, or it holds something that cannot be read.
    #[error("with this change, not all files of `{id}` could be read, or there would be too many")]
    Unreadable {
        /// The skill.
        id: String,
    },
    /// There is no such file.
    #[error("`{id}` has no file `{path}`")]
    NoFile {
        /// The skill.
        id: String,
        /// The path in it.
        path: String,
    },
    /// A directory is where a file is meant, or the other way round.
    #[error("{} is not {expected}", path.display())]
    NotA {
        /// The path.
        path: PathBuf,
        /// What it ought to be.
        expected: &'static str,
    },
    /// A file is no text.
    #[error("{} is no text: it is {error}", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// What it is.
        error: DecodeError,
    },
    /// The skill is not what the caller saw.
    #[error("`{id}` is not what you looked at: its digest is {} now, not {expected}", found.as_deref().unwrap_or("unknown"))]
    OtherDigest {
        /// The skill.
        id: String,
        /// The digest that the caller saw.
        expected: String,
        /// The digest of its files as they are.
        found: Option<String>,
    },
    /// Somebody else changed it at the same time.
    #[error("somebody else changed {} at the same time; look again, and repeat what you wanted to do", changed(.0))]
    Conflict(Vec<PathBuf>),
    /// The guard stands against it.
    #[error("the guard refuses it: {}", findings(.0))]
    Dangerous(Box<Gated>),
    /// A person has to look at it first.
    #[error("a person has to look at it first: {}", findings(.0))]
    NeedsConfirmation(Box<Gated>),
    /// The directory holds more than the skill.
    #[error("{} holds more than the skill: {}", path.display(), some(entries))]
    HoldsMore {
        /// The directory.
        path: PathBuf,
        /// What else, by its path in the directory.
        entries: Vec<String>,
    },
    /// A link leads the project's directory of skills out of the project.
    #[error("{} leads out of the project by a link; look at where it leads", .0.display())]
    LeadsOut(PathBuf),
    /// There are no records that a choice could be kept in.
    #[error("there is no home to keep records in")]
    NoRecords,
    /// There is no directory to write a skill into.
    #[error("there is no home to write a skill into")]
    NoRoot,
    /// The frontmatter cannot be changed so.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// What is on disk cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Content cannot be kept or handed out.
    #[error(transparent)]
    Object(#[from] ObjectError),
    /// The change could not be made.
    #[error(transparent)]
    Change(ChangeError),
    /// The history or the records cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a skill is not one's own to change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadOnly {
    /// It came with the program.
    #[error("it is part of the program")]
    Bundled,
    /// A plugin brought it.
    #[error("it belongs to the plugin `{0}`, whose next update would undo the change")]
    Plugin(String),
    /// It lies in an archive.
    #[error("it lies in an archive, which is read in place")]
    Archive,
    /// It was installed, so that taking it away is another thing than deleting it.
    #[error("it was installed; remove it instead of deleting it")]
    Installed,
    /// A link above its directory leads into the store of objects.
    #[error("a link leads to several skills at once; copy it to a directory of its own")]
    Shared,
}

impl AuthorError {
    /// The word for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::LookUp(LookUpError::Unknown(_)) => "unknown-skill",
            Self::LookUp(LookUpError::Ambiguous { .. }) => "ambiguous",
            Self::NoName(_) => "no-name",
            Self::Reserved(_) => "reserved-name",
            Self::Exists { .. } => "exists",
            Self::Occupied { .. } => "occupied",
            Self::ReadOnly { reason, .. } => match reason {
                ReadOnly::Bundled => "bundled",
                ReadOnly::Plugin(_) => "plugin",
                ReadOnly::Archive => "archive",
                ReadOnly::Installed => "installed",
                ReadOnly::Shared => "shared",
            },
            Self::Pinned { .. } => "pinned",
            Self::Link { .. } => "link",
            Self::IsRoot { .. } => "is-root",
            Self::OtherId { .. } => "other-id",
            Self::Invalid(_) => "invalid",
            Self::EmptyFind => "empty-find",
            Self::NoMatch { .. } => "no-match",
            Self::SeveralMatches { .. } => "several-matches",
            Self::FilePath { .. } => "file-path",
            Self::MainFile(_) => "main-file",
            Self::CaseClash { .. } => "case-clash",
            Self::TooLarge { .. } => "too-large",
            Self::Unreadable { .. } => "unreadable",
            Self::NoFile { .. } => "no-file",
            Self::NotA { .. } => "not-a-file",
            Self::NotText { .. } => "not-text",
            Self::OtherDigest { .. } => "other-digest",
            Self::Conflict(_) => "conflict",
            Self::Dangerous(_) => "dangerous",
            Self::NeedsConfirmation(_) => "needs-confirmation",
            Self::HoldsMore { .. } => "holds-more",
            Self::LeadsOut(_) => "leads-out",
            Self::NoRecords => "no-records",
            Self::NoRoot => "no-root",
            Self::Edit(_) => "edit",
            Self::Read(_) => "read",
            Self::Object(_) => "object",
            Self::Change(_) => "change",
            Self::Store(_) => "store",
        }
    }

    /// What to do about it, where that is the same whatever the way to ask.
    pub const fn way_out(&self) -> Option<&'static str> {
        match self {
            Self::Exists { .. } | Self::Occupied { .. } => {
                Some("choose another name, or edit the skill that is there")
            }
            Self::ReadOnly { reason, .. } => match reason {
                ReadOnly::Installed => Some("`skillful remove` takes away what was installed"),
                ReadOnly::Archive => Some("unpack it into a directory of its own, and change that"),
                _ => None,
            },
            Self::OtherDigest { .. } | Self::Conflict(_) => {
                Some("read it again, and repeat what you wanted to do")
            }
            Self::IsRoot { .. } => Some("name the directory above with --root"),
            _ => None,
        }
    }

    /// What the guard found, where that is the reason.
    pub fn gated(&self) -> Option<&Gated> {
        match self {
            Self::Dangerous(gated) | Self::NeedsConfirmation(gated) => Some(gated),
            _ => None,
        }
    }
}

impl From<ChangeError> for AuthorError {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Changed(mismatches) => Self::Conflict(
                mismatches
                    .into_iter()
                    .map(|Mismatch { path, .. }| path)
                    .collect(),
            ),
            error => Self::Change(error),
        }
    }
}

/// How many entries a message names.
const NAMED: usize = 5;

/// A count that may have been given up.
struct Count(usize);

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 >= crate::limits::MATCHES {
            f.write_str("at least ")?;
        }
        write!(f, "{}", self.0)
    }
}

fn lines_list(lines: &[usize]) -> String {
    let words: Vec<String> = lines.iter().map(usize::to_string).collect();
    let noun = if lines.len() == 1 { "line" } else { "lines" };
    format!("{noun} {}", words.join(", "))
}

fn list(diagnostics: &[Diagnostic]) -> String {
    let parts: Vec<String> = diagnostics
        .iter()
        .take(NAMED)
        .map(|found| {
            let position = found.position;
            format!(
                "line {}, column {}: {} ({})",
                position.line, position.column, found.message, found.code
            )
        })
        .collect();
    parts.join("; ")
}

fn changed(paths: &[PathBuf]) -> String {
    let parts: Vec<String> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    parts.join(", ")
}

fn some(entries: &[String]) -> String {
    let mut text = entries
        .iter()
        .take(NAMED)
        .map(|entry| format!("`{entry}`"))
        .collect::<Vec<_>>()
        .join(", ");
    if entries.len() > NAMED {
        // Writing to a string cannot fail.
        let _ = write!(text, " and {} more", entries.len() - NAMED);
    }
    text
}

fn findings(gated: &Gated) -> String {
    let worst = gated.worst();
    let parts: Vec<String> = worst
        .iter()
        .take(NAMED)
        .map(|finding| format!("{} in {}:{}", finding.rule, finding.path, finding.line))
        .collect();
    match (parts.is_empty(), gated.verdict()) {
        (true, Verdict::Safe) => "nothing was found".to_owned(),
        (true, verdict) => {
            format!("the verdict is {verdict}, because not everything could be read")
        }
        (false, verdict) => format!("the verdict is {verdict}: {}", parts.join(", ")),
    }
}
