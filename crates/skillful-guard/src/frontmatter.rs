//! The frontmatter: what a skill claims, and what a client would do on loading it.

use skillmd::{Document, Encoding, Node, Value, parse_text};

use crate::context::{Form, Language, Unit, Zone};
use crate::facts::Facts;
use crate::text::View;

/// The text after the frontmatter, and where it begins. Without a frontmatter that is all of it.
pub(crate) fn body(text: &str) -> (&str, usize) {
    // Cheap for the many Markdown files that have none.
    let head = text.trim_start_matches(['\u{feff}', '\n', '\r', ' ']);
    if !head.starts_with("---") && !head.starts_with("+++") && !head.starts_with("<!--") {
        return (text, 0);
    }
    let document = parse_text(text.to_owned(), Encoding::Utf8);
    let start = document.body_span().start;
    match text.get(start..) {
        Some(body) if document.frontmatter().is_some() => (body, start),
        _ => (text, 0),
    }
}

/// Looks at the frontmatter's values, and gives those that programs or agents read to the scan.
pub(crate) fn scan(text: &str, facts: &mut Facts) -> Vec<Unit> {
    let document = parse_text(text.to_owned(), Encoding::Utf8);
    if document.frontmatter().is_none() {
        return Vec::new();
    }
    let mut units = Vec::new();
    for entry in document.entries() {
        let runs = spelt(&entry.key) == "hooks";
        collect(&entry.value, runs, 0, &mut units);
    }
    claims(&document, facts);
    units
}

fn spelt(key: &str) -> String {
    key.to_ascii_lowercase().replace('_', "-")
}

/// Every scalar is a text that the agent may see; below `hooks` it is a command that the client runs.
fn collect(node: &Node, runs: bool, depth: usize, units: &mut Vec<Unit>) {
    if depth > skillmd::limits::NESTING {
        return;
    }
    match &node.value {
        Value::Scalar(scalar) if runs && scalar.text.contains(' ') => {
            let view = View::pinned(scalar.text.clone(), node.span.start);
            let mut unit = Unit::uniform(view, Form::Code(Language::Shell), Zone::Description);
            unit.runs_on_load = true;
            units.push(unit);
        }
        Value::Scalar(scalar) => {
            let view = View::pinned(scalar.text.clone(), node.span.start);
            units.push(Unit::uniform(view, Form::Prose, Zone::Description));
        }
        Value::Sequence(items) => items.iter().for_each(|item| collect(item, runs, depth + 1, units)),
        Value::Mapping(pairs) => {
            for pair in pairs {
                collect(&pair.value, runs || spelt(&pair.key) == "hooks", depth + 1, units);
            }
        }
    }
}

fn claims(document: &Document, facts: &mut Facts) {
    let unit = |at: usize| Unit::uniform(View::pinned(" ".to_owned(), at), Form::Prose, Zone::Description);
    for entry in document.entries() {
        let key = spelt(&entry.key);
        let place = unit(entry.key_span.start);
        if entry.duplicate {
            facts.add(&place, "duplicate-key", &(0..1), Some(entry.key.clone()));
        }
        match key.as_str() {
            "hooks" if !entry.value.is_null() => facts.add(&place, "hooks-on-load", &(0..1), None),
            "allowed-tools" => {
                let text = document.text().get(entry.span.start..entry.span.end).unwrap_or_default();
                if text.contains("Bash(*") || text.contains("Bash(:*") || text.split([':', ',', ' ', '[', ']', '"', '\'', '\n']).any(|word| word == "*") {
                    facts.add(&place, "every-tool-claimed", &(0..1), None);
                }
                facts.add(&place, "declares-tools", &(0..1), None);
            }
            "allow-inline-shell" if entry.value.as_text().is_some_and(|text| text == "true") => {
                facts.add(&place, "hooks-on-load", &(0..1), Some(entry.key.clone()));
            }
            _ => {}
        }
    }
}
