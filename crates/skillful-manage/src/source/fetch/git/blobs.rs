//! Files of a commit: fetched in one request, and written as their bytes are.

use std::fs;
use std::path::Path;

use cap_std::fs::Dir;

use super::run::Input;
use super::tree::{Entry, EntryKind};
use super::{FETCH, Opened};
use crate::limits;
use crate::source::fetch::FetchError;
use crate::unpack::{Names, is_left_out, shown, write_file};

/// Files whose bytes are asked for at once.
const AT_ONCE: usize = 256;

/// Bytes that are asked for at once, so that they fit into memory.
const BYTES_AT_ONCE: u64 = 16 * 1024 * 1024;

/// The head of a file that stands for another one in Git LFS.
const LFS: &[u8] = b"version https://git-lfs.github.com/spec/v1\n";

pub(super) struct Writer<'a> {
    opened: &'a Opened<'a>,
    tree: &'a Dir,
    names: Names,
    links: Vec<String>,
    submodules: Vec<String>,
    pointers: usize,
    pub(super) notes: Vec<String>,
}

struct File<'e> {
    path: String,
    object: &'e str,
    executable: bool,
}

impl<'a> Writer<'a> {
    pub(super) fn new(opened: &'a Opened<'a>, tree: &'a Dir) -> Self {
        Self {
            opened,
            tree,
            names: Names::default(),
            links: Vec::new(),
            submodules: Vec::new(),
            pointers: 0,
            notes: Vec::new(),
        }
    }

    /// Forgets what was written, to write again from the beginning.
    pub(super) fn rewind(&mut self, directory: &Path) -> Result<(), FetchError> {
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                fs::remove_dir_all(entry.path())?;
            } else {
                fs::remove_file(entry.path())?;
            }
        }
        *self = Self::new(self.opened, self.tree);
        Ok(())
    }

    /// Fetches and writes files.
    pub(super) fn write(&mut self, entries: &[&Entry]) -> Result<(), FetchError> {
        let files = self.checked(entries)?;
        if files.len() as u64 > limits::REPOSITORY_FILES {
            return Err(FetchError::TooMany {
                what: self.opened.url.clone(),
                of: "files in its skills",
                limit: limits::REPOSITORY_FILES,
            });
        }
        let objects: Vec<&str> = files.iter().map(|file| file.object).collect();
        self.opened.fetch_missing(&objects)?;
        let sizes = self.opened.sizes(&objects)?;
        let total: u64 = sizes.iter().flatten().sum();
        if total > limits::FETCHED_BYTES {
            return Err(FetchError::TooLarge {
                what: self.opened.url.clone(),
                limit: limits::FETCHED_BYTES,
            });
        }
        let mut start = 0;
        while start < files.len() {
            let mut bytes = 0;
            let mut end = start;
            while end < files.len()
                && end - start < AT_ONCE
                && (end == start || bytes + sizes[end].unwrap_or(0) <= BYTES_AT_ONCE)
            {
                bytes += sizes[end].unwrap_or(0);
                end += 1;
            }
            self.write_some(&files[start..end])?;
            start = end;
        }
        Ok(())
    }

    /// Checks the names of all before one of them is written.
    fn checked<'e>(&mut self, entries: &[&'e Entry]) -> Result<Vec<File<'e>>, FetchError> {
        let mut files = Vec::new();
        for entry in entries {
            let path = self
                .names
                .take(&entry.path, false)
                .map_err(|reason| FetchError::Refused {
                    place: self.opened.url.clone(),
                    path: shown(&entry.path),
                    reason,
                })?
                .into_string();
            match entry.kind {
                _ if is_left_out(&path) => {}
                EntryKind::Link => self.links.push(path),
                EntryKind::Submodule => self.submodules.push(path),
                EntryKind::File { executable } => files.push(File {
                    path,
                    object: &entry.object,
                    executable,
                }),
            }
        }
        Ok(files)
    }

    fn write_some(&mut self, files: &[File<'_>]) -> Result<(), FetchError> {
        let objects: Vec<&str> = files.iter().map(|file| file.object).collect();
        let (tree, pointers) = (self.tree, &mut self.pointers);
        self.opened.each_blob(&objects, |index, content| {
            let file = &files[index];
            *pointers += usize::from(content.starts_with(LFS));
            write_file(tree, &file.path, file.executable, content)?;
            Ok(())
        })
    }

    /// Says what was left out.
    pub(super) fn links(&mut self, notes: &mut Vec<String>) {
        if !self.links.is_empty() {
            notes.push(format!(
                "links are not followed and were left out: {}",
                some(&self.links)
            ));
        }
        if !self.submodules.is_empty() {
            notes.push(format!(
                "submodules were left out: {}",
                some(&self.submodules)
            ));
        }
        if self.pointers > 0 {
            notes.push(format!(
                "{} files are kept in Git LFS; only what stands for them was fetched",
                self.pointers
            ));
        }
    }
}

