//! PowerShell and batch files, read as the shell is: their commands become those of `shell`, and run as they do.
//!
//! `parse` reads PowerShell and `batch` the older language, both tolerant of what they do not know; `methods` says what
//! the common methods of .NET do, and `translate` what the common commands are called in a shell. So one engine follows
//! values whichever language they flow through.

mod batch;
mod build;
mod cursor;
mod expression;
mod methods;
mod parse;
mod quotes;
mod translate;

use crate::budget::Budget;
use crate::context::Unit;
use crate::coverage::GapKind;
use crate::facts::Facts;
use crate::limits::SHELL_BYTES;
use crate::shell;
use crate::syntax::NoTree;

/// How much of a script is worth one of the steps that parsers are counted by, in bytes.
const BYTES_PER_STEP: usize = 50;

/// Walks a script and adds what it does to the facts. Gives the programs that it hands to other interpreters.
pub(crate) fn scan(unit: &Unit, facts: &mut Facts) -> Vec<Unit> {
    let text = unit.view.text();
    // These parsers are ours and count no steps; what a text may cost goes by its length, as it does for real programs.
    let steps = text.len() / BYTES_PER_STEP + 1;
    if text.len() > SHELL_BYTES || !Budget::take(&mut facts.budget.parse_steps, steps) {
        facts.gap(GapKind::Syntax, NoTree::TooLarge(SHELL_BYTES).detail());
        return Vec::new();
    }
    let script = if batch::is_batch(text) {
        batch::read(text)
    } else {
        parse::read(text)
    };
    shell::walk(unit, &script, facts)
}

#[cfg(test)]
mod tests;
