//! What skills suggest, beside what people made of it; and the choices that they make.

use skillful_store::{Approval, Choice, Choices, Key, Timestamp};

use super::{
    Declarations, Declared, Moment, PERMISSION, Refused, When, Zone, declared, permission,
};
use crate::bundle::digest;
use crate::load::Skill;
use crate::records::{NoDigest, approval_of};
use crate::state::State;

/// All that skills suggest, and what became of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedules {
    /// What can be read, sorted by skill, the triggers' before the automation's.
    pub schedules: Vec<Schedule>,
    /// What cannot be read.
    pub refused: Vec<Refused>,
}

/// A suggestion and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The suggestion.
    pub declared: Declared,
    /// Whether it is approved.
    pub standing: Standing,
    /// When it is due next, which may be in the past; nothing for what is not approved or never due by the clock.
    pub next: Option<Moment>,
}

/// Whether a suggestion is approved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is, as it is.
    Approved(Approval),
    /// It was, and the skill's files changed since. It does not run before it is approved again.
    Outdated,
    /// It is not.
    Unapproved,
    /// It cannot be: the agent's host runs it when it says so, by its name.
    ByName,
}

impl Standing {
    /// The word used in every output.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Approved(_) => "approved",
            Self::Outdated => "outdated",
            Self::Unapproved => "not-approved",
            Self::ByName => "by-name",
        }
    }
}

impl Schedules {
    /// What these skills suggest, by what people chose. Only ready ones are asked. All files of those that suggest
    /// something are read.
    pub fn of<'s>(
        skills: impl IntoIterator<Item = &'s Skill>,
        choices: &Choices,
        zone: &Zone,
    ) -> Self {
        let ready = skills
            .into_iter()
            .filter(|skill| skill.state == State::Ready);
        let Declarations { declared, refused } = declared(ready, digest);
        let schedules = declared
            .into_iter()
            .map(|declared| Schedule::of(declared, choices, zone))
            .collect();
        Self { schedules, refused }
    }
}

impl Schedule {
    fn of(declared: Declared, choices: &Choices, zone: &Zone) -> Self {
        let any = choices.approval(&declared.key, &declared.permission());
        let standing = match (&declared.when, declared.approval(choices)) {
            (When::Named(_), _) => Standing::ByName,
            (_, Some(approval)) => Standing::Approved(approval.clone()),
            (_, None) if any.is_some() => Standing::Outdated,
            (_, None) => Standing::Unapproved,
        };
        let next = match &standing {
            Standing::Approved(approval) => declared.next(approval, zone),
            _ => None,
        };
        Self {
            declared,
            standing,
            next,
        }
    }
}

/// Why a choice about a schedule cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// Only a skill that can be used runs.
    #[error("`{id}` is {}, and only what is ready runs by the clock", state.as_str())]
    NotReady {
        /// The skill's id.
        id: String,
        /// Its state.
        state: State,
    },
    /// It suggests nothing of the kind.
    #[error("`{id}` suggests no {}", schedule_text(expression.as_deref()))]
    NoSuchSchedule {
        /// The skill's id.
        id: String,
        /// The schedule that was named.
        expression: Option<String>,
    },
    /// What it suggests cannot be read.
    #[error("{0}")]
    Refused(String),
    /// The clock never makes it due, so that there is nothing to approve.
    #[error(
        "`{0}` runs when the agent's host says so, never by the clock: there is nothing to approve"
    )]
    ByName(String),
    /// It is not said which one is meant.
    #[error(
        "`{id}` has several schedules: {}; say which one is meant",
        quoted(expressions)
    )]
    Several {
        /// The skill's id.
        id: String,
        /// The schedules that it could be.
        expressions: Vec<String>,
    },
    /// There are no files that an approval could hold for.
    #[error(transparent)]
    NoDigest(#[from] NoDigest),
}

fn schedule_text(expression: Option<&str>) -> String {
    expression.map_or_else(
        || "schedule".to_owned(),
        |expression| format!("schedule `{expression}`"),
    )
}

fn quoted(expressions: &[String]) -> String {
    let quoted: Vec<String> = expressions.iter().map(|text| format!("`{text}`")).collect();
    quoted.join(", ")
}

/// A choice about one schedule of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleChoice {
    /// The schedule, in the author's words.
    pub expression: String,
    /// What is to be put on record.
    pub choice: Choice,
}

/// The approval of a schedule that a skill suggests, with its files as they are now; of its only one where none is named.
///
/// # Errors
///
/// [`ChoiceError`] when there is no such schedule, or nothing that could be approved.
pub fn approve(
    skill: &Skill,
    expression: Option<&str>,
    at: Timestamp,
) -> Result<ScheduleChoice, ChoiceError> {
    if skill.state != State::Ready {
        let (id, state) = (skill.id.clone(), skill.state);
        return Err(ChoiceError::NotReady { id, state });
    }
    let Declarations { declared, refused } = declared([skill], |_| None);
    let is_meant = |text: &str| expression.is_none_or(|expression| expression.trim() == text);
    let refused = refused.into_iter().find(|it| is_meant(&it.expression));
    let (named, timed): (Vec<Declared>, Vec<Declared>) = declared
        .into_iter()
        .filter(|declared| is_meant(&declared.expression))
        .partition(|declared| matches!(declared.when, When::Named(_)));
    let expressions: Vec<String> = timed.into_iter().map(|it| it.expression).collect();
    let Some(expression) = only(&skill.id, expressions)? else {
        return Err(match (named.into_iter().next(), refused) {
            (Some(named), _) => ChoiceError::ByName(named.expression),
            (None, Some(refused)) => ChoiceError::Refused(refused.diagnostic.message),
            (None, None) => ChoiceError::NoSuchSchedule {
                id: skill.id.clone(),
                expression: expression.map(str::to_owned),
            },
        });
    };
    let choice = Choice::Approve {
        what: permission(&expression),
        approval: approval_of(skill, at)?,
    };
    Ok(ScheduleChoice { expression, choice })
}

/// What takes back the approval of a schedule, whatever has become of the skill since: that of the only one that is
/// approved where none is named, and nothing where none is.
///
/// # Errors
///
/// [`ChoiceError::Several`] when none is named and several are approved.
pub fn withdraw(
    key: &Key,
    choices: &Choices,
    expression: Option<&str>,
) -> Result<Option<ScheduleChoice>, ChoiceError> {
    let expression = match expression {
        Some(expression) => Some(expression.trim().to_owned()),
        None => only(&key.id, approved(key, choices))?,
    };
    Ok(expression.map(|expression| ScheduleChoice {
        choice: Choice::Withdraw {
            what: permission(&expression),
        },
        expression,
    }))
}

/// The schedules of a skill that are approved, for whichever files.
pub(super) fn approved(key: &Key, choices: &Choices) -> Vec<String> {
    let approvals = choices.of(key).map(|standing| standing.approvals.keys());
    approvals
        .into_iter()
        .flatten()
        .filter_map(|what| what.strip_prefix(PERMISSION))
        .map(str::to_owned)
        .collect()
}

/// The only one of these; nothing when there are none.
fn only(id: &str, expressions: Vec<String>) -> Result<Option<String>, ChoiceError> {
    match <[String; 1]>::try_from(expressions) {
        Ok([only]) => Ok(Some(only)),
        Err(expressions) if expressions.is_empty() => Ok(None),
        Err(expressions) => Err(ChoiceError::Several {
            id: id.to_owned(),
            expressions,
        }),
    }
}

#[cfg(test)]
mod tests;
