//! Archives inside the bundle: their members are files like any other, as long as they stay within the limits.
//!
//! Zip archives, tar archives and what gzip packed are opened; other kinds are a gap. What comes out is counted while
//! it comes, for sizes in headers may lie, and all archives of a bundle share one allowance.

mod bounded;
mod gzip;
mod tar;
mod zip;

use crate::bundle::{Content, FileInput};
use crate::coverage::{Coverage, GapKind};
use crate::limits::{ARCHIVE_BYTES, ARCHIVE_DEPTH, ARCHIVE_RATIO};
use crate::names;

/// Below this size a high ratio is what text compresses to.
const RATIO_FROM: u64 = 1024 * 1024;

/// What the archives of a bundle hold.
#[derive(Debug, Default)]
pub(crate) struct Unpacked {
    /// The members of all archives, and of the archives among those.
    pub files: Vec<FileInput>,
    /// Rules that an archive as a whole meets, with its path.
    pub facts: Vec<(String, &'static str)>,
    /// What the archives that are not opened yet may still unpack to.
    budget: u64,
}

/// The kinds of archives that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Zip,
    Tar,
    Gzip,
    /// Known as an archive, and not opened.
    Closed,
}

/// One archive while it is opened.
struct Opening<'o> {
    path: &'o str,
    bytes: &'o [u8],
    unpacked: &'o mut Unpacked,
    coverage: &'o mut Coverage,
    members: Vec<FileInput>,
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
        for file in level.iter().filter(|file| kind(file).is_some()) {
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
        let (Some(kind), Content::Bytes(bytes)) = (kind(file), &file.content) else {
            return Vec::new();
        };
        let mut opening = Opening {
            path: &file.path,
            bytes,
            unpacked: self,
            coverage,
            members: Vec::new(),
        };
        match kind {
            Kind::Zip => zip::open(&mut opening),
            Kind::Tar => tar::open(&mut opening, bytes.as_slice()),
            Kind::Gzip => gzip::open(&mut opening),
            Kind::Closed => opening.gap("an archive of a kind that is not opened".to_owned()),
        }
        opening.members
    }
}

impl Opening<'_> {
    /// The path of a member, as coverage and findings show it.
    fn path_of(&self, member: &str) -> String {
        format!("{}!{member}", self.path)
    }

    /// How many bytes may come out now.
    fn allowed(&self) -> u64 {
        let by_ratio = (self.bytes.len() as u64).saturating_mul(ARCHIVE_RATIO);
        self.unpacked.budget.min(by_ratio.max(RATIO_FROM))
    }

    /// Takes what came out from the allowance.
    fn spend(&mut self, bytes: u64) {
        self.unpacked.budget = self.unpacked.budget.saturating_sub(bytes);
    }

    /// Notes that the archive was not read, or not to its end.
    fn gap(&mut self, detail: String) {
        self.coverage.gap(self.path, GapKind::Archive, detail);
    }

    /// Notes that more came out than is allowed.
    fn is_bomb(&mut self, path: &str, allowed: u64) {
        let detail = format!("unpacks to more than {allowed} bytes");
        self.coverage.gap(path, GapKind::Archive, detail);
        self.fact("archive-bomb");
    }

    /// Adds a rule that the archive as a whole meets, once.
    fn fact(&mut self, rule: &'static str) {
        let facts = &mut self.unpacked.facts;
        if !facts
            .iter()
            .any(|(path, known)| path == self.path && *known == rule)
        {
            facts.push((self.path.to_owned(), rule));
        }
    }

    /// Adds a member that is a file.
    fn file(&mut self, path: String, bytes: Vec<u8>, executable: bool) {
        if path.ends_with("vbaProject.bin") {
            self.fact("office-macros");
        }
        self.members.push(FileInput {
            path,
            content: Content::Bytes(bytes),
            executable,
        });
    }

    /// A directory says something only where its name does: where it leads out, files would follow it.
    fn directory(&mut self, name: &str) {
        if names::leaves(name) {
            let path = self.path_of(name.trim_end_matches('/'));
            self.entry(path, Content::Special);
        }
    }

    /// Adds a member that is no file.
    fn entry(&mut self, path: String, content: Content) {
        self.members.push(FileInput {
            path,
            content,
            executable: false,
        });
    }
}

/// What a file is by its bytes, whatever its name says.
fn kind(file: &FileInput) -> Option<Kind> {
    const CLOSED: &[&[u8]] = &[
        b"7z\xbc\xaf\x27\x1c",
        b"Rar!\x1a\x07",
        b"BZh",
        b"\xfd7zXZ\0",
        b"\x28\xb5\x2f\xfd",
    ];
    let Content::Bytes(bytes) = &file.content else {
        return None;
    };
    if bytes.starts_with(b"PK\x03\x04") || zip::is_appended(bytes) {
        Some(Kind::Zip)
    } else if bytes.starts_with(b"\x1f\x8b") {
        Some(Kind::Gzip)
    } else if CLOSED.iter().any(|magic| bytes.starts_with(magic)) {
        Some(Kind::Closed)
    } else {
        tar::begins(bytes).then_some(Kind::Tar)
    }
}

#[cfg(test)]
mod tests;
