//! tree-sitter's tree of Python → the small language.

use tree_sitter::Node;

use super::lower::{Lower, Source, literal, number};
use super::tree::{Argument, Call, Expression, Statement};
use crate::syntax::{self, NoTree, children};

/// Lowers a program, faults and all.
pub(super) fn lower(text: &str, steps_left: &mut usize) -> Result<Vec<Statement>, NoTree> {
    let tree = syntax::parse(&tree_sitter_python::LANGUAGE.into(), text, steps_left)?;
    let mut lowering = Lowering {
        source: Source::new(text),
    };
    Ok(lowering.block(tree.root_node(), 0))
}

struct Lowering<'t> {
    source: Source<'t>,
}

impl<'t> Lower<'t> for Lowering<'t> {
    fn source(&mut self) -> &mut Source<'t> {
        &mut self.source
    }

    fn statement(&mut self, node: Node<'_>, depth: usize, into: &mut Vec<Statement>) {
        if !self.source.enter(depth) {
            return;
        }
        match node.kind() {
            "function_definition" => {
                let name = self.field(node, "name");
                let parameters = node
                    .child_by_field_name("parameters")
                    .map(|node| self.parameters(node))
                    .unwrap_or_default();
                let body = node
                    .child_by_field_name("body")
                    .map(|body| self.block(body, depth + 1))
                    .unwrap_or_default();
                into.push(Statement::Function {
                    name,
                    parameters,
                    body,
                });
            }
            "return_statement" => {
                let value = children(node)
                    .into_iter()
                    .next()
                    .map(|value| self.expression(value, depth + 1));
                into.extend(value.map(Statement::Return));
            }
            "import_statement" | "import_from_statement" => self.import(node, into),
            "for_statement" => self.each(node, depth, into),
            "with_item" => {
                let value = node
                    .child_by_field_name("value")
                    .or_else(|| node.named_child(0));
                into.extend(
                    value.map(|value| Statement::Expression(self.expression(value, depth + 1))),
                );
            }
            "assignment" | "augmented_assignment" => into.push(self.assignment(node, depth)),
            "comment" => {}
            kind if is_expression(kind) => {
                into.push(Statement::Expression(self.expression(node, depth + 1)));
            }
            "expression_statement" => {
                for child in children(node) {
                    self.statement(child, depth + 1, into);
                }
            }
            _ => into.push(Statement::Block(self.block(node, depth + 1))),
        }
    }

    fn expression(&mut self, node: Node<'_>, depth: usize) -> Expression {
        if !self.source.enter(depth) {
            return Expression::nothing();
        }
        match node.kind() {
            "identifier" => Expression::Name(self.source.text_of(node).to_owned()),
            "integer" => number(self.source.text_of(node)),
            "string" => self.string(node, depth),
            "concatenated_string" => Expression::Joined(self.all(node, depth)),
            "attribute" => Expression::Member {
                object: Box::new(self.child(node, "object", depth)),
                name: self.field(node, "attribute"),
            },
            "subscript" => self.subscript(node, depth),
            "call" => self.call(node, depth),
            "binary_operator" => Expression::Binary {
                operator: self.field(node, "operator"),
                left: Box::new(self.child(node, "left", depth)),
                right: Box::new(self.child(node, "right", depth)),
            },
            "list" | "tuple" | "set" | "expression_list" | "pattern_list" => {
                Expression::List(self.all(node, depth))
            }
            "dictionary" => self.dictionary(node, depth),
            "list_comprehension"
            | "generator_expression"
            | "set_comprehension"
            | "dictionary_comprehension" => self.comprehension(node, depth),
            "lambda" => {
                let parameters = node
                    .child_by_field_name("parameters")
                    .map(|node| self.parameters(node))
                    .unwrap_or_default();
                let body = self.child(node, "body", depth);
                Expression::Function {
                    parameters,
                    body: vec![Statement::Return(body)],
                }
            }
            "assignment" => match self.assignment(node, depth) {
                Statement::Assign { value, .. } => value,
                _ => Expression::nothing(),
            },
            "as_pattern" => self.first(node, depth),
            _ => Expression::Other(self.all(node, depth)),
        }
    }
}

