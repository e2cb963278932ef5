//! Reads YAML that is not valid as a whole.
//!
//! The block is cut at its keys. Each piece is parsed alone; where that fails, nested entries and list items are tried
//! one by one, and what is left is taken as the literal text that its author most likely meant. Each such value is an
//! error with a place and, where quotes would mend it, a fix.

use std::borrow::Cow;

use super::pieces::{Piece, cut_at_keys, is_prose, report_stray};
use super::{Recovered, RecoveredPair, flat_text};
use crate::code::Code;
use crate::diagnostic::{Edit, Reporter};
use crate::key_line::{WIDE_COLON, key_of};
use crate::lines::{Line, line_end};
use crate::node::{Node, Pair, ScalarStyle, Value};
use crate::quote;
use crate::span::Span;
use crate::yaml::{self, Anchors, Fault};

/// How deep faults are traced into nested entries.
const DEPTH: usize = 8;

/// The entries of `block`, with a report of each fault.
pub(crate) fn entries(block: Span, reporter: &mut Reporter<'_>) -> Recovered {
    let mut gathered = Gathered::default();
    let pairs = mapping(block, DEPTH, &mut gathered, reporter);
    Recovered {
        pairs,
        strays: gathered.strays,
    }
}

/// What is gathered on the way from piece to piece.
#[derive(Default)]
struct Gathered {
    /// What later pieces may refer to.
    anchors: Anchors,
    /// Lines that belong to none.
    strays: Vec<Span>,
}

fn mapping(
    block: Span,
    depth: usize,
    gathered: &mut Gathered,
    reporter: &mut Reporter<'_>,
) -> Vec<RecoveredPair> {
    let text = reporter.text();
    let pieces = cut_at_keys(text, block, &mut gathered.strays, reporter);
    let mut pairs = Vec::with_capacity(pieces.len());
    for piece in &pieces {
        if let Some(value) = flat_text::read(piece, reporter) {
            pairs.push(RecoveredPair {
                pair: piece.pair(value),
                recovered: true,
            });
            continue;
        }
        match parse_alone(text, piece.span, gathered, reporter) {
            Ok(whole) => pairs.extend(whole.into_iter().map(RecoveredPair::whole)),
            Err(fault) => pairs.push(RecoveredPair {
                pair: recover(piece, &fault, depth, gathered, reporter),
                recovered: true,
            }),
        }
    }
    pairs
}

/// Parses a piece as YAML of its own; an error unless it is a block of pairs.
fn parse_alone(
    text: &str,
    span: Span,
    gathered: &mut Gathered,
    reporter: &mut Reporter<'_>,
) -> Result<Vec<Pair>, Fault> {
    match yaml::parse_piece(
        span.slice(text),
        span.start,
        &mut gathered.anchors,
        reporter,
    )? {
        Some(Node {
            value: Value::Mapping(pairs),
            ..
        }) => Ok(pairs),
        _ => Err(Fault {
            code: Code::YamlInvalid,
            offset: span.start,
            message: "no value could be read here".to_owned(),
        }),
    }
}

/// Reads a piece that is not YAML: nested entries, list items, a value with stray lines below it, or literal text.
fn recover(
    piece: &Piece<'_>,
    fault: &Fault,
    depth: usize,
    gathered: &mut Gathered,
    reporter: &mut Reporter<'_>,
) -> Pair {
    let text = reporter.text();
    let value_line = Span::new(piece.value_start, piece.first.span().end);
    let inline = value_line.slice(text).trim();
    if inline.is_empty() || inline.starts_with('#') {
        let below = Span::new(piece.first.next, piece.span.end);
        let known = reporter.len();
        let value = (depth > 0).then(|| nested(below, depth, gathered, reporter));
        if let Some(value) = value.flatten() {
            if reporter.len() == known {
                // Each part is fine alone, yet together they are not YAML.
                report_invalid(fault, reporter);
            }
            return piece.pair(value);
        }
    }
    let (own, whole) = without_stray_lines(piece, inline, gathered, reporter);
    if let Some(pair) = whole {
        return pair;
    }
    let faulty = Faulty {
        inline,
        below: Span::new(piece.first.next.min(own.end), own.end),
        span: trimmed(text, Span::new(piece.value_start, own.end)),
        start: piece.value_start,
        indent: piece.first.indent(),
    };
    piece.pair(faulty.take_literally(fault, reporter))
}

/// The mapping or list under a key, faults in it recovered; nothing where the lines are neither.
fn nested(
    below: Span,
    depth: usize,
    gathered: &mut Gathered,
    reporter: &mut Reporter<'_>,
) -> Option<Node> {
    let text = reporter.text();
    let first = Line::within(text, below).find(|line| {
        let (content, _) = line.trimmed();
        !content.is_empty() && !content.starts_with('#')
    })?;
    let (content, _) = first.trimmed();
    let value = if content.starts_with("- ") {
        Value::Sequence(items(below, first.indent(), gathered, reporter))
    } else if key_of(content).is_some() && first.indent() > 0 {
        let pairs = mapping(below, depth - 1, gathered, reporter);
        Value::Mapping(pairs.into_iter().map(|recovered| recovered.pair).collect())
    } else {
        return None;
    };
    let mut node = Node {
        value,
        span: trimmed(text, below),
    };
    node.span = node.children_span().unwrap_or(node.span);
    Some(node)
}

