//! Why a skill is not handed over, though it was found.

use std::path::PathBuf;

use crate::load::Skill;
use crate::mode::Mode;
use crate::state::State;

/// Who wants a skill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Invoker {
    /// A person, by the skill's name.
    #[default]
    Person,
    /// A model, of its own accord.
    Model,
}

/// A skill is not handed over. The message says why, and which skill is to be used instead where there is one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Its state forbids it.
    #[error("`{id}` is {}{}", .state.as_str(), because(.reasons))]
    State {
        /// The skill.
        id: String,
        /// Its state: any but ready.
        state: State,
        /// The reasons for the state, each a sentence without a full stop.
        reasons: Vec<String>,
        /// The path of the skill that has precedence over a shadowed one; a reason names it as well.
        winner: Option<PathBuf>,
    },
    /// The user switched it off.
    #[error("`{id}` is disabled: its mode is `disabled`")]
    SwitchedOff {
        /// The skill.
        id: String,
    },
    /// Only a person may bring it up.
    #[error("`{id}` is for people to bring up, not for a model: {reason}")]
    PeopleOnly {
        /// The skill.
        id: String,
        /// What says so.
        reason: &'static str,
    },
}

fn because(reasons: &[String]) -> String {
    if reasons.is_empty() {
        return String::new();
    }
    format!(": {}", reasons.join("; "))
}

/// Whether the skill's state lets it be used at all.
///
/// # Errors
///
/// [`Refusal::State`] for every state but ready.
pub fn check_state(skill: &Skill) -> Result<(), Refusal> {
    if skill.state == State::Ready {
        return Ok(());
    }
    let reasons = skill.blockers.iter();
    Err(Refusal::State {
        id: skill.id.clone(),
        state: skill.state,
        reasons: reasons.map(|blocker| blocker.detail.clone()).collect(),
        winner: skill.shadowed_by.clone(),
    })
}

/// Whether this invoker may bring the skill up. `may_model` is what its author says of models.
///
/// # Errors
///
/// Every [`Refusal`].
pub(crate) fn check_invoker(
    skill: &Skill,
    may_model: bool,
    invoker: Invoker,
    mode: Mode,
) -> Result<(), Refusal> {
    check_state(skill)?;
    let id = || skill.id.clone();
    match (mode, invoker) {
        (Mode::Disabled, _) => Err(Refusal::SwitchedOff { id: id() }),
        (Mode::ManualOnly, Invoker::Model) => Err(Refusal::PeopleOnly {
            id: id(),
            reason: "its mode is `manual-only`",
        }),
        (_, Invoker::Model) if !may_model => Err(Refusal::PeopleOnly {
            id: id(),
            reason: "its author wants no model to bring it up",
        }),
        _ => Ok(()),
    }
}
