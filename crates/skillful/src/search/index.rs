//! The index: for every term, the skills in which it occurs and what it is worth there.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::analysis::{Analysed, Analyser, Term, Worth};
use super::document::Document;
use super::interner::Interner;
use super::vocabulary::Vocabulary;
use crate::load::Skill;

/// An index over skills, immutable. See [`crate::search`].
///
/// It takes about a kilobyte a skill, bodies included; [`Index::bytes`] tells exactly.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// Id and name of each skill; the name is empty where it is the id.
    keys: Vec<(Box<str>, Box<str>)>,
    pub(super) vocabulary: Vocabulary,
    /// For each term, where its postings begin; one more for where the last ones end.
    starts: Vec<u32>,
    /// For each term its skills in ascending order: the step from the one before in seven-bit groups, then the worth.
    postings: Vec<u8>,
    /// For each term, in how many skills it occurs.
    spread: Vec<Spread>,
    /// For each term, how well it tells skills apart (BM25's inverse document frequency).
    rarity: Vec<f32>,
    /// The terms of all names, those of each skill together.
    name_terms: Vec<Term>,
    /// For each skill, where the terms of its name end.
    name_ends: Vec<u32>,
}

/// In how many skills a term occurs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spread {
    pub(super) anywhere: u32,
    /// In name, description, when or tags.
    pub(super) in_head: u32,
}

/// What a term in a body adds to how common it is, against one in a head.
const BODY_SPREAD: f32 = 0.6;

/// How well a term with this spread tells `all` skills apart.
pub(super) fn rarity(spread: Spread, all: usize) -> f32 {
    let having = spread.in_head as f32 + BODY_SPREAD * (spread.anywhere - spread.in_head) as f32;
    (1.0 + (all as f32 - having + 0.5) / (having + 0.5)).ln()
}

impl Index {
    /// Builds the index of anything that a [`Document`] can be made of, in parallel. The place of a source in the slice
    /// is what [`super::Hit::document`] says.
    ///
    /// Documents are made one at a time for each thread and dropped at once, so that not all bodies are in memory.
    pub fn build<'s, S: Sync>(
        sources: &'s [S],
        document: impl Fn(&'s S) -> Document<'s> + Sync,
    ) -> Self {
        let chunk = sources.len().div_ceil(rayon::current_num_threads()).max(1);
        let parts: Vec<Part> = sources
            .par_chunks(chunk)
            .map(|sources| Part::of(sources, &document))
            .collect();
        Self::merge(parts)
    }

    /// The index of skills, whose bodies are read again.
    pub fn of_skills(skills: &[Arc<Skill>]) -> Self {
        Self::build(skills, |skill| Document::of_skill(skill))
    }

    /// How many skills are in it.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is no skill in it.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The id of the skill at this place.
    pub fn id(&self, document: usize) -> &str {
        self.keys.get(document).map_or("", |(id, _)| id)
    }

    /// Bytes that it takes in memory.
    pub fn bytes(&self) -> usize {
        let keys: usize = self
            .keys
            .iter()
            .map(|(id, name)| id.len() + name.len())
            .sum();
        keys + self.keys.capacity() * size_of::<(Box<str>, Box<str>)>()
            + self.vocabulary.bytes()
            + (self.starts.capacity() + self.name_terms.capacity() + self.name_ends.capacity())
                * size_of::<u32>()
            + self.postings.capacity()
            + self.spread.capacity() * size_of::<Spread>()
            + self.rarity.capacity() * size_of::<f32>()
    }

    pub(super) fn name(&self, document: usize) -> &str {
        match self.keys.get(document) {
            Some((id, name)) if name.is_empty() => id,
            Some((_, name)) => name,
            None => "",
        }
    }

    /// How well a term tells skills apart.
    pub(super) fn rarity(&self, term: Term) -> f32 {
        self.rarity.get(term as usize).copied().unwrap_or_default()
    }

    pub(super) fn spread(&self, term: Term) -> Spread {
        self.spread.get(term as usize).copied().unwrap_or_default()
    }

