//! The files of one skill: listed when somebody asks for them, never when skills are listed.

use std::collections::BTreeMap;
use std::fs::{DirEntry, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use git::{GIT, below_git, is_storage};
use skillmd::{Code, Diagnostic, Severity};

use crate::discover::{Form, SKILL_MD, second_spelling};
use crate::limits;
use crate::load::Skill;
use crate::read::{self, Links};

mod archive;
mod digest;
pub(crate) mod digest_of;
mod file;
pub(crate) mod git;
mod path;

pub use digest::digest;
pub use file::{Content, FileContent, ReadError, read_file, read_own_file};
pub use path::{PathFault, ResourcePath};

/// Any file of a skill other than its SKILL.md.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Resource {
    /// Its path in the skill, with `/` between the parts.
    pub path: String,
    /// Its length in bytes.
    pub size: u64,
    /// Whether its owner may execute it; never on Windows.
    pub executable: bool,
}

/// The files of a skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle {
    /// All files but the SKILL.md, sorted by path. Links are not followed and not listed; nor is what lies in `.git`.
    pub resources: Vec<Resource>,
    /// Bytes of all files together, SKILL.md included.
    pub bytes: u64,
    /// Whether a limit was reached and files are missing from the list.
    pub truncated: bool,
    /// What is worth knowing about the files.
    pub diagnostics: Vec<Diagnostic>,
    /// Links, pipes and the like, which nobody is handed and which belong to what the skill is all the same.
    pub(crate) others: Vec<Other>,
    /// What lies in `.git` and is not Git's own storage.
    pub(crate) git: Vec<Resource>,
}

/// An entry that is no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Other {
    path: String,
    /// What it says, if it is a link.
    target: Option<String>,
}

impl Bundle {
    /// Lists the files of a skill. What cannot be read is a diagnostic.
    pub fn of(skill: &Skill) -> Self {
        Self::at(&skill.form, &skill.path, skill.bytes)
    }

    /// Lists the files of the skill of this form whose SKILL.md, flat file or archive lies at `path`; its SKILL.md has
    /// `bytes` bytes.
    pub fn at(form: &Form, path: &Path, bytes: usize) -> Self {
        let mut bundle = match (form, form.directory(path)) {
            (Form::Archive { member }, _) => archive::list(path, member),
            (_, Some(directory)) => {
                let main = path.file_name().unwrap_or_default().to_string_lossy();
                let mut listing = Listing::new(directory, &main);
                listing.directory(directory, "", 0);
                listing.bundle
            }
            _ => Self::default(),
        };
        bundle.bytes += bytes as u64;
        bundle.resources.sort();
        bundle.note_size();
        bundle
    }

    /// Whether a file or directory of the skill has this path, `/` between its parts. Only what was listed counts: a
    /// path from a skill's text is looked up, never opened.
    pub fn contains(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        let listed = |resource: &Resource| {
            resource
                .path
                .strip_prefix(path)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        path.is_empty() || self.resources.iter().any(listed)
    }

    fn note_size(&mut self) {
        let files = self.resources.len() + 1;
        if self.truncated {
            self.note(
                Code::BundleTooLarge,
                format!(
                    "the skill has more files than the limit of {}",
                    limits::BUNDLE_FILES
                ),
            )
            .severity(Severity::Error);
        } else if files > limits::BUNDLE_FILES_WARNING {
            self.note(
                Code::BundleTooLarge,
                format!(
                    "the skill has {files} files, more than {}",
                    limits::BUNDLE_FILES_WARNING
                ),
            );
        }
        let bytes = self.bytes;
        let (limit, severity) = if bytes > limits::BUNDLE_BYTES {
            (limits::BUNDLE_BYTES, Severity::Error)
        } else {
            (limits::BUNDLE_BYTES_WARNING, Severity::Warning)
        };
        if bytes > limit {
            self.note(
                Code::BundleTooLarge,
                format!("the skill's files have {bytes} bytes, more than {limit}"),
            )
            .severity(severity);
        }
    }

    fn note(&mut self, code: Code, message: String) -> &mut Diagnostic {
        self.diagnostics.push(Diagnostic::about_file(code, message));
        let last = self.diagnostics.len() - 1;
        &mut self.diagnostics[last]
    }
}

/// A bundle in the making.
struct Listing<'a> {
    top: &'a Path,
    /// The name of the skill's own file.
    main: &'a str,
    bundle: Bundle,
}

