//! Runs by the clock that skills suggest.
//!
//! ```text
//! skills ─declared→ Declared ─(a person approves)→ Schedules
//!                      └─due(now)→ Due ─(on record)→ Fired
//! ```
//!
//! A skill can only suggest. Nothing runs before a person has approved it, and an approval holds for the suggestion as it
//! was: the skill at its place, with the digest of its files, and its schedule. A skill that changes needs a new one.
//! Nothing here has a clock or starts anything: [`due`] says what is due at a given moment, and whoever runs it puts that
//! on record first.

use std::path::PathBuf;

mod due;
mod expression;
mod list;

use skillful_store::{Key, Timestamp};

use skillmd::trigger::Trigger;
use skillmd::{Code, Diagnostic};

use crate::limits;
use crate::load::Skill;
use crate::records::key_of;

pub use due::{Due, Fired, candidates, due, next_due};
pub use expression::{Cron, ScheduleError, UnknownZone, When, Zone};
pub use list::{ChoiceError, Schedule, ScheduleChoice, Schedules, Standing, approve, withdraw};

/// What approvals of schedules are called in the records: this, and the schedule in the author's words.
const PERMISSION: &str = "schedule:";

fn permission(expression: &str) -> String {
    format!("{PERMISSION}{expression}")
}

/// A moment, in seconds since the beginning of 1970 in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(pub i64);

impl From<Timestamp> for Moment {
    fn from(time: Timestamp) -> Self {
        Self(time.as_seconds())
    }
}

impl From<Moment> for Timestamp {
    fn from(moment: Moment) -> Self {
        Self::from_seconds(moment.0)
    }
}

/// A run that a skill suggests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The skill's key in the records.
    pub key: Key,
    /// Where the skill lies: its SKILL.md, flat file or archive.
    pub path: PathBuf,
    /// The digest of its files; nothing when they could not be read, and then it cannot be approved.
    pub digest: Option<String>,
    /// What is to be run.
    pub run: Run,
    /// When, in the author's words.
    pub expression: String,
    /// When.
    pub when: When,
}

impl Declared {
    /// What an approval of it is called in the records.
    pub fn permission(&self) -> String {
        permission(&self.expression)
    }
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

impl Run {
    /// The word for the kind, as used in every output.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Skill => "skill",
            Self::Automation { .. } => "automation",
        }
    }

    /// What to tell the agent; nothing = to use the skill.
    pub fn prompt(&self) -> Option<&str> {
        match self {
            Self::Skill => None,
            Self::Automation { prompt, .. } => prompt.as_deref(),
        }
    }
}

/// A schedule that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The skill's id.
    pub skill: String,
    /// The file that [`Self::diagnostic`] is about.
    pub path: PathBuf,
    /// The schedule, in the author's words.
    pub expression: String,
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
    all.declared.sort_by(|a, b| a.key.cmp(&b.key));
    all.refused.sort_by(|a, b| a.skill.cmp(&b.skill));
    all
}

/// What a skill suggests; one run for each schedule. An automation says more about it than a trigger.
fn suggestions(skill: &Skill) -> Vec<(&str, Run)> {
    let Some(manifest) = &skill.manifest else {
        return Vec::new();
    };
    let triggers = manifest.invocation.triggers.iter().take(limits::TRIGGERS);
    let scheduled = triggers.filter_map(|trigger| match trigger {
        Trigger::Schedule(expression) if !expression.trim().is_empty() => {
            Some((expression.trim(), Run::Skill))
        }
        _ => None,
    });
    let automation = manifest.invocation.automation.iter().map(|automation| {
        let run = Run::Automation {
            prompt: automation.prompt.clone(),
            deliver: automation.deliver.clone(),
            no_agent: automation.no_agent.unwrap_or(false),
        };
        (automation.schedule.trim(), run)
    });
    let mut suggestions: Vec<(&str, Run)> = Vec::new();
    for (expression, run) in scheduled.chain(automation) {
        let known = suggestions
            .iter_mut()
            .find(|(known, _)| *known == expression);
        match known {
            Some((_, known)) => *known = run,
            None => suggestions.push((expression, run)),
        }
    }
    suggestions
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
                key: key_of(skill),
                path: skill.path.clone(),
                digest,
                run,
                expression: expression.to_owned(),
                when,
            }),
            Err(error) => self.refused.push(refused(skill, expression, &error)),
        }
    }
}

fn refused(skill: &Skill, expression: &str, error: &ScheduleError) -> Refused {
    let mut diagnostic = Diagnostic::about_file(Code::InvalidValue, error.to_string());
    diagnostic.help("write `every 30m`, `@daily`, `08:00`, `weekdays 08:00` or five cron fields");
    Refused {
        skill: skill.id.clone(),
        path: skill.path.clone(),
        expression: expression.to_owned(),
        diagnostic,
    }
}

#[cfg(test)]
mod tests;
