//! Writing and changing skills.
//!
//! Each change is scanned, journaled and undoable; what is said here is only who makes it. When it is done, the runtime
//! has looked again, so that the next request finds what is there now.

use std::path::{Path, PathBuf};

use skillful::config::edit::{self, EditError};
use skillful::config::{KeyPath, Level, Value};
use skillful::contract::{AuthoredDocument, ChangeDocument, LifecycleDocument, UndoDocument};
use skillful::system::LifecycleError;
use skillful::{Mode, Snapshot, evaluate};
use skillful_manage::author::{
    Author, AuthorError, Done, HistoryQuery, NewSkill, Target, Undone, WhatHappened, Where,
};
use skillful_manage::gate::Gate;
use skillful_manage::settings::{self, Changed, History, SettingsError};
use skillful_manage::{Actor, Change, ChangeError, Operation, Writer};
use skillful_store::{Applied, Reason};
use skillmd::invocation::Scope;

use super::Answer;
use super::read::{find, near};
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};

/// Who changes skills, and what that one knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct By {
    /// Who.
    pub actor: Actor,
    /// The digest of content that a person looked at and said yes to.
    pub confirmed: Option<String>,
}

impl By {
    /// A person, who has looked at nothing in particular.
    pub const USER: Self = Self {
        actor: Actor::USER,
        confirmed: None,
    };

    /// A model: what it writes is trusted least, and nobody has looked at it.
    pub const AGENT: Self = Self {
        actor: Actor::AGENT,
        confirmed: None,
    };
}

/// A change of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Write a new one.
    Create(NewSkill),
    /// Replace its own file.
    Replace {
        /// Which.
        skill: Target,
        /// The new text, frontmatter and all.
        text: String,
    },
    /// Replace one place in a text.
    Patch {
        /// Which.
        skill: Target,
        /// The file; the skill's own where none is named.
        file: Option<String>,
        /// What stands there once.
        find: String,
        /// What is to stand there.
        replace: String,
    },
    /// Give it another name.
    Rename {
        /// Which.
        skill: Target,
        /// The name.
        name: String,
    },
    /// Write one of its files.
    WriteFile {
        /// Which.
        skill: Target,
        /// The path in it.
        path: String,
        /// What it is to hold.
        content: Vec<u8>,
        /// Whether it may be executed; nothing leaves that as it is.
        executable: Option<bool>,
    },
    /// Remove one of its files.
    RemoveFile {
        /// Which.
        skill: Target,
        /// The path in it.
        path: String,
    },
    /// Delete it.
    Delete {
        /// Which.
        skill: Target,
        /// Even if its directory holds more than the skill.
        everything: bool,
    },
}

impl Edit {
    /// The skill that it is about, where there is one already.
    fn skill(&self) -> Option<&str> {
        match self {
            Self::Create(_) => None,
            Self::Replace { skill, .. }
            | Self::Patch { skill, .. }
            | Self::Rename { skill, .. }
            | Self::WriteFile { skill, .. }
            | Self::RemoveFile { skill, .. }
            | Self::Delete { skill, .. } => Some(&skill.skill),
        }
    }

    fn make(&self, author: &Author<'_>) -> Result<Done, AuthorError> {
        match self {
            Self::Create(new) => author.create(new),
            Self::Replace { skill, text } => author.edit(skill, text.as_bytes()),
            Self::Patch {
                skill,
                file,
                find,
                replace,
            } => author.patch(skill, file.as_deref(), find, replace),
            Self::Rename { skill, name } => author.rename(skill, name),
            Self::WriteFile {
                skill,
                path,
                content,
                executable,
            } => author.write_file(skill, path, content, *executable),
            Self::RemoveFile { skill, path } => author.remove_file(skill, path),
            Self::Delete { skill, everything } => author.delete(skill, *everything),
        }
    }
}

