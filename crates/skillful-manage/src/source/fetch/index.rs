//! Sites that list skills at a well-known place: Agent Skills discovery, 0.1 (files by name), 0.2.0 (one artifact for
//! each skill, with its digest), and the draft between them (files with digests, and a package).
//!
//! Looked for are `agent-skills` before `skills`, and below the path of the address before the top of the site.

use std::collections::BTreeMap;
use std::path::Path;

use cap_std::fs::Dir;
use serde::Deserialize;

use super::{FetchError, Fetched, Job, Kind, web};
use crate::find::{self, PickError, is_skill_md, near};
use crate::http::Client;
use crate::limits;
use crate::source::{Address, Selector, Source, WebSource};
use crate::unpack::{Limits, Names, shown, unpack, write_file};

mod entry;

use entry::{Entry, Payload};

/// A site that is said to list skills.
pub(super) struct Index<'a>(pub(super) &'a WebSource);

/// An address that may be such a site or a git repository.
pub(super) struct Site<'a>(pub(super) &'a WebSource);

impl Kind for Index<'_> {
    fn fetch(&self, job: &Job<'_>) -> Result<Fetched, FetchError> {
        let address = &self.0.address;
        job.during(&format!("fetching {address}"), || {
            let web = job.web(address)?;
            let (index, found_at, etag) = look(&web, address)?;
            fetch(job, &web, self.0, index, &found_at, etag)
        })
    }
}

impl Kind for Site<'_> {
    fn fetch(&self, job: &Job<'_>) -> Result<Fetched, FetchError> {
        let listing = match Index(self.0).fetch(job) {
            // Only that there is no list makes it worth asking for a repository.
            Err(error @ (FetchError::Status { .. } | FetchError::Document { .. })) => error,
            other => return other,
        };
        let nothing_there = |repository: String| FetchError::NothingThere {
            url: self.0.address.to_string(),
            listing: listing.to_string(),
            repository,
        };
        let source = self
            .0
            .as_repository()
            .map_err(|fault| nothing_there(fault.to_string()))?;
        source.fetch(job).map_err(|error| match error {
            FetchError::NotFoundOrPrivate { said, .. } | FetchError::Network { said, .. } => {
                nothing_there(said)
            }
            other => other,
        })
    }
}

/// The document as it stands there. Other members are ignored, as both texts ask.
#[derive(Deserialize)]
struct Document {
    skills: Vec<serde_json::Value>,
}

const PLACES: [&str; 2] = [
    ".well-known/agent-skills/index.json",
    ".well-known/skills/index.json",
];

fn look(
    web: &Client<'_>,
    address: &Address,
) -> Result<(Document, Address, Option<String>), FetchError> {
    let mut first_error = None;
    for candidate in candidates(address) {
        let error = match web.get(&candidate) {
            Ok((bytes, received)) => match serde_json::from_slice(&bytes) {
                Ok(document) => return Ok((document, received.address, received.etag)),
                // Many sites answer every question with a page.
                Err(error) => FetchError::Document {
                    url: candidate.to_string(),
                    reason: format!("it is no list of skills: {error}"),
                },
            },
            Err(
                error @ FetchError::Status {
                    status: 400..=499, ..
                },
            ) => error,
            Err(error) => return Err(error),
        };
        first_error.get_or_insert(error);
    }
    Err(first_error.unwrap_or_else(|| FetchError::Document {
        url: address.to_string(),
        reason: "it names no place to look at".to_owned(),
    }))
}

fn candidates(address: &Address) -> Vec<Address> {
    let path = address.path();
    if path.ends_with("/index.json") {
        return vec![address.clone()];
    }
    let mut all = Vec::new();
    for base in [path.trim_end_matches('/'), ""] {
        for place in PLACES {
            let candidate = address.with_path(&format!("{base}/{place}"));
            if !all.contains(&candidate) {
                all.push(candidate);
            }
        }
    }
    all
}

fn fetch(
    job: &Job<'_>,
    web: &Client<'_>,
    source: &WebSource,
    index: Document,
    found_at: &Address,
    etag: Option<String>,
) -> Result<Fetched, FetchError> {
    let (directory, tree) = job.tree(source.address.host().unwrap_or_default())?;
    let mut fetched = web::fetched(directory, Source::WellKnown(source.clone()), found_at);
    fetched.resolution.etag = etag;
    if index.skills.len() > limits::INDEX_ENTRIES {
        return Err(FetchError::TooMany {
            what: found_at.to_string(),
            of: "skills",
            limit: limits::INDEX_ENTRIES as u64,
        });
    }
    let mut entries = Vec::new();
    for value in index.skills {
        match Entry::read(value) {
            Ok(entry) => entries.push(entry),
            Err(reason) if fetched.notes.len() < limits::NOTES => {
                fetched
                    .notes
                    .push(format!("an entry of the list was passed over: {reason}"));
            }
            Err(_) => {}
        }
    }
    let wanted = choose(&entries, source.skill.as_ref())?;
    if wanted.len() > limits::INDEX_SKILLS {
        return Err(FetchError::TooMany {
            what: format!("{found_at}, of which one was to be named,"),
            of: "skills",
            limit: limits::INDEX_SKILLS as u64,
        });
    }
    let mut names = Names::default();
    let mut artifacts = Vec::new();
    for entry in wanted {
        let mut one = One {
            job,
            web,
            index: found_at,
            entry,
            names: &mut names,
            tree: &tree,
            directory: &fetched.directory,
        };
        artifacts.extend(one.fetch()?);
    }
    if let [only] = artifacts.as_slice() {
        fetched.resolution.artifact = Some(only.clone());
    }
    fetched.skills = find::find(&fetched.directory)?;
    Ok(fetched)
}

