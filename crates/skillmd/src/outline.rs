//! A frontmatter as a list of entries, each with the comments that belong to it: what every writer starts from.
//!
//! A writer may put entries in another order and notation. Nothing may get lost on the way: comments inside an entry
//! move above it, and so do, as comments, entries that do not count and lines that belong to no entry.

use crate::diagnostic::Reporter;
use crate::document::{Document, Entry, Frontmatter, Language};
use crate::lines::{Line, line_end, line_start};
use crate::node::{Node, ScalarStyle, Value};
use crate::quote::needs_escape;
use crate::shape::Place;
use crate::span::Span;
use crate::{toml, yaml, yaml_write};

/// The parts of a document, free of their places in the source.
#[derive(Debug)]
pub(crate) struct Outline {
    /// Comments at the top of the block that a blank line parts from the first entry.
    pub(crate) header: Vec<String>,
    /// The entries that count, in source order.
    pub(crate) entries: Vec<OutlineEntry>,
    /// Comments below the last entry.
    pub(crate) trailer: Vec<String>,
    /// What stood before the opening fence, then the body.
    pub(crate) body: String,
}

/// An entry with the comments above it.
#[derive(Debug)]
pub(crate) struct OutlineEntry {
    pub(crate) comments: Vec<String>,
    pub(crate) key: String,
    pub(crate) value: Value,
}

impl Outline {
    /// The outline of a document; nothing where it has no frontmatter, or one with text that is no entry at all.
    pub(crate) fn of(document: &Document) -> Option<Self> {
        let frontmatter = document.frontmatter()?;
        if is_unreadable(document, frontmatter.language) {
            return None;
        }
        let remarks = remarks(document, frontmatter);
        let header_end = header_end(document, frontmatter);
        let entries = document.entries();
        let mut outline = Self {
            header: Vec::new(),
            entries: Vec::with_capacity(entries.len()),
            trailer: Vec::new(),
            body: body(document, frontmatter),
        };
        let mut remarks = remarks.into_iter().peekable();
        let mut before = |end: usize| {
            let mut texts = Vec::new();
            while let Some((_, text)) = remarks.next_if(|(offset, _)| *offset < end) {
                texts.push(text);
            }
            texts
        };
        outline.header = before(header_end);
        for entry in entries {
            if entry.duplicate {
                let mut comments = before(entry.span.start);
                // Those inside the entry are repeated with its lines.
                before(entry.span.end);
                comments.extend(as_comments(
                    "duplicate: ",
                    entry.span.slice(document.text()),
                ));
                outline.comment_on(&entry.key, comments);
            } else {
                let comments = before(entry.span.end);
                outline.push(comments, entry, document.text());
            }
        }
        outline.trailer = before(usize::MAX);
        Some(outline)
    }

    /// Takes out the entries without a value and returns their keys. Their comments go to the next entry.
    pub(crate) fn take_empty_entries(&mut self) -> Vec<String> {
        let mut keys = Vec::new();
        let mut comments = Vec::new();
        for mut entry in std::mem::take(&mut self.entries) {
            comments.append(&mut entry.comments);
            if entry.value.is_null() {
                keys.push(entry.key);
            } else {
                entry.comments = std::mem::take(&mut comments);
                self.entries.push(entry);
            }
        }
        self.trailer.splice(0..0, comments);
        keys
    }

    fn push(&mut self, mut comments: Vec<String>, entry: &Entry, text: &str) {
        let mut node = entry.value.clone();
        take_verbatim(&mut node, &entry.key, Place::top_level(), text);
        set_aside_duplicates(&mut node.value, &entry.key, &mut comments);
        self.entries.push(OutlineEntry {
            comments,
            key: entry.key.clone(),
            value: node.value,
        });
    }

    fn comment_on(&mut self, key: &str, comments: Vec<String>) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.key == key) {
            entry.comments.extend(comments);
        }
    }
}

/// The comments and stray lines that stand on or between the lines of an entry.
pub(crate) fn inner_comments(document: &Document, entry: &Entry) -> Vec<String> {
    let remarks = document
        .frontmatter()
        .map(|frontmatter| remarks(document, frontmatter));
    remarks
        .into_iter()
        .flatten()
        .filter(|(offset, _)| (entry.span.start..entry.span.end).contains(offset))
        .map(|(_, comment)| comment)
        .collect()
}

/// Whether text of the block would get lost because no writer has a place for it.
fn is_unreadable(document: &Document, language: Language) -> bool {
    let has_strays = !document.strays.is_empty();
    match language {
        // Stray lines go along as comments of the entries around them.
        Language::Yaml => has_strays && document.entries().is_empty(),
        Language::Toml => has_strays,
    }
}

/// What stands before the fence goes to the top of the body.
fn body(document: &Document, frontmatter: &Frontmatter) -> String {
    let before = Span::new(0, frontmatter.opener.start);
    let lead = before.slice(document.text()).trim();
    if lead.is_empty() {
        document.body().to_owned()
    } else {
        format!("{lead}\n{}", document.body())
    }
}

/// Where the comments at the top end: at the last blank line above the first entry.
fn header_end(document: &Document, frontmatter: &Frontmatter) -> usize {
    let start = frontmatter.block.start;
    let first_entry = document.entries().first();
    let above = Span::new(start, first_entry.map_or(start, |entry| entry.span.start));
    Line::within(document.text(), above)
        .filter(Line::is_blank)
        .last()
        .map_or(start, |line| line.start)
}

