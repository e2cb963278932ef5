//! From clauses to hits: what each skill is worth for a request, and why.

use super::analysis::{Term, Worth};
use super::index::{Index, Spread, rarity};
use super::query::{Clause, Request};

/// How much the share of the request that a skill answers counts beside the plain sum.
const COVERAGE: f32 = 0.9;
/// How much it counts that a skill's whole name is in the request.
const NAME: f32 = 0.6;
/// What is known about how useful a skill was, such as [`crate::search::Options::evidence`] gives; more is better.
pub type Evidence<'e> = &'e (dyn Fn(&str) -> f64 + Sync);

/// How to search.
#[derive(Clone, Copy)]
pub struct Options<'e> {
    /// Most hits.
    pub limit: usize,
    /// Whether the request is still being typed, so that its last word may be the beginning of one.
    pub is_typing: bool,
    /// Evidence of use by id. It decides between skills of the same score and nothing else: what was useful for one
    /// request says little about another.
    pub evidence: Option<Evidence<'e>>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            limit: 10,
            is_typing: false,
            evidence: None,
        }
    }
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("limit", &self.limit)
            .field("is_typing", &self.is_typing)
            .field("evidence", &self.evidence.is_some())
            .finish()
    }
}

/// A skill that fits a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit<'i> {
    /// Its place in the slice that the index was built from.
    pub document: usize,
    /// Its id.
    pub id: &'i str,
    /// How well it fits, above 0, in thousandths. Comparable within one search only.
    pub score: f64,
    /// The words of the request that count for it, the one that counts most first.
    pub reasons: Vec<Reason<'i>>,
}

/// A word of a request that counts for a hit.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason<'i> {
    /// The word, in lower case.
    pub word: String,
    /// The term that was found for it: its stem, a word with the same meaning, or what it may have been meant to be.
    pub term: &'i str,
    /// What it adds to the score.
    pub share: f64,
}

/// Least share of a request that a hit answers, when a word of it is in the hit's head and when none is. It keeps a
/// library of three skills from offering all of them for everything.
const FLOORS: (f32, f32) = (0.05, 0.25);

/// What a skill answers of a request.
#[derive(Clone, Copy, Debug, Default)]
struct Answer {
    sum: f32,
    covered: f32,
    in_head: bool,
}

impl Answer {
    fn floor(&self) -> f32 {
        if self.in_head { FLOORS.0 } else { FLOORS.1 }
    }
}

