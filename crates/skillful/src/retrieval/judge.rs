//! Rows against a library: what a request is answered with, and whether that is what was promised.

use std::sync::Arc;

use super::rows::Row;
use crate::load::Skill;
use crate::matching::{Ambient, Candidate, Match, Message, matches};
use crate::search::{Document, Hit, Index, Options, Reason};
use crate::state::State;

/// How far down a skill is looked for that was not offered, so that its rank can be told.
const DEPTH: usize = 100;

/// Skills as a request is answered from them: all that are ready.
#[derive(Debug)]
pub struct Shelf<'s> {
    skills: Vec<&'s Skill>,
    index: Index,
}

/// What became of one promise of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<'s> {
    /// What the skill is called in the row.
    pub name: String,
    /// Its id; nothing when no ready skill is called so, or several are.
    pub id: Option<&'s str>,
    /// Whether it must be offered, or must not.
    pub must: bool,
    /// Whether the promise is kept.
    pub is_kept: bool,
    /// Its rank in the search, from 1, if it is among the first hundred.
    pub rank: Option<usize>,
    /// Why it was found at that rank.
    pub reasons: Vec<Reason<'s>>,
    /// What brings it up beside the search.
    pub matched: Option<Match<'s>>,
}

/// A skill that came before one that must be offered.
#[derive(Clone, Debug, PartialEq)]
pub struct Rival<'s> {
    /// Its id.
    pub id: &'s str,
    /// Its rank, from 1.
    pub rank: usize,
    /// What counts for it.
    pub reasons: Vec<Reason<'s>>,
}

/// What became of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict<'s> {
    /// Each skill that the row names, in its order.
    pub found: Vec<Found<'s>>,
    /// When a skill was not offered that must be: those that were instead, save the ones that must be as well.
    pub rivals: Vec<Rival<'s>>,
}

impl Verdict<'_> {
    /// Whether all that the row promises is kept.
    pub fn is_kept(&self) -> bool {
        self.found.iter().all(|found| found.is_kept)
    }
}

impl<'s> Shelf<'s> {
    /// The shelf of these skills. Those that are not ready are left out.
    pub fn new(skills: impl IntoIterator<Item = &'s Arc<Skill>>) -> Self {
        let skills: Vec<&Skill> = skills
            .into_iter()
            .map(|skill| &**skill)
            .filter(|skill| skill.state == State::Ready)
            .collect();
        let index = Index::build(&skills, |skill| Document::of_skill(skill));
        Self { skills, index }
    }

    /// The index that requests are answered from.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Judges a row; the first `first` hits count as offered.
    pub fn judge(&self, row: &Row, first: usize) -> Verdict<'_> {
        let hits = self.index.search(
            &row.prompt,
            &Options {
                limit: first.max(DEPTH),
                ..Options::default()
            },
        );
        let candidates: Vec<Candidate<'_>> = self
            .skills
            .iter()
            .filter_map(|skill| Candidate::of_skill(skill))
            .collect();
        let message = Message {
            text: &row.prompt,
            ..Message::default()
        };
        let matched = matches(&candidates, &message, Ambient::None);
        let names = |names: &[String], must| -> Vec<Found<'_>> {
            names
                .iter()
                .map(|name| self.found(name, must, first, &hits, &matched))
                .collect()
        };
        let mut found = names(&row.offered, true);
        found.extend(names(&row.not_offered, false));
        let is_missing = found.iter().any(|found| found.must && !found.is_kept);
        let rivals = if is_missing {
            rivals(&hits, first, &found)
        } else {
            Vec::new()
        };
        Verdict { found, rivals }
    }

    fn found<'f>(
        &'f self,
        name: &str,
        must: bool,
        first: usize,
        hits: &[Hit<'f>],
        matched: &[Match<'f>],
    ) -> Found<'f> {
        let id = self.called(name);
        let place = hits.iter().position(|hit| Some(hit.id) == id);
        let matched = matched.iter().find(|found| Some(found.id) == id).cloned();
        let is_offered = place.is_some_and(|place| place < first) || matched.is_some();
        Found {
            name: name.to_owned(),
            id,
            must,
            is_kept: is_offered == must,
            rank: place.map(|place| place + 1),
            reasons: place
                .and_then(|place| hits.get(place))
                .map(|hit| hit.reasons.clone())
                .unwrap_or_default(),
            matched,
        }
    }

    /// The id of the one skill that is called so.
    fn called(&self, name: &str) -> Option<&str> {
        if let Some(skill) = self.skills.iter().find(|skill| skill.id == name) {
            return Some(&skill.id);
        }
        let mut called = self
            .skills
            .iter()
            .filter(|skill| skill.name == name || skill.place_name == name);
        match (called.next(), called.next()) {
            (Some(only), None) => Some(&only.id),
            _ => None,
        }
    }
}

fn rivals<'f>(hits: &[Hit<'f>], first: usize, found: &[Found<'_>]) -> Vec<Rival<'f>> {
    let is_meant = |id: &str| found.iter().any(|found| found.must && found.id == Some(id));
    hits.iter()
        .enumerate()
        .take(first)
        .filter(|(_, hit)| !is_meant(hit.id))
        .map(|(place, hit)| Rival {
            id: hit.id,
            rank: place + 1,
            reasons: hit.reasons.clone(),
        })
        .collect()
}
