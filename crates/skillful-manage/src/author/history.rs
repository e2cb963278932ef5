//! What was changed, and taking it back.

use std::fmt;
use std::path::PathBuf;

use skillful::config::Level;
use skillful::{Setup, roots};
use skillful_store::choices_file;
use skillful_store::journal::Query;

use super::subject::{look_up, real};
use super::{Author, AuthorError};
use crate::change::{ChangeError, Writer};
use crate::data::DataDirectory;
use crate::{Actor, ChangeId, Entry, Operation, State, Swap, journal, limits};

/// Which changes are asked for. Everything that is said must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryQuery {
    /// Of the skill with this id.
    pub skill: Option<String>,
    /// By this actor.
    pub actor: Option<Actor>,
    /// At most so many.
    pub limit: Option<usize>,
}

/// The places whose changes are meant where no number is given: those of the project, and the user's own.
struct Here {
    bases: Vec<PathBuf>,
    home: Option<PathBuf>,
    /// Files of the user that may lie anywhere: configuration and records.
    files: Vec<PathBuf>,
}

impl Here {
    fn of(setup: &Setup, data: &DataDirectory) -> Self {
        let options = &setup.options;
        let directory = setup.host.working_directory();
        let named = options.roots.iter().chain(&options.project);
        let mut bases: Vec<PathBuf> = named
            .map(|path| directory.join(path).components().collect())
            .collect();
        if bases.is_empty() {
            bases.push(roots::repository(directory).to_owned());
        }
        let home = roots::home(&setup.host, options);
        let configuration = setup.config_files.iter();
        let mut files: Vec<PathBuf> = configuration
            .filter(|file| file.level != Level::Project)
            .flat_map(|file| [file.path.clone(), real(&file.path)])
            .collect();
        files.push(data.path().join(choices_file::FILE_NAME));
        Self { bases, home, files }
    }

    fn holds(&self, entry: &Entry) -> bool {
        entry.swaps.iter().any(|swap| {
            let in_home = self.home.as_ref().is_some_and(|home| {
                let below = swap.path.strip_prefix(home).ok();
                below.is_some_and(|below| below.to_string_lossy().starts_with('.'))
            });
            in_home
                || self.files.contains(&swap.path)
                || self.bases.iter().any(|base| swap.path.starts_with(base))
        })
    }
}

/// What was undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    /// The change that did it, which can be undone in turn.
    pub entry: Entry,
    /// The changes that were undone, newest first.
    pub changes: Vec<Entry>,
    /// What became of each path.
    pub files: Vec<FileChange>,
}

/// What became of one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// The path.
    pub path: PathBuf,
    /// What became of it.
    pub what: WhatHappened,
}

/// What became of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhatHappened {
    /// It is there again.
    PutBack,
    /// It holds something else again.
    Restored,
    /// It is gone again.
    Removed,
}

impl fmt::Display for WhatHappened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PutBack => "put back",
            Self::Restored => "restored",
            Self::Removed => "removed",
        })
    }
}

impl From<&Swap> for FileChange {
    fn from(swap: &Swap) -> Self {
        Self {
            path: swap.path.clone(),
            what: match (&swap.before, &swap.after) {
                (State::Absent, _) => WhatHappened::PutBack,
                (_, State::Absent) => WhatHappened::Removed,
                _ => WhatHappened::Restored,
            },
        }
    }
}