impl<'a> Listing<'a> {
    fn new(top: &'a Path, main: &'a str) -> Self {
        Self {
            top,
            main,
            bundle: Bundle::default(),
        }
    }

    /// `below` is the directory's path in the skill, with a `/` at its end unless it is empty.
    fn directory(&mut self, directory: &Path, below: &str, depth: usize) {
        let entries = match entries(directory) {
            Ok(entries) => entries,
            Err(error) => {
                let message = format!("`{below}` could not be read: {error}");
                self.bundle.note(Code::FileUnreadable, message);
                return;
            }
        };
        for (name, entry) in entries {
            if self.bundle.truncated {
                return;
            }
            let path = format!("{below}{name}");
            match entry.metadata() {
                Ok(metadata) if metadata.is_symlink() => self.link(&entry.path(), &path),
                Ok(metadata) if metadata.is_dir() => self.below(&entry, &name, &path, depth + 1),
                Ok(metadata) if metadata.is_file() => self.file(&name, path, below, &metadata),
                Ok(_) => {
                    self.bundle.others.push(Other {
                        path: path.clone(),
                        target: None,
                    });
                    let message = format!("`{path}` is not a regular file");
                    self.bundle
                        .note(Code::FileNotRegular, message)
                        .severity(Severity::Warning);
                }
                Err(error) => {
                    let message = format!("`{path}` could not be read: {error}");
                    self.bundle.note(Code::FileUnreadable, message);
                }
            }
        }
    }

    fn below(&mut self, entry: &DirEntry, name: &str, path: &str, depth: usize) {
        if name == GIT {
            return self.git(&entry.path(), path, depth);
        }
        if depth > limits::BUNDLE_DEPTH {
            let message = format!(
                "`{path}` lies deeper than {} directories",
                limits::BUNDLE_DEPTH
            );
            self.bundle.note(Code::BundleTooLarge, message);
            return;
        }
        self.directory(&entry.path(), &format!("{path}/"), depth);
    }

    /// What lies in a `.git` directory; a listing for a model says nothing of it.
    fn git(&mut self, directory: &Path, path: &str, depth: usize) {
        let Ok(found) = entries(directory) else {
            let message = format!("`{path}` could not be read");
            self.bundle.note(Code::FileUnreadable, message);
            return;
        };
        for (name, entry) in found {
            let path = format!("{path}/{name}");
            match entry.metadata() {
                Ok(metadata) if metadata.is_symlink() => self.other_link(&entry.path(), &path),
                Ok(metadata) if metadata.is_dir() => {
                    if depth < limits::BUNDLE_DEPTH {
                        self.git(&entry.path(), &path, depth + 1);
                    }
                }
                Ok(metadata) if metadata.is_file() => {
                    if !below_git(&path).is_some_and(is_storage) {
                        self.bundle.git.push(Resource {
                            path,
                            size: metadata.len(),
                            executable: is_executable(&metadata),
                        });
                    }
                }
                _ => self.bundle.others.push(Other { path, target: None }),
            }
        }
    }

    /// Keeps what a link says.
    fn other_link(&mut self, link: &Path, path: &str) {
        if path == self.main {
            return;
        }
        let target = std::fs::read_link(link).unwrap_or_default();
        self.bundle.others.push(Other {
            path: path.to_owned(),
            target: Some(target.to_string_lossy().into_owned()),
        });
    }

