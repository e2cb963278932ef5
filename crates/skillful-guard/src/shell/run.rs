//! Walks a script as a shell would: values flow through pipes, variables, files and substitutions.

use std::collections::HashMap;
use std::ops::Range;

use super::arguments::{Argument, Call};
use super::programs::{self, Program, program};
use super::tree::{Command, Part, RedirectKind, Statement, Word};
use crate::context::{Language, Unit};
use crate::facts::Facts;
use crate::flow::consequences::is_secret_variable;
use crate::flow::{Flow, Taint};
use crate::limits::{SYNTAX_DEPTH, SYNTAX_NODES};

/// Walks the script.
pub(super) fn run(unit: &Unit, script: &[Statement], facts: &mut Facts) -> Vec<Unit> {
    let mut runner = Runner {
        unit,
        facts,
        variables: HashMap::new(),
        files: HashMap::new(),
        inner: Vec::new(),
        function: None,
        steps: 0,
    };
    runner.block(script, 0);
    runner.inner
}

pub(super) struct Runner<'r> {
    pub(super) unit: &'r Unit,
    facts: &'r mut Facts,
    variables: HashMap<String, Flow>,
    /// What was written into files, by the path as it was written.
    pub(super) files: HashMap<String, Flow>,
    pub(super) inner: Vec<Unit>,
    /// The function whose body is walked.
    function: Option<String>,
    steps: usize,
}

