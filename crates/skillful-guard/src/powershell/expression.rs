//! Words and expressions: what stands in brackets, behind dots, and between operators.

use super::build::unknown;
use super::methods;
use super::parse::{Parser, is_print};
use crate::limits::{SYNTAX_DEPTH, SYNTAX_NODES};
use crate::shell::tree::{Part, Statement, Word};

impl Parser<'_> {
    /// One word of a command.
    pub(super) fn argument(&mut self, depth: usize) -> Word {
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
    pub(super) fn bare(&mut self) -> String {
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
    pub(super) fn expression(&mut self, depth: usize, in_brackets: bool) -> Word {
        let start = self.at;
        let mut parts: Vec<Part> = Vec::new();
        loop {
            self.steps += 1;
            self.blanks(in_brackets);
            let before = self.at;
            match self.peek() {
                None | Some(b';' | b'|' | b')' | b'}' | b']' | b'>') => break,
                Some(b'\n' | b'\r') if !in_brackets => break,
                Some(b',') if in_brackets => break,
                Some(b'\n' | b'\r' | b',' | b'+' | b'=') => self.at += 1,
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
    pub(super) fn operator(&mut self, parts: &mut Vec<Part>, depth: usize) {
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
    pub(super) fn values(&mut self, depth: usize) -> Vec<Word> {
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
    pub(super) fn primary(&mut self, depth: usize) -> Vec<Part> {
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
                if let Some(name) = self.variable() {
                    vec![Part::Variable(name)]
                } else {
                    self.at += 1;
                    vec![Part::Text("$".to_owned())]
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
    pub(super) fn bracketed(&mut self, closing: u8, depth: usize) -> Vec<Part> {
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

    pub(super) fn members(
        &mut self,
        mut parts: Vec<Part>,
        start: usize,
        depth: usize,
    ) -> Vec<Part> {
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
            let is_value = matches!(self.peek(), Some(b'\'' | b'"' | b'(' | b'$'));
            let name = if is_value {
                let named = Word {
                    parts: self.name_of_member(depth),
                    ..Word::default()
                };
                named.literal().unwrap_or_default()
            } else {
                let name = self.take(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                self.slice(name).to_owned()
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
    pub(super) fn name_of_member(&mut self, depth: usize) -> Vec<Part> {
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

    pub(super) fn arguments(&mut self, depth: usize) -> Vec<Word> {
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
    pub(super) fn of_type(&mut self, depth: usize) -> Vec<Part> {
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
