//! Parsing programs with tree-sitter: tolerant of faults, and bounded by a count of its steps.

use std::ops::ControlFlow;

use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree};

use crate::budget::Budget;
use crate::limits::{PARSE_STEPS, STRUCTURE_BYTES};

/// Why a program has no tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoTree {
    /// More than so many bytes.
    TooLarge(usize),
    TooManySteps,
}

impl NoTree {
    pub(crate) fn detail(self) -> String {
        match self {
            Self::TooLarge(limit) => {
                format!("a program of more than {limit} bytes was searched for patterns alone")
            }
            Self::TooManySteps => {
                format!("parsing took more than its share of {PARSE_STEPS} steps")
            }
        }
    }
}

/// The tree of a program, faults and all. Its steps are taken from those that are left.
pub(crate) fn parse(
    language: &tree_sitter::Language,
    text: &str,
    steps_left: &mut usize,
) -> Result<Tree, NoTree> {
    if text.len() > STRUCTURE_BYTES {
        return Err(NoTree::TooLarge(STRUCTURE_BYTES));
    }
    // Each program costs something, however short: documents can hold very many.
    if !Budget::take(steps_left, 1) {
        return Err(NoTree::TooManySteps);
    }
    let mut parser = Parser::new();
    if parser.set_language(language).is_err() {
        return Err(NoTree::TooManySteps);
    }

    let mut progress = |_: &ParseState| {
        if Budget::take(steps_left, 1) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    };
    let bytes = text.as_bytes();
    let options = ParseOptions::new().progress_callback(&mut progress);
    let mut read = |offset: usize, _| bytes.get(offset..).unwrap_or_default();
    parser
        .parse_with_options(&mut read, None, Some(options))
        .ok_or(NoTree::TooManySteps)
}

/// The text of a node.
pub(crate) fn text_of<'t>(node: Node<'_>, text: &'t str) -> &'t str {
    text.get(node.byte_range()).unwrap_or_default()
}

/// The named children of a node.
pub(crate) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}