impl Index {
    /// The skills that fit a request, the best first; equal ones by evidence, then by id.
    ///
    /// A request that is exactly an id or a name gives that skill first.
    pub fn search(&self, request: &str, options: &Options<'_>) -> Vec<Hit<'_>> {
        let exact = self.exact(request);
        let request = Request::read(self, request, options.is_typing);
        let scores = self.scores(&request);
        let mut ranked: Vec<(usize, i64)> = scores
            .iter()
            .enumerate()
            .map(|(document, &score)| (document, thousandths(score)))
            .filter(|(_, score)| *score > 0)
            .collect();
        let best = ranked
            .iter()
            .map(|(_, score)| *score)
            .max()
            .unwrap_or_default();
        ranked.retain(|(document, _)| !exact.contains(document));
        ranked.extend(exact.iter().map(|&document| (document, best + 1000)));
        let evidence = |document: usize| {
            options
                .evidence
                .map_or(0.0, |evidence| evidence(self.id(document)))
        };
        // Only those that may be among the first are put in order.
        let order = |a: &(usize, i64), b: &(usize, i64)| {
            b.1.cmp(&a.1)
                .then_with(|| evidence(b.0).total_cmp(&evidence(a.0)))
                .then_with(|| self.id(a.0).cmp(self.id(b.0)))
                .then(a.0.cmp(&b.0))
        };
        if options.limit < ranked.len() {
            ranked.select_nth_unstable_by(options.limit, order);
            ranked.truncate(options.limit);
        }
        ranked.sort_unstable_by(order);
        ranked
            .into_iter()
            .map(|(document, score)| Hit {
                document,
                id: self.id(document),
                score: score as f64 / 1000.0,
                reasons: self.reasons(document, &request.clauses),
            })
            .collect()
    }

    /// The skills whose id or name a request is, whatever its case and spelling.
    fn exact(&self, request: &str) -> Vec<usize> {
        let request = request.trim();
        let Some(wanted) = skillmd::skill_id(request) else {
            return Vec::new();
        };
        let is_meant = |text: &str| {
            text.eq_ignore_ascii_case(request)
                || skillmd::skill_id(text).is_some_and(|id| id == wanted)
        };
        (0..self.len())
            .filter(|&document| {
                let id = self.id(document);
                let own = id.rsplit_once(':').map_or(id, |(_, own)| own);
                own == wanted
                    || is_meant(id)
                    || self.name(document) != id && is_meant(self.name(document))
            })
            .collect()
    }

    /// Whether a request is exactly an id or a name.
    pub(super) fn is_name(&self, request: &str) -> bool {
        !self.exact(request).is_empty()
    }

    fn scores(&self, request: &Request) -> Vec<f32> {
        let Request { clauses, unknown } = request;
        let rarest = rarity(Spread::default(), self.len());
        let mut total = *unknown as f32 * rarest;
        let mut answers = vec![Answer::default(); self.len()];
        let mut best = vec![0.0_f32; self.len()];
        for clause in clauses {
            best.fill(0.0);
            let weight = self.weight(clause);
            total += weight;
            for &(term, share) in &clause.terms {
                let most = self.rarity(term) * share;
                for (document, worth) in self.postings(term) {
                    if let (Some(best), Some(answer)) =
                        (best.get_mut(document), answers.get_mut(document))
                    {
                        *best = best.max(most * worth.share());
                        answer.in_head |= worth.in_head();
                    }
                }
            }
            for (answer, best) in answers.iter_mut().zip(&best) {
                if *best > 0.0 {
                    answer.sum += best;
                    // A word counts as answered by how much of what it could count does.
                    answer.covered += weight * (best / weight).sqrt();
                }
            }
        }
        answers
            .iter()
            .enumerate()
            .map(|(document, answer)| {
                if answer.sum == 0.0 || answer.sum < total * answer.floor() {
                    return 0.0;
                }
                let coverage = answer.covered / total;
                let name = self.name_coverage(document, clauses);
                answer.sum * (1.0 - COVERAGE + COVERAGE * coverage + NAME * name)
            })
            .collect()
    }

    /// How much of a skill's name is in the request, from 0 to 1, rare terms counting more.
    fn name_coverage(&self, document: usize, clauses: &[Clause]) -> f32 {
        let (mut all, mut found) = (0.0, 0.0);
        for &term in self.name_terms(document) {
            let rarity = self.rarity(term);
            all += rarity;
            let share = clauses
                .iter()
                .flat_map(|clause| &clause.terms)
                .filter(|(other, _)| *other == term)
                .map(|(_, share)| *share)
                .fold(0.0, f32::max);
            found += rarity * share;
        }
        if all > 0.0 { found / all } else { 0.0 }
    }

    /// What a clause could add at most.
    fn weight(&self, clause: &Clause) -> f32 {
        clause
            .terms
            .iter()
            .map(|&(term, share)| self.rarity(term) * share)
            .fold(0.0, f32::max)
    }

    fn reasons(&self, document: usize, clauses: &[Clause]) -> Vec<Reason<'_>> {
        let mut reasons: Vec<Reason<'_>> = clauses
            .iter()
            .filter_map(|clause| {
                let (term, share) = clause
                    .terms
                    .iter()
                    .filter_map(|&(term, share)| {
                        Some((
                            term,
                            share * self.rarity(term) * self.worth(term, document)?.share(),
                        ))
                    })
                    .max_by(|a, b| a.1.total_cmp(&b.1))?;
                Some(Reason {
                    word: clause.word.clone(),
                    term: self.vocabulary.term(term as usize),
                    share: thousandths(share) as f64 / 1000.0,
                })
            })
            .collect();
        reasons.sort_by(|a, b| {
            b.share
                .total_cmp(&a.share)
                .then_with(|| a.word.cmp(&b.word))
        });
        reasons
    }

    fn worth(&self, term: Term, document: usize) -> Option<Worth> {
        self.postings(term)
            .take_while(|(other, _)| *other <= document)
            .find(|(other, _)| *other == document)
            .map(|(_, worth)| worth)
    }
}

/// Scores are compared in thousandths, so that rounding in the last place never decides.
fn thousandths(score: f32) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "a score is a small number")]
    let rounded = (f64::from(score) * 1000.0).round() as i64;
    rounded
}