    /// The skills in which a term occurs, in order, and what it is worth there.
    pub(super) fn postings(&self, term: Term) -> impl Iterator<Item = (usize, Worth)> + '_ {
        let place = |number: usize| self.starts.get(number).map_or(0, |&start| start as usize);
        let range = place(term as usize)..place(term as usize + 1);
        let mut bytes = self.postings.get(range).unwrap_or_default().iter();
        let mut document = 0;
        std::iter::from_fn(move || {
            document += read_step(&mut bytes)?;
            Some((document, Worth::of_byte(*bytes.next()?)))
        })
    }

    /// The terms of a skill's name, sorted.
    pub(super) fn name_terms(&self, document: usize) -> &[Term] {
        let end = self.name_ends.get(document).map_or(0, |&end| end as usize);
        let start = document
            .checked_sub(1)
            .and_then(|before| self.name_ends.get(before));
        self.name_terms
            .get(start.map_or(0, |&start| start as usize)..end)
            .unwrap_or_default()
    }

    fn merge(parts: Vec<Part>) -> Self {
        let (vocabulary, numbers) = common_terms(&parts);
        let mut spread = vec![Spread::default(); vocabulary.len()];
        let number = |part: usize, term: Term| {
            numbers
                .get(part)
                .and_then(|numbers| numbers.get(term as usize))
                .copied()
                .unwrap_or_default()
        };
        for (part, Part { documents, .. }) in parts.iter().enumerate() {
            for &(term, worth) in documents.iter().flat_map(|document| &document.terms) {
                if let Some(spread) = spread.get_mut(number(part, term) as usize) {
                    spread.anywhere += 1;
                    spread.in_head += u32::from(worth.in_head());
                }
            }
        }
        let mut index = Self {
            vocabulary,
            spread,
            ..Self::default()
        };
        let mut lists = Lists::new(&index.spread);
        for (
            part,
            Part {
                keys, documents, ..
            },
        ) in parts.into_iter().enumerate()
        {
            for (key, analysed) in keys.into_iter().zip(documents) {
                let document = index.keys.len();
                for (term, worth) in analysed.terms {
                    lists.push(number(part, term), document, worth);
                }
                let mut name: Vec<Term> = analysed
                    .name
                    .iter()
                    .map(|&term| number(part, term))
                    .collect();
                name.sort_unstable();
                index.name_terms.append(&mut name);
                index.name_ends.push(to_u32(index.name_terms.len()));
                index.keys.push(key);
            }
        }
        (index.starts, index.postings) = lists.encode();
        index.rarity = index
            .spread
            .iter()
            .map(|&spread| rarity(spread, index.keys.len()))
            .collect();
        index.name_terms.shrink_to_fit();
        index
    }
}

/// What one thread worked out.
struct Part {
    keys: Vec<(Box<str>, Box<str>)>,
    documents: Vec<Analysed>,
    terms: Interner,
}

impl Part {
    fn of<'s, S>(sources: &'s [S], document: impl Fn(&'s S) -> Document<'s>) -> Self {
        let mut analyser = Analyser::default();
        let mut keys = Vec::with_capacity(sources.len());
        let mut documents = Vec::with_capacity(sources.len());
        for source in sources {
            let document = document(source);
            documents.push(analyser.analyse(&document));
            let name = if document.name == document.id {
                ""
            } else {
                document.name
            };
            keys.push((document.id.into(), name.into()));
        }
        Self {
            keys,
            documents,
            terms: analyser.into_terms(),
        }
    }
}

/// The terms of all parts, and for each part the new number of each of its terms.
fn common_terms(parts: &[Part]) -> (Vocabulary, Vec<Vec<Term>>) {
    let mut terms: Vec<&str> = parts.iter().flat_map(|part| part.terms.iter()).collect();
    terms.par_sort_unstable();
    terms.dedup();
    let by_term: HashMap<&str, Term, foldhash::fast::RandomState> = terms
        .iter()
        .enumerate()
        .map(|(number, term)| (*term, to_u32(number)))
        .collect();
    let numbers = parts
        .par_iter()
        .map(|part| {
            part.terms
                .iter()
                .map(|term| by_term.get(term).copied().unwrap_or_default())
                .collect()
        })
        .collect();
    (Vocabulary::new(terms.into_iter()), numbers)
}

/// Postings in the making: all lists in one piece, each as long as it will be.
struct Lists {
    /// Where the next posting of each term goes.
    next: Vec<u32>,
    documents: Vec<u32>,
    worths: Vec<Worth>,
}

impl Lists {
    fn new(spread: &[Spread]) -> Self {
        let mut total = 0;
        let next = spread
            .iter()
            .map(|spread| {
                let start = total;
                total += spread.anywhere;
                start
            })
            .collect();
        Self {
            next,
            documents: vec![0; total as usize],
            worths: vec![Worth::default(); total as usize],
        }
    }

    fn push(&mut self, term: Term, document: usize, worth: Worth) {
        let Some(next) = self.next.get_mut(term as usize) else {
            return;
        };
        let place = *next as usize;
        *next += 1;
        if let (Some(slot), Some(value)) =
            (self.documents.get_mut(place), self.worths.get_mut(place))
        {
            *slot = to_u32(document);
            *value = worth;
        }
    }

    /// Where the bytes of each term begin, with one more for the end, and the bytes.
    fn encode(self) -> (Vec<u32>, Vec<u8>) {
        let mut starts = vec![0];
        let mut bytes = Vec::with_capacity(self.documents.len() * 3);
        let mut from = 0;
        for end in self.next {
            let range = from..end as usize;
            from = end as usize;
            let documents = self.documents.get(range.clone()).unwrap_or_default();
            let mut before = 0;
            for (&document, &worth) in documents
                .iter()
                .zip(self.worths.get(range).unwrap_or_default())
            {
                write_step(&mut bytes, document - before);
                bytes.push(worth.byte());
                before = document;
            }
            starts.push(to_u32(bytes.len()));
        }
        bytes.shrink_to_fit();
        (starts, bytes)
    }
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
fn write_step(bytes: &mut Vec<u8>, mut step: u32) {
    loop {
        let [low, ..] = (step & 0x7F).to_le_bytes();
        step >>= 7;
        if step == 0 {
            bytes.push(low);
            return;
        }
        bytes.push(low | 0x80);
    }
}

fn read_step<'b>(bytes: &mut impl Iterator<Item = &'b u8>) -> Option<usize> {
    let mut step = 0;
    for shift in (0..u32::BITS).step_by(7) {
        let byte = bytes.next()?;
        step |= usize::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            break;
        }
    }
    Some(step)
}

/// There is no library with more than 2³² skills or bytes of postings.
fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
