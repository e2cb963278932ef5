//! How well search finds what people ask for, over a directory of skills that is given as the argument or in the variable
//! `SKILLFUL_CORPUS`; beside plain BM25 in the same run.
//!
//! ```text
//! cargo bench -p skillful --bench search_quality -- DIRECTORY
//! ```
//!
//! The requests are in `requests.tsv`: those on odd lines may be used while tuning, the others are held out.
//! `--misses` lists the requests whose skills are not among the first five, with what came instead.

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::cast_precision_loss,
    reason = "a report for people"
)]

mod bm25;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use bm25::{Bm25, Plain};
use sha2::{Digest, Sha256};
use skillful::search::{Document, Index, Options};
use skillful::{Clients, Host, Library, Skill, State};

const REQUESTS: &str = include_str!("requests.tsv");

/// How many hits are looked at.
const DEPTH: usize = 50;

/// A plain request and the ids of the skills that would do.
struct Request<'s> {
    text: &'static str,
    wanted: BTreeSet<&'s str>,
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
    let scan = milliseconds(|| ready_skills(&directory));
    let requests = requests(&skills);
    let index = Index::of_skills(&skills);
    let build = milliseconds(|| Index::of_skills(&skills));
    let mut queries: Vec<f64> = texts()
        .map(|text| milliseconds(|| ids(&index, text)))
        .collect();
    queries.sort_by(f64::total_cmp);
    println!("{} ready skills, {} requests", skills.len(), requests.len());
    println!(
        "scan {scan:.0} ms; index {build:.0} ms, {:.1} MB",
        index.bytes() as f64 / 1e6
    );
    println!(
        "query: median {:.2} ms, slowest {:.2} ms",
        queries[queries.len() / 2],
        queries[queries.len() - 1]
    );
    if requests.is_empty() {
        return;
    }

    println!(
        "\n{:44}{:>7}{:>7}{:>7}{:>7}{:>7}",
        "", "hit@1", "@3", "@5", "@10", "MRR"
    );
    for (name, kind) in [
        (
            "BM25 over name and description",
            Plain {
                stems: false,
                body: false,
            },
        ),
        (
            "BM25 over name and description, stemmed",
            Plain {
                stems: true,
                body: false,
            },
        ),
        (
            "BM25 stemmed, name x5, description x3, body",
            Plain {
                stems: true,
                body: true,
            },
        ),
    ] {
        let engine = Bm25::new(&skills, kind);
        report(name, &requests, |text| engine.search(text));
    }
    let frontmatter = Index::build(&skills, |skill| Document::of_frontmatter(skill));
    let ours = |text: &str| ids(&index, text);
    report("skillful, frontmatter alone", &requests, |text| {
        ids(&frontmatter, text)
    });
    report("skillful", &requests, ours);
    if shows_misses {
        misses(&requests, &index);
    }
}

/// The shortest of three runs.
fn milliseconds<T>(work: impl Fn() -> T) -> f64 {
    let run = |_| {
        let started = Instant::now();
        std::hint::black_box(work());
        started.elapsed().as_secs_f64() * 1e3
    };
    (0..3).map(run).fold(f64::INFINITY, f64::min)
}

/// The texts of all requests.
fn texts() -> impl Iterator<Item = &'static str> {
    REQUESTS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| Some(line.split_once('\t')?.0))
}

fn ids(index: &Index, text: &str) -> Vec<String> {
    let options = Options {
        limit: DEPTH,
        ..Options::default()
    };
    index
        .search(text, &options)
        .iter()
        .map(|hit| hit.id.to_owned())
        .collect()
}

fn ready_skills(directory: &str) -> Vec<Arc<Skill>> {
    let host = Host::new(std::env::current_dir().expect("a working directory"));
    let clients = Clients::built_in().expect("the built-in table");
    let options = skillful::Options {
        roots: vec![directory.into()],
        ..skillful::Options::default()
    };
    let library = Library::scan(&host, &clients, &options);
    library
        .registry
        .skills()
        .iter()
        .filter(|skill| skill.state == State::Ready)
        .cloned()
        .collect()
}

fn requests(skills: &[Arc<Skill>]) -> Vec<Request<'_>> {
    let known: BTreeMap<String, &str> = skills
        .iter()
        .map(|skill| (mark(&skill.id), &*skill.id))
        .collect();
    REQUESTS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .map(|(text, wanted)| Request {
            text,
            wanted: wanted
                .split_whitespace()
                .filter_map(|mark| known.get(mark).copied())
                .collect(),
        })
        .filter(|request| !request.wanted.is_empty())
        .collect()
}

/// What stands for an id in the requests: the skills are other people's, and so are their names.
fn mark(id: &str) -> String {
    let digest = Sha256::digest(id.as_bytes());
    let digits = digest[..6].iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

fn report(name: &str, requests: &[Request<'_>], search: impl Fn(&str) -> Vec<String>) {
    let ranks: Vec<Option<usize>> = requests
        .iter()
        .map(|request| {
            search(request.text)
                .iter()
                .position(|id| request.wanted.contains(&**id))
        })
        .collect();
    let half = |rest| {
        ranks
            .iter()
            .skip(rest)
            .step_by(2)
            .copied()
            .collect::<Vec<_>>()
    };
    for (part, ranks) in [
        ("", ranks.clone()),
        ("  tuned on", half(0)),
        ("  held out", half(1)),
    ] {
        let share = |ranks: &[Option<usize>], limit: usize| {
            ranks.iter().flatten().filter(|rank| **rank < limit).count() as f64 / ranks.len() as f64
        };
        let mrr = ranks
            .iter()
            .flatten()
            .map(|rank| 1.0 / (*rank + 1) as f64)
            .sum::<f64>()
            / ranks.len() as f64;
        let title = if part.is_empty() { name } else { part };
        print!("{title:44}");
        for limit in [1, 3, 5, 10] {
            print!("{:7.3}", share(&ranks, limit));
        }
        println!("{mrr:7.3}");
    }
}

/// Requests whose skills come late, of the half that may be used while tuning.
fn misses(requests: &[Request<'_>], index: &Index) {
    for request in requests.iter().step_by(2) {
        let found = ids(index, request.text);
        let rank = found.iter().position(|id| request.wanted.contains(&**id));
        if rank.is_none_or(|rank| rank >= 3) {
            println!("\n{} (rank {rank:?})", request.text);
            for hit in index.search(
                request.text,
                &Options {
                    limit: 4,
                    ..Options::default()
                },
            ) {
                let reasons: Vec<String> = hit
                    .reasons
                    .iter()
                    .map(|reason| format!("{}={} {:.1}", reason.word, reason.term, reason.share))
                    .collect();
                println!("  {:8.3} {} [{}]", hit.score, hit.id, reasons.join(", "));
            }
        }
    }
}
