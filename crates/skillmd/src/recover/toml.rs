//! Reads TOML that is not valid as a whole.

use super::RecoveredPair;
use crate::diagnostic::{Edit, Reporter};
use crate::lines::Line;
use crate::node::{Node, Pair, ScalarStyle};
use crate::span::Span;
use crate::toml;
use crate::yaml::Fault;

/// Reads TOML piece by piece: a piece is a line `key = …` or a table's header, with the lines that follow.
pub(crate) fn entries(block: Span, reporter: &mut Reporter<'_>) -> Vec<RecoveredPair> {
    let text = reporter.text();
    let known = reporter.len();
    let mut pieces: Vec<Span> = Vec::new();
    let mut in_table = false;
    for line in Line::within(text, block) {
        let header = line.text.starts_with('[');
        let key = !in_table && toml_key(line.text).is_some();
        in_table |= header;
        match pieces.last_mut() {
            Some(piece) if !header && !key => piece.end = line.next,
            _ => pieces.push(Span::new(line.start, line.next)),
        }
    }
    let mut pairs = Vec::new();
    for piece in pieces {
        match toml::parse(piece.slice(text), piece.start) {
            Ok(read) => pairs.extend(read.into_iter().map(RecoveredPair::whole)),
            Err(fault) => pairs.extend(literal_toml(piece, &fault, reporter)),
        }
    }
    if let Err(fault) = toml::parse(block.slice(text), block.start)
        && reporter.len() == known
    {
        // Every piece is fine alone, yet the whole is not.
        reporter.report(fault.code, Span::at(fault.offset), fault.message);
    }
    pairs
}

fn toml_key(line: &str) -> Option<&str> {
    let (key, _) = line.split_once('=')?;
    let key = key.trim();
    let is_key = !key.is_empty()
        && key
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    is_key.then_some(key)
}

fn literal_toml(piece: Span, fault: &Fault, reporter: &mut Reporter<'_>) -> Option<RecoveredPair> {
    let text = reporter.text();
    let source = piece.slice(text);
    let diagnostic = reporter.report(fault.code, Span::at(fault.offset), fault.message.clone());
    let key = toml_key(source.lines().next()?)?;
    let value_start = piece.start + source.find('=')? + 1;
    let rest = Span::new(value_start, piece.end).slice(text);
    let literal = rest.trim();
    let start = value_start + (rest.len() - rest.trim_start().len());
    let span = Span::new(start, start + literal.len());
    diagnostic
        .help("the value was taken as literal text; put it in quotes")
        .fix(
            "put the value in quotes",
            Edit::replace(span, toml_edit::Value::from(literal).to_string()),
        );
    let key_start = piece.start + source.find(key)?;
    Some(RecoveredPair {
        pair: Pair {
            key: key.to_owned(),
            key_span: Span::new(key_start, key_start + key.len()),
            // Text, as its canonical form is: TOML has no null that an empty or a `~` could stand for.
            value: Node::scalar(literal, ScalarStyle::DoubleQuoted, span),
        },
        recovered: true,
    })
}