/// What somebody chooses for a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Keep it from becoming stale, and from being changed.
    Pin,
    /// Treat it like any other.
    Unpin,
    /// Put it away.
    Archive(Option<Reason>),
    /// Bring it back.
    Restore,
}

/// The switches of a skill that are to be changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    /// Whether it is in use at all.
    pub enabled: Option<bool>,
    /// How it is brought up.
    pub mode: Option<Mode>,
    /// Where it is offered.
    pub scope: Option<Scope>,
}

impl Engine {
    /// Makes a change. The document says what was done.
    pub fn edit(&self, edit: &Edit, by: &By) -> Result<Answer<AuthoredDocument<'static>>, Failure> {
        let _turn = self.turn();
        let snapshot = self.snapshot()?;
        let mut touched: Vec<PathBuf> = edit
            .skill()
            .and_then(|skill| snapshot.find(skill).ok())
            .map(|skill| skill.form.place(&skill.path).to_owned())
            .into_iter()
            .collect();
        let done = self.with_author(&snapshot, by, |author| edit.make(author))?;
        let done = done.map_err(|error| refused(&snapshot, &error))?;
        touched.extend(done.path.parent().map(Path::to_owned));
        let system = self.system()?;
        let after = system.reload(touched);
        // The first skill of a directory that was not there is in no root that was searched so far.
        if done.path.exists() && after.at_path(&done.path).is_none() {
            system.rescan();
        }
        Ok(Answer::of(&AuthoredDocument::from(&done))?.typed())
    }

    /// Undoes a change by its number, else the last one that this actor made. Who is not a person undoes only what it
    /// did itself.
    pub fn undo_by(
        &self,
        seq: Option<u64>,
        by: &By,
    ) -> Result<Answer<UndoDocument<'static>>, Failure> {
        let _turn = self.turn();
        let snapshot = self.snapshot()?;
        let undone = self.with_author(&snapshot, by, |author| match seq {
            None => author.undo_last(Some(&by.actor)),
            Some(seq) if by.actor == Actor::USER => author.undo(seq),
            Some(seq) => {
                let history = author.history(&HistoryQuery::default())?;
                let is_own =
                    |entry: &skillful_manage::Entry| entry.seq == seq && entry.actor == by.actor;
                if history.iter().any(is_own) {
                    author.undo(seq)
                } else {
                    Err(AuthorError::Change(ChangeError::NothingToUndo))
                }
            }
        })?;
        let undone = undone.map_err(|error| refused(&snapshot, &error))?;
        self.system()?.rescan();
        Ok(Answer::of(&undo_document("undone", &undone))?.typed())
    }

    /// Chooses something for a skill.
    pub fn wish(
        &self,
        id: &str,
        wish: &Wish,
    ) -> Result<Answer<LifecycleDocument<'static>>, Failure> {
        let system = self.system()?;
        let snapshot = system.snapshot();
        let skill = find(&snapshot, id)?;
        let applied = match wish {
            Wish::Pin => system.pin(&skill.id),
            Wish::Unpin => system.unpin(&skill.id),
            Wish::Archive(reason) => system.archive(&skill.id, reason.clone()),
            Wish::Restore => system.restore(&skill.id),
        };
        let applied = applied.map_err(|error| match error {
            LifecycleError::LookUp(error) => near(&snapshot, id, error.into()),
            error => Failure::new(FailureKind::Unavailable, error),
        })?;
        let outcome = match (wish, applied) {
            (Wish::Pin, Applied::Changed) => "pinned",
            (Wish::Pin, Applied::Unchanged) => "already-pinned",
            (Wish::Unpin, Applied::Changed) => "unpinned",
            (Wish::Unpin, Applied::Unchanged) => "not-pinned",
            (Wish::Archive(_), Applied::Changed) => "archived",
            (Wish::Archive(_), Applied::Unchanged) => "already-archived",
            (Wish::Restore, Applied::Changed) => "restored",
            (Wish::Restore, Applied::Unchanged) => "not-archived",
        };
        let document = LifecycleDocument::new(outcome, &skill.id, Some(&skill.path), None);
        Ok(Answer::of(&document)?.typed())
    }

    /// Changes the switches of a skill in the user's configuration. The document tells of the last one, and how the skill
    /// stands then.
    pub fn configure(
        &self,
        id: &str,
        switches: Switches,
        by: &By,
    ) -> Result<Answer<ChangeDocument<'static>>, Failure> {
        let _turn = self.turn();
        let snapshot = self.snapshot()?;
        let id = find(&snapshot, id)?.id.clone();
        let steps = switches.steps(&id);
        let Some((key, value)) = steps.last() else {
            let message = "there is nothing to change";
            return Err(Failure::new(FailureKind::Invalid, message)
                .hint("give `enabled`, `mode` or `scope`"));
        };
        let apply = |text: &str| -> Result<Option<String>, EditError> {
            let new = steps
                .iter()
                .try_fold(text.to_owned(), |text, (key, value)| {
                    edit::set(&text, key, value)
                })?;
            Ok((new != text).then_some(new))
        };
        let change = Change::new(Operation::CONFIGURE, by.actor.clone())
            .about(&id)
            .saying(format!("set {key}"));
        let changed = self.change_config(&snapshot, Level::User, change, apply)?;
        let after = self.system()?.rescan();
        let skill = find(&after, &id)?;
        let standing = evaluate(skill, &after.setup().conditions(), self.agent());
        let document = changed
            .document(key, Some(value))
            .about(&id, Some(&standing));
        Ok(Answer::of(&document)?.typed())
    }

    /// Changes the configuration of a level, on record where a history is kept.
    pub(super) fn change_config(
        &self,
        snapshot: &Snapshot,
        level: Level,
        change: Change,
        by: impl Fn(&str) -> Result<Option<String>, EditError>,
    ) -> Result<Changed, Failure> {
        let history = History {
            change,
            open: &|| self.data().ok().map(Writer::open).transpose(),
        };
        let files = &snapshot.setup().config_files;
        settings::change(files, level, history, by).map_err(|error| not_set(&error))
    }

    /// Lets somebody write, once what a killed process left is finished.
    pub(super) fn with_author<T>(
        &self,
        snapshot: &Snapshot,
        by: &By,
        work: impl FnOnce(&Author<'_>) -> T,
    ) -> Result<T, Failure> {
        let data = self.data()?;
        let unavailable =
            |error: &dyn std::fmt::Display| Failure::new(FailureKind::Unavailable, error);
        Writer::settle(data).map_err(|error| unavailable(&error))?;
        let setup = snapshot.setup();
        let gate = Gate::of(&setup.config).map_err(|error| unavailable(&error))?;
        let author = Author::new(setup, data, &gate)
            .by(by.actor.clone())
            .confirming(by.confirmed.clone());
        let author = match self.store() {
            Some(store) => author.with_records(&**store),
            None => author,
        };
        Ok(work(&author))
    }
}

