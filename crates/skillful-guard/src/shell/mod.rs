//! What a shell script does: which commands run, what flows from one into the next, where it ends.
//!
//! `parse` makes a small tree of our own from tree-sitter's; `run` walks it as a shell would, with values that know
//! what went into them ([`crate::flow`]); `programs` says what the common commands do with their input.

mod arguments;
mod execute;
mod files;
mod network;
mod parse;
mod programs;
mod run;
pub(crate) mod tree;
mod word;

use crate::context::Unit;
use crate::coverage::GapKind;
use crate::facts::Facts;

/// Walks a script and adds what it does to the facts. Gives the programs that it hands to other interpreters.
pub(crate) fn scan(unit: &Unit, facts: &mut Facts) -> Vec<Unit> {
    let text = strip_prompts(unit.view.text());
    match parse::parse(&text, &mut facts.budget.parse_steps) {
        Ok(script) => run::run(unit, &script, facts),
        Err(fault) => {
            facts.gap(GapKind::Syntax, fault.detail());
            Vec::new()
        }
    }
}

/// Walks a script that another language was translated into.
pub(crate) fn walk(unit: &Unit, script: &[tree::Statement], facts: &mut Facts) -> Vec<Unit> {
    run::run(unit, script, facts)
}

/// Replaces the `$ ` before commands of a recorded session by blanks, so that offsets stay.
fn strip_prompts(text: &str) -> String {
    let mut stripped = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        let rest = line.get(indent..).unwrap_or_default();
        let prompt = ["$ ", "> ", "% "]
            .iter()
            .any(|prompt| rest.starts_with(prompt));
        if prompt {
            stripped.push_str(line.get(..indent).unwrap_or_default());
            stripped.push_str("  ");
            stripped.push_str(rest.get(2..).unwrap_or_default());
        } else {
            stripped.push_str(line);
        }
    }
    stripped
}
