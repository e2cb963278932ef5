//! All that there is to say about the state of one skill.

use super::{Conditions, Invocability, evaluate, invocability, notes};
use crate::config::Switches;
use crate::guard::Accepted;
use crate::load::Skill;
use crate::registry::Registry;
use crate::state::{Blocker, Standing};

/// Why a skill stands as it does, and who may bring it up.
#[derive(Clone, Debug)]
pub struct Explanation<'a> {
    /// The skill.
    pub skill: &'a Skill,
    /// The agent that is asked about.
    pub agent: Option<&'a str>,
    /// Its state and the reasons.
    pub standing: Standing,
    /// By what its files are accepted as they are, whatever was found in them.
    pub accepted: Option<Accepted<'a>>,
    /// What would be of use to it and is not there; see [`notes`].
    pub notes: Vec<Blocker>,
    /// What the operator says of it.
    pub switches: Switches,
    /// Who may bring it up.
    pub invocability: Invocability,
    /// The skills that it has precedence over.
    pub shadows: Vec<&'a Skill>,
}

impl<'a> Explanation<'a> {
    /// Gathers it.
    pub fn of(
        skill: &'a Skill,
        registry: &'a Registry,
        conditions: &Conditions<'a>,
        agent: Option<&'a str>,
    ) -> Self {
        let standing = evaluate(skill, conditions, agent);
        let choices = conditions.records.choices();
        Self {
            accepted: Accepted::of_skill(skill, conditions.config, choices),
            notes: notes(skill, conditions),
            switches: conditions.config.switches(&skill.id, agent),
            invocability: invocability(skill, &standing, conditions, agent),
            shadows: registry.shadowed_by(skill).map(|skill| &**skill).collect(),
            standing,
            skill,
            agent,
        }
    }
}
