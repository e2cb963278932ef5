//! Matching: which skills a message brings up without the model's own choice, and which of them drives the turn.
//!
//! A person's words decide, not a model: a command (`/deploy`), a schedule that fires, a phrase, a file that is touched.
//! Matching is exact where [`crate::search`] ranks, and says of every match why it is one. It is a pure function; what
//! runs at which time, and whether a person has agreed to that, is decided elsewhere.
//!
//! The grammar of triggers is Denkeeper's, `keyword:` and bare phrases beside it; see [`skillmd::trigger`].

mod command;
mod driver;
mod keyword;
mod paths;

use std::collections::BTreeSet;

use skillmd::invocation::Invocation;

use crate::load::Skill;
use crate::state::State;
use command::Command;
pub use driver::{RoundCap, max_tool_rounds};
use keyword::MessageText;

/// A skill as matching sees it.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'s> {
    /// Its id.
    pub id: &'s str,
    /// The name that its author gave it.
    pub name: &'s str,
    /// The name of its directory or file.
    pub place_name: &'s str,
    /// What its author says about when it comes up.
    pub invocation: &'s Invocation,
    /// Whether a person may bring it up by its name.
    pub is_user_invocable: bool,
    /// Whether it may come up without being named: by a phrase, a path, or with every message.
    pub is_automatic: bool,
}

impl<'s> Candidate<'s> {
    /// The candidate that a skill is by what its author says; nothing when it is not ready.
    pub fn of_skill(skill: &'s Skill) -> Option<Self> {
        let manifest = skill
            .manifest
            .as_deref()
            .filter(|_| skill.state == State::Ready)?;
        Some(Self {
            id: &skill.id,
            name: &skill.name,
            place_name: &skill.place_name,
            invocation: &manifest.invocation,
            is_user_invocable: manifest.is_user_invocable(),
            is_automatic: manifest.is_model_invocable(),
        })
    }

    /// Whether somebody who gives this name means this skill: its id, what its author or its place calls it.
    fn is_called(&self, name: &str) -> bool {
        [self.id, self.name, self.place_name]
            .iter()
            .any(|own| own.eq_ignore_ascii_case(name))
    }
}

/// What comes in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Message<'m> {
    /// What was said. The first [`crate::limits::MESSAGE_BYTES`] bytes are looked at.
    pub text: &'m str,
    /// The skill that the caller names: it matches whatever its triggers are.
    pub skill: Option<&'m str>,
    /// The schedule that fires. It matches the skill that is called so, and those that declare `schedule:` with it.
    pub schedule: Option<&'m str>,
    /// Files that are touched, relative to the project, `/` between the parts.
    pub paths: &'m [&'m str],
}

/// Which skills come up with every message. An author cannot ask for it.
#[derive(Clone, Copy, Debug, Default)]
pub enum Ambient<'o> {
    /// None.
    #[default]
    None,
    /// Those with these ids.
    Chosen(&'o BTreeSet<String>),
    /// Those without any trigger: Denkeeper's rule.
    Untriggered,
}

/// What brought a skill up; the first that applies counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// The caller named it.
    Named,
    /// Its schedule fires.
    Schedule,
    /// The message begins with one of its commands, or with its name as a command.
    Command,
    /// The message contains one of its phrases.
    Keyword,
    /// A file is touched that it is for.
    Paths,
    /// It comes up with every message.
    Ambient,
}

impl Kind {
    /// The word used in every output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Named => "named",
            Self::Schedule => "schedule",
            Self::Command => "command",
            Self::Keyword => "keyword",
            Self::Paths => "paths",
            Self::Ambient => "ambient",
        }
    }

    /// How sure it is that the skill is wanted, from 0 to 1.
    const fn score(self) -> f64 {
        match self {
            Self::Named | Self::Schedule | Self::Command => 1.0,
            Self::Keyword => 0.6,
            Self::Paths => 0.5,
            Self::Ambient => 0.1,
        }
    }
}

