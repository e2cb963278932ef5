//! tree-sitter's tree of JavaScript and TypeScript → the small language.

use tree_sitter::Node;

use super::lower::{Lower, Source, literal, number};
use super::tree::{Argument, Call, Expression, Statement};
use crate::syntax::{self, NoTree, children};

/// Lowers a program, faults and all. The grammar is that of TypeScript with JSX, which holds JavaScript.
pub(super) fn lower(text: &str, steps_left: &mut usize) -> Result<Vec<Statement>, NoTree> {
    let tree = syntax::parse(
        &tree_sitter_typescript::LANGUAGE_TSX.into(),
        text,
        steps_left,
    )?;
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
            "function_declaration" | "generator_function_declaration" | "method_definition" => {
                let (parameters, body) = self.function(node, depth);
                into.push(Statement::Function {
                    name: self.field(node, "name"),
                    parameters,
                    body,
                });
            }
            "variable_declarator" => {
                let value = self.child(node, "value", depth);
                match node.child_by_field_name("name") {
                    Some(name) if name.kind() == "object_pattern" => {
                        self.destructured(name, &value, into);
                    }
                    Some(name) => {
                        let target = self.expression(name, depth + 1);
                        into.push(Statement::Assign { target, value });
                    }
                    None => into.push(Statement::Expression(value)),
                }
            }
            "return_statement" => {
                let value = node
                    .named_child(0)
                    .map(|value| self.expression(value, depth + 1));
                into.extend(value.map(Statement::Return));
            }
            "import_statement" => self.import(node, into),
            "for_in_statement" => self.each(node, depth, into),
            "assignment_expression" | "augmented_assignment_expression" => {
                into.push(self.assignment(node, depth));
            }
            "expression_statement" => {
                for child in children(node) {
                    self.statement(child, depth + 1, into);
                }
            }
            "comment" => {}
            kind if kind.ends_with("_expression")
                || matches!(kind, "identifier" | "string" | "template_string") =>
            {
                into.push(Statement::Expression(self.expression(node, depth + 1)));
            }
            _ => into.push(Statement::Block(self.block(node, depth + 1))),
        }
    }

    fn expression(&mut self, node: Node<'_>, depth: usize) -> Expression {
        if !self.source.enter(depth) {
            return Expression::nothing();
        }
        match node.kind() {
            "identifier" | "this" | "property_identifier" | "shorthand_property_identifier" => {
                Expression::Name(self.source.text_of(node).to_owned())
            }
            "number" => number(self.source.text_of(node)),
            "string" => literal(self.source.text_of(node).trim_matches(['"', '\''])),
            "template_string" => self.template(node, depth),
            "member_expression" => Expression::Member {
                object: Box::new(self.child(node, "object", depth)),
                name: self.field(node, "property"),
            },
            "subscript_expression" => Expression::Index {
                object: Box::new(self.child(node, "object", depth)),
                index: Box::new(self.child(node, "index", depth)),
            },
            "call_expression" => self.call(node, "function", depth),
            "new_expression" => self.call(node, "constructor", depth),
            "binary_expression" => Expression::Binary {
                operator: self.field(node, "operator"),
                left: Box::new(self.child(node, "left", depth)),
                right: Box::new(self.child(node, "right", depth)),
            },
            "array" | "sequence_expression" => Expression::List(self.all(node, depth)),
            "object" => self.object(node, depth),
            "arrow_function" | "function_expression" | "function" => {
                let (parameters, body) = self.function(node, depth);
                Expression::Function { parameters, body }
            }
            "assignment_expression" => self.child(node, "right", depth),
            "statement_block" => Expression::Function {
                parameters: Vec::new(),
                body: self.block(node, depth + 1),
            },
            _ => Expression::Other(self.all(node, depth)),
        }
    }
}

