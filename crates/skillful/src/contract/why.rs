//! `why`: a skill's state with every reason, and what was said about it.

use serde::Serialize;
use skillmd::invocation::Scope;

use super::config::SettingJson;
use super::{PathText, VERSION};
use crate::config::{Config, Switches};
use crate::eligibility::{self, Conditions, Standing};
use crate::load::Skill;
use crate::registry::Registry;
use crate::state::{Blocker, State};

/// Why a skill stands as it does: `{"version", "id", "state", "eligible", "blockers": [{"kind", "detail", "help"?}], …}`.
#[derive(Clone, Debug, Serialize)]
pub struct WhyDocument<'a> {
    version: u32,
    id: &'a str,
    path: PathText<'a>,
    /// The agent that is asked about; nothing = all that nothing special is said of.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<&'a str>,
    state: &'static str,
    /// Whether it is ready.
    eligible: bool,
    blockers: Vec<ReasonJson<'a>>,
    /// What would be of use to it and is not there.
    notes: Vec<ReasonJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shadowed_by: Option<PathText<'a>>,
    shadows: Vec<PathText<'a>>,
    /// What holds for it: see [`crate::Mode`].
    mode: &'static str,
    /// What holds for it; nothing for a skill that could not be read.
    scope: Option<&'static str>,
    invocation: InvocationJson,
    /// All that is said of it, for all agents.
    settings: Vec<SettingJson<'a>>,
}

/// Who may bring a skill up.
#[derive(Clone, Copy, Debug, Serialize)]
struct InvocationJson {
    model: bool,
    person: bool,
}

/// A blocker or a note, with its way out.
#[derive(Clone, Debug, Serialize)]
pub struct ReasonJson<'a> {
    kind: &'a str,
    detail: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

impl<'a> ReasonJson<'a> {
    /// The reasons, in their order.
    pub fn list(blockers: &'a [Blocker]) -> Vec<Self> {
        let reason = |blocker: &'a Blocker| Self {
            kind: &blocker.kind,
            detail: &blocker.detail,
            help: blocker.help.as_deref(),
        };
        blockers.iter().map(reason).collect()
    }
}

/// All that there is to say about the state of one skill.
#[derive(Clone, Debug)]
pub struct Explanation<'a> {
    /// The skill.
    pub skill: &'a Skill,
    /// The agent that is asked about.
    pub agent: Option<&'a str>,
    /// Its state and the reasons.
    pub standing: Standing,
    /// What would be of use to it and is not there.
    pub notes: Vec<Blocker>,
    /// What holds for it.
    pub switches: Switches,
    /// Who may bring it up.
    pub invocability: eligibility::Invocability,
    /// The skills that it has precedence over.
    pub shadows: Vec<&'a Skill>,
}

impl<'a> Explanation<'a> {
    /// Gathers it. A shadowed skill keeps its state, as its standing depends on another one.
    pub fn of(
        skill: &'a Skill,
        registry: &'a Registry,
        conditions: &Conditions<'_>,
        agent: Option<&'a str>,
    ) -> Self {
        let standing = match skill.state {
            State::Shadowed => Standing {
                state: skill.state,
                blockers: skill.blockers.clone(),
            },
            _ => eligibility::evaluate(skill, conditions, agent),
        };
        Self {
            notes: eligibility::notes(skill, conditions),
            switches: conditions.config.switches(&skill.id, agent),
            invocability: eligibility::invocability(skill, &standing, conditions, agent),
            shadows: registry.shadowed_by(skill).map(|skill| &**skill).collect(),
            skill,
            agent,
            standing,
        }
    }

    /// The document.
    pub fn document(&'a self, config: &'a Config) -> WhyDocument<'a> {
        let skill = self.skill;
        let manifest = skill.manifest.as_deref();
        let scope = manifest.map(|manifest| eligibility::scope(manifest, &self.switches));
        WhyDocument {
            version: VERSION,
            id: &skill.id,
            path: PathText(&skill.path),
            agent: self.agent,
            state: self.standing.state.as_str(),
            eligible: self.standing.state == State::Ready,
            blockers: ReasonJson::list(&self.standing.blockers),
            notes: ReasonJson::list(&self.notes),
            shadowed_by: skill.shadowed_by.as_deref().map(PathText),
            shadows: self
                .shadows
                .iter()
                .map(|skill| PathText(&skill.path))
                .collect(),
            mode: self.switches.mode().as_str(),
            scope: scope.map(Scope::as_str),
            invocation: InvocationJson {
                model: self.invocability.model,
                person: self.invocability.person,
            },
            settings: config
                .said_of(&skill.id)
                .map(|(key, setting)| SettingJson::new(key, setting))
                .collect(),
        }
    }
}
