//! The configuration: what holds, and where it is said.

use skillful::config::{KeyPath, Shown};
use skillful::contract::{FilesDocument, SettingJson, SettingsDocument, problem_diagnostics};

use super::Answer;
use super::machine::told;
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

/// A key; of a skill's the id in its form.
pub(super) fn key_of(text: &str) -> Result<KeyPath, Failure> {
    let invalid = |reason: &dyn std::fmt::Display| Failure::new(FailureKind::Invalid, reason);
    let key: KeyPath = text.parse().map_err(|error| invalid(&error))?;
    key.with_ids().ok_or_else(|| {
        let reason = format!("`{text}` names no skill: an id has letters or digits");
        invalid(&reason)
    })
}
