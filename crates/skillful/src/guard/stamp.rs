//! Whether the files of a skill changed, told without reading them.
//!
//! A stamp is made of what the system says about files: size, when they were written and when anything about them was
//! changed, which file it is. The time of change cannot be set back by whoever writes the file, where the system has one.
//! Files that were changed a moment ago are not to be recognised by their stamps: they could be changed again within
//! the same tick of the clock.

use std::fs::{self, Metadata};
use std::path::Path;

use sha2::{Digest, Sha256};
use twox_hash::XxHash3_64;

use crate::bundle::git::{GIT, below_git, is_storage};
use crate::discover::Form;
use crate::limits;
use crate::load::Skill;

/// How many bytes the part of a stamp has that tells of names and contents, and may have to stand against somebody who
/// chooses them.
const BYTES: usize = 16;

/// What the files of a skill are recognised by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Of the skill's own file, and of its directory: names that come and go there, and no more.
    brief: u64,
    /// Of every file.
    full: [u8; BYTES],
    /// When the last change was made that it knows of, in seconds since 1970.
    changed: i64,
}

impl Stamp {
    /// The stamp of a skill; nothing when a file cannot be looked at, or there are more than a scan reads.
    pub(super) fn of(skill: &Skill) -> Option<Self> {
        let mut changed = i64::MIN;
        let brief = brief(skill, &mut changed)?;
        let mut tree = Tree {
            hasher: Sha256::new(),
            entries: 0,
            changed,
        };
        tree.hasher.update(brief.to_le_bytes());
        if let Some(directory) = skill.directory() {
            tree.directory(directory, "", 0)?;
        }
        Some(Self {
            brief,
            full: cut(tree.hasher),
            changed: tree.changed,
        })
    }

    /// The form in which it is kept.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.brief.to_le_bytes().to_vec();
        bytes.extend(self.full);
        bytes
    }

    /// Whether the files were left alone long enough before this time (seconds since 1970) for the stamp to be sure.
    pub(super) fn is_settled(&self, now: i64) -> bool {
        self.changed.saturating_add(limits::STAMP_SECONDS) <= now
    }

    /// Whether what is kept is the stamp of files that look the same.
    pub(super) fn is(&self, kept: &[u8]) -> bool {
        kept == self.to_bytes()
    }
}

/// Whether what is kept begins with the brief stamp of a skill.
pub(super) fn looks_the_same(skill: &Skill, kept: &[u8]) -> bool {
    let mut changed = i64::MIN;
    brief(skill, &mut changed).is_some_and(|brief| kept.starts_with(&brief.to_le_bytes()))
}

fn brief(skill: &Skill, changed: &mut i64) -> Option<u64> {
    if skill.form == Form::Bundled {
        return None;
    }
    // What a link leads to is what an agent is given.
    let mut said = [said_of(&fs::metadata(&skill.path).ok()?, changed), [0; 64]];
    if let (Some(directory), [_, second]) = (skill.directory(), &mut said) {
        *second = said_of(&fs::metadata(directory).ok()?, changed);
    }
    Some(XxHash3_64::oneshot(said.as_flattened()))
}

/// The entries of a directory in the making of a stamp.
struct Tree {
    hasher: Sha256,
    entries: usize,
    changed: i64,
}

impl Tree {
    /// `below` is the directory's path in the skill, with a `/` at its end unless it is empty. What Git stores there itself
    /// is not looked at: no scan reads it.
    fn directory(&mut self, directory: &Path, below: &str, depth: usize) -> Option<()> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(directory).ok()? {
            let entry = entry.ok()?;
            let path = format!("{below}{}", entry.file_name().to_string_lossy());
            if below_git(&path).is_some_and(is_storage) {
                continue;
            }
            self.entries += 1;
            if self.entries > limits::SCAN_FILES {
                return None;
            }
            entries.push(entry);
        }
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let (name, metadata) = (entry.file_name(), entry.metadata().ok()?);
            self.hasher.update((name.len() as u64).to_le_bytes());
            self.hasher.update(name.as_encoded_bytes());
            let path = format!("{below}{}", name.to_string_lossy());
            // A directory of Git's own changes with each use of Git; what else is in there tells by itself.
            if !(metadata.is_dir() && (name == GIT || below_git(&path).is_some())) {
                self.hasher.update(said_of(&metadata, &mut self.changed));
            }
            if metadata.is_dir() && depth < limits::BUNDLE_DEPTH {
                self.directory(&entry.path(), &format!("{path}/"), depth + 1)?;
                self.hasher.update(b"..");
            }
        }
        Some(())
    }
}

fn cut(hasher: Sha256) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    for (byte, hashed) in bytes.iter_mut().zip(hasher.finalize()) {
        *byte = hashed;
    }
    bytes
}

/// What the system says of a file, as bytes; `changed` becomes the time of its change where that is later.
#[cfg(unix)]
fn said_of(metadata: &Metadata, changed: &mut i64) -> [u8; 64] {
    use std::os::unix::fs::MetadataExt;
    *changed = (*changed).max(metadata.ctime()).max(metadata.mtime());
    in_bytes([
        metadata.mtime().cast_unsigned(),
        metadata.mtime_nsec().cast_unsigned(),
        metadata.ctime().cast_unsigned(),
        metadata.ctime_nsec().cast_unsigned(),
        metadata.dev(),
        metadata.ino(),
        metadata.size(),
        metadata.mode().into(),
    ])
}

#[cfg(not(unix))]
fn said_of(metadata: &Metadata, changed: &mut i64) -> [u8; 64] {
    use std::time::{Duration, SystemTime, UNIX_EPOCH};
    let since = |time: std::io::Result<SystemTime>| -> Duration {
        let since = time
            .ok()
            .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        since.unwrap_or_default()
    };
    let (modified, created) = (since(metadata.modified()), since(metadata.created()));
    *changed = (*changed).max(i64::try_from(modified.as_secs()).unwrap_or(i64::MAX));
    in_bytes([
        modified.as_secs(),
        modified.subsec_nanos().into(),
        created.as_secs(),
        created.subsec_nanos().into(),
        metadata.len(),
        metadata.is_dir().into(),
        metadata.is_symlink().into(),
        metadata.permissions().readonly().into(),
    ])
}

fn in_bytes(numbers: [u64; 8]) -> [u8; 64] {
    let mut bytes = [0; 64];
    for (place, number) in bytes.chunks_exact_mut(8).zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    bytes
}

/// Bytes as hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}
