//! What people chose for skills: put away, pinned, approved.
//!
//! The rules are here, as functions over values; stores keep the outcome.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::key::Key;
use crate::limits;
use crate::time::Timestamp;

/// What was chosen for all skills. A skill for which nothing was chosen is not in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    standings: BTreeMap<Key, Standing>,
}

/// What was chosen for one skill.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// That and why it was put away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archived: Option<Archived>,
    /// Since when it is to be kept whether it is used or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pinned: Option<Timestamp>,
    /// What a person allowed it to do, by what that is.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub approvals: BTreeMap<String, Approval>,
}

/// That a skill was put away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Archived {
    /// When.
    pub at: Timestamp,
    /// Why, in the words of who did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
}

/// That a person allowed something of a skill, as it was then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// The digest of what was approved. Nothing else is.
    pub digest: String,
    /// When.
    pub at: Timestamp,
    /// When use was made of it last, where that is on record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<Timestamp>,
    /// Why, in the words of who allowed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
}

impl Approval {
    /// An approval of what has this digest, of which no use was made yet.
    pub fn new(digest: impl Into<String>, at: Timestamp) -> Self {
        Self {
            digest: digest.into(),
            at,
            used: None,
            reason: None,
        }
    }

    /// The same with a reason.
    #[must_use]
    pub fn because(mut self, reason: Reason) -> Self {
        self.reason = Some(reason);
        self
    }
}

/// A reason in a person's words: not blank, at most [`limits::REASON_CHARACTERS`] long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Reason(String);

/// A text cannot be a reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidReason {
    /// It is blank.
    #[error("a reason has at least one word")]
    Blank,
    /// It is too long.
    #[error(
        "a reason has at most {} characters, not {characters}",
        limits::REASON_CHARACTERS
    )]
    TooLong {
        /// How long it is.
        characters: usize,
    },
}

/// Something that a person chooses for a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Put it away.
    Archive(Archived),
    /// Bring it back.
    Restore,
    /// Keep it whether it is used or not, from this time on.
    Pin(Timestamp),
    /// Treat it like any other.
    Unpin,
    /// Allow what is described by `what`, such as a schedule, as it is now. It replaces an approval of another digest.
    Approve {
        /// What is allowed.
        what: String,
        /// The content that it is allowed for, and when.
        approval: Approval,
    },
    /// Allow it no longer.
    Withdraw {
        /// What was allowed.
        what: String,
    },
    /// Make use of what is allowed, and note when. Nothing changes unless the approval still is what `known` says, so
    /// that of two who are about to make the same use of it only one does; and the noted time never goes back.
    Use {
        /// What is allowed.
        what: String,
        /// The approval that the use relies on.
        known: Approval,
        /// When.
        at: Timestamp,
    },
}

/// What became of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applied {
    /// It made a difference.
    Changed,
    /// Things were so already.
    Unchanged,
}

impl Choices {
    /// What was chosen for this skill.
    pub fn of(&self, key: &Key) -> Option<&Standing> {
        self.standings.get(key)
    }

    /// That this skill was put away, where it was.
    pub fn archived(&self, key: &Key) -> Option<&Archived> {
        self.of(key)?.archived.as_ref()
    }

    /// Whether nothing was chosen for any skill.
    pub fn is_empty(&self) -> bool {
        self.standings.is_empty()
    }

    /// Whether this skill is to be kept whether it is used or not.
    pub fn is_pinned(&self, key: &Key) -> bool {
        self.of(key)
            .is_some_and(|standing| standing.pinned.is_some())
    }

    /// Whether a person allowed `what` of this skill with this digest.
    pub fn is_approved(&self, key: &Key, what: &str, digest: &str) -> bool {
        self.approval(key, what)
            .is_some_and(|approval| approval.digest == digest)
    }

    /// The approval of `what` for this skill, for whichever digest.
    pub fn approval(&self, key: &Key, what: &str) -> Option<&Approval> {
        self.of(key)?.approvals.get(what)
    }

    /// All skills for which something was chosen, sorted.
    pub fn iter(&self) -> impl Iterator<Item = (&Key, &Standing)> {
        self.standings.iter()
    }

