//! Changes to a document that touch nothing else.
//!
//! An edit replaces the bytes of one entry and reads the result again. Where the result differs in anything but that
//! entry, the edit is refused: what was not edited is not changed.

use crate::document::{Document, Entry, Language};
use crate::format::{assemble, key_rank};
use crate::node::{Node, Resolved, ScalarStyle, Value};
use crate::outline::inner_comments;
use crate::parse::parse_text;
use crate::quote::yaml_key;
use crate::span::Span;
use crate::toml_write::{self, Lines, written_key};
use crate::yaml_write;

pub use fixes::{AppliedFixes, apply_fixes};

mod fixes;
#[cfg(test)]
mod tests;

/// Why an edit was not made. The document is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// There is no such entry.
    #[error("the frontmatter has no key `{key}`")]
    NoSuchKey {
        /// The key that was looked for.
        key: String,
    },
    /// An entry has the new key already.
    #[error("the frontmatter has a key `{key}` already")]
    KeyExists {
        /// The key that is taken.
        key: String,
    },
    /// TOML has no notation for a value that is nothing.
    #[error("TOML cannot hold an empty value for `{key}`; remove the key instead")]
    NullInToml {
        /// The key that was to be set.
        key: String,
    },
    /// The edited text would not read back as it should.
    #[error(
        "`{edited}` cannot be changed without changing {changed}; format the file first, or edit it by hand"
    )]
    WouldChangeMore {
        /// The key that was to be edited, or `body`.
        edited: String,
        /// What else would change.
        changed: String,
    },
}

/// One replacement: the place, and the text that goes there.
type Splice = (Span, String);

impl Document {
    /// The document with the value of the entry `key` replaced, or with a new entry in its canonical place. A document
    /// without frontmatter gets one.
    ///
    /// ```
    /// use skillmd::{Encoding, Value, parse_text};
    ///
    /// let text = "---\nname: a # mine\ndescription: old\n---\nBody\n";
    /// let document = parse_text(text.to_owned(), Encoding::Utf8);
    /// let edited = document.with_entry_set("description", &Value::text("new: text")).unwrap();
    /// assert_eq!(edited.text(), "---\nname: a # mine\ndescription: \"new: text\"\n---\nBody\n");
    /// ```
    ///
    /// # Errors
    ///
    /// [`EditError::NullInToml`], and [`EditError::WouldChangeMore`] where the source is such that nothing can be put
    /// there safely.
    pub fn with_entry_set(&self, key: &str, value: &Value) -> Result<Self, EditError> {
        let splice = match (self.language(), self.entry(key)) {
            (None, _) => {
                let block = yaml_write::entry(key, value);
                let text = assemble(Language::Yaml, &block, "");
                (Span::at(0), self.with_own_line_breaks(&text))
            }
            (Some(language), Some(entry)) => self.replacement(language, entry, value)?,
            (Some(language), None) => self.insertion(language, key, value)?,
        };
        let edited = self.spliced(splice);
        self.check_others(key, &edited, |other| other == key)?;
        let reads_back = |found: &Node| means_same(&found.value, value);
        if edited.get(key).is_some_and(reads_back) {
            Ok(edited)
        } else {
            Err(would_change(key, "its own value on reading it back"))
        }
    }

    /// The document without the entry `key`, and without those that repeat the key. Comments above them stay.
    ///
    /// # Errors
    ///
    /// [`EditError::NoSuchKey`], and [`EditError::WouldChangeMore`] where other entries hang on this one.
    pub fn with_entry_removed(&self, key: &str) -> Result<Self, EditError> {
        self.existing(key)?;
        let mut text = self.text().to_owned();
        for entry in self.entries().iter().rev().filter(|entry| entry.key == key) {
            text.replace_range(std::ops::Range::from(entry.span), "");
        }
        let edited = parse_text(text, self.encoding());
        self.check_others(key, &edited, |other| other == key)?;
        Ok(edited)
    }

