//! What a person looked at and accepted: the files of a skill as they were then.
//!
//! An acceptance of a skill is one of the choices that people make, bound to its place and digest, and is made with the
//! digest that the person looked at. Nothing here is ever done for an agent.

use serde::{Deserialize, Serialize};
use skillful_store::{Approval, Choice, Choices, Key, Reason, Timestamp};

use super::gather_skill;
use super::inspection::Inspection;
use crate::config::Config;
use crate::load::Skill;
use crate::records::key_of;

/// What an acceptance of a skill's files is called in the records.
pub const GUARD: &str = "guard";

/// Content that is accepted wherever it is found, as `[[guard.accept]]` in `skills.toml` says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Acceptance {
    /// The digest of the files.
    pub digest: String,
    /// Why, for the next reader.
    pub reason: String,
}

/// Why nothing was accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AcceptError {
    /// The files are not those that the person looked at.
    #[error("`{id}` is not what you looked at: its files have the digest {found} now, not {given}")]
    OtherDigest {
        /// The skill.
        id: String,
        /// The digest that was given.
        given: String,
        /// The digest of the files as they are.
        found: String,
    },
    /// No digest was given, so that nobody knows what was looked at.
    #[error(
        "`{0}` is accepted by the digest of the files that you looked at, not as it may be now"
    )]
    Unseen(String),
    /// The files cannot all be read.
    #[error("the files of `{0}` make no digest that an acceptance could be bound to")]
    NoDigest(String),
}

/// The choice to accept the files of a skill, which have this digest.
///
/// # Errors
///
/// [`AcceptError`] when they have another one, or none.
pub fn accept(
    skill: &Skill,
    digest: &str,
    reason: Reason,
    at: Timestamp,
) -> Result<Choice, AcceptError> {
    let found = gather_skill(skill)
        .digest
        .ok_or_else(|| AcceptError::NoDigest(skill.id.clone()))?;
    if found != digest {
        return Err(AcceptError::OtherDigest {
            id: skill.id.clone(),
            given: digest.to_owned(),
            found,
        });
    }
    Ok(Choice::Approve {
        what: GUARD.to_owned(),
        approval: Approval::new(found, at).because(reason),
    })
}

/// The choice to take an acceptance back.
pub fn revoke() -> Choice {
    Choice::Withdraw {
        what: GUARD.to_owned(),
    }
}

/// What a person accepted of a skill, in whichever state.
pub fn acceptance_of<'c>(choices: &'c Choices, skill: &Skill) -> Option<&'c Approval> {
    // To make a key costs more than all else here, and mostly nothing was chosen for any skill.
    if choices.is_empty() {
        return None;
    }
    choices.approval(&key_of(skill), GUARD)
}

/// By what the files of a skill are accepted as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepted<'a> {
    /// A person accepted them, for this skill in this place.
    InPlace(&'a Approval),
    /// An entry of `guard.accept` accepts them, wherever they lie.
    Listed(&'a Acceptance),
}

impl<'a> Accepted<'a> {
    /// What accepts files with this digest, of the skill with this key where it is one.
    pub fn of(
        digest: &str,
        key: Option<&Key>,
        config: &'a Config,
        choices: &'a Choices,
    ) -> Option<Self> {
        let in_place = || choices.approval(key?, GUARD);
        match in_place().filter(|approval| approval.digest == digest) {
            Some(approval) => Some(Self::InPlace(approval)),
            None => entry_for(config.guard_acceptances(), digest).map(Self::Listed),
        }
    }

    /// What accepts a skill's files as they were looked at.
    pub fn of_skill(skill: &Skill, config: &'a Config, choices: &'a Choices) -> Option<Self> {
        let digest = skill.inspection.as_ref()?.digest()?;
        let key = (!choices.is_empty()).then(|| key_of(skill));
        Self::of(digest, key.as_ref(), config, choices)
    }

    /// The stable word for whose word it is.
    pub fn by(self) -> &'static str {
        match self {
            Self::InPlace(_) => "choice",
            Self::Listed(_) => "configuration",
        }
    }

    /// When, where that is on record.
    pub fn at(self) -> Option<Timestamp> {
        match self {
            Self::InPlace(approval) => Some(approval.at),
            Self::Listed(_) => None,
        }
    }

    /// Why, in the words of who accepted them.
    pub fn reason(self) -> Option<&'a str> {
        match self {
            Self::InPlace(approval) => approval.reason.as_ref().map(Reason::as_str),
            Self::Listed(entry) => Some(&entry.reason),
        }
    }
}

/// The entry that accepts what has this digest.
fn entry_for<'e>(entries: &'e [Acceptance], digest: &str) -> Option<&'e Acceptance> {
    entries.iter().find(|entry| entry.digest == digest)
}

/// Whether one of these entries accepts what was looked at.
pub(super) fn is_listed(entries: &[Acceptance], inspection: &Inspection) -> bool {
    let digest = inspection.digest();
    digest.is_some_and(|digest| entry_for(entries, digest).is_some())
}
