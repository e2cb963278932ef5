//! A look at a place: has its directories watched, and finds where links lead and, for polling, the state of every file.
//!
//! It goes where discovery goes, and below skills to their supporting files. What it comes across besides does no harm:
//! a change is only ever a hint to look again.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{FileType, Metadata};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rayon::prelude::*;

use super::{Extent, Place, PollingReason};
use crate::discover::{self, SKILL_MD};
use crate::limits;

/// How many directories are read in parallel before the limits are looked at.
const CHUNK: usize = 256;

/// What was seen. All paths but those that are called shown are without links.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// Directories that were not read and hold single files of interest.
    pub(super) beside: BTreeSet<PathBuf>,
    /// The start and whatever links lead to, each with the path under which it is shown.
    pub(super) tops: Vec<(PathBuf, PathBuf)>,
    /// What the start or a link should lead to and does not exist.
    pub(super) missing: Vec<PathBuf>,
    /// The state of every entry, when it was asked for.
    pub(super) stamps: Option<BTreeMap<PathBuf, Stamp>>,
    /// Whether the limit was reached and something is missing.
    pub(super) truncated: bool,
}

/// What tells two states of a file apart without reading it.
///
/// An edit that keeps length and modification time still sets the change time, which no program can choose; only where
/// there is none (Windows), or within one tick of the file system's clock (some 4 ms), can an edit go unseen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stamp {
    /// A directory's own times say only that some entry changed, and the entries are looked at anyway.
    Directory { inode: u64 },
    /// Anything else.
    File {
        inode: u64,
        bytes: u64,
        modified: Option<SystemTime>,
        /// Seconds and nanoseconds.
        changed: (i64, i64),
    },
}

/// How far down to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// Where skills are looked for, so many levels further down.
    Search(usize),
    /// In a skill, so many levels further down.
    Skill(usize),
}

const IN_SKILL: Level = Level::Skill(limits::BUNDLE_DEPTH);

/// A directory that is to be looked at.
#[derive(Debug)]
struct Step {
    real: PathBuf,
    shown: PathBuf,
    level: Level,
}

/// Told of directories before they are read, so that what is made in them meanwhile is not missed.
pub(super) trait Guard {
    /// Watches these directories.
    fn guard(&mut self, directories: &[PathBuf]) -> Result<(), PollingReason>;

    /// Whether the state of every entry is wanted.
    fn wants_stamps(&self) -> bool;
}

/// For polling: nobody watches, and states are compared.
#[derive(Debug)]
pub(super) struct Unguarded;

impl Guard for Unguarded {
    fn guard(&mut self, _: &[PathBuf]) -> Result<(), PollingReason> {
        Ok(())
    }

    fn wants_stamps(&self) -> bool {
        true
    }
}

impl Survey {
    /// Looks at a whole place. Fails when the guard does.
    pub(super) fn of(place: &Place, guard: &mut dyn Guard) -> Result<Self, PollingReason> {
        match place.extent {
            Extent::Tree { depth } => Self::below(&place.path, Level::Search(depth.into()), guard),
            Extent::File => Ok(Self::file(&place.path, guard)),
        }
    }

    /// The states of all that a place holds.
    pub(super) fn unguarded(place: &Place) -> Self {
        Self::of(place, &mut Unguarded).unwrap_or_default()
    }

    /// Looks at what lies at and below a path.
    pub(super) fn below(
        shown: &Path,
        level: Level,
        guard: &mut dyn Guard,
    ) -> Result<Self, PollingReason> {
        let mut survey = Self::new(guard);
        match std::fs::canonicalize(shown) {
            Ok(real) => {
                survey.tops.push((real.clone(), shown.to_owned()));
                if real.is_dir() {
                    let shown = shown.to_owned();
                    survey.walk(Step { real, shown, level }, guard)?;
                }
            }
            Err(_) => survey.missing.push(target(shown)),
        }
        Ok(survey)
    }

    /// Looks at a single file: its directory is watched, and if it is a link that of its target as well.
    fn file(shown: &Path, guard: &dyn Guard) -> Self {
        let mut survey = Self::new(guard);
        let directory = shown.parent().map(std::fs::canonicalize);
        let (Some(Ok(directory)), Some(name)) = (directory, shown.file_name()) else {
            survey.missing.push(shown.to_owned());
            return survey;
        };
        let place = directory.join(name);
        let real = std::fs::canonicalize(&place).unwrap_or_else(|_| target(&place));
        for path in BTreeSet::from([place, real]) {
            survey.watch_beside(&path);
            survey.stamp(&path);
            survey.tops.push((path, shown.to_owned()));
        }
        survey
    }

    fn new(guard: &dyn Guard) -> Self {
        Self {
            stamps: guard.wants_stamps().then(BTreeMap::new),
            ..Self::default()
        }
    }

    /// Goes down level by level: the directories of one are guarded together, then read in parallel.
    fn walk(&mut self, start: Step, guard: &mut dyn Guard) -> Result<(), PollingReason> {
        let mut seen = BTreeSet::new();
        let mut room = limits::ENTRIES;
        let mut level = vec![start];
        while !level.is_empty() {
            level.retain(|step| seen.insert(step.real.clone()));
            let directories: Vec<PathBuf> = level.iter().map(|step| step.real.clone()).collect();
            guard.guard(&directories)?;
            let mut next = Vec::new();
            for steps in level.chunks(CHUNK) {
                let listed: Vec<_> = steps
                    .par_iter()
                    .map(|step| (step, entries(&step.real, room)))
                    .collect();
                for (step, entries) in listed {
                    room = room.saturating_sub(entries.len());
                    self.look(step, &entries, &mut next);
                }
                if room == 0 || seen.len() >= limits::DIRECTORIES {
                    self.truncated = true;
                    return Ok(());
                }
            }
            level = next;
        }
        Ok(())
    }

