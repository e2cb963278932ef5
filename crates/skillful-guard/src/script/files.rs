//! Calls that read, write, fetch and delete files.

use std::ops::Range;

use super::effects::{Given, last};
use super::evaluate::Evaluator;
use super::tree::Expression;
use crate::context::Language;
use crate::flow::consequences;
use crate::flow::{Flow, PathKind, Taint, path_kind};

impl Evaluator<'_> {
    /// What a file is known by: its path, or the variable that holds it.
    pub(super) fn file_key(&mut self, expression: &Expression) -> Option<String> {
        match expression {
            Expression::Name(name) => match self.value(expression).text {
                Some(text) => Some(text),
                None => Some(name.clone()),
            },
            Expression::Call(call) => call
                .arguments
                .first()
                .and_then(|argument| self.file_key(&argument.value)),
            _ => self.value(expression).text,
        }
    }

    /// Runs a file that was fetched before.
    pub(super) fn run_file(&mut self, word: &Expression, range: &Range<usize>) {
        let Some(key) = self.file_key(word) else {
            return;
        };
        let fetched = self
            .files
            .get(&key)
            .filter(|content| content.taint.has(Taint::FETCHED))
            .cloned();
        if let Some(content) = fetched {
            self.add(
                consequences::of_downloaded_file(&content.addresses),
                range,
                content.addresses.first().cloned(),
            );
        }
    }

    pub(super) fn read(&mut self, given: &Given<'_>) -> Flow {
        let is_method = matches!(last(&given.path), "read_text" | "read_bytes")
            || (last(&given.path) == "open"
                && given.path.contains('.')
                && !given.path.starts_with("io.")
                && !given.path.starts_with("codecs.")
                && !given.path.starts_with("tarfile."));
        let path = if is_method {
            given.object.clone()
        } else {
            given.first()
        };
        let mode = given
            .values
            .get(1)
            .map(|mode| mode.known().to_owned())
            .unwrap_or_default();
        if self.language == Language::Python
            && last(&given.path) == "open"
            && mode.contains(['w', 'a', 'x', '+'])
        {
            self.written(&path, "", &given.call.range);
            // A handle to write to is no content; what it stands for is found by its path again.
            return Flow {
                text: path.text.clone(),
                ..Flow::default()
            };
        }
        let mut content = Flow::of(Taint::CONTENT);
        if path.taint.has(Taint::SECRET_PATH) {
            self.add("reads-keys", &given.call.range, path.text.clone());
        }
        if path.taint.has(Taint::SECRET_PATH) || path.taint.has(Taint::ENV_PATH) {
            self.add("reads-secret", &given.call.range, path.text.clone());
            content.taint |= Taint::SECRET;
        }
        if path.taint.has(Taint::FOUND_PATHS) {
            content.taint |= Taint::FOUND_FILES;
        }
        if path.taint.has(Taint::PERSONAL_PATH) {
            content.taint |= Taint::PERSONAL;
        }
        let key = given
            .call
            .arguments
            .first()
            .and_then(|argument| self.file_key(&argument.value));
        if let Some(written) = key.and_then(|key| self.files.get(&key).cloned()) {
            content.absorb(&written);
        }
        content
    }

    pub(super) fn write(&mut self, given: &Given<'_>) -> Flow {
        let is_method = matches!(last(&given.path), "write_text" | "write_bytes");
        let (path, value) = if is_method {
            (given.object.clone(), given.first())
        } else {
            (
                given.first(),
                given.values.get(1).cloned().unwrap_or_default(),
            )
        };
        self.written(&path, value.known(), &given.call.range);
        let key = match (path.outline(), given.call.arguments.first()) {
            (Some(text), _) => Some(text.to_owned()),
            (None, Some(argument)) if !is_method => self.file_key(&argument.value),
            _ => match &given.call.callee {
                Expression::Member { object, .. } => self.file_key(object),
                _ => None,
            },
        };
        self.keep(key, &value);
        Flow::default()
    }

    /// `handle.write(value)`: into the file that the handle was opened for.
    pub(super) fn write_into(&mut self, given: &Given<'_>) -> Flow {
        let value = given.payload();
        let Expression::Member { object, .. } = &given.call.callee else {
            return Flow::default();
        };
        let key = match &**object {
            Expression::Call(open) => open
                .arguments
                .first()
                .and_then(|argument| self.file_key(&argument.value)),
            _ => given.object.text.clone().or_else(|| self.file_key(object)),
        };
        self.keep(key, &value);
        Flow::default()
    }

    /// A module that the program itself fetched before is loaded by its name.
    pub(super) fn load_fetched(&mut self, module: &str, range: &Range<usize>) {
        let fetched = self.files.iter().find(|(path, content)| {
            let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
            !module.is_empty()
                && content.taint.has(Taint::FETCHED)
                && name.split('.').next() == Some(module)
        });
        if let Some(addresses) = fetched.map(|(_, content)| content.addresses.clone())
            && consequences::of_downloaded_file(&addresses) != "runs-code"
            && !consequences::is_known(&addresses)
        {
            self.add("evaluates-fetched-code", range, addresses.first().cloned());
        }
    }

    pub(super) fn keep(&mut self, key: Option<String>, value: &Flow) {
        if let Some(key) = key {
            self.files.entry(key).or_default().absorb(value);
        }
    }

    pub(super) fn fetch_file(&mut self, given: &Given<'_>) -> Flow {
        let mut fetched = Flow::of(Taint::FETCHED);
        fetched.addresses = given.addresses();
        let key = given
            .call
            .arguments
            .get(1)
            .and_then(|argument| self.file_key(&argument.value));
        self.keep(key, &fetched);
        fetched
    }

    pub(super) fn written(&mut self, path: &Flow, text: &str, range: &Range<usize>) {
        if let Some(rule) = path
            .text
            .as_deref()
            .and_then(|path| consequences::of_writing(path, text))
        {
            self.add(rule, range, path.text.clone());
        }
    }

    pub(super) fn delete_tree(&mut self, given: &Given<'_>) -> Flow {
        let target = given.first();
        if target
            .text
            .as_deref()
            .is_some_and(|path| path_kind(path, PathKind::Root) && !path.starts_with(".."))
        {
            self.add("deletes-root-or-home", &given.call.range, target.text);
        }
        Flow::default()
    }
}
