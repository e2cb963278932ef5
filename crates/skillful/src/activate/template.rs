//! Placeholders in a body, and what takes their place: in one pass, from left to right.
//!
//! What was put in is never looked at again, so that an argument that looks like a placeholder or a command stays what
//! it is. What is no placeholder stays as it stands, to the byte.
//!
//! | in the text | becomes | client |
//! |---|---|---|
//! | `${SKILL_DIR}`, `$SKILL_DIR` and the same with a client's prefix; `{baseDir}` | the skill's directory | all; OpenClaw |
//! | `${CLAUDE_SESSION_ID}`, `${HERMES_SESSION_ID}`, … | the session's id | Claude Code, Hermes |
//! | `${NAME}` for a variable of the caller's | its value | |
//! | `$ARGUMENTS` | all arguments | Claude Code, Aleph, OpenCode |
//! | `$ARGUMENTS[N]`, `$N`, counted from 0 | one of them; what is missing stays as it stands | Claude Code |
//! | `$name`, declared in `arguments` | one of them; what is missing becomes nothing | Claude Code |
//! | a backslash before any of these | the placeholder itself, without the backslash | Claude Code |
//! | `` !`command` `` at the start of a line or after a blank; ```` ```! ```` blocks | the command's output, if it may be run | Claude Code, Aleph, Hermes |
//!
//! `$0.50` and `$1,000` are money, and stay. In a text for which no arguments were given `$1` and `\$1` are code.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::arguments::Arguments;
use crate::limits;

/// Variables that mean the skill's directory, with `$` or in `${…}`.
const DIRECTORY: [&str; 6] = [
    "SKILL_DIR",
    "CLAUDE_SKILL_DIR",
    "ALEPH_SKILL_DIR",
    "HERMES_SKILL_DIR",
    "CODEX_SKILL_DIR",
    "OPENCLAW_SKILL_DIR",
];

/// The same without a dollar, the longer one first (OpenClaw).
const BASE_DIRECTORY: [&str; 2] = ["{{baseDir}}", "{baseDir}"];

/// Variables that mean the session's id, in `${…}`.
const SESSION: [&str; 4] = [
    "SESSION_ID",
    "CLAUDE_SESSION_ID",
    "HERMES_SESSION_ID",
    "SKILL_SESSION_ID",
];

const ARGUMENTS: &str = "ARGUMENTS";

/// What is known about an activation. What is not known stays a placeholder.
#[derive(Clone, Debug)]
pub struct Values<'a> {
    /// The skill's directory.
    pub directory: Option<&'a str>,
    /// The session's id.
    pub session: Option<&'a str>,
    /// Values of other `${NAME}`s.
    pub variables: &'a BTreeMap<String, String>,
    /// The arguments.
    pub arguments: &'a Arguments,
    /// The names of the first arguments, in their order.
    pub names: &'a [String],
    /// Whether `SKILL_DIR` stays as it stands, because the reader is told its value.
    pub keep_skill_dir: bool,
}

/// A text with everything in its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendered {
    /// The text.
    pub text: String,
    /// Whether there was a place for arguments.
    pub took_arguments: bool,
}

/// The text has become too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the text with its arguments in place has more than the limit of {} bytes",
    limits::RENDERED_BYTES
)]
pub struct TooLong;

