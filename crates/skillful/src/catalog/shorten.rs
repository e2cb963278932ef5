//! A text of which only some words are printed.
//!
//! The words keep their order. Neighbours keep what stands between them; where words were left out stands an
//! ellipsis, or a mere blank where those only held others together.

use std::borrow::Cow;
use std::cmp::Reverse;

use super::form::Form;
use super::weigh::Scales;
use super::words::{Role, Word, words};

/// A text, its words, and what each costs and is worth.
#[derive(Debug)]
pub(super) struct Text<'t> {
    source: &'t str,
    words: Vec<Word>,
    /// Characters of each word, escaped.
    costs: Vec<usize>,
    /// Characters that are printed between each word and the one before it, escaped; before the first, and after the
    /// last as well.
    gaps: Vec<usize>,
    /// Characters of the brackets and quotation marks that only the whole text has.
    brackets: usize,
    /// How many words before each (and in all) would be missed if they were left out.
    content: Vec<usize>,
    worths: Vec<u64>,
}

/// What stands between two places, at either end of the text without blanks next to it.
fn between(source: &str, start: usize, end: usize) -> &str {
    let gap = source.get(start..end).unwrap_or_default();
    let gap = if start == 0 {
        gap.trim_start_matches(is_blank_or_bracket)
    } else {
        gap
    };
    if end == source.len() {
        gap.trim_end_matches(is_blank_or_bracket)
    } else {
        gap
    }
}

/// What stands between two words, without brackets and quotation marks, whose partners may be gone, and without the
/// blanks that are too many then.
fn open_gap(gap: &str) -> Cow<'_, str> {
    if !gap.contains(is_bracket) {
        return Cow::Borrowed(gap);
    }
    let mut open = String::with_capacity(gap.len());
    for character in gap.chars().filter(|character| !is_bracket(*character)) {
        if character != ' ' || !open.ends_with(' ') {
            open.push(character);
        }
    }
    Cow::Owned(open)
}

fn is_blank_or_bracket(character: char) -> bool {
    character == ' ' || is_bracket(character)
}

fn is_bracket(character: char) -> bool {
    matches!(
        character,
        '(' | ')'
            | '['
            | ']'
            | '{'
            | '}'
            | '"'
            | '`'
            | '*'
            | '“'
            | '”'
            | '「'
            | '」'
            | '（'
            | '）'
            | '«'
            | '»'
    )
}

/// A word with what it is worth and what it costs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    pub(super) index: usize,
    /// In sixteenths of a bit.
    pub(super) worth: u64,
    /// Characters, a blank included.
    pub(super) chars: usize,
    density: u64,
}

impl Offer {
    fn new(index: usize, worth: u64, chars: usize) -> Self {
        Self {
            index,
            worth,
            chars,
            density: worth * 4096 / (chars as u64).max(1),
        }
    }
}

/// What is printed between two words, or at an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Join {
    /// What stands there in the text.
    Source,
    Nothing,
    Blank,
    Ellipsis,
    EllipsisAndBlank,
}

impl<'t> Text<'t> {
    /// `said` is what the catalog says of the skill anyway.
    pub(super) fn new(source: &'t str, form: Form, scales: &Scales, said: &str) -> Self {
        let words = words(source);
        let worths = scales.weigh(said, source, &words);
        // Most texts have nothing to escape, and need not be looked at word by word.
        let is_plain = matches!(form.escape(source), Cow::Borrowed(_));
        let cost = |text: &str| {
            if is_plain {
                text.chars().count()
            } else {
                form.escape(text).chars().count()
            }
        };
        let costs: Vec<usize> = words.iter().map(|word| cost(word.text(source))).collect();
        let gap = |start, end| match between(source, start, end) {
            " " => 1,
            gap => cost(&open_gap(gap)),
        };
        let mut gaps = Vec::with_capacity(words.len() + 1);
        let mut content = Vec::with_capacity(words.len() + 1);
        let (mut end, mut clause, mut count) = (0, 0, 0);
        for word in &words {
            gaps.push(gap(end, word.start));
            end = word.end;
            // A sentence that is left out must not run into the next.
            count += usize::from(word.clause != clause);
            content.push(count);
            clause = word.clause;
            count += usize::from(word.role != Role::Glue);
        }
        gaps.push(gap(end, source.len()));
        content.push(count);
        let printed: usize = costs.iter().chain(&gaps).sum();
        Self {
            source,
            words,
            brackets: cost(source).saturating_sub(printed),
            costs,
            gaps,
            content,
            worths,
        }
    }

    /// The number of words.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// Characters of the whole text, escaped.
    pub(super) fn chars(&self) -> usize {
        self.costs.iter().chain(&self.gaps).sum::<usize>() + self.brackets
    }

    /// The words in the order in which they are worth their room.
    pub(super) fn by_density(&self) -> Vec<Offer> {
        let mut order: Vec<Offer> = self
            .worths
            .iter()
            .zip(&self.costs)
            .enumerate()
            .map(|(index, (worth, cost))| Offer::new(index, *worth, cost + 1))
            .collect();
        // Of two words that are worth the same, the earlier one comes first.
        order.sort_unstable_by_key(|offer| (Reverse(offer.density), offer.index));
        order
    }

