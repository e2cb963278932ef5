//! What it costs to print a catalog of a thousand skills. Run with `cargo bench -p skillful --bench catalog`.

use std::path::PathBuf;

use divan::Bencher;
use skillful::Mode;
use skillful::Source;
use skillful::catalog::{Budget, Entry, Form, Options, Usage, render};

const SKILLS: usize = 1_000;

fn main() {
    divan::main();
}

/// Skills with descriptions of some 230 characters, as published ones have, of 3,000 different words and some small ones.
fn entries() -> Vec<Entry> {
    let mut state = 1_u64;
    let mut next = move |end: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % end
    };
    let mut word = move || match next(10) {
        0 => "the".to_owned(),
        1 => "and".to_owned(),
        2 => "for".to_owned(),
        kind => {
            let start = ["in", "re", "un"][usize::try_from(kind % 3).unwrap_or_default()];
            format!("{start}word{}", next(1_000))
        }
    };
    (0..SKILLS)
        .map(|number| {
            let words: Vec<String> = (0..28).map(|_| word()).collect();
            let name = format!("skill-{number}");
            Entry {
                id: name.clone(),
                location: PathBuf::from(format!("/skills/{name}/SKILL.md")),
                description: format!(
                    "{}. Use when {}.",
                    words[..14].join(" "),
                    words[14..].join(" ")
                ),
                name,
                when: None,
                version: Some("sha256:0123456789abcdef".to_owned()),
                source: Source::Global,
                mode: Mode::Auto,
                usage: Usage::default(),
                category: None,
            }
        })
        .collect()
}

fn bench(bencher: Bencher<'_, '_>, budget: Budget) {
    let entries = entries();
    let options = Options {
        form: Form::Aleph,
        budget,
        ..Options::default()
    };
    bencher.bench(|| render(&entries, &options));
}

#[divan::bench]
fn whole(bencher: Bencher<'_, '_>) {
    bench(bencher, Budget::default());
}

#[divan::bench(args = [50, 80])]
fn percent_of_the_characters(bencher: Bencher<'_, '_>, percent: usize) {
    let whole = render(&entries(), &Options::default()).characters;
    let characters = Some(whole * percent / 100);
    bench(
        bencher,
        Budget {
            characters,
            ..Budget::default()
        },
    );
}

#[divan::bench]
fn half_of_the_tokens(bencher: Bencher<'_, '_>) {
    let tokens = Some(render(&entries(), &Options::default()).tokens / 2);
    bench(
        bencher,
        Budget {
            tokens,
            ..Budget::default()
        },
    );
}
