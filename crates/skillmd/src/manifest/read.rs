//! From a document's entries to the manifest, by the table of keys.
//!
//! First every known key is collected, wherever it stands and however it is spelt; then the keys take their places in
//! the order of the table, so that the one with precedence is there first and a later one can only agree or lose.

use super::Manifest;
use super::embedded::unfold;
use super::slot::{Source, Taken};
use crate::code::Code;
use crate::diagnostic::{Edit, Reporter};
use crate::document::{Document, Language};
use crate::field::Field;
use crate::keys::find::{Branch, Child, root};
use crate::keys::{KEYS, Key, OPENCLAW_NAMES};
use crate::node::{Node, Pair};
use crate::reader::{Faults, Reader};
use crate::span::Span;

impl Manifest {
    /// Reads the manifest out of a document. What does not fit is reported, and costs its own field only.
    ///
    /// Keys that are missing are not reported here, nor is `compatibility` or `metadata` of a wrong type: that is for
    /// the rules of the standard.
    pub fn read(document: &Document, reporter: &mut Reporter<'_>) -> Self {
        let metadata = document
            .get("metadata")
            .zip(root().child("metadata"))
            .and_then(|(node, child)| unfold(node, child));
        let mut keys = Collected {
            reporter,
            found: Vec::with_capacity(8),
        };
        for entry in document.entries().iter().filter(|entry| !entry.duplicate) {
            let Some(child) = root().child(&entry.key) else {
                continue;
            };
            let value = match &metadata {
                Some(unfolded) if entry.key == "metadata" => unfolded,
                _ => &entry.value,
            };
            keys.collect(child, &entry.key, entry.key_span, value);
        }
        let language = document
            .frontmatter()
            .map_or(Language::Yaml, |frontmatter| frontmatter.language);
        keys.settle(language)
    }
}

/// A known key in the document.
struct Found<'d> {
    row: usize,
    key: &'static Key,
    /// Whether it is in its canonical spelling.
    canonical: bool,
    written: &'d str,
    key_span: Span,
    value: &'d Node,
    /// Whether the field has its value from here.
    counts: bool,
}

struct Collected<'d, 'r, 't> {
    reporter: &'r mut Reporter<'t>,
    found: Vec<Found<'d>>,
}

impl<'d> Collected<'d, '_, '_> {
    fn collect(
        &mut self,
        child: &'static Child,
        written: &'d str,
        key_span: Span,
        value: &'d Node,
    ) {
        let canonical = written == child.name;
        if !canonical && !OPENCLAW_NAMES.contains(&written) {
            self.report_spelling(child.name, written, key_span);
        }
        if let Some((row, key)) = child.row.and_then(|row| Some((row, KEYS.get(row)?))) {
            self.found.push(Found {
                row,
                key,
                canonical,
                written,
                key_span,
                value,
                counts: false,
            });
        }
        if child.branch.is_empty() {
            return;
        }
        match value.as_mapping() {
            Some(pairs) => self.descend(&child.branch, pairs),
            None if child.row.is_none() && !value.is_null() => {
                let mut reader = Reader {
                    key: written,
                    node: value,
                    reporter: self.reporter,
                    faults: Faults::Value,
                };
                reader.wrong_type("a mapping");
            }
            None => {}
        }
    }

    fn descend(&mut self, branch: &'static Branch, pairs: &'d [Pair]) {
        let openclaw = OPENCLAW_NAMES
            .into_iter()
            .find(|name| pairs.iter().any(|pair| pair.key == *name));
        for (index, pair) in pairs.iter().enumerate() {
            let Some(child) = branch.child(&pair.key) else {
                continue;
            };
            let superseded = child.name == OPENCLAW_NAMES[0] && openclaw != Some(&pair.key);
            let before = pairs.get(..index).unwrap_or_default();
            if superseded || before.iter().any(|earlier| earlier.key == pair.key) {
                continue;
            }
            self.collect(child, &pair.key, pair.key_span, &pair.value);
        }
    }

    fn report_spelling(&mut self, canonical: &str, written: &str, span: Span) {
        // A key inside a JSON text has no place of its own.
        let source = span.slice(self.reporter.text());
        let has_place = source.trim_matches(['"', '\'']) == written;
        let message = format!("`{written}` is usually spelt `{canonical}`");
        let diagnostic = self.reporter.report(Code::KeySpelling, span, message);
        diagnostic.help("clients that take keys literally do not see this one");
        if has_place {
            diagnostic.fix(
                format!("rename the key to `{canonical}`"),
                Edit::replace(span, canonical),
            );
        }
    }

    /// Lets the keys take their places, those with precedence first.
    fn settle(mut self, language: Language) -> Manifest {
        self.found
            .sort_by_key(|found| (found.row, !found.canonical));
        let mut manifest = Manifest::default();
        for index in 0..self.found.len() {
            let (before, rest) = self.found.split_at_mut(index);
            let Some(found) = rest.first_mut() else { break };
            let mut source = found.source(language, self.reporter);
            match manifest.take(found.key.field, &mut source) {
                Taken::Set => found.counts = true,
                Taken::Nothing | Taken::Same => {}
                Taken::Differs => {
                    let winner = before
                        .iter()
                        .find(|other| other.counts && other.key.field == found.key.field);
                    let winner = winner.map_or("another key", |winner| winner.key.path);
                    report_conflict(found, winner, self.reporter);
                }
            }
        }
        manifest
    }
}

impl Found<'_> {
    fn source<'s, 't>(
        &'s self,
        language: Language,
        reporter: &'s mut Reporter<'t>,
    ) -> Source<'s, 't> {
        let faults = match self.key.field {
            Field::Name | Field::Description => Faults::Essential,
            Field::Compatibility | Field::Metadata => Faults::Silent,
            _ => Faults::Value,
        };
        Source {
            reader: Reader {
                key: self.written,
                node: self.value,
                reporter,
                faults,
            },
            shape: self.key.shape,
            language,
        }
    }
}

fn report_conflict(loser: &Found<'_>, winner: &str, reporter: &mut Reporter<'_>) {
    let message = format!(
        "`{}` does not count, because `{winner}` says something else",
        loser.key.path
    );
    reporter
        .report(Code::KeyConflict, loser.key_span, message)
        .help("make both say the same, or remove one");
}
