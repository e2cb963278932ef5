//! New skills.

use skillful::check::{self, Rules};
use skillful::discover::Form;
use skillful::guard;
use skillful_guard::{Bundle, FileInput};
use skillful_store::{Applied, Choice, Key};
use skillmd::name::skill_id;
use skillmd::{Document, Encoding, Severity, Value, parse_text};

use super::draft::{FileEdit, SKILL_MD, new_tree};
use super::subject::real;
use super::{Author, AuthorError, Done, Outcome, Remark, Where};
use crate::change::Change;
use crate::state::observe;
use crate::unpack::is_device;
use crate::{Operation, State, Swap};

/// A skill that is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSkill {
    /// Its name, which becomes its id.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// Its instructions; without any, a headline to write them below.
    pub body: Option<String>,
    /// Where it goes.
    pub place: Where,
}

impl NewSkill {
    /// A skill of this name and description, in the usual place.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            body: None,
            place: Where::Usual,
        }
    }

    /// The same with these instructions.
    #[must_use]
    pub fn with_body(mut self, body: impl Into<String>) -> Self {
        self.body = Some(body.into());
        self
    }

    /// The same in this place.
    #[must_use]
    pub fn placed(mut self, place: Where) -> Self {
        self.place = place;
        self
    }
}

impl Author<'_> {
    /// Writes a new skill: a directory with a SKILL.md that passes the check.
    ///
    /// # Errors
    ///
    /// [`AuthorError`]; [`AuthorError::Exists`] and [`AuthorError::Occupied`] where there is one already.
    pub fn create(&self, new: &NewSkill) -> Result<Done, AuthorError> {
        let name = new.name.trim();
        let id = skill_id(name).ok_or_else(|| AuthorError::NoName(new.name.clone()))?;
        let default_body = format!("# {}\n", one_line(name));
        let body = new.body.as_deref().unwrap_or(&default_body);
        let entries = [("description", Value::text(new.description.trim()))];
        let document = compose(&id, entries, body)?;
        let made = Made {
            operation: Operation::CREATE,
            message: format!("created {id}"),
            id: id.into_owned(),
            place: new.place.clone(),
            document,
            beside: None,
        };
        self.write_new(made)
    }

    /// Writes a skill that was composed, if there is none of its id.
    pub(crate) fn write_new(&self, made: Made) -> Result<Done, AuthorError> {
        let Made {
            operation,
            message,
            id,
            place,
            document,
            beside,
        } = made;
        refuse_reserved(&id)?;
        let library = self.search();
        if let Some(other) = library.registry.get(&id) {
            let path = other.path.clone();
            return Err(AuthorError::Exists { id, path });
        }
        let root = place.directory(self.setup)?;
        let directory = root.join(&id);
        if !observe(&directory)?.is_absent() {
            return Err(AuthorError::Occupied { path: directory });
        }
        let path = directory.join(SKILL_MD);
        let bytes = document.to_bytes();
        check_strictly(&document)?;
        let mut files = vec![FileEdit::write(SKILL_MD, bytes)];
        files.extend(beside.map(|(path, bytes)| FileEdit::write(path, bytes)));
        let inputs = files
            .iter()
            .map(|file| FileInput::regular(&*file.path, file.bytes.clone().unwrap_or_default()));
        let bundle = Bundle::new(inputs.collect());
        let digest = guard::digest_of_bundle(&Form::Directory, SKILL_MD, &bundle);
        let gated = self.gate.judge(&bundle, digest.clone(), self.trust);
        let mut remarks: Vec<Remark> = self.decide(gated)?.into_iter().collect();

        let objects = self.data.objects();
        let tree = new_tree(&objects, &files)?;
        let change = Change::new(operation, self.actor.clone())
            .about(&id)
            .swap(Swap::new(&directory, State::Absent, tree))
            .saying(message);
        let entry = self.commit(change, None)?;
        let key = Key::new(&id, real(&root).to_string_lossy());
        if self.forget_archived(&key) {
            remarks.push(Remark::Restored);
        }
        Ok(Done {
            outcome: Outcome::Created,
            id,
            path,
            seq: Some(entry.seq),
            digest,
            remarks,
        })
    }

    /// That an older skill of this id was put away says nothing about a new one.
    fn forget_archived(&self, key: &Key) -> bool {
        let Some(records) = self.records else {
            return false;
        };
        let is_archived = records
            .choices()
            .is_ok_and(|choices| choices.archived(key).is_some());
        is_archived
            && records
                .choose(key, Choice::Restore)
                .is_ok_and(|applied| applied == Applied::Changed)
    }
}

/// A skill that was composed and is not written yet.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) operation: Operation,
    pub(crate) message: String,
    pub(crate) id: String,
    pub(crate) place: Where,
    pub(crate) document: Document,
    /// One more file of it: its path and content.
    pub(crate) beside: Option<(String, Vec<u8>)>,
}

/// The document of a skill, by the codec's own writer, so that no text can become another entry.
pub(crate) fn compose<'v>(
    id: &str,
    entries: impl IntoIterator<Item = (&'v str, Value)>,
    body: &str,
) -> Result<Document, AuthorError> {
    let empty = parse_text(String::new(), Encoding::Utf8);
    let mut document = empty.with_entry_set("name", &Value::text(id))?;
    for (key, value) in entries {
        document = document.with_entry_set(key, &value)?;
    }
    let body = body.trim_matches(['\r', '\n']);
    Ok(document.with_body(&format!("\n{body}\n"))?)
}

/// Refuses an id that cannot be the name of a directory on Windows.
pub(super) fn refuse_reserved(id: &str) -> Result<(), AuthorError> {
    if is_device(id) {
        return Err(AuthorError::Reserved(id.to_owned()));
    }
    Ok(())
}

/// What is new must break no rule of the standard.
pub(crate) fn check_strictly(document: &Document) -> Result<(), AuthorError> {
    let subject = check::Subject::without_place(SKILL_MD);
    let mut found = subject.diagnostics(document, &Rules::default());
    found.retain(|diagnostic| diagnostic.severity == Severity::Error);
    if found.is_empty() {
        Ok(())
    } else {
        Err(AuthorError::Invalid(found))
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