/// Something in a text that something else takes the place of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'t> {
    Directory,
    Session,
    Variable(&'t str),
    AllArguments,
    Argument(usize),
    Named(usize),
    Command(&'t str),
}

/// Puts everything in its place. `run` is asked for the output of each inline command, with its text in a form in which
/// a shell finds all arguments as its own parameters; what it gives nothing for stays as it stands.
///
/// # Errors
///
/// [`TooLong`] when more than [`limits::RENDERED_BYTES`] come out.
pub fn render(
    text: &str,
    values: &Values<'_>,
    mut run: impl FnMut(&str) -> Option<String>,
) -> Result<Rendered, TooLong> {
    let mut rendered = Rendered::default();
    let mut rest = text;
    let mut before = None;
    while let Some(at) = rest.find(['$', '{', '\\', '!', '`']) {
        let (plain, found) = rest.split_at(at);
        rendered.push(plain)?;
        before = plain.chars().next_back().or(before);
        let length = match step(found, before, values) {
            Step::Token(token, length) => {
                let written = found.get(..length).unwrap_or_default();
                rendered.put(token, written, values, &mut run)?;
                length
            }
            Step::Literal { skip, length } => {
                rendered.push(found.get(skip..length).unwrap_or_default())?;
                length
            }
        };
        let (done, after) = found.split_at_checked(length).unwrap_or((found, ""));
        before = done.chars().next_back();
        rest = after;
    }
    rendered.push(rest)?;
    Ok(rendered)
}

/// What is done with the next bytes of a text.
enum Step<'t> {
    /// As many bytes are a token.
    Token(Token<'t>, usize),
    /// The bytes from `skip` to `length` are copied.
    Literal { skip: usize, length: usize },
}

/// `text` begins with a character that may begin a token; `before` is the one before it.
fn step<'t>(text: &'t str, before: Option<char>, values: &Values<'_>) -> Step<'t> {
    if let Some(escaped) = text.strip_prefix('\\') {
        let length = match placeholder(escaped, values) {
            Some((_, length)) => length,
            // An escaped price; without arguments it is code.
            None if !values.arguments.is_empty() && is_dollar_digit(escaped) => 2,
            None => return Step::Literal { skip: 0, length: 1 },
        };
        return Step::Literal {
            skip: 1,
            length: 1 + length,
        };
    }
    let at_line_start = matches!(before, None | Some('\n'));
    let after_blank = before.is_none_or(char::is_whitespace);
    let token = match text.as_bytes().first() {
        Some(b'!') if after_blank => inline_command(text),
        Some(b'`') if at_line_start => command_block(text),
        Some(b'`') => None,
        _ => placeholder(text, values),
    };
    match token {
        Some((token, length)) => Step::Token(token, length),
        None => Step::Literal { skip: 0, length: 1 },
    }
}

fn is_dollar_digit(text: &str) -> bool {
    text.strip_prefix('$')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// The placeholder that a text begins with, and its length in bytes.
fn placeholder<'t>(text: &'t str, values: &Values<'_>) -> Option<(Token<'t>, usize)> {
    if text.starts_with('{') {
        let written = BASE_DIRECTORY
            .iter()
            .find(|base| text.starts_with(**base))?;
        return Some((Token::Directory, written.len()));
    }
    let after = text.strip_prefix('$')?;
    if let Some(inner) = after.strip_prefix('{') {
        let name = word(inner);
        inner.strip_prefix(name)?.strip_prefix('}')?;
        return Some((variable(name, values)?, "${}".len() + name.len()));
    }
    if after.starts_with(|c: char| c.is_ascii_digit()) {
        return (!values.arguments.is_empty())
            .then(|| positional(after))
            .flatten();
    }
    let name = word(after);
    let length = 1 + name.len();
    if name == ARGUMENTS {
        return Some(match index(text.get(length..)?) {
            Some((index, more)) => (Token::Argument(index), length + more),
            None => (Token::AllArguments, length),
        });
    }
    if let Some(index) = values.names.iter().position(|known| known == name) {
        return Some((Token::Named(index), length));
    }
    let token = is_directory(name, values).then_some(Token::Directory)?;
    Some((token, length))
}

fn variable<'t>(name: &'t str, values: &Values<'_>) -> Option<Token<'t>> {
    if is_directory(name, values) {
        Some(Token::Directory)
    } else if SESSION.contains(&name) {
        Some(Token::Session)
    } else {
        let known = values.variables.contains_key(name);
        known.then_some(Token::Variable(name))
    }
}

fn is_directory(name: &str, values: &Values<'_>) -> bool {
    DIRECTORY.contains(&name) && !(values.keep_skill_dir && name == "SKILL_DIR")
}

/// `$N`: digits that are not part of a word or an amount of money. `after` is what follows the dollar.
fn positional(after: &str) -> Option<(Token<'_>, usize)> {
    let number = digits(after);
    let mut following = after.strip_prefix(number)?.chars();
    match following.next() {
        Some(next) if is_word(next) => return None,
        Some('.' | ',') if following.next().is_some_and(|c| c.is_ascii_digit()) => return None,
        _ => {}
    }
    Some((Token::Argument(number.parse().ok()?), 1 + number.len()))
}

/// `[N]` at the beginning of a text, and its length.
fn index(text: &str) -> Option<(usize, usize)> {
    let inner = text.strip_prefix('[')?;
    let number = digits(inner);
    inner.strip_prefix(number)?.strip_prefix(']')?;
    Some((number.parse().ok()?, "[]".len() + number.len()))
}

/// The name that a text begins with.
fn word(text: &str) -> &str {
    start_of(text, is_word)
}

/// The digits that a text begins with.
fn digits(text: &str) -> &str {
    start_of(text, |character| character.is_ascii_digit())
}

fn start_of(text: &str, belongs: impl Fn(char) -> bool) -> &str {
    let end = text.find(|character| !belongs(character));
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// `` !`command` `` on one line.
fn inline_command(text: &str) -> Option<(Token<'_>, usize)> {
    let inner = text.strip_prefix("!`")?;
    let (command, _) = inner.split_once('`')?;
    let is_command = is_command(command) && !command.contains('\n');
    is_command.then(|| (Token::Command(command), command.len() + "!``".len()))
}

/// A fenced block whose opener is ```` ```! ````; the closer's line end is not part of it.
fn command_block(text: &str) -> Option<(Token<'_>, usize)> {
    const FENCE: &str = "```";
    let inner = text.strip_prefix("```!")?;
    let rest_of_line = start_of(inner, |character| matches!(character, ' ' | '\t' | '\r'));
    inner.strip_prefix(rest_of_line)?.strip_prefix('\n')?;
    let start = FENCE.len() + 1 + rest_of_line.len() + 1;
    let mut end = start;
    for line in text.get(start..)?.split_inclusive('\n') {
        if line.trim_end() == FENCE {
            let command = text.get(start..end)?;
            return is_command(command).then_some((Token::Command(command), end + FENCE.len()));
        }
        // Another fence, or a closer that far away, makes no command; and looking on from each of many openers would
        // take for ever.
        end += line.len();
        if line.starts_with(FENCE) || end - start > limits::INLINE_COMMAND_BYTES {
            return None;
        }
    }
    None
}

fn is_command(text: &str) -> bool {
    text.len() <= limits::INLINE_COMMAND_BYTES && !text.trim().is_empty()
}

impl Rendered {
    fn push(&mut self, text: &str) -> Result<(), TooLong> {
        if self.text.len() + text.len() > limits::RENDERED_BYTES {
            return Err(TooLong);
        }
        self.text.push_str(text);
        Ok(())
    }

    /// Puts in what takes the place of a token that is written as `written`.
    fn put(
        &mut self,
        token: Token<'_>,
        written: &str,
        values: &Values<'_>,
        run: &mut impl FnMut(&str) -> Option<String>,
    ) -> Result<(), TooLong> {
        let words = values.arguments.words();
        let value = match token {
            Token::Directory => values.directory,
            Token::Session => values.session,
            Token::Variable(name) => values.variables.get(name).map(String::as_str),
            Token::AllArguments => Some(values.arguments.text()),
            Token::Argument(index) => words.get(index).map(String::as_str),
            Token::Named(index) => Some(words.get(index).map_or("", String::as_str)),
            Token::Command(command) => return self.put_command(command, written, values, run),
        };
        self.took_arguments |= token.is_argument() && value.is_some();
        self.push(value.unwrap_or(written))
    }

    /// A command that is not run stays as it stands, its placeholders included: what looks like a command must not be
    /// completed with somebody's words.
    fn put_command(
        &mut self,
        command: &str,
        written: &str,
        values: &Values<'_>,
        run: &mut impl FnMut(&str) -> Option<String>,
    ) -> Result<(), TooLong> {
        let (script, takes_arguments) = for_shell(command, values);
        match run(&script) {
            Some(output) => {
                self.took_arguments |= takes_arguments;
                self.push(&output)
            }
            None => self.push(written),
        }
    }
}

/// A command in which every placeholder is a parameter of the shell's own: no text from outside becomes code. Gives as
/// well whether it takes arguments.
fn for_shell(command: &str, values: &Values<'_>) -> (String, bool) {
    let mut script = String::with_capacity(command.len());
    let mut takes_arguments = false;
    let mut rest = command;
    while let Some(at) = rest.find(['$', '{', '\\']) {
        let (plain, found) = rest.split_at(at);
        script.push_str(plain);
        let (token, length) = match placeholder(found, values) {
            Some((token, length)) => (Some(token), length),
            // An escape is the shell's own affair.
            None if found.starts_with('\\') => {
                (None, 1 + found.chars().nth(1).map_or(0, char::len_utf8))
            }
            None => (None, 1),
        };
        let (written, after) = found.split_at_checked(length).unwrap_or((found, ""));
        takes_arguments |= token.is_some_and(Token::is_argument);
        script.push_str(&token.map_or(Cow::Borrowed(written), |token| token.parameter(written)));
        rest = after;
    }
    script.push_str(rest);
    (script, takes_arguments)
}

impl Token<'_> {
    fn is_argument(self) -> bool {
        matches!(
            self,
            Self::AllArguments | Self::Argument(_) | Self::Named(_)
        )
    }

    /// The shell's parameter for what is written so.
    fn parameter(self, written: &str) -> Cow<'_, str> {
        match self {
            Self::Directory => Cow::Borrowed("${SKILL_DIR}"),
            Self::Session => Cow::Borrowed("${SKILL_SESSION_ID}"),
            Self::AllArguments => Cow::Borrowed("${ARGUMENTS}"),
            // The shell's own notation; it may stand in another program's text, such as awk's.
            Self::Argument(_) if is_dollar_digit(written) => Cow::Borrowed(written),
            Self::Argument(index) | Self::Named(index) => Cow::Owned(format!("${{{index}}}")),
            // They are in the environment under their names.
            Self::Variable(_) | Self::Command(_) => Cow::Borrowed(written),
        }
    }
}

#[cfg(test)]
mod tests;
