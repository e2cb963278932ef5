//! Text → terms, and how much each counts for its skill.
//!
//! Terms are numbers: each worker has a dictionary of its own, and the index brings them together. What a word means is
//! worked out once a worker; texts repeat their words, so that most of the work is one look into a table.

use super::document::Document;
use super::filler::is_function_word;
use super::interner::Interner;
use super::stem::stem;
use super::words::{Piece, folded, parts, pieces};

/// What a text says about its skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Name,
    Description,
    When,
    Tags,
    Headings,
    Body,
}

/// How a field counts (BM25F).
pub(super) struct Weight {
    /// What one occurrence counts.
    occurrence: f32,
    /// A usual length, in terms. In a field that is longer each occurrence counts less. Fixed, and not the library's
    /// average, so that what a skill is worth does not depend on the others.
    usual_length: f32,
    /// How much of that is applied, from 0 to 1.
    length_share: f32,
}

impl Field {
    const fn weight(self) -> Weight {
        let (occurrence, usual_length, length_share) = match self {
            Self::Name => (3.0, 3.0, 0.5),
            Self::Description => (2.0, 40.0, 0.6),
            Self::When => (2.0, 25.0, 0.6),
            Self::Tags => (2.0, 6.0, 0.5),
            Self::Headings => (0.7, 40.0, 0.7),
            Self::Body => (0.25, 500.0, 0.8),
        };
        Weight {
            occurrence,
            usual_length,
            length_share,
        }
    }

    /// Whether it is part of what a list shows. What people type is meant for these words.
    pub(super) const fn is_head(self) -> bool {
        !matches!(self, Self::Headings | Self::Body)
    }
}

/// How fast further occurrences stop counting (BM25's k1).
const SATURATION: f32 = 2.0;

/// Number of a term in a dictionary.
pub(super) type Term = u32;

/// What a term is worth for a skill, in one byte: seven bits for how much, one for whether it is in the skill's head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Worth(u8);

impl Worth {
    /// Most that the seven bits can say.
    const STEPS: f32 = 127.0;

    /// `share` is from 0 to 1. Nothing that occurs is worth nothing.
    fn new(share: f32, in_head: bool) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "from 1 to 127"
        )]
        let steps = (share * Self::STEPS).round().clamp(1.0, Self::STEPS) as u8;
        Self(steps << 1 | u8::from(in_head))
    }

    pub(super) const fn of_byte(byte: u8) -> Self {
        Self(byte)
    }

    pub(super) const fn byte(self) -> u8 {
        self.0
    }

    /// From 0 to 1.
    pub(super) fn share(self) -> f32 {
        f32::from(self.0 >> 1) / Self::STEPS
    }

    /// Whether the term is in name, description, when or tags.
    pub(super) const fn in_head(self) -> bool {
        self.0 & 1 == 1
    }
}

/// The terms of one skill.
#[derive(Debug, Default)]
pub(super) struct Analysed {
    /// Terms of all fields with their worth, each once.
    pub(super) terms: Vec<(Term, Worth)>,
    /// Terms of the name, sorted.
    pub(super) name: Vec<Term>,
}

/// A word that was met before.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// Its first term. It is the only one unless the word is glued together from others.
    first: Term,
    /// Where the others stand in [`Analyser::more`].
    more: (u32, u32),
    is_function_word: bool,
}

/// Brings texts into terms.
#[derive(Debug, Default)]
pub(super) struct Analyser {
    terms: Interner,
    /// Words as they are written.
    words: Interner,
    /// What is known of each of them.
    known: Vec<Known>,
    /// Terms of glued words beside their first.
    more: Vec<Term>,
    /// Weight of each term in the document at hand, and whether it is in its head.
    weights: Vec<(f32, bool)>,
    /// The terms with a weight.
    touched: Vec<Term>,
    /// Terms of the field at hand.
    field: Vec<Term>,
}

impl Analyser {
    /// All terms, by their numbers.
    pub(super) fn into_terms(self) -> Interner {
        self.terms
    }

    /// The terms of a document.
    pub(super) fn analyse(&mut self, document: &Document<'_>) -> Analysed {
        self.read(document.name, true);
        if document.id != document.name {
            self.read(document.id, true);
        }
        self.field.sort_unstable();
        self.field.dedup();
        let name = self.field.clone();
        self.count(Field::Name);
        self.read(&document.description, false);
        self.count(Field::Description);
        self.read(&document.when, false);
        self.count(Field::When);
        for tag in &document.tags {
            self.read(tag, true);
        }
        self.count(Field::Tags);
        self.read_body(&document.body);
        let terms = self.take();
        Analysed { terms, name }
    }

    fn read_body(&mut self, body: &str) {
        for line in body.lines().filter(|line| line.starts_with('#')) {
            self.read(line, false);
        }
        self.count(Field::Headings);
        for line in body.lines().filter(|line| !line.starts_with('#')) {
            self.read(line, false);
        }
        self.count(Field::Body);
    }

    /// Adds the terms of a text to the field at hand. Function words are kept where every word was chosen.
    fn read(&mut self, text: &str, keeps_all: bool) {
        pieces(text, |piece| match piece {
            Piece::Word(word) => self.word(word, keeps_all),
            Piece::Pair(pair) => {
                let term = self.term(pair);
                self.field.push(term);
            }
        });
    }

    fn word(&mut self, word: &str, keeps_all: bool) {
        let (number, is_new) = self.words.number(word);
        if is_new {
            let known = self.learn(word);
            self.known.push(known);
        }
        let Some(&known) = self.known.get(number as usize) else {
            return;
        };
        if keeps_all || !known.is_function_word {
            self.field.push(known.first);
            let (start, end) = known.more;
            self.field.extend(
                self.more
                    .get(start as usize..end as usize)
                    .into_iter()
                    .flatten(),
            );
        }
    }

    /// Works out what a word means.
    fn learn(&mut self, word: &str) -> Known {
        let folded = folded(word);
        let first = self.term(&stem(&folded));
        let start = self.more.len();
        for part in parts(word) {
            let term = self.term(&stem(&super::words::folded(part)));
            self.more.push(term);
        }
        let place = |place| u32::try_from(place).unwrap_or(u32::MAX);
        Known {
            first,
            more: (place(start), place(self.more.len())),
            is_function_word: is_function_word(&folded),
        }
    }

    fn term(&mut self, term: &str) -> Term {
        let (number, is_new) = self.terms.number(term);
        if is_new {
            self.weights.push((0.0, false));
        }
        number
    }

    /// Counts the terms of the field at hand, and begins a new one.
    fn count(&mut self, field: Field) {
        let weight = field.weight();
        let length = self.field.len() as f32 / weight.usual_length;
        let share = weight.occurrence / (1.0 - weight.length_share + weight.length_share * length);
        for term in self.field.drain(..) {
            let Some((sum, in_head)) = self.weights.get_mut(term as usize) else {
                continue;
            };
            if *sum == 0.0 {
                self.touched.push(term);
            }
            *sum += share;
            *in_head |= field.is_head();
        }
    }

    /// The terms of the document at hand; the next one begins.
    fn take(&mut self) -> Vec<(Term, Worth)> {
        let weights = &mut self.weights;
        self.touched
            .drain(..)
            .filter_map(|term| {
                let (sum, in_head) = std::mem::take(weights.get_mut(term as usize)?);
                Some((term, Worth::new(sum / (SATURATION + sum), in_head)))
            })
            .collect()
    }
}
