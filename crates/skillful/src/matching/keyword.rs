//! Phrases: `keyword:…` and `!…`, found in a message as whole words.
//!
//! Case, accents of width and the amount of white space do not matter. A phrase must begin and end where words do, save
//! in scripts without blanks, where it may stand anywhere.

use std::collections::HashSet;

use skillmd::trigger::Trigger;
use unicode_normalization::UnicodeNormalization as _;

use super::Kind;
use crate::limits;
use crate::search::words::{Piece, beginning, is_dense, is_word, pieces};

/// What is added to the score for each word of a phrase beyond the first, and how much at most.
const FOR_LENGTH: (f64, f64) = (0.1, 0.3);

/// A message, ready to be searched for thousands of phrases.
pub(super) struct MessageText {
    text: String,
    /// All its words and pairs of characters. A phrase none of whose beginnings is among them need not be looked for.
    pieces: HashSet<String>,
}

/// A phrase that a message contains.
pub(super) struct Found<'t> {
    /// As its author wrote it.
    pub(super) phrase: &'t str,
    words: usize,
}

impl Found<'_> {
    /// Longer phrases are surer.
    pub(super) fn score(&self) -> f64 {
        let (step, most) = FOR_LENGTH;
        let beyond = u32::try_from(self.words.saturating_sub(1)).unwrap_or(u32::MAX);
        Kind::Keyword.score() + (f64::from(beyond) * step).min(most)
    }
}

impl MessageText {
    pub(super) fn new(text: &str) -> Self {
        let text = plain(beginning(text, limits::MESSAGE_BYTES));
        let mut found = HashSet::new();
        pieces(&text, |piece| {
            let (Piece::Word(piece) | Piece::Pair(piece)) = piece;
            if !found.contains(piece) {
                found.insert(piece.to_owned());
            }
        });
        Self {
            text,
            pieces: found,
        }
    }

    /// The longest phrase among these triggers that the message contains; none when it contains one that it must not.
    pub(super) fn phrase_of<'t>(&self, triggers: &'t [Trigger]) -> Option<Found<'t>> {
        let mut best: Option<Found<'t>> = None;
        for trigger in triggers.iter().take(limits::TRIGGERS) {
            match trigger {
                Trigger::NotKeyword(phrase) if self.contains(phrase).is_some() => return None,
                Trigger::Keyword(phrase) => {
                    if let Some(words) = self.contains(phrase)
                        && best.as_ref().is_none_or(|best| words > best.words)
                    {
                        best = Some(Found { phrase, words });
                    }
                }
                Trigger::NotKeyword(_) | Trigger::Command(_) | Trigger::Schedule(_) => {}
            }
        }
        best
    }

    /// Of how many words or pairs the phrase is, if the message contains it.
    fn contains(&self, phrase: &str) -> Option<usize> {
        if phrase.len() > limits::PHRASE_BYTES {
            return None;
        }
        let phrase = plain(phrase);
        let (mut words, mut may_be) = (0, true);
        pieces(&phrase, |piece| {
            let (Piece::Word(piece) | Piece::Pair(piece)) = piece;
            words += 1;
            // A character that stands alone in the phrase may be part of a pair in the message.
            may_be &= piece.chars().all(is_dense) || self.pieces.contains(piece);
        });
        let is_there = may_be && !phrase.is_empty() && self.stands_alone(&phrase);
        is_there.then_some(words)
    }

    /// Whether the phrase occurs with borders of words around it.
    fn stands_alone(&self, phrase: &str) -> bool {
        let (first, last) = (phrase.chars().next(), phrase.chars().next_back());
        self.text.match_indices(phrase).any(|(start, found)| {
            let before = self
                .text
                .get(..start)
                .and_then(|text| text.chars().next_back());
            let after = self
                .text
                .get(start + found.len()..)
                .and_then(|text| text.chars().next());
            !goes_on(before, first) && !goes_on(last, after)
        })
    }
}

/// Whether two neighbouring characters belong to one word.
fn goes_on(left: Option<char>, right: Option<char>) -> bool {
    left.is_some_and(is_word) && right.is_some_and(is_word)
}

/// The text in lower case, compatibility characters replaced, white space made single blanks.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !plain.is_empty() {
            plain.push(' ');
        }
        if word.is_ascii() {
            plain.extend(word.chars().map(|character| character.to_ascii_lowercase()));
        } else {
            plain.extend(word.nfkc().flat_map(char::to_lowercase));
        }
    }
    plain
}