impl Lowering<'_> {
    fn import(&mut self, node: Node<'_>, into: &mut Vec<Statement>) {
        let module = node
            .child_by_field_name("module_name")
            .map(|module| self.source.text_of(module).to_owned());
        let mut cursor = node.walk();
        for name in node.children_by_field_name("name", &mut cursor) {
            let (name, alias) = if name.kind() == "aliased_import" {
                (self.field(name, "name"), self.field(name, "alias"))
            } else {
                let text = self.source.text_of(name).to_owned();
                (text.clone(), text)
            };
            let path = module
                .as_ref()
                .map_or_else(|| name.clone(), |module| format!("{module}.{name}"));
            into.push(Statement::Import { alias, path });
        }
    }

    fn parameters(&self, node: Node<'_>) -> Vec<String> {
        let name = |node: Node<'_>| {
            let text = self.source.text_of(node);
            text.split([':', '='])
                .next()
                .unwrap_or_default()
                .trim()
                .trim_start_matches('*')
                .to_owned()
        };
        children(node)
            .into_iter()
            .map(name)
            .filter(|name| name != "self")
            .collect()
    }

    fn first(&mut self, node: Node<'_>, depth: usize) -> Expression {
        node.named_child(0)
            .map_or_else(Expression::nothing, |child| {
                self.expression(child, depth + 1)
            })
    }

    fn string(&mut self, node: Node<'_>, depth: usize) -> Expression {
        let start = self
            .source
            .text_of(node)
            .split(['"', '\''])
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        let mut parts = Vec::new();
        for child in children(node) {
            match child.kind() {
                "string_content" if start.contains('r') => {
                    parts.push(Expression::text(self.source.text_of(child)));
                }
                "string_content" => parts.push(literal(self.source.text_of(child))),
                "interpolation" => parts.push(self.first(child, depth + 1)),
                _ => {}
            }
        }
        match parts.len() {
            0 => Expression::text(""),
            1 => parts.swap_remove(0),
            _ => Expression::Joined(parts),
        }
    }

    fn subscript(&mut self, node: Node<'_>, depth: usize) -> Expression {
        let object = Box::new(self.child(node, "value", depth));
        let index = node.child_by_field_name("subscript");
        match index {
            Some(index)
                if index.kind() == "slice"
                    && self.source.text_of(index).replace(' ', "") == "::-1" =>
            {
                Expression::Reversed(object)
            }
            Some(index) => Expression::Index {
                object,
                index: Box::new(self.expression(index, depth + 1)),
            },
            None => *object,
        }
    }

    fn call(&mut self, node: Node<'_>, depth: usize) -> Expression {
        let callee = self.child(node, "function", depth);
        let mut arguments = Vec::new();
        if let Some(list) = node.child_by_field_name("arguments") {
            let given = if list.kind() == "argument_list" {
                children(list)
            } else {
                vec![list]
            };
            for argument in given {
                let (name, value) = if argument.kind() == "keyword_argument" {
                    (
                        Some(self.field(argument, "name")),
                        self.child(argument, "value", depth),
                    )
                } else {
                    (None, self.expression(argument, depth + 1))
                };
                arguments.push(Argument { name, value });
            }
        }
        Expression::Call(Box::new(Call {
            callee,
            arguments,
            range: node.byte_range(),
        }))
    }

    fn dictionary(&mut self, node: Node<'_>, depth: usize) -> Expression {
        let mut pairs = Vec::new();
        for child in children(node) {
            if child.kind() == "pair" {
                let key = child.child_by_field_name("key").map(|key| {
                    self.source
                        .text_of(key)
                        .trim_matches(['"', '\''])
                        .to_owned()
                });
                pairs.push((key.unwrap_or_default(), self.child(child, "value", depth)));
            } else {
                pairs.push((String::new(), self.expression(child, depth + 1)));
            }
        }
        Expression::Pairs(pairs)
    }

    fn comprehension(&mut self, node: Node<'_>, depth: usize) -> Expression {
        let body = Box::new(self.child(node, "body", depth));
        let clause = children(node)
            .into_iter()
            .find(|child| child.kind() == "for_in_clause");
        let Some(clause) = clause else {
            return *body;
        };
        Expression::Each {
            variable: self.field(clause, "left"),
            source: Box::new(self.child(clause, "right", depth)),
            body,
        }
    }
}

fn is_expression(kind: &str) -> bool {
    matches!(
        kind,
        "call"
            | "attribute"
            | "subscript"
            | "identifier"
            | "string"
            | "binary_operator"
            | "await"
            | "list_comprehension"
            | "boolean_operator"
            | "comparison_operator"
            | "not_operator"
            | "conditional_expression"
            | "tuple"
            | "list"
            | "dictionary"
            | "parenthesized_expression"
            | "yield"
            | "named_expression"
    )
}
