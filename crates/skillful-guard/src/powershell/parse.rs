//! PowerShell → the shell's tree. Tolerant: what is not understood is a word, and nothing is read twice.

use std::collections::HashMap;

use super::build::{output, text};
use super::translate::translated;
use crate::limits::{SYNTAX_DEPTH, SYNTAX_NODES};
use crate::shell::tree::{Command, Part, Redirect, RedirectKind, Statement, Word};

/// Words that open a block or a condition and are no commands.
const KEYWORDS: &[&str] = &[
    "if", "elseif", "else", "while", "do", "until", "try", "catch", "finally", "switch", "return",
    "begin", "process", "end", "for", "throw", "exit", "param", "filter", "function", "trap", "in",
];

/// Reads a script.
pub(super) fn read(text: &str) -> Vec<Statement> {
    let mut parser = Parser {
        text,
        at: 0,
        steps: 0,
        texts: HashMap::new(),
    };
    parser.block(None, 0)
}

pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    pub(super) steps: usize,
    /// Variables whose text is known, for commands that are called by them.
    pub(super) texts: HashMap<String, String>,
}

impl Parser<'_> {
    /// Statements up to a closing bracket or the end.
    pub(super) fn block(&mut self, closing: Option<u8>, depth: usize) -> Vec<Statement> {
        let mut statements = Vec::new();
        loop {
            self.steps += 1;
            self.blanks(true);
            let before = self.at;
            match self.peek() {
                None => return statements,
                Some(byte) if Some(byte) == closing => {
                    self.at += 1;
                    return statements;
                }
                Some(b';' | b'|' | b',' | b')' | b'}' | b']') => self.at += 1,
                Some(b'{') => {
                    self.at += 1;
                    let inner = self.inner(b'}', depth);
                    statements.push(Statement::Block(inner));
                }
                Some(_) => self.statement(&mut statements, depth),
            }
            if self.steps > SYNTAX_NODES {
                self.at = self.text.len();
            } else if self.at == before {
                self.at += 1;
            }
        }
    }

    /// What stands in brackets, unless that is too deep.
    pub(super) fn inner(&mut self, closing: u8, depth: usize) -> Vec<Statement> {
        if depth >= SYNTAX_DEPTH {
            self.at = self.text.len();
            return Vec::new();
        }
        self.block(Some(closing), depth + 1)
    }

    pub(super) fn statement(&mut self, statements: &mut Vec<Statement>, depth: usize) {
        let start = self.at;
        if self.peek() == Some(b'$')
            && let Some(name) = self.assigned()
        {
            let value = self.assigned_value(depth);
            if let Some(text) = value.literal() {
                self.texts.insert(name.clone(), text);
            }
            statements.push(Statement::Assign { name, value });
            return;
        }
        let word = self.take(|byte| byte.is_ascii_alphabetic());
        let keyword = self.slice(word).to_ascii_lowercase();
        let ends = self.peek().is_none_or(|byte| {
            !byte.is_ascii_alphanumeric() && byte != b'-' && byte != b'.' && byte != b'_'
        });
        if keyword == "foreach" && ends {
            self.blanks(true);
            if self.peek() == Some(b'(') {
                self.at += 1;
                statements.extend(self.loop_head(depth));
                return;
            }
        } else if KEYWORDS.contains(&keyword.as_str()) && ends {
            if matches!(keyword.as_str(), "function" | "filter") {
                self.blanks(false);
                self.take(|byte| !matches!(byte, b'{' | b'(' | b'\n'));
            }
            return;
        }
        self.at = start;
        let commands = self.pipeline(depth);
        if !commands.is_empty() {
            statements.push(Statement::Pipeline(commands));
        }
    }

    /// The name before a single `=`, if the statement is an assignment.
    pub(super) fn assigned(&mut self) -> Option<String> {
        let start = self.at;
        let name = self.variable();
        if self.peek() == Some(b'[') {
            self.take(|byte| byte != b']' && byte != b'\n');
            self.at += usize::from(self.peek() == Some(b']'));
        }
        self.blanks(false);
        self.at += usize::from(self.peek() == Some(b'+'));
        let is_assignment = self.peek() == Some(b'=') && !self.starts_with("==");
        if is_assignment && name.is_some() {
            self.at += 1;
            return name;
        }
        self.at = start;
        None
    }

    pub(super) fn assigned_value(&mut self, depth: usize) -> Word {
        let range = self.at..self.at;
        let commands = self.pipeline(depth);
        match commands.as_slice() {
            // An expression is printed by a command of ours; its value is that word.
            [only] if only.words.len() == 2 && is_print(only) => {
                only.words.last().cloned().unwrap_or_default()
            }
            [] => Word::default(),
            _ => Word {
                range,
                parts: vec![output(commands)],
            },
        }
    }

    /// `$name in values)`
    pub(super) fn loop_head(&mut self, depth: usize) -> Option<Statement> {
        self.blanks(true);
        let name = self.variable()?;
        self.blanks(true);
        self.take(|byte| byte.is_ascii_alphabetic());
        let range = self.at..self.at;
        let values = self.inner(b')', depth);
        Some(Statement::Each {
            name,
            words: vec![Word {
                range,
                parts: vec![Part::Output(values)],
            }],
        })
    }

    pub(super) fn pipeline(&mut self, depth: usize) -> Vec<Command> {
        let mut commands: Vec<Command> = Vec::new();
        loop {
            let start = self.at;
            let next = self.command(depth);
            match next {
                Next::Each(body) => {
                    // `… | % { … $_ … }`
                    let values = vec![Word {
                        range: start..start,
                        parts: vec![output(std::mem::take(&mut commands))],
                    }];
                    commands.push(Command {
                        range: start..self.at,
                        body: vec![
                            Statement::Each {
                                name: "_".to_owned(),
                                words: values,
                            },
                            Statement::Block(body),
                        ],
                        ..Command::default()
                    });
                }
                Next::Commands(mut more) => commands.append(&mut more),
            }
            self.blanks(false);
            if self.peek() == Some(b'|') && !self.starts_with("||") && self.steps < SYNTAX_NODES {
                self.at += 1;
                self.blanks(true);
            } else {
                if self.starts_with("||") || self.starts_with("&&") {
                    self.at += 2;
                }
                return commands;
            }
        }
    }

    fn command(&mut self, depth: usize) -> Next {
        self.blanks(false);
        let start = self.at;
        let mut is_called = false;
        while matches!(self.peek(), Some(b'&')) || self.starts_with(". ") {
            self.at += 1;
            self.blanks(false);
            is_called = true;
        }
        let is_value = matches!(
            self.peek(),
            Some(b'$' | b'\'' | b'"' | b'(' | b'[' | b'@' | b'-' | b'0'..=b'9')
        );
        if is_value && !is_called {
            let value = self.expression(depth, false);
            return Next::Commands(self.finish(
                vec![text("echo", &(start..self.at)), value],
                start,
                depth,
                false,
            ));
        }
        let mut words = Vec::new();
        if is_called {
            let mut program = self.argument(depth);
            if let [Part::Variable(name)] = program.parts.as_slice()
                && let Some(known) = self.texts.get(name)
            {
                program.parts = vec![Part::Text(known.clone())];
            }
            if let Some(folded) = program.literal() {
                program.parts = vec![Part::Text(folded)];
            }
            words.push(program);
        }
        let each = self.each_body(depth);
        match each {
            Some(body) => Next::Each(body),
            None => Next::Commands(self.finish(words, start, depth, true)),
        }
    }

    /// The block of `%` or `ForEach-Object`.
    pub(super) fn each_body(&mut self, depth: usize) -> Option<Vec<Statement>> {
        let start = self.at;
        let name = if self.peek() == Some(b'%') {
            self.at += 1;
            "%".to_owned()
        } else {
            let word = self.take(|byte| byte.is_ascii_alphabetic() || byte == b'-');
            self.slice(word).to_ascii_lowercase()
        };
        if matches!(name.as_str(), "%" | "foreach-object" | "foreach") {
            self.blanks(true);
            if self.peek() == Some(b'{') {
                self.at += 1;
                return Some(self.inner(b'}', depth));
            }
        }
        self.at = start;
        None
    }

    /// The rest of a command: arguments and redirects.
    pub(super) fn finish(
        &mut self,
        mut words: Vec<Word>,
        start: usize,
        depth: usize,
        translates: bool,
    ) -> Vec<Command> {
        let mut redirects = Vec::new();
        loop {
            self.steps += 1;
            self.blanks(false);
            let before = self.at;
            match self.peek() {
                None | Some(b'\n' | b'\r' | b';' | b'|' | b'}' | b')') => break,
                _ if self.starts_with("&&") => break,
                Some(b'&') => self.at += 1,
                Some(b'>') => {
                    self.take(|byte| byte == b'>' || byte == b'&' || byte.is_ascii_digit());
                    self.blanks(false);
                    redirects.push(Redirect {
                        kind: RedirectKind::Write,
                        target: self.argument(depth),
                    });
                }
                Some(_) => words.push(self.argument(depth)),
            }
            if self.at == before {
                self.at += 1;
            }
            if self.steps > SYNTAX_NODES {
                break;
            }
        }
        let range = start..self.at;
        let mut commands = if translates {
            translated(words, &range)
        } else {
            vec![Command {
                range,
                words,
                ..Command::default()
            }]
        };
        if let Some(last) = commands.last_mut() {
            last.redirects.append(&mut redirects);
        }
        commands
    }
}

/// What a command of a pipeline is.
enum Next {
    Commands(Vec<Command>),
    /// The block that is run for each value before it.
    Each(Vec<Statement>),
}

pub(super) fn is_print(command: &Command) -> bool {
    command.words.first().and_then(Word::literal).as_deref() == Some("echo")
}
