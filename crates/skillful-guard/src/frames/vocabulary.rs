//! The concepts, and one automaton over all their words.

use aho_corasick::{AhoCorasick, MatchKind};
use serde::Deserialize;

use super::inflect;
use crate::rules::{RuleError, spellings};

/// A set of concepts, one bit for each.
pub(super) type Concepts = u128;

/// The place of a concept in the table, which is its bit.
pub(super) type Concept = u32;

/// An address of a place that the skill does not speak of. It has no words.
pub(super) const STRANGER: &str = "stranger";
/// A mail address of such a place.
pub(super) const STRANGER_MAIL: &str = "stranger-mail";
/// An address there of an archive or a program.
pub(super) const STRANGER_PROGRAM: &str = "stranger-program";
/// An address there with a place in it for data.
pub(super) const STRANGER_TEMPLATE: &str = "stranger-template";
/// What turns the meaning of the words after it.
pub(super) const NOT: &str = "not";

/// Most words between two parts of a sequence.
const GAP_WORDS: usize = 3;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    concept: Vec<Entry>,
}

/// One concept of the table. The lists are separated by commas.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    /// As they are; `*` at the end stands for any ending.
    #[serde(default)]
    words: String,
    /// English verbs, of which all forms are meant.
    #[serde(default)]
    verbs: String,
    /// Participles of English verbs that no rule makes.
    #[serde(default)]
    participles: String,
    /// English nouns, of which the plural is meant as well.
    #[serde(default)]
    nouns: String,
    /// Names of concepts that mean this one when they follow each other closely.
    #[serde(default)]
    sequences: Vec<String>,
}

/// A word of a concept, found in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mention {
    pub start: usize,
    pub end: usize,
    pub concept: Concept,
    /// Whether a negation turns it.
    pub negated: bool,
    /// The form it has.
    pub mood: Mood,
}

/// What form a word has, as far as that says whether somebody is told to do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mood {
    /// No verb, or a language whose forms say nothing here.
    Any,
    /// As in “send it”.
    Base,
    /// As in “must be sent”.
    Participle,
    /// As in “it sends”.
    Other,
}

#[derive(Clone, Copy, Debug)]
struct Word {
    concept: Concept,
    mood: Mood,
    /// Whether letters may follow.
    is_open: bool,
    /// Whether it is of a script that writes without blanks.
    is_dense: bool,
}

/// Concepts that mean another one together.
#[derive(Debug)]
pub(super) struct Sequence {
    pub concept: Concept,
    pub parts: Vec<Concept>,
}

/// All concepts.
#[derive(Debug)]
pub(super) struct Vocabulary {
    pub names: Vec<String>,
    automaton: AhoCorasick,
    words: Vec<Word>,
    pub sequences: Vec<Sequence>,
}

impl Vocabulary {
    pub(super) fn read(table: &str) -> Result<Self, RuleError> {
        let table: Table =
            toml::from_str(table).map_err(|source| RuleError::Words(Box::new(source)))?;
        let mut names: Vec<String> = [STRANGER, STRANGER_MAIL, STRANGER_PROGRAM, STRANGER_TEMPLATE]
            .map(str::to_owned)
            .to_vec();
        names.extend(table.concept.iter().map(|entry| entry.name.clone()));
        let mut vocabulary = Self {
            names,
            automaton: AhoCorasick::new([""]).map_err(|error| pattern_error("concepts", &error))?,
            words: Vec::new(),
            sequences: Vec::new(),
        };
        if vocabulary.names.len() > Concepts::BITS as usize {
            return Err(pattern_error(
                "concepts",
                &"there are more than a set has bits",
            ));
        }
        let mut spelt = Vec::new();
        for entry in &table.concept {
            let concept = vocabulary.concept(&entry.name)?;
            for (form, mood) in entry.forms() {
                vocabulary.add(concept, &form, mood, &mut spelt);
            }
            for sequence in &entry.sequences {
                let parts: Result<Vec<Concept>, RuleError> = sequence
                    .split_whitespace()
                    .map(|part| vocabulary.concept(part))
                    .collect();
                vocabulary.sequences.push(Sequence {
                    concept,
                    parts: parts?,
                });
            }
        }
        vocabulary.automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .build(&spelt)
            .map_err(|error| pattern_error("concepts", &error))?;
        Ok(vocabulary)
    }

