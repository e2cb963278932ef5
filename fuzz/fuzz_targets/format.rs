//! The canonical form says the same as what it was made from, and has itself as its canonical form.

#![no_main]

use libfuzzer_sys::fuzz_target;
use skillmd::format::format;
use skillmd::{Document, Encoding, Manifest, Reporter, parse_text};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    let document = read(text);
    let formatted = read(&format(&document));
    assert_eq!(
        format(&formatted),
        formatted.text(),
        "the canonical form is its own"
    );
    assert_eq!(keys(&document), keys(&formatted));

    let (before, after) = (manifest(&document), manifest(&formatted));
    assert!(
        before.values().eq(after.values()),
        "{before:?}\nbecame {after:?}"
    );
});

fn read(text: &str) -> Document {
    parse_text(text.to_owned(), Encoding::Utf8)
}

/// The keys that count, sorted.
fn keys(document: &Document) -> Vec<&str> {
    let counting = document.entries().iter().filter(|entry| !entry.duplicate);
    let mut keys: Vec<&str> = counting.map(|entry| entry.key.as_str()).collect();
    keys.sort_unstable();
    keys
}

fn manifest(document: &Document) -> Manifest {
    Manifest::read(document, &mut Reporter::new(document.text()))
}
