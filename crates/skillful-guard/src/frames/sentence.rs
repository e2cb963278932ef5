//! Prose → sentences with the concepts that each speaks of.

use std::ops::Range;

use super::address;
use super::vocabulary::{
    Concept, Concepts, Mention, Mood, NOT, STRANGER, Vocabulary, bit, is_close,
};
use super::{Purpose, vocabulary::Sequence};
use crate::context::Unit;
use crate::limits::SENTENCE_BYTES;
use crate::text::floor;

/// Most words of concepts in a sentence that says something.
const MENTIONS: usize = 90;

/// Longest address that is known as one, in bytes.
const ADDRESS_BYTES: usize = 100;

/// Longest circumstance that an order follows without a comma, in bytes.
const CIRCUMSTANCE_BYTES: usize = 60;

/// A sentence, or an item of a list.
#[derive(Clone, Debug, Default)]
pub(super) struct Sentence {
    /// Sorted by place.
    pub mentions: Vec<Mention>,
    /// What it speaks of, save what a negation turns.
    pub concepts: Concepts,
    /// What it speaks of after a negation.
    pub negated: Concepts,
    /// What somebody is told to do.
    pub told: Concepts,
    /// A number that the sentences under the same headings share.
    pub section: usize,
}

impl Sentence {
    /// The sentences of a unit of prose, in order.
    pub(super) fn all(unit: &Unit, vocabulary: &Vocabulary, purpose: &Purpose) -> Vec<Self> {
        let text = unit.view.text();
        let mut mentions = vocabulary.mentions(text);
        let strangers: Vec<_> = address::strangers(text, &purpose.text).collect();
        // The words of an address are a name.
        mentions.retain(|mention| {
            let after = strangers.partition_point(|(range, _)| range.start <= mention.start);
            let before = after.checked_sub(1).and_then(|place| strangers.get(place));
            before.is_none_or(|(range, _)| range.end <= mention.start)
        });
        mentions.retain(|mention| !is_in_address(text, mention.start));
        for (range, kind) in strangers {
            for name in [Some(STRANGER), kind].into_iter().flatten() {
                let Ok(concept) = vocabulary.concept(name) else {
                    continue;
                };
                mentions.push(Mention {
                    start: range.start,
                    end: range.end,
                    concept,
                    negated: false,
                    mood: Mood::Any,
                });
            }
        }
        mentions.sort_unstable();
        let Ok(not) = vocabulary.concept(NOT) else {
            return Vec::new();
        };
        let mut sentences = Vec::new();
        let mut section = 0;
        let mut headings = None;
        for block in &unit.blocks {
            if headings.is_some_and(|last| last != &*block.headings) {
                section += 1;
            }
            headings = Some(&*block.headings);
            for range in ranges(text, &block.range) {
                let first = mentions.partition_point(|mention| mention.start < range.start);
                let after = mentions.partition_point(|mention| mention.start < range.end);
                let mut sentence = Self {
                    mentions: mentions.get(first..after).unwrap_or_default().to_vec(),
                    section,
                    ..Self::default()
                };
                sentence.understand(text, range.start, not, &vocabulary.sequences);
                sentences.push(sentence);
            }
        }
        sentences
    }

    fn understand(&mut self, text: &str, start: usize, not: Concept, sequences: &[Sequence]) {
        // Nobody speaks of so much in a sentence: that is a list of words.
        if self.mentions.len() > MENTIONS {
            self.mentions.clear();
        }
        if self.mentions.is_empty() {
            return;
        }
        for sequence in sequences {
            self.join(text, sequence);
        }
        self.mentions.sort_unstable();
        let negations: Vec<(usize, usize)> = self
            .mentions
            .iter()
            .filter(|mention| mention.concept == not)
            .map(|mention| (mention.start, mention.end))
            .collect();
        for mention in &mut self.mentions {
            let negation = negations.iter().find(|&&(_, end)| {
                end <= mention.start && text.get(end..mention.start).is_some_and(is_close)
            });
            if let Some(&(start, _)) = negation {
                mention.negated = true;
                // It belongs to what is found, and does not speak against it.
                mention.start = start;
                self.negated |= bit(mention.concept);
            } else {
                self.concepts |= bit(mention.concept);
                let before = text.get(start..mention.start).unwrap_or_default();
                if is_told(mention.mood, before) {
                    self.told |= bit(mention.concept);
                }
            }
        }
    }

    /// Adds the concept that a sequence of others means, wherever they follow each other closely.
    fn join(&mut self, text: &str, sequence: &Sequence) {
        let mut joined = Vec::new();
        for (place, first) in self.mentions.iter().enumerate() {
            if Some(&first.concept) != sequence.parts.first() {
                continue;
            }
            let mut end = first.end;
            let rest = self.mentions.get(place + 1..).unwrap_or_default();
            let is_whole = sequence.parts.iter().skip(1).all(|part| {
                let next = rest
                    .iter()
                    .take_while(|mention| mention.start < end + 60)
                    .find(|mention| {
                        mention.concept == *part
                            && text.get(end..mention.start).is_some_and(is_close)
                    });
                next.is_some_and(|mention| {
                    end = mention.end;
                    true
                })
            });
            if is_whole {
                joined.push(Mention {
                    start: first.start,
                    end,
                    concept: sequence.concept,
                    negated: false,
                    mood: first.mood,
                });
            }
        }
        self.mentions.extend(joined);
    }