impl Switches {
    fn steps(self, id: &str) -> Vec<(KeyPath, Value)> {
        let key = |name: &str| KeyPath::single("skills").join(id).join(name);
        let enabled = self.enabled.map(|it| (key("enabled"), Value::Flag(it)));
        let mode = self.mode.map(|it| (key("mode"), Value::Mode(it)));
        let scope = self.scope.map(|it| (key("scope"), Value::Scope(it)));
        [enabled, mode, scope].into_iter().flatten().collect()
    }
}

/// The document of what was undone, or made again.
pub(super) fn undo_document<'a>(outcome: &'a str, undone: &'a Undone) -> UndoDocument<'a> {
    let files = undone.files.iter().map(|file| {
        let what = match file.what {
            WhatHappened::PutBack => "put-back",
            WhatHappened::Restored => "restored",
            WhatHappened::Removed => "removed",
        };
        (file.path.as_path(), what)
    });
    UndoDocument::new(outcome, &undone.entry, files)
}

/// A configuration file was left as it was.
fn not_set(error: &SettingsError) -> Failure {
    let kind = match error {
        SettingsError::NoFile(_) | SettingsError::LeadsOut(_) => FailureKind::Refused,
        SettingsError::Busy(_) | SettingsError::Write(_) => FailureKind::Conflict,
        SettingsError::Edit { .. }
        | SettingsError::Unreadable { .. }
        | SettingsError::History(_)
        | SettingsError::Io { .. } => FailureKind::Unavailable,
    };
    Failure::new(kind, error)
}

