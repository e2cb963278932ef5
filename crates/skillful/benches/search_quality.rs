//! How well search finds what people ask for, over a directory of skills that is given as the argument or in the variable
//! `SKILLFUL_CORPUS`; beside plain BM25 in the same run.
//!
//! ```text
//! cargo bench -p skillful --bench search_quality -- DIRECTORY
//! ```
//!
//! The requests are in `data/requests.tsv`: those on odd lines may be used while tuning, the others are held out.
//! `--misses` lists the requests whose skills are not among the first five, with what came instead.

#![expect(clippy::print_stdout, clippy::expect_used, reason = "a report for people")]

use std::collections::{BTreeSet, HashMap};
use std::time::Instant;

use rust_stemmers::{Algorithm, Stemmer};
use skillful::search::{Document, Index, Options};
use skillful::{Clients, Host, Library, Skill, State};

const REQUESTS: &str = include_str!("data/requests.tsv");

/// How many hits are looked at.
const DEPTH: usize = 50;

/// A plain request and the ids of the skills that would do.
struct Request {
    text: &'static str,
    wanted: BTreeSet<&'static str>,
}

fn main() {
    let mut shows_misses = false;
    let mut directory = std::env::var("SKILLFUL_CORPUS").ok();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--misses" => shows_misses = true,
            // Cargo adds it.
            "--bench" => {}
            _ => directory = Some(argument),
        }
    }
    let Some(directory) = directory else {
        println!("no directory of skills was given: nothing to measure");
        return;
    };
    let skills = ready_skills(&directory);
    let requests = requests(&skills);
    println!("{} ready skills, {} requests\n", skills.len(), requests.len());

    let started = Instant::now();
    let index = Index::build(&skills, |skill| Document::of_skill(skill));
    println!("index: {:.0} ms, {:.1} MB", started.elapsed().as_secs_f64() * 1e3, index.bytes() as f64 / 1e6);

    println!("\n{:44}{:>7}{:>7}{:>7}{:>7}{:>7}{:>9}", "", "hit@1", "@3", "@5", "@10", "MRR", "ms/query");
    for (name, kind) in [
        ("BM25 over name and description", Plain { stems: false, body: false }),
        ("BM25 over name and description, stemmed", Plain { stems: true, body: false }),
        ("BM25 stemmed, name x5, description x3, body", Plain { stems: true, body: true }),
    ] {
        let engine = Bm25::new(&skills, kind);
        report(name, &requests, |text| engine.search(text));
    }
    let frontmatter = Index::build(&skills, |skill| Document::of_frontmatter(skill));
    let ours = |text: &str| ids(&index, text);
    report("skillful, frontmatter alone", &requests, |text| ids(&frontmatter, text));
    report("skillful", &requests, ours);
    if shows_misses {
        misses(&requests, &index);
    }
}

fn ids(index: &Index, text: &str) -> Vec<String> {
    let options = Options { limit: DEPTH, ..Options::default() };
    index.search(text, &options).iter().map(|hit| hit.id.to_owned()).collect()
}

fn ready_skills(directory: &str) -> Vec<std::sync::Arc<Skill>> {
    let host = Host::new(std::env::current_dir().expect("a working directory"));
    let clients = Clients::built_in().expect("the built-in table");
    let options = skillful::Options { roots: vec![directory.into()], ..skillful::Options::default() };
    let library = Library::scan(&host, &clients, &options);
    library.registry.skills().iter().filter(|skill| skill.state == State::Ready).cloned().collect()
}

fn requests(skills: &[std::sync::Arc<Skill>]) -> Vec<Request> {
    let known: BTreeSet<&str> = skills.iter().map(|skill| &*skill.id).collect();
    REQUESTS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .map(|(text, wanted)| Request {
            text,
            wanted: wanted.split_whitespace().filter(|id| known.contains(id)).collect(),
        })
        .filter(|request| !request.wanted.is_empty())
        .collect()
}

