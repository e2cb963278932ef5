//! Commands that run other programs: a value, a text, a file.

use std::ops::Range;

use super::arguments::Call;
use super::programs::CODE_OPTIONS;
use super::run::Runner;
use crate::context::{Form, Language};
use crate::flow::consequences;
use crate::flow::{Flow, Taint};
use crate::packages::imitated;
use crate::text::View;

impl Runner<'_> {
    pub(super) fn interpret(
        &mut self,
        call: &Call,
        language: Language,
        input: Option<Flow>,
    ) -> Flow {
        let code = call.values_of(CODE_OPTIONS);
        if let Some(code) = code.first() {
            let value = code.flow.clone();
            let range = code.range.clone();
            self.execute(&value, language, call, &range);
            return Flow::default();
        }
        if call.has_option(&["-EncodedCommand", "-enc", "-e"]) && language == Language::PowerShell {
            self.add("decode-and-run", &call.range, None);
        }
        let file = call.operands().next().cloned();
        match file {
            Some(file) if file.text != "-" && !call.has_option(&["-s"]) => {
                let content = self.content(&file);
                if content.taint.has(Taint::FETCHED) {
                    // What `<(curl …)` gives runs at once, a named file was fetched before.
                    let is_named = self.files.contains_key(&file.text);
                    let rule = if is_named {
                        self.note_hidden(&file.text, &content, &call.range);
                        consequences::of_downloaded_file(&content.addresses)
                    } else {
                        consequences::of_remote_code(&content.addresses)
                    };
                    self.add(rule, &call.range, content.addresses.first().cloned());
                } else {
                    self.execute(&content, language, call, &call.range);
                }
                self.fact("runs-command", &call.range, Some(file.text.clone()));
            }
            _ => {
                let value = input.unwrap_or_default();
                self.execute(&value, language, call, &call.range);
            }
        }
        Flow::default()
    }

    /// Reports and follows a value that is run as a program.
    pub(super) fn execute(
        &mut self,
        value: &Flow,
        language: Language,
        call: &Call,
        range: &Range<usize>,
    ) {
        if let Some(rule) = consequences::of_execution(value) {
            let note = value
                .addresses
                .first()
                .cloned()
                .or_else(|| value.text.clone());
            let note = match (note, call.as_root) {
                (Some(note), true) => Some(format!("as root: {note}")),
                (note, _) => note,
            };
            self.add(rule, &call.range, note);
        }
        if let Some(text) = value
            .text
            .as_deref()
            .filter(|text| text.contains([' ', '(', '/']))
        {
            self.hand_over(text, language, range.start, value.taint.has(Taint::DECODED));
        }
    }

    /// A program that is fetched into a file that listings do not show.
    fn note_hidden(&mut self, path: &str, content: &Flow, range: &Range<usize>) {
        let is_hidden = super::arguments::base_name(path)
            .strip_prefix('.')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'));
        if is_hidden
            && consequences::of_downloaded_file(&content.addresses) != "runs-code"
            && !consequences::is_known(&content.addresses)
        {
            self.add("download-and-run-hidden", range, Some(path.to_owned()));
        }
    }

    /// Leaves a program inside this one to the engine of its language.
    pub(super) fn hand_over(&mut self, text: &str, language: Language, at: usize, decoded: bool) {
        let source = self.unit.view.source_of(at);
        let mut inner = self.unit.inner(
            View::pinned(text.to_owned(), source),
            Form::Code(language),
            at,
        );
        if decoded {
            inner.layers.push("encoded");
        }
        self.inner.push(inner);
    }

    /// Programs that are no program of the system: a file that was fetched before, or anything else.
    pub(super) fn other(&mut self, call: &Call, input: Flow, _depth: usize) -> Flow {
        let path = call.program.text.as_str();
        let named = self
            .files
            .get(path)
            .or_else(|| self.files.get(path.trim_start_matches("./")));
        let fetched = named
            .filter(|content| content.taint.has(Taint::FETCHED))
            .cloned();
        if let Some(content) = fetched {
            self.note_hidden(path, &content, &call.range);
            self.add(
                consequences::of_downloaded_file(&content.addresses),
                &call.range,
                content.addresses.first().cloned(),
            );
        } else if call.program.flow.taint.has(Taint::FETCHED)
            || call.program.flow.taint.has(Taint::DECODED)
        {
            let value = call.program.flow.clone();
            self.execute(&value, Language::Shell, call, &call.range);
        }
        if let Some((name, popular)) = imitation(call) {
            self.add(
                "brand-typosquat",
                &call.range,
                Some(format!("{name}, not {popular}")),
            );
        }
        if path.contains('/') {
            self.fact("runs-command", &call.range, Some(path.to_owned()));
        }
        let mut output = input;
        output.forget_text();
        for argument in &call.arguments {
            output.absorb(&argument.flow);
        }
        output
    }
}

/// A package of the command that is one slip away from a well-known one, with that one.
fn imitation(call: &Call) -> Option<(String, &'static str)> {
    let words: Vec<&str> = call.operands().map(|word| word.text.as_str()).collect();
    let installs = match call.name() {
        "pip" | "pip3" | "npm" | "pnpm" | "uv" | "bun" => words
            .iter()
            .any(|word| matches!(*word, "install" | "i" | "add")),
        "yarn" => words.first() == Some(&"add"),
        _ => false,
    };
    words.iter().skip(1).filter(|_| installs).find_map(|word| {
        let name = word
            .split(['=', '<', '>', '@', '[', '~'])
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        Some((name.clone(), imitated(&name)?))
    })
}
