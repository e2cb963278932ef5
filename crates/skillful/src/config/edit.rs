//! Changing a configuration file: text in, text out, and nothing changed but the entry that is meant. Comments, order
//! and line ends stay.

use std::ops::Range;

use skillmd::Position;
use toml_edit::{Document, DocumentMut, Item, Key, Table, TableLike};

use super::path::{KeyPath, id_form};
use super::value::Value;

/// A file cannot be changed. It was left as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The file is not TOML; what it means is not known.
    #[error("{}:{}: the file is not TOML: {reason}", position.line, position.column)]
    Syntax {
        /// Where.
        position: Position,
        /// What is wrong.
        reason: String,
    },
    /// On the way to the key something stands that holds no keys.
    #[error("`{key}` is not a table in the file")]
    NotTable {
        /// What is no table.
        key: KeyPath,
    },
    /// A table stands where the value would.
    #[error("`{key}` is a table in the file")]
    IsTable {
        /// What is one.
        key: KeyPath,
    },
}

/// The text with `key` set to `value`. What stands behind the old value, such as a comment, stays.
///
/// # Errors
///
/// [`EditError`] when the text is not TOML, or holds something else where the key would be.
pub fn set(text: &str, key: &KeyPath, value: &Value) -> Result<String, EditError> {
    let mut document: DocumentMut = text.parse().map_err(|error| syntax(text, &error))?;
    let mut table: &mut dyn TableLike = document.as_table_mut();
    let segments = key.segments();
    let Some((last, above)) = segments.split_last() else {
        return Ok(text.to_owned());
    };
    for (depth, segment) in above.iter().enumerate() {
        let name = spelling(table, segments, depth).unwrap_or_else(|| segment.clone());
        if !table.contains_key(&name) {
            let mut new = Table::new();
            // A table that only leads to another gets no line of its own.
            new.set_implicit(depth + 1 < above.len());
            table.insert(&name, Item::Table(new));
        }
        let below = table.get_mut(&name).and_then(Item::as_table_like_mut);
        table = below.ok_or_else(|| EditError::NotTable {
            key: prefix(key, depth + 1),
        })?;
    }
    let name = spelling(table, segments, above.len()).unwrap_or_else(|| last.clone());
    match table.get_mut(&name) {
        Some(item) if item.is_table_like() || item.is_array_of_tables() => {
            return Err(EditError::IsTable { key: key.clone() });
        }
        Some(Item::Value(old)) => {
            let mut new = value.to_toml();
            *new.decor_mut() = old.decor().clone();
            *old = new;
        }
        _ => {
            table.insert(&name, Item::Value(value.to_toml()));
        }
    }
    Ok(with_line_ends_of(text, document.to_string()))
}

/// The text without `key` and everything below it; nothing when it is not there. Comments on lines of their own stay; a
/// table whose last entry goes, goes with it unless a comment stands in it.
///
/// # Errors
///
/// [`EditError`] when the text is not TOML.
pub fn unset(text: &str, key: &KeyPath) -> Result<Option<String>, EditError> {
    let document = Document::parse(text).map_err(|error| syntax(text, &error))?;
    let mut cuts = Cuts {
        text,
        ranges: Vec::new(),
    };
    match cuts.cut(document.as_table(), key.segments(), 0) {
        Found::No => Ok(None),
        Found::Lines => Ok(Some(cuts.apply())),
        Found::Inline => {
            let mut document = document.into_mut();
            remove(document.as_table_mut(), key.segments(), 0);
            Ok(Some(with_line_ends_of(text, document.to_string())))
        }
    }
}

/// What the file itself says under `key`; nothing when it says nothing, or is not TOML.
pub fn given(text: &str, key: &KeyPath) -> Option<String> {
    let document = Document::parse(text).ok()?;
    let segments = key.segments();
    let (_, above) = segments.split_last()?;
    let mut table: &dyn TableLike = document.as_table();
    for depth in 0..above.len() {
        table = table
            .get(&spelling(table, segments, depth)?)?
            .as_table_like()?;
    }
    let value = table
        .get(&spelling(table, segments, above.len())?)?
        .as_value()?;
    Some(
        value
            .as_str()
            .map_or_else(|| value.to_string().trim().to_owned(), str::to_owned),
    )
}

fn syntax(text: &str, error: &toml_edit::TomlError) -> EditError {
    EditError::Syntax {
        position: Position::of(text, error.span().map_or(0, |span| span.start)),
        reason: error.message().to_owned(),
    }
}

/// The first `length` segments of a key.
fn prefix(key: &KeyPath, length: usize) -> KeyPath {
    let segments = key.segments().iter().take(length).cloned().collect();
    KeyPath::new(segments).unwrap_or_else(|| key.clone())
}

