//! What is called: names that are computed, functions that are given a list part by part, requests that are sent late.

use std::ops::Range;

use super::effects::{Given, last};
use super::evaluate::Evaluator;
use super::tree::{Call, Expression};
use super::values::UNKNOWN;
use crate::context::Language;
use crate::flow::{Flow, Taint};
use crate::limits::SYNTAX_ITEMS;

impl Evaluator<'_> {
    /// `request.end(body)`, where the request was opened before.
    pub(super) fn is_request_sent(&self, given: &Given<'_>) -> bool {
        self.language == Language::JavaScript
            && matches!(last(&given.path), "end" | "write" | "send")
            && given.object.taint.has(Taint::FETCHED)
            && !given.values.is_empty()
    }

    /// The path of what is called: `(0, eval)` is its last part, and a name that is computed is the name that it gives.
    pub(super) fn path_of_callee(&mut self, callee: &Expression, range: &Range<usize>) -> String {
        if let Some(path) = self.path(callee) {
            return path;
        }
        match callee {
            Expression::Other(inner) if inner.len() == 1 => inner
                .first()
                .map(|inner| self.path_of_callee(inner, range))
                .unwrap_or_default(),
            Expression::List(parts) => parts
                .last()
                .and_then(|last| self.path(last))
                .unwrap_or_default(),
            Expression::Index { object, index } => {
                let owner = self.path(object).unwrap_or_default();
                let is_global = matches!(
                    owner.as_str(),
                    "globalThis" | "window" | "global" | "self" | "this" | "globals" | "builtins"
                );
                let name = self.value(index);
                let is_hidden = name.taint.has(Taint::ASSEMBLED) || name.taint.has(Taint::DECODED);
                if is_global && is_hidden {
                    self.add("assembled-code", range, name.text.clone());
                }
                match name.text {
                    Some(name) if is_global => name,
                    Some(name) => format!("{owner}.{name}"),
                    None => String::new(),
                }
            }
            _ => String::new(),
        }
    }

    /// `words.append(word)`, `words.extend(more)`: the list that a variable holds has further parts.
    pub(super) fn grow(&mut self, given: &Given<'_>) {
        let Expression::Member { object, name } = &given.call.callee else {
            return;
        };
        let Expression::Name(list) = &**object else {
            return;
        };
        let more: Vec<String> = match name.as_str() {
            "append" | "push" => given
                .values
                .iter()
                .map(|value| value.text.clone().unwrap_or_else(|| UNKNOWN.to_owned()))
                .collect(),
            "extend" => given.first().items,
            _ => return,
        };
        let known = self.variables.entry(list.clone()).or_default();
        if known.text.is_none() && known.items.len() + more.len() <= SYNTAX_ITEMS {
            known.items.extend(more);
        }
    }

    /// `codes.map(code => …)` for a list that is known, part by part.
    pub(super) fn mapped(&mut self, call: &Call, object: &Flow) -> Option<Flow> {
        let [argument] = call.arguments.as_slice() else {
            return None;
        };
        let Expression::Function { parameters, body } = &argument.value else {
            return None;
        };
        let (first, is_known) = (parameters.first()?, !object.items.is_empty());
        if !is_known || object.items.len() > SYNTAX_ITEMS {
            return None;
        }
        let mut mapped = Flow::of(object.taint);
        for item in &object.items {
            let part = Flow {
                taint: object.taint,
                ..Flow::text(item.as_str())
            };
            self.variables.insert(first.clone(), part);
            let given = self.callback(body);
            mapped.absorb(&given);
            mapped.items.extend(given.text);
        }
        if mapped.items.len() != object.items.len() {
            mapped.items.clear();
        }
        Some(mapped)
    }
}
