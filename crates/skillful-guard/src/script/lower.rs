//! What lowering Python and JavaScript shares.

use tree_sitter::Node;

use super::tree::{Expression, Statement};
use crate::limits::{SYNTAX_DEPTH, SYNTAX_NODES};
use crate::syntax::{children, text_of};

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

/// How the trees of both languages are read, but for the kinds of nodes, which differ.
pub(crate) trait Lower<'t> {
    fn source(&mut self) -> &mut Source<'t>;

    fn statement(&mut self, node: Node<'_>, depth: usize, into: &mut Vec<Statement>);

    fn expression(&mut self, node: Node<'_>, depth: usize) -> Expression;

    fn block(&mut self, node: Node<'_>, depth: usize) -> Vec<Statement> {
        if !self.source().enter(depth) {
            return Vec::new();
        }
        let mut statements = Vec::new();
        for child in children(node) {
            self.statement(child, depth + 1, &mut statements);
        }
        statements
    }

    /// The text of a field.
    fn field(&mut self, node: Node<'_>, name: &str) -> String {
        node.child_by_field_name(name)
            .map(|field| self.source().text_of(field).to_owned())
            .unwrap_or_default()
    }

    /// The value of a field.
    fn child(&mut self, node: Node<'_>, field: &str, depth: usize) -> Expression {
        match node.child_by_field_name(field) {
            Some(child) => self.expression(child, depth + 1),
            None => Expression::nothing(),
        }
    }

    /// The values of all children.
    fn all(&mut self, node: Node<'_>, depth: usize) -> Vec<Expression> {
        children(node)
            .into_iter()
            .map(|child| self.expression(child, depth + 1))
            .collect()
    }

    /// A loop: its variable is given what is looped over, then comes the body.
    fn each(&mut self, node: Node<'_>, depth: usize, into: &mut Vec<Statement>) {
        let target = self.child(node, "left", depth);
        let value = self.child(node, "right", depth);
        into.push(Statement::Assign { target, value });
        let body = node
            .child_by_field_name("body")
            .map(|body| self.block(body, depth + 1));
        into.push(Statement::Block(body.unwrap_or_default()));
    }

    /// An assignment; what `+=` adds comes behind what was there.
    fn assignment(&mut self, node: Node<'_>, depth: usize) -> Statement {
        let target = self.child(node, "left", depth);
        let mut value = self.child(node, "right", depth);
        if node.kind().starts_with("augmented_") {
            value = Expression::Binary {
                operator: "+".to_owned(),
                left: Box::new(target.clone()),
                right: Box::new(value),
            };
        }
        Statement::Assign { target, value }
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
