//! The fast pass: one automaton over the anchors of all patterns, then only those regular expressions whose anchor was
//! there, and only around it. Most texts hold no anchor of most rules, and pay for none of them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::Pattern;
use super::book::RuleError;
use super::expression::{self, Expression};
use crate::budget::Budget;
use crate::context::{Form, Unit, Zone};
use crate::flow::names_outside_host;
use crate::limits::{AROUND, PATTERN_WINDOW};
use crate::text::{ceil, floor};

/// A pattern that was found in a unit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Hit<'p> {
    pub name: &'p str,
    /// In the unit's view.
    pub range: (usize, usize),
}

/// The compiled patterns of all rules and facts.
#[derive(Debug)]
pub(crate) struct Patterns {
    automaton: AhoCorasick,
    /// The pattern that each anchor of the automaton belongs to.
    owners: Vec<usize>,
    compiled: Vec<Compiled>,
}

#[derive(Debug)]
struct Compiled {
    name: String,
    anchors: Vec<String>,
    zones: Vec<Zone>,
    outside: bool,
    sources: Vec<String>,
    /// Expressions that must be found near a match.
    around: Vec<String>,
    sentence: bool,
    /// Compiled at first need: a scan needs few of them.
    expressions: OnceLock<Vec<Expression>>,
    around_expressions: OnceLock<Vec<Expression>>,
}

impl Patterns {
    pub(crate) fn new<'p>(
        patterns: impl Iterator<Item = (&'p str, &'p Pattern)>,
        words: &BTreeMap<String, String>,
    ) -> Result<Self, RuleError> {
        let mut anchors: Vec<String> = Vec::new();
        let mut owners = Vec::new();
        let mut compiled = Vec::new();
        for (name, pattern) in patterns {
            let error = |message: String| RuleError::Pattern {
                rule: name.to_owned(),
                message,
            };
            if pattern.anchors.is_empty() || pattern.anchors.iter().any(|anchor| anchor.len() < 2) {
                return Err(error("each needs anchors of two bytes or more".to_owned()));
            }
            for anchor in pattern.anchors.iter().flat_map(|anchor| spellings(anchor)) {
                anchors.push(anchor);
                owners.push(compiled.len());
            }
            let sources = pattern
                .patterns
                .iter()
                .map(|source| expand(source, words))
                .collect();
            compiled.push(Compiled {
                name: name.to_owned(),
                anchors: (pattern.anchors.iter())
                    .map(|anchor| anchor.to_ascii_lowercase())
                    .collect(),
                zones: pattern.zones.clone(),
                outside: pattern.outside,
                sources,
                around: pattern
                    .around
                    .iter()
                    .map(|source| expand(source, words))
                    .collect(),
                sentence: pattern.sentence,
                expressions: OnceLock::new(),
                around_expressions: OnceLock::new(),
            });
        }
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .build(&anchors)
            .map_err(|error| RuleError::Pattern {
                rule: "all".to_owned(),
                message: error.to_string(),
            })?;
        Ok(Self {
            automaton,
            owners,
            compiled,
        })
    }

    /// Compiles everything now and says what does not compile.
    pub(crate) fn check(&self) -> Result<(), RuleError> {
        for pattern in &self.compiled {
            for source in pattern.sources.iter().chain(&pattern.around) {
                Expression::new(source, &pattern.anchors).map_err(|error| RuleError::Pattern {
                    rule: pattern.name.clone(),
                    message: error.to_string(),
                })?;
            }
        }
        Ok(())
    }

    /// All patterns that are found in a unit, sorted, and whether every place was looked at: the bytes that are
    /// searched are taken from those that are left.
    pub(crate) fn find(&self, unit: &Unit, bytes_left: &mut usize) -> (Vec<Hit<'_>>, bool) {
        let text = unit.view.text();
        // By pattern, the places to look at, as ranges that do not overlap.
        let mut places: BTreeMap<usize, Vec<Range<usize>>> = BTreeMap::new();
        for anchor in self.automaton.find_overlapping_iter(text) {
            let Some(&owner) = self.owners.get(anchor.pattern().as_usize()) else {
                continue;
            };
            let Some(around) = self.place(unit, owner, anchor.start()) else {
                continue;
            };
            let known = places.entry(owner).or_default();
            match known.last_mut() {
                Some(last) if around.start <= last.end => last.end = last.end.max(around.end),
                _ => known.push(around),
            }
        }
        let mut hits = Vec::new();
        let mut complete = true;
        for (owner, places) in places {
            let Some(pattern) = self.compiled.get(owner) else {
                continue;
            };
            for place in places {
                if !Budget::take(bytes_left, place.len() * pattern.sources.len()) {
                    complete = false;
                    break;
                }
                pattern.find(text, &place, &mut hits);
            }
            if expression::keep_too_much() {
                self.let_go();
            }
        }
        hits.sort_unstable();
        hits.dedup();
        (hits, complete)
    }

    /// Lets go what expressions keep to be quick: of those that were not used since the last time, and if that is not
    /// enough, of all.
    fn let_go(&self) {
        for only_unused in [true, false] {
            let all = self.compiled.iter().flat_map(Compiled::expressions);
            all.for_each(|expression| expression.let_go(only_unused));
            if !expression::keep_too_much() {
                return;
            }
        }
    }

    /// Where a pattern is looked for around its anchor: within the block of prose, else within a window of the code.
    fn place(&self, unit: &Unit, owner: usize, at: usize) -> Option<Range<usize>> {
        let pattern = self.compiled.get(owner)?;
        let block = unit.block_at(at)?;
        if !pattern.zones.contains(&block.zone) || at >= block.range.end {
            return None;
        }
        let text = unit.view.text();
        let from = floor(text, at.saturating_sub(PATTERN_WINDOW));
        let to = ceil(text, (at + PATTERN_WINDOW).min(text.len()));
        let clipped = from.max(block.range.start)..to.min(block.range.end);
        Some(match unit.form {
            Form::Prose => clipped,
            Form::Code(_) => line_start(text, clipped.start)..clipped.end,
        })
    }
}