impl Runner<'_> {
    /// Walks statements and gives what they print.
    fn block(&mut self, statements: &[Statement], depth: usize) -> Flow {
        let mut printed = Flow::default();
        let mut text: Option<String> = None;
        for statement in statements {
            self.steps += 1;
            if depth > SYNTAX_DEPTH || self.steps > SYNTAX_NODES {
                return printed;
            }
            let output = self.statement(statement, depth + 1);
            printed.absorb(&output);
            // What is not known is left out: what is known runs or is written all the same.
            if let Some(more) = output.text {
                let before = text.map_or_else(String::new, |before| before + "\n");
                text = Some(before + &more);
            }
        }
        printed.text = text;
        printed
    }

    fn statement(&mut self, statement: &Statement, depth: usize) -> Flow {
        match statement {
            Statement::Pipeline(commands) => self.pipeline(commands, depth),
            Statement::Assign { name, value } => {
                let value = self.value(value, depth).flow;
                self.assign(name, value);
                Flow::default()
            }
            Statement::Each { name, words } => {
                let mut value = Flow::default();
                for word in words {
                    value.absorb(&self.value(word, depth).flow);
                }
                self.assign(name, value);
                Flow::default()
            }
            Statement::Block(statements) => self.block(statements, depth),
            Statement::Function { name, body } => {
                let outer = self.function.replace(name.clone());
                self.block(body, depth);
                self.function = outer;
                Flow::default()
            }
        }
    }

    fn assign(&mut self, name: &str, mut value: Flow) {
        // A second value does not wash off what a branch before may have put in.
        if let Some(old) = self.variables.get(name)
            && !old.taint.is_none()
        {
            value.absorb(old);
        }
        self.variables.insert(name.to_owned(), value);
    }

    fn pipeline(&mut self, commands: &[Command], depth: usize) -> Flow {
        let mut passed: Option<Flow> = None;
        if is_fork_bomb(self.function.as_deref(), commands)
            && let Some(first) = commands.first()
        {
            self.add("fork-bomb", &first.range, None);
        }
        for command in commands {
            let output = self.command(command, passed.take(), depth);
            passed = Some(output);
        }
        passed.unwrap_or_default()
    }

    fn command(&mut self, command: &Command, piped: Option<Flow>, depth: usize) -> Flow {
        let mut input = piped;
        let mut written = Vec::new();
        for redirect in &command.redirects {
            let target = self.value(&redirect.target, depth);
            match redirect.kind {
                RedirectKind::Write => written.push(target),
                RedirectKind::Read => input = Some(self.content(&target)),
                RedirectKind::Here => input = Some(target.flow),
            }
        }
        let output = if command.words.is_empty() {
            let inner = self.block(&command.body, depth);
            match input {
                Some(input) if command.body.is_empty() => input,
                _ => inner,
            }
        } else {
            let words = command
                .words
                .iter()
                .map(|word| self.value(word, depth))
                .collect();
            match Call::new(words, command.range.clone()) {
                Some(call) => self.call(&call, input, depth),
                None => Flow::default(),
            }
        };
        for target in written {
            self.write(&target, &output, &command.range);
        }
        output
    }

    /// A word's value.
    fn value(&mut self, word: &Word, depth: usize) -> Argument {
        let mut flow = Flow::text("");
        let mut text = String::new();
        for part in &word.parts {
            let (shown, value) = match part {
                Part::Text(text) => (text.clone(), Flow::text(text.as_str())),
                Part::Variable(name) => {
                    let value = self.variable(name);
                    (
                        value.text.clone().unwrap_or_else(|| format!("${name}")),
                        value,
                    )
                }
                Part::Output(statements) | Part::Process(statements) => {
                    let value = self.block(statements, depth + 1);
                    (
                        value.text.clone().unwrap_or_else(|| "$()".to_owned()),
                        value,
                    )
                }
            };
            text.push_str(&shown);
            flow = flow.then(&value);
        }
        Argument {
            text,
            flow,
            range: word.range.clone(),
        }
    }

    fn variable(&self, name: &str) -> Flow {
        if let Some(value) = self.variables.get(name) {
            return value.clone();
        }
        let is_machine = matches!(name, "HOSTNAME" | "USER" | "LOGNAME");
        if is_secret_variable(name) {
            Flow::of(Taint::TOKEN)
        } else if is_machine {
            Flow::of(Taint::MACHINE)
        } else {
            Flow::default()
        }
    }

    pub(super) fn call(&mut self, call: &Call, input: Option<Flow>, depth: usize) -> Flow {
        let name = call.name();
        let kind = program(name);
        let stdin = input.clone().unwrap_or_default();
        if programs::gives_key(name, &call.arguments) {
            self.fact("reads-secret", &call.range, Some(name.to_owned()));
            return Flow::of(Taint::ISSUED);
        }
        match kind {
            Program::Fetch => self.fetch(call, &stdin),
            Program::Print => Self::print(call),
            Program::Filter => self.filter(call, input, depth),
            Program::Encode => self.encode(call, input),
            Program::Interpreter(language) => self.interpret(call, language, input),
            Program::Eval => {
                let mut value = Flow::text("");
                for argument in &call.arguments {
                    value = value.then(&argument.flow);
                }
                self.execute(&value, Language::Shell, call, &call.range);
                Flow::default()
            }
            Program::Source => {
                for file in call.operands().take(1) {
                    let content = self.content(file);
                    self.execute(&content, Language::Shell, call, &call.range);
                }
                Flow::default()
            }
            Program::Environment => {
                let prints =
                    call.operands().next().is_none() && !matches!(name, "export" | "declare");
                if prints && (name != "set" || call.arguments.is_empty())
                    || (name == "export" && call.has_option(&["-p"]))
                {
                    return Flow::of(Taint::ENVIRONMENT);
                }
                if matches!(name, "export" | "declare") {
                    self.exported(call);
                }
                Flow::default()
            }
            Program::Machine => Flow::of(Taint::MACHINE),
            Program::Survey => Self::survey(call),
            Program::SecretStore => self.secret_store(call),
            Program::Personal => Flow::of(Taint::PERSONAL),
            Program::Connect => self.connect(call, &stdin),
            Program::Resolve => self.resolve(call, &stdin),
            Program::Transfer => self.transfer(call, &stdin),
            Program::Mail => {
                self.send(call, &stdin, &[], &call.range);
                Flow::default()
            }
            Program::Copy => self.copy(call),
            Program::Tee => {
                let targets: Vec<Argument> = call.operands().cloned().collect();
                for target in targets {
                    self.write(&target, &stdin, &call.range);
                }
                stdin
            }
            Program::Chmod => self.chmod(call),
            Program::Remove => self.remove(call),
            Program::Wipe | Program::Format => self.wipe(call),
            Program::Schedule => self.schedule(call, &stdin),
            Program::Ask => self.ask(call),
            Program::Other => self.other(call, stdin, depth),
        }
    }

    /// `read -s`: what is typed without being shown is a secret.
    fn ask(&mut self, call: &Call) -> Flow {
        if call.has_option(&["-s"])
            && let Some(name) = call.operands().last().map(|name| name.text.clone())
        {
            self.assign(&name, Flow::of(Taint::SECRET));
        }
        Flow::default()
    }

    fn exported(&mut self, call: &Call) {
        for argument in &call.arguments {
            if let Some((name, value)) = argument.text.split_once('=') {
                let mut flow = argument.flow.clone();
                flow.text = argument.flow.text.as_ref().map(|_| value.to_owned());
                self.assign(name, flow);
            }
        }
    }

    pub(super) fn add(&mut self, rule: &'static str, range: &Range<usize>, note: Option<String>) {
        self.facts.add(self.unit, rule, range, note);
    }

    /// An observation that is no finding by itself.
    pub(super) fn fact(&mut self, name: &'static str, range: &Range<usize>, note: Option<String>) {
        self.facts.add(self.unit, name, range, note);
    }
}

/// A function that pipes itself into itself.
fn is_fork_bomb(function: Option<&str>, commands: &[Command]) -> bool {
    let Some(function) = function else {
        return false;
    };
    let calls_itself = |command: &Command| {
        command
            .words
            .first()
            .and_then(Word::literal)
            .is_some_and(|name| name == function)
    };
    commands.len() > 1 && commands.iter().all(calls_itself)
}
