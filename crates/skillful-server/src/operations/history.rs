//! What was changed.

use skillful::contract::{HistoryDocument, SourceDocument};
use skillful::guard::gather_skill;
use skillful::scanner::Content;
use skillful::{Skill, Snapshot};
use skillful_manage::author::{Author, AuthorError};
use skillful_manage::gate::Gate;
use skillful_manage::{Actor, Query, journal};

use super::Answer;
use super::read::find;
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};

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
        let bytes = match own.map(|file| &file.content) {
            Some(Content::Bytes(bytes)) => bytes,
            _ => return Err(unreadable(skill)),
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
        let setup = snapshot.setup();
        let gate = Gate::of(&setup.config);
        let gate = gate.map_err(|error| Failure::new(FailureKind::Unavailable, error))?;
        let author = Author::new(setup, self.data()?, &gate).by(Actor::USER);
        Ok(author.may_change(skill))
    }
}

fn unreadable(skill: &Skill) -> Failure {
    let message = format!("the text of `{}` cannot be read", skill.id);
    Failure::new(FailureKind::Refused, message)
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    let digest = Sha256::digest(bytes);
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

/// The id that is meant: that of a skill that is there, else the text itself, for one that is gone.
fn id_of(snapshot: &Snapshot, text: &str) -> Result<String, Failure> {
    match find(snapshot, text) {
        Ok(skill) => Ok(skill.id.clone()),
        Err(failure) => skillful::config::id_form(text).ok_or(failure),
    }
}
