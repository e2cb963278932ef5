//! Runs the small language on values that know what went into them.

use std::collections::HashMap;
use std::ops::Range;

use super::calls::is_credential_slot;
use super::fold;
use super::tree::{Call, Expression, Statement};
use crate::context::{Form, Language, Unit};
use crate::facts::Facts;
use crate::flow::consequences::is_secret_variable;
use crate::flow::{Flow, PathKind, Taint, path_kind};
use crate::limits::{SYNTAX_ITEMS, SYNTAX_NODES};
use crate::text::View;

/// Longest text that is looked at as a path, in bytes.
const PATH_BYTES: usize = 300;

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

/// More picked values than that in one sum spell a word.
const PICKED_LETTERS: usize = 3;

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
    function: Option<String>,
    pub inner: Vec<Unit>,
    steps: usize,
}

impl Evaluator<'_> {
    fn block(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.steps += 1;
            if self.steps > SYNTAX_NODES {
                return;
            }
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
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

    fn assign_name(&mut self, name: &str, mut value: Flow) {
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
        let text = |index: usize| match &call.arguments.get(index)?.value {
            Expression::Text { text, .. } => Some(text.clone()),
            Expression::Name(name) => self.variables.get(name)?.text.clone(),
            _ => None,
        };
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

    pub(super) fn value(&mut self, expression: &Expression) -> Flow {
        self.steps += 1;
        if self.steps > SYNTAX_NODES {
            return Flow::default();
        }
        match expression {
            Expression::Text { text, escaped } => literal(text, *escaped),
            Expression::Number(number) => Flow::text(number.to_string()),
            Expression::Name(name) => self.name(name),
            Expression::Member { object, name } => self.member(object, name),
            Expression::Index { object, index } => self.index(object, index),
            Expression::Call(call) => self.call(call),
            Expression::Binary {
                operator,
                left,
                right,
            } => self.binary(operator, left, right),
            Expression::Joined(parts) => {
                let mut value = Flow::text("");
                for part in parts {
                    let part = self.value(part);
                    value = value.then(&part);
                }
                value
            }
            Expression::List(items) => self.list(items),
            Expression::Other(items) => {
                let mut value = Flow::default();
                for item in items {
                    let item = self.value(item);
                    value.absorb(&item);
                    if items.len() == 1 {
                        value.text = item.text;
                        value.items = item.items;
                    }
                }
                value
            }
            Expression::Pairs(pairs) => {
                let mut value = Flow::default();
                for (key, item) in pairs {
                    let item = self.value(item);
                    if !is_credential_slot(key) {
                        value.absorb(&item);
                    }
                }
                value
            }
            Expression::Reversed(inner) => {
                let value = self.value(inner);
                fold::reversed(&value)
            }
            Expression::Each {
                variable,
                source,
                body,
            } => self.each(variable, source, body),
            Expression::Function { parameters, body } => {
                for parameter in parameters {
                    self.variables.entry(parameter.clone()).or_default();
                }
                self.callback(body)
            }
        }
    }

    /// Walks the body of a function without a name and gives what it returns.
    pub(super) fn callback(&mut self, body: &[Statement]) -> Flow {
        let outer = self.function.take();
        let mut returned = Flow::default();
        for statement in body {
            if let Statement::Return(value) = statement {
                let value = self.value(value);
                returned.absorb(&value);
                returned.text = value.text;
            } else {
                self.statement(statement);
            }
        }
        self.function = outer;
        returned
    }

    /// Gives the parameters of the functions among a call's arguments what the call's object holds.
    pub(super) fn give_to_callbacks(&mut self, call: &Call, object: &Flow) {
        for argument in &call.arguments {
            if let Expression::Function { parameters, .. } = &argument.value {
                for parameter in parameters {
                    let given = Flow {
                        text: None,
                        items: Vec::new(),
                        ..object.clone()
                    };
                    self.variables.insert(parameter.clone(), given);
                }
            }
        }
    }

    fn list(&mut self, items: &[Expression]) -> Flow {
        let mut value = Flow::default();
        let mut texts = Vec::new();
        for item in items {
            let item = self.value(item);
            value.absorb(&item);
            texts.extend(item.text);
        }
        if texts.len() == items.len() && texts.len() <= SYNTAX_ITEMS {
            value.items = texts;
        }
        value
    }

    /// The body for each part of the source, one by one where the parts are known.
    fn each(&mut self, variable: &str, source: &Expression, body: &Expression) -> Flow {
        let source = self.value(source);
        if source.items.is_empty() {
            // `for name, value in …`: each of them holds a part.
            for name in variable.split(',') {
                let part = Flow {
                    text: None,
                    ..source.clone()
                };
                self.assign_name(name.trim_matches(['(', ')', '[', ']', ' ']), part);
            }
            let mut value = self.value(body);
            value.text = None;
            return value;
        }
        let mut value = Flow::of(source.taint);
        let mut texts = Vec::new();
        for item in &source.items {
            self.variables.insert(
                variable.to_owned(),
                Flow {
                    taint: source.taint,
                    ..Flow::text(item.as_str())
                },
            );
            let part = self.value(body);
            value.absorb(&part);
            texts.extend(part.text);
        }
        if texts.len() == source.items.len() {
            value.items = texts;
        }
        value
    }

    fn name(&self, name: &str) -> Flow {
        if let Some(value) = self.variables.get(name) {
            return value.clone();
        }
        match self.aliases.get(name).map(String::as_str) {
            Some("os.environ" | "process.env") => Flow::of(Taint::ENVIRONMENT),
            _ => Flow::default(),
        }
    }

    fn member(&mut self, object: &Expression, name: &str) -> Flow {
        let path = match self.path(object) {
            Some(path) => format!("{path}.{name}"),
            None => name.to_owned(),
        };
        match path.as_str() {
            "os.environ" | "process.env" => return Flow::of(Taint::ENVIRONMENT),
            "document.cookie" | "window.document.cookie" => return Flow::of(Taint::SECRET),
            _ => {}
        }
        if let Some(variable) = path.strip_prefix("process.env.") {
            return variable_of_environment(variable);
        }
        let mut value = self
            .variables
            .get(&format!(".{name}"))
            .cloned()
            .unwrap_or_default();
        value.absorb(&self.value(object));
        value
    }

    fn index(&mut self, object: &Expression, index: &Expression) -> Flow {
        let key = self.value(index);
        let path = self.path(object);
        if matches!(path.as_deref(), Some("os.environ" | "process.env")) {
            return match &key.text {
                Some(name) => variable_of_environment(name),
                None => Flow::of(Taint::ENVIRONMENT),
            };
        }
        let mut value = self.value(object);
        let picked = key
            .text
            .as_deref()
            .and_then(|index| index.parse::<usize>().ok());
        value.text = picked.and_then(|index| value.items.get(index).cloned());
        value.items.clear();
        value
    }

    fn binary(&mut self, operator: &str, left: &Expression, right: &Expression) -> Flow {
        let picks = operator == "+" && picked(left) + picked(right) > PICKED_LETTERS;
        let pieces = summands(left) + summands(right);
        let left = self.value(left);
        let right = self.value(right);
        match operator {
            "+" => {
                let mut value = left.then(&right);
                if picks || is_shredded(pieces, value.known()) {
                    value.taint |= Taint::ASSEMBLED;
                }
                value
            }
            "/" => {
                let joined = left.then(&Flow::text("/")).then(&right);
                Self::as_path(joined)
            }
            "%" => fold::method(
                "format",
                &Flow {
                    text: left.text.as_ref().map(|text| text.replace("%s", "{}")),
                    ..left
                },
                &[right],
            ),
            "^" => {
                let mut value = left;
                value.absorb(&right);
                value.text = None;
                value.taint |= Taint::ASSEMBLED;
                value
            }
            _ => {
                let mut value = left;
                value.absorb(&right);
                value.text = None;
                value
            }
        }
    }

    /// A path that was put together names what the whole names.
    pub(super) fn as_path(value: Flow) -> Flow {
        match &value.text {
            Some(text) => {
                let named = literal(text, false).taint;
                Flow {
                    taint: value.taint | named,
                    ..value
                }
            }
            None => value,
        }
    }

    /// What a function of the program gives, with what the caller put in.
    pub(super) fn call_own(&mut self, name: &str, arguments: &[Flow]) -> Option<Flow> {
        let function = self.functions.get_mut(name)?;
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            function
                .given
                .entry(parameter.clone())
                .or_default()
                .absorb(argument);
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

/// A text of the program, and whether it names a file of interest.
fn literal(text: &str, escaped: bool) -> Flow {
    let mut value = Flow::text(text);
    if escaped {
        value.taint |= Taint::DECODED;
    }
    if text.len() < PATH_BYTES && text.contains(['.', '/', '\\', ' ']) {
        if path_kind(text, PathKind::Secret) {
            value.taint |= Taint::SECRET_PATH;
        } else if path_kind(text, PathKind::EnvFile) {
            value.taint |= Taint::ENV_PATH;
        } else if path_kind(text, PathKind::Personal) {
            value.taint |= Taint::PERSONAL_PATH;
        }
    }
    value
}

/// How many values a sum is made of.
fn summands(expression: &Expression) -> usize {
    match expression {
        Expression::Binary {
            operator,
            left,
            right,
        } if operator == "+" => summands(left) + summands(right),
        _ => 1,
    }
}

/// Whether a text was cut so small that no piece of it says anything.
pub(super) fn is_shredded(pieces: usize, text: &str) -> bool {
    pieces >= 4 && text.len() >= 8 && text.len() < pieces * 6
}

/// How many values of a sum are picked out of a table by number.
fn picked(expression: &Expression) -> usize {
    match expression {
        Expression::Index { index, .. } => usize::from(matches!(**index, Expression::Number(_))),
        Expression::Binary { left, right, .. } => picked(left) + picked(right),
        _ => 0,
    }
}

/// One variable of the environment: a secret if it is named like one.
pub(super) fn variable_of_environment(name: &str) -> Flow {
    if matches!(name, "HOME" | "USERPROFILE") {
        Flow::text("~")
    } else if is_secret_variable(name) {
        Flow::of(Taint::TOKEN)
    } else {
        Flow::default()
    }
}
