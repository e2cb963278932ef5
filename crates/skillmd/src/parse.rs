//! Text to [`Document`]: what stands around the frontmatter, and the lines that belong to each of its entries.

use std::collections::HashSet;

use crate::code::Code;
use crate::decode::{DecodeError, Encoding, decode};
use crate::diagnostic::{Edit, Reporter};
use crate::document::{Document, Entry, Frontmatter};
use crate::lines::{Line, line_end, line_start};
use crate::node::{Pair, Scalar};
use crate::recover::{Recovered, RecoveredPair};
use crate::span::Span;
use crate::{block, fence};

/// Reads a SKILL.md. All that is wrong with it is in [`Document::diagnostics`].
///
/// # Errors
///
/// Only when the bytes are not text: see [`decode`].
pub fn parse(bytes: Vec<u8>) -> Result<Document, DecodeError> {
    let (text, encoding) = decode(bytes)?;
    Ok(parse_text(text, encoding))
}

/// Reads the text of a SKILL.md that was decoded before. It never fails: the worst text is a document that is all body.
pub fn parse_text(text: String, encoding: Encoding) -> Document {
    let mut reporter = Reporter::new(&text);
    note_encoding(encoding, &mut reporter);
    let block = fence::opening(&mut reporter).map(|opening| block::read(opening, &mut reporter));
    let (frontmatter, entries, strays, body) = match block {
        Some((block, Recovered { pairs, strays })) => {
            block.report_ending(&mut reporter);
            let entries = entries(&block.frontmatter, pairs, &mut reporter);
            (Some(block.frontmatter), entries, strays, block.body)
        }
        None => (None, Vec::new(), Vec::new(), Span::new(0, text.len())),
    };
    if text.trim().is_empty() {
        reporter.report(Code::FileEmpty, Span::at(0), "the file holds nothing");
    }
    let diagnostics = reporter.finish();
    Document {
        text,
        encoding,
        frontmatter,
        entries,
        strays,
        body,
        diagnostics,
    }
}

fn note_encoding(encoding: Encoding, reporter: &mut Reporter<'_>) {
    let start = Span::at(0);
    match encoding {
        Encoding::Utf8 => {}
        Encoding::Utf8WithMark => {
            reporter
                .report(
                    Code::ByteOrderMark,
                    start,
                    "the file begins with a byte order mark",
                )
                .help("some clients do not see a frontmatter behind it")
                .fixes("write the file without the mark", Vec::new());
        }
        Encoding::Utf16Le | Encoding::Utf16Be => {
            reporter
                .report(
                    Code::Utf16,
                    start,
                    format!("the file is written in {encoding}"),
                )
                .help("nearly all clients read UTF-8 only")
                .fixes("write the file in UTF-8", Vec::new());
        }
    }
}

/// Gives each pair its lines, and marks and reports duplicates.
fn entries(
    frontmatter: &Frontmatter,
    pairs: Vec<RecoveredPair>,
    reporter: &mut Reporter<'_>,
) -> Vec<Entry> {
    let block = frontmatter.block;
    if pairs.is_empty() && !reporter.has(Code::FrontmatterNotMapping) {
        reporter
            .report(
                Code::FrontmatterEmpty,
                frontmatter.opener,
                "the frontmatter holds no entry",
            )
            .help("it needs at least a `name` and a `description`");
    }
    let starts: Vec<usize> = pairs
        .iter()
        .map(|recovered| recovered.pair.key_span.start)
        .collect();
    let mut seen = HashSet::new();
    let mut entries = Vec::with_capacity(pairs.len());
    for (index, RecoveredPair { pair, recovered }) in pairs.into_iter().enumerate() {
        let limit = starts.get(index + 1).copied().unwrap_or(block.end);
        let span = entry_span(reporter.text(), block, &pair, limit);
        let duplicate = !seen.insert(pair.key.clone());
        if duplicate {
            reporter
                .report(
                    Code::YamlDuplicateKey,
                    pair.key_span,
                    format!("`{}` is given twice; the first one counts", pair.key),
                )
                .help("clients differ in which one they take, or refuse the file")
                .fix("delete the second one", Edit::delete(span));
        }
        entries.push(Entry {
            key: pair.key,
            key_span: pair.key_span,
            span,
            value: pair.value,
            recovered,
            duplicate,
        });
    }
    entries
}

/// The whole lines of an entry: from its key's line to the last line before the next key that is neither blank nor a
/// comment at the first column.
fn entry_span(text: &str, block: Span, pair: &Pair, next_key: usize) -> Span {
    let start = line_start(text, pair.key_span.start).max(block.start);
    let limit = if next_key >= block.end {
        block.end
    } else {
        line_start(text, next_key)
    };
    if limit <= pair.key_span.start {
        // Several entries on one line: a flow mapping.
        let end = pair.value.span.end.max(pair.key_span.end);
        return Span::new(pair.key_span.start, end);
    }
    if keeps_trailing_lines(text, pair) {
        return Span::new(start, limit);
    }
    let mut end = line_end(text, pair.key_span.end).min(limit);
    let value_end = line_end(text, pair.value.span.end.saturating_sub(1)).min(limit);
    for line in Line::within(text, Span::new(end, limit)) {
        if !line.is_blank() && !line.text.starts_with('#') {
            end = line.next;
        }
    }
    Span::new(start, end.max(value_end))
}

/// Whether the value is a block scalar that keeps its trailing blank lines.
fn keeps_trailing_lines(text: &str, pair: &Pair) -> bool {
    let is_block = pair.value.as_scalar().is_some_and(Scalar::is_block);
    let header = pair.value.span.slice(text).lines().next();
    is_block && header.is_some_and(|header| header.contains('+'))
}