/// A skill that a message brings up.
#[derive(Clone, Debug, PartialEq)]
pub struct Match<'s> {
    /// Its id.
    pub id: &'s str,
    /// What brought it up.
    pub kind: Kind,
    /// How sure it is that it is wanted, from 0 to 1.
    pub score: f64,
    /// Why, for people: a sentence without a full stop. It may repeat words of the message and of the skill.
    pub why: String,
    /// What follows the command, as it was typed: what to activate the skill with. Empty for every other kind.
    pub arguments: String,
}

/// The skills that a message brings up, each once, the surest first, then by id.
pub fn matches<'s>(
    candidates: &[Candidate<'s>],
    message: &Message<'_>,
    ambient: Ambient<'_>,
) -> Vec<Match<'s>> {
    let text = MessageText::new(message.text);
    let command = Command::of_message(message.text, candidates);
    let mut found: Vec<Match<'s>> = candidates
        .iter()
        .filter_map(|candidate| {
            named(candidate, message)
                .or_else(|| scheduled(candidate, message))
                .or_else(|| command.as_ref()?.brings_up(candidate))
                .or_else(|| automatic(candidate, message, &text, ambient))
        })
        .collect();
    found.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then(a.kind.cmp(&b.kind))
            .then(a.id.cmp(b.id))
    });
    found
}

fn of_kind<'s>(candidate: &Candidate<'s>, kind: Kind, why: String) -> Match<'s> {
    Match {
        id: candidate.id,
        kind,
        score: kind.score(),
        why,
        arguments: String::new(),
    }
}

fn named<'s>(candidate: &Candidate<'s>, message: &Message<'_>) -> Option<Match<'s>> {
    let name = message
        .skill
        .map(str::trim)
        .filter(|name| candidate.is_called(name))?;
    Some(of_kind(
        candidate,
        Kind::Named,
        format!("it was named: `{name}`"),
    ))
}

fn scheduled<'s>(candidate: &Candidate<'s>, message: &Message<'_>) -> Option<Match<'s>> {
    use skillmd::trigger::Trigger;
    let schedule = message
        .schedule
        .map(str::trim)
        .filter(|schedule| !schedule.is_empty())?;
    let is_declared = candidate.invocation.triggers.iter().any(
        |trigger| matches!(trigger, Trigger::Schedule(when) if when.eq_ignore_ascii_case(schedule)),
    );
    let why = if is_declared {
        format!("it declares the schedule `{schedule}`")
    } else if candidate.is_called(schedule) {
        format!("the schedule is named after it: `{schedule}`")
    } else {
        return None;
    };
    Some(of_kind(candidate, Kind::Schedule, why))
}

/// What may come up although nobody named it.
fn automatic<'s>(
    candidate: &Candidate<'s>,
    message: &Message<'_>,
    text: &MessageText,
    ambient: Ambient<'_>,
) -> Option<Match<'s>> {
    if !candidate.is_automatic {
        return None;
    }
    let invocation = candidate.invocation;
    if let Some(found) = text.phrase_of(&invocation.triggers) {
        let why = format!("the message contains `{}`", found.phrase);
        return Some(Match {
            score: found.score(),
            ..of_kind(candidate, Kind::Keyword, why)
        });
    }
    if let Some((path, glob)) = paths::first(&invocation.paths, message.paths) {
        return Some(of_kind(
            candidate,
            Kind::Paths,
            format!("`{path}` fits `{glob}`"),
        ));
    }
    let why = match ambient {
        Ambient::Chosen(ids) if ids.contains(candidate.id) => {
            "it was chosen to come up with every message"
        }
        Ambient::Untriggered if invocation.triggers.is_empty() => {
            "it has no triggers, so every message brings it up"
        }
        _ => return None,
    };
    Some(of_kind(candidate, Kind::Ambient, why.to_owned()))
}

#[cfg(test)]
mod tests;
