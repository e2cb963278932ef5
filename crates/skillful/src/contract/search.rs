//! The JSON of `search` and `match`.

use serde::Serialize;

use super::VERSION;
use crate::load::Skill;
use crate::matching::{Match, RoundCap};
use crate::search::{Hit, Reason};

/// What a search found: `{"version", "results"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchDocument<'a> {
    version: u32,
    results: Vec<ResultJson<'a>>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ResultJson<'a> {
    id: &'a str,
    /// See [`Hit::score`].
    score: f64,
    name: &'a str,
    description: &'a str,
    reasons: Vec<ReasonJson<'a>>,
}

impl<'a> SearchDocument<'a> {
    /// The document of hits; `skill` gives the skill of one.
    pub fn new(hits: &'a [Hit<'a>], skill: impl Fn(&Hit<'a>) -> Option<&'a Skill>) -> Self {
        let results = hits
            .iter()
            .filter_map(|hit| {
                let skill = skill(hit)?;
                Some(ResultJson {
                    id: hit.id,
                    score: hit.score,
                    name: &skill.name,
                    description: &skill.description,
                    reasons: reasons(&hit.reasons),
                })
            })
            .collect();
        Self {
            version: VERSION,
            results,
        }
    }
}

/// A word that counts: `{"word", "term", "share"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct ReasonJson<'a> {
    word: &'a str,
    term: &'a str,
    share: f64,
}

pub(super) fn reasons<'a>(reasons: &'a [Reason<'a>]) -> Vec<ReasonJson<'a>> {
    reasons
        .iter()
        .map(|reason| ReasonJson {
            word: &reason.word,
            term: reason.term,
            share: reason.share,
        })
        .collect()
}

/// What a message brings up: `{"version", "matches", "max_tool_rounds"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchDocument<'a> {
    version: u32,
    matches: Vec<MatchJson<'a>>,
    /// The driving skill's limit; null when there is none.
    max_tool_rounds: Option<u32>,
}

impl<'a> MatchDocument<'a> {
    /// The document of matches and of the limit that goes with them.
    pub fn new(matches: &'a [Match<'a>], cap: Option<RoundCap<'_>>) -> Self {
        Self {
            version: VERSION,
            matches: matches.iter().map(MatchJson::of).collect(),
            max_tool_rounds: cap.map(|cap| cap.rounds),
        }
    }
}

/// A match: `{"id", "kind", "score", "why"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct MatchJson<'a> {
    id: &'a str,
    kind: &'static str,
    score: f64,
    why: &'a str,
}

impl<'a> MatchJson<'a> {
    pub(super) fn of(found: &'a Match<'a>) -> Self {
        Self {
            id: found.id,
            kind: found.kind.as_str(),
            score: found.score,
            why: &found.why,
        }
    }
}