    fn file(&mut self, name: &str, path: String, below: &str, metadata: &Metadata) {
        let is_skill_md = name.eq_ignore_ascii_case(SKILL_MD);
        if below.is_empty() && name == self.main {
            return;
        }
        if is_skill_md && below.is_empty() {
            self.bundle.diagnostics.push(second_spelling(name.as_ref()));
        } else if is_skill_md {
            let message = format!("another skill lies in `{below}`");
            self.bundle
                .note(Code::NestedSkill, message)
                .help("move it beside this one if it is meant to be found");
        }
        if self.bundle.resources.len() + 1 >= limits::BUNDLE_FILES {
            self.bundle.truncated = true;
            return;
        }
        self.bundle.bytes = self.bundle.bytes.saturating_add(metadata.len());
        self.bundle.resources.push(Resource {
            path,
            size: metadata.len(),
            executable: is_executable(metadata),
        });
    }

    /// A link is not followed; one that leads nowhere or out of the skill is worth knowing.
    fn link(&mut self, link: &Path, path: &str) {
        self.other_link(link, path);
        let top = std::fs::canonicalize(self.top);
        let (code, message) = match (std::fs::canonicalize(link), top) {
            (Ok(target), Ok(top)) if target.starts_with(&top) => return,
            (Ok(_), _) => (Code::LinkOutsideRoot, "a link that leaves the skill"),
            (Err(_), _) => (Code::LinkBroken, "a link that leads nowhere"),
        };
        if path != self.main {
            let message = format!("`{path}` is {message}");
            self.bundle.note(code, message).severity(Severity::Warning);
        }
    }
}

/// The entries of a directory in the order of their names.
fn entries(directory: &Path) -> io::Result<BTreeMap<String, DirEntry>> {
    std::fs::read_dir(directory)?
        .take(limits::BUNDLE_FILES * 2)
        .map(|entry| {
            let entry = entry?;
            Ok((entry.file_name().to_string_lossy().into_owned(), entry))
        })
        .collect()
}

#[cfg(unix)]
fn is_executable(metadata: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &Metadata) -> bool {
    false
}

/// Whether two skills are the same to the last byte of the last file. Skills of different forms are not, nor are those
/// over a limit.
pub fn same_content(a: &Skill, b: &Skill) -> bool {
    if a.form != b.form || a.bytes != b.bytes || !same_file(&a.path, &b.path) {
        return false;
    }
    let (Some(a_directory), Some(b_directory)) = (a.directory(), b.directory()) else {
        return true;
    };
    let (a, b) = (Bundle::of(a), Bundle::of(b));
    a.resources == b.resources
        && !a.truncated
        && a.bytes <= limits::BUNDLE_BYTES
        && a.resources.iter().all(|resource| {
            same_file(
                &a_directory.join(&resource.path),
                &b_directory.join(&resource.path),
            )
        })
}

/// Whether two files hold the same bytes. What cannot be read is not the same.
fn same_file(a: &Path, b: &Path) -> bool {
    let open = |path| read::open_regular(path, Links::Follow, limits::BUNDLE_BYTES);
    let (Ok(mut a), Ok(mut b)) = (open(a), open(b)) else {
        return false;
    };
    let (mut left, mut right) = (Vec::new(), Vec::new());
    loop {
        let (Ok(()), Ok(())) = (
            next_chunk(&mut a, &mut left),
            next_chunk(&mut b, &mut right),
        ) else {
            return false;
        };
        if left != right {
            return false;
        }
        if left.is_empty() {
            return true;
        }
    }
}

/// Replaces `chunk` by the next bytes of a file; by none at its end.
fn next_chunk(file: &mut File, chunk: &mut Vec<u8>) -> io::Result<()> {
    const CHUNK_BYTES: u64 = 64 * 1024;
    chunk.clear();
    file.take(CHUNK_BYTES).read_to_end(chunk)?;
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests;
