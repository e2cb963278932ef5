//! Names of an archive's members, of a repository's files, of a hub's: everything that says where a file is to lie.
//!
//! A path that passes means the same file on every system, and no other name that passed means that file too.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

use super::Reason;
use crate::limits;

/// A relative path with `/` between its parts, each a plain name on every system.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct MemberPath(String);

impl MemberPath {
    /// Takes a name as it stands in a header. `./` at the beginning and `/` at the end, of directories, are dropped.
    pub(crate) fn parse(raw: &[u8], is_directory: bool) -> Result<Self, Reason> {
        let text = std::str::from_utf8(raw).map_err(|_| Reason::NameNotUtf8)?;
        if text.is_empty() {
            return Err(Reason::NameEmpty);
        }
        if text.chars().any(char::is_control) {
            return Err(Reason::ControlCharacter);
        }
        if text.starts_with("\\\\") || text.starts_with("//") {
            return Err(Reason::NetworkShare);
        }
        if text.as_bytes().get(1) == Some(&b':') && text.as_bytes()[0].is_ascii_alphabetic() {
            return Err(Reason::DriveLetter);
        }
        if text.starts_with('/') {
            return Err(Reason::Absolute);
        }
        if text.split(['/', '\\']).any(|part| part == "..") {
            return Err(Reason::Traversal);
        }
        if text.contains('\\') {
            return Err(Reason::Backslash);
        }
        let mut text = text.strip_prefix("./").unwrap_or(text);
        if is_directory {
            text = text.strip_suffix('/').unwrap_or(text);
        }
        if text.len() > limits::PATH_BYTES {
            return Err(Reason::PathTooLong);
        }
        text.split('/').try_for_each(check_part)?;
        if text.split('/').count() > limits::PATH_DEPTH {
            return Err(Reason::PathTooDeep);
        }
        Ok(Self(text.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

fn check_part(part: &str) -> Result<(), Reason> {
    if part.is_empty() || part == "." {
        Err(Reason::EmptyPart)
    } else if part.contains(':') {
        Err(Reason::Colon)
    } else if part.ends_with([' ', '.']) {
        Err(Reason::TrailingDotOrBlank)
    } else if is_device(part) {
        Err(Reason::WindowsDevice)
    } else {
        Ok(())
    }
}

/// Windows: these names mean devices in every directory and with every ending, the superscript digits too
/// (Microsoft, "Naming Files, Paths, and Namespaces").
pub(crate) fn is_device(part: &str) -> bool {
    const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
    let stem = part.split('.').next().unwrap_or(part).trim_end();
    let stem = stem.to_lowercase();
    let numbered = ["com", "lpt"]
        .into_iter()
        .find_map(|device| stem.strip_prefix(device));
    DEVICES.contains(&&*stem)
        || numbered.is_some_and(|number| {
            let mut digits = number.chars();
            matches!(digits.next(), Some('1'..='9' | '¹' | '²' | '³')) && digits.next().is_none()
        })
}

/// What systems of version control and operating systems put into directories by themselves, in small letters.
const LEFT_OUT: [&str; 14] = [
    ".git",
    "git~1",
    ".hg",
    ".svn",
    ".jj",
    ".bzr",
    "__macosx",
    ".ds_store",
    ".appledouble",
    ".spotlight-v100",
    ".trashes",
    ".fseventsd",
    "thumbs.db",
    "desktop.ini",
];

/// Whether a path is what tools add to a directory by themselves, and no part of a skill.
pub(crate) fn is_left_out(path: &str) -> bool {
    path.split('/').any(|part| {
        // macOS keeps what other file systems cannot hold in a file of the same name with `._` before it.
        let lower = part.to_ascii_lowercase();
        LEFT_OUT.contains(&&*lower) || part.starts_with("._")
    })
}

/// The names that were taken so far. Each spelling of a name is taken once, and each directory is spelt in one way.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// By what the least discerning file system makes of a path.
    taken: HashMap<String, Taken>,
}

#[derive(Debug)]
struct Taken {
    spelling: String,
    is_directory: bool,
}

impl Names {
    /// Takes a name, with the directories that it lies in.
    pub(crate) fn take(&mut self, raw: &[u8], is_directory: bool) -> Result<MemberPath, Reason> {
        let path = MemberPath::parse(raw, is_directory)?;
        let text = path.as_str();
        let ends = text.match_indices('/').map(|(end, _)| end);
        for end in ends {
            self.claim(text.get(..end).unwrap_or_default(), true)?;
        }
        self.claim(text, is_directory)?;
        Ok(path)
    }

    fn claim(&mut self, spelling: &str, is_directory: bool) -> Result<(), Reason> {
        let key = folded(spelling);
        let Some(taken) = self.taken.get(&key) else {
            let spelling = spelling.to_owned();
            self.taken.insert(
                key,
                Taken {
                    spelling,
                    is_directory,
                },
            );
            return Ok(());
        };
        if taken.spelling != spelling {
            let same_letters = taken.spelling.nfc().eq(spelling.nfc());
            return Err(if same_letters {
                Reason::UnicodeTwin
            } else {
                Reason::CaseTwin
            });
        }
        match (taken.is_directory, is_directory) {
            (true, true) => Ok(()),
            (false, false) => Err(Reason::Duplicate),
            _ => Err(Reason::FileAndDirectory),
        }
    }
}

/// As file systems compare that know no case and compose letters: upper case first, so that letters which share one
/// (`ſ` and `s`) fall together.
fn folded(path: &str) -> String {
    let upper: String = path.nfc().flat_map(char::to_uppercase).collect();
    upper.nfc().flat_map(char::to_lowercase).nfc().collect()
}