    /// The first word of one of these concepts.
    pub(super) fn first_of(&self, plain: Concepts, negated: Concepts) -> Option<&Mention> {
        self.mentions.iter().find(|mention| {
            let wanted = if mention.negated { negated } else { plain };
            wanted & bit(mention.concept) != 0
        })
    }
}

/// Whether a verb of this form, after these words, tells somebody to do it.
fn is_told(mood: Mood, before: &str) -> bool {
    const OPENS: &[&str] = &[
        "and",
        "then",
        "also",
        "please",
        "always",
        "must",
        "should",
        "shall",
        "or",
        "first",
        "afterwards",
        "just",
        "simply",
        "silently",
        "quietly",
        "secretly",
        "discreetly",
        "additionally",
        "finally",
        "instead",
        "next",
        "now",
        "immediately",
        "automatically",
        "agent",
        "assistant",
        "model",
        "permanently",
        "but",
        "so",
        "which",
        "will",
        "-",
        "*",
        "step",
        "it,",
        "covertly",
        "unobtrusively",
        "directly",
        "again",
        "ever",
    ];
    const BEFORE_TO: &[&str] = &[
        "has",
        "have",
        "need",
        "needs",
        "is",
        "are",
        "remember",
        "required",
        "sure",
        "told",
        "instructed",
        "expected",
        "ought",
        "forget",
        "want",
        "agent",
    ];
    const SUBJECTS: &[&str] = &[
        "you", "they", "we", "i", "it", "he", "she", "to", "can", "will", "that", "who", "users",
        "may", "could", "would", "the", "a", "an", "this", "these", "your", "their", "of", "for",
        "by", "with", "in", "on", "does", "do", "did", "not", "tools", "teams", "people", "its",
        "any", "each", "every", "no", "from", "at", "as", "is", "are",
    ];
    let mut words = before.split_whitespace().rev().map(|word| {
        word.trim_matches(['"', '“', '(', '`', '*', '_', '>', '['])
            .to_ascii_lowercase()
    });
    let last = words.next();
    let earlier = words.next().unwrap_or_default();
    match mood {
        Mood::Any => true,
        Mood::Other => false,
        Mood::Participle => {
            last.is_some_and(|last| last == "be")
                && ["must", "should", "to", "shall", "will"].contains(&&*earlier)
        }
        Mood::Base => last.is_none_or(|last| {
            last.is_empty()
                || last.ends_with([',', ';', ':', '—', '–', '.', ')'])
                || last.chars().all(|c| c.is_ascii_digit())
                || OPENS.contains(&&*last)
                || last == "to" && BEFORE_TO.contains(&&*earlier)
                || before.len() <= CIRCUMSTANCE_BYTES
                    && opens_with_circumstance(before)
                    && !SUBJECTS.contains(&&*last)
        }),
    }
}

/// Whether a sentence begins with when or where, so that its order comes later.
fn opens_with_circumstance(before: &str) -> bool {
    const OPENINGS: &[&str] = &[
        "in", "for", "on", "after", "before", "once", "at", "during", "every", "each", "whenever",
        "upon", "with", "when", "if", "while", "from", "until",
    ];
    let first = before.split_whitespace().next().unwrap_or_default();
    OPENINGS
        .iter()
        .any(|opening| first.eq_ignore_ascii_case(opening))
}

/// Whether a place lies in an address after its scheme, where words are names.
fn is_in_address(text: &str, at: usize) -> bool {
    let before = text.as_bytes().get(at.saturating_sub(ADDRESS_BYTES)..at);
    let before = before.unwrap_or_default();
    let start = before
        .iter()
        .rposition(|byte| byte.is_ascii_whitespace() || b"`<\"'(".contains(byte));
    let word = before.get(start.map_or(0, |place| place + 1)..);
    word.is_some_and(|word| memchr::memmem::find(word, b"://").is_some())
}

/// Where the sentences of a block stand. What goes on for too long is cut.
fn ranges(text: &str, block: &Range<usize>) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = block.start;
    let inside = text.get(block.clone()).unwrap_or_default();
    for (at, character) in inside.char_indices() {
        let at = block.start + at;
        let after = at + character.len_utf8();
        let ends = match character {
            '。' | '！' | '？' | '\n' => true,
            // The end of an element of HTML.
            '<' => text
                .get(after..block.end)
                .is_some_and(|rest| rest.starts_with('/')),
            '.' | '!' | '?' => {
                let rest = text.get(after..block.end).unwrap_or_default();
                let rest = rest.trim_start_matches(['"', '”', '\'', ')', '*', '`', '»']);
                (rest.is_empty() || rest.starts_with(char::is_whitespace))
                    && !is_abbreviation(text.get(start..at).unwrap_or_default())
            }
            _ => at - start >= SENTENCE_BYTES,
        };
        if ends {
            ranges.push(start..after);
            start = after;
        }
    }
    let end = floor(text, block.end);
    if start < end {
        ranges.push(start..end);
    }
    ranges
}

/// Whether a dot after this text belongs to its last word.
fn is_abbreviation(before: &str) -> bool {
    let last = before.rsplit([' ', '(']).next().unwrap_or_default();
    [
        "e.g", "i.e", "vs", "etc", "cf", "no", "nr", "z.B", "incl", "approx",
    ]
    .iter()
    .any(|known| last.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_a_reader_pauses() {
        let text = "Do this, e.g. with a.b. Then that! Übrig";
        let found: Vec<&str> = ranges(text, &(0..text.len()))
            .into_iter()
            .map(|range| text.get(range).unwrap().trim())
            .collect();
        assert_eq!(found, ["Do this, e.g. with a.b.", "Then that!", "Übrig"]);
    }
}
