//! What becomes of a file's text: fences, entries, recovery, diagnostics.

mod bounds;
mod fences;
mod near_misses;
mod recovery;
mod toml;
mod values;

use skillmd::{Document, Encoding, parse_text};

fn read(text: &str) -> Document {
    let document = parse_text(text.to_owned(), Encoding::Utf8);
    assert_eq!(
        document.to_bytes(),
        text.as_bytes(),
        "unedited means unchanged"
    );
    document
}

/// The entries as `key=text`, lists in brackets, mappings in braces, joined by `; `.
fn entries(document: &Document) -> String {
    fn show(node: &skillmd::Node) -> String {
        match &node.value {
            skillmd::Value::Scalar(scalar) => scalar.text.clone(),
            skillmd::Value::Sequence(items) => {
                format!(
                    "[{}]",
                    items.iter().map(show).collect::<Vec<_>>().join(", ")
                )
            }
            skillmd::Value::Mapping(pairs) => format!(
                "{{{}}}",
                pairs
                    .iter()
                    .map(|pair| format!("{}={}", pair.key, show(&pair.value)))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        }
    }
    document
        .entries()
        .iter()
        .map(|entry| format!("{}={}", entry.key, show(&entry.value)))
        .collect::<Vec<_>>()
        .join("; ")
}

/// The diagnostics as `code@line:column`.
fn codes(document: &Document) -> Vec<String> {
    document
        .diagnostics()
        .iter()
        .map(|d| format!("{}@{}:{}", d.code, d.position.line, d.position.column))
        .collect()
}

#[track_caller]
fn check(text: &str, expected: &str, expected_codes: &[&str]) -> Document {
    let document = read(text);
    assert_eq!(entries(&document), expected);
    assert_eq!(codes(&document), expected_codes);
    document
}
