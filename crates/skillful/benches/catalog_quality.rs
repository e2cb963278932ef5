//! How well a shortened catalog still tells skills apart.
//!
//! ```sh
//! cargo bench -p skillful --bench catalog_quality -- DIRECTORY [FIRST_SEED]
//! ```
//!
//! Draws 200 skills of the directory at random, 20 times. A skill's query is a sentence of its body, or an example of
//! a request that its author gives there, that is not in its description. The queries are ranked by plain BM25 over the
//! text of the catalog alone, and it is counted how often the skill comes first, or among the first five, when the
//! catalog may have all, half, a quarter or a tenth of its characters. Three ways to save room are compared: ours, all
//! descriptions cut at the end at the same length (as Codex does), and whole descriptions dropped (as Claude Code does).
//! All have the same form, `- name: description`, and the same budget.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "a measurement that prints its figures, and ends where it cannot be made"
)]

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use skillful::catalog::{Budget, Entry, Form, Options, Usage, render};
use skillful::{Clients, Host, Library, Mode, details};

const SKILLS: usize = 200;
const DRAWS: u64 = 20;
const PERCENTAGES: [usize; 4] = [100, 50, 25, 10];

fn main() {
    // Cargo hands `--bench` to every benchmark.
    let mut arguments = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench");
    let Some(directory) = arguments.next() else {
        println!("catalog_quality needs a directory of skills; there is nothing to measure");
        return;
    };
    let directory = std::fs::canonicalize(directory).unwrap();
    let first = arguments.next().map_or(1, |seed| seed.parse().unwrap());
    let skills = skills(directory);
    println!(
        "{} skills with a description and a sentence to ask for",
        skills.len()
    );
    let draws: Vec<Vec<&Skill>> = (first..first + DRAWS)
        .map(|seed| draw(&skills, seed))
        .collect();
    println!(
        "{:<28}{}",
        "",
        PERCENTAGES
            .map(|percent| format!("{percent:>7} %     "))
            .join("")
    );
    for (name, strategy) in STRATEGIES {
        let cells = PERCENTAGES.map(|percent| {
            let sums = draws.iter().fold((0.0, 0.0), |sums, draw| {
                let (first, five) = recall(draw, *strategy, percent);
                (sums.0 + first, sums.1 + five)
            });
            let share = |sum: f64| 100.0 * sum / (DRAWS as f64 * SKILLS as f64);
            format!("{:>6.1} {:>5.1}  ", share(sums.0), share(sums.1))
        });
        println!("{name:<28}{}", cells.join(""));
    }
    println!("recall@1 and recall@5 in percent");
}

/// A skill, and what somebody might ask who needs it.
struct Skill {
    entry: Entry,
    queries: Vec<String>,
}

/// All skills that can be asked for, each description once.
fn skills(directory: PathBuf) -> Vec<Skill> {
    let options = skillful::Options {
        roots: vec![directory.clone()],
        ..skillful::Options::default()
    };
    let library = Library::scan(
        &Host::new(directory),
        &Clients::built_in().unwrap(),
        &options,
    );
    let mut seen = BTreeSet::new();
    let all = library.registry.skills().iter();
    all.filter_map(|skill| {
        let content = details::content(&skill.form, &skill.path).ok()?;
        let document = skillmd::parse(content).ok()?;
        let mut entry = Entry::of_skill(skill, Mode::Auto, Usage::default())?;
        entry.when = None;
        let queries = queries(document.body(), &entry.description);
        let is_new = !entry.description.is_empty() && seen.insert(entry.description.clone());
        (is_new && !queries.is_empty()).then_some(Skill { entry, queries })
    })
    .collect()
}

/// Sentences of the body's prose, and requests in quotation marks, that the description does not hold.
fn queries(body: &str, description: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_code = false;
    for line in body.lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            is_code = !is_code;
        }
        if is_code || line.starts_with(['#', '|', '<', '`', '~']) {
            continue;
        }
        let quoted = line
            .split('"')
            .skip(1)
            .step_by(2)
            .filter(|part| words(part) >= 4);
        let sentences = line
            .split_inclusive(['.', '!', '?'])
            .filter(|part| words(part) >= 8);
        found.extend(quoted.chain(sentences).map(str::to_owned));
    }
    found.retain(|query| words(query) <= 40 && !description.contains(query.trim()));
    found
}

fn words(text: &str) -> usize {
    text.split_whitespace()
        .filter(|word| word.contains(char::is_alphabetic))
        .count()
}

/// Skills at random, sorted by id, each with one of its queries first.
fn draw(skills: &[Skill], seed: u64) -> Vec<&Skill> {
    let mut random = Random(seed);
    let mut places: Vec<usize> = (0..skills.len()).collect();
    for index in 0..SKILLS.min(places.len()) {
        let other = index + random.below(places.len() - index);
        places.swap(index, other);
    }
    places.truncate(SKILLS);
    places.sort_unstable();
    places.into_iter().map(|place| &skills[place]).collect()
}

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % end as u64).unwrap()
    }
}

/// Gives the text that a catalog of at most so many characters has for each skill.
type Strategy = fn(&[Entry], usize) -> Vec<String>;

const STRATEGIES: &[(&str, Strategy)] = &[
    ("ours", ours),
    ("cut at the end, evenly", cut_evenly),
    ("drop whole descriptions", drop_whole),
];

