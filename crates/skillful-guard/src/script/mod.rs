//! What a Python or JavaScript program does: which values reach which calls.
//!
//! `python` and `javascript` lower tree-sitter's trees to one small language (`tree`); `evaluate` runs that language
//! on values that know what went into them, without ever running the program; `calls` says what the known functions
//! do. A program is walked twice, so that functions may be used before they are defined.

mod callee;
mod calls;
mod command;
mod effects;
mod evaluate;
mod files;
mod fold;
mod javascript;
mod lower;
mod python;
mod tree;
mod values;

use crate::context::{Language, Unit};
use crate::coverage::GapKind;
use crate::facts::Facts;

/// Words without which a program does nothing that the engine knows.
const ACTS: &[&str] = &[
    "exec",
    "eval",
    "system",
    "popen",
    "subprocess",
    "spawn",
    "compile",
    "Function",
    "request",
    "urllib",
    "http",
    "fetch",
    "axios",
    "socket",
    "smtp",
    "ftp",
    "open(",
    "write",
    "rmtree",
    "unlink",
    "rmSync",
    "child_process",
    "pickle",
    "yaml",
    "paramiko",
    "boto",
    "__import__",
    "vm.",
    "dns",
    "fromCharCode",
    "fromCodePoint",
    "atob",
    "globalThis[",
    "window[",
    "global[",
    "getattr",
    "chr(",
];

/// Walks a program and adds what it does to the facts. Gives the programs that it hands to other interpreters.
pub(crate) fn scan(unit: &Unit, language: Language, facts: &mut Facts) -> Vec<Unit> {
    let text = unit.view.text();
    if !ACTS.iter().any(|word| text.contains(word)) {
        return Vec::new();
    }
    let steps = &mut facts.budget.parse_steps;
    let program = match language {
        Language::Python => python::lower(text, steps),
        _ => javascript::lower(text, steps),
    };
    match program {
        Ok(program) => evaluate::run(unit, language, &program, facts),
        Err(fault) => {
            facts.gap(GapKind::Syntax, fault.detail());
            Vec::new()
        }
    }
}
