//! The canonical form says the same as what it was made from, and has itself as its canonical form.

#![no_main]

use libfuzzer_sys::fuzz_target;
use skillmd::format::format;
use skillmd::{Document, Encoding, FieldValue, Manifest, Reporter, parse_text};

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
    let mut pairs = before.values().zip(after.values());
    let all_same = pairs.all(|((name, a), (other, b))| name == other && says_same(&a, &b));
    let as_many = before.values().count() == after.values().count();
    assert!(all_same && as_many, "{before:?}\nbecame {after:?}");
});

/// Whether two fields say the same. What is kept as it stands in the frontmatter may be written in another notation.
fn says_same(a: &FieldValue<'_>, b: &FieldValue<'_>) -> bool {
    match (a, b) {
        (FieldValue::Node(_), FieldValue::Node(_))
        | (FieldValue::Pairs(_), FieldValue::Pairs(_)) => true,
        (FieldValue::List(a), FieldValue::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| says_same(a, b))
        }
        (FieldValue::Record(a), FieldValue::Record(b)) => {
            let same =
                |((name, a), (other, b)): (&(_, _), &(_, _))| name == other && says_same(a, b);
            a.len() == b.len() && a.iter().zip(b).all(same)
        }
        (a, b) => a == b,
    }
}

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
