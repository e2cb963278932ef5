//! What a scan did not read. A bundle that was not read whole is `incomplete` and never safe.

use serde::{Deserialize, Serialize};

use crate::finding::words;

words! {
    /// Why something was not read, or not to its end.
    GapKind {
        /// The caller could not read the entry.
        Unreadable = "unreadable",
        /// More bytes than [`crate::limits::FILE_BYTES`].
        FileTooLarge = "file-too-large",
        /// More entries than [`crate::limits::FILES`], or the caller stopped early.
        TooManyFiles = "too-many-files",
        /// The bundle's texts together are larger than [`crate::limits::BUNDLE_BYTES`].
        BundleTooLarge = "bundle-too-large",
        /// An archive breaks a limit of [`crate::limits`] or cannot be opened.
        Archive = "archive",
        /// Encrypted, so that nobody without the password knows what it holds.
        Encrypted = "encrypted",
        /// More layers of encoding than [`crate::limits::DECODE_DEPTH`], or more decoded text than allowed.
        Decoding = "decoding",
        /// A program takes more steps to read than [`crate::limits::PARSE_STEPS`].
        Syntax = "syntax",
        /// More places that may match a rule than [`crate::limits::CONFIRMED_BYTES`] allows to look at.
        Patterns = "patterns",
        /// More findings in one file than [`crate::limits::FINDINGS_PER_FILE`].
        Findings = "findings",
    }
}

/// One thing that was not read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Gap {
    /// The entry's path; empty for the bundle as a whole.
    pub path: String,
    /// Why.
    pub kind: GapKind,
    /// With the limit and the value, where there are such.
    pub detail: String,
}

/// How much of a bundle was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Entries that were looked at, members of archives included.
    pub files: usize,
    /// Bytes that were looked at.
    pub bytes: u64,
    /// What was not read, sorted.
    pub gaps: Vec<Gap>,
}

impl Coverage {
    /// Whether everything was read.
    pub fn is_complete(&self) -> bool {
        self.gaps.is_empty()
    }
}

impl Coverage {
    pub(crate) fn gap(&mut self, path: &str, kind: GapKind, detail: String) {
        self.gaps.push(Gap {
            path: path.to_owned(),
            kind,
            detail,
        });
    }
}
