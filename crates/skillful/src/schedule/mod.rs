//! Runs by the clock that skills suggest.
//!
//! ```text
//! skills ─declared→ Declared ─(a person approves)→ Approvals ─due(now)→ Due
//! ```
//!
//! A skill can only suggest. Nothing runs before a person has approved it, and an approval holds for the suggestion as it
//! was: the skill at its place, with the digest of its files, and its schedule. A skill that changes needs a new one.
//! Nothing here has a clock or starts anything: [`due`] says what is due at a given moment, and whoever runs it notes so.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

mod due;
mod expression;

use skillmd::trigger::Trigger;
use skillmd::{Code, Diagnostic};

use crate::load::Skill;

pub use due::{Approval, Approvals, Binding, Due, due, next_due};
pub use expression::{Cron, ScheduleError, UnknownZone, When, Zone};

/// A moment, in seconds since the beginning of 1970 in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(pub i64);

impl From<SystemTime> for Moment {
    fn from(time: SystemTime) -> Self {
        let seconds = |duration: std::time::Duration| i64::try_from(duration.as_secs());
        match time.duration_since(UNIX_EPOCH) {
            Ok(after) => Self(seconds(after).unwrap_or(i64::MAX)),
            Err(before) => Self(seconds(before.duration()).map_or(i64::MIN, |seconds| -seconds)),
        }
    }
}

/// A run that a skill suggests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The skill's id.
    pub skill: String,
    /// Where the skill lies: its SKILL.md, flat file or archive.
    pub origin: PathBuf,
    /// The digest of its files; nothing when they could not be read, and then it cannot be approved.
    pub digest: Option<String>,
    /// What is to be run.
    pub run: Run,
    /// When, in the author's words.
    pub expression: String,
    /// When.
    pub when: When,
}

/// What is to be run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Run {
    /// The skill, as by its trigger `schedule:…` (Denkeeper).
    Skill,
    /// A suggested automation (Aleph, Hermes).
    Automation {
        /// What to tell the agent; nothing = to use the skill.
        prompt: Option<String>,
        /// Where the result goes.
        deliver: Option<String>,
        /// Whether no agent is needed.
        no_agent: bool,
    },
}

/// A schedule that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The skill's id.
    pub skill: String,
    /// The file that [`Self::diagnostic`] is about.
    pub path: PathBuf,
    /// What is wrong.
    pub diagnostic: Diagnostic,
}

/// All that skills suggest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declarations {
    /// What can be approved, sorted by skill, the trigger's before the automation's.
    pub declared: Vec<Declared>,
    /// What cannot be read.
    pub refused: Vec<Refused>,
}

/// Collects the suggestions of skills. `digest` is asked only about those that have one.
///
/// A bare `schedule:` says only that the skill may be used in scheduled runs; it suggests none.
pub fn declared<'s>(
    skills: impl IntoIterator<Item = &'s Skill>,
    digest: impl Fn(&Skill) -> Option<String>,
) -> Declarations {
    let mut all = Declarations::default();
    for skill in skills {
        let suggestions = suggestions(skill);
        if suggestions.is_empty() {
            continue;
        }
        let digest = digest(skill);
        for (expression, run) in suggestions {
            all.add(skill, digest.clone(), expression, run);
        }
    }
    all.declared.sort_by(|a, b| a.skill.cmp(&b.skill));
    all.refused.sort_by(|a, b| a.skill.cmp(&b.skill));
    all
}

fn suggestions(skill: &Skill) -> Vec<(&str, Run)> {
    let Some(manifest) = &skill.manifest else {
        return Vec::new();
    };
    let triggers = manifest.invocation.triggers.iter();
    let scheduled = triggers.filter_map(|trigger| match trigger {
        Trigger::Schedule(expression) if !expression.is_empty() => {
            Some((expression.as_str(), Run::Skill))
        }
        _ => None,
    });
    let automation = manifest.invocation.automation.iter().map(|automation| {
        let run = Run::Automation {
            prompt: automation.prompt.clone(),
            deliver: automation.deliver.clone(),
            no_agent: automation.no_agent.unwrap_or(false),
        };
        (automation.schedule.as_str(), run)
    });
    scheduled.chain(automation).collect()
}

impl Declarations {
    fn add(&mut self, skill: &Skill, digest: Option<String>, expression: &str, run: Run) {
        let when = expression.parse().and_then(|when| match (&run, when) {
            // Only a trigger may wait for a schedule that somebody else keeps under this name.
            (Run::Automation { .. }, When::Named(name)) => Err(ScheduleError::Unknown(name)),
            (_, when) => Ok(when),
        });
        match when {
            Ok(when) => self.declared.push(Declared {
                skill: skill.id.clone(),
                origin: skill.path.clone(),
                digest,
                run,
                expression: expression.to_owned(),
                when,
            }),
            Err(error) => self.refused.push(refused(skill, &error)),
        }
    }
}

fn refused(skill: &Skill, error: &ScheduleError) -> Refused {
    let mut diagnostic = Diagnostic::about_file(Code::InvalidValue, error.to_string());
    diagnostic.help("write `every 30m`, `@daily`, `08:00`, `weekdays 08:00` or five cron fields");
    Refused {
        skill: skill.id.clone(),
        path: skill.path.clone(),
        diagnostic,
    }
}

#[cfg(test)]
mod tests;
