//! Reading a skill for the scanner.
//!
//! A listing for a model leaves out what is hidden, linked or odd; here nothing is left out but what Git itself stores
//! in a `.git` directory: its hooks and its configuration run when an agent uses Git there. Links are entries of their own and never followed. A directory is read through its handle and each name
//! relative to the handle above it, so that a directory that is exchanged on the way leads nowhere else. The digest is
//! made of the bytes that were read, not of a second look.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::Path;

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, Metadata, OpenOptions};
use skillful_guard::{Bundle, Content, FileInput};

use crate::bundle::digest_of;
use crate::bundle::git::{below_git, is_storage};
use crate::bundled;
use crate::discover::{Form, SKILL_MD};
use crate::limits;
use crate::load::Skill;
use crate::read::{self, Links, ReadError};
use crate::state::State;

/// The files of a skill for the scanner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gathered {
    /// Every file, sorted by path.
    pub bundle: Bundle,
    /// What [`crate::bundle::digest`] says of these very bytes; nothing when something could not be read or is over a
    /// limit.
    pub digest: Option<String>,
}

/// Every file of a skill, sorted by path.
pub fn bundle_of(skill: &Skill) -> Bundle {
    gather_skill(skill).bundle
}

/// Every file of a skill, and the digest of what was read.
///
/// A SKILL.md that is a link is read as what it leads to, as for an agent, unless the skill is broken: that it stays
/// within its root was seen when it was found.
pub fn gather_skill(skill: &Skill) -> Gathered {
    let links = match skill.state {
        State::Broken => Links::Refuse,
        _ => Links::Follow,
    };
    let mut gathered = read_form(&skill.form, &skill.path, links);
    if skill.state == State::Broken {
        gathered.digest = None;
    }
    gathered
}

/// Every file of the skill of this form whose SKILL.md, flat file or archive lies at `path`, as that of an installer's
/// staging directory. No link is followed, not even the skill's own file.
pub fn gather(form: &Form, path: &Path) -> Gathered {
    read_form(form, path, Links::Refuse)
}

/// Every file of a directory, whether there is a skill in it or not. It has no digest, being no skill.
pub fn gather_directory(directory: &Path) -> Bundle {
    match open_top(directory) {
        Ok(handle) => gather_opened(&handle),
        Err(error) => unreadable(last_name(directory), error.to_string()),
    }
}

/// Every file of a directory that is open already.
pub fn gather_opened(directory: &Dir) -> Bundle {
    let mut reader = Reader::default();
    reader.directory(directory, "", 0);
    reader.into_bundle()
}

/// The skill of this form at a path that a person named: whatever it leads to is meant, links included.
pub fn gather_named(form: &Form, path: &Path) -> Gathered {
    read_form(form, path, Links::Follow)
}

fn read_form(form: &Form, path: &Path, links: Links) -> Gathered {
    match form {
        Form::Directory => in_directory(path, links),
        Form::Bundled => {
            let text = bundled::text(path).unwrap_or_default();
            with_digest(form, Bundle::of_text(SKILL_MD, text))
        }
        Form::File | Form::Archive { .. } => {
            let file = single(path, links, limits::BUNDLE_BYTES);
            with_digest(form, Bundle::new(vec![file]))
        }
    }
}

fn in_directory(path: &Path, links: Links) -> Gathered {
    let directory = path.parent().unwrap_or(path);
    let mut reader = Reader::default();
    match open_top(directory) {
        Ok(handle) => {
            let main = path.file_name().unwrap_or_default();
            let is_link = handle
                .symlink_metadata(main)
                .is_ok_and(|found| found.is_symlink());
            if is_link && links == Links::Follow {
                reader.take_main(single(path, links, limits::SCAN_FILE_BYTES));
            }
            reader.directory(&handle, "", 0);
        }
        Err(error) => {
            return Gathered {
                bundle: unreadable(last_name(path), error.to_string()),
                digest: None,
            };
        }
    }
    let is_exact = reader.is_exact();
    let mut gathered = Gathered {
        bundle: reader.into_bundle(),
        digest: None,
    };
    if is_exact {
        let main = path.file_name().unwrap_or_default().to_string_lossy();
        gathered.digest = digest_of::files(gathered.bundle.files(), &main);
    }
    gathered
}

