//! What lowering Python and JavaScript shares.

use tree_sitter::Node;

use super::tree::Expression;
use crate::limits::{SYNTAX_DEPTH, SYNTAX_NODES};
use crate::syntax::text_of;

/// So many numeric escapes in a literal spell, rather than name a character.
const ESCAPES: usize = 6;

/// A text being lowered, with a count of its nodes.
pub(crate) struct Source<'t> {
    pub text: &'t str,
    pub nodes: usize,
}

impl<'t> Source<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, nodes: 0 }
    }

    pub(crate) fn text_of(&self, node: Node<'_>) -> &'t str {
        text_of(node, self.text)
    }

    /// Counts a node and says whether to go on into it.
    pub(crate) fn enter(&mut self, depth: usize) -> bool {
        self.nodes += 1;
        depth <= SYNTAX_DEPTH && self.nodes <= SYNTAX_NODES
    }
}

/// The inside of a string literal as a text.
pub(crate) fn literal(inside: &str) -> Expression {
    let escapes = inside.matches("\\x").count()
        + inside.matches("\\u").count()
        + inside.matches("\\1").count();
    match crate::decode::unescape(inside) {
        Some(text) => Expression::Text {
            escaped: escapes >= ESCAPES && text.is_ascii(),
            text,
        },
        None => Expression::text(
            inside
                .replace("\\n", "\n")
                .replace("\\'", "'")
                .replace("\\\"", "\""),
        ),
    }
}

/// An integer in any notation.
pub(crate) fn number(text: &str) -> Expression {
    let digits = text.replace('_', "");
    let parsed = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    };
    parsed.map_or_else(Expression::nothing, Expression::Number)
}