impl Author<'_> {
    /// The changes that are asked for, newest first, by whomever they were made and whatever they changed.
    ///
    /// # Errors
    ///
    /// [`AuthorError::Store`].
    pub fn history(&self, query: &HistoryQuery) -> Result<Vec<Entry>, AuthorError> {
        let query_of = Query {
            skill: query.skill.clone(),
            ..Query::default()
        };
        let limit = query.limit.unwrap_or(usize::MAX);
        self.collect(query_of, limit, |entry| {
            query
                .actor
                .as_ref()
                .is_none_or(|actor| entry.actor == *actor)
        })
    }

    /// Undoes the change of this number. To undo an undo is to make the change again.
    ///
    /// # Errors
    ///
    /// [`AuthorError::Change`] with [`ChangeError::ChangedSince`] when what it changed was changed again;
    /// [`AuthorError::Pinned`].
    pub fn undo(&self, seq: u64) -> Result<Undone, AuthorError> {
        self.undo_with(|writer, actor| writer.undo(seq, actor), Some(seq))
    }

    /// Undoes the newest change here, by this actor if one is given, that is neither undone nor an undo: again and again,
    /// it goes further back. What was changed in other projects is left alone; it has a number.
    ///
    /// # Errors
    ///
    /// As [`Self::undo`]; [`ChangeError::NothingToUndo`].
    pub fn undo_last(&self, by: Option<&Actor>) -> Result<Undone, AuthorError> {
        let here = Here::of(self.setup, self.data);
        let newest = self.newest(Query::default().undoable(), |entry| {
            by.is_none_or(|by| entry.actor == *by) && here.holds(entry)
        })?;
        self.undo(newest)
    }

    /// Makes the newest undone change again, by this actor if one is given.
    ///
    /// # Errors
    ///
    /// As [`Self::undo_last`].
    pub fn redo_last(&self, by: Option<&Actor>) -> Result<Undone, AuthorError> {
        let here = Here::of(self.setup, self.data);
        let newest = self.newest(Query::default(), |entry| {
            entry.operation == Operation::UNDO
                && here.holds(entry)
                && !entry.is_undone()
                && by.is_none_or(|by| entry.actor == *by)
        })?;
        self.undo(newest)
    }

    /// Undoes all changes of a transaction in one step.
    ///
    /// # Errors
    ///
    /// As [`Self::undo`]; [`ChangeError::NotOneStep`].
    pub fn undo_transaction(&self, transaction: &ChangeId) -> Result<Undone, AuthorError> {
        self.undo_with(
            |writer, actor| writer.undo_transaction(transaction, actor),
            None,
        )
    }

    fn newest(&self, query: Query, is_meant: impl Fn(&Entry) -> bool) -> Result<u64, AuthorError> {
        let found = self.collect(query, 1, is_meant)?;
        let newest = found.first().map(|entry| entry.seq);
        newest.ok_or(AuthorError::Change(ChangeError::NothingToUndo))
    }

    /// Reads the history page by page until there are enough.
    fn collect(
        &self,
        query: Query,
        limit: usize,
        is_meant: impl Fn(&Entry) -> bool,
    ) -> Result<Vec<Entry>, AuthorError> {
        let mut found = Vec::new();
        let mut query = query.limit(limits::HISTORY_PAGE);
        while found.len() < limit {
            let page = journal::history(self.data, &query)?;
            let Some(last) = page.last() else {
                break;
            };
            query = query.before(last.seq);
            let is_last = page.len() < limits::HISTORY_PAGE;
            found.extend(page.into_iter().filter(&is_meant));
            if is_last {
                break;
            }
        }
        found.truncate(limit);
        Ok(found)
    }

    fn undo_with(
        &self,
        undo: impl FnOnce(&mut Writer, Actor) -> Result<Entry, ChangeError>,
        seq: Option<u64>,
    ) -> Result<Undone, AuthorError> {
        if let Some(seq) = seq {
            self.refuse_pinned(seq)?;
        }
        let mut writer = Writer::open(self.data)?;
        let entry = undo(&mut writer, self.actor.clone()).map_err(AuthorError::from)?;
        drop(writer);
        self.tell_records(&entry)?;
        let mut changes = Vec::new();
        for seq in &entry.undoes {
            changes.extend(self.entry(*seq)?);
        }
        if changes.iter().any(|change| self.is_rename(change)) {
            let places: Vec<PathBuf> = entry.swaps.iter().map(|swap| swap.path.clone()).collect();
            self.records_follow(&entry.skills, &places);
        }
        Ok(Undone {
            files: entry.swaps.iter().map(FileChange::from).collect(),
            changes,
            entry,
        })
    }

    /// A skill that somebody pinned is not changed by an undo either.
    fn refuse_pinned(&self, seq: u64) -> Result<(), AuthorError> {
        let Some(entry) = self.entry(seq)? else {
            return Ok(());
        };
        let library = self.search();
        for id in &entry.skills {
            let Ok(skill) = look_up(&library, id) else {
                continue;
            };
            let place = skill.form.place(&skill.path);
            let touches =
                |swap: &Swap| swap.path.starts_with(place) || place.starts_with(&swap.path);
            if entry.swaps.iter().any(touches) && self.is_pinned(skill)? {
                let id = skill.id.clone();
                return Err(AuthorError::Pinned { id });
            }
        }
        Ok(())
    }

    fn entry(&self, seq: u64) -> Result<Option<Entry>, AuthorError> {
        let query = Query::default().before(seq.saturating_add(1)).limit(1);
        let found = journal::history(self.data, &query)?.pop();
        Ok(found.filter(|entry| entry.seq == seq))
    }

    /// Whether a change gave a skill another id, be it by undoing one that did.
    fn is_rename(&self, entry: &Entry) -> bool {
        let mut entry = entry.clone();
        for _ in 0..limits::UNDO_CHAIN {
            if entry.operation == Operation::RENAME {
                return true;
            }
            let [seq] = entry.undoes[..] else {
                return false;
            };
            match self.entry(seq) {
                Ok(Some(undone)) => entry = undone,
                _ => return false,
            }
        }
        false
    }
}