/// The items of a block list, each parsed alone or taken as literal text.
fn items(
    block: Span,
    indent: usize,
    gathered: &mut Gathered,
    reporter: &mut Reporter<'_>,
) -> Vec<Node> {
    let text = reporter.text();
    let starts: Vec<Line<'_>> = Line::within(text, block)
        .filter(|line| line.indent() <= indent && line.text.trim_start().starts_with("- "))
        .collect();
    let ends = starts
        .iter()
        .skip(1)
        .map(|line| line.start)
        .chain([block.end]);
    let pieces: Vec<Span> = starts
        .iter()
        .zip(ends)
        .map(|(line, end)| {
            let (_, content) = line.trimmed();
            Span::new(content.start + 1, end)
        })
        .collect();
    pieces
        .into_iter()
        .map(|item| {
            let span = trimmed(text, item);
            match yaml::parse_piece(
                span.slice(text),
                span.start,
                &mut gathered.anchors,
                reporter,
            ) {
                Ok(Some(node)) => node,
                Ok(None) => Node::scalar("", ScalarStyle::Plain, span),
                Err(fault) => {
                    let first = line_end(text, span.start).min(span.end);
                    let faulty = Faulty {
                        inline: Span::new(span.start, first).slice(text).trim(),
                        below: Span::new(first, span.end),
                        span,
                        start: item.start,
                        indent,
                    };
                    faulty.take_literally(&fault, reporter)
                }
            }
        })
        .collect()
}

/// The part of a piece that its value can be, and the pair that it is if that part is YAML. Lines that are not indented
/// may go on with prose; below any other value they are stray.
fn without_stray_lines(
    piece: &Piece<'_>,
    inline: &str,
    gathered: &mut Gathered,
    reporter: &mut Reporter<'_>,
) -> (Span, Option<Pair>) {
    let text = reporter.text();
    let own_indent = piece.first.indent();
    let below = Span::new(piece.first.next, piece.span.end);
    let is_stray = |line: &Line<'_>| !line.is_blank() && line.indent() <= own_indent;
    let stray = Line::within(text, below).find(is_stray);
    let is_plain = !inline.starts_with(['"', '\'', '|', '>', '[', '{']);
    let goes_on = inline.is_empty() || (is_plain && is_prose(piece.key));
    let Some(stray) = stray.filter(|_| !goes_on) else {
        return (piece.span, None);
    };
    let own = Span::new(piece.span.start, stray.start);
    let pair = parse_alone(text, own, gathered, reporter).ok();
    let pair = pair.and_then(|pairs| pairs.into_iter().next());
    if pair.is_none() && !is_plain {
        // A quote or bracket that is not closed may well end further down.
        return (piece.span, None);
    }
    report_stray(
        trimmed(text, Span::new(stray.start, piece.span.end)),
        &mut gathered.strays,
        reporter,
    );
    (own, pair)
}

fn report_invalid(fault: &Fault, reporter: &mut Reporter<'_>) {
    let message = match fault.code {
        Code::YamlInvalid => "the lines of this value are indented unevenly".to_owned(),
        _ => fault.message.clone(),
    };
    reporter
        .report(fault.code, Span::at(fault.offset), message)
        .help("its parts were read one by one; give those that belong together one indentation");
}

/// A value that is not YAML and has no parts that are.
struct Faulty<'t> {
    /// What stands on the key's line, blanks around it taken off.
    inline: &'t str,
    /// The lines below.
    below: Span,
    /// All of the value.
    span: Span,
    /// Where the value may begin: past the key's colon or the item's hyphen.
    start: usize,
    /// The indentation of the key or item; lines that are not deeper do not belong to it in YAML.
    indent: usize,
}

