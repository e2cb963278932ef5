//! One change as the journal keeps it.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::state::State;
use crate::time::Timestamp;

/// One path that goes from one state to another.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Swap {
    /// Absolute, and Unicode.
    pub path: PathBuf,
    /// What is there before.
    pub before: State,
    /// What is there afterwards.
    pub after: State,
}

impl Swap {
    /// The swap of this path.
    pub fn new(path: impl Into<PathBuf>, before: State, after: State) -> Self {
        Self {
            path: path.into(),
            before,
            after,
        }
    }

    /// The swap that takes this one back.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self::new(&self.path, self.after.clone(), self.before.clone())
    }
}

/// Makes a word type: an open set of words of which the known ones are constants.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$word_doc:meta])* $constant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Cow<'static, str>);

        impl $name {
            $($(#[$word_doc])* pub const $constant: Self = Self(Cow::Borrowed($word));)*

            /// A word that may be none of the known ones, such as one that a newer version wrote.
            pub fn new(word: impl Into<String>) -> Self {
                Self(Cow::Owned(word.into()))
            }

            /// The word.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

words! {
    /// What a change does, in one word.
    Operation {
        /// A skill from elsewhere was placed.
        ADD = "add",
        /// What the lock says was placed.
        INSTALL = "install",
        /// A placed skill was replaced by another version.
        UPDATE = "update",
        /// A placed skill was taken away.
        REMOVE = "remove",
        /// A placed skill was made known to one more client.
        LINK = "link",
        /// The same taken back.
        UNLINK = "unlink",
        /// What another tool placed is kept from now on.
        ADOPT = "adopt",
        /// A new skill was written.
        CREATE = "create",
        /// A skill's text was replaced.
        EDIT = "edit",
        /// A part of a skill's text was replaced.
        PATCH = "patch",
        /// A skill got another name.
        RENAME = "rename",
        /// A file of a skill was written.
        WRITE_FILE = "write-file",
        /// A file of a skill was removed.
        REMOVE_FILE = "remove-file",
        /// A skill was deleted.
        DELETE = "delete",
        /// What an agent learned was stored.
        CAPTURE = "capture",
        /// Configuration was written.
        CONFIGURE = "configure",
        /// Texts were brought into their canonical form.
        FORMAT = "format",
        /// Faults of texts were mended.
        FIX = "fix",
        /// Skills were put into a tree for others.
        PUBLISH = "publish",
        /// A skill was put away.
        ARCHIVE = "archive",
        /// A skill that was put away was brought back.
        RESTORE = "restore",
        /// The files of a skill were accepted as they are.
        ACCEPT = "accept",
        /// An acceptance was taken back.
        REVOKE = "revoke",
        /// A change was undone.
        UNDO = "undo",
        /// An undone change was made again.
        REDO = "redo",
    }
}

words! {
    /// Who made a change.
    Actor {
        /// A person at the command.
        USER = "user",
        /// An agent.
        AGENT = "agent",
        /// What stores learned skills.
        LEARNER = "learner",
        /// Somebody by way of a server.
        SERVER = "server",
    }
}

/// What tells changes apart, in every store: 32 hexadecimal digits drawn at random, or whatever the caller groups
/// several changes by when it stands for a transaction.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ChangeId(pub String);

impl fmt::Display for ChangeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A change that is to be added to the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewEntry {
    /// The change.
    pub id: ChangeId,
    /// Changes of one transaction share this; a change alone has its own id here.
    pub transaction: ChangeId,
    /// What it does.
    pub operation: Operation,
    /// Who made it.
    pub actor: Actor,
    /// Ids of the skills that it is about.
    pub skills: Vec<String>,
    /// When.
    pub at: Timestamp,
    /// What people should read about it; may be empty.
    pub message: String,
    /// Every path that it changes.
    pub swaps: Vec<Swap>,
    /// Directories that it made so that there is a place for a path, outermost first.
    pub made_directories: Vec<PathBuf>,
    /// Directories that it removed because they had been made by what it undoes, if they were empty.
    pub vacated_directories: Vec<PathBuf>,
    /// Numbers of the entries that it undoes.
    pub undoes: Vec<u64>,
    /// Bytes of content that are kept so that it can be undone.
    pub bytes: u64,
}

/// A change in the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its number: the first is 1, and each one is higher by one.
    pub seq: u64,
    /// All that it says.
    #[serde(flatten)]
    pub entry: NewEntry,
    /// The number of the entry that undid it.
    pub undone_by: Option<u64>,
}

impl std::ops::Deref for Entry {
    type Target = NewEntry;

    fn deref(&self) -> &NewEntry {
        &self.entry
    }
}

impl Entry {
    /// Whether it was undone.
    pub fn is_undone(&self) -> bool {
        self.undone_by.is_some()
    }
}
