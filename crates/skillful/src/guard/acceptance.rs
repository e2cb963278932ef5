//! What a person looked at and accepted: the files of a skill as they were then.
//!
//! An acceptance of a skill is one of the choices that people make, bound to its place and digest, and is made with the
//! digest that the person looked at. Nothing here is ever done for an agent.

use serde::{Deserialize, Serialize};
use skillful_store::{Approval, Choice, Choices, Reason, Timestamp};

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

/// Whether a person accepted a skill's files as they were looked at.
pub fn is_accepted(skill: &Skill, config: &Config, choices: &Choices) -> bool {
    let Some(inspection) = &skill.inspection else {
        return false;
    };
    let digest = inspection.digest();
    is_listed(config.guard_acceptances(), inspection)
        || digest.is_some()
            && acceptance_of(choices, skill).map(|approval| &*approval.digest) == digest
}

/// Whether one of these entries accepts what was looked at.
pub(super) fn is_listed(entries: &[Acceptance], inspection: &Inspection) -> bool {
    let digest = inspection.digest();
    digest.is_some_and(|digest| entries.iter().any(|entry| entry.digest == digest))
}
