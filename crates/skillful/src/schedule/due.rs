//! What is due.

use std::fmt;
use std::path::PathBuf;

use skillful_store::{Approval, Choice, Choices, Key, Timestamp};

use super::list::approved;
use super::{Declared, Moment, Run, Zone, declared};
use crate::bundle::digest;
use crate::load::Skill;
use crate::records::key_of;
use crate::state::State;

/// A run that is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due<'d> {
    /// What is to be run.
    pub declared: &'d Declared,
    /// The approval that it relies on.
    pub approval: Approval,
    /// The moment that it should have run at: the first one since it last did. However many were missed, it is due once.
    pub at: Moment,
}

/// A run that was due, and that is on record as run from now on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fired {
    /// The skill's id.
    pub skill: String,
    /// Where the skill lies: its SKILL.md, flat file or archive.
    pub path: PathBuf,
    /// The schedule, in the author's words.
    pub expression: String,
    /// What is to be run.
    pub run: Run,
    /// The moment that it should have run at.
    pub due: Moment,
}

impl fmt::Display for Fired {
    /// What is to be done, for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: ", self.expression)?;
        match self.run.prompt() {
            Some(prompt) => f.write_str(prompt),
            None => write!(f, "use the skill `{}`", self.skill),
        }
    }
}

impl Declared {
    /// The approval of this very suggestion: of the skill with its files as they are.
    pub fn approval<'c>(&self, choices: &'c Choices) -> Option<&'c Approval> {
        let approval = choices.approval(&self.key, &self.permission())?;
        (self.digest.as_ref() == Some(&approval.digest)).then_some(approval)
    }

    /// When it is due next by this approval, which may be in the past.
    pub fn next(&self, approval: &Approval, zone: &Zone) -> Option<Moment> {
        let since = approval.used.unwrap_or_default().max(approval.at);
        self.when.next_after(since.into(), zone)
    }
}

impl Due<'_> {
    /// Whose run it is.
    pub fn key(&self) -> &Key {
        &self.declared.key
    }

    /// What is to be put on record before the run begins. It makes no difference when another one has begun it.
    pub fn usage(&self, at: Timestamp) -> Choice {
        Choice::Use {
            what: self.declared.permission(),
            known: self.approval.clone(),
            at,
        }
    }

    /// The run, for whoever begins it.
    pub fn fired(&self) -> Fired {
        let declared = self.declared;
        Fired {
            skill: declared.key.id.clone(),
            path: declared.path.clone(),
            expression: declared.expression.clone(),
            run: declared.run.clone(),
            due: self.at,
        }
    }
}

/// The suggestions that [`due`] may be asked about: those of ready skills. Only files of skills with an approval are read,
/// as nothing else is due.
pub fn candidates<'s>(
    skills: impl IntoIterator<Item = &'s Skill>,
    choices: &Choices,
) -> Vec<Declared> {
    let ready = skills
        .into_iter()
        .filter(|skill| skill.state == State::Ready);
    let digest = |skill: &Skill| {
        let is_approved = !approved(&key_of(skill), choices).is_empty();
        is_approved.then(|| digest(skill)).flatten()
    };
    declared(ready, digest).declared
}

/// The approved runs that are due at `now`, the longest overdue first.
///
/// A clock that goes back makes nothing due again: a run is due only after the moment that was noted when it last ran.
/// Schedules without a time zone count in `zone`.
pub fn due<'d>(
    declared: &'d [Declared],
    choices: &Choices,
    now: Moment,
    zone: &Zone,
) -> Vec<Due<'d>> {
    let mut due: Vec<Due<'d>> = upcoming(declared, choices, zone)
        .filter(|run| run.at <= now)
        .collect();
    due.sort_by(|a, b| {
        let (left, right) = (a.declared, b.declared);
        (a.at, &left.key, &left.expression).cmp(&(b.at, &right.key, &right.expression))
    });
    due
}

/// When the next approved run is due after `now`; nothing when there is none.
pub fn next_due(
    declared: &[Declared],
    choices: &Choices,
    now: Moment,
    zone: &Zone,
) -> Option<Moment> {
    let moments = upcoming(declared, choices, zone).map(|run| run.at);
    moments.filter(|at| *at > now).min()
}

fn upcoming<'d>(
    declared: &'d [Declared],
    choices: &Choices,
    zone: &Zone,
) -> impl Iterator<Item = Due<'d>> {
    declared.iter().filter_map(|declared| {
        let approval = declared.approval(choices)?.clone();
        let at = declared.next(&approval, zone)?;
        Some(Due {
            declared,
            approval,
            at,
        })
    })
}

#[cfg(test)]
mod tests;
