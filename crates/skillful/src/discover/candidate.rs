//! What may be a skill: where it lies, in which form, and its bytes or why there are none.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use skillmd::{Code, Diagnostic};

use super::archive;
use crate::limits;
use crate::read::{self, Links, ReadError};

/// The name that the standard asks for.
pub(crate) const SKILL_MD: &str = "SKILL.md";

/// How a skill is kept.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// A directory with a SKILL.md.
    Directory,
    /// A single Markdown file.
    File,
    /// An archive that is read in place.
    Archive {
        /// The path of the SKILL.md in the archive; empty when there is none.
        member: String,
    },
    /// Part of the program.
    Bundled,
}

impl Form {
    /// The directory that a skill's other files lie in; none for a skill that is a single file, an archive or part of
    /// the program. `path` is that of its SKILL.md.
    pub fn directory<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        match self {
            Self::Directory => path.parent(),
            Self::File | Self::Archive { .. } | Self::Bundled => None,
        }
    }

    /// The directory, flat file or archive that a skill is. `path` is that of its SKILL.md.
    pub fn place<'p>(&self, path: &'p Path) -> &'p Path {
        self.directory(path).unwrap_or(path)
    }
}

/// The bytes of a SKILL.md, or why there are none.
pub type Content = Result<Vec<u8>, Box<Diagnostic>>;

/// Something that may be a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The SKILL.md, the flat file or the archive, below the root's path.
    pub path: PathBuf,
    /// How it is kept.
    pub form: Form,
    /// The directory that holds the file, without links, when a link below the root leads to it.
    pub real_directory: Option<PathBuf>,
    /// The bytes of the SKILL.md, or why it could not be read.
    pub content: Content,
    /// What is worth knowing about how it was found.
    pub notes: Vec<Diagnostic>,
}

impl Candidate {
    /// The skill that a single file is: a SKILL.md stands for its directory, an archive is read in place, and any other
    /// file is a flat skill. Its content says when it is none.
    pub fn of_file(path: &Path) -> Self {
        let name = name_of(path);
        if (has_ending(&name, ".zip") || has_ending(&name, ".skill"))
            && let Some(candidate) = archive::candidate(path.to_owned())
        {
            return candidate;
        }
        let form = if name.eq_ignore_ascii_case(SKILL_MD) {
            Form::Directory
        } else {
            Form::File
        };
        let content = read::read(path, Links::Follow, limits::FILE_BYTES)
            .map_err(|error| Box::new(unreadable(path, &error)));
        Self {
            path: path.to_owned(),
            form,
            real_directory: None,
            content,
            notes: Vec::new(),
        }
    }

    /// The name that the skill's place gives it: its directory's, or the file's without its ending.
    pub fn place_name(&self) -> Cow<'_, str> {
        match &self.form {
            Form::Directory | Form::Bundled => name_of(self.path.parent().unwrap_or(&self.path)),
            Form::File => stem(&self.path, &[".skill.md", ".md"]),
            Form::Archive { member } => match member.split_once('/') {
                Some((directory, _)) => Cow::Borrowed(directory),
                None => stem(&self.path, &[".zip", ".skill"]),
            },
        }
    }
}

pub(super) fn name_of(path: &Path) -> Cow<'_, str> {
    path.file_name().unwrap_or_default().to_string_lossy()
}

fn has_ending(name: &str, ending: &str) -> bool {
    let start = name.len().checked_sub(ending.len());
    start
        .and_then(|start| name.get(start..))
        .is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

fn stem<'a>(path: &'a Path, endings: &[&str]) -> Cow<'a, str> {
    let name = name_of(path);
    let length = endings
        .iter()
        .find_map(|ending| has_ending(&name, ending).then(|| name.len() - ending.len()));
    match (length, name) {
        (Some(length), Cow::Borrowed(name)) => Cow::Borrowed(name.get(..length).unwrap_or(name)),
        (Some(length), Cow::Owned(mut name)) => {
            name.truncate(length);
            Cow::Owned(name)
        }
        (None, name) => name,
    }
}

