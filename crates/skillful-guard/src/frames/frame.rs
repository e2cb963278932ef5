//! Frames: which concepts must come together for a sentence to ask for harm.

use serde::Deserialize;

use super::sentence::Sentence;
use super::vocabulary::{Concepts, Vocabulary, bit};
use crate::rules::{Hit, RuleError};

/// The frames of a rule, any of which is a match.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Meaning {
    /// The kinds of sentences that ask for this harm.
    pub frames: Vec<Frame>,
}

/// Concepts that mean something together. Each entry is a list of names with `|` between them, one of which must be
/// there. `!` before a name asks for it after a negation, `^` for an act that somebody is told to do.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Frame {
    /// What one sentence must speak of.
    pub sentence: Vec<String>,
    /// What it, or one sentence close to it under the same heading, must speak of.
    #[serde(default)]
    pub beside: Vec<String>,
    /// What the sentence must not speak of.
    #[serde(default)]
    pub unless: Vec<String>,
    /// What excuses it where the skill says that it is for that.
    #[serde(default)]
    pub excused: Vec<String>,
}

/// How many sentences before and after one are close to it.
const BESIDE: usize = 2;

#[derive(Clone, Copy, Debug, Default)]
struct Wanted {
    plain: Concepts,
    negated: Concepts,
    told: Concepts,
}

/// A frame of a rule, ready to be looked for.
#[derive(Debug)]
pub(super) struct Compiled {
    rule: String,
    sentence: Vec<Wanted>,
    beside: Vec<Wanted>,
    unless: Wanted,
    excused: Concepts,
}

impl Compiled {
    pub(super) fn new(
        rule: &str,
        frame: &Frame,
        vocabulary: &Vocabulary,
    ) -> Result<Self, RuleError> {
        let all = |lists: &[String]| -> Result<Vec<Wanted>, RuleError> {
            lists
                .iter()
                .map(|list| Wanted::read(list, vocabulary))
                .collect()
        };
        let any = |lists: &[String]| -> Result<Wanted, RuleError> {
            Wanted::read(&lists.join("|"), vocabulary)
        };
        Ok(Self {
            rule: rule.to_owned(),
            sentence: all(&frame.sentence)?,
            beside: all(&frame.beside)?,
            unless: any(&frame.unless)?,
            excused: any(&frame.excused)?.plain,
        })
    }

    /// Whether the skill is for what the frame would take for harm.
    pub(super) fn is_excused(&self, purpose: Concepts) -> bool {
        self.excused & purpose != 0
    }

    /// The sentences that fill the frame.
    pub(super) fn find<'f>(&'f self, sentences: &[Sentence]) -> Vec<Hit<'f>> {
        let mut hits = Vec::new();
        for (place, sentence) in sentences.iter().enumerate() {
            if !self.sentence.iter().all(|wanted| wanted.is_in(sentence))
                || self.unless.is_in(sentence)
            {
                continue;
            }
            let from = place.saturating_sub(BESIDE);
            let near = || {
                let near = sentences.get(from..(place + BESIDE + 1).min(sentences.len()));
                near.unwrap_or_default()
                    .iter()
                    .filter(|other| other.section == sentence.section)
            };
            let is_beside = |other: &Sentence| self.beside.iter().all(|wanted| wanted.is_in(other));
            if !self.beside.is_empty() && !near().any(is_beside) {
                continue;
            }
            let words = self
                .sentence
                .iter()
                .filter_map(|wanted| sentence.first_of(wanted.plain | wanted.told, wanted.negated));
            let range = words.fold(None, |range: Option<(usize, usize)>, word| {
                let (start, end) = range.unwrap_or((word.start, word.end));
                Some((start.min(word.start), end.max(word.end)))
            });
            hits.extend(range.map(|range| Hit {
                name: &self.rule,
                range,
            }));
        }
        hits
    }
}

impl Wanted {
    fn read(list: &str, vocabulary: &Vocabulary) -> Result<Self, RuleError> {
        let mut wanted = Self::default();
        for name in list
            .split('|')
            .map(str::trim)
            .filter(|name| !name.is_empty())
        {
            if let Some(name) = name.strip_prefix('!') {
                wanted.negated |= bit(vocabulary.concept(name)?);
            } else if let Some(name) = name.strip_prefix('^') {
                wanted.told |= bit(vocabulary.concept(name)?);
            } else {
                wanted.plain |= bit(vocabulary.concept(name)?);
            }
        }
        Ok(wanted)
    }

    fn is_in(self, sentence: &Sentence) -> bool {
        sentence.concepts & self.plain != 0
            || sentence.negated & self.negated != 0
            || sentence.told & self.told != 0
    }
}
