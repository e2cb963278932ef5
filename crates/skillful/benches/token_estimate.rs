//! How far the estimate of tokens is off.
//!
//! ```sh
//! cargo bench -p skillful --features exact-tokens --bench token_estimate -- DIRECTORY
//! ```
//!
//! Compares the estimate, and a quarter of the bytes, with an exact count over the texts of all skills of the directory.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a measurement that prints its figures, and ends where it cannot be made"
)]

use std::fs::canonicalize;

use skillful::tokens::{Estimate, Exact, TokenCounter};
use skillful::{Clients, Host, Library, Options, details};

/// Shorter texts are off by a token or two, which says nothing.
const TOKENS: usize = 20;

fn main() {
    // Cargo hands `--bench` to every benchmark.
    let mut arguments = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench");
    let Some(directory) = arguments.next() else {
        println!("token_estimate needs a directory of skills; there is nothing to measure");
        return;
    };
    let texts = texts(&directory);
    let exact: Vec<usize> = texts.iter().map(|text| Exact.count(text)).collect();
    println!("{} texts", texts.len());
    println!(
        "{:<20}{:>8}{:>8}{:>8}{:>8}",
        "", "mean", "off by", "p95", "below"
    );
    let quarter: fn(&str) -> usize = |text| text.len().div_ceil(4);
    let estimate: fn(&str) -> usize = |text| Estimate.count(text);
    for (name, count) in [("estimate", estimate), ("bytes / 4", quarter)] {
        let errors = texts.iter().zip(&exact);
        report(
            name,
            errors
                .map(|(text, exact)| 100.0 * (count(text) as f64 / *exact as f64 - 1.0))
                .collect(),
        );
    }
    println!("in percent of the exact count");
}

fn texts(directory: &str) -> Vec<String> {
    let directory = canonicalize(directory).unwrap();
    let options = Options {
        roots: vec![directory.clone()],
        ..Options::default()
    };
    let library = Library::scan(
        &Host::new(directory),
        &Clients::built_in().unwrap(),
        &options,
    );
    let skills = library.registry.skills().iter();
    skills
        .filter_map(|skill| {
            String::from_utf8(details::content(&skill.form, &skill.path).ok()?).ok()
        })
        .filter(|text| Exact.count(text) >= TOKENS)
        .collect()
}

fn report(name: &str, errors: Vec<f64>) {
    let count = errors.len() as f64;
    let mean = errors.iter().sum::<f64>() / count;
    let below = 100.0 * errors.iter().filter(|error| **error < 0.0).count() as f64 / count;
    let mut sizes: Vec<f64> = errors.into_iter().map(f64::abs).collect();
    sizes.sort_by(f64::total_cmp);
    let off = sizes.iter().sum::<f64>() / count;
    let p95 = sizes[sizes.len() * 95 / 100];
    println!("{name:<20}{mean:>8.1}{off:>8.1}{p95:>8.1}{below:>8.1}");
}
