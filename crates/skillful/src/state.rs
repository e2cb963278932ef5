//! The one state that every candidate ends in, and the reasons for it.

use std::borrow::Cow;

/// What may be done with a skill. Nothing that was found is without a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// It can be used.
    Ready,
    /// Something that it needs is missing.
    Ineligible,
    /// Its author or the user switched it off.
    Disabled,
    /// It was put away; it stays on disk.
    Archived,
    /// Its content was found dangerous or is not what was accepted.
    Withheld,
    /// Another skill with the same id has precedence, or the same directory was reached before.
    Shadowed,
    /// It cannot be read.
    Broken,
}

impl State {
    /// The word used in every output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Ineligible => "ineligible",
            Self::Disabled => "disabled",
            Self::Archived => "archived",
            Self::Withheld => "withheld",
            Self::Shadowed => "shadowed",
            Self::Broken => "broken",
        }
    }
}

/// One reason why a skill is not ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocker {
    /// What sort of reason, in kebab case: a diagnostic's code for a broken skill, else such as `shadowed`.
    pub kind: Cow<'static, str>,
    /// The reason for people: one sentence without a full stop.
    pub detail: String,
    /// What to do about it, as an order without a full stop.
    pub help: Option<String>,
}

impl Blocker {
    /// A reason of a kind that is known to the program.
    pub fn new(kind: &'static str, detail: impl Into<String>) -> Self {
        Self {
            kind: Cow::Borrowed(kind),
            detail: detail.into(),
            help: None,
        }
    }

    /// The same with a way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// The state of a skill, and the reasons for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// [`State::Ready`], or why not.
    pub state: State,
    /// The reasons; none when it is ready.
    pub blockers: Vec<Blocker>,
}

impl Standing {
    /// That of a skill that can be used.
    pub fn ready() -> Self {
        Self {
            state: State::Ready,
            blockers: Vec::new(),
        }
    }

    /// The state, if there are reasons for it.
    pub(crate) fn of(state: State, blockers: Vec<Blocker>) -> Option<Self> {
        (!blockers.is_empty()).then_some(Self { state, blockers })
    }
}
