//! The files of a skill that is an archive.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

use skillmd::{Code, Severity};
use zip::ZipArchive;
use zip::read::ZipFile;

use super::digest::FileDigest;
use super::{Bundle, Resource};
use crate::limits;
use crate::read::{self, Links};

/// Lists the members beside `member`, the archive's SKILL.md. Sizes are those that the archive states.
pub(super) fn list(path: &Path, member: &str) -> Bundle {
    let mut bundle = Bundle::default();
    if member.is_empty() {
        return bundle;
    }
    let Some(mut archive) = open(path) else {
        let message = format!("`{}` could not be read", path.display());
        bundle.note(Code::BundleUnreadable, message);
        return bundle;
    };
    let mut unsafe_names = 0;
    for index in 0..archive.len() {
        let Some(file) = archive.by_index_raw(index).ok() else {
            continue;
        };
        unsafe_names += usize::from(leads_elsewhere(&file));
        let Some(below) = path_in_skill(&file, member) else {
            continue;
        };
        if below == own_name(member) {
            continue;
        }
        if bundle.resources.len() + 1 >= limits::BUNDLE_FILES {
            bundle.truncated = true;
            break;
        }
        bundle.bytes = bundle.bytes.saturating_add(file.size());
        bundle.resources.push(Resource {
            path: below,
            size: file.size(),
            executable: is_executable(&file),
        });
    }
    if unsafe_names > 0 {
        let message =
            format!("{unsafe_names} members have names that lead elsewhere and are not read");
        bundle
            .note(Code::BundleUnreadable, message)
            .severity(Severity::Warning)
            .help("pack the skill again: names must be relative, without `..` and backslashes");
    }
    bundle
}

/// The digests of all files of the skill, its SKILL.md included.
///
/// # Errors
///
/// When a member cannot be read, or there is more than a skill may have.
pub(super) fn digests<R: Read + Seek>(
    mut archive: ZipArchive<R>,
    member: &str,
) -> io::Result<Vec<FileDigest>> {
    let mut files = Vec::new();
    let mut bytes = 0;
    for index in 0..archive.len() {
        let file = archive.by_index(index).map_err(io::Error::other)?;
        let Some(below) = path_in_skill(&file, member) else {
            continue;
        };
        let executable = below != own_name(member) && is_executable(&file);
        let digest = FileDigest::of(below, executable, file)?;
        bytes += digest.size;
        files.push(digest);
        if files.len() > limits::BUNDLE_FILES || bytes > limits::BUNDLE_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
    }
    Ok(files)
}

/// The bytes of the file that lies at `wanted` in the skill, at most one more than `limit`; nothing when there is none.
///
/// # Errors
///
/// When the archive or the member cannot be read.
pub(super) fn read(
    path: &Path,
    member: &str,
    wanted: &str,
    limit: u64,
) -> io::Result<Option<Vec<u8>>> {
    let mut archive = open(path).ok_or(io::ErrorKind::InvalidData)?;
    for index in 0..archive.len() {
        // The name decides before anything is unpacked.
        let Ok(file) = archive.by_index_raw(index) else {
            continue;
        };
        if path_in_skill(&file, member).as_deref() != Some(wanted) {
            continue;
        }
        drop(file);
        let file = archive.by_index(index).map_err(io::Error::other)?;
        let mut bytes = Vec::new();
        file.take(limit + 1).read_to_end(&mut bytes)?;
        return Ok(Some(bytes));
    }
    Ok(None)
}

/// The archive at a path; nothing when it is none or over a limit.
pub(super) fn open(path: &Path) -> Option<ZipArchive<File>> {
    let file = read::open_regular(path, Links::Follow, limits::BUNDLE_BYTES).ok()?;
    ZipArchive::new(file).ok()
}

/// Where a regular member lies in the skill whose SKILL.md is `member`; nothing for what lies elsewhere.
fn path_in_skill<R: Read + ?Sized>(file: &ZipFile<'_, R>, member: &str) -> Option<String> {
    let name = file.name().map(Cow::into_owned).ok()?;
    let below = match member.rsplit_once('/') {
        Some((top, _)) => name.strip_prefix(top)?.strip_prefix('/')?,
        None => &*name,
    };
    (file.is_file() && is_plain(below)).then(|| below.to_owned())
}

/// The SKILL.md's path in the skill.
fn own_name(member: &str) -> &str {
    member.rsplit('/').next().unwrap_or(member)
}

fn is_executable<R: Read + ?Sized>(file: &ZipFile<'_, R>) -> bool {
    file.unix_mode().is_some_and(|mode| mode & 0o100 != 0)
}

/// Whether a member's name would lead out of the directory that the archive is unpacked into.
fn leads_elsewhere<R: Read + ?Sized>(file: &ZipFile<'_, R>) -> bool {
    file.name().is_ok_and(|name| {
        name.starts_with('/')
            || name.contains(['\\', ':', '\0'])
            || name.split('/').any(|part| part == "..")
    })
}

/// Whether a member's name is a path that stays below its top, without the junk that macOS adds.
fn is_plain(name: &str) -> bool {
    !name.contains(['\\', ':', '\0'])
        && name.split('/').all(|part| !matches!(part, "" | "." | ".."))
        && !name.starts_with("__MACOSX/")
}
