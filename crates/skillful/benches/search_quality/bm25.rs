//! The baseline: BM25 as it is in the books, over one bag of words a skill.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use rust_stemmers::{Algorithm, Stemmer};
use skillful::Skill;
use skillful::details::content;

use crate::DEPTH;

/// What the baseline looks at.
#[derive(Clone, Copy)]
pub(crate) struct Plain {
    pub(crate) stems: bool,
    pub(crate) body: bool,
}

/// An index of the baseline.
pub(crate) struct Bm25 {
    ids: Vec<String>,
    lengths: Vec<f64>,
    postings: HashMap<String, Vec<(usize, f64)>>,
    kind: Plain,
}

impl Bm25 {
    pub(crate) fn new(skills: &[Arc<Skill>], kind: Plain) -> Self {
        let mut engine = Self {
            ids: Vec::new(),
            lengths: Vec::new(),
            postings: HashMap::new(),
            kind,
        };
        for (place, skill) in skills.iter().enumerate() {
            let (name, description) = if kind.body { (5, 3) } else { (1, 1) };
            let mut words = Vec::new();
            for _ in 0..name {
                words.extend(engine.words(&skill.name));
            }
            for _ in 0..description {
                words.extend(engine.words(&skill.description));
            }
            if kind.body {
                words.extend(engine.words(&body(skill)));
            }
            engine.ids.push(skill.id.clone());
            engine.lengths.push(words.len() as f64);
            let mut counts: HashMap<String, f64> = HashMap::new();
            for word in words {
                *counts.entry(word).or_default() += 1.0;
            }
            for (word, count) in counts {
                engine
                    .postings
                    .entry(word)
                    .or_default()
                    .push((place, count));
            }
        }
        engine
    }

    fn words(&self, text: &str) -> Vec<String> {
        let stemmer = Stemmer::create(Algorithm::English);
        text.to_lowercase()
            .split(|character: char| !character.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(|word| {
                if self.kind.stems {
                    stemmer.stem(word).into_owned()
                } else {
                    word.to_owned()
                }
            })
            .collect()
    }

    pub(crate) fn search(&self, text: &str) -> Vec<String> {
        const SATURATION: f64 = 1.2;
        const LENGTH_SHARE: f64 = 0.75;
        let all = self.ids.len() as f64;
        let average = self.lengths.iter().sum::<f64>() / all;
        let mut scores = vec![0.0; self.ids.len()];
        for word in self.words(text).into_iter().collect::<BTreeSet<_>>() {
            let Some(postings) = self.postings.get(&word) else {
                continue;
            };
            let having = postings.len() as f64;
            let rarity = (1.0 + (all - having + 0.5) / (having + 0.5)).ln();
            for &(place, count) in postings {
                let length = 1.0 - LENGTH_SHARE + LENGTH_SHARE * self.lengths[place] / average;
                scores[place] +=
                    rarity * count * (SATURATION + 1.0) / (count + SATURATION * length);
            }
        }
        let mut ranked: Vec<usize> = (0..scores.len())
            .filter(|&place| scores[place] > 0.0)
            .collect();
        ranked.sort_by(|&a, &b| {
            scores[b]
                .total_cmp(&scores[a])
                .then_with(|| self.ids[a].cmp(&self.ids[b]))
        });
        ranked
            .into_iter()
            .take(DEPTH)
            .map(|place| self.ids[place].clone())
            .collect()
    }
}

/// The whole body of a skill.
fn body(skill: &Skill) -> String {
    let document = content(&skill.form, &skill.path)
        .ok()
        .and_then(|bytes| skillmd::parse(bytes).ok());
    document
        .map(|document| document.body().to_owned())
        .unwrap_or_default()
}