/// How a table spells a segment, if it has it: an id below `skills` can be written in other ways.
fn spelling(table: &dyn TableLike, segments: &[String], depth: usize) -> Option<String> {
    let segment = segments.get(depth)?;
    if table.contains_key(segment) {
        return Some(segment.clone());
    }
    let is_id = depth == 1 && segments.first().is_some_and(|section| section == "skills");
    let mut names = table.iter().map(|(name, _)| name).filter(|_| is_id);
    let found = names.find(|name| id_form(name).as_ref() == Some(segment));
    found.map(str::to_owned)
}

/// How an entry that is to be taken out is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    /// It is not there.
    No,
    /// As lines of its own.
    Lines,
    /// Inside a value, between braces.
    Inline,
}

/// Lines to take out of a text.
struct Cuts<'t> {
    text: &'t str,
    ranges: Vec<Range<usize>>,
}

impl Cuts<'_> {
    /// Notes the lines of an entry, and those of the headers that nothing stands under any more.
    fn cut(&mut self, table: &Table, segments: &[String], depth: usize) -> Found {
        let Some(name) = spelling(table, segments, depth) else {
            return Found::No;
        };
        let Some((key, item)) = table.get_key_value(&name) else {
            return Found::No;
        };
        if depth + 1 == segments.len() {
            self.entry(key, item);
            return Found::Lines;
        }
        match item {
            Item::Table(below) => {
                let found = self.cut(below, segments, depth + 1);
                if found == Found::Lines && below.len() == 1 {
                    self.empty_header(below);
                }
                found
            }
            Item::Value(value) if value.is_inline_table() => Found::Inline,
            _ => Found::No,
        }
    }

    /// Everything that is written of an entry.
    fn entry(&mut self, key: &Key, item: &Item) {
        match item {
            Item::None => {}
            Item::Value(value) => {
                if let (Some(key), Some(value)) = (key.span(), value.span()) {
                    self.lines(key.start..value.end);
                }
            }
            Item::Table(table) => self.table(table),
            Item::ArrayOfTables(tables) => tables.iter().for_each(|table| self.table(table)),
        }
    }

    fn table(&mut self, table: &Table) {
        self.ranges.extend(self.header(table));
        for name in table.iter().map(|(name, _)| name) {
            if let Some((key, item)) = table.get_key_value(name) {
                self.entry(key, item);
            }
        }
    }

    /// The line of a table's header, where it has one.
    fn header(&self, table: &Table) -> Option<Range<usize>> {
        let is_written = !table.is_implicit() && !table.is_dotted();
        let span = table.span().filter(|_| is_written)?;
        Some(self.whole_lines(span.start..span.start))
    }

    /// Takes the header of a table whose only entry was just noted, unless a comment stands between the two.
    fn empty_header(&mut self, table: &Table) {
        let (Some(header), Some(entry)) = (self.header(table), self.ranges.last().cloned()) else {
            return;
        };
        let between = self.text.get(header.end..entry.start);
        if between.is_some_and(|between| between.trim().is_empty()) {
            self.ranges.push(header.start..entry.start);
        }
    }

    fn lines(&mut self, span: Range<usize>) {
        let lines = self.whole_lines(span);
        self.ranges.push(lines);
    }

    /// The lines that a span lies on, with the end of the last.
    fn whole_lines(&self, span: Range<usize>) -> Range<usize> {
        let before = self.text.get(..span.start).unwrap_or_default();
        let after = self.text.get(span.end..).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let end = after
            .find('\n')
            .map_or(self.text.len(), |end| span.end + end + 1);
        start..end
    }

    fn apply(mut self) -> String {
        self.ranges.sort_by_key(|range| (range.start, range.end));
        let mut kept = String::with_capacity(self.text.len());
        let mut end = 0;
        for range in &self.ranges {
            kept.push_str(self.text.get(end..range.start).unwrap_or_default());
            end = end.max(range.end);
        }
        kept.push_str(self.text.get(end..).unwrap_or_default());
        kept
    }
}

/// Removes an entry that is written between braces.
fn remove(table: &mut dyn TableLike, segments: &[String], depth: usize) {
    let Some(name) = spelling(table, segments, depth) else {
        return;
    };
    if depth + 1 == segments.len() {
        table.remove(&name);
    } else if let Some(below) = table.get_mut(&name).and_then(Item::as_table_like_mut) {
        remove(below, segments, depth + 1);
        if below.is_empty() {
            table.remove(&name);
        }
    }
}

fn with_line_ends_of(old: &str, new: String) -> String {
    let lines = old.matches('\n').count();
    if lines > 0 && old.matches("\r\n").count() == lines {
        new.replace("\r\n", "\n").replace('\n', "\r\n")
    } else {
        new
    }
}

#[cfg(test)]
mod tests;
