//! Why an archive is refused.

use std::io;

use crate::limits;

/// An archive was not unpacked, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum UnpackError {
    /// Something in it is wrong.
    #[error("the archive is refused: {}{reason}", of_member(member))]
    Refused {
        /// The member, as far as its name can be shown; empty when it is about the whole.
        member: String,
        /// What is wrong.
        reason: Reason,
    },
    /// The disk says no.
    #[error("the archive could not be unpacked: {0}")]
    Io(#[from] io::Error),
}

impl UnpackError {
    pub(super) fn whole(reason: Reason) -> Self {
        Self::Refused {
            member: String::new(),
            reason,
        }
    }

    /// Names the member by its raw name, with all that a terminal would obey taken out.
    pub(super) fn member(name: &[u8], reason: Reason) -> Self {
        Self::Refused {
            member: shown(name),
            reason,
        }
    }

    /// The reason, unless the disk is at fault.
    pub fn reason(&self) -> Option<Reason> {
        match self {
            Self::Refused { reason, .. } => Some(*reason),
            Self::Io(_) => None,
        }
    }
}

/// A foreign name, fit to be shown: at most 120 characters, none of them a control or a direction mark.
pub(crate) fn shown(name: &[u8]) -> String {
    String::from_utf8_lossy(name)
        .chars()
        .take(120)
        .map(|c| {
            let hides = c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
            if hides { '\u{fffd}' } else { c }
        })
        .collect()
}

fn of_member(member: &str) -> String {
    if member.is_empty() {
        String::new()
    } else {
        format!("`{member}` ")
    }
}

/// What is wrong with an archive or one of its members. As text it is the end of a sentence that begins with the
/// member's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Reason {
    /// Neither ZIP nor tar.
    #[error("it is neither a ZIP nor a tar archive")]
    NotAnArchive,
    /// There is no file in it.
    #[error("it holds no file")]
    Empty,
    /// A name that is no UTF-8.
    #[error("has a name that is not UTF-8")]
    NameNotUtf8,
    /// An empty name.
    #[error("has no name")]
    NameEmpty,
    /// `..` in a name.
    #[error("leads out by `..`")]
    Traversal,
    /// A name that begins at the top of the file system.
    #[error("has an absolute path")]
    Absolute,
    /// `C:`.
    #[error("begins with a drive of Windows")]
    DriveLetter,
    /// `\\server\share` or `//server/share`.
    #[error("is the path of a network share")]
    NetworkShare,
    /// A backslash, which parts directories on Windows only.
    #[error("has a backslash in its name")]
    Backslash,
    /// A colon, which on Windows opens a hidden stream.
    #[error("has a colon in its name, which on Windows means a hidden stream")]
    Colon,
    /// A line break, an escape, NUL.
    #[error("has a control character in its name")]
    ControlCharacter,
    /// `a//b` or `a/./b`.
    #[error("has an empty part in its path")]
    EmptyPart,
    /// Windows drops them, so that two names become one.
    #[error("has a part that ends with a dot or a blank, which Windows drops")]
    TrailingDotOrBlank,
    /// `NUL`, `COM1.txt`.
    #[error("is called like a device of Windows")]
    WindowsDevice,
    /// A path of too many bytes.
    #[error("has a path longer than {} bytes", limits::PATH_BYTES)]
    PathTooLong,
    /// A path of too many parts.
    #[error("lies more than {} directories deep", limits::PATH_DEPTH)]
    PathTooDeep,
    /// The same name twice.
    #[error("is there twice")]
    Duplicate,
    /// Two names that differ in case only.
    #[error("differs from another name only in upper and lower case")]
    CaseTwin,
    /// Two names that look the same and are written in different characters.
    #[error("differs from another name only in how its letters are composed")]
    UnicodeTwin,
    /// `a` and `a/b`.
    #[error("is a file and a directory at once")]
    FileAndDirectory,
    /// A symbolic link.
    #[error("is a link")]
    Link,
    /// A second name of a file.
    #[error("is a hard link")]
    HardLink,
    /// A character or block device.
    #[error("is a device")]
    Device,
    /// A named pipe.
    #[error("is a pipe")]
    Fifo,
    /// A socket, a sparse file, a kind that is not known.
    #[error("is neither a file nor a directory")]
    OtherKind,
    /// Bits that lend rights.
    #[error("has a bit that would run it with the rights of its owner or group")]
    SetUserId,
    /// A PAX header that gives another name without need.
    #[error("has a second name in an extended header, which a plain one had room for")]
    PaxPath,
    /// A PAX header with the target of a link.
    #[error("has the target of a link in an extended header")]
    PaxLinkPath,
    /// A PAX header that gives another size.
    #[error("has a second size in an extended header")]
    PaxSize,
    /// A PAX header that cannot be read, or is too long.
    #[error("has an extended header that cannot be read")]
    PaxDamaged,
    /// A GNU long name where none belongs, or one too long, or for a link.
    #[error("has a long name where none belongs")]
    GnuLongName,
    /// Too many members.
    #[error("it has more members than an archive may have")]
    TooManyEntries,
    /// Too many bytes.
    #[error("it unpacks to more bytes than an archive may")]
    TooManyBytes,
    /// One file too large.
    #[error("is larger than one file may be")]
    FileTooLarge,
    /// Too much out of too little.
    #[error(
        "it unpacks to {} times its size or more, as only bombs do",
        limits::ARCHIVE_RATIO
    )]
    Ratio,
    /// More or fewer bytes came out than the header says.
    #[error("holds another number of bytes than it states")]
    SizeMismatch,
    /// The archive ends too early.
    #[error("it ends before it is complete; it may have been cut off on the way")]
    Truncated,
    /// The checksum is wrong.
    #[error("is damaged: its checksum is wrong")]
    WrongChecksum,
    /// A password is needed.
    #[error("is encrypted")]
    Encrypted,
    /// A compression that is not read.
    #[error("is compressed in a way that is not read")]
    Compression,
    /// Two members share bytes.
    #[error("it has members that lie over each other")]
    Overlap,
    /// The two headers of a ZIP member differ.
    #[error("it says one thing at the beginning of a member and another in its list")]
    HeaderMismatch,
    /// Anything else that is not as the format demands.
    #[error("it is damaged")]
    Damaged,
    /// More behind the end than padding.
    #[error("it has more data behind its end")]
    TrailingData,
}
