//! One digest over all files of a skill: what locks and approvals are bound to.
//!
//! It is the SHA-256 of a line for each entry, sorted by path, with four fields parted by NUL:
//!
//! | entry | fields |
//! |---|---|
//! | file | path, size, SHA-256 of the content in hexadecimal digits, `x` when its owner may execute it, else `-` |
//! | link | path, length of its text in bytes, its text, `l` |
//! | pipe, socket, device | path, `0`, nothing, `s` |
//!
//! Of a `.git` directory only what Git runs and links go in: see [`super::git`]. Nothing else does: not where the skill
//! lies, in which form, or when it was written.

use std::fmt::Write as _;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};
use skillful_guard::is_run_by_git;

use super::{Bundle, archive};
use crate::bundled;
use crate::discover::Form;
use crate::limits;
use crate::load::Skill;
use crate::read::{self, Links, ReadError};
use crate::state::State;

/// An entry's share in the digest.
pub(super) struct FileDigest {
    /// Its path in the skill, with `/` between the parts.
    pub(super) path: String,
    /// Its length in bytes, as it was read.
    pub(super) size: u64,
    /// The digits of a file's digest, what a link says.
    content: String,
    /// What it is.
    mark: char,
}

impl FileDigest {
    /// Reads a file to its end.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or has more bytes than a whole skill may have.
    pub(super) fn of(path: String, executable: bool, content: impl Read) -> io::Result<Self> {
        let mut content = content.take(limits::BUNDLE_BYTES + 1);
        let mut hasher = Sha256::new();
        let mut buffer = [0; 16 * 1024];
        let mut size = 0;
        loop {
            let count = content.read(&mut buffer)?;
            if count == 0 {
                break;
            }
            hasher.update(&buffer[..count]);
            size += count as u64;
        }
        if size > limits::BUNDLE_BYTES {
            return Err(io::Error::from(io::ErrorKind::FileTooLarge));
        }
        Ok(Self {
            path,
            size,
            content: hex(&hasher.finalize()),
            mark: if executable { 'x' } else { '-' },
        })
    }

    /// Of a link, which is not followed.
    pub(super) fn of_link(path: String, target: &str) -> Self {
        Self {
            path,
            size: target.len() as u64,
            content: target.to_owned(),
            mark: 'l',
        }
    }

    /// Of what is neither file nor directory.
    pub(super) fn of_special(path: String) -> Self {
        Self {
            path,
            size: 0,
            content: String::new(),
            mark: 's',
        }
    }
}

/// The digest of a skill's files as `sha256:` and 64 hexadecimal digits; nothing for a broken skill, for one over a limit,
/// and when a file cannot be read.
pub fn digest(skill: &Skill) -> Option<String> {
    if skill.state == State::Broken {
        return None;
    }
    let files = match &skill.form {
        Form::Archive { member } => {
            let opened = archive::open(&skill.path)?;
            archive::digests(opened, member).ok()?
        }
        Form::Bundled => {
            let text = bundled::text(&skill.path)?;
            vec![FileDigest::of(main_name(skill), false, text.as_bytes()).ok()?]
        }
        Form::Directory | Form::File => digests(skill).ok()?,
    };
    Some(combine(files))
}

/// The digest over all files of a skill.
pub(super) fn combine(mut files: Vec<FileDigest>) -> String {
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let mut hasher = Sha256::new();
    for file in &files {
        let FileDigest {
            path,
            size,
            content,
            mark,
        } = file;
        hasher.update(format!("{path}\0{size}\0{content}\0{mark}\n"));
    }
    format!("sha256:{}", hex(&hasher.finalize()))
}

fn digests(skill: &Skill) -> Result<Vec<FileDigest>, ReadError> {
    let bundle = Bundle::of(skill);
    if bundle.truncated || bundle.bytes > limits::BUNDLE_BYTES {
        return Err(ReadError::TooLarge(bundle.bytes));
    }
    let read = |path: &Path, links, name, executable| -> Result<FileDigest, ReadError> {
        let file = read::open_regular(path, links, limits::BUNDLE_BYTES)?;
        Ok(FileDigest::of(name, executable, file)?)
    };
    // A SKILL.md may be a link within its root; that it does not leave it was seen when the skill was found.
    let mut files = vec![read(&skill.path, Links::Follow, main_name(skill), false)?];
    if let Some(directory) = skill.directory() {
        for resource in bundle.resources {
            let path = directory.join(&resource.path);
            files.push(read(
                &path,
                Links::Refuse,
                resource.path,
                resource.executable,
            )?);
        }
        for resource in bundle.git {
            let path = directory.join(&resource.path);
            let mut content = Vec::new();
            read::open_regular(&path, Links::Refuse, limits::SCAN_FILE_BYTES)?
                .take(limits::SCAN_FILE_BYTES)
                .read_to_end(&mut content)?;
            if is_run_by_git(&resource.path, &content) {
                let executable = resource.executable;
                files.push(FileDigest::of(resource.path, executable, &*content)?);
            }
        }
    }
    files.extend(bundle.others.into_iter().map(|other| match other.target {
        Some(target) => FileDigest::of_link(other.path, &target),
        None => FileDigest::of_special(other.path),
    }));
    Ok(files)
}

/// The name of the skill's own file; a flat skill's is what it would be in a directory.
fn main_name(skill: &Skill) -> String {
    match (&skill.form, skill.path.file_name()) {
        (Form::Directory, Some(name)) => name.to_string_lossy().into_owned(),
        _ => "SKILL.md".to_owned(),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests;
