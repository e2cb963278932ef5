//! Archives inside the bundle: their members are files like any other, as long as they stay within the limits.

use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::bundle::{Content, FileInput};
use crate::coverage::{Coverage, GapKind};
use crate::limits::{ARCHIVE_BYTES, ARCHIVE_DEPTH, ARCHIVE_MEMBERS, ARCHIVE_RATIO};

/// Below this size a high ratio is what text compresses to.
const RATIO_FROM: u64 = 1024 * 1024;

/// What the archives of a bundle hold.
#[derive(Debug, Default)]
pub(crate) struct Unpacked {
    /// The members of all archives, and of the archives among those.
    pub files: Vec<FileInput>,
    /// Rules that an archive as a whole meets, with its path.
    pub facts: Vec<(String, &'static str)>,
    budget: u64,
}

impl Unpacked {
    /// Opens all archives among the files. What is not unpacked is a gap.
    pub(crate) fn of(files: &[FileInput], coverage: &mut Coverage) -> Self {
        let mut unpacked = Self {
            budget: ARCHIVE_BYTES,
            ..Self::default()
        };
        let mut level: Vec<FileInput> = files
            .iter()
            .flat_map(|file| unpacked.open(file, coverage))
            .collect();
        for _ in 1..ARCHIVE_DEPTH {
            let next = level
                .iter()
                .flat_map(|file| unpacked.open(file, coverage))
                .collect();
            unpacked.files.append(&mut level);
            level = next;
        }
        for file in level.iter().filter(|file| is_archive(file)) {
            coverage.gap(
                &file.path,
                GapKind::Archive,
                format!("more than {ARCHIVE_DEPTH} archives, one inside the other"),
            );
        }
        unpacked.files.append(&mut level);
        unpacked
    }

    /// The members of one file, if it is an archive.
    fn open(&mut self, file: &FileInput, coverage: &mut Coverage) -> Vec<FileInput> {
        if is_closed_archive(file) {
            coverage.gap(
                &file.path,
                GapKind::Archive,
                "an archive of a kind that is not opened".to_owned(),
            );
        }
        if !is_archive(file) {
            return Vec::new();
        }
        self.unpack(file, coverage).unwrap_or_else(|error| {
            coverage.gap(&file.path, GapKind::Archive, error.to_string());
            Vec::new()
        })
    }

    fn unpack(
        &mut self,
        file: &FileInput,
        coverage: &mut Coverage,
    ) -> Result<Vec<FileInput>, ZipError> {
        let bytes = bytes_of(file).unwrap_or_default();
        let mut archive = ZipArchive::new(Cursor::new(bytes))?;
        if archive.len() > ARCHIVE_MEMBERS {
            coverage.gap(
                &file.path,
                GapKind::Archive,
                format!("{} members: the limit is {ARCHIVE_MEMBERS}", archive.len()),
            );
        }
        let mut members = Vec::new();
        for index in 0..archive.len().min(ARCHIVE_MEMBERS) {
            let mut member = match archive.by_index(index) {
                Ok(member) => member,
                Err(error) => {
                    self.not_opened(file, &error, coverage);
                    continue;
                }
            };
            if member.is_dir() {
                continue;
            }
            let path = format!("{}!{}", file.path, member.name().unwrap_or_default());
            let is_link = member.is_symlink();
            let executable = member.unix_mode().is_some_and(|mode| mode & 0o111 != 0);
            // The size in the header may lie, so what comes out is counted.
            let allowed = self
                .budget
                .min((bytes.len() as u64 * ARCHIVE_RATIO).max(RATIO_FROM));
            let mut content = Vec::new();
            if let Err(error) = member.by_ref().take(allowed + 1).read_to_end(&mut content) {
                coverage.gap(&path, GapKind::Archive, error.to_string());
                continue;
            }
            if content.len() as u64 > allowed {
                coverage.gap(
                    &path,
                    GapKind::Archive,
                    format!("unpacks to more than {allowed} bytes"),
                );
                self.facts.push((file.path.clone(), "archive-bomb"));
                return Ok(members);
            }
            self.budget -= content.len() as u64;
            if path.ends_with("vbaProject.bin") {
                self.facts.push((file.path.clone(), "office-macros"));
            }
            let content = if is_link {
                Content::Link {
                    target: String::from_utf8_lossy(&content).into_owned(),
                }
            } else {
                Content::Bytes(content)
            };
            members.push(FileInput {
                path,
                content,
                executable,
            });
        }
        Ok(members)
    }

    fn not_opened(&mut self, file: &FileInput, error: &ZipError, coverage: &mut Coverage) {
        let is_locked = matches!(error, ZipError::UnsupportedArchive(reason) if *reason == ZipError::PASSWORD_REQUIRED);
        let kind = if is_locked {
            GapKind::Encrypted
        } else {
            GapKind::Archive
        };
        coverage.gap(&file.path, kind, error.to_string());
        if is_locked && !self.facts.iter().any(|(path, _)| *path == file.path) {
            self.facts.push((file.path.clone(), "archive-encrypted"));
        }
    }
}

fn bytes_of(file: &FileInput) -> Option<&[u8]> {
    match &file.content {
        Content::Bytes(bytes) => Some(bytes),
        _ => None,
    }
}

fn is_archive(file: &FileInput) -> bool {
    bytes_of(file).is_some_and(|bytes| bytes.starts_with(b"PK\x03\x04"))
}

/// Archives that are named as such and that the guard cannot open.
fn is_closed_archive(file: &FileInput) -> bool {
    let magics: &[&[u8]] = &[
        b"7z\xbc\xaf\x27\x1c",
        b"Rar!\x1a\x07",
        b"\x1f\x8b",
        b"BZh",
        b"\xfd7zXZ\0",
        b"\x28\xb5\x2f\xfd",
    ];
    bytes_of(file).is_some_and(|bytes| magics.iter().any(|magic| bytes.starts_with(magic)))
}