    /// The document with the entry `key` called `new_key`, its value and place unchanged.
    ///
    /// # Errors
    ///
    /// [`EditError::NoSuchKey`], [`EditError::KeyExists`], and [`EditError::WouldChangeMore`] where the key stands in
    /// several places.
    pub fn with_entry_renamed(&self, key: &str, new_key: &str) -> Result<Self, EditError> {
        let entry = self.existing(key)?;
        if self.entry(new_key).is_some() {
            return Err(EditError::KeyExists {
                key: new_key.to_owned(),
            });
        }
        let written = match self.language() {
            Some(Language::Toml) => written_key(new_key),
            _ => yaml_key(new_key).into_owned(),
        };
        let edited = self.spliced((entry.key_span, written));
        self.check_others(key, &edited, |other| other == key || other == new_key)?;
        let keeps_value = |found: &Node| found.same_data(&entry.value);
        // An entry that repeats the old key would count from now on.
        if edited.entry(key).is_none() && edited.get(new_key).is_some_and(keeps_value) {
            Ok(edited)
        } else {
            Err(would_change(key, "its value"))
        }
    }

    /// The document with another body. Nothing is added to it and nothing taken from it.
    ///
    /// # Errors
    ///
    /// [`EditError::WouldChangeMore`] where no fence parts the frontmatter from the body, and where a document without
    /// frontmatter would get one.
    pub fn with_body(&self, body: &str) -> Result<Self, EditError> {
        let edited = self.spliced((self.body_span(), body.to_owned()));
        let is_kept = self.same_data(&edited)
            && self.entries().len() == edited.entries().len()
            && self.language() == edited.language();
        if is_kept && edited.body() == body {
            Ok(edited)
        } else {
            Err(would_change("body", "the frontmatter"))
        }
    }

    fn language(&self) -> Option<Language> {
        self.frontmatter().map(|frontmatter| frontmatter.language)
    }

    fn existing(&self, key: &str) -> Result<&Entry, EditError> {
        self.entry(key).ok_or_else(|| EditError::NoSuchKey {
            key: key.to_owned(),
        })
    }

    /// The new value in the place of the old one where both are one line, else new lines for the whole entry.
    fn replacement(
        &self,
        language: Language,
        entry: &Entry,
        value: &Value,
    ) -> Result<Splice, EditError> {
        let old = entry.value.span;
        let is_one_line =
            !old.is_empty() && !old.slice(self.text()).contains('\n') && !entry.recovered;
        if let (true, Value::Scalar(_), Value::Scalar(scalar)) =
            (is_one_line, &entry.value.value, value)
        {
            let written = match language {
                Language::Yaml => yaml_write::one_line(&entry.key, scalar),
                Language::Toml => toml_write::one_line(&entry.key, scalar)
                    .ok_or_else(|| null_in_toml(&entry.key))?,
            };
            if !written.is_empty() {
                return Ok((old, written));
            }
        }
        let mut lines = String::new();
        for comment in inner_comments(self, entry) {
            lines.push_str(&comment);
            lines.push('\n');
        }
        lines.push_str(&entry_lines(language, &entry.key, value)?);
        Ok((entry.span, self.with_own_line_breaks(&lines)))
    }

    /// A new entry after the last one that the canonical order puts before it.
    fn insertion(&self, language: Language, key: &str, value: &Value) -> Result<Splice, EditError> {
        let rank = key_rank(language, key, toml_write::is_table(value));
        let is_before = |entry: &&Entry| {
            key_rank(
                language,
                &entry.key,
                toml_write::is_table(&entry.value.value),
            ) <= rank
        };
        let start = self
            .frontmatter()
            .map_or(0, |frontmatter| frontmatter.block.start);
        let offset = self
            .entries()
            .iter()
            .rev()
            .find(is_before)
            .map_or(start, |entry| entry.span.end);
        let mut lines = entry_lines(language, key, value)?;
        let before = self.text().get(..offset).unwrap_or_default();
        if !before.is_empty() && !before.ends_with('\n') {
            lines.insert(0, '\n');
        }
        Ok((Span::at(offset), self.with_own_line_breaks(&lines)))
    }

    fn with_own_line_breaks(&self, lines: &str) -> String {
        let is_crlf = self
            .text()
            .split_once('\n')
            .is_some_and(|(first, _)| first.ends_with('\r'));
        if is_crlf {
            lines.replace('\n', "\r\n")
        } else {
            lines.to_owned()
        }
    }

    fn spliced(&self, (span, replacement): Splice) -> Self {
        let mut text = self.text().to_owned();
        text.replace_range(std::ops::Range::from(span), &replacement);
        parse_text(text, self.encoding())
    }

