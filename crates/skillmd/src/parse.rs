//! Text to [`Document`]: fences, then entries, the fast way first and the tolerant way last.

use std::collections::HashSet;

use crate::code::Code;
use crate::decode::{DecodeError, Encoding, decode};
use crate::diagnostic::{Edit, Reporter};
use crate::document::{Document, Entry, Frontmatter, Language};
use crate::fence::{self, Block};
use crate::lines::{Line, line_end, line_start};
use crate::node::{Node, Pair, Scalar, ScalarStyle, Value};
use crate::recover::{self, RecoveredPair};
use crate::span::Span;
use crate::{plain, toml, yaml};

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
    let block = fence::opening(&mut reporter).map(|opening| read_block(opening, &mut reporter));
    let (frontmatter, entries, body) = match block {
        Some((block, pairs)) => {
            block.report_ending(&mut reporter);
            let entries = entries(&block.frontmatter, pairs, &mut reporter);
            (Some(block.frontmatter), entries, block.body)
        }
        None => (None, Vec::new(), Span::new(0, text.len())),
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

/// Chooses the block that the opening line means and reads its entries.
fn read_block(opening: fence::Opening, reporter: &mut Reporter<'_>) -> (Block, Vec<RecoveredPair>) {
    match opening.language() {
        Language::Yaml => read_yaml_block(opening, reporter),
        Language::Toml => read_toml_block(opening, reporter),
    }
}

fn read_yaml_block(
    opening: fence::Opening,
    reporter: &mut Reporter<'_>,
) -> (Block, Vec<RecoveredPair>) {
    let text = reporter.text();
    let closed = opening.closed_blocks(text).next();
    if let Some(block) = closed {
        match yaml_pairs(block.frontmatter.block, reporter) {
            Ok(pairs) => return (block, RecoveredPair::all_whole(pairs)),
            Err(fault) => {
                // The fence that was found may not be the one that was meant.
                let limit = block.frontmatter.block.end;
                let spoilt = opening.spoilt_block(text, limit);
                let unclosed = Some(opening.unclosed_block(text)).filter(|unclosed| {
                    opening.ends_for_certain(text, unclosed) && unclosed.body.start < limit
                });
                for other in spoilt.into_iter().chain(unclosed) {
                    let pairs = yaml_pairs(other.frontmatter.block, reporter);
                    if let Some(pairs) = pairs.ok().filter(|pairs| !pairs.is_empty()) {
                        return (other, RecoveredPair::all_whole(pairs));
                    }
                }
                let pairs = recover_yaml(block.frontmatter.block, &fault, reporter);
                return (block, pairs);
            }
        }
    }
    let block = opening
        .spoilt_block(text, text.len())
        .unwrap_or_else(|| opening.unclosed_block(text));
    let pairs = match yaml_pairs(block.frontmatter.block, reporter) {
        Ok(pairs) => RecoveredPair::all_whole(pairs),
        Err(fault) => recover_yaml(block.frontmatter.block, &fault, reporter),
    };
    (block, pairs)
}

/// The pairs of a block that is valid as a whole.
fn yaml_pairs(block: Span, reporter: &mut Reporter<'_>) -> Result<Vec<Pair>, yaml::Fault> {
    let source = block.slice(reporter.text());
    if let Some(pairs) = plain::parse(source, block.start) {
        return Ok(pairs);
    }
    match yaml::parse(source, block.start, reporter)? {
        None => Ok(Vec::new()),
        Some(Node {
            value: Value::Mapping(pairs),
            ..
        }) => Ok(pairs),
        Some(other) => Err(yaml::Fault {
            code: Code::FrontmatterNotMapping,
            offset: other.span.start,
            message: format!("the frontmatter is {}", other.type_name()),
        }),
    }
}

fn recover_yaml(
    block: Span,
    fault: &yaml::Fault,
    reporter: &mut Reporter<'_>,
) -> Vec<RecoveredPair> {
    let first = Line::within(reporter.text(), block).find(|line| !line.is_blank());
    let begins_with_key = first.is_some_and(|line| fence::is_key_line(line.text));
    if fault.code == Code::FrontmatterNotMapping && !begins_with_key {
        reporter
            .report(fault.code, Span::at(fault.offset), fault.message.clone())
            .help("write one `key: value` a line");
        return Vec::new();
    }
    let known = reporter.len();
    let pairs = recover::yaml::entries(block, reporter);
    if reporter.len() == known {
        // Every piece is fine alone, yet the whole is not: what the library says must not get lost.
        reporter
            .report(fault.code, Span::at(fault.offset), fault.message.clone())
            .help("each entry could be read by itself");
    }
    pairs
}

fn read_toml_block(
    opening: fence::Opening,
    reporter: &mut Reporter<'_>,
) -> (Block, Vec<RecoveredPair>) {
    /// How many fences are tried: a fence may stand inside a multi-line string.
    const TRIES: usize = 8;
    let text = reporter.text();
    let mut closed = opening.closed_blocks(text).take(TRIES).peekable();
    let fallback = match closed.peek() {
        Some(block) => *block,
        None => opening
            .spoilt_block(text, text.len())
            .unwrap_or_else(|| opening.unclosed_block(text)),
    };
    for block in closed.chain([fallback]) {
        let span = block.frontmatter.block;
        if let Ok(pairs) = toml::parse(span.slice(text), span.start) {
            return (block, RecoveredPair::all_whole(pairs));
        }
    }
    let pairs = recover::toml::entries(fallback.frontmatter.block, reporter);
    (fallback, pairs)
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
    let is_block = matches!(
        pair.value.value,
        Value::Scalar(Scalar {
            style: ScalarStyle::Literal | ScalarStyle::Folded,
            ..
        })
    );
    let header = pair.value.span.slice(text).lines().next();
    is_block && header.is_some_and(|header| header.contains('+'))
}
