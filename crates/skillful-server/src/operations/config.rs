//! The configuration: what holds, and where it is said.

use skillful::config::edit;
use skillful::config::schema::{self, Place};
use skillful::config::{KeyPath, Level, ProjectRule, Shown, Value};
use skillful::contract::{
    ChangeDocument, FilesDocument, SettingJson, SettingsDocument, problem_diagnostics,
};
use skillful_manage::{Actor, Change, Operation};

use super::Answer;
use super::machine::told;
use super::read::nearest;
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};

impl Engine {
    /// What holds: for every key, or for one and those below it.
    pub fn configuration(
        &self,
        key: Option<&str>,
    ) -> Result<Answer<SettingsDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let wanted = key.map(key_of).transpose()?;
        let setup = snapshot.setup();
        let shown = setup.config.shown(wanted.as_ref());
        let settings = shown.iter().map(|shown| match shown {
            Shown::Said(key, setting) => SettingJson::new(key, setting),
            Shown::BuiltIn(key, default) => SettingJson::built_in(key, default),
        });
        let problems = problem_diagnostics(&setup.problems);
        let document = SettingsDocument::new(settings.collect(), told(&problems).collect());
        Ok(Answer::of(&document)?.typed())
    }

    /// Where configuration files lie.
    pub fn config_files(&self) -> Result<Answer<FilesDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let files = snapshot.setup().config_files.iter();
        let files = files.map(|file| (file.level, file.path.as_path(), file.path.exists()));
        Ok(Answer::of(&FilesDocument::new(files))?.typed())
    }
}

impl Engine {
    /// Says something in the configuration of this level.
    pub fn set(
        &self,
        key: &str,
        value: &str,
        level: Level,
    ) -> Result<Answer<ChangeDocument<'static>>, Failure> {
        let _turn = self.turn();
        let snapshot = self.snapshot()?;
        let key = key_of(key)?;
        let Place::Key(spec) = known(&key)? else {
            let names = schema::siblings(&key.join("?")).join("`, `");
            let failure = invalid(&format_args!("`{key}` is a section, not a key"));
            return Err(failure.hint(format!("its keys are `{names}`")));
        };
        if level == Level::Project && spec.project == ProjectRule::Never {
            let failure = invalid(&format_args!("a project may not set `{key}`"));
            return Err(failure.hint("set it for the user"));
        }
        let value = Value::from_text(spec.kind, value)
            .map_err(|reason| invalid(&format_args!("`{key}` {reason}")))?;
        let change = configured().saying(format!("set {key}"));
        let by = |text: &str| edit::set(text, &key, &value).map(Some);
        let changed = self.change_config(&snapshot, level, change, by)?;
        self.system()?.rescan();
        Ok(Answer::of(&changed.document(&key, Some(&value)))?.typed())
    }

    /// Takes something out of the configuration of this level. What is not known can be taken out all the same.
    pub fn unset(
        &self,
        key: &str,
        level: Level,
    ) -> Result<Answer<ChangeDocument<'static>>, Failure> {
        let _turn = self.turn();
        let snapshot = self.snapshot()?;
        let key = key_of(key)?;
        let change = configured().saying(format!("took out {key}"));
        let by = |text: &str| edit::unset(text, &key);
        let changed = self.change_config(&snapshot, level, change, by)?;
        self.system()?.rescan();
        Ok(Answer::of(&changed.document(&key, None))?.typed())
    }
}

fn configured() -> Change {
    Change::new(Operation::CONFIGURE, Actor::USER)
}

fn invalid(reason: &dyn std::fmt::Display) -> Failure {
    Failure::new(FailureKind::Invalid, reason)
}

/// How the table knows a key.
fn known(key: &KeyPath) -> Result<Place, Failure> {
    let place = schema::place(key);
    if !matches!(place, Place::Unknown) {
        return Ok(place);
    }
    let mut parts = key.ancestors();
    parts.push(key.clone());
    let is_unknown = |part: &&KeyPath| matches!(schema::place(part), Place::Unknown);
    let faulty = parts.iter().find(is_unknown);
    let siblings = faulty.map(schema::siblings).unwrap_or_default();
    let last = faulty.and_then(|part| part.segments().last());
    let failure = invalid(&format_args!("`{key}` is not a key that is known"));
    Err(
        match last.and_then(|last| nearest(last, siblings.iter().copied())) {
            Some(near) => failure.hint(format!("did you mean `{near}`?")),
            None => failure,
        },
    )
}

/// A key; of a skill's the id in its form.
pub(super) fn key_of(text: &str) -> Result<KeyPath, Failure> {
    let key: KeyPath = text.parse().map_err(|error| invalid(&error))?;
    key.with_ids().ok_or_else(|| {
        let reason = format!("`{text}` names no skill: an id has letters or digits");
        invalid(&reason)
    })
}
