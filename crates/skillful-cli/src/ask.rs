//! Questions to a person, on the terminal. Where nobody sits there, nothing is asked, and nothing is taken for a yes.

use std::io::{self, Write};

use crate::error::CommandError;
use crate::terminal::{BOLD, is_interactive, printable, warn};

/// Asks for a line; nothing where nobody is there or nothing is answered.
pub(crate) fn line(question: &str) -> Result<Option<String>, CommandError> {
    if !is_interactive() {
        return Ok(None);
    }
    let answer = answer(format_args!("{BOLD}{}{BOLD:#} ", printable(question)))?;
    Ok((!answer.is_empty()).then_some(answer))
}

/// Asks for a yes. Where nobody can be asked, `undone` says what was not done for that, and why.
pub(crate) fn agreed(question: &str, is_json: bool, undone: &str) -> Result<bool, CommandError> {
    if is_json || !is_interactive() {
        warn(&format!("{undone}; --yes says yes beforehand"));
        return Ok(false);
    }
    yes(question)
}

/// Asks a person; yes only where one is there and says so.
pub(crate) fn yes(question: &str) -> Result<bool, CommandError> {
    if !is_interactive() {
        return Ok(false);
    }
    let answer = answer(format_args!("{} [y/N] ", printable(question)))?;
    Ok(matches!(answer.to_ascii_lowercase().as_str(), "y" | "yes"))
}

fn answer(question: std::fmt::Arguments<'_>) -> Result<String, CommandError> {
    let mut terminal = anstream::stderr();
    write!(terminal, "{question}")?;
    terminal.flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer).map_err(|error| {
        CommandError::failed(format_args!("the answer could not be read: {error}"))
    })?;
    Ok(answer.trim().to_owned())
}