fn with_digest(form: &Form, bundle: Bundle) -> Gathered {
    let digest = match (form, bundle.files()) {
        (Form::Archive { member }, [file]) => digest_of::archive(file, member),
        (_, [file]) => digest_of::flat(file),
        _ => None,
    };
    Gathered { bundle, digest }
}

/// A bundle of one file that cannot be read.
pub(super) fn unreadable(path: String, reason: String) -> Bundle {
    Bundle::new(vec![FileInput {
        path,
        content: Content::Unreadable(reason),
        executable: false,
    }])
}

/// The directory's own path may lead over links; what is in it may not.
fn open_top(directory: &Path) -> io::Result<Dir> {
    let directory = if directory.as_os_str().is_empty() {
        Path::new(".")
    } else {
        directory
    };
    Dir::open_ambient_dir(directory, cap_std::ambient_authority())
}

/// A file by its path.
fn single(path: &Path, links: Links, limit: u64) -> FileInput {
    let content = match read::read(path, links, usize::try_from(limit).unwrap_or(usize::MAX)) {
        Ok(bytes) => Content::Bytes(bytes),
        Err(error) => match (std::fs::read_link(path), error) {
            (Ok(target), _) if links == Links::Refuse => Content::Link {
                target: target.to_string_lossy().into_owned(),
            },
            (_, ReadError::NotRegular) => Content::Special,
            (_, ReadError::TooLarge(size)) => Content::TooLarge(size),
            (_, ReadError::Io(_)) if is_special(path) => Content::Special,
            (_, ReadError::Io(error)) => Content::Unreadable(error.to_string()),
        },
    };
    FileInput {
        path: last_name(path),
        content,
        executable: false,
    }
}

