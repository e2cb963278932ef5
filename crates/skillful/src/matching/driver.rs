//! The one skill that drives a turn, and how many rounds of tool calls it allows.

use super::{Candidate, Kind, Match};

/// A limit that a skill sets to its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundCap<'s> {
    /// The skill's id.
    pub id: &'s str,
    /// Most rounds of tool calls, 1 or more.
    pub rounds: u32,
}

/// The limit that applies to a turn with these matches. `limit` is the agent's own; a skill can only lower it.
///
/// Only the turn's driving skill counts: the one that was named or whose schedule fired; else the only one brought up by
/// a command; without commands, the only one brought up by a phrase. Two of them drive nothing, and those that come up
/// with paths or with every message never do (Denkeeper's rule, with phrases counted as its triggers are).
pub fn max_tool_rounds<'s>(
    candidates: &[Candidate<'s>],
    matches: &[Match<'s>],
    limit: Option<u32>,
) -> Option<RoundCap<'s>> {
    let driver = driver(matches)?;
    let candidate = candidates.iter().find(|candidate| candidate.id == driver)?;
    let rounds = candidate.invocation.max_tool_rounds?;
    limit
        .is_none_or(|limit| rounds < limit)
        .then_some(RoundCap {
            id: candidate.id,
            rounds,
        })
}

fn driver<'s>(matches: &[Match<'s>]) -> Option<&'s str> {
    let of = |kinds: &[Kind]| -> Vec<&'s str> {
        matches
            .iter()
            .filter(|found| kinds.contains(&found.kind))
            .map(|found| found.id)
            .collect()
    };
    [
        &[Kind::Named, Kind::Schedule][..],
        &[Kind::Command],
        &[Kind::Keyword],
    ]
    .into_iter()
    .map(of)
    .find(|ids| !ids.is_empty())
    .and_then(|ids| match ids[..] {
        [only] => Some(only),
        _ => None,
    })
}