impl Faulty<'_> {
    fn take_literally(&self, fault: &Fault, reporter: &mut Reporter<'_>) -> Node {
        let written = self.literal_text(reporter.text());
        let enclosed = between_quotes(&written);
        let (code, message) = match &enclosed {
            Some(_) if fault.code == Code::YamlInvalid && !has_control(&written) => {
                (fault.code, fault.message.clone())
            }
            _ => self.explain(reporter.text(), fault),
        };
        let is_enclosed = enclosed.is_some();
        let literal = enclosed.unwrap_or(written);
        let span = match code {
            Code::YamlInvalid | Code::YamlTab | Code::YamlTooDeep | Code::YamlTooManyValues => {
                Span::at(fault.offset)
            }
            _ => self.span,
        };
        let written = quote::yaml_line(&literal);
        let (help, title) = if is_enclosed {
            (
                "the text between the quotes was taken as it stands",
                "write the value so that YAML reads it",
            )
        } else if self.has_wide_colon(reporter.text()) {
            ("the value was taken as literal text", "write `: `")
        } else if matches!(written, Cow::Borrowed(_)) {
            (
                "the value was taken as literal text; write it on one line",
                "write the value on one line",
            )
        } else {
            (
                "the value was taken as literal text; put it in quotes",
                "put the value in quotes",
            )
        };
        let fix = self.place(reporter.text(), &written);
        reporter
            .report(code, span, message)
            .help(help)
            .fix(title, fix);
        Node::scalar(literal, ScalarStyle::Plain, self.span)
    }

    /// Puts the written value on the line of its key (further down it would have to be indented), a blank before it.
    fn place(&self, text: &str, written: &str) -> Edit {
        if self.has_wide_colon(text) {
            let all = Span::new(self.start - WIDE_COLON.len_utf8(), self.span.end);
            return Edit::replace(all, format!(": {written}"));
        }
        if self.inline.is_empty() || self.span.start == self.start {
            let all = Span::new(self.start, self.span.end);
            return Edit::replace(all, format!(" {written}"));
        }
        Edit::replace(self.span, written)
    }

    fn has_wide_colon(&self, text: &str) -> bool {
        text.get(..self.start)
            .is_some_and(|before| before.ends_with(WIDE_COLON))
    }

    /// The text as it stands: lines joined by a blank, blank lines as line breaks, a block's header left out.
    fn literal_text(&self, text: &str) -> String {
        let is_block = matches!(self.inline, "|" | "|-" | "|+" | ">" | ">-" | ">+");
        let line_break = if is_block && self.inline.starts_with('|') {
            '\n'
        } else {
            ' '
        };
        let mut literal = if is_block { "" } else { self.inline }.to_owned();
        let mut after_blank = false;
        for line in Line::within(text, self.below) {
            let content = line.text.trim();
            if content.is_empty() {
                after_blank = !literal.is_empty();
                continue;
            }
            if after_blank {
                literal.push('\n');
            } else if !literal.is_empty() {
                literal.push(line_break);
            }
            after_blank = false;
            literal.push_str(content);
        }
        literal
    }

    /// Whether a colon with a blank or the line's end behind it stands in the text.
    fn has_colon(&self, text: &str) -> bool {
        self.span
            .slice(text)
            .lines()
            .map(str::trim)
            .any(|line| line.contains(": ") || line.ends_with(':'))
    }

    /// What is wrong, in words that the value's author understands.
    fn explain(&self, text: &str, fault: &Fault) -> (Code, String) {
        if has_control(self.span.slice(text)) {
            let message = "the value has a control character".to_owned();
            return (Code::YamlControlCharacter, message);
        }
        if self.has_wide_colon(text) {
            let message = format!("the colon behind the key is `{WIDE_COLON}`, not `:`");
            return (Code::YamlInvalid, message);
        }
        if matches!(
            fault.code,
            Code::YamlTooDeep | Code::YamlTab | Code::YamlTooManyValues
        ) {
            return (fault.code, fault.message.clone());
        }
        let has_stray_lines = Line::within(text, self.below)
            .any(|line| !line.is_blank() && line.indent() <= self.indent);
        match self.inline.chars().next() {
            Some(first @ ('@' | '`' | '%' | '*' | '&' | '!')) => (
                Code::YamlReservedCharacter,
                format!("an unquoted value must not begin with `{first}`"),
            ),
            Some(quote @ ('"' | '\'')) if self.inline[1..].contains(quote) => (
                Code::YamlTextAfterQuote,
                "text follows the closing quote".to_owned(),
            ),
            Some(quote @ ('"' | '\'')) => (
                Code::YamlUnclosedQuote,
                format!("the quote `{quote}` is not closed"),
            ),
            Some(bracket @ ('[' | '{')) => (
                Code::YamlUnclosedBracket,
                format!("what `{bracket}` opens is not closed, or text follows it"),
            ),
            Some(first) if !matches!(first, '|' | '>') && self.has_colon(text) => (
                Code::YamlUnquotedColon,
                "an unquoted value must not contain `: `".to_owned(),
            ),
            Some(_) if has_stray_lines => (
                Code::YamlStrayLine,
                "the value goes on in lines that are not indented".to_owned(),
            ),
            _ => (Code::YamlInvalid, fault.message.clone()),
        }
    }
}

fn has_control(text: &str) -> bool {
    text.contains(|c: char| c.is_control() && !c.is_whitespace())
}

/// What stands between quotes that enclose all of a text; something in it, such as `\d`, keeps YAML from reading it.
fn between_quotes(literal: &str) -> Option<String> {
    let quote = literal.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inner = literal[1..].strip_suffix(quote)?;
    let mut content = String::with_capacity(inner.len());
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = match (quote, c) {
            ('"', '\\') => match *chars.peek()? {
                '"' | '\\' | '/' => chars.next(),
                _ => None,
            },
            ('\'', '\'') => Some(chars.next_if_eq(&'\'')?),
            ('"', '"') => return None,
            _ => None,
        };
        content.push(escaped.unwrap_or(c));
    }
    Some(content)
}

fn trimmed(text: &str, span: Span) -> Span {
    let content = span.slice(text);
    let start = span.start + (content.len() - content.trim_start().len());
    Span::new(start, start + content.trim().len())
}
