//! Reads TOML that is not valid as a whole.

use super::{Recovered, RecoveredPair};
use crate::code::Code;
use crate::diagnostic::{Edit, Reporter};
use crate::key_line::{WIDE_COLON, key_of, toml_key};
use crate::lines::Line;
use crate::node::{Node, Pair, ScalarStyle};
use crate::span::Span;
use crate::toml;
use crate::yaml::Fault;

/// Reads TOML piece by piece: a piece is a line `key = …` or a table's header, with the lines that follow. Below a value
/// that is whole on its line nothing follows it, so that what stands there is a piece of its own, faulty as it is.
pub(crate) fn entries(block: Span, reporter: &mut Reporter<'_>) -> Recovered {
    let text = reporter.text();
    let known = reporter.len();
    let mut recovered = Recovered::default();
    for piece in pieces(text, block) {
        let read = toml::parse(piece.slice(text), piece.start);
        let pair = match read {
            Ok(whole) => {
                let whole = whole.into_iter().map(RecoveredPair::whole);
                recovered.pairs.extend(whole);
                continue;
            }
            Err(fault) => {
                with_equals_sign(piece, reporter).or_else(|| literal_toml(piece, &fault, reporter))
            }
        };
        match pair {
            Some(pair) => recovered.pairs.push(pair),
            None => recovered.strays.push(piece),
        }
    }
    if let Err(fault) = toml::parse(block.slice(text), block.start)
        && reporter.len() == known
    {
        // Every piece is fine alone, yet the whole is not: which of them belong together cannot be told.
        reporter.report(fault.code, Span::at(fault.offset), fault.message);
        recovered.strays.push(block);
    }
    recovered
}

fn pieces(text: &str, block: Span) -> Vec<Span> {
    let mut pieces: Vec<Span> = Vec::new();
    let mut in_table = false;
    let mut below = Below::Nothing;
    for line in Line::within(text, block) {
        let header = line.text.starts_with('[');
        let key = !in_table && toml_key(line.text).is_some();
        in_table |= header;
        let is_remark = line.is_blank() || line.text.trim_start().starts_with('#');
        let is_stray = !in_table
            && match below {
                Below::Nothing => !is_remark,
                Below::Prose => key_of(line.text).is_some(),
                Below::Anything => false,
            };
        match pieces.last_mut() {
            Some(piece) if !header && !key && !is_stray => piece.end = line.next,
            _ => {
                pieces.push(Span::new(line.start, line.next));
                below = Below::line(line.text);
            }
        }
    }
    pieces
}

/// What may follow a piece's first line and still be part of its value.
enum Below {
    /// The value ends on its line.
    Nothing,
    /// Text without quotes, as in YAML.
    Prose,
    /// What was opened there goes on up to its end.
    Anything,
}

impl Below {
    fn line(line: &str) -> Self {
        let value = line.split_once('=').map(|(_, value)| value.trim());
        let opens = ["\"\"\"", "'''", "[", "{"];
        if toml::parse(line, 0).is_ok() || key_of(line).is_some() {
            Self::Nothing
        } else if value.is_some_and(|value| opens.iter().any(|open| value.starts_with(open))) {
            Self::Anything
        } else {
            Self::Prose
        }
    }
}

/// The pair that a line `key: value` is with `=` for the colon.
fn with_equals_sign(piece: Span, reporter: &mut Reporter<'_>) -> Option<RecoveredPair> {
    let source = piece.slice(reporter.text());
    let (_, length) = key_of(source)?;
    let (before, after) = source.split_at_checked(length)?;
    let key = before.strip_suffix([':', WIDE_COLON])?;
    let colon = Span::new(piece.start + key.len(), piece.start + length);
    // The places behind the colon stay what they are.
    let padding = " ".repeat(colon.len() - 1);
    let mended = format!("{key}={padding}{after}");
    let pair = toml::parse(&mended, piece.start).ok()?.into_iter().next()?;
    reporter
        .report(
            Code::TomlInvalid,
            colon,
            "a colon stands between the key and its value",
        )
        .help("TOML has `=` there")
        .fix("write `=` for the colon", Edit::replace(colon, " ="));
    Some(RecoveredPair {
        pair,
        recovered: true,
    })
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
