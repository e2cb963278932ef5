//! Files → bytes of an archive.
//!
//! `.zip` and `.tar.gz` have the SKILL.md at their top, as the index of Agent Skills discovery 0.2.0 wants. `.skill` is a
//! zip with everything in one directory that bears the skill's name, as the clients that take uploads want it; readers
//! of `.skill` take both.

use std::fmt;
use std::io::{self, Cursor, Write};
use std::path::Path;
use std::str::FromStr;

use flate2::{Compression, GzBuilder};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipWriter};

use super::collect::PackedFile;
use super::digest;
use super::prepare::Prepared;

/// How a skill is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// A zip with the SKILL.md at its top.
    Zip,
    /// A zip with everything in a directory of the skill's name.
    Skill,
    /// A tar, compressed with gzip, with the SKILL.md at its top.
    TarGz,
}

/// A word or a file name that means no form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a form of archive: the forms are zip, skill and tar.gz")]
pub struct UnknownForm(pub String);

impl Form {
    /// All forms.
    pub const ALL: [Self; 3] = [Self::Zip, Self::Skill, Self::TarGz];

    /// The word in every output, and the ending of a file's name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Zip => "zip",
            Self::Skill => "skill",
            Self::TarGz => "tar.gz",
        }
    }

    /// The form that a file's name says.
    ///
    /// # Errors
    ///
    /// [`UnknownForm`] when it ends like none of them.
    pub fn of_path(path: &Path) -> Result<Self, UnknownForm> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let lower = name.to_ascii_lowercase();
        let endings = Self::ALL.map(|form| (form.as_str(), form));
        endings
            .into_iter()
            .chain([("tgz", Self::TarGz)])
            .find(|(ending, _)| lower.ends_with(&format!(".{ending}")))
            .map(|(_, form)| form)
            .ok_or_else(|| UnknownForm(name.into_owned()))
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Form {
    type Err = UnknownForm;

    fn from_str(text: &str) -> Result<Self, UnknownForm> {
        match text {
            "tgz" => Ok(Self::TarGz),
            _ => Self::ALL
                .into_iter()
                .find(|form| form.as_str() == text)
                .ok_or_else(|| UnknownForm(text.to_owned())),
        }
    }
}

/// An archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedArchive {
    /// Its form.
    pub form: Form,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// `sha256:` and the digest of its bytes.
    pub digest: String,
}

/// The level of compression. It belongs to the bytes of an archive and never changes.
const LEVEL: u32 = 9;

const FILE: u32 = 0o644;
const PROGRAM: u32 = 0o755;

impl Prepared {
    /// The archive. The same files give the same bytes.
    ///
    /// # Errors
    ///
    /// When a file has no room in the format, which its limits rule out.
    pub fn archive(&self, form: Form) -> io::Result<PackedArchive> {
        let bytes = match form {
            Form::Zip => zip(&self.files, "")?,
            Form::Skill => zip(&self.files, &format!("{}/", self.name))?,
            Form::TarGz => tar_gz(&self.files)?,
        };
        Ok(PackedArchive {
            form,
            digest: digest::of_bytes(&bytes),
            bytes,
        })
    }
}

const fn mode(file: &PackedFile) -> u32 {
    if file.executable { PROGRAM } else { FILE }
}

/// Files alone; directories are made by whoever unpacks.
fn zip(files: &[PackedFile], below: &str) -> io::Result<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for file in files {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(i64::from(LEVEL)))
            // 1980-01-01, where the format's time begins.
            .last_modified_time(DateTime::default())
            .system(System::Unix)
            .unix_permissions(mode(file));
        writer.start_file(format!("{below}{}", file.path), options)?;
        writer.write_all(&file.bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

fn tar_gz(files: &[PackedFile]) -> io::Result<Vec<u8>> {
    const UNKNOWN_SYSTEM: u8 = 255;
    let gzip = GzBuilder::new()
        .mtime(0)
        .operating_system(UNKNOWN_SYSTEM)
        .write(Vec::new(), Compression::new(LEVEL));
    let mut builder = tar::Builder::new(gzip);
    for file in files {
        let mut header = tar::Header::new_ustar();
        header.set_entry_type(tar::EntryType::Regular);
        header.set_size(file.bytes.len() as u64);
        header.set_mode(mode(file));
        header.set_mtime(0);
        header.set_uid(0);
        header.set_gid(0);
        builder.append_data(&mut header, &file.path, &*file.bytes)?;
    }
    builder.into_inner()?.finish()
}