fn ours(entries: &[Entry], characters: usize) -> Vec<String> {
    let catalog = render(
        entries,
        &Options {
            form: Form::ClaudeCode,
            budget: Budget {
                characters: Some(characters),
                ..Budget::default()
            },
            ..Options::default()
        },
    );
    assert!(
        catalog.characters <= characters,
        "{} > {characters}",
        catalog.characters
    );
    let mut lines = catalog.text.lines();
    entries
        .iter()
        .map(|entry| {
            let is_included = catalog.included.contains(&entry.id);
            if is_included {
                lines.next().unwrap().to_owned()
            } else {
                String::new()
            }
        })
        .collect()
}

fn name_chars(entry: &Entry) -> usize {
    "- \n".len() + entry.name.chars().count()
}

/// Every description is cut to the same length, the greatest that fits.
fn cut_evenly(entries: &[Entry], characters: usize) -> Vec<String> {
    let names: usize = entries.iter().map(name_chars).sum();
    let total = |length: usize| -> usize {
        let kept = |entry: &Entry| match entry.description.chars().count().min(length) {
            0 => 0,
            kept => ": ".len() + kept,
        };
        names + entries.iter().map(kept).sum::<usize>()
    };
    let mut length = 0;
    while total(length + 1) <= characters && length < 5_000 {
        length += 1;
    }
    let cut = |entry: &Entry| entry.description.chars().take(length).collect::<String>();
    entries
        .iter()
        .map(|entry| format!("- {}: {}", entry.name, cut(entry)))
        .collect()
}

/// Descriptions are kept whole as long as they fit, in the order of the catalog: nobody has used anything yet.
fn drop_whole(entries: &[Entry], characters: usize) -> Vec<String> {
    let names: usize = entries.iter().map(name_chars).sum();
    let mut left = characters.saturating_sub(names);
    entries
        .iter()
        .map(|entry| {
            let cost = ": ".len() + entry.description.chars().count();
            if cost <= left {
                left -= cost;
                format!("- {}: {}", entry.name, entry.description)
            } else {
                format!("- {}", entry.name)
            }
        })
        .collect()
}

/// How many skills come first, and among the first five, for a query of theirs.
fn recall(skills: &[&Skill], strategy: Strategy, percent: usize) -> (f64, f64) {
    let entries: Vec<Entry> = skills.iter().map(|skill| skill.entry.clone()).collect();
    let whole: usize = ours(&entries, usize::MAX)
        .iter()
        .map(|line| line.chars().count() + 1)
        .sum();
    let texts = strategy(&entries, whole * percent / 100);
    let index = Bm25::new(&texts);
    let mut sums = (0.0, 0.0);
    for (place, skill) in skills.iter().enumerate() {
        let chosen = Random(place as u64 + whole as u64).below(skill.queries.len());
        let scores = index.scores(&skill.queries[chosen]);
        let own = scores[place];
        if own > 0.0 {
            let better = scores.iter().filter(|score| **score > own).count() as f64;
            let equal = scores.iter().filter(|score| **score == own).count() as f64;
            // Those with the same score share their places.
            sums.0 += ((1.0 - better) / equal).clamp(0.0, 1.0);
            sums.1 += ((5.0 - better) / equal).clamp(0.0, 1.0);
        }
    }
    sums
}

/// Plain BM25, k1 = 1.2, b = 0.75, over lower-case words without stemming.
struct Bm25 {
    documents: Vec<(HashMap<String, f64>, f64)>,
    rarity: HashMap<String, f64>,
    mean: f64,
}

impl Bm25 {
    fn new(texts: &[String]) -> Self {
        let mut documents = Vec::new();
        let mut counts: HashMap<String, f64> = HashMap::new();
        for text in texts {
            let mut terms: HashMap<String, f64> = HashMap::new();
            let mut length = 0.0;
            for term in terms_of(text) {
                *terms.entry(term).or_default() += 1.0;
                length += 1.0;
            }
            for term in terms.keys() {
                *counts.entry(term.clone()).or_default() += 1.0;
            }
            documents.push((terms, length));
        }
        let total = documents.len() as f64;
        let mean = documents.iter().map(|(_, length)| length).sum::<f64>() / total;
        let rarity = counts
            .into_iter()
            .map(|(term, count)| (term, (1.0 + (total - count + 0.5) / (count + 0.5)).ln()))
            .collect();
        Self {
            documents,
            rarity,
            mean,
        }
    }

    fn scores(&self, query: &str) -> Vec<f64> {
        let terms: BTreeSet<String> = terms_of(query).into_iter().collect();
        let score = |(counts, length): &(HashMap<String, f64>, f64)| {
            let of_term = |term: &String| {
                let count = counts.get(term).copied().unwrap_or_default();
                let norm = 1.2 * (0.25 + 0.75 * length / self.mean);
                self.rarity.get(term).copied().unwrap_or_default() * count * 2.2 / (count + norm)
            };
            terms.iter().map(of_term).sum()
        };
        self.documents.iter().map(score).collect()
    }
}

fn terms_of(text: &str) -> Vec<String> {
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .flat_map(|word| {
            if word.is_ascii() {
                return vec![word.to_lowercase()];
            }
            let characters: Vec<char> = word.to_lowercase().chars().collect();
            match characters.len() {
                0 | 1 => vec![word.to_owned()],
                _ => characters
                    .windows(2)
                    .map(|pair| pair.iter().collect())
                    .collect(),
            }
        })
        .collect()
}