    fn add(&mut self, concept: Concept, form: &str, mood: Mood, spelt: &mut Vec<String>) {
        let (bare, is_open) = match form.strip_suffix('*') {
            Some(stem) => (stem, true),
            None => (form, false),
        };
        let is_dense = bare.chars().next().is_some_and(|first| first >= '\u{2e80}');
        let mut variants = vec![bare.to_owned()];
        if bare.contains('\'') {
            variants.push(bare.replace('\'', "’"));
        }
        for spelling in variants.iter().flat_map(|variant| spellings(variant)) {
            spelt.push(spelling);
            self.words.push(Word {
                concept,
                mood,
                is_open,
                is_dense,
            });
        }
    }

    /// The concept of this name.
    pub(super) fn concept(&self, name: &str) -> Result<Concept, RuleError> {
        let place = self.names.iter().position(|known| known == name);
        place
            .and_then(|place| Concept::try_from(place).ok())
            .ok_or_else(|| pattern_error(name, &"there is no such concept"))
    }

    /// The names that sequences are made of.
    #[cfg(test)]
    pub(super) fn parts(&self) -> impl Iterator<Item = String> {
        let parts = self.sequences.iter().flat_map(|sequence| &sequence.parts);
        let names = parts.filter_map(|part| self.names.get(usize::try_from(*part).ok()?));
        names.cloned().chain([NOT.to_owned()])
    }

    /// All words of concepts in a text, sorted by place.
    pub(super) fn mentions(&self, text: &str) -> Vec<Mention> {
        let mut found: Vec<Mention> = self
            .automaton
            .find_overlapping_iter(text)
            .filter_map(|hit| {
                let word = self.words.get(hit.pattern().as_usize())?;
                let end = word.end(text, hit.start(), hit.end())?;
                Some(Mention {
                    start: hit.start(),
                    end,
                    concept: word.concept,
                    negated: false,
                    mood: word.mood,
                })
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The concepts that a short text speaks of.
    pub(super) fn concepts_in(&self, text: &str) -> Concepts {
        self.mentions(text)
            .iter()
            .fold(0, |all, mention| all | bit(mention.concept))
    }
}

impl Entry {
    fn forms(&self) -> Vec<(String, Mood)> {
        let mut forms: Vec<(String, Mood)> = Vec::new();
        forms.extend(items(&self.words).map(|word| (word, Mood::Any)));
        forms.extend(items(&self.participles).map(|word| (word, Mood::Participle)));
        for verb in items(&self.verbs) {
            for (place, form) in inflect::verb(&verb).into_iter().enumerate() {
                let is_past = form
                    .split(' ')
                    .next()
                    .is_some_and(|verb| verb.ends_with("ed"));
                let mood = match place {
                    0 => Mood::Base,
                    _ if is_past => Mood::Participle,
                    _ => Mood::Other,
                };
                forms.push((form, mood));
            }
        }
        for noun in items(&self.nouns) {
            forms.extend(
                inflect::noun(&noun)
                    .into_iter()
                    .map(|form| (form, Mood::Any)),
            );
        }
        forms
    }
}

/// The entries of a list in the table.
fn items(list: &str) -> impl Iterator<Item = String> {
    list.split(',')
        .map(|item| item.split_whitespace().collect::<Vec<&str>>().join(" "))
        .filter(|item| !item.is_empty())
}

impl Word {
    /// Where the word ends in the text; nothing if it is only a part of another.
    fn end(self, text: &str, start: usize, end: usize) -> Option<usize> {
        if self.is_dense {
            return Some(end);
        }
        let before = text.get(..start)?.chars().next_back();
        if before.is_some_and(is_letter) && text.get(start..)?.starts_with(is_letter) {
            return None;
        }
        let rest = text.get(end..)?;
        if self.is_open {
            let length = rest.find(|c: char| !is_letter(c)).unwrap_or(rest.len());
            return Some(end + length);
        }
        let inside = text.get(..end)?.ends_with(is_letter);
        (!inside || !rest.starts_with(is_letter)).then_some(end)
    }
}

/// The bit of a concept.
pub(super) fn bit(concept: Concept) -> Concepts {
    1 << concept
}

/// Whether so little stands between two words that the one belongs to the other.
pub(super) fn is_close(between: &str) -> bool {
    between.matches(' ').count() <= GAP_WORDS + 1
        && between.len() <= if between.is_ascii() { 60 } else { 24 }
        && !between.contains([',', ';', ':', '(', ')', '—', '，', '；', '：', '、'])
}

fn is_letter(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

pub(super) fn pattern_error(name: &str, message: &dyn std::fmt::Display) -> RuleError {
    RuleError::Pattern {
        rule: name.to_owned(),
        message: message.to_string(),
    }
}