fn choose<'e>(
    entries: &'e [Entry],
    skill: Option<&Selector>,
) -> Result<Vec<&'e Entry>, FetchError> {
    if entries.is_empty() {
        return Err(PickError::None.into());
    }
    let Some(Selector::Named(wanted)) = skill else {
        return Ok(entries.iter().collect());
    };
    let id = skillmd::name::skill_id(wanted.as_str());
    let of_name =
        |entry: &&Entry| entry.name == wanted.as_str() || Some(&*entry.name) == id.as_deref();
    match entries.iter().find(of_name) {
        Some(entry) => Ok(vec![entry]),
        None => Err(PickError::Unknown {
            name: wanted.to_string(),
            near: near(wanted.as_str(), entries.iter().map(|entry| &*entry.name)),
        }
        .into()),
    }
}

/// One skill of a list.
struct One<'a> {
    job: &'a Job<'a>,
    web: &'a Client<'a>,
    index: &'a Address,
    entry: &'a Entry,
    names: &'a mut Names,
    tree: &'a Dir,
    directory: &'a Path,
}

impl One<'_> {
    /// The digest of what arrived, if it was one thing.
    fn fetch(&mut self) -> Result<Option<String>, FetchError> {
        match &self.entry.payload {
            Payload::Files(files) => self.files(files).map(|()| None),
            Payload::Text { url, digest } => self.text(url, digest).map(Some),
            Payload::Archive { url, digest, files } => {
                self.archive(url, digest, files.as_ref()).map(Some)
            }
        }
    }

    fn take(&mut self, path: &str) -> Result<String, FetchError> {
        let below = format!("{}/{path}", self.entry.name);
        match self.names.take(below.as_bytes(), false) {
            Ok(path) => Ok(path.into_string()),
            Err(reason) => Err(FetchError::Refused {
                place: self.index.to_string(),
                path: shown(below.as_bytes()),
                reason,
            }),
        }
    }

    /// 0.1: each file by a request of its own, beside the index.
    fn files(&mut self, files: &BTreeMap<String, Option<String>>) -> Result<(), FetchError> {
        if files.len() > limits::INDEX_FILES {
            return Err(FetchError::TooMany {
                what: format!("`{}` in {}", self.entry.name, self.index),
                of: "files",
                limit: limits::INDEX_FILES as u64,
            });
        }
        let (top, _) = self.index.path().rsplit_once('/').unwrap_or_default();
        let paths: Vec<String> = files
            .keys()
            .map(|path| self.take(path))
            .collect::<Result<_, _>>()?;
        let mut room = limits::FETCHED_BYTES;
        for (path, digest) in paths.iter().zip(files.values()) {
            let address = self
                .index
                .with_path(&format!("{top}/{}", path.replace('%', "%25")));
            let mut bytes = Vec::new();
            let limit = self.job.settings.download_bytes.min(room);
            let received = self.web.download(&address, limit, &mut bytes)?;
            if let Some(digest) = digest {
                same_digest(&address, digest, &received.sha256)?;
            }
            room -= bytes.len() as u64;
            write_file(self.tree, path, false, &bytes)?;
        }
        Ok(())
    }

    fn text(&mut self, url: &str, digest: &str) -> Result<String, FetchError> {
        let address = self.web.join(self.index, url)?;
        let path = self.take("SKILL.md")?;
        let (bytes, received) = self.web.get(&address)?;
        same_digest(&address, digest, &received.sha256)?;
        write_file(self.tree, &path, false, &bytes)?;
        Ok(received.sha256)
    }

    /// An archive with a SKILL.md at its top; with a list of files, exactly of these.
    fn archive(
        &mut self,
        url: &str,
        digest: &str,
        files: Option<&BTreeMap<String, Option<String>>>,
    ) -> Result<String, FetchError> {
        let address = self.web.join(self.index, url)?;
        self.take("SKILL.md")?;
        let mut file = web::scratch(self.job, "download")?;
        let limit = self.job.settings.download_bytes;
        let received = self.web.download(&address, limit, &mut file)?;
        same_digest(&address, digest, &received.sha256)?;
        self.tree.create_dir_all(&self.entry.name)?;
        let inner = self.tree.open_dir(&self.entry.name)?;
        unpack(file, &inner, Limits::default()).map_err(|error| FetchError::Unpack {
            place: address.to_string(),
            error,
        })?;
        let wrong = |reason: String| FetchError::Document {
            url: address.to_string(),
            reason,
        };
        let place = self.directory.join(&self.entry.name);
        let unpacked = entry::files_below(&place)?;
        if !unpacked.keys().any(|path| is_skill_md(path)) {
            return Err(wrong("the archive has no SKILL.md at its top".to_owned()));
        }
        if let Some(files) = files {
            for (path, digest) in &unpacked {
                let listed = files.get(path).ok_or_else(|| {
                    wrong(format!("the archive has `{path}`, which its list does not"))
                })?;
                if let Some(listed) = listed {
                    same_digest(&address, listed, digest)?;
                }
            }
            if let Some(missing) = files.keys().find(|path| !unpacked.contains_key(*path)) {
                return Err(wrong(format!("the archive lacks `{missing}`")));
            }
        }
        Ok(received.sha256)
    }
}

fn same_digest(address: &Address, expected: &str, found: &str) -> Result<(), FetchError> {
    if expected == found {
        return Ok(());
    }
    Err(FetchError::Digest {
        url: address.to_string(),
        expected: expected.to_owned(),
        found: found.to_owned(),
    })
}