/// A refusal of the write side, with the way out.
pub(crate) fn refused(snapshot: &Snapshot, error: &AuthorError) -> Failure {
    let failure = Failure::new(kind(error), error);
    match (error, hint(error)) {
        (AuthorError::LookUp(skillful::LookUpError::Unknown(text)), _) => {
            near(snapshot, text, failure)
        }
        (_, Some(hint)) => failure.hint(hint),
        (_, None) => failure,
    }
}

fn kind(error: &AuthorError) -> FailureKind {
    match error {
        AuthorError::LookUp(skillful::LookUpError::Unknown(_)) | AuthorError::NoFile { .. } => {
            FailureKind::NotFound
        }
        AuthorError::LookUp(_)
        | AuthorError::Exists { .. }
        | AuthorError::Occupied { .. }
        | AuthorError::OtherDigest { .. }
        | AuthorError::Conflict(_)
        | AuthorError::CaseClash { .. }
        | AuthorError::Change(ChangeError::ChangedSince { .. }) => FailureKind::Conflict,
        AuthorError::NoName(_)
        | AuthorError::OtherId { .. }
        | AuthorError::Invalid(_)
        | AuthorError::EmptyFind
        | AuthorError::NoMatch { .. }
        | AuthorError::SeveralMatches { .. }
        | AuthorError::FilePath { .. }
        | AuthorError::MainFile(_)
        | AuthorError::NotA { .. }
        | AuthorError::NotText { .. }
        | AuthorError::Edit(_)
        | AuthorError::Change(ChangeError::NothingToUndo) => FailureKind::Invalid,
        AuthorError::TooLarge { .. } | AuthorError::Unreadable { .. } => FailureKind::TooLarge,
        AuthorError::Read(_)
        | AuthorError::Object(_)
        | AuthorError::Store(_)
        | AuthorError::Change(_) => FailureKind::Unavailable,
        _ => FailureKind::Refused,
    }
}

/// What to do next, in words that hold for every way to ask.
fn hint(error: &AuthorError) -> Option<String> {
    let text = match error {
        AuthorError::ReadOnly { .. } if error.way_out().is_none() => {
            "create a skill of your own with another name, and change that"
        }
        AuthorError::Pinned { .. } => "a person unpins it first, if it may be changed",
        AuthorError::OtherId { .. } => "rename it first, or keep the name in the frontmatter",
        AuthorError::NoMatch { .. } => "read the file again: the text must be there to the letter",
        AuthorError::MainFile(_) => "edit or patch the skill instead",
        AuthorError::NeedsConfirmation(gated) => {
            let digest = gated.digest.as_deref()?;
            return Some(format!(
                "change what was found, or ask a person to look at it and to do it with `skillful … --confirm {digest}`"
            ));
        }
        AuthorError::Dangerous(_) => {
            "take out what was found; no switch lets it pass, only a person who accepts the files by their digest"
        }
        AuthorError::HoldsMore { .. } => "a person decides about the other files in that directory",
        AuthorError::NoRoot => "start the server with --home or --root",
        AuthorError::Change(ChangeError::NothingToUndo) => {
            "only your own changes can be undone here; `skillful history` shows all"
        }
        _ => error.way_out()?,
    };
    Some(text.to_owned())
}

/// Where a new skill goes: the user's place, or the project's.
pub const fn place(is_project: bool) -> Where {
    if is_project {
        Where::Project
    } else {
        Where::Usual
    }
}
