//! What is scanned: the files of one skill, as the caller read them.
//!
//! The caller walks the directory or the archive and says what each entry is, also of those that it could not read.
//! The guard opens nothing itself.

/// One entry of a bundle.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileInput {
    /// Relative to the bundle's root, with `/`. Taken as it is: it may be hostile.
    pub path: String,
    /// What is there.
    pub content: Content,
    /// Whether the entry has an executable bit.
    pub executable: bool,
}

/// What an entry of a bundle is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Content {
    /// A regular file with its bytes.
    Bytes(Vec<u8>),
    /// A symbolic link and what it says.
    Link {
        /// The text of the link, not resolved.
        target: String,
    },
    /// The entry could not be read; the reason in words.
    Unreadable(String),
    /// The caller did not read it because it is too large; its size in bytes.
    TooLarge(u64),
    /// A device, socket or pipe.
    Special,
}

/// All entries of one skill, sorted by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle {
    files: Vec<FileInput>,
    incomplete: bool,
}

impl Bundle {
    /// A bundle of these entries, in any order.
    pub fn new(mut files: Vec<FileInput>) -> Self {
        files.sort();
        Self {
            files,
            incomplete: false,
        }
    }

    /// A bundle of a single text, as from standard input.
    pub fn of_text(path: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        Self::new(vec![FileInput::regular(path, text)])
    }

    /// Says that the caller stopped before it had all entries, which the coverage then says as well.
    #[must_use]
    pub fn cut_short(mut self) -> Self {
        self.incomplete = true;
        self
    }

    /// The entries, sorted by path.
    pub fn files(&self) -> &[FileInput] {
        &self.files
    }

    pub(crate) fn is_cut_short(&self) -> bool {
        self.incomplete
    }
}

impl FileInput {
    /// A regular file that is not executable.
    pub fn regular(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            path: path.into(),
            content: Content::Bytes(bytes.into()),
            executable: false,
        }
    }
}
