//! Runs the small language on values that know what went into them.

use std::collections::HashMap;
use std::ops::Range;

use super::calls::is_credential_slot;
use super::tree::{Call, Expression, Statement};
use crate::context::{Form, Language, Unit};
use crate::facts::Facts;
use crate::flow::Flow;
use crate::limits::SYNTAX_NODES;
use crate::text::View;

/// Walks the program twice: the first time what its functions give is learnt, the second time it is reported.
pub(super) fn run(
    unit: &Unit,
    language: Language,
    program: &[Statement],
    facts: &mut Facts,
) -> Vec<Unit> {
    let mut learnt = Facts::default();
    let mut evaluator = Evaluator {
        unit,
        language,
        facts: &mut learnt,
        variables: HashMap::new(),
        aliases: HashMap::new(),
        functions: HashMap::new(),
        files: HashMap::new(),
        function: None,
        inner: Vec::new(),
        steps: 0,
    };
    evaluator.block(program);
    let functions = evaluator.functions;
    let mut evaluator = Evaluator {
        unit,
        language,
        facts,
        variables: HashMap::new(),
        aliases: HashMap::new(),
        functions,
        files: HashMap::new(),
        function: None,
        inner: Vec::new(),
        steps: 0,
    };
    evaluator.block(program);
    evaluator.inner
}

/// What is known of a function of the program.
#[derive(Debug, Default)]
pub(super) struct Function {
    parameters: Vec<String>,
    /// What callers gave for each parameter.
    given: HashMap<String, Flow>,
    gives: Flow,
}

pub(super) struct Evaluator<'e> {
    pub unit: &'e Unit,
    pub language: Language,
    pub facts: &'e mut Facts,
    pub variables: HashMap<String, Flow>,
    /// Names that stand for paths of functions and modules.
    pub aliases: HashMap<String, String>,
    pub functions: HashMap<String, Function>,
    /// What was written into files, by their path or by the name of the variable that holds it.
    pub files: HashMap<String, Flow>,
    pub function: Option<String>,
    pub inner: Vec<Unit>,
    pub steps: usize,
}

