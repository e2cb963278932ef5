//! The strict form for publishing: the standard's six keys, and nothing but text in them.
//!
//! Validators and registries of the standard refuse other top-level keys, lists and nested values. Here these move under
//! `metadata` as text. Skillful reads them there as well; a client that knows them at the top level only does not.

use crate::convert::{Conversion, LeftOut, Note};
use crate::document::{Document, Language};
use crate::format::{assemble, unix_lines, yaml_block};
use crate::json;
use crate::keys::{STANDARD, known_top_level};
use crate::list::{is_one_word, words};
use crate::node::{Node, Pair, Value};
use crate::outline::{Outline, OutlineEntry};
use crate::yaml;

/// `document` as the standard's strict rules ask for it (specification, "Frontmatter"), in canonical form.
///
/// It passes them when its name and description do. TOML becomes YAML. The notes say what was moved; where `metadata` has
/// a key already, that one stays and the other is left out. The body keeps its text; all lines end with LF.
pub fn publish(document: &Document) -> Conversion {
    let Some(mut outline) = Outline::of(document) else {
        return Conversion::unchanged(document);
    };
    let mut publication = Publication {
        own_keys: outline
            .entries
            .iter()
            .map(|entry| entry.key.clone())
            .collect(),
        ..Publication::default()
    };
    // What stands in `metadata` already comes first and wins.
    outline.entries.sort_by_key(|entry| entry.key != "metadata");
    for entry in std::mem::take(&mut outline.entries) {
        publication.take(entry);
    }
    outline.entries = publication.entries(&mut outline.trailer);
    Conversion {
        text: assemble(
            Language::Yaml,
            &yaml_block(&outline),
            &unix_lines(&outline.body),
        ),
        notes: publication.notes,
    }
}

#[derive(Default)]
struct Publication {
    /// All top-level keys of the source.
    own_keys: Vec<String>,
    /// Entries under the standard's keys, `metadata` left out.
    standard: Vec<OutlineEntry>,
    metadata: Vec<(String, String)>,
    metadata_comments: Vec<String>,
    notes: Vec<Note>,
}

impl Publication {
    fn take_metadata(&mut self, entry: OutlineEntry) {
        self.metadata_comments.extend(entry.comments);
        let value = mapping_in_text(&entry.value).unwrap_or(entry.value);
        match value {
            Value::Mapping(pairs) => {
                for Pair { key, value, .. } in pairs {
                    let path = format!("metadata.{key}");
                    if self.has_place(&key, &path, &value.value) {
                        let text = self.text(&path, &value.value);
                        self.metadata.push((key, text));
                    }
                }
            }
            value if value.is_null() => {}
            value => self.move_to_metadata("metadata", &value),
        }
    }

    fn take(&mut self, entry: OutlineEntry) {
        if entry.key == "metadata" {
            return self.take_metadata(entry);
        }
        let Some(key) = self.standard_key(&entry.key) else {
            self.metadata_comments.extend(entry.comments);
            self.move_to_metadata(&entry.key, &entry.value);
            return;
        };
        let is_required = matches!(key, "name" | "description");
        if entry.value.is_null() && !is_required {
            // Its comments stay with the block.
            self.metadata_comments.extend(entry.comments);
            self.notes.push(Note::LeftOut {
                key: entry.key,
                value: json::compact(&entry.value),
                reason: LeftOut::Empty,
            });
            return;
        }
        if entry.key != key {
            self.notes.push(Note::Moved {
                from: entry.key,
                to: key.to_owned(),
            });
        }
        let text = match key {
            "allowed-tools" => self.tools(&entry.value),
            _ => self.text(key, &entry.value),
        };
        self.standard.push(OutlineEntry {
            comments: entry.comments,
            key: key.to_owned(),
            value: Value::text(text),
        });
    }