    /// Makes a choice. One that was made already changes nothing, not even its time and reason.
    pub fn apply(&mut self, key: &Key, choice: Choice) -> Applied {
        let mut standing = self.standings.remove(key).unwrap_or_default();
        let applied = standing.apply(choice);
        self.set(key.clone(), standing);
        applied
    }

    /// Puts what was chosen for one skill down to another key; what was chosen there goes.
    pub fn rename(&mut self, from: &Key, to: &Key) -> Applied {
        if from == to || (self.of(from).is_none() && self.of(to).is_none()) {
            return Applied::Unchanged;
        }
        let standing = self.standings.remove(from);
        self.standings.remove(to);
        self.set(to.clone(), standing.unwrap_or_default());
        Applied::Changed
    }

    pub(crate) fn set(&mut self, key: Key, standing: Standing) {
        if standing != Standing::default() {
            self.standings.insert(key, standing);
        }
    }
}

impl Standing {
    fn apply(&mut self, choice: Choice) -> Applied {
        let changed = match choice {
            Choice::Archive(archived) => fill(&mut self.archived, archived),
            Choice::Restore => self.archived.take().is_some(),
            Choice::Pin(at) => fill(&mut self.pinned, at),
            Choice::Unpin => self.pinned.take().is_some(),
            Choice::Approve { what, approval } => self.approve(what, approval),
            Choice::Withdraw { what } => self.approvals.remove(&what).is_some(),
            Choice::Use { what, known, at } => self.make_use(&what, &known, at),
        };
        if changed {
            Applied::Changed
        } else {
            Applied::Unchanged
        }
    }

    fn approve(&mut self, what: String, approval: Approval) -> bool {
        let known = self.approvals.get(&what);
        if known.is_some_and(|known| known.digest == approval.digest) {
            return false;
        }
        self.approvals.insert(what, approval);
        true
    }

    fn make_use(&mut self, what: &str, known: &Approval, at: Timestamp) -> bool {
        match self.approvals.get_mut(what) {
            Some(approval) if approval == known && approval.used < Some(at) => {
                approval.used = Some(at);
                true
            }
            _ => false,
        }
    }
}

/// Fills an empty place.
fn fill<T>(place: &mut Option<T>, value: T) -> bool {
    let is_empty = place.is_none();
    place.get_or_insert(value);
    is_empty
}

impl Reason {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Reason {
    type Err = InvalidReason;

    /// Blanks around the text are taken off.
    fn from_str(text: &str) -> Result<Self, InvalidReason> {
        let text = text.trim();
        match text.chars().count() {
            0 => Err(InvalidReason::Blank),
            characters if characters > limits::REASON_CHARACTERS => {
                Err(InvalidReason::TooLong { characters })
            }
            _ => Ok(Self(text.to_owned())),
        }
    }
}

impl TryFrom<String> for Reason {
    type Error = InvalidReason;

    fn try_from(text: String) -> Result<Self, InvalidReason> {
        text.parse()
    }
}

impl From<Reason> for String {
    fn from(reason: Reason) -> Self {
        reason.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_seconds(seconds)
    }

    fn archive(seconds: i64, reason: &str) -> Choice {
        Choice::Archive(Archived {
            at: at(seconds),
            reason: Some(reason.parse().unwrap()),
        })
    }

    #[test]
    fn choosing_twice_is_choosing_once() {
        let (key, mut choices) = (Key::new("a", "/r"), Choices::default());
        assert_eq!(choices.apply(&key, archive(1, "unused")), Applied::Changed);
        assert_eq!(choices.apply(&key, archive(2, "later")), Applied::Unchanged);
        let archived = choices.archived(&key).unwrap();
        assert_eq!(
            (archived.at, archived.reason.as_ref().unwrap().as_str()),
            (at(1), "unused")
        );
        assert_eq!(choices.apply(&key, Choice::Restore), Applied::Changed);
        assert_eq!(choices.apply(&key, Choice::Restore), Applied::Unchanged);
        assert_eq!(choices, Choices::default(), "nothing is left behind");
    }

    #[test]
    fn choices_of_one_skill_leave_each_other_and_other_origins_alone() {
        let (key, other) = (Key::new("a", "/r"), Key::new("a", "/s"));
        let mut choices = Choices::default();
        choices.apply(&key, Choice::Pin(at(1)));
        choices.apply(&key, archive(2, "x"));
        choices.apply(&key, Choice::Restore);
        assert!(choices.is_pinned(&key));
        assert!(!choices.is_pinned(&other));
        assert_eq!(choices.apply(&other, Choice::Unpin), Applied::Unchanged);
        assert_eq!(choices.iter().count(), 1);
    }

