//! A user's switches for one skill, as they hold for one agent.

use skillmd::invocation::Scope;

use super::Config;
use super::layer::{Level, Origin, Setting};
use super::path::KeyPath;
use super::tighten::{narrower, narrower_scope};
use super::value::Value;
use crate::mode::Mode;

/// A value, the key that it was said under, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said<T> {
    /// The value.
    pub value: T,
    /// The key.
    pub key: KeyPath,
    /// Whose word it is.
    pub origin: Origin,
}

/// What is said of a skill, for one agent or for all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    /// `false` takes the skill out of use; `true` brings it back, also where its author switched it off.
    pub enabled: Option<Said<bool>>,
    /// How it is brought up.
    pub mode: Option<Said<Mode>>,
    /// Where it is offered, whatever its author says.
    pub scope: Option<Said<Scope>>,
}

impl Switches {
    /// How the skill is brought up.
    pub fn mode(&self) -> Mode {
        self.mode.as_ref().map_or(Mode::Auto, |said| said.value)
    }
}

impl Config {
    /// The switches of the skill with this id. What is said for the agent goes before what is said for all, but a
    /// project's tightening holds for every agent.
    pub fn switches(&self, id: &str, agent: Option<&str>) -> Switches {
        if !self.skills.contains(id) {
            return Switches::default();
        }
        let flag = |value: &Value| match value {
            Value::Flag(flag) => Some(*flag),
            _ => None,
        };
        let mode = |value: &Value| match value {
            Value::Mode(mode) => Some(*mode),
            _ => None,
        };
        let scope = |value: &Value| match value {
            Value::Scope(scope) => Some(*scope),
            _ => None,
        };
        Switches {
            enabled: self.switch(id, agent, "enabled", flag, |a, b| a && b),
            mode: self.switch(id, agent, "mode", mode, narrower),
            scope: self.switch(id, agent, "scope", scope, narrower_scope),
        }
    }

    /// All that is said of a skill, for all agents, sorted by key.
    pub fn said_of(&self, id: &str) -> impl Iterator<Item = (&KeyPath, &Setting)> {
        let section = KeyPath::single("skills").join(id);
        self.settings()
            .filter(move |(path, _)| path.is_within(&section))
    }

    fn switch<T: Copy + PartialEq>(
        &self,
        id: &str,
        agent: Option<&str>,
        name: &str,
        read: impl Fn(&Value) -> Option<T>,
        tighter: impl Fn(T, T) -> T,
    ) -> Option<Said<T>> {
        let section = KeyPath::single("skills").join(id);
        let said = |key: KeyPath| {
            let setting = self.get(&key)?;
            Some(Said {
                value: read(&setting.value)?,
                origin: setting.origin.clone(),
                key,
            })
        };
        let own = agent.and_then(|agent| said(section.join("agents").join(agent).join(name)));
        let general = said(section.join(name));
        match (own, general) {
            (Some(own), Some(general))
                if general.origin.level == Level::Project
                    && tighter(own.value, general.value) != own.value =>
            {
                Some(general)
            }
            (Some(own), _) => Some(own),
            (None, general) => general,
        }
    }
}
