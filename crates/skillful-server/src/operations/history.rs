//! What was changed.

use std::path::Path;

use skillful::contract::{HistoryDocument, SourceDocument, UndoDocument};
use skillful::guard::gather_skill;
use skillful::scanner::Content;
use skillful::{Skill, Snapshot};
use skillful_manage::author::AuthorError;
use skillful_manage::contract::ChangedDocument;
use skillful_manage::difference::{FileChange, Version, between};
use skillful_manage::{Entry, Query, journal};

use super::Answer;
use super::author::{By, refused, undo_document};
use super::read::find;
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};
use crate::hex::hex;

impl Engine {
    /// What was changed, newest first: of one skill, which may be gone, or of all.
    pub fn history(
        &self,
        skill: Option<&str>,
        limit: usize,
        before: Option<u64>,
    ) -> Result<Answer<HistoryDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let query = Query {
            skill: skill.map(|text| id_of(&snapshot, text)).transpose()?,
            ..Query::default()
        };
        let query = match before {
            Some(seq) => query.before(seq),
            None => query,
        };
        let entries = journal::history(self.data()?, &query.limit(limit))
            .map_err(|error| Failure::new(FailureKind::Unavailable, error))?;
        Ok(Answer::of(&HistoryDocument::new(&entries))?.typed())
    }

    /// The text of a skill as it is on disk, whatever its state, for who edits it.
    pub fn source(&self, id: &str) -> Result<Answer<SourceDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let skill = find(&snapshot, id)?;
        let gathered = gather_skill(skill);
        let name = skill.path.file_name().unwrap_or_default().to_string_lossy();
        let mut files = gathered.bundle.files().iter();
        let own = files.find(|file| file.path == name || gathered.bundle.files().len() == 1);
        let Some(Content::Bytes(bytes)) = own.map(|file| &file.content) else {
            return Err(unreadable(skill));
        };
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Err(unreadable(skill));
        };
        let mut document = SourceDocument::new(&skill.id, &skill.path, text, sha256(bytes));
        document.digest = gathered.digest.as_deref();
        if let Err(why) = self.may_change(&snapshot, skill)? {
            document.editable = false;
            document.reason = Some(why.to_string());
        }
        Ok(Answer::of(&document)?.typed())
    }

    fn may_change(
        &self,
        snapshot: &Snapshot,
        skill: &Skill,
    ) -> Result<Result<(), AuthorError>, Failure> {
        self.with_author(snapshot, &By::USER, |author| author.may_change(skill))
    }

    /// One change in full: what differs at each place that it touched, as far as that is kept still.
    pub fn changed(&self, seq: u64) -> Result<Answer<ChangedDocument<'static>>, Failure> {
        let entry = self.entry(seq)?;
        let objects = self.data()?.objects();
        let places: Vec<(&Path, Vec<FileChange>)> = entry
            .swaps
            .iter()
            .map(|swap| {
                let name = swap.path.file_name().unwrap_or_default().to_string_lossy();
                let before = Version::of_state(&swap.before, &name, &objects);
                let after = Version::of_state(&swap.after, &name, &objects);
                (&*swap.path, between(&before, &after))
            })
            .collect();
        let places = places.iter().map(|(path, files)| (*path, &files[..]));
        Ok(Answer::of(&ChangedDocument::new(&entry, places))?.typed())
    }

    /// Makes a change again that was undone: the undo of this number is undone, else the newest one.
    pub fn redo_by(
        &self,
        seq: Option<u64>,
        by: &By,
    ) -> Result<Answer<UndoDocument<'static>>, Failure> {
        let _turn = self.turn();
        let snapshot = self.snapshot()?;
        let redone = self.with_author(&snapshot, by, |author| match seq {
            Some(seq) => author.undo(seq),
            None => author.redo_last(None),
        })?;
        let redone = redone.map_err(|error| refused(&snapshot, &error))?;
        self.system()?.rescan();
        Ok(Answer::of(&undo_document("redone", &redone))?.typed())
    }

    fn entry(&self, seq: u64) -> Result<Entry, Failure> {
        let query = Query::default().before(seq.saturating_add(1)).limit(1);
        let found = journal::history(self.data()?, &query)
            .map_err(|error| Failure::new(FailureKind::Unavailable, error))?;
        let found = found.into_iter().find(|entry| entry.seq == seq);
        found.ok_or_else(|| {
            let message = format!("there is no change {seq} in the history");
            Failure::new(FailureKind::NotFound, message)
        })
    }
}

fn unreadable(skill: &Skill) -> Failure {
    let message = format!("the text of `{}` cannot be read", skill.id);
    Failure::new(FailureKind::Refused, message)
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    format!("sha256:{}", hex(&Sha256::digest(bytes)))
}

/// The id that is meant: that of a skill that is there, else the text itself, for one that is gone.
fn id_of(snapshot: &Snapshot, text: &str) -> Result<String, Failure> {
    match find(snapshot, text) {
        Ok(skill) => Ok(skill.id.clone()),
        Err(failure) => skillful::config::id_form(text).ok_or(failure),
    }
}