    fn look(&mut self, step: &Step, entries: &[Entry], open: &mut Vec<Step>) {
        let is_skill = matches!(step.level, Level::Skill(_))
            || entries
                .iter()
                .any(|entry| entry.name.eq_ignore_ascii_case(SKILL_MD));
        let is_foreign = step.real.file_name().is_some_and(discover::is_not_searched)
            || entries
                .iter()
                .any(|entry| entry.name == discover::VIRTUAL_ENVIRONMENT);
        let level = if is_skill && matches!(step.level, Level::Search(_)) {
            IN_SKILL
        } else {
            step.level
        };
        for entry in entries {
            let is_hidden = entry.name.as_encoded_bytes().starts_with(b".");
            if is_hidden && !(is_skill && entry.name != ".git") {
                continue;
            }
            let real = step.real.join(&entry.name);
            self.stamp(&real);
            let below = level.below().filter(|_| is_skill || !is_foreign);
            let step = |real| {
                below.map(|level| Step {
                    real,
                    shown: step.shown.join(&entry.name),
                    level,
                })
            };
            if entry.kind.is_symlink() {
                open.extend(self.link(&real, is_skill, step));
            } else if entry.kind.is_dir() && !(is_skill && discover::is_not_searched(&entry.name)) {
                open.extend(step(real));
            }
        }
    }

    /// Notes where a link leads; gives the directory to look at.
    fn link(
        &mut self,
        link: &Path,
        in_skill: bool,
        step: impl FnOnce(PathBuf) -> Option<Step>,
    ) -> Option<Step> {
        let Ok(real) = std::fs::canonicalize(link) else {
            self.missing.push(target(link));
            return None;
        };
        let is_directory = real.is_dir();
        // Links to directories inside a skill are no part of it.
        if is_directory && in_skill {
            return None;
        }
        let next = step(real.clone())?;
        self.tops.push((real.clone(), next.shown.clone()));
        if !is_directory {
            self.watch_beside(&real);
            return None;
        }
        Some(next)
    }

    fn watch_beside(&mut self, file: &Path) {
        self.beside.extend(file.parent().map(Path::to_owned));
    }

    fn stamp(&mut self, path: &Path) {
        if let Some(stamps) = &mut self.stamps
            && let Ok(metadata) = std::fs::symlink_metadata(path)
        {
            stamps.insert(path.to_owned(), Stamp::of(&metadata));
        }
    }
}

/// Where a link that leads nowhere should lead to; any other path itself.
fn target(path: &Path) -> PathBuf {
    match (path.read_link(), path.parent()) {
        (Ok(target), Some(directory)) => directory.join(target),
        _ => path.to_owned(),
    }
}

#[derive(Debug)]
struct Entry {
    name: OsString,
    kind: FileType,
}

/// The entries of a directory, `room` at most. One that cannot be read has none.
fn entries(directory: &Path, room: usize) -> Vec<Entry> {
    std::fs::read_dir(directory)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            Some(Entry {
                name: entry.file_name(),
                kind: entry.file_type().ok()?,
            })
        })
        .take(room)
        .collect()
}

impl Level {
    fn below(self) -> Option<Self> {
        match self {
            Self::Search(levels) => levels.checked_sub(1).map(Self::Search),
            Self::Skill(levels) => levels.checked_sub(1).map(Self::Skill),
        }
    }

    /// The level of a path in a tree whose top is searched `depth` levels down.
    pub(super) fn of(path: &Path, top: &Path, depth: u8) -> Self {
        let above = path.ancestors().skip(1);
        let in_skill = above
            .take_while(|directory| directory.starts_with(top))
            .any(|directory| directory.join(SKILL_MD).exists());
        if in_skill {
            return IN_SKILL;
        }
        let levels = path
            .strip_prefix(top)
            .map_or(0, |below| below.components().count());
        Self::Search(usize::from(depth).saturating_sub(levels))
    }
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        let (inode, changed) = identity(metadata);
        if metadata.is_dir() {
            return Self::Directory { inode };
        }
        Self::File {
            inode,
            bytes: metadata.len(),
            modified: metadata.modified().ok(),
            changed,
        }
    }
}

/// The inode and the time of the last change, where there are such.
#[cfg(unix)]
pub(super) fn identity(metadata: &Metadata) -> (u64, (i64, i64)) {
    use std::os::unix::fs::MetadataExt;
    (metadata.ino(), (metadata.ctime(), metadata.ctime_nsec()))
}

#[cfg(not(unix))]
pub(super) fn identity(_: &Metadata) -> (u64, (i64, i64)) {
    (0, (0, 0))
}

/// The paths whose states differ.
pub(super) fn differences<'a>(
    before: &'a BTreeMap<PathBuf, Stamp>,
    after: &'a BTreeMap<PathBuf, Stamp>,
) -> impl Iterator<Item = &'a PathBuf> {
    let gone = before.keys().filter(|path| !after.contains_key(*path));
    let other = after
        .iter()
        .filter(|(path, stamp)| before.get(*path) != Some(*stamp))
        .map(|(path, _)| path);
    gone.chain(other)
}

#[cfg(test)]
mod tests;