    fn join(&self, before: Option<usize>, after: Option<usize>) -> Join {
        let last = self.words.len().checked_sub(1);
        match (before, after) {
            (None, None | Some(1..)) => Join::Nothing,
            (None, Some(0)) => Join::Source,
            (Some(before), None) if Some(before) == last => Join::Source,
            (Some(before), None) => {
                if self.is_glue_between(before, self.words.len()) {
                    Join::Nothing
                } else {
                    Join::Ellipsis
                }
            }
            (Some(before), Some(after)) if before + 1 == after => Join::Source,
            (Some(before), Some(after)) => {
                let spaced = self.words.get(after).is_some_and(|word| word.is_spaced);
                match (self.is_glue_between(before, after), spaced) {
                    (true, true) => Join::Blank,
                    (false, true) => Join::EllipsisAndBlank,
                    (_, false) => Join::Ellipsis,
                }
            }
        }
    }

    /// Whether nothing but small words stands between two words.
    fn is_glue_between(&self, before: usize, after: usize) -> bool {
        self.content.get(before + 1) == self.content.get(after)
    }

    /// Characters of what is printed between two words.
    fn join_cost(&self, before: Option<usize>, after: Option<usize>) -> usize {
        match self.join(before, after) {
            Join::Source => {
                let gap = after.unwrap_or(self.words.len());
                self.gaps.get(gap).copied().unwrap_or_default()
            }
            Join::Nothing => 0,
            Join::Blank | Join::Ellipsis => 1,
            Join::EllipsisAndBlank => 2,
        }
    }

    fn push_join(&self, text: &mut String, before: Option<usize>, after: Option<usize>) {
        match self.join(before, after) {
            Join::Source => {
                let start = before.and_then(|index| self.words.get(index));
                let end = after.and_then(|index| self.words.get(index));
                let start = start.map_or(0, |word| word.end);
                let end = end.map_or(self.source.len(), |word| word.start);
                text.push_str(&open_gap(between(self.source, start, end)));
            }
            Join::Nothing => {}
            Join::Blank => text.push(' '),
            Join::Ellipsis => text.push('…'),
            Join::EllipsisAndBlank => text.push_str("… "),
        }
    }
}

/// Words of a text that were chosen to be printed.
#[derive(Clone, Debug)]
pub(super) struct Selection {
    chosen: Vec<bool>,
    count: usize,
    chars: usize,
}

impl Selection {
    /// Nothing of the text.
    pub(super) fn none(text: &Text<'_>) -> Self {
        Self {
            chosen: vec![false; text.len()],
            count: 0,
            chars: 0,
        }
    }

    /// The words that are worth most within `limit` characters.
    pub(super) fn best(text: &Text<'_>, limit: usize) -> Self {
        let mut selection = Self::none(text);
        for offer in text.by_density() {
            selection.add(text, &[offer], limit);
        }
        selection
    }

    /// Whether nothing is chosen.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether the whole text is.
    pub(super) fn is_whole(&self) -> bool {
        self.count == self.chosen.len()
    }

    /// Characters of what is printed, escaped.
    pub(super) fn chars(&self, text: &Text<'_>) -> usize {
        if self.is_whole() {
            text.chars()
        } else {
            self.chars
        }
    }

    /// Chooses words, all or none of them, as long as the text stays within `limit` characters. Says whether they are
    /// chosen now.
    pub(super) fn add(&mut self, text: &Text<'_>, words: &[Offer], limit: usize) -> bool {
        for word in words {
            self.choose(text, word.index, true);
        }
        if self.chars(text) <= limit {
            return true;
        }
        for word in words {
            self.choose(text, word.index, false);
        }
        false
    }

    fn choose(&mut self, text: &Text<'_>, word: usize, chosen: bool) {
        let before = self
            .chosen
            .get(..word)
            .and_then(|all| all.iter().rposition(|is| *is));
        let after = self
            .chosen
            .get(word + 1..)
            .and_then(|all| all.iter().position(|is| *is))
            .map(|distance| word + 1 + distance);
        let Some(slot) = self.chosen.get_mut(word).filter(|slot| **slot != chosen) else {
            return;
        };
        *slot = chosen;
        let with = text.costs.get(word).copied().unwrap_or_default()
            + text.join_cost(before, Some(word))
            + text.join_cost(Some(word), after);
        let without = text.join_cost(before, after);
        if chosen {
            self.count += 1;
            self.chars = self.chars + with - without;
        } else {
            self.count -= 1;
            self.chars = self.chars + without - with;
        }
    }

    /// The chosen words as a text.
    pub(super) fn print(&self, text: &Text<'_>) -> String {
        if self.is_whole() {
            return text.source.to_owned();
        }
        let mut printed = String::with_capacity(self.chars);
        let mut before = None;
        for (index, word) in text.words.iter().enumerate() {
            if self.chosen.get(index) == Some(&true) {
                text.push_join(&mut printed, before, Some(index));
                printed.push_str(word.text(text.source));
                before = Some(index);
            }
        }
        text.push_join(&mut printed, before, None);
        printed
    }
}

#[cfg(test)]
mod tests;
