//! Instructions in plain prose, read by what they mean and not by how somebody has worded them.
//!
//! A *concept* is a wide list of words for one idea: to hide something from the user, to send something away, what only
//! the user may see, a place that the skill does not speak of. `concepts.toml` holds them, in several languages. A
//! *frame* says which ideas must come together, in one sentence and the ones beside it, for the sentence to ask for
//! harm. Frames are the triggers of the rules in `rules/data/meaning.toml`.
//!
//! ```text
//! text ─vocabulary→ mentions ─sentences→ sentences with their concepts, negated or not ─frames→ hits
//! ```
//!
//! One automaton finds all words of all concepts; what follows looks at one sentence at a time, which is bounded, so
//! that the work grows with the text alone.

mod address;
mod frame;
mod inflect;
mod sentence;
mod vocabulary;

pub use frame::{Frame, Meaning};

use frame::Compiled;
use sentence::Sentence;
use vocabulary::{Concepts, Vocabulary};

use crate::context::{Form, Unit};
use crate::rules::{Hit, RuleError};

/// The concepts and frames, compiled.
#[derive(Debug)]
pub(crate) struct Frames {
    vocabulary: Vocabulary,
    frames: Vec<Compiled>,
}

/// What the skill says of itself, as far as frames ask about it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Purpose {
    /// Its name and description, in lower case.
    pub text: String,
    concepts: Concepts,
}

/// Longest part of a frontmatter that is read as the skill's purpose, in bytes.
const PURPOSE_BYTES: usize = 2_000;

impl Frames {
    /// Reads the concepts, and compiles the frames of the rules.
    pub(crate) fn new<'r>(
        concepts: &str,
        rules: impl Iterator<Item = (&'r str, &'r Meaning)>,
    ) -> Result<Self, RuleError> {
        let vocabulary = Vocabulary::read(concepts)?;
        let mut frames = Vec::new();
        for (rule, meaning) in rules {
            for frame in &meaning.frames {
                frames.push(Compiled::new(rule, frame, &vocabulary)?);
            }
        }
        Ok(Self { vocabulary, frames })
    }

    /// What a skill's own frontmatter says that it is for.
    pub(crate) fn purpose(&self, document: &str) -> Purpose {
        let head = document
            .strip_prefix("---")
            .and_then(|rest| rest.split("\n---").next())
            .unwrap_or_default();
        let head = head
            .get(..crate::text::floor(head, PURPOSE_BYTES))
            .unwrap_or_default();
        let concepts = self.vocabulary.concepts_in(head);
        Purpose {
            text: head.to_lowercase(),
            concepts,
        }
    }

    /// The frames that a unit of prose fills.
    pub(crate) fn find(&self, unit: &Unit, purpose: &Purpose) -> Vec<Hit<'_>> {
        if unit.form != Form::Prose {
            return Vec::new();
        }
        let sentences = Sentence::all(unit, &self.vocabulary, purpose);
        let mut hits: Vec<Hit<'_>> = self
            .frames
            .iter()
            .filter(|frame| !frame.is_excused(purpose.concepts))
            .flat_map(|frame| frame.find(&sentences))
            .collect();
        hits.sort_unstable();
        hits.dedup_by(|next, kept| (next.name, next.range.0) == (kept.name, kept.range.0));
        hits
    }
}
