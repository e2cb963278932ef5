//! PowerShell → the shell's tree. Tolerant: what is not understood is a word, and nothing is read twice.

use std::collections::HashMap;
use std::ops::Range;

use super::build::{output, text, unknown};
use super::methods;
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

struct Parser<'t> {
    text: &'t str,
    at: usize,
    steps: usize,
    /// Variables whose text is known, for commands that are called by them.
    texts: HashMap<String, String>,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn starts_with(&self, start: &str) -> bool {
        self.text
            .as_bytes()
            .get(self.at..)
            .is_some_and(|rest| rest.starts_with(start.as_bytes()))
    }

    fn slice(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    /// Takes bytes as long as they are wanted.
    fn take(&mut self, wanted: impl Fn(u8) -> bool) -> Range<usize> {
        let start = self.at;
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
        start..self.at
    }

    fn blanks(&mut self, with_breaks: bool) {
        loop {
            self.take(|byte| {
                byte == b' ' || byte == b'\t' || (with_breaks && (byte == b'\n' || byte == b'\r'))
            });
            if self.starts_with("`\n") || self.starts_with("`\r") {
                self.at += 2;
            } else if self.starts_with("<#") {
                let end = self.text.get(self.at..).and_then(|rest| rest.find("#>"));
                self.at = end.map_or(self.text.len(), |end| self.at + end + 2);
            } else if self.peek() == Some(b'#') {
                self.take(|byte| byte != b'\n');
            } else {
                return;
            }
        }
    }

    /// Statements up to a closing bracket or the end.
    fn block(&mut self, closing: Option<u8>, depth: usize) -> Vec<Statement> {
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
    fn inner(&mut self, closing: u8, depth: usize) -> Vec<Statement> {
        if depth >= SYNTAX_DEPTH {
            self.at = self.text.len();
            return Vec::new();
        }
        self.block(Some(closing), depth + 1)
    }

    fn statement(&mut self, statements: &mut Vec<Statement>, depth: usize) {
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
    fn assigned(&mut self) -> Option<String> {
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

    fn assigned_value(&mut self, depth: usize) -> Word {
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
    fn loop_head(&mut self, depth: usize) -> Option<Statement> {
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

    fn pipeline(&mut self, depth: usize) -> Vec<Command> {
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
    fn each_body(&mut self, depth: usize) -> Option<Vec<Statement>> {
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
    fn finish(
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

    /// One word of a command.
    fn argument(&mut self, depth: usize) -> Word {
        let start = self.at;
        let mut parts = Vec::new();
        while let Some(byte) = self.peek() {
            let before = self.at;
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b';' | b'|' | b')' | b'}' | b'>' | b',' => break,
                b'\'' | b'"' | b'$' | b'(' | b'{' | b'@' | b'[' => {
                    let primary = self.primary(depth);
                    parts.extend(primary);
                }
                _ => {
                    let bare = self.bare();
                    parts.push(Part::Text(bare));
                }
            }
            if self.at == before {
                self.at += 1;
            }
        }
        self.at += usize::from(self.peek() == Some(b','));
        Word {
            range: start..self.at,
            parts,
        }
    }

    /// Letters without quotes; a backtick makes the next one plain.
    fn bare(&mut self) -> String {
        let mut bare = String::new();
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b';' | b'|' | b'(' | b')' | b'{' | b'}' | b'\''
                | b'"' | b'$' | b'>' | b',' | b'&' => break,
                b'`' => self.at += 1,
                _ => {
                    let end = crate::text::ceil(self.text, self.at + 1);
                    bare.push_str(self.slice(self.at..end));
                    self.at = end;
                }
            }
        }
        bare
    }

    /// A value that is computed; in the brackets of a method a comma ends it.
    fn expression(&mut self, depth: usize, in_brackets: bool) -> Word {
        let start = self.at;
        let mut parts: Vec<Part> = Vec::new();
        loop {
            self.steps += 1;
            self.blanks(in_brackets);
            let before = self.at;
            match self.peek() {
                None | Some(b';' | b'|' | b')' | b'}' | b']') => break,
                Some(b'\n' | b'\r') if !in_brackets => break,
                Some(b',') if in_brackets => break,
                Some(b'\n' | b'\r' | b',' | b'+' | b'=') => self.at += 1,
                Some(b'>') => break,
                Some(b'-') => self.operator(&mut parts, depth),
                Some(b'*' | b'/' | b'%' | b'!' | b'<') => {
                    self.at += 1;
                    parts.push(unknown());
                }
                Some(b'\'' | b'"' | b'$' | b'(' | b'{' | b'@' | b'[') => {
                    let primary = self.primary(depth);
                    parts.extend(primary);
                }
                Some(_) => {
                    let bare = self.bare();
                    parts.push(Part::Text(bare));
                }
            }
            if self.at == before {
                self.at += 1;
            }
            if self.steps > SYNTAX_NODES {
                break;
            }
        }
        Word {
            range: start..self.at,
            parts,
        }
    }

    /// `-f`, `-join`, `-replace` and the like.
    fn operator(&mut self, parts: &mut Vec<Part>, depth: usize) {
        self.at += 1;
        let name = self.take(|byte| byte.is_ascii_alphabetic());
        let name = self.slice(name).to_ascii_lowercase();
        self.blanks(false);
        let start = self.at;
        match name.as_str() {
            "f" => {
                let values = self.values(depth);
                *parts = formatted(std::mem::take(parts), values);
            }
            "replace" | "creplace" | "ireplace" => {
                let values = self.values(depth);
                *parts = methods::replaced(std::mem::take(parts), &values);
            }
            "join" | "split" | "csplit" | "isplit" => {
                // What joins the parts is a text of a few letters, and mostly none.
                self.values(depth);
            }
            "" => {}
            _ => parts.push(unknown()),
        }
        if self.at == start && name.is_empty() {
            self.at = start;
        }
    }

    /// Values with commas between, as operators take them.
    fn values(&mut self, depth: usize) -> Vec<Word> {
        let mut values = Vec::new();
        let is_bracketed = self.peek() == Some(b'(');
        loop {
            self.blanks(false);
            match self.peek() {
                Some(b'\'' | b'"' | b'$' | b'(' | b'[' | b'@') => {
                    let start = self.at;
                    let parts = self.primary(depth);
                    values.push(Word {
                        range: start..self.at,
                        parts,
                    });
                }
                _ => return values,
            }
            self.blanks(false);
            if self.peek() != Some(b',') || is_bracketed {
                return values;
            }
            self.at += 1;
        }
    }

    /// A quoted text, variable, bracket or type, with the members behind it.
    fn primary(&mut self, depth: usize) -> Vec<Part> {
        let start = self.at;
        let parts = match self.peek() {
            Some(b'\'') => vec![Part::Text(self.single_quoted())],
            Some(b'"') => self.double_quoted(depth),
            Some(b'@') if self.starts_with("@'") || self.starts_with("@\"") => self.here_string(),
            Some(b'@') => {
                self.at += 1;
                if !matches!(self.peek(), Some(b'(' | b'{')) {
                    return vec![Part::Text("@".to_owned())];
                }
                return self.primary(depth);
            }
            Some(b'$') => {
                if self.starts_with("$(") {
                    self.at += 1;
                    return self.primary(depth);
                }
                match self.variable() {
                    Some(name) => vec![Part::Variable(name)],
                    None => {
                        self.at += 1;
                        vec![Part::Text("$".to_owned())]
                    }
                }
            }
            Some(b'(') => {
                self.at += 1;
                self.bracketed(b')', depth)
            }
            Some(b'{') => {
                self.at += 1;
                vec![Part::Output(self.inner(b'}', depth))]
            }
            Some(b'[') => return self.of_type(depth),
            _ => Vec::new(),
        };
        self.members(parts, start, depth)
    }

    /// The value of what stands in brackets: a single expression is that, everything else is what it prints.
    fn bracketed(&mut self, closing: u8, depth: usize) -> Vec<Part> {
        let mut statements = self.inner(closing, depth);
        if let [Statement::Pipeline(commands)] = statements.as_mut_slice()
            && let [only] = commands.as_mut_slice()
            && is_print(only)
            && only.redirects.is_empty()
        {
            return only.words.drain(1..).flat_map(|word| word.parts).collect();
        }
        vec![Part::Output(statements)]
    }

    fn members(&mut self, mut parts: Vec<Part>, start: usize, depth: usize) -> Vec<Part> {
        loop {
            self.steps += 1;
            if self.steps > SYNTAX_NODES {
                return parts;
            }
            if self.starts_with("::") {
                self.at += 2;
            } else if self.peek() == Some(b'.')
                && self.text.as_bytes().get(self.at + 1).is_some_and(|next| {
                    next.is_ascii_alphabetic() || matches!(next, b'\'' | b'"' | b'$' | b'(')
                })
            {
                self.at += 1;
            } else if self.peek() == Some(b'[') {
                self.at += 1;
                self.expression(depth, true);
                self.at += usize::from(self.peek() == Some(b']'));
                continue;
            } else {
                return parts;
            }
            let name = match self.peek() {
                Some(b'\'' | b'"' | b'(' | b'$') => {
                    let named = Word {
                        parts: self.name_of_member(depth),
                        ..Word::default()
                    };
                    named.literal().unwrap_or_default()
                }
                _ => {
                    let name = self.take(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                    self.slice(name).to_owned()
                }
            };
            if self.peek() == Some(b'(') {
                self.at += 1;
                let arguments = self.arguments(depth);
                parts = methods::call(
                    &name.to_ascii_lowercase(),
                    parts,
                    arguments,
                    &(start..self.at),
                );
            }
        }
    }

    /// A member's name that is a value: quoted, put together, or in a variable.
    fn name_of_member(&mut self, depth: usize) -> Vec<Part> {
        match self.peek() {
            Some(b'\'') => vec![Part::Text(self.single_quoted())],
            Some(b'"') => self.double_quoted(depth),
            Some(b'(') => {
                self.at += 1;
                self.bracketed(b')', depth)
            }
            _ => {
                let name = self.variable().unwrap_or_default();
                let known = self.texts.get(&name).cloned();
                known.map(Part::Text).into_iter().collect()
            }
        }
    }

    fn arguments(&mut self, depth: usize) -> Vec<Word> {
        let mut arguments = Vec::new();
        if depth >= SYNTAX_DEPTH {
            self.at = self.text.len();
        }
        loop {
            let before = self.at;
            let argument = self.expression(depth + 1, true);
            if !argument.parts.is_empty() {
                arguments.push(argument);
            }
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b')') => {
                    self.at += 1;
                    return arguments;
                }
                None => return arguments,
                Some(_) if self.at == before => self.at += 1,
                Some(_) => {}
            }
        }
    }

    /// `[Type]::Method(…)`, or a cast.
    fn of_type(&mut self, depth: usize) -> Vec<Part> {
        let start = self.at;
        let name = self.take(|byte| byte != b']' && byte != b'\n');
        let name = self
            .slice(name)
            .trim_start_matches('[')
            .to_ascii_lowercase();
        self.at += usize::from(self.peek() == Some(b']'));
        if self.starts_with("::") {
            return self.members(Vec::new(), start, depth);
        }
        self.blanks(false);
        if name == "char" && self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            let digits = self.take(|byte| byte.is_ascii_alphanumeric());
            let digits = self.slice(digits).to_owned();
            let code = match digits.strip_prefix("0x") {
                Some(digits) => u32::from_str_radix(digits, 16).ok(),
                None => digits.parse().ok(),
            };
            return code
                .and_then(char::from_u32)
                .map(|letter| Part::Text(letter.to_string()))
                .into_iter()
                .collect();
        }
        match self.peek() {
            Some(b'\'' | b'"' | b'$' | b'(' | b'@') => self.primary(depth),
            _ => Vec::new(),
        }
    }

    /// The name of a variable in small letters; those of the environment in capitals.
    fn variable(&mut self) -> Option<String> {
        let start = self.at;
        self.at += 1;
        let braced = self.peek() == Some(b'{');
        self.at += usize::from(braced);
        let range = if braced {
            self.take(|byte| byte != b'}' && byte != b'\n')
        } else {
            self.take(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'?'))
        };
        let name = self.slice(range).trim_end_matches(':').to_ascii_lowercase();
        self.at += usize::from(braced && self.peek() == Some(b'}'));
        if name.is_empty() {
            self.at = start;
            return None;
        }
        Some(match name.strip_prefix("env:") {
            Some("computername" | "userdomain") => "HOSTNAME".to_owned(),
            Some("username") => "USER".to_owned(),
            Some(name) => name.to_ascii_uppercase(),
            None => name.rsplit(':').next().unwrap_or_default().to_owned(),
        })
    }

    fn single_quoted(&mut self) -> String {
        let mut inside = String::new();
        self.at += 1;
        loop {
            let range = self.take(|byte| byte != b'\'');
            inside.push_str(self.slice(range));
            self.at += 1;
            if self.peek() != Some(b'\'') || self.at > self.text.len() {
                self.at = self.at.min(self.text.len());
                return inside;
            }
            self.at += 1;
            inside.push('\'');
        }
    }

    fn double_quoted(&mut self, depth: usize) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut plain = String::new();
        self.at += 1;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => {
                    self.at += 1;
                    break;
                }
                b'`' => {
                    self.at += 1;
                    let end = crate::text::ceil(self.text, self.at + 1);
                    plain.push_str(self.slice(self.at..end));
                    self.at = end;
                }
                b'$' => {
                    let found = if self.starts_with("$(") {
                        self.at += 2;
                        self.bracketed(b')', depth)
                    } else {
                        self.variable().map(Part::Variable).into_iter().collect()
                    };
                    if found.is_empty() {
                        self.at += 1;
                        plain.push('$');
                    } else {
                        parts.push(Part::Text(std::mem::take(&mut plain)));
                        parts.extend(found);
                    }
                }
                _ => {
                    let range = self.take(|byte| !matches!(byte, b'"' | b'`' | b'$'));
                    plain.push_str(self.slice(range));
                }
            }
        }
        parts.push(Part::Text(plain));
        parts
    }

    fn here_string(&mut self) -> Vec<Part> {
        let end = if self.starts_with("@'") {
            "\n'@"
        } else {
            "\n\"@"
        };
        self.at += 2;
        let rest = self.slice(self.at..self.text.len());
        let length = rest.find(end).unwrap_or(rest.len());
        let inside = rest.get(..length).unwrap_or_default().to_owned();
        self.at = (self.at + length + end.len()).min(self.text.len());
        vec![Part::Text(inside)]
    }
}

/// What a command of a pipeline is.
enum Next {
    Commands(Vec<Command>),
    /// The block that is run for each value before it.
    Each(Vec<Statement>),
}

fn is_print(command: &Command) -> bool {
    command.words.first().and_then(Word::literal).as_deref() == Some("echo")
}

/// `"{1}{0}" -f 'a', 'b'`
fn formatted(parts: Vec<Part>, values: Vec<Word>) -> Vec<Part> {
    let template = Word {
        parts,
        ..Word::default()
    };
    let Some(template) = template.literal() else {
        let mut parts = template.parts;
        parts.extend(values.into_iter().flat_map(|word| word.parts));
        return parts;
    };
    let mut formatted = Vec::new();
    let mut rest = template.as_str();
    while let Some((before, behind)) = rest.split_once('{') {
        formatted.push(Part::Text(before.to_owned()));
        let (number, after) = behind.split_once('}').unwrap_or((behind, ""));
        let index = number
            .split([':', ','])
            .next()
            .unwrap_or_default()
            .parse::<usize>();
        if let Some(value) = index.ok().and_then(|index| values.get(index)) {
            formatted.extend(value.parts.iter().cloned());
        }
        rest = after;
    }
    formatted.push(Part::Text(rest.to_owned()));
    formatted
}
