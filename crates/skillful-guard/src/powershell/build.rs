//! Pieces of the shell's tree, put together.

use std::ops::Range;

use crate::shell::tree::{Command, Part, Redirect, RedirectKind, Statement, Word};

/// A word of one text.
pub(super) fn text(text: &str, range: &Range<usize>) -> Word {
    Word {
        range: range.clone(),
        parts: vec![Part::Text(text.to_owned())],
    }
}

/// A command of a program with its words.
pub(super) fn command(
    program: &str,
    arguments: impl IntoIterator<Item = Word>,
    range: &Range<usize>,
) -> Command {
    Command {
        range: range.clone(),
        words: std::iter::once(text(program, range))
            .chain(arguments)
            .collect(),
        ..Command::default()
    }
}

/// What a pipeline prints.
pub(super) fn output(commands: Vec<Command>) -> Part {
    Part::Output(vec![Statement::Pipeline(commands)])
}

/// A command whose output goes into a file.
pub(super) fn into_file(mut command: Command, target: Word) -> Command {
    command.redirects.push(Redirect {
        kind: RedirectKind::Write,
        target,
    });
    command
}

/// A value that is not known, so that no text is computed from what is around it.
pub(super) fn unknown() -> Part {
    Part::Variable("?".to_owned())
}