    /// The key of the standard, other than `metadata`, that `key` is a spelling of, when no entry has that one itself.
    fn standard_key(&self, key: &str) -> Option<&'static str> {
        let known = STANDARD
            .into_iter()
            .find(|&standard| known_top_level(key) == Some(standard))?;
        let is_taken = self.standard.iter().any(|entry| entry.key == known)
            || self.own_keys.iter().any(|own| own == known);
        (known != "metadata" && (key == known || !is_taken)).then_some(known)
    }

    fn move_to_metadata(&mut self, key: &str, value: &Value) {
        if !self.has_place(key, key, value) {
            return;
        }
        let to = format!("metadata.{key}");
        self.notes.push(Note::Moved {
            from: key.to_owned(),
            to: to.clone(),
        });
        let text = self.text(&to, value);
        self.metadata.push((key.to_owned(), text));
    }

    /// Whether `metadata` has no such key yet; notes the value that has no place otherwise.
    fn has_place(&mut self, key: &str, path: &str, value: &Value) -> bool {
        let is_free = self.metadata.iter().all(|(taken, _)| taken != key);
        if !is_free {
            self.notes.push(Note::LeftOut {
                key: path.to_owned(),
                value: json::compact(value),
                reason: LeftOut::Taken,
            });
        }
        is_free
    }

    /// A value as text: a scalar's own, words joined by commas, JSON for all else.
    fn text(&mut self, key: &str, value: &Value) -> String {
        let text = match value {
            Value::Scalar(_) if value.is_null() => return String::new(),
            Value::Scalar(scalar) => return scalar.text.clone(),
            Value::Sequence(items) => joined(items, ", ", |item| !item.contains([',', '\n'])),
            Value::Mapping(_) => None,
        };
        self.became_text(key, text.unwrap_or_else(|| json::compact(value)))
    }

    /// Tools as the standard writes them: one text, separated by blanks.
    fn tools(&mut self, value: &Value) -> String {
        match value {
            Value::Scalar(scalar) => words(&scalar.text).collect::<Vec<_>>().join(" "),
            Value::Sequence(items) => match joined(items, " ", is_one_word) {
                Some(text) => self.became_text("allowed-tools", text),
                None => self.text("allowed-tools", value),
            },
            Value::Mapping(_) => self.text("allowed-tools", value),
        }
    }

    fn became_text(&mut self, key: &str, text: String) -> String {
        self.notes.push(Note::BecameText {
            key: key.to_owned(),
            text: text.clone(),
        });
        text
    }

    /// The entries of the published document. Comments that belong to none of them go to `trailer`.
    fn entries(&mut self, trailer: &mut Vec<String>) -> Vec<OutlineEntry> {
        let mut entries = std::mem::take(&mut self.standard);
        let comments = std::mem::take(&mut self.metadata_comments);
        if self.metadata.is_empty() {
            trailer.splice(0..0, comments);
            return entries;
        }
        let texts = self.metadata.drain(..);
        let value = Value::mapping(texts.map(|(key, text)| (key, Value::text(text))));
        entries.push(OutlineEntry {
            comments,
            key: "metadata".to_owned(),
            value,
        });
        entries
    }
}

/// The items' texts in one, where all are texts that `is_plain` allows.
fn joined(items: &[Node], separator: &str, is_plain: impl Fn(&str) -> bool) -> Option<String> {
    let texts: Option<Vec<&str>> = items
        .iter()
        .map(|item| {
            item.as_text()
                .filter(|text| !text.is_empty() && text.trim() == *text && is_plain(text))
        })
        .collect();
    Some(texts?.join(separator))
}

