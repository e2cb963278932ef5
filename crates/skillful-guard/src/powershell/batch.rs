//! Batch files: lines of commands, with `%names%` and carets.

use std::collections::HashMap;
use std::ops::Range;

use super::build::{into_file, text};
use super::translate::translated;
use crate::limits::SYNTAX_NODES;
use crate::shell::tree::{Command, Part, Statement, Word};

/// Whether a text is a batch file and no PowerShell: by words that only the one has.
pub(super) fn is_batch(text: &str) -> bool {
    let head: String = text
        .chars()
        .take(4_000)
        .collect::<String>()
        .to_ascii_lowercase();
    let first = head.trim_start();
    first.starts_with("@echo")
        || first.starts_with("rem ")
        || first.starts_with("::")
        || [
            "%temp%",
            "%appdata%",
            "%userprofile%",
            "%~dp0",
            "\nset ",
            "\nsetlocal",
            "\ngoto ",
        ]
        .iter()
        .any(|word| head.contains(word))
            && !head.contains('$')
}

/// Longest command that values are put into, in bytes.
const VALUE_BYTES: usize = 64 * 1024;

/// Reads a file.
pub(super) fn read(text: &str) -> Vec<Statement> {
    let mut reader = Reader::default();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        reader.line(line.trim_end(), at);
        at += line.len();
        if reader.statements.len() > SYNTAX_NODES {
            break;
        }
    }
    reader.statements
}

#[derive(Default)]
struct Reader {
    statements: Vec<Statement>,
    /// What `set` gave, by the name in small letters.
    values: HashMap<String, String>,
}

impl Reader {
    fn line(&mut self, line: &str, at: usize) {
        let indent = line.len() - line.trim_start_matches(['@', ' ', '\t', '(']).len();
        let body = line.get(indent..).unwrap_or_default();
        let lower = body.to_ascii_lowercase();
        if lower.starts_with("rem ") || body.starts_with(':') {
            return;
        }
        // `if … command` and `for … do command`: what runs stands behind.
        let skipped = lower
            .find(" do ")
            .filter(|_| lower.starts_with("for "))
            .map_or(0, |at| at + 4);
        let body = body.get(skipped..).unwrap_or_default();
        let mut pipeline: Vec<Command> = Vec::new();
        for (piece, is_piped) in pieces(body) {
            let start = at + indent + skipped + piece.start;
            let text = body.get(piece).unwrap_or_default();
            if !is_piped {
                self.close(&mut pipeline);
            }
            self.command(text, start, &mut pipeline);
        }
        self.close(&mut pipeline);
    }

    fn close(&mut self, pipeline: &mut Vec<Command>) {
        if !pipeline.is_empty() {
            self.statements
                .push(Statement::Pipeline(std::mem::take(pipeline)));
        }
    }

    fn command(&mut self, source: &str, at: usize, pipeline: &mut Vec<Command>) {
        let plain = self.expanded(source);
        let range = at..at + source.len();
        let trimmed = plain.trim_matches(['(', ')', ' ', '\t', '@']);
        if let Some(rest) = strip_word(trimmed, "set") {
            let rest = rest.trim_start_matches("/p ").trim_matches('"');
            if let Some((name, value)) = rest.split_once('=') {
                self.values.insert(
                    name.trim().to_ascii_lowercase(),
                    value.trim_matches('"').to_owned(),
                );
            }
            return;
        }
        let (words, target) = words(trimmed, &range);
        let mut commands = translated(words, &range);
        if let Some(target) = target
            && let Some(last) = commands.pop()
        {
            commands.push(into_file(last, target));
        }
        pipeline.append(&mut commands);
    }

    /// The text with carets taken out and the values of names put in.
    fn expanded(&self, source: &str) -> String {
        let source = source
            .replace("^^", "\u{0}")
            .replace('^', "")
            .replace('\u{0}', "^");
        let mut out = String::with_capacity(source.len());
        let mut rest = source.as_str();
        while let Some(open) = rest.find('%') {
            let (before, behind) = rest.split_at(open);
            out.push_str(before);
            let inside = behind.get(1..).unwrap_or_default();
            let name = inside.find('%').and_then(|close| inside.get(..close));
            if let Some(name) = name.filter(|name| !name.is_empty() && !name.contains([' ', '"'])) {
                match self.values.get(&name.to_ascii_lowercase()) {
                    Some(value) if out.len() < VALUE_BYTES => out.push_str(value),
                    _ => out.extend(["$", name]),
                }
                rest = inside.get(name.len() + 1..).unwrap_or_default();
            } else {
                out.push('%');
                rest = inside;
            }
        }
        out + rest
    }
}

fn strip_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let head = text.get(..word.len())?;
    let rest = text.get(word.len()..)?;
    (head.eq_ignore_ascii_case(word) && rest.starts_with([' ', '\t'])).then(|| rest.trim_start())
}

/// The commands of a line, and whether each reads what the one before prints.
fn pieces(line: &str) -> Vec<(Range<usize>, bool)> {
    let bytes = line.as_bytes();
    let mut found = Vec::new();
    let (mut start, mut piped, mut quoted, mut escaped) = (0, false, false, false);
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'^' => escaped = true,
            b'"' => quoted = !quoted,
            b'&' | b'|' if !quoted => {
                if at > start {
                    found.push((start..at, piped));
                }
                let doubled = at > 0 && bytes.get(at - 1) == Some(&byte);
                piped = byte == b'|' && !doubled;
                start = at + 1;
            }
            _ => {}
        }
    }
    if start < line.len() {
        found.push((start..line.len(), piped));
    }
    found
}

/// The words of a command, and the file that it writes into.
fn words(command: &str, range: &Range<usize>) -> (Vec<Word>, Option<Word>) {
    let mut words = Vec::new();
    let mut target = None;
    let mut to_file = false;
    let mut word = String::new();
    let (mut quoted, mut open) = (false, false);
    for character in command.chars().chain([' ']) {
        match character {
            '"' => {
                quoted = !quoted;
                open = true;
            }
            '>' if !quoted => to_file = true,
            ' ' | '\t' | ',' if !quoted => {
                if open || !word.is_empty() {
                    // Each word has a place of its own, by which commands tell their words apart.
                    let start = (range.start + words.len() + 1).min(range.end);
                    let made = value(&std::mem::take(&mut word), &(start..range.end));
                    if std::mem::take(&mut to_file) {
                        target = Some(made);
                    } else {
                        words.push(made);
                    }
                }
                open = false;
            }
            other => word.push(other),
        }
    }
    (words, target)
}

/// A word; names without a value stay names.
fn value(word: &str, range: &Range<usize>) -> Word {
    let upper = word.to_ascii_uppercase();
    let machine = match upper.as_str() {
        "$COMPUTERNAME" => "HOSTNAME",
        "$USERNAME" => "USER",
        _ => return text(word, range),
    };
    Word {
        range: range.clone(),
        parts: vec![Part::Variable(machine.to_owned())],
    }
}
