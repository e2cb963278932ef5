//! Keys that a skill uses and a client does not read, and lists that it splits in its own way.

use super::check::Check;
use super::{Response, ToolSyntax};
use crate::code::Code;
use crate::excerpt::excerpt;
use crate::keys::{KEYS, Key, OPENCLAW_NAMES, STANDARD};
use crate::list;
use crate::span::Span;
use crate::spelling::fold;

impl Check<'_, '_> {
    pub(super) fn keys(&mut self) {
        for entry in self.document.entries() {
            if entry.duplicate || self.reads(&entry.key) {
                continue;
            }
            let is_standard = STANDARD.contains(&entry.key.as_str());
            if self.profile.unknown_keys == Response::Skips && !is_standard {
                let what = format!("the key `{}` is not allowed", excerpt(&entry.key));
                self.skips(entry.key_span, &what)
                    .help("put it under `metadata`");
            } else {
                self.ignores(&entry.key, entry.key_span);
            }
        }
        if self.reads("metadata") {
            self.metadata_keys();
        }
    }

    /// Keys in `metadata` that mean something to other clients only.
    fn metadata_keys(&mut self) {
        let Some(client) = self.profile.keys_of else {
            return;
        };
        let metadata = self.document.get("metadata");
        let pairs = metadata.and_then(|metadata| metadata.as_mapping());
        for pair in pairs.unwrap_or_default() {
            let canonical = canonical_metadata_key(&pair.key);
            let mut readers = KEYS
                .iter()
                .filter(|key| key.names().take(2).eq(["metadata", canonical]))
                .filter(|key| !key.read_by.is_empty())
                .peekable();
            if readers.peek().is_some() && !readers.any(|key| key.is_known_to(client)) {
                let key = format!("metadata.{}", pair.key);
                self.ignores(&key, pair.key_span);
            }
        }
    }

    fn ignores(&mut self, key: &str, span: Span) {
        let message = format!("{} ignores `{}`", self.profile.title, excerpt(key));
        let canonical = self.other_spelling(key);
        let diagnostic = self.reporter.report(Code::ClientIgnoresKey, span, message);
        if let Some(canonical) = canonical {
            diagnostic.help(format!("it reads `{canonical}`"));
        }
    }

    /// Whether the client reads or shows a top-level key, or something in it.
    pub(super) fn reads(&self, key: &str) -> bool {
        match self.profile.keys_of {
            None => STANDARD.contains(&key),
            Some(_) => KEYS.iter().any(|row| {
                let canonical = row.top_level();
                let is_same =
                    canonical == key || (self.profile.folds_keys && fold(canonical) == fold(key));
                is_same && self.knows(row)
            }),
        }
    }

    /// How the client spells a key that it reads in another spelling only.
    fn other_spelling(&self, key: &str) -> Option<&'static str> {
        let folded = fold(key);
        KEYS.iter()
            .filter(|row| self.knows(row))
            .map(Key::top_level)
            .find(|canonical| fold(canonical) == folded)
    }

    fn knows(&self, row: &Key) -> bool {
        match self.profile.keys_of {
            None => row.is_standard(),
            Some(client) => row.is_known_to(client) && !self.profile.unread.contains(&row.path),
        }
    }

    /// `allowed-tools` as the client splits it.
    pub(super) fn tools(&mut self) {
        if self.profile.tools != ToolSyntax::Blanks {
            return;
        }
        let Some((text, span)) = self.text("allowed-tools") else {
            return;
        };
        let split = list::words(text).find(|tool| tool.contains(char::is_whitespace));
        let how = match split {
            Some(tool) => format!("splits `{}` at its blanks", excerpt(tool)),
            None if list::words(text).ne(text.split_whitespace()) => {
                "splits tools at blanks, so that the commas belong to their names".to_owned()
            }
            None => return,
        };
        self.differs(span, &how);
    }
}

/// The name under which the table has a key of `metadata`.
fn canonical_metadata_key(key: &str) -> &str {
    if OPENCLAW_NAMES.contains(&key) {
        OPENCLAW_NAMES[0]
    } else {
        key
    }
}