impl Compiled {
    /// The expressions that were needed so far.
    fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let cells = [&self.expressions, &self.around_expressions];
        cells.into_iter().filter_map(OnceLock::get).flatten()
    }

    fn find<'p>(&'p self, text: &str, place: &Range<usize>, hits: &mut Vec<Hit<'p>>) {
        let Some(part) = text.get(place.clone()) else {
            return;
        };
        // Cheaper than any expression, and most addresses are known ones.
        if self.outside && !names_outside_host(part) {
            return;
        }
        for expression in compiled(&self.expressions, &self.sources, &self.anchors) {
            for found in expression.find_all(part) {
                // A class of bytes may stop within a character.
                let range = floor(part, found.start)..ceil(part, found.end);
                let matched = part.get(range.clone()).unwrap_or_default();
                if self.outside && !names_outside_host(matched) {
                    continue;
                }
                if let Some(start) = self.start_with_surroundings(part, &range) {
                    hits.push(Hit {
                        name: &self.name,
                        range: (place.start + start, place.start + range.end),
                    });
                }
            }
        }
    }

    /// Where a match begins together with the words that must stand near it; nothing if one of them does not.
    fn start_with_surroundings(&self, part: &str, range: &Range<usize>) -> Option<usize> {
        let (before, after) = AROUND;
        let from = floor(part, range.start.saturating_sub(before));
        let to = ceil(part, (range.end + after).min(part.len()));
        let line_start = part
            .get(from..range.start)?
            .rfind('\n')
            .map_or(from, |at| from + at + 1);
        let line_end = part
            .get(range.end..to)?
            .find('\n')
            .map_or(to, |at| range.end + at);
        let line_start = if self.sentence {
            line_start + sentence_start(part.get(line_start..range.start)?)
        } else {
            line_start
        };
        let near = part.get(line_start..line_end)?;
        let mut start = range.start;
        for expression in compiled(&self.around_expressions, &self.around, &[]) {
            let found = expression.find(near)?;
            start = start.min(floor(part, line_start + found.start));
        }
        Some(start)
    }
}

/// Where the sentence begins that a text ends in; the one before counts with it where a word stands for what it says.
fn sentence_start(before: &str) -> usize {
    const STANDS_FOR: &[&str] = &[
        "it",
        "them",
        "both",
        "these",
        "this",
        "result",
        "everything",
        "all",
        "copy",
    ];
    let ends: Vec<usize> = [". ", "! ", "? ", "; "]
        .iter()
        .flat_map(|end| before.match_indices(end))
        .map(|(at, end)| at + end.len())
        .collect();
    let Some(last) = ends.iter().copied().max() else {
        return 0;
    };
    let sentence = before.get(last..).unwrap_or_default();
    let refers = sentence
        .split(|c: char| !c.is_alphabetic())
        .any(|word| STANDS_FOR.contains(&word.to_ascii_lowercase().as_str()));
    if !refers {
        return last;
    }
    ends.into_iter().filter(|at| *at < last).max().unwrap_or(0)
}

/// The expressions of a pattern, compiled at first need.
fn compiled<'c>(
    cell: &'c OnceLock<Vec<Expression>>,
    sources: &[String],
    anchors: &[String],
) -> &'c [Expression] {
    cell.get_or_init(|| {
        sources
            .iter()
            .filter_map(|source| Expression::new(source, anchors).ok())
            .collect()
    })
}

/// The start of the line that holds `at`, unless that is far.
fn line_start(text: &str, at: usize) -> usize {
    let from = floor(text, at.saturating_sub(PATTERN_WINDOW));
    let before = text.get(from..at).unwrap_or_default();
    before
        .rfind('\n')
        .map_or(if from == 0 { 0 } else { at }, |break_at| {
            from + break_at + 1
        })
}

/// The automaton knows the case of ASCII alone; other letters are given to it in each case that occurs.
fn spellings(anchor: &str) -> Vec<String> {
    if anchor.is_ascii() {
        return vec![anchor.to_owned()];
    }
    let mut letters = anchor.chars();
    let title = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .chain(letters)
        .collect();
    let mut all = vec![anchor.to_owned(), title, anchor.to_uppercase()];
    all.dedup();
    all
}

/// Puts the shared expressions in.
fn expand(source: &str, words: &BTreeMap<String, String>) -> String {
    let mut expanded = source.to_owned();
    for (name, expression) in words {
        expanded = expanded.replace(&format!("{{{{{name}}}}}"), &format!("(?:{expression})"));
    }
    expanded
}
