//! What each word is worth: how well it tells its skill from the others in the catalog.
//!
//! A word's worth is the rarity of its terms, `log2(skills / skills with the term)`, less for what the catalog says
//! already (words of the name, words said before) and for words that most descriptions have, more for what people
//! name a skill by (quotations, file endings, product names, the clause that says when to use it). All numbers are
//! integers, in sixteenths, so that every machine cuts the same text at the same word.

use std::collections::HashMap;

use super::card::Card;
use super::common;
use super::words::{Role, Word};

/// One.
pub(super) const UNIT: u64 = 16;

/// Bits of a word that is not usual. Rarer ones are worth no more: they are as rare in what people ask for.
const UNUSUAL: u64 = 5 * UNIT + UNIT / 2;

/// The terms of all texts of a catalog, and how many skills have each.
#[derive(Debug, Default)]
pub(super) struct Scales {
    numbers: HashMap<Box<str>, usize, foldhash::fast::RandomState>,
    terms: Vec<Term>,
    skills: u64,
}

#[derive(Clone, Copy, Debug)]
struct Term {
    /// Bits of the term in texts of all kinds.
    background: u64,
    skills: u64,
    /// The last skill that had it.
    last: u64,
}

impl Term {
    fn new(text: &str) -> Self {
        Self {
            background: background(text),
            skills: 0,
            last: 0,
        }
    }

    /// What a word of this term is worth in a catalog of so many skills, in sixteenths of a bit. A word that is unusual
    /// counts whole when no other skill has it, and the less the more have it. A word that its author repeats turns up
    /// two or three times as often in what people ask for.
    fn worth(self, skills: u64, uses: Uses) -> u64 {
        let bits = self.background * rarity(skills, self.skills) / rarity(skills, 1);
        let (often, new) = match (uses.is_said, uses.count) {
            (true, _) => (UNIT, UNIT / 8),
            (false, 0 | 1) => (UNIT, UNIT),
            (false, 2) => (UNIT * 9 / 4, UNIT),
            (false, _) => (UNIT * 3, UNIT),
        };
        bits * often * new / (UNIT * UNIT)
    }
}

/// `log2(all / some)` and half a bit, in sixteenths: a term that every skill has is still worth something.
fn rarity(all: u64, some: u64) -> u64 {
    log2((all.max(1) << UNIT) / some.max(1)).saturating_sub(UNIT * UNIT) + UNIT / 2
}

impl Scales {
    /// The scales for a catalog of these cards.
    pub(super) fn new(cards: &[Card<'_>]) -> Self {
        let mut scales = Self::default();
        for card in cards {
            scales.count([&*card.name, &*card.when, &*card.description]);
        }
        scales
    }

    /// Counts the terms of one more skill.
    fn count<'t>(&mut self, texts: impl IntoIterator<Item = &'t str>) {
        self.skills += 1;
        for text in texts {
            let (numbers, terms, skill) = (&mut self.numbers, &mut self.terms, self.skills);
            terms_of(text, |term| {
                let number = numbers.get(term).copied().unwrap_or_else(|| {
                    numbers.insert(term.into(), terms.len());
                    terms.push(Term::new(term));
                    terms.len() - 1
                });
                if let Some(term) = terms.get_mut(number)
                    && term.last != skill
                {
                    term.last = skill;
                    term.skills += 1;
                }
            });
        }
    }

    /// The numbers of the terms of a text.
    fn numbers_of(&self, text: &str, numbers: &mut Vec<usize>) {
        terms_of(text, |term| numbers.extend(self.numbers.get(term)));
    }

    /// The worth of the words of one text, in sixteenths of a bit. `said` is what the catalog says of the skill anyway.
    pub(super) fn weigh(&self, said: &str, text: &str, words: &[Word]) -> Vec<u64> {
        let mut said_before = Vec::new();
        self.numbers_of(said, &mut said_before);
        let mut numbers = Vec::with_capacity(words.len());
        let mut ends = Vec::with_capacity(words.len());
        for word in words {
            if word.role != Role::Glue {
                self.numbers_of(word.text(text), &mut numbers);
            }
            ends.push(numbers.len());
        }
        let mut tally = Tally::new(&said_before, &numbers);
        let mut worths = Vec::with_capacity(words.len());
        let mut clause = Clause::default();
        let mut start = 0;
        for (place, (word, end)) in words.iter().zip(ends).enumerate() {
            let shown = word.text(text);
            clause.enter(word.clause, shown);
            let terms = numbers.get(start..end).unwrap_or_default();
            let worth = self.worth(shown, *word, terms, &mut tally);
            worths.push((worth * clause.favour(place) / UNIT).max(1));
            start = end;
        }
        favour_clauses(words, &mut worths);
        worths
    }