impl Evaluator<'_> {
    pub(super) fn block(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.steps += 1;
            if self.steps > SYNTAX_NODES {
                return;
            }
            self.statement(statement);
        }
    }

    pub(super) fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Expression(expression) => {
                self.value(expression);
            }
            Statement::Assign { target, value } => {
                if let (Expression::Name(name), Some(path)) = (target, self.path(value))
                    && !matches!(value, Expression::Text { .. })
                {
                    self.aliases.insert(name.clone(), path);
                }
                let value = self.value(value);
                self.assign(target, value);
            }
            Statement::Function {
                name,
                parameters,
                body,
            } => self.define(name, parameters, body),
            Statement::Return(value) => {
                let value = self.value(value);
                if let Some(function) = self.function.clone() {
                    self.functions
                        .entry(function)
                        .or_default()
                        .gives
                        .absorb(&value);
                }
            }
            Statement::Import { alias, path } => {
                self.aliases.insert(alias.clone(), path.clone());
            }
            Statement::Block(statements) => self.block(statements),
        }
    }

    fn define(&mut self, name: &str, parameters: &[String], body: &[Statement]) {
        let function = self.functions.entry(name.to_owned()).or_default();
        function.parameters = parameters.to_vec();
        let given: Vec<(String, Flow)> = parameters
            .iter()
            .map(|parameter| {
                (
                    parameter.clone(),
                    function.given.get(parameter).cloned().unwrap_or_default(),
                )
            })
            .collect();
        let before: Vec<(String, Option<Flow>)> = parameters
            .iter()
            .map(|name| (name.clone(), self.variables.get(name).cloned()))
            .collect();
        self.variables.extend(given);
        let outer = self.function.replace(name.to_owned());
        self.block(body);
        self.function = outer;
        for (name, value) in before {
            match value {
                Some(value) => self.variables.insert(name, value),
                None => self.variables.remove(&name),
            };
        }
    }

    pub(super) fn assign(&mut self, target: &Expression, value: Flow) {
        match target {
            Expression::Name(name) => self.assign_name(name, value),
            // An attribute is one variable, whatever object it belongs to.
            Expression::Member { name, .. } => self.assign_name(&format!(".{name}"), value),
            Expression::Index { object, .. } => self.absorb_into(object, &value),
            Expression::List(targets) => {
                for target in targets {
                    let mut part = value.clone();
                    part.text = None;
                    self.assign(target, part);
                }
            }
            Expression::Other(targets) => {
                for target in targets {
                    self.assign(target, value.clone());
                }
            }
            _ => {}
        }
    }

    pub(super) fn assign_name(&mut self, name: &str, mut value: Flow) {
        // A second value does not wash off what a branch before may have put in.
        if let Some(old) = self.variables.get(name).filter(|old| !old.taint.is_none()) {
            value.absorb(old);
        }
        self.variables.insert(name.to_owned(), value);
    }

    /// Adds what went into a value to the variable that an expression belongs to.
    pub(super) fn absorb_into(&mut self, object: &Expression, value: &Flow) {
        let name = match object {
            Expression::Name(name) => name.clone(),
            Expression::Member { name, .. } if !is_credential_slot(name) => format!(".{name}"),
            Expression::Index { object, .. } => return self.absorb_into(object, value),
            _ => return,
        };
        self.variables.entry(name).or_default().absorb(value);
    }

    /// The dotted path of a function or module, with names that were imported or assigned written out.
    pub(super) fn path(&self, expression: &Expression) -> Option<String> {
        match expression {
            Expression::Name(name) => Some(self.aliases.get(name).unwrap_or(name).clone()),
            Expression::Member { object, name } => Some(match self.path(object) {
                Some(path) => format!("{path}.{name}"),
                None => format!("().{name}"),
            }),
            Expression::Index { object, index } => match &**index {
                Expression::Text { text, .. } => Some(format!("{}.{text}", self.path(object)?)),
                _ => None,
            },
            Expression::Call(call) => self.path_of_call(call),
            Expression::Other(inner) => match inner.as_slice() {
                [only] => self.path(only),
                _ => None,
            },
            _ => None,
        }
    }

    /// `getattr(os, 'system')`, `__import__('os')`, `require('fs')`, `importlib.import_module('os')`
    fn path_of_call(&self, call: &Call) -> Option<String> {
        let callee = self.path(&call.callee)?;
        let text = |index: usize| self.constant(&call.arguments.get(index)?.value);
        match callee.as_str() {
            "__import__" | "require" | "importlib.import_module" | "import" => {
                Some(text(0)?.trim_start_matches("node:").to_owned())
            }
            "getattr" => Some(format!(
                "{}.{}",
                self.path(&call.arguments.first()?.value)?,
                text(1)?
            )),
            _ => None,
        }
    }

    /// What a function of the program gives, with what the caller put in.
    pub(super) fn call_own(&mut self, name: &str, arguments: &[Flow]) -> Option<Flow> {
        let function = self.functions.get_mut(name)?;
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let given = function
                .given
                .entry(parameter.clone())
                .or_insert_with(|| argument.clone());
            given.absorb(argument);
            // A text that not all callers give is not known.
            if given.text != argument.text {
                given.text = None;
            }
        }
        let mut given = function.gives.clone();
        given.text = None;
        Some(given)
    }

    pub(super) fn add(&mut self, rule: &'static str, range: &Range<usize>, note: Option<String>) {
        self.facts.add(self.unit, rule, range, note);
    }

    /// Leaves a program inside this one to the engine of its language.
    pub(super) fn hand_over(&mut self, text: &str, language: Language, at: usize, hidden: bool) {
        let source = self.unit.view.source_of(at);
        let mut inner = self.unit.inner(
            View::pinned(text.to_owned(), source),
            Form::Code(language),
            at,
        );
        if hidden {
            inner.layers.push("encoded");
        }
        self.inner.push(inner);
    }
}
