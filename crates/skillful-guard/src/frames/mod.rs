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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::context::read_markdown;
    use crate::rules::{RuleBook, Trigger};

    const CONCEPTS: &str = r#"
        [[concept]]
        name = "not"
        words = "never, do not, without"
        [[concept]]
        name = "send"
        verbs = "send"
        participles = "sent"
        words = "发送"
        [[concept]]
        name = "notes"
        nouns = "note"
        words = "笔记"
        [[concept]]
        name = "tell"
        verbs = "tell"
        [[concept]]
        name = "hide"
        words = "quiet*"
        sequences = ["not tell"]
    "#;

    fn frames(sentence: &[&str], beside: &[&str], unless: &[&str]) -> Frames {
        let texts = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect();
        let meaning = Meaning {
            frames: vec![Frame {
                sentence: texts(sentence),
                beside: texts(beside),
                unless: texts(unless),
                excused: Vec::new(),
            }],
        };
        Frames::new(CONCEPTS, std::iter::once(("rule", &meaning))).unwrap()
    }

    fn finds(frames: &Frames, text: &str) -> bool {
        let unit = read_markdown(text, 0).swap_remove(0);
        let purpose = frames.purpose("---\nname: hub-mail\n---\n");
        !frames.find(&unit, &purpose).is_empty()
    }

    #[test]
    fn an_act_counts_where_somebody_is_told_to_do_it() {
        let told = frames(&["^send", "notes"], &[], &[]);
        for text in [
            "Send the notes.\n",
            "Read it, then send the note.\n",
            "The notes must be sent.\n",
            "When you are done send the notes.\n",
            "完成后发送笔记。\n",
        ] {
            assert!(finds(&told, text), "{text}");
        }
        for text in [
            "The server sends the notes.\n",
            "Never send the notes.\n",
            "Tools that send notes are many.\n",
            "Resend the notes.\n",
            "Send it. Read the notes.\n",
        ] {
            assert!(!finds(&told, text), "{text}");
        }
    }

    #[test]
    fn a_negation_reaches_to_the_end_of_its_clause() {
        let not_sent = frames(&["!send"], &[], &[]);
        assert!(finds(&not_sent, "Do not ever send it.\n"));
        assert!(!finds(&not_sent, "Do not wait, send it.\n"));
    }

    #[test]
    fn a_sequence_is_a_concept_of_its_own() {
        let hidden = frames(&["hide"], &[], &[]);
        assert!(finds(&hidden, "Go quietly.\n") && finds(&hidden, "Do not ever tell.\n"));
        assert!(!finds(&hidden, "Tell it.\n"));
    }

    #[test]
    fn what_is_beside_stands_close_and_under_the_same_heading() {
        let both = frames(&["^send"], &["hide"], &["tell"]);
        assert!(finds(&both, "Send it.\n\n- Quietly.\n"));
        assert!(!finds(&both, "Send it.\n\n## Other\n\nQuietly.\n"));
        assert!(!finds(&both, "Send it. One. Two. Quietly.\n"));
        assert!(!finds(&both, "Send it and tell. Quietly.\n"));
    }

    #[test]
    fn an_address_is_strange_unless_the_skill_is_called_so() {
        let away = frames(&["^send", "stranger"], &[], &[]);
        assert!(finds(&away, "Send it to https://x.far-off.test/a.\n"));
        assert!(!finds(&away, "Send it to https://x.hub-mail.test/a.\n"));
        assert!(finds(
            &frames(&["stranger-mail"], &[], &[]),
            "Ask a.b@far-off.test\n"
        ));
    }

    #[test]
    fn a_list_of_words_is_no_sentence() {
        let told = frames(&["^send"], &[], &[]);
        assert!(!finds(&told, &"send, ".repeat(200)));
    }

    #[test]
    fn a_concept_that_does_not_exist_is_an_error() {
        let meaning = Meaning {
            frames: vec![Frame {
                sentence: vec!["^sent".to_owned()],
                ..Frame::default()
            }],
        };
        assert!(Frames::new(CONCEPTS, std::iter::once(("rule", &meaning))).is_err());
    }

    #[test]
    fn every_concept_is_used() {
        let book = RuleBook::built_in().unwrap();
        let frames = book.rules().filter_map(|rule| match &rule.trigger {
            Trigger::Meaning(meaning) => Some(&meaning.frames),
            _ => None,
        });
        let mut used: BTreeSet<String> = frames
            .flatten()
            .flat_map(|frame| {
                [
                    &frame.sentence,
                    &frame.beside,
                    &frame.unless,
                    &frame.excused,
                ]
                .into_iter()
                .flatten()
            })
            .flat_map(|list| list.split('|'))
            .map(|name| name.trim_start_matches(['!', '^']).to_owned())
            .collect();
        used.extend(book.frames.vocabulary.parts());
        let unused: Vec<&String> = book
            .frames
            .vocabulary
            .names
            .iter()
            .filter(|name| !used.contains(*name))
            .collect();
        assert!(unused.is_empty(), "{unused:?}");
    }
}