    fn worth(&self, shown: &str, word: Word, terms: &[usize], tally: &mut Tally) -> u64 {
        if word.role == Role::Glue {
            return UNIT / 8;
        }
        let skills = self.skills.max(1);
        let mut worth = 0;
        for number in terms {
            if let (Some(term), Some(uses)) = (self.terms.get(*number), tally.of(*number)) {
                worth += term.worth(skills, *uses);
                uses.is_said = true;
            }
        }
        if word.role == Role::Quotation {
            worth = worth * 5 / 4;
        }
        if is_named(shown) {
            worth = worth * 13 / 8;
        }
        // Pairs of ideographs overlap.
        if word.is_dense { worth / 2 } else { worth }
    }
}

/// How one text uses a term.
#[derive(Clone, Copy, Debug)]
struct Uses {
    count: u64,
    /// Whether the catalog has said it already.
    is_said: bool,
}

/// How one text uses its terms, sorted by their numbers.
struct Tally(Vec<(usize, Uses)>);

impl Tally {
    fn new(said_before: &[usize], numbers: &[usize]) -> Self {
        let uses = |number: &usize, count| {
            let is_said = said_before.contains(number);
            (*number, Uses { count, is_said })
        };
        let mut all: Vec<(usize, Uses)> = numbers.iter().map(|number| uses(number, 1)).collect();
        all.sort_unstable_by_key(|(number, _)| *number);
        all.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            kept.1.count += u64::from(is_same);
            is_same
        });
        Self(all)
    }

    fn of(&mut self, number: usize) -> Option<&mut Uses> {
        let place = self
            .0
            .binary_search_by_key(&number, |(other, _)| *other)
            .ok()?;
        self.0.get_mut(place).map(|(_, uses)| uses)
    }
}

/// The clause that is being weighed.
#[derive(Default)]
struct Clause {
    number: Option<usize>,
    says_when: bool,
}

impl Clause {
    fn enter(&mut self, number: usize, first_word: &str) {
        if self.number != Some(number) {
            self.number = Some(number);
            self.says_when = common::says_when(first_word);
        }
    }

    /// What a word's place in the text makes of its worth, in sixteenths: authors begin with what matters, and words
    /// further on turn up less and less in what people ask for; but not in a clause that says when to use the skill.
    fn favour(&self, place: usize) -> u64 {
        match place {
            0..10 => 24,
            10..15 => 19,
            _ if self.says_when => 19,
            15..20 => 16,
            20..45 => 13,
            _ => 11,
        }
    }
}

fn background(term: &str) -> u64 {
    let bits = common::background(term).unwrap_or(UNUSUAL);
    if term.bytes().all(|byte| byte.is_ascii_digit()) {
        bits / 3
    } else if common::is_boilerplate(term) {
        bits / 2
    } else {
        bits
    }
}

/// `log2` in sixteenths, its mantissa taken for linear.
fn log2(number: u64) -> u64 {
    let Some(exponent) = number.checked_ilog2() else {
        return 0;
    };
    let fraction = (u128::from(number) << 4 >> exponent) & 15;
    u64::from(exponent) * UNIT + u64::try_from(fraction).unwrap_or_default()
}

/// Hands over the terms of a text: its words in lower case, of ideographs each pair.
fn terms_of(text: &str, mut take: impl FnMut(&str)) {
    let mut term = String::new();
    for word in text.split(|character: char| !character.is_alphanumeric()) {
        if word.is_empty() {
            continue;
        }
        if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            take(word);
        } else if word.is_ascii() {
            term.clear();
            term.push_str(word);
            term.make_ascii_lowercase();
            take(&term);
        } else if word.contains(is_ideograph) {
            pairs_of(word, &mut take);
        } else {
            term.clear();
            term.extend(word.chars().flat_map(char::to_lowercase));
            take(&term);
        }
    }
}

