//! Parsing programs with tree-sitter: tolerant of faults, and bounded by a count of its steps.

use std::ops::ControlFlow;

use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree};

use crate::limits::{PARSE_STEPS, PARSE_STEPS_PER_KIB, STRUCTURE_BYTES};

/// Why a program has no tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoTree {
    TooLarge,
    TooManySteps,
}

impl NoTree {
    pub(crate) fn detail(self) -> String {
        match self {
            Self::TooLarge => format!("a program of more than {STRUCTURE_BYTES} bytes was searched for patterns alone"),
            Self::TooManySteps => format!("parsing took more than {PARSE_STEPS_PER_KIB} steps for each kibibyte"),
        }
    }
}

/// The tree of a program, faults and all.
pub(crate) fn parse(language: &tree_sitter::Language, text: &str) -> Result<Tree, NoTree> {
    if text.len() > STRUCTURE_BYTES {
        return Err(NoTree::TooLarge);
    }
    let mut parser = Parser::new();
    if parser.set_language(language).is_err() {
        return Err(NoTree::TooManySteps);
    }
    let allowed = PARSE_STEPS + text.len() / 1024 * PARSE_STEPS_PER_KIB;
    let mut steps = 0;
    let mut progress = |_: &ParseState| {
        steps += 1;
        if steps > allowed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let bytes = text.as_bytes();
    let options = ParseOptions::new().progress_callback(&mut progress);
    let mut read = |offset: usize, _| bytes.get(offset..).unwrap_or_default();
    parser.parse_with_options(&mut read, None, Some(options)).ok_or(NoTree::TooManySteps)
}

/// The text of a node.
pub(crate) fn text_of<'t>(node: Node<'_>, text: &'t str) -> &'t str {
    text.get(node.byte_range()).unwrap_or_default()
}

/// The named children of a node.
pub(crate) fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}
