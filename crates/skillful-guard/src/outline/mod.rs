//! The outline of a program in a language without an engine: which lines take something in, which names hold it, and
//! which lines give it away or run it.
//!
//! There are too many languages to parse, and in all of them values are kept under names, handed to functions and
//! given back. So a program is read statement by statement: a name that is assigned something holds what stands on the
//! other side, and what a function returns its name stands for. `words.toml` says what the common libraries call their
//! sources and sinks; the consequences are those of the other engines.

mod statements;
mod words;

use std::collections::HashMap;
use std::ops::Range;

use crate::context::Unit;
use crate::facts::Facts;
use crate::flow::consequences;
use crate::flow::{Flow, Taint};
use crate::limits::{SYNTAX_ITEMS, SYNTAX_NODES};

use statements::{Statement, identifiers, statements};
use words::{Word, WordKind, words};

/// Reads a program and adds what it does to the facts.
pub(crate) fn scan(unit: &Unit, facts: &mut Facts) {
    let text = unit.view.text();
    let words = words(text);
    let is_sink = |word: &Word| matches!(word.kind, WordKind::Send | WordKind::Run);
    if !words.iter().any(is_sink) {
        return;
    }
    let statements = statements(text);
    let mut reader = Reader {
        text,
        words: &words,
        names: HashMap::new(),
        given: HashMap::new(),
        function: None,
        steps: 0,
    };
    // Functions may be used before they are written down, so the first reading only learns what they give.
    reader.read(&statements, &mut |_, _, _| {});
    reader.names.clear();
    reader.read(&statements, &mut |rule, range, note| {
        facts.add(unit, rule, range, note);
    });
}

type Report<'r> = &'r mut dyn FnMut(&'static str, &Range<usize>, Option<String>);

struct Reader<'t> {
    text: &'t str,
    /// Sorted by place.
    words: &'t [Word],
    /// What the names hold at this place.
    names: HashMap<&'t str, Flow>,
    /// What the functions give.
    given: HashMap<&'t str, Flow>,
    function: Option<&'t str>,
    steps: usize,
}

impl<'t> Reader<'t> {
    fn read(&mut self, statements: &[Statement<'t>], report: Report<'_>) {
        for statement in statements {
            if self.steps > SYNTAX_NODES {
                return;
            }
            if let Some(name) = statement.function {
                self.function = Some(name);
                // A letter stands for something else in each function.
                self.names.retain(|name, _| name.len() > 2);
                continue;
            }
            self.sinks(statement, report);
            let value = self.value(&statement.value);
            if let Some(function) = self.function.filter(|_| statement.returns) {
                self.given.entry(function).or_default().absorb(&value);
            }
            for target in &statement.targets {
                self.keep(target, &value, statement.grows);
            }
        }
    }

    fn keep(&mut self, name: &'t str, value: &Flow, grows: bool) {
        if self.names.len() >= SYNTAX_ITEMS {
            return;
        }
        let held = self.names.entry(name).or_default();
        if grows {
            held.absorb(value);
        } else {
            held.clone_from(value);
        }
    }

    /// What stands in a piece of the text: sources, names that hold something, addresses.
    fn value(&mut self, range: &Range<usize>) -> Flow {
        let mut value = Flow::default();
        let piece = self.text.get(range.clone()).unwrap_or_default();
        for word in self.words_in(range) {
            value.taint |= word.taint;
        }
        for address in statements::addresses(piece) {
            value.absorb(&Flow {
                addresses: vec![address.to_owned()],
                ..Flow::default()
            });
        }
        for name in identifiers(piece) {
            self.steps += 1;
            if is_secret_name(name) {
                value.taint |= Taint::TOKEN;
            }
            for known in [self.names.get(name), self.given.get(name)]
                .into_iter()
                .flatten()
            {
                value.absorb(known);
            }
        }
        value
    }

    fn words_in(&self, range: &Range<usize>) -> &'t [Word] {
        let first = self
            .words
            .partition_point(|word| word.range.start < range.start);
        let end = self
            .words
            .partition_point(|word| word.range.start < range.end);
        self.words.get(first..end).unwrap_or_default()
    }

    fn sinks(&mut self, statement: &Statement<'t>, report: Report<'_>) {
        for word in self.words_in(&statement.range) {
            let rest = word.range.end..statement.range.end;
            match word.kind {
                WordKind::Send => {
                    let mut value = self.value(&rest);
                    let whole = self.value(&statement.range);
                    value.taint = value.taint.without(Taint::FETCHED | Taint::DECODED);
                    if let Some(rule) = consequences::of_sending(&value, &whole.addresses) {
                        report(rule, &word.range, whole.addresses.first().cloned());
                    }
                }
                WordKind::Run => {
                    let value = self.value(&rest);
                    if let Some(rule) = of_running(&value) {
                        report(rule, &word.range, value.addresses.first().cloned());
                    }
                }
                WordKind::Source => {}
            }
        }
    }
}

/// Whether a name says that it holds a secret. Services get theirs; a host without a name has no business with it.
fn is_secret_name(name: &str) -> bool {
    matches!(
        name,
        "token"
            | "password"
            | "passwd"
            | "secret"
            | "apiKey"
            | "api_key"
            | "accessToken"
            | "access_token"
            | "privateKey"
            | "private_key"
            | "credentials"
            | "sessionToken"
            | "refreshToken"
    )
}

/// The rule for what a program runs, whatever its language.
fn of_running(value: &Flow) -> Option<&'static str> {
    if value.taint.has(Taint::VISITOR) {
        return Some("web-shell");
    }
    if value.taint.has(Taint::FETCHED) {
        let is_stranger = consequences::of_downloaded_file(&value.addresses) != "runs-code"
            && !consequences::is_known(&value.addresses);
        return is_stranger.then_some("evaluates-fetched-code");
    }
    value
        .taint
        .has(Taint::DECODED)
        .then_some("other-language-decodes-and-runs")
}