    /// Refuses the edit when anything differs but the entries that `is_edited` names.
    fn check_others(
        &self,
        key: &str,
        edited: &Self,
        is_edited: impl Fn(&str) -> bool,
    ) -> Result<(), EditError> {
        let others = |entry: &&Entry| !is_edited(&entry.key);
        let before: Vec<_> = self.entries().iter().filter(others).collect();
        let after: Vec<_> = edited.entries().iter().filter(others).collect();
        for (index, entry) in before.iter().enumerate() {
            let is_same = after.get(index).is_some_and(|other| {
                entry.key == other.key
                    && entry.recovered == other.recovered
                    && entry.duplicate == other.duplicate
                    && entry.value.same_data(&other.value)
            });
            if !is_same {
                return Err(would_change(key, &format!("`{}`", entry.key)));
            }
        }
        if after.len() > before.len() {
            return Err(would_change(key, "the number of entries"));
        }
        if self.body() != edited.body() {
            return Err(would_change(key, "the body"));
        }
        Ok(())
    }
}

/// The lines of a new entry.
fn entry_lines(language: Language, key: &str, value: &Value) -> Result<String, EditError> {
    match language {
        Language::Yaml => Ok(yaml_write::entry(key, value)),
        Language::Toml => {
            let mut writer = toml_write::Writer::new(Language::Yaml, Lines::One);
            writer.entry(key, value);
            if writer.nulls.is_empty() {
                Ok(writer.take())
            } else {
                Err(null_in_toml(key))
            }
        }
    }
}

fn would_change(edited: &str, changed: &str) -> EditError {
    EditError::WouldChangeMore {
        edited: edited.to_owned(),
        changed: changed.to_owned(),
    }
}

fn null_in_toml(key: &str) -> EditError {
    EditError::NullInToml {
        key: key.to_owned(),
    }
}

/// Whether what was read back is what was to be written: the same texts; flags and nothing in any spelling.
fn means_same(found: &Value, wanted: &Value) -> bool {
    match (found, wanted) {
        (Value::Scalar(found), Value::Scalar(wanted)) => {
            let flags = crate::shape::flag(found).zip(crate::shape::flag(wanted));
            found.text == wanted.text
                || (found.resolve() == Resolved::Null && wanted.resolve() == Resolved::Null)
                || flags.is_some_and(|(found, wanted)| found == wanted)
        }
        (Value::Sequence(found), Value::Sequence(wanted)) => {
            let mut pairs = found.iter().zip(wanted);
            found.len() == wanted.len() && pairs.all(|(a, b)| means_same(&a.value, &b.value))
        }
        (Value::Mapping(found), Value::Mapping(wanted)) => {
            found.len() == wanted.len()
                && wanted.iter().all(|pair| {
                    let found = found.iter().find(|found| found.key == pair.key);
                    found.is_some_and(|found| means_same(&found.value.value, &pair.value.value))
                })
        }
        _ => false,
    }
}

impl Value {
    /// A text, whatever it looks like.
    pub fn text(text: impl Into<String>) -> Self {
        Node::scalar(text, ScalarStyle::DoubleQuoted, Span::default()).value
    }

    /// `true` or `false`.
    pub fn flag(flag: bool) -> Self {
        Node::scalar(flag.to_string(), ScalarStyle::Plain, Span::default()).value
    }

    /// A whole number.
    pub fn integer(number: i64) -> Self {
        Node::scalar(number.to_string(), ScalarStyle::Plain, Span::default()).value
    }

    /// A list of values.
    pub fn list(items: impl IntoIterator<Item = Self>) -> Self {
        let node = |value| Node {
            value,
            span: Span::default(),
        };
        Self::Sequence(items.into_iter().map(node).collect())
    }

    /// A mapping of keys to values, in this order.
    pub fn mapping<K: Into<String>>(pairs: impl IntoIterator<Item = (K, Self)>) -> Self {
        let pair = |(key, value): (K, Self)| crate::node::Pair {
            key: key.into(),
            key_span: Span::default(),
            value: Node {
                value,
                span: Span::default(),
            },
        };
        Self::Mapping(pairs.into_iter().map(pair).collect())
    }
}
