//! Directories, files and archives of this machine. They are copied; the original stays as it is.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};

use super::{FetchError, Fetched, Job, Kind, Resolution, git, web};
use crate::find::{self, is_skill_md};
use crate::limits;
use crate::source::Source;
use crate::unpack::{self, Names, is_left_out, shown, write_file};

impl Kind for PathBuf {
    fn fetch(&self, job: &Job<'_>) -> Result<Fetched, FetchError> {
        job.during(&format!("reading {}", self.display()), || fetch(job, self))
    }
}

fn fetch(job: &Job<'_>, path: &Path) -> Result<Fetched, FetchError> {
    let failed = |error| FetchError::Local {
        path: path.display().to_string(),
        error,
    };
    let metadata = fs::metadata(path).map_err(|error| missing(path, error))?;
    let mut fetched = Fetched {
        directory: PathBuf::new(),
        source: Source::Local(path.to_owned()),
        resolution: Resolution {
            path: Some(path.display().to_string()),
            ..Resolution::default()
        },
        skills: find::Found::default(),
        notes: Vec::new(),
    };
    if metadata.is_dir() {
        copy_directory(job, path, &mut fetched)?;
        return Ok(fetched);
    }
    if !metadata.is_file() {
        return Err(failed(io::Error::other(
            "it is neither a file nor a directory",
        )));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if is_skill_md(&name)
        && let Some(directory) = path.parent()
    {
        copy_directory(job, directory, &mut fetched)?;
        return Ok(fetched);
    }
    if metadata.len() > job.settings.download_bytes {
        return Err(FetchError::TooLarge {
            what: path.display().to_string(),
            limit: job.settings.download_bytes,
        });
    }
    let mut file = File::open(path).map_err(failed)?;
    let stem = unpack::Kind::split_name(&name).map_or(&*name, |(stem, _)| stem);
    let (directory, tree) = job.tree(stem)?;
    fetched.directory = directory;
    if unpack::Kind::of_name(&name).is_some() {
        fetched.resolution.artifact = Some(web::sha256(&mut file).map_err(failed)?);
        web::unpack_into(&mut fetched, file, &tree, &path.display().to_string())?;
        return Ok(fetched);
    }
    let mut bytes = Vec::new();
    file.take(job.settings.download_bytes)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    web::document(&mut fetched, &tree, &name, &bytes)?;
    Ok(fetched)
}

/// Says what lies near a path that leads nowhere.
fn missing(path: &Path, error: io::Error) -> FetchError {
    if error.kind() != io::ErrorKind::NotFound {
        return FetchError::Local {
            path: path.display().to_string(),
            error,
        };
    }
    let parent = path.parent().unwrap_or(Path::new("/"));
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let names: Vec<String> = fs::read_dir(parent)
        .into_iter()
        .flatten()
        .take(1_000)
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    FetchError::PathNotFound {
        place: parent.display().to_string(),
        near: if names.is_empty() {
            Vec::new()
        } else {
            find::near(&name, names.iter().map(String::as_str))
        },
        path: name,
    }
}

fn copy_directory(job: &Job<'_>, path: &Path, fetched: &mut Fetched) -> Result<(), FetchError> {
    let source =
        Dir::open_ambient_dir(path, ambient_authority()).map_err(|error| FetchError::Local {
            path: path.display().to_string(),
            error,
        })?;
    // Only what belongs to skills is copied: they may lie in a project of any size.
    let found = find::find(path)?;
    if found.skills.is_empty() {
        return Err(find::PickError::None.into());
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (directory, tree) = job.tree(&name)?;
    let mut copy = Copy {
        place: path,
        into: &tree,
        job,
        names: Names::default(),
        files: 0,
        bytes: 0,
        links: Vec::new(),
    };
    for skill in found
        .skills
        .iter()
        .filter(|skill| skill.nested_in.is_none())
    {
        copy.skill(&source, skill)?;
    }
    if !copy.links.is_empty() {
        fetched.notes.push(format!(
            "links and what is no file were left out: {}",
            copy.links.join(", ")
        ));
    }
    fetched.skills = find::find(&directory)?;
    git::note_whole(&fetched.skills, &mut fetched.notes);
    fetched.directory = directory;
    Ok(())
}

struct Copy<'a> {
    place: &'a Path,
    into: &'a Dir,
    job: &'a Job<'a>,
    names: Names,
    files: u64,
    bytes: u64,
    links: Vec<String>,
}

impl Copy<'_> {
    fn skill(&mut self, top: &Dir, skill: &find::FoundSkill) -> Result<(), FetchError> {
        let path = &*skill.path;
        if skill.kind != find::FoundKind::Directory {
            self.take(path, false)?;
            return self.file(top, path, path);
        }
        if path.is_empty() {
            return self.directory(top, "", 0);
        }
        let inner = top
            .open_dir(path)
            .map_err(|error| self.failed(path, error))?;
        self.directory(&inner, path, path.matches('/').count() + 1)
    }

    fn take(&mut self, path: &str, is_directory: bool) -> Result<(), FetchError> {
        match self.names.take(path.as_bytes(), is_directory) {
            Ok(_) => Ok(()),
            Err(reason) => Err(FetchError::Refused {
                place: self.place.display().to_string(),
                path: shown(path.as_bytes()),
                reason,
            }),
        }
    }

    fn directory(&mut self, from: &Dir, path: &str, depth: usize) -> Result<(), FetchError> {
        let mut entries: Vec<_> = from
            .entries()
            .and_then(Iterator::collect)
            .map_err(|error| self.failed(path, error))?;
        entries.sort_by_key(cap_std::fs::DirEntry::file_name);
        for entry in entries {
            if self.job.progress.is_cancelled() {
                return Err(FetchError::Cancelled);
            }
            let name = entry.file_name();
            let Some(name) = name.to_str() else {
                // Escaped byte by byte: only so can the file be told from others and found again.
                return Err(FetchError::Refused {
                    place: self.place.join(path).display().to_string(),
                    path: name.as_encoded_bytes().escape_ascii().to_string(),
                    reason: unpack::Reason::NameNotUtf8,
                });
            };
            let below = if path.is_empty() {
                name.to_owned()
            } else {
                format!("{path}/{name}")
            };
            if is_left_out(&below) || find::is_not_searched(name) {
                continue;
            }
            let kind = entry
                .file_type()
                .map_err(|error| self.failed(&below, error))?;
            if !kind.is_dir() && !kind.is_file() {
                if self.links.len() < limits::NOTES {
                    self.links.push(format!("`{}`", shown(below.as_bytes())));
                }
                continue;
            }
            self.take(&below, kind.is_dir())?;
            if kind.is_dir() && depth < limits::PATH_DEPTH {
                let inner = entry
                    .open_dir()
                    .map_err(|error| self.failed(&below, error))?;
                self.directory(&inner, &below, depth + 1)?;
            } else if kind.is_file() {
                self.file(from, name, &below)?;
            }
        }
        Ok(())
    }

    fn file(&mut self, from: &Dir, name: &str, path: &str) -> Result<(), FetchError> {
        self.files += 1;
        if self.files > limits::REPOSITORY_FILES {
            return Err(FetchError::TooMany {
                what: self.place.display().to_string(),
                of: "files",
                limit: limits::REPOSITORY_FILES,
            });
        }
        let mut options = OpenOptions::new();
        options.read(true).follow(FollowSymlinks::No).nonblock(true);
        let file = from
            .open_with(name, &options)
            .map_err(|error| self.failed(path, error))?;
        let metadata = file.metadata().map_err(|error| self.failed(path, error))?;
        let room = limits::FETCHED_BYTES.saturating_sub(self.bytes);
        let mut bytes = Vec::new();
        file.take(room + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| self.failed(path, error))?;
        self.bytes += bytes.len() as u64;
        if self.bytes > limits::FETCHED_BYTES {
            return Err(FetchError::TooLarge {
                what: self.place.display().to_string(),
                limit: limits::FETCHED_BYTES,
            });
        }
        write_file(self.into, path, is_executable(&metadata), &bytes)?;
        Ok(())
    }

    fn failed(&self, path: &str, error: io::Error) -> FetchError {
        FetchError::Local {
            path: self.place.join(path).display().to_string(),
            error,
        }
    }
}

#[cfg(unix)]
fn is_executable(metadata: &cap_std::fs::Metadata) -> bool {
    use cap_std::fs::MetadataExt;
    metadata.mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &cap_std::fs::Metadata) -> bool {
    false
}