/// The mapping that a text spells out as JSON: some authors write all of `metadata` that way.
fn mapping_in_text(value: &Value) -> Option<Value> {
    let Value::Scalar(scalar) = value else {
        return None;
    };
    let text = scalar.text.trim();
    if !text.starts_with('{') {
        return None;
    }
    let parsed = yaml::parse(text, 0, &mut crate::diagnostic::Reporter::new("")).ok()??;
    matches!(parsed.value, Value::Mapping(_)).then_some(parsed.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Encoding;
    use crate::parse::parse_text;

    fn published(text: &str) -> Conversion {
        publish(&parse_text(text.to_owned(), Encoding::Utf8))
    }

    #[track_caller]
    fn check(block: &str, expected: &str, notes: &[&str]) {
        let publication = published(&format!("---\n{block}---\nBody\r\n"));
        assert_eq!(publication.text, format!("---\n{expected}---\nBody\n"));
        let found: Vec<_> = publication.notes.iter().map(Note::to_string).collect();
        assert_eq!(found, notes);
    }

    #[test]
    fn other_keys_move_under_metadata_as_text() {
        check(
            "version: 1.0\nname: a\ntags: [x, two words]\nmetadata:\n  author: me\n# why\nalways: true\n",
            "name: a\n# why\nmetadata:\n  author: me\n  version: \"1.0\"\n  tags: x, two words\n  always: \"true\"\n",
            &[
                "`version` is now `metadata.version`",
                "`tags` is now `metadata.tags`",
                "`metadata.tags` is now the text `x, two words`",
                "`always` is now `metadata.always`",
            ],
        );
    }

    #[test]
    fn nested_values_become_json() {
        check(
            "name: a\nmetadata:\n  openclaw:\n    requires: {bins: [git]}\n    n: 1\nhooks:\n  - 'a,b'\n",
            "name: a\nmetadata:\n  openclaw: '{\"requires\":{\"bins\":[\"git\"]},\"n\":1}'\n  hooks: '[\"a,b\"]'\n",
            &[
                "`metadata.openclaw` is now the text `{\"requires\":{\"bins\":[\"git\"]},\"n\":1}`",
                "`hooks` is now `metadata.hooks`",
                "`metadata.hooks` is now the text `[\"a,b\"]`",
            ],
        );
    }

    #[test]
    fn tools_become_one_text() {
        let tools = |value: &str, expected: &str, note: &[&str]| {
            check(
                &format!("name: a\nallowed-tools: {value}\n"),
                &format!("name: a\nallowed-tools: {expected}\n"),
                note,
            );
        };
        tools(
            "[Read, \"Bash(git add:*, x)\"]",
            "Read Bash(git add:*, x)",
            &["`allowed-tools` is now the text `Read Bash(git add:*, x)`"],
        );
        tools("Read, Bash(a b), Write", "Read Bash(a b) Write", &[]);
        tools(
            "[Read, two words]",
            "Read, two words",
            &["`allowed-tools` is now the text `Read, two words`"],
        );
    }

    #[test]
    fn spellings_of_standard_keys_are_mended() {
        check(
            "Name: a\nallowed_tools: Read\n",
            "name: a\nallowed-tools: Read\n",
            &[
                "`Name` is now `name`",
                "`allowed_tools` is now `allowed-tools`",
            ],
        );
        check(
            "allowed_tools: Read\nname: a\nallowed-tools: Write\n",
            "name: a\nallowed-tools: Write\nmetadata:\n  allowed_tools: Read\n",
            &["`allowed_tools` is now `metadata.allowed_tools`"],
        );
    }

    #[test]
    fn what_metadata_has_already_wins() {
        check(
            "name: a\nversion: 2\nmetadata:\n  version: \"1\"\n",
            "name: a\nmetadata:\n  version: \"1\"\n",
            &["`version` was left out because its place is taken; its value was 2"],
        );
    }

    #[test]
    fn metadata_of_any_form_becomes_texts() {
        check(
            "name: a\nmetadata: '{\"a\": {\"b\": 1}, \"c\": null}'\n",
            "name: a\nmetadata:\n  a: '{\"b\":1}'\n  c: \"\"\n",
            &["`metadata.a` is now the text `{\"b\":1}`"],
        );
        check(
            "name: a\nmetadata: '{a: 1, a: 2}'\n",
            "name: a\nmetadata:\n  a: \"1\"\n",
            &["`metadata.a` was left out because its place is taken; its value was 2"],
        );
        check("name: a\nmetadata:\n", "name: a\n", &[]);
        check(
            "name: a\nmetadata: [x]\n",
            "name: a\nmetadata:\n  metadata: x\n",
            &[
                "`metadata` is now `metadata.metadata`",
                "`metadata.metadata` is now the text `x`",
            ],
        );
    }

    #[test]
    fn empty_optional_values_are_left_out_with_a_note() {
        check(
            "name:\n# which?\nlicense:\n",
            "name: \"\"\n# which?\n",
            &["`license` has no value and was left out"],
        );
    }

    #[test]
    fn toml_is_published_as_yaml() {
        let publication = published(
            "+++\nname = \"a\"\ntriggers = [\"command:x\"]\n[requires]\ntools = [\"t\"]\n+++\nBody\n",
        );
        assert_eq!(
            publication.text,
            "---\nname: a\nmetadata:\n  triggers: command:x\n  requires: '{\"tools\":[\"t\"]}'\n---\nBody\n"
        );
    }
}