    #[test]
    fn what_was_chosen_follows_a_new_id_and_replaces_what_was_chosen_there() {
        let (old, new, mut choices) =
            (Key::new("a", "/r"), Key::new("b", "/r"), Choices::default());
        assert_eq!(choices.rename(&old, &new), Applied::Unchanged);
        choices.apply(&old, Choice::Pin(at(1)));
        choices.apply(&new, archive(2, "of another skill"));
        assert_eq!(choices.rename(&old, &old), Applied::Unchanged);
        assert_eq!(choices.rename(&old, &new), Applied::Changed);
        assert!(choices.is_pinned(&new) && choices.archived(&new).is_none());
        assert_eq!(choices.of(&old), None);
        assert_eq!(choices.rename(&old, &new), Applied::Changed);
        assert!(choices.is_empty());
    }

    #[test]
    fn an_approval_holds_for_one_digest_of_one_origin() {
        let (key, other) = (Key::new("a", "/r"), Key::new("a", "/s"));
        let mut choices = Choices::default();
        let approve = |digest: &str| Choice::Approve {
            what: "schedule:daily".to_owned(),
            approval: Approval::new(digest, at(1)),
        };
        assert_eq!(choices.apply(&key, approve("one")), Applied::Changed);
        assert_eq!(choices.apply(&key, approve("one")), Applied::Unchanged);
        assert!(choices.is_approved(&key, "schedule:daily", "one"));
        assert!(!choices.is_approved(&key, "schedule:daily", "two"));
        assert!(!choices.is_approved(&key, "schedule:hourly", "one"));
        assert!(!choices.is_approved(&other, "schedule:daily", "one"));
        assert_eq!(choices.apply(&key, approve("two")), Applied::Changed);
        assert!(!choices.is_approved(&key, "schedule:daily", "one"));
        let what = "schedule:daily".to_owned();
        choices.apply(&key, Choice::Withdraw { what });
        assert_eq!(choices, Choices::default());
    }

    #[test]
    fn use_is_made_once_and_never_goes_back() {
        let (key, mut choices) = (Key::new("a", "/r"), Choices::default());
        let what = "schedule:daily";
        let usage = |known: &Approval, seconds| Choice::Use {
            what: what.to_owned(),
            known: known.clone(),
            at: at(seconds),
        };
        let fresh = Approval::new("one", at(1));
        assert_eq!(choices.apply(&key, usage(&fresh, 5)), Applied::Unchanged);
        assert_eq!(choices, Choices::default(), "use allows nothing");

        let approve = |digest| Choice::Approve {
            what: what.to_owned(),
            approval: Approval::new(digest, at(1)),
        };
        choices.apply(&key, approve("one"));
        assert_eq!(choices.apply(&key, usage(&fresh, 5)), Applied::Changed);
        assert_eq!(
            choices.apply(&key, usage(&fresh, 6)),
            Applied::Unchanged,
            "another one made use of it first"
        );
        let used = choices.approval(&key, what).unwrap().clone();
        assert_eq!(used.used, Some(at(5)));
        assert_eq!(choices.apply(&key, usage(&used, 4)), Applied::Unchanged);
        assert_eq!(choices.apply(&key, usage(&used, 5)), Applied::Unchanged);
        assert_eq!(choices.apply(&key, approve("one")), Applied::Unchanged);
        assert_eq!(choices.apply(&key, usage(&used, 6)), Applied::Changed);
        choices.apply(&key, approve("two"));
        assert_eq!(choices.approval(&key, what).unwrap().used, None);
        assert_eq!(choices.apply(&key, usage(&fresh, 7)), Applied::Unchanged);
    }

    #[test]
    fn reasons_have_words_and_an_end() {
        assert_eq!(" old\n".parse::<Reason>().unwrap().as_str(), "old");
        assert_eq!("  ".parse::<Reason>(), Err(InvalidReason::Blank));
        let long = "ä".repeat(limits::REASON_CHARACTERS + 1);
        assert_eq!(
            long.parse::<Reason>(),
            Err(InvalidReason::TooLong { characters: 1_001 })
        );
    }
}