/// Comments and stray lines with their offsets, sorted.
fn remarks(document: &Document, frontmatter: &Frontmatter) -> Vec<(usize, String)> {
    let text = document.text();
    let comments = match frontmatter.language {
        Language::Yaml => yaml_comments(document, frontmatter.block),
        Language::Toml => toml::comments(frontmatter.block.slice(text), frontmatter.block.start),
    };
    let mut remarks: Vec<_> = comments
        .into_iter()
        .map(|span| (span.start, as_comment("", span.slice(text))))
        .collect();
    for stray in &document.strays {
        let lines = as_comments("", stray.slice(text));
        remarks.extend(lines.map(|line| (stray.start, line)));
    }
    remarks.sort_by_key(|(offset, _)| *offset);
    remarks
}

fn yaml_comments(document: &Document, block: Span) -> Vec<Span> {
    let text = document.text();
    let source = block.slice(text);
    let is_whole = document.entries().iter().all(|entry| !entry.recovered);
    if is_whole && yaml::parse(source, block.start, &mut Reporter::new(text)).is_ok() {
        return yaml::comments(source, block.start);
    }
    // The library stops at the first fault, so that the block is looked through as it was read: piece by piece.
    let mut comments = Vec::new();
    let mut gap = block.start;
    for entry in document.entries() {
        comments.extend(comment_lines(text, Span::new(gap, entry.span.start)));
        gap = entry.span.end;
        comments.extend(comments_of(document, entry));
    }
    comments.extend(comment_lines(text, Span::new(gap, block.end)));
    comments
}

/// The comments on an entry's own lines, where the block could not be read as a whole.
fn comments_of(document: &Document, entry: &Entry) -> Vec<Span> {
    let text = document.text();
    let key_start = entry.key_span.start;
    let lead = Span::new(line_start(text, key_start), key_start).slice(text);
    let lead = lead.trim_start();
    let value_end = entry.value.span.end.max(entry.key_span.end);
    let own_end = line_end(text, value_end.saturating_sub(1)).min(entry.span.end);
    // From the key or its `?` on, as it was read: its indentation may be what makes the block invalid. Lines below the
    // value belong to nothing, and would end the library's search.
    let start = if lead.starts_with('?') {
        key_start - lead.len()
    } else {
        key_start
    };
    let mut searched = Span::new(start, own_end);
    if entry.recovered {
        match &entry.value.value {
            // All lines below the header are the text, whatever they begin with.
            Value::Scalar(scalar) if scalar.is_block() => {
                searched.end = line_end(text, entry.key_span.end).min(own_end);
            }
            Value::Scalar(_) => {}
            Value::Sequence(_) | Value::Mapping(_) => {
                return Line::within(text, entry.span)
                    .flat_map(|line| yaml::comments(line.text, line.start))
                    .collect();
            }
        }
    }
    let mut comments = yaml::comments(searched.slice(text), searched.start);
    let below = comment_lines(text, Span::new(own_end, entry.span.end));
    comments.extend(below.filter(|comment| !is_stray(document, *comment)));
    comments
}

/// Whether a place is part of stray lines, which are kept as a whole.
fn is_stray(document: &Document, place: Span) -> bool {
    let holds = |stray: &Span| stray.start <= place.start && place.end <= stray.end;
    document.strays.iter().any(holds)
}

/// The comments that have a line for themselves.
fn comment_lines(text: &str, span: Span) -> impl Iterator<Item = Span> {
    Line::within(text, span)
        .map(|line| line.trimmed())
        .filter(|(content, _)| content.starts_with('#'))
        .map(|(_, span)| span)
}

/// Takes pairs that do not count out of all mappings of `value`, and adds them to the comments.
fn set_aside_duplicates(value: &mut Value, path: &str, comments: &mut Vec<String>) {
    match value {
        Value::Scalar(_) => {}
        Value::Sequence(items) => {
            for Node { value, .. } in items {
                set_aside_duplicates(value, path, comments);
            }
        }
        Value::Mapping(pairs) => {
            let mut seen = std::collections::HashSet::new();
            pairs.retain(|pair| {
                let counts = seen.insert(pair.key.clone());
                if !counts {
                    let lines = yaml_write::pair(&pair.key, &pair.value.value, Place::UNKNOWN);
                    let label = format!("duplicate in {path}: ");
                    comments.extend(as_comments(&label, &lines));
                }
                counts
            });
            for pair in pairs {
                let path = format!("{path}.{}", pair.key);
                set_aside_duplicates(&mut pair.value.value, &path, comments);
            }
        }
    }
}

/// Turns lists in brackets that are meant as text into it: in another notation they would say something else.
fn take_verbatim(node: &mut Node, key: &str, place: Place, text: &str) {
    if place.is_verbatim(key)
        && let Some(source) = node.bracketed_source(text)
    {
        *node = Node::scalar(source, ScalarStyle::DoubleQuoted, node.span);
    }
    if let Value::Mapping(pairs) = &mut node.value {
        let below = place.below(key);
        for pair in pairs {
            take_verbatim(&mut pair.value, &pair.key, below, text);
        }
    }
}

/// Each line of `text` that is not blank as a comment.
fn as_comments(label: &str, text: &str) -> impl Iterator<Item = String> {
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(move |line| as_comment(label, line))
}

/// A line as a comment that no reader takes for more than one line.
fn as_comment(label: &str, line: &str) -> String {
    let line = line.trim_end();
    let mut comment = String::new();
    if !line.starts_with('#') || !label.is_empty() {
        comment.push_str("# ");
        comment.push_str(&one_line(label));
    }
    comment.push_str(&one_line(line));
    comment
}

/// The text with all characters spelt out that end a line or that a reader may refuse.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c != '\t' && needs_escape(c) {
            line.extend(c.escape_unicode());
        } else {
            line.push(c);
        }
    }
    line
}