fn report(name: &str, requests: &[Request], search: impl Fn(&str) -> Vec<String>) {
    let started = Instant::now();
    let ranks: Vec<Option<usize>> = requests
        .iter()
        .map(|request| search(request.text).iter().position(|id| request.wanted.contains(&**id)))
        .collect();
    let time = started.elapsed().as_secs_f64() * 1e3 / requests.len() as f64;
    let half = |rest| ranks.iter().skip(rest).step_by(2).copied().collect::<Vec<_>>();
    for (part, ranks) in [("", ranks.clone()), ("  tuned on", half(0)), ("  held out", half(1))] {
        let share = |ranks: &[Option<usize>], limit: usize| {
            ranks.iter().flatten().filter(|rank| **rank < limit).count() as f64 / ranks.len() as f64
        };
        let mrr = ranks.iter().flatten().map(|rank| 1.0 / (*rank + 1) as f64).sum::<f64>() / ranks.len() as f64;
        let title = if part.is_empty() { name } else { part };
        print!("{title:44}");
        for limit in [1, 3, 5, 10] {
            print!("{:7.3}", share(&ranks, limit));
        }
        let time = if part.is_empty() { format!("{time:9.2}") } else { String::new() };
        println!("{mrr:7.3}{time}");
    }
}

/// Requests whose skills come late, of the half that may be used while tuning.
fn misses(requests: &[Request], index: &Index) {
    for request in requests.iter().step_by(2) {
        let found = ids(index, request.text);
        let rank = found.iter().position(|id| request.wanted.contains(&**id));
        if rank.is_none_or(|rank| rank >= 3) {
            println!("\n{} (rank {rank:?})", request.text);
            for hit in index.search(request.text, &Options { limit: 4, ..Options::default() }) {
                let reasons: Vec<String> = hit.reasons.iter().map(|reason| format!("{}={} {:.1}", reason.word, reason.term, reason.share)).collect();
                println!("  {:8.3} {} [{}]", hit.score, hit.id, reasons.join(", "));
            }
        }
    }
}

/// What the baseline looks at.
#[derive(Clone, Copy)]
struct Plain {
    stems: bool,
    body: bool,
}

/// BM25 as it is in the books, over one bag of words a skill.
struct Bm25 {
    ids: Vec<String>,
    lengths: Vec<f64>,
    postings: HashMap<String, Vec<(usize, f64)>>,
    kind: Plain,
}

impl Bm25 {
    fn new(skills: &[std::sync::Arc<Skill>], kind: Plain) -> Self {
        let mut engine = Self { ids: Vec::new(), lengths: Vec::new(), postings: HashMap::new(), kind };
        for (place, skill) in skills.iter().enumerate() {
            let document = Document::of_skill(skill);
            let (name, description) = if kind.body { (5, 3) } else { (1, 1) };
            let mut words = Vec::new();
            for _ in 0..name {
                words.extend(engine.words(document.name));
            }
            for _ in 0..description {
                words.extend(engine.words(&skill.description));
            }
            if kind.body {
                words.extend(engine.words(&document.body));
            }
            engine.ids.push(skill.id.clone());
            engine.lengths.push(words.len() as f64);
            let mut counts: HashMap<String, f64> = HashMap::new();
            for word in words {
                *counts.entry(word).or_default() += 1.0;
            }
            for (word, count) in counts {
                engine.postings.entry(word).or_default().push((place, count));
            }
        }
        engine
    }

    fn words(&self, text: &str) -> Vec<String> {
        let stemmer = Stemmer::create(Algorithm::English);
        text.to_lowercase()
            .split(|character: char| !character.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(|word| if self.kind.stems { stemmer.stem(word).into_owned() } else { word.to_owned() })
            .collect()
    }

    fn search(&self, text: &str) -> Vec<String> {
        const SATURATION: f64 = 1.2;
        const LENGTH_SHARE: f64 = 0.75;
        let all = self.ids.len() as f64;
        let average = self.lengths.iter().sum::<f64>() / all;
        let mut scores = vec![0.0; self.ids.len()];
        for word in self.words(text).into_iter().collect::<BTreeSet<_>>() {
            let Some(postings) = self.postings.get(&word) else { continue };
            let having = postings.len() as f64;
            let rarity = (1.0 + (all - having + 0.5) / (having + 0.5)).ln();
            for &(place, count) in postings {
                let length = 1.0 - LENGTH_SHARE + LENGTH_SHARE * self.lengths[place] / average;
                scores[place] += rarity * count * (SATURATION + 1.0) / (count + SATURATION * length);
            }
        }
        let mut ranked: Vec<usize> = (0..scores.len()).filter(|&place| scores[place] > 0.0).collect();
        ranked.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then_with(|| self.ids[a].cmp(&self.ids[b])));
        ranked.into_iter().take(DEPTH).map(|place| self.ids[place].clone()).collect()
    }
}