/// The bytes of one file.
pub(super) fn read(opened: &Opened<'_>, entry: &Entry, limit: u64) -> Result<Vec<u8>, FetchError> {
    let object = &*entry.object;
    opened.fetch_missing(&[object])?;
    if opened.sizes(&[object])?.first().copied().flatten() > Some(limit) {
        return Err(FetchError::TooLarge {
            what: format!("`{}` in {}", shown(&entry.path), opened.url),
            limit,
        });
    }
    let mut bytes = Vec::new();
    opened.each_blob(&[object], |_, content| {
        bytes = content.to_vec();
        Ok(())
    })?;
    Ok(bytes)
}

impl Opened<'_> {
    /// Fetches what is not here yet, in one request.
    fn fetch_missing(&self, objects: &[&str]) -> Result<(), FetchError> {
        let missing: Vec<&str> = objects
            .iter()
            .zip(self.sizes(objects)?)
            .filter(|(_, size)| size.is_none())
            .map(|(object, _)| *object)
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        let git = &self.git;
        let mut arguments = FETCH.to_vec();
        arguments.extend(["--no-write-fetch-head", "--stdin", "origin"]);
        if git.ask(&arguments, Input::lines(missing)).is_ok() {
            return Ok(());
        }
        // The server leaves files out, and does not give them out by themselves either.
        let arguments = [
            "fetch",
            "--progress",
            "--no-tags",
            "--no-recurse-submodules",
            "--no-filter",
            "--refetch",
            "--depth=1",
            "--",
            "origin",
            &self.want.name,
        ];
        git.ask(&arguments, Input::default()).map(|_| ())
    }

    /// The size of each, or nothing for what is not here.
    fn sizes(&self, objects: &[&str]) -> Result<Vec<Option<u64>>, FetchError> {
        let input = Input::lines(objects.iter().copied());
        let output = self
            .git
            .run(&["cat-file", "--batch-check=%(objectsize)"], input)?;
        let sizes: Vec<Option<u64>> = String::from_utf8_lossy(&output)
            .lines()
            .map(|line| line.parse().ok())
            .collect();
        if sizes.len() == objects.len() {
            Ok(sizes)
        } else {
            Err(FetchError::Git("it answers another question".to_owned()))
        }
    }

    /// Hands out the bytes of each.
    fn each_blob(
        &self,
        objects: &[&str],
        mut take: impl FnMut(usize, &[u8]) -> Result<(), FetchError>,
    ) -> Result<(), FetchError> {
        let input = Input::lines(objects.iter().copied());
        let output = self
            .git
            .run(&["cat-file", "--batch=%(objectsize)"], input)?;
        let mut rest = &*output;
        for (index, object) in objects.iter().enumerate() {
            let wrong = || FetchError::Git(format!("it does not give out the file {object}"));
            let end = rest
                .iter()
                .position(|&byte| byte == b'\n')
                .ok_or_else(wrong)?;
            let size: usize = rest
                .get(..end)
                .and_then(|size| std::str::from_utf8(size).ok()?.parse().ok())
                .ok_or_else(wrong)?;
            let content = rest.get(end + 1..end + 1 + size).ok_or_else(wrong)?;
            take(index, content)?;
            // A line break follows the bytes.
            rest = rest.get(end + 2 + size..).unwrap_or_default();
        }
        Ok(())
    }
}

fn some(paths: &[String]) -> String {
    let shown: Vec<String> = paths
        .iter()
        .take(5)
        .map(|path| format!("`{path}`"))
        .collect();
    let more = paths.len().saturating_sub(shown.len());
    if more == 0 {
        shown.join(", ")
    } else {
        format!("{} and {more} more", shown.join(", "))
    }
}