/// A socket, for one, cannot even be opened.
fn is_special(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

fn last_name(path: &Path) -> String {
    name(path.file_name().unwrap_or_default())
}

fn name(name: &std::ffi::OsStr) -> String {
    name.to_string_lossy().into_owned()
}

/// A bundle in the making.
#[derive(Default)]
struct Reader {
    files: Vec<FileInput>,
    bytes: u64,
    /// Entries that were seen in all directories.
    entries: usize,
    /// The skill's own file where it was read already.
    main: Option<String>,
    cut_short: bool,
    /// Whether some name is not text, so that a digest over names would not be exact.
    has_foreign_names: bool,
}

impl Reader {
    fn take_main(&mut self, file: FileInput) {
        if let Content::Bytes(bytes) = &file.content {
            self.bytes += bytes.len() as u64;
        }
        self.main = Some(file.path.clone());
        self.files.push(file);
    }

    fn into_bundle(self) -> Bundle {
        let bundle = Bundle::new(self.files);
        if self.cut_short {
            bundle.cut_short()
        } else {
            bundle
        }
    }

    /// Whether everything that the digest covers was read.
    fn is_exact(&self) -> bool {
        let is_unread = |file: &FileInput| {
            matches!(file.content, Content::Unreadable(_) | Content::TooLarge(_))
        };
        !self.cut_short && !self.has_foreign_names && !self.files.iter().any(is_unread)
    }

    fn put(&mut self, path: String, content: Content, executable: bool) {
        self.files.push(FileInput {
            path,
            content,
            executable,
        });
    }

    /// `below` is the directory's path in the bundle, with a `/` at its end unless it is empty. Files come before
    /// directories, so that a directory with too many cannot push them out.
    fn directory(&mut self, handle: &Dir, below: &str, depth: usize) {
        let names = match self.names(handle) {
            Ok(names) => names,
            Err(error) => return self.cannot_read(below, &error),
        };
        let mut directories = Vec::new();
        for entry in names {
            if self.files.len() >= limits::SCAN_FILES {
                self.cut_short = true;
                return;
            }
            self.has_foreign_names |= entry.to_str().is_none();
            let path = format!("{below}{}", name(&entry));
            if self.main.as_deref() == Some(&*path) {
                continue;
            }
            match handle.symlink_metadata(&entry) {
                Ok(found) if found.is_dir() => directories.push((entry, path)),
                Ok(found) if found.is_file() && below_git(&path).is_some_and(is_storage) => {}
                Ok(found) => self.entry(handle, &entry, path, &found),
                Err(error) => self.put(path, Content::Unreadable(error.to_string()), false),
            }
        }
        for (entry, path) in directories {
            if self.cut_short {
                return;
            }
            self.below(handle, &entry, path, depth + 1);
        }
    }

    fn cannot_read(&mut self, below: &str, error: &io::Error) {
        let path = below.trim_end_matches('/').to_owned();
        self.put(path, Content::Unreadable(error.to_string()), false);
    }

    /// All names of a directory in their order. Which ones are taken of too many must not depend on the file system, so
    /// that all are read first; beyond [`limits::ENTRIES`] they are not.
    fn names(&mut self, handle: &Dir) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in handle.entries()? {
            names.push(entry?.file_name());
            self.entries += 1;
            if self.entries >= limits::ENTRIES {
                self.cut_short = true;
                break;
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    fn below(&mut self, handle: &Dir, entry: &OsString, path: String, depth: usize) {
        if depth > limits::BUNDLE_DEPTH {
            let reason = format!("it lies deeper than {} directories", limits::BUNDLE_DEPTH);
            return self.put(path, Content::Unreadable(reason), false);
        }
        match handle.open_dir_nofollow(entry) {
            Ok(opened) => self.directory(&opened, &format!("{path}/"), depth),
            Err(error) => self.put(path, Content::Unreadable(error.to_string()), false),
        }
    }

    /// Anything but a directory.
    fn entry(&mut self, handle: &Dir, entry: &OsString, path: String, found: &Metadata) {
        if found.is_symlink() {
            let content = match handle.read_link_contents(entry) {
                Ok(target) => Content::Link {
                    target: target.to_string_lossy().into_owned(),
                },
                Err(error) => Content::Unreadable(error.to_string()),
            };
            return self.put(path, content, false);
        }
        if !found.is_file() {
            return self.put(path, Content::Special, false);
        }
        let (content, executable) = match self.file(handle, entry) {
            Ok(read) => read,
            Err(error) => (Content::Unreadable(error.to_string()), false),
        };
        self.put(path, content, executable);
    }

    /// Opens a file without waiting for a pipe's other end, asks what was opened, and reads it up to the limits.
    fn file(&mut self, handle: &Dir, entry: &OsString) -> io::Result<(Content, bool)> {
        let mut options = OpenOptions::new();
        options.read(true).nonblock(true).follow(FollowSymlinks::No);
        let file = handle.open_with(entry, &options)?;
        let found = file.metadata()?;
        if !found.is_file() {
            return Ok((Content::Special, false));
        }
        let executable = is_executable(&found);
        let size = found.len();
        if size > limits::SCAN_FILE_BYTES {
            return Ok((Content::TooLarge(size), executable));
        }
        let left = limits::BUNDLE_BYTES.saturating_sub(self.bytes);
        let allowed = limits::SCAN_FILE_BYTES.min(left);
        let mut bytes = Vec::new();
        file.take(allowed + 1).read_to_end(&mut bytes)?;
        let read = bytes.len() as u64;
        if read > limits::SCAN_FILE_BYTES {
            return Ok((Content::TooLarge(read), executable));
        }
        if read > allowed {
            let reason = format!(
                "the files of the bundle have more than {} bytes together",
                limits::BUNDLE_BYTES
            );
            return Ok((Content::Unreadable(reason), executable));
        }
        self.bytes += read;
        Ok((Content::Bytes(bytes), executable))
    }
}

#[cfg(unix)]
fn is_executable(metadata: &Metadata) -> bool {
    use cap_std::fs::PermissionsExt;
    metadata.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests;
