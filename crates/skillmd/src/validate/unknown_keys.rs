//! Top-level keys outside the standard's six, and where they belong.

use super::Rules;
use crate::code::Code;
use crate::diagnostic::{Edit, Fix};
use crate::document::{Document, Entry, Language};
use crate::excerpt::excerpt;
use crate::keys::{STANDARD, keys_under, known_top_level, readers_of};
use crate::lines::line_start;
use crate::node::Value;
use crate::spelling::fold;

impl Rules<'_, '_> {
    pub(super) fn check_unknown_keys(&mut self) {
        // One fix moves all keys: several that each add `metadata:` would add it twice.
        let mut move_all = move_under_metadata(self.document);
        for entry in self.document.entries() {
            if entry.duplicate || STANDARD.contains(&entry.key.as_str()) {
                continue;
            }
            let message = format!("`{}` is not a key of the standard", excerpt(&entry.key));
            let meant = meant_standard_key(self.document, entry);
            let diagnostic = self
                .reporter
                .report(Code::KeyNotStandard, entry.key_span, message);
            if let Some(standard) = meant {
                diagnostic
                    .help(format!("the standard's key is `{standard}`"))
                    .fix(
                        format!("rename the key to `{standard}`"),
                        Edit::replace(entry.key_span, standard),
                    );
                continue;
            }
            let readers = readers(&entry.key);
            if readers.is_empty() {
                diagnostic.help("put it under `metadata`");
                if is_movable(self.document, entry) {
                    diagnostic.fix = move_all.take();
                }
            } else {
                diagnostic.help(format!(
                    "read by {}; for the others put it under `metadata` when you publish",
                    readers.join(", ")
                ));
            }
        }
    }
}

/// The standard's key that this one is a slip of, when the document does not have that key as well.
fn meant_standard_key(document: &Document, entry: &Entry) -> Option<&'static str> {
    /// Most letters that may be wrong, missing, added or swapped.
    const SLIPS: usize = 2;
    let key = fold(&entry.key);
    let is_slip = |standard: &str| {
        key == standard
            || (known_top_level(&entry.key).is_none()
                && key.len() < 32
                && strsim::osa_distance(&key, standard) <= SLIPS.min(standard.len() / 3))
    };
    STANDARD
        .into_iter()
        .find(|standard| is_slip(standard) && document.entry(standard).is_none())
}

/// Ids of the clients that act on a top-level key or on something in it.
fn readers(key: &str) -> Vec<&'static str> {
    let Some(canonical) = known_top_level(key) else {
        return Vec::new();
    };
    readers_of(keys_under(canonical))
}

/// Whether an entry can go under `metadata` and no client misses it at the top level.
fn is_movable(document: &Document, entry: &Entry) -> bool {
    let at_line_start = line_start(document.text(), entry.key_span.start) == entry.key_span.start;
    let taken = document
        .get("metadata")
        .is_some_and(|metadata| metadata.get(&entry.key).is_some());
    !entry.duplicate
        && !entry.recovered
        && !entry.value.is_null()
        && at_line_start
        && !taken
        && !STANDARD.contains(&entry.key.as_str())
        && readers(&entry.key).is_empty()
        && meant_standard_key(document, entry).is_none()
}

/// Moves all movable entries, as they are written, to the end of `metadata`, which is added where it is missing.
fn move_under_metadata(document: &Document) -> Option<Fix> {
    let text = document.text();
    let frontmatter = document.frontmatter()?;
    let entries: Vec<_> = document
        .entries()
        .iter()
        .filter(|entry| is_movable(document, entry))
        .collect();
    if entries.is_empty() || frontmatter.language != Language::Yaml {
        return None;
    }
    let (offset, indent) = match document.entry("metadata") {
        Some(metadata) => (metadata.span.end, block_indent(document, metadata)?),
        None => (frontmatter.block.end, 2),
    };
    let line_break = if text.get(..frontmatter.block.start)?.ends_with("\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let mut moved = String::new();
    if !text.get(..offset)?.ends_with('\n') {
        moved.push_str(line_break);
    }
    if document.entry("metadata").is_none() {
        moved.push_str("metadata:");
        moved.push_str(line_break);
    }
    for entry in &entries {
        push_indented(&mut moved, entry.span.slice(text), indent, line_break);
    }
    let mut edits: Vec<_> = entries
        .iter()
        .map(|entry| Edit::delete(entry.span))
        .collect();
    // The entry that stands where the moved ones go may be one of them; there is one edit at a place.
    match edits.iter_mut().find(|edit| edit.span.start == offset) {
        Some(edit) => edit.replacement = moved,
        None => edits.push(Edit::insert(offset, moved)),
    }
    edits.sort_by_key(|edit| edit.span);
    Some(Fix {
        title: format!("move {} under `metadata`", names(&entries)),
        edits,
    })
}

/// How far the keys of a block mapping are indented; nothing for other notations.
fn block_indent(document: &Document, metadata: &Entry) -> Option<usize> {
    let text = document.text();
    let Value::Mapping(pairs) = &metadata.value.value else {
        return metadata.is_empty().then_some(2);
    };
    let key = pairs.first()?.key_span.start;
    let line = line_start(text, key);
    let indent = text.get(line..key)?;
    let is_block = !indent.is_empty() && indent.bytes().all(|byte| byte == b' ');
    let is_flow = metadata.value.span.slice(text).starts_with('{');
    (is_block && !is_flow).then_some(indent.len())
}

fn push_indented(moved: &mut String, source: &str, indent: usize, line_break: &str) {
    for line in source.split_inclusive('\n') {
        if !line.trim().is_empty() {
            moved.extend(std::iter::repeat_n(' ', indent));
        }
        moved.push_str(line);
    }
    if !source.ends_with('\n') {
        moved.push_str(line_break);
    }
}

fn names(entries: &[&Entry]) -> String {
    const LISTED: usize = 3;
    let listed: Vec<_> = entries
        .iter()
        .take(LISTED)
        .map(|entry| format!("`{}`", excerpt(&entry.key)))
        .collect();
    let listed = listed.join(", ");
    match entries.len().saturating_sub(LISTED) {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}
