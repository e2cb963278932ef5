//! A request → what to look for: for every word the terms that stand for it, each with the share that it counts.

use std::collections::BTreeSet;

use super::analysis::Term;
use super::filler::is_filler;
use super::index::Index;
use super::kin;
use super::stem::stem;
use super::words::{Piece, folded, parts, pieces};
use crate::limits;

/// What a word of another name counts beside the word itself.
const KIN: f32 = 0.75;
/// What the correction of a word counts that is in no skill.
const MENDED: f32 = 0.8;
/// What a term counts that only begins with the word.
const BEGUN: f32 = 0.6;
/// What a part of a glued word counts.
const PART: f32 = 0.6;
/// A word in no head and in no more bodies than this may be a slip that others made as well.
const RARE: u32 = 2;
/// Most terms that a prefix stands for.
const BEGINNINGS: usize = 16;

/// One word of a request.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    /// The word, folded.
    pub(super) word: String,
    /// The terms that stand for it, with what each counts.
    pub(super) terms: Vec<(Term, f32)>,
}

/// What a request asks for.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) clauses: Vec<Clause>,
    /// How many of its words no skill has anything for.
    pub(super) unknown: usize,
}

impl Request {
    /// Brings a request into terms of the index. `is_typing`: its last word may not be complete yet.
    pub(super) fn read(index: &Index, text: &str, is_typing: bool) -> Self {
        let words = words(text);
        let mut request = Self {
            clauses: Vec::new(),
            unknown: 0,
        };
        let mut seen = BTreeSet::new();
        for (place, (word, kin)) in words.iter().zip(kin::of_request(&words)).enumerate() {
            if !seen.insert(word.stem.as_str()) {
                continue;
            }
            let begins = is_typing && place + 1 == words.len();
            let mut terms = standing_for(index, word, begins, !kin.is_empty());
            terms.extend(
                kin.iter()
                    .filter_map(|other| Some((index.vocabulary.find(other)?, KIN))),
            );
            keep_best(&mut terms);
            if terms.is_empty() {
                request.unknown += usize::from(!word.is_pair);
            } else {
                request.clauses.push(Clause {
                    word: word.folded.clone(),
                    terms,
                });
            }
        }
        let pairs = words
            .windows(2)
            .filter_map(|pair| joined(index, pair.first()?, pair.get(1)?));
        request.clauses.extend(pairs);
        request
    }
}

/// A word of a request in its forms.
pub(super) struct Word {
    pub(super) written: String,
    pub(super) folded: String,
    pub(super) stem: String,
    is_pair: bool,
}

/// The words of a request, without those that every request is full of unless there are no others.
pub(super) fn words(request: &str) -> Vec<Word> {
    let mut words = Vec::new();
    pieces(request, |piece| {
        words.push(match piece {
            Piece::Word(word) => Word {
                written: word.to_owned(),
                folded: folded(word),
                stem: stem(&folded(word)),
                is_pair: false,
            },
            Piece::Pair(pair) => Word {
                written: pair.to_owned(),
                folded: pair.to_owned(),
                stem: pair.to_owned(),
                is_pair: true,
            },
        });
    });
    if words.iter().any(|word| !is_filler(&word.folded)) {
        words.retain(|word| !is_filler(&word.folded));
    }
    words.truncate(limits::QUERY_WORDS);
    words
}

/// The terms for a word: itself; if no skill has it, its parts; if none has those, what it may have been meant to be.
fn standing_for(index: &Index, word: &Word, begins: bool, has_kin: bool) -> Vec<(Term, f32)> {
    let vocabulary = &index.vocabulary;
    let mut terms: Vec<_> = vocabulary
        .find(&word.stem)
        .map(|term| (term, 1.0))
        .into_iter()
        .collect();
    if word.is_pair {
        return terms;
    }
    let is_head = |term: Term| index.spread(term).in_head;
    if begins {
        terms.extend(
            vocabulary
                .with_prefix(&word.folded)
                .filter(|&term| is_head(term) > 0)
                .take(BEGINNINGS)
                .map(|term| (term, BEGUN)),
        );
        return terms;
    }
    if terms.iter().any(|&(term, _)| is_head(term) > 0) {
        return terms;
    }
    let parts = parts(&word.written);
    terms.extend(
        parts
            .iter()
            .filter_map(|part| vocabulary.find(&stem(&folded(part))))
            .map(|term| (term, PART)),
    );
    let is_known = terms.iter().any(|&(term, _)| {
        let spread = index.spread(term);
        spread.in_head > 0 || spread.anywhere > RARE
    });
    if !is_known && !has_kin {
        let corrections = vocabulary.corrections(&word.stem, is_head);
        terms.extend(corrections.into_iter().map(|term| (term, MENDED)));
    }
    terms
}

/// `power point` is looked for as `powerpoint` as well.
fn joined(index: &Index, first: &Word, second: &Word) -> Option<Clause> {
    if first.is_pair || second.is_pair {
        return None;
    }
    let word = format!("{}{}", first.folded, second.folded);
    let term = index.vocabulary.find(&stem(&word))?;
    (index.spread(term).in_head > 0).then(|| Clause {
        word,
        terms: vec![(term, 1.0)],
    })
}

/// One entry for each term, the one that counts most.
fn keep_best(terms: &mut Vec<(Term, f32)>) {
    terms.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    terms.dedup_by_key(|(term, _)| *term);
}