/// Why a file has no bytes.
pub(super) fn unreadable(path: &Path, error: &ReadError) -> Diagnostic {
    let name = name_of(path);
    let not_regular = || {
        let mut diagnostic = Diagnostic::about_file(
            Code::FileNotRegular,
            format!("`{name}` is not a regular file"),
        );
        diagnostic.help("a skill's SKILL.md must be an ordinary file");
        diagnostic
    };
    match error {
        ReadError::NotRegular => not_regular(),
        // A socket, for one, cannot even be opened.
        ReadError::Io(_) if path.symlink_metadata().is_ok_and(|found| !found.is_file()) => {
            not_regular()
        }
        ReadError::TooLarge(size) => Diagnostic::about_file(
            Code::FileTooLarge,
            format!(
                "`{name}` has {size} bytes, more than the limit of {}",
                limits::FILE_BYTES
            ),
        ),
        ReadError::Io(error) => Diagnostic::about_file(
            Code::FileUnreadable,
            format!("`{name}` could not be read: {error}"),
        ),
    }
}

/// The note about a file that is not spelt SKILL.md.
pub(crate) fn misspelt(name: &OsStr) -> Diagnostic {
    let name = name.to_string_lossy();
    let mut diagnostic = Diagnostic::about_file(
        Code::FileNameCase,
        format!("the file is called `{name}` instead of `{SKILL_MD}`"),
    );
    diagnostic.help(format!(
        "rename it to `{SKILL_MD}`; most clients see no other spelling"
    ));
    diagnostic
}

/// The note about another file that differs from the skill's only in spelling.
pub(crate) fn second_spelling(name: &OsStr) -> Diagnostic {
    let name = name.to_string_lossy();
    let mut diagnostic = Diagnostic::about_file(
        Code::FileNameCase,
        format!("the directory also has a `{name}`, which is not read"),
    );
    diagnostic.help("keep one of the two files; on systems that ignore case they are the same");
    diagnostic
}

/// Whether the bytes begin with a fence, blank lines and a byte order mark aside.
pub(super) fn has_frontmatter(bytes: &[u8]) -> bool {
    let text = bytes
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(bytes)
        .trim_ascii_start();
    text.starts_with(b"---") || text.starts_with(b"+++")
}

/// Whether the bytes begin with a frontmatter that has a line for the key `name`.
pub(super) fn frontmatter_has_name(bytes: &[u8]) -> bool {
    let text = bytes
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(bytes)
        .trim_ascii_start();
    let mut lines = text
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii_end);
    let Some(fence @ (b"---" | b"+++")) = lines.next() else {
        return false;
    };
    let separator = if fence == b"---" { b':' } else { b'=' };
    lines
        .take_while(|&line| line != fence)
        .filter_map(|line| line.strip_prefix(b"name"))
        .any(|rest| rest.trim_ascii_start().first() == Some(&separator))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(path: &str, form: Form) -> Candidate {
        Candidate {
            path: PathBuf::from(path),
            form,
            real_directory: None,
            content: Ok(Vec::new()),
            notes: Vec::new(),
        }
    }

    #[test]
    fn the_place_names_the_skill() {
        let archive = |member: &str| Form::Archive {
            member: member.to_owned(),
        };
        for (path, form, name) in [
            ("r/deploy/SKILL.md", Form::Directory, "deploy"),
            ("r/deploy.md", Form::File, "deploy"),
            ("r/deploy.Skill.MD", Form::File, "deploy"),
            ("r/x.zip", archive("deploy/SKILL.md"), "deploy"),
            ("r/deploy.skill", archive("SKILL.md"), "deploy"),
        ] {
            assert_eq!(candidate(path, form).place_name(), name, "{path}");
        }
    }

    #[test]
    fn a_name_in_the_frontmatter() {
        for text in [
            "---\nname: x\n---\n",
            "+++\nname = \"x\"\n+++\n",
            "\n---\r\nname : x\r\n---\r\n",
        ] {
            assert!(frontmatter_has_name(text.as_bytes()), "{text:?}");
        }
        for text in [
            "",
            "# x\nname: x\n",
            "---\ntitle: x\n---\nname: x\n",
            "---\nnames: x\n---\n",
        ] {
            assert!(!frontmatter_has_name(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn a_file_that_may_not_be_read() {
        let error = ReadError::Io(std::io::ErrorKind::PermissionDenied.into());
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join(SKILL_MD);
        std::fs::write(&file, "").unwrap();
        assert_eq!(unreadable(&file, &error).code, Code::FileUnreadable);
        assert_eq!(
            unreadable(directory.path(), &error).code,
            Code::FileNotRegular
        );
    }
}
