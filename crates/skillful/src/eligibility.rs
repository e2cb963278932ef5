//! Whether a skill can be used here and now: a pure function of the skill, the host, the configuration and the records.
//!
//! ```text
//! switched off?  →  disabled      by its author or by the operator, for all agents or for one
//! put away?      →  archived
//! distrusted?    →  withheld
//! `always`?      →  ready
//! anything missing?  →  ineligible, with every reason, not the first alone
//! otherwise      →  ready
//! ```
//!
//! What a skill asks for is its author's claim, and can only narrow what the operator allows: a permission that nobody
//! granted blocks the skill, one that nobody has heard of as well. What is merely of use to a skill is no blocker; see
//! [`notes`].

use skillful_store::{Archived, Choices};
use skillmd::Manifest;
use skillmd::invocation::Scope;

use crate::config::{Config, Said, Switches};
use crate::guard;
use crate::host::Host;
use crate::load::Skill;
use crate::mode::Mode;
use crate::programs::Programs;
use crate::records::key_of;
use crate::state::{Blocker, Standing, State};

mod advice;
mod explanation;
mod kind;
mod requirements;
mod values;

pub use advice::notes;
pub use explanation::Explanation;
pub use kind::BlockerKind;

/// The world that skills are judged in.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'a> {
    /// Operating system, environment, tools and the operator's values; see [`Config::furnish`].
    pub host: &'a Host,
    /// Which programs there are.
    pub programs: &'a Programs,
    /// What the operator wants.
    pub config: &'a Config,
    /// What is on record about skills.
    pub records: &'a Records,
}

/// What is on record about single skills.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Records {
    choices: Choices,
}

impl Records {
    /// What people chose for skills.
    pub fn new(choices: Choices) -> Self {
        Self { choices }
    }

    /// What people chose for skills.
    pub fn choices(&self) -> &Choices {
        &self.choices
    }

    fn archived(&self, skill: &Skill) -> Option<&Archived> {
        // To make a key costs more than all else here, and mostly nothing was chosen for any skill.
        if self.choices.is_empty() {
            return None;
        }
        self.choices.archived(&key_of(skill))
    }
}

/// Judges a skill, for one agent or for all that nothing special is said of.
///
/// One that could not be read, or that another skill shadows, keeps the state that it has.
pub fn evaluate(skill: &Skill, conditions: &Conditions<'_>, agent: Option<&str>) -> Standing {
    let is_settled = matches!(skill.state, State::Broken | State::Shadowed);
    let (false, Some(manifest)) = (is_settled, skill.manifest.as_deref()) else {
        return Standing {
            state: skill.state,
            blockers: skill.blockers.clone(),
        };
    };
    let switches = conditions.config.switches(&skill.id, agent);
    let records = conditions.records;
    Standing::of(State::Disabled, switched_off(manifest, &switches))
        .or_else(|| Standing::of(State::Archived, archived(records, skill)))
        .or_else(|| {
            let withheld = guard::withheld(skill, conditions.config, records.choices());
            Standing::of(State::Withheld, withheld)
        })
        .or_else(|| {
            let missing = requirements::missing(skill, manifest, conditions);
            Standing::of(State::Ineligible, missing)
        })
        .unwrap_or_else(Standing::ready)
}

/// Who may bring a skill up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invocability {
    /// Whether the model may by itself.
    pub model: bool,
    /// Whether a person may by name.
    pub person: bool,
}

/// Who may bring a skill up that stands so. Nobody may bring up one that is not ready.
pub fn invocability(
    skill: &Skill,
    standing: &Standing,
    conditions: &Conditions<'_>,
    agent: Option<&str>,
) -> Invocability {
    let (State::Ready, Some(manifest)) = (standing.state, skill.manifest.as_deref()) else {
        return Invocability {
            model: false,
            person: false,
        };
    };
    let switches = conditions.config.switches(&skill.id, agent);
    let is_offered = match scope(manifest, &switches) {
        Scope::System => true,
        Scope::Tool => {
            let tool = manifest.invocation.bound_tool.as_deref();
            tool.is_some_and(|tool| conditions.host.has_tool(tool))
        }
        Scope::Standalone | Scope::Disabled => false,
    };
    Invocability {
        model: is_offered
            && manifest.is_model_invocable()
            && !matches!(switches.mode(), Mode::ManualOnly | Mode::Disabled),
        person: manifest.is_user_invocable(),
    }
}

/// Where a skill is offered: what the operator says goes before what its author says.
pub fn scope(manifest: &Manifest, switches: &Switches) -> Scope {
    let configured = switches.scope.as_ref().map(|said| said.value);
    configured.unwrap_or_else(|| manifest.scope())
}

/// Why a skill is off: the operator's switches, and the author's where the operator does not overrule them.
fn switched_off(manifest: &Manifest, switches: &Switches) -> Vec<Blocker> {
    let mut blockers = Vec::new();
    match &switches.enabled {
        Some(said) if !said.value => blockers.push(configured(said, "false")),
        None if manifest.requirements.enabled == Some(false) => blockers.push(
            Blocker::new(
                BlockerKind::Enabled.as_str(),
                "its author switched it off: `enabled: false`",
            )
            .help("`skillful enable` with its id overrules that"),
        ),
        _ => {}
    }
    match &switches.mode {
        Some(said) if said.value == Mode::Disabled => blockers.push(configured(said, "disabled")),
        _ => {}
    }
    match &switches.scope {
        Some(said) if said.value == Scope::Disabled => blockers.push(configured(said, "disabled")),
        None if manifest.scope() == Scope::Disabled => blockers.push(
            Blocker::new(
                BlockerKind::Scope.as_str(),
                "its author switched it off: `scope: disabled`",
            )
            .help("set its `scope` in skills.toml to overrule that"),
        ),
        _ => {}
    }
    blockers
}

fn configured<T>(said: &Said<T>, value: &str) -> Blocker {
    let Said { key, origin, .. } = said;
    let place = format!("{}:{}", origin.file.display(), origin.position.line);
    let level = origin.level.as_str();
    Blocker::new(
        BlockerKind::Configured.as_str(),
        format!("`{key}` is `{value}` in {place} ({level})"),
    )
    .help("take the line out, or use `skillful enable` with its id")
}

fn archived(records: &Records, skill: &Skill) -> Vec<Blocker> {
    let blocker = |archived: &Archived| {
        let detail = match &archived.reason {
            Some(reason) => format!("it was put away: {reason}"),
            None => "it was put away".to_owned(),
        };
        Blocker::new(BlockerKind::Archived.as_str(), detail)
            .help("`skillful restore` with its id brings it back")
    };
    records.archived(skill).map(blocker).into_iter().collect()
}

#[cfg(test)]
mod tests;
