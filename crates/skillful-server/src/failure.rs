//! What goes wrong, in words for whoever asked, with the way out. Each way to ask renders it in its own form.

use skillful::LookUpError;
use skillful::activate::ActivationError;
use std::fmt;

use skillful::bundle::ReadError;
use skillful::part::RangeError;
use skillful::refusal::Refusal;
use skillful::system::UseError;

/// The kind of a failure: what the one who asked can do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// What was asked for is not there.
    NotFound,
    /// What was asked makes no sense.
    Invalid,
    /// It is there, and not handed over or not changed, because of its state, its verdict, or who asks.
    Refused,
    /// It is not as the one who asked believed: several are meant, or it changed meanwhile.
    Conflict,
    /// It is over a limit.
    TooLarge,
    /// The machine says no: a disk, a record, a network.
    Unavailable,
}

impl FailureKind {
    /// The word used in every output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotFound => "not-found",
            Self::Invalid => "invalid",
            Self::Refused => "refused",
            Self::Conflict => "conflict",
            Self::TooLarge => "too-large",
            Self::Unavailable => "unavailable",
        }
    }
}

/// Something was asked for that could not be done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// What can be done about it.
    pub kind: FailureKind,
    /// What went wrong and where: one sentence without a full stop.
    pub message: String,
    /// Ways out, the likeliest first.
    pub hints: Vec<String>,
}

impl Failure {
    /// A failure without a way out so far.
    pub fn new(kind: FailureKind, message: impl fmt::Display) -> Self {
        Self {
            kind,
            message: format!("{message}"),
            hints: Vec::new(),
        }
    }

    /// The same with one more way out.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }
}

impl From<LookUpError> for Failure {
    fn from(error: LookUpError) -> Self {
        let kind = match error {
            LookUpError::Unknown(_) => FailureKind::NotFound,
            LookUpError::Ambiguous { .. } => FailureKind::Conflict,
        };
        Self::new(kind, error)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::new(FailureKind::Refused, refusal)
    }
}

impl From<RangeError> for Failure {
    fn from(error: RangeError) -> Self {
        Self::new(FailureKind::Invalid, error)
    }
}

impl From<ActivationError> for Failure {
    fn from(error: ActivationError) -> Self {
        let kind = match error {
            ActivationError::Refused(_) => FailureKind::Refused,
            ActivationError::Unreadable { .. } => FailureKind::Unavailable,
            ActivationError::Range { .. } => FailureKind::Invalid,
            ActivationError::TooLong { .. } => FailureKind::TooLarge,
        };
        Self::new(kind, error)
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        let kind = match error {
            ReadError::Refused(_) => FailureKind::Refused,
            ReadError::Path { .. } | ReadError::Range { .. } => FailureKind::Invalid,
            ReadError::Missing { .. } | ReadError::NoFiles(_) | ReadError::NotRegular { .. } => {
                FailureKind::NotFound
            }
            ReadError::TooLarge { .. } => FailureKind::TooLarge,
            ReadError::Io { .. } => FailureKind::Unavailable,
        };
        Self::new(kind, error)
    }
}

impl From<UseError> for Failure {
    fn from(error: UseError) -> Self {
        match error {
            UseError::LookUp(error) => error.into(),
            UseError::Activation(error) => error.into(),
            UseError::Read(error) => error.into(),
        }
    }
}
