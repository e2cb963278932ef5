//! Archives and single files on the web, and what they have in common with those on this disk.

use std::fs::File;
use std::io::{self, Read, Seek};

use cap_std::fs::Dir;

use super::{FetchError, Fetched, Job, Kind, Resolution, git};
use crate::find::{self, Found, is_skill_md};
use crate::hash::{self, Stopped};
use crate::source::{Address, Source, WebSource};
use crate::unpack::{self, Limits, Names, unpack, write_file};

/// An archive.
pub(super) struct Archive<'a>(pub(super) &'a WebSource);

/// A single file.
pub(super) struct Document<'a>(pub(super) &'a Address);

impl Kind for Archive<'_> {
    fn fetch(&self, job: &Job<'_>) -> Result<Fetched, FetchError> {
        let address = &self.0.address;
        job.during(&format!("fetching {address}"), || {
            let web = job.web(address)?;
            let mut file = scratch(job, "download")?;
            let received = web.download(address, job.settings.download_bytes, &mut file)?;
            let (directory, tree) = job.tree(stem(address))?;
            let mut fetched = fetched(directory, Source::Archive(self.0.clone()), address);
            fetched.resolution.artifact = Some(received.sha256);
            fetched.resolution.etag = received.etag;
            unpack_into(&mut fetched, file, &tree, address.as_str())?;
            Ok(fetched)
        })
    }
}

impl Kind for Document<'_> {
    fn fetch(&self, job: &Job<'_>) -> Result<Fetched, FetchError> {
        let address = self.0;
        job.during(&format!("fetching {address}"), || {
            let web = job.web(address)?;
            let (bytes, received) = web.get(address)?;
            if is_page(&bytes) {
                return Err(FetchError::Document {
                    url: address.to_string(),
                    reason:
                        "it is a page for people and not the text of a skill; look for its raw form"
                            .to_owned(),
                });
            }
            let name = address.path().rsplit('/').next().unwrap_or_default();
            let (directory, tree) = job.tree(document_stem(address))?;
            let mut fetched = fetched(directory, Source::Document(address.clone()), address);
            fetched.resolution.artifact = Some(received.sha256);
            fetched.resolution.etag = received.etag;
            document(&mut fetched, &tree, name, &bytes)?;
            Ok(fetched)
        })
    }
}

/// Whether this is HTML: what many sites answer to any question.
fn is_page(bytes: &[u8]) -> bool {
    let start = bytes.trim_ascii_start();
    [&b"<!doctype html"[..], b"<html"].iter().any(|tag| {
        start
            .get(..tag.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(tag))
    })
}

/// A fetch of something on the web, before anything arrived.
pub(super) fn fetched(directory: std::path::PathBuf, source: Source, address: &Address) -> Fetched {
    Fetched {
        directory,
        source,
        resolution: Resolution {
            host: address.host().map(str::to_owned),
            url: Some(address.to_string()),
            ..Resolution::default()
        },
        skills: Found::default(),
        notes: Vec::new(),
    }
}

/// A new file beside the tree, to write and to read.
pub(super) fn scratch(job: &Job<'_>, name: &str) -> io::Result<File> {
    File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(true)
        .open(job.staging.join(name))
}

/// The name of an archive without its ending.
fn stem(address: &Address) -> &str {
    let name = address.path().rsplit('/').next().unwrap_or_default();
    unpack::Kind::split_name(name).map_or(name, |(stem, _)| stem)
}

/// What a file is called after: itself, and a SKILL.md after its directory, or the host.
fn document_stem(address: &Address) -> &str {
    let mut parts = address.path().rsplit('/').filter(|part| !part.is_empty());
    let name = parts.next().unwrap_or_default();
    if is_skill_md(name) {
        parts.next().or(address.host()).unwrap_or_default()
    } else {
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }
}

/// Unpacks an archive and finds the skills in it.
pub(super) fn unpack_into(
    fetched: &mut Fetched,
    mut archive: impl Read + Seek,
    tree: &Dir,
    place: &str,
) -> Result<(), FetchError> {
    archive.rewind()?;
    let unpacked =
        unpack(archive, tree, Limits::default()).map_err(|error| FetchError::Unpack {
            place: place.to_owned(),
            error,
        })?;
    if !unpacked.left_out.is_empty() {
        fetched.notes.push(format!(
            "left out, since tools add them by themselves: {}",
            unpacked.left_out.join(", ")
        ));
    }
    fetched.skills = find::find(&fetched.directory)?;
    git::note_whole(&fetched.skills, &mut fetched.notes);
    Ok(())
}

/// Places a single file: a SKILL.md as that of a directory, any other as a skill of one file.
pub(super) fn document(
    fetched: &mut Fetched,
    tree: &Dir,
    name: &str,
    bytes: &[u8],
) -> Result<(), FetchError> {
    let name = if is_skill_md(name) { "SKILL.md" } else { name };
    let path = Names::default()
        .take(name.as_bytes(), false)
        .map_err(|reason| FetchError::Refused {
            place: fetched.source.to_string(),
            path: unpack::shown(name.as_bytes()),
            reason,
        })?;
    write_file(tree, path.as_str(), false, bytes)?;
    fetched.skills = if name == "SKILL.md" {
        find::find(&fetched.directory)?
    } else {
        find::find_file(&fetched.directory, path.as_str())
    };
    Ok(())
}

/// The SHA-256 of all that a reader gives, in hexadecimal digits.
pub(super) fn sha256(reader: &mut impl Read) -> io::Result<String> {
    match hash::copy(reader, io::sink(), u64::MAX) {
        Ok(hashed) => Ok(hashed.sha256.hex()),
        Err(Stopped::Reading(error) | Stopped::Writing(error)) => Err(error),
        Err(Stopped::TooLarge) => Err(io::ErrorKind::FileTooLarge.into()),
    }
}