impl Lowering<'_> {
    /// `const { exec, spawn: run } = require('child_process')`
    fn destructured(&mut self, pattern: Node<'_>, value: &Expression, into: &mut Vec<Statement>) {
        for child in children(pattern) {
            let (key, name) = if child.kind() == "pair_pattern" {
                (self.field(child, "key"), self.field(child, "value"))
            } else {
                let text = self
                    .source
                    .text_of(child)
                    .split('=')
                    .next()
                    .unwrap_or_default()
                    .trim()
                    .to_owned();
                (text.clone(), text)
            };
            let member = Expression::Member {
                object: Box::new(value.clone()),
                name: key,
            };
            into.push(Statement::Assign {
                target: Expression::Name(name),
                value: member,
            });
        }
    }

    fn import(&mut self, node: Node<'_>, into: &mut Vec<Statement>) {
        let module = self
            .field(node, "source")
            .trim_matches(['"', '\''])
            .trim_start_matches("node:")
            .to_owned();
        let Some(clause) = children(node)
            .into_iter()
            .find(|child| child.kind() == "import_clause")
        else {
            return;
        };
        for part in children(clause) {
            if part.kind() == "named_imports" {
                for name in children(part) {
                    let imported = self.field(name, "name");
                    let alias = self.field(name, "alias");
                    let path = format!("{module}.{imported}");
                    into.push(Statement::Import {
                        alias: if alias.is_empty() { imported } else { alias },
                        path,
                    });
                }
            } else {
                let alias = self
                    .source
                    .text_of(part)
                    .trim_start_matches("* as ")
                    .trim()
                    .to_owned();
                into.push(Statement::Import {
                    alias,
                    path: module.clone(),
                });
            }
        }
    }

    fn function(&mut self, node: Node<'_>, depth: usize) -> (Vec<String>, Vec<Statement>) {
        let parameters = node
            .child_by_field_name("parameters")
            .or_else(|| node.child_by_field_name("parameter"));
        let names = match parameters {
            Some(list) if list.kind() == "formal_parameters" => children(list)
                .into_iter()
                .map(|parameter| {
                    self.source
                        .text_of(parameter)
                        .split([':', '=', '?'])
                        .next()
                        .unwrap_or_default()
                        .trim()
                        .to_owned()
                })
                .collect(),
            Some(single) => vec![self.source.text_of(single).to_owned()],
            None => Vec::new(),
        };
        let body = match node.child_by_field_name("body") {
            Some(body) if body.kind() == "statement_block" => self.block(body, depth + 1),
            Some(body) => vec![Statement::Return(self.expression(body, depth + 1))],
            None => Vec::new(),
        };
        (names, body)
    }

    fn template(&mut self, node: Node<'_>, depth: usize) -> Expression {
        let mut parts = Vec::new();
        for child in children(node) {
            match child.kind() {
                "template_substitution" => {
                    let value = child
                        .named_child(0)
                        .map(|value| self.expression(value, depth + 1));
                    parts.extend(value);
                }
                _ => parts.push(literal(self.source.text_of(child))),
            }
        }
        match parts.len() {
            0 => Expression::text(self.source.text_of(node).trim_matches('`')),
            1 => parts.swap_remove(0),
            _ => Expression::Joined(parts),
        }
    }

    fn call(&mut self, node: Node<'_>, callee: &str, depth: usize) -> Expression {
        let callee = self.child(node, callee, depth);
        let list = node.child_by_field_name("arguments");
        let values = list.map(|list| self.all(list, depth)).unwrap_or_default();
        let arguments = values
            .into_iter()
            .map(|value| Argument { name: None, value })
            .collect();
        Expression::Call(Box::new(Call {
            callee,
            arguments,
            range: node.byte_range(),
        }))
    }

    fn object(&mut self, node: Node<'_>, depth: usize) -> Expression {
        let mut pairs = Vec::new();
        for child in children(node) {
            if child.kind() == "pair" {
                let key = self
                    .field(child, "key")
                    .trim_matches(['"', '\''])
                    .to_owned();
                pairs.push((key, self.child(child, "value", depth)));
            } else {
                pairs.push((String::new(), self.expression(child, depth + 1)));
            }
        }
        Expression::Pairs(pairs)
    }
}
