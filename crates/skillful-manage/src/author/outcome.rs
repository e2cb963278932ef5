//! What a verb did.

use std::fmt;
use std::path::PathBuf;

use crate::gate::Gated;

/// What became of what was wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// There is a new skill.
    Created,
    /// The skill's own file was replaced.
    Edited,
    /// A part of a file was replaced.
    Patched,
    /// The skill has another id or lies elsewhere.
    Renamed,
    /// A file of it was written.
    Written,
    /// A file of it was removed.
    Removed,
    /// It is gone.
    Deleted,
    /// Everything was so already.
    Unchanged,
}

impl Outcome {
    /// The word used in every output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Edited => "edited",
            Self::Patched => "patched",
            Self::Renamed => "renamed",
            Self::Written => "written",
            Self::Removed => "removed",
            Self::Deleted => "deleted",
            Self::Unchanged => "unchanged",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A verb did its work.
#[derive(Clone, Debug)]
pub struct Done {
    /// What it did.
    pub outcome: Outcome,
    /// The id of the skill, the new one after a rename.
    pub id: String,
    /// The skill's own file, or the file that was written or removed. Of a deleted skill, where it was.
    pub path: PathBuf,
    /// The number of the change in the history; nothing when there was nothing to change.
    pub seq: Option<u64>,
    /// The digest of the skill's files afterwards, where it was made.
    pub digest: Option<String>,
    /// What people should know about it.
    pub remarks: Vec<Remark>,
}

/// Something that people should know about what was done.
#[derive(Clone, Debug)]
pub enum Remark {
    /// The guard found something that is worth a look.
    Verdict(Box<Gated>),
    /// Another skill has the same id and was left alone.
    Twin {
        /// Where it lies.
        path: PathBuf,
    },
    /// The skill was installed; its link was replaced by a directory of its own, which updates leave alone.
    Unlinked {
        /// Where the link was.
        path: PathBuf,
    },
    /// A skill that was a single file is a directory now.
    MadeDirectory {
        /// The directory.
        path: PathBuf,
    },
    /// Links that led to the skill were changed as well.
    Links {
        /// Where they are, or were.
        paths: Vec<PathBuf>,
    },
    /// A skill of this id had been put away, and that no longer holds.
    Restored,
    /// The records of the skill could not be taken along.
    RecordsLeft {
        /// Why.
        reason: String,
    },
}

impl Remark {
    /// The word for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Verdict(_) => "verdict",
            Self::Twin { .. } => "twin",
            Self::Unlinked { .. } => "unlinked",
            Self::MadeDirectory { .. } => "made-directory",
            Self::Links { .. } => "links",
            Self::Restored => "restored",
            Self::RecordsLeft { .. } => "records-left",
        }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verdict(gated) => {
                write!(f, "the guard's verdict is {}", gated.verdict())?;
                for finding in gated.worst().into_iter().take(3) {
                    write!(f, "; {} in {}:{}", finding.rule, finding.path, finding.line)?;
                }
                Ok(())
            }
            Self::Twin { path } => write!(
                f,
                "the skill of the same id at {} was left alone",
                path.display()
            ),
            Self::Unlinked { path } => write!(
                f,
                "{} was a link to what was installed and is a directory of its own now, which updates leave alone",
                path.display()
            ),
            Self::MadeDirectory { path } => {
                write!(f, "the skill is the directory {} now", path.display())
            }
            Self::Links { paths } => {
                let paths: Vec<String> = paths
                    .iter()
                    .map(|path| path.display().to_string())
                    .collect();
                write!(
                    f,
                    "links that led to it were changed as well: {}",
                    paths.join(", ")
                )
            }
            Self::Restored => f.write_str(
                "a skill of this id had been put away, and that does not hold for the new one",
            ),
            Self::RecordsLeft { reason } => {
                write!(f, "its records did not follow it: {reason}")
            }
        }
    }
}