/// Hands over each two neighbours of a word, or its only character.
fn pairs_of(word: &str, mut take: impl FnMut(&str)) {
    let mut ends = word
        .char_indices()
        .map(|(start, character)| start + character.len_utf8());
    let mut start = 0;
    let Some(mut middle) = ends.next().filter(|end| *end < word.len()) else {
        return take(word);
    };
    for end in ends {
        take(word.get(start..end).unwrap_or_default());
        (start, middle) = (middle, end);
    }
}

fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{3041}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Whether it looks like a file's ending, a command, or a product: `.pdf`, `/review`, `PDF`, `GitHub`.
fn is_named(word: &str) -> bool {
    let mut characters = word.chars();
    match characters.next() {
        Some('.' | '/' | '@' | '$') => true,
        Some(_) => characters.any(char::is_uppercase),
        None => false,
    }
}

/// A word of a telling clause is worth more than the same word in a weak one, so that clauses are left out before the
/// words of those that stay.
fn favour_clauses(words: &[Word], worths: &mut [u64]) {
    let mut start = 0;
    while let Some(first) = words.get(start) {
        let length = words
            .iter()
            .skip(start)
            .take_while(|word| word.clause == first.clause)
            .count();
        if let Some(clause) = worths.get_mut(start..start + length) {
            let mean = clause.iter().sum::<u64>() / (length as u64).max(1);
            for worth in clause {
                *worth = (*worth * CLAUSE_OWN + mean * (UNIT - CLAUSE_OWN)) / UNIT;
            }
        }
        start += length;
    }
}

/// How much of a word's worth is its own, in sixteenths; the rest is that of its clause.
const CLAUSE_OWN: u64 = 14;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::words::words;

    fn terms(text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        terms_of(text, |term| terms.push(term.to_owned()));
        terms
    }

    /// The words of the last text, those that are worth most first, in a catalog of all.
    fn ranked<'t>(said: &str, texts: &[&'t str]) -> Vec<&'t str> {
        let mut scales = Scales::default();
        for text in texts {
            scales.count([*text]);
        }
        let text = texts.last().copied().unwrap_or_default();
        let words = words(text);
        let worths = scales.weigh(said, text, &words);
        let mut order: Vec<usize> = (0..words.len()).collect();
        order.sort_by_key(|index| std::cmp::Reverse(worths[*index]));
        order
            .into_iter()
            .map(|index| words[index].text(text))
            .collect()
    }

    #[test]
    fn terms_are_words_or_pairs() {
        assert_eq!(terms("Fill W-9 Übung!"), ["fill", "w", "9", "übung"]);
        assert_eq!(terms("周报表 表"), ["周报", "报表", "表"]);
    }

    #[test]
    fn logarithms_are_whole_sixteenths() {
        assert_eq!([0, 1, 2, 3, 4, 1 << 40].map(log2), [0, 0, 16, 24, 32, 640]);
        assert_eq!(rarity(8, 8), 8);
        assert_eq!(rarity(8, 1), 56);
    }

    #[test]
    fn a_word_is_worth_what_it_tells() {
        // What another skill says as well, and what every text says, comes after what only this skill says.
        assert_eq!(
            ranked("", &["invoices ledger", "file invoices trademarks"]),
            ["trademarks", "invoices", "file"]
        );
        // What the name says already comes last, but before what only holds words together.
        assert_eq!(
            ranked("trademarks", &["trademarks of invoices"]),
            ["invoices", "trademarks", "of"]
        );
        // What is repeated, and what is a product, comes first.
        assert_eq!(ranked("", &["walrus badger badger"])[0], "badger");
        assert_eq!(ranked("", &["walrus BadgerHub"])[0], "BadgerHub");
        assert_eq!(ranked("", &["walrus \"badger\""])[0], "badger");
    }

    #[test]
    fn a_clause_that_says_when_keeps_its_worth_far_from_the_beginning() {
        let long = |clause: &str| {
            let filler = "filler ".repeat(60);
            format!("{filler}. {clause} walrus")
        };
        let worth = |clause: &str| {
            let text = long(clause);
            let mut scales = Scales::default();
            scales.count([&*text]);
            let worths = scales.weigh("", &text, &words(&text));
            worths.last().copied()
        };
        assert!(worth("Use") > worth("With"));
    }
}
