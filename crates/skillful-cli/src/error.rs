//! Why a command failed, what to do about it, and the exit code that says so.

use std::fmt::Display;
use std::io;

/// Exit code when the work failed or a check found something.
pub(crate) const FAILED: u8 = 1;
/// Exit code for wrong usage.
pub(crate) const USAGE: u8 = 2;

/// How a command that did not fail ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All is fine.
    Fine,
    /// The work was done, and what it found calls for attention.
    Found,
}

/// A failure: what went wrong, and hints for the way out.
#[derive(Debug)]
pub(crate) struct CommandError {
    pub(crate) kind: ErrorKind,
    pub(crate) message: String,
    pub(crate) hints: Vec<String>,
}

/// What kind of failure it is; it decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    /// What was typed makes no sense.
    Usage,
    /// The work could not be done.
    Failed,
    /// Whoever read the output has gone; there is nobody to tell.
    BrokenPipe,
}

impl CommandError {
    pub(crate) fn usage(message: impl Display) -> Self {
        Self::new(ErrorKind::Usage, message)
    }

    pub(crate) fn failed(message: impl Display) -> Self {
        Self::new(ErrorKind::Failed, message)
    }

    fn new(kind: ErrorKind, message: impl Display) -> Self {
        Self {
            kind,
            message: message.to_string(),
            hints: Vec::new(),
        }
    }

    /// Adds a way out.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Adds the name that may have been meant, or else another way out, if there is one.
    pub(crate) fn did_you_mean(self, near: Option<&str>, otherwise: Option<&str>) -> Self {
        match (near, otherwise) {
            (Some(near), _) => self.hint(format!("did you mean `{near}`?")),
            (None, Some(otherwise)) => self.hint(otherwise),
            (None, None) => self,
        }
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self.kind {
            ErrorKind::Usage => USAGE,
            ErrorKind::Failed => FAILED,
            ErrorKind::BrokenPipe => 0,
        }
    }
}

impl From<io::Error> for CommandError {
    /// Only writing the output fails without a path to name.
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::new(ErrorKind::BrokenPipe, error),
            _ => Self::failed(format_args!("the output could not be written: {error}")),
        }
    }
}

impl From<serde_json::Error> for CommandError {
    fn from(error: serde_json::Error) -> Self {
        Self::from(io::Error::from(error))
    }
}
