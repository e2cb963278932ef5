//! The canonical form of a document: standard keys first, LF line ends, and values that every reader takes the same way.
//!
//! What stays the same: the data, every comment, the body's text. What becomes uniform: the order of the entries (the
//! standard's keys in its order, `metadata` last), quotes, indentation, fences and line breaks.

use crate::document::{Document, Language};
use crate::outline::{Outline, OutlineEntry};
use crate::toml_write::{self, Lines};
use crate::yaml_write;

/// The canonical form of `document`, to be written as UTF-8 without a byte order mark.
///
/// Reading it gives the same data, and formatting it again the same text. A document without frontmatter stays as it
/// is, and so does one whose frontmatter holds text that is no entry.
pub fn format(document: &Document) -> String {
    let language = document
        .frontmatter()
        .map(|frontmatter| frontmatter.language);
    let (Some(language), Some(outline)) = (language, Outline::of(document)) else {
        return document.text().to_owned();
    };
    let block = match language {
        Language::Yaml => yaml_block(&outline),
        Language::Toml => toml_block(
            &outline,
            &mut toml_write::Writer::new(Language::Toml, Lines::Several),
        ),
    };
    assemble(language, &block, &unix_lines(&outline.body))
}

/// A whole document of a block and a body.
pub(crate) fn assemble(language: Language, block: &str, body: &str) -> String {
    let fence = language.fence();
    format!("{fence}\n{block}{fence}\n{body}")
}

/// The lines of a YAML block.
pub(crate) fn yaml_block(outline: &Outline) -> String {
    let mut entries: Vec<_> = outline.entries.iter().collect();
    entries.sort_by_key(|entry| rank(Language::Yaml, entry));
    let mut block = header(outline);
    for entry in entries {
        push_lines(&mut block, &entry.comments);
        block.push_str(&yaml_write::entry(&entry.key, &entry.value));
    }
    push_lines(&mut block, &outline.trailer);
    block
}

/// The lines of a TOML block.
pub(crate) fn toml_block(outline: &Outline, writer: &mut toml_write::Writer) -> String {
    let mut entries: Vec<_> = outline.entries.iter().collect();
    entries.sort_by_key(|entry| rank(Language::Toml, entry));
    let mut block = header(outline);
    for entry in entries {
        let needs_gap = toml_write::is_table(&entry.value) && !block.is_empty();
        if needs_gap && !block.ends_with("\n\n") {
            block.push('\n');
        }
        push_lines(&mut block, &entry.comments);
        writer.entry(&entry.key, &entry.value);
        block.push_str(&writer.take());
    }
    push_lines(&mut block, &outline.trailer);
    block
}

fn header(outline: &Outline) -> String {
    let mut block = String::new();
    push_lines(&mut block, &outline.header);
    if !block.is_empty() && !outline.entries.is_empty() {
        block.push('\n');
    }
    block
}

fn push_lines(block: &mut String, lines: &[String]) {
    for line in lines {
        block.push_str(line);
        block.push('\n');
    }
}

fn rank(language: Language, entry: &OutlineEntry) -> usize {
    key_rank(language, &entry.key, toml_write::is_table(&entry.value))
}

/// Where a key belongs in the canonical order: smaller comes first, equal ones keep their order.
pub(crate) fn key_rank(language: Language, key: &str, is_table: bool) -> usize {
    const YAML: &[&str] = &[
        "name",
        "description",
        "license",
        "compatibility",
        "allowed-tools",
    ];
    const TOML: &[&str] = &[
        "name",
        "description",
        "version",
        "triggers",
        "max_tool_rounds",
    ];
    let (first, is_last) = match language {
        Language::Yaml => (YAML, key == "metadata"),
        Language::Toml => (TOML, is_table),
    };
    let others = first.len() + usize::from(is_last);
    if is_last && language == Language::Toml {
        return others;
    }
    first
        .iter()
        .position(|&known| known == key)
        .unwrap_or(others)
}

/// The text with LF line ends.
pub(crate) fn unix_lines(text: &str) -> String {
    let mut lines = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.strip_suffix('\n') {
            // All of them: a second formatting must find none.
            Some(content) => {
                lines.push_str(content.trim_end_matches('\r'));
                lines.push('\n');
            }
            None => lines.push_str(line),
        }
    }
    lines
}

#[cfg(test)]
mod tests;
