//! What is known of a value: its text, if it can be computed, and what went into it.

use std::ops::{BitOr, BitOrAssign};

/// Longest text that is computed for a value, in bytes.
const TEXT_BYTES: usize = 64 * 1024;

/// Most addresses that are remembered of a value.
const ADDRESSES: usize = 4;

/// What stands in a text for a value that is not known: a variable, to a shell.
pub(crate) const UNKNOWN: &str = "\"$_\"";

/// What went into a value, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Taint(u32);

impl Taint {
    pub(crate) const NONE: Self = Self(0);
    /// A file or store of credentials.
    pub(crate) const SECRET: Self = Self(1);
    /// The whole environment.
    pub(crate) const ENVIRONMENT: Self = Self(1 << 1);
    /// One variable of the environment that is named like a secret.
    pub(crate) const TOKEN: Self = Self(1 << 2);
    /// The machine's name, addresses or user.
    pub(crate) const MACHINE: Self = Self(1 << 3);
    /// Clipboard, screen, keys, mail, history, conversation.
    pub(crate) const PERSONAL: Self = Self(1 << 4);
    /// Came over the network.
    pub(crate) const FETCHED: Self = Self(1 << 5);
    /// Was encoded before.
    pub(crate) const DECODED: Self = Self(1 << 6);
    /// Put together from pieces in a way that hides it.
    pub(crate) const ASSEMBLED: Self = Self(1 << 7);

    /// Not the content of a file of secrets, but its path.
    pub(crate) const SECRET_PATH: Self = Self(1 << 8);
    /// The path of a file of history or messages.
    pub(crate) const PERSONAL_PATH: Self = Self(1 << 9);

    /// The path of an `.env` file, which is often the project's own.
    pub(crate) const ENV_PATH: Self = Self(1 << 10);

    /// Names of files that were found by looking around.
    pub(crate) const FOUND_PATHS: Self = Self(1 << 11);
    /// The content of such files.
    pub(crate) const FOUND_FILES: Self = Self(1 << 12);

    /// What a visitor sends to a server that the program is.
    pub(crate) const VISITOR: Self = Self(1 << 13);
    /// A key that a tool of the user gives out on demand, as clouds and forges have them.
    pub(crate) const ISSUED: Self = Self(1 << 14);
    /// The content of a file, whichever it is.
    pub(crate) const CONTENT: Self = Self(1 << 15);

    pub(crate) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Whether it is what no stranger should get.
    pub(crate) const fn is_private(self) -> bool {
        self.has(Self(
            Self::SECRET.0 | Self::ENVIRONMENT.0 | Self::PERSONAL.0,
        ))
    }
}

impl BitOr for Taint {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Taint {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// A value in a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flow {
    pub taint: Taint,
    /// Its text, if all of it is known.
    pub text: Option<String>,
    /// What is known of its text, with [`UNKNOWN`] for the rest, if some of it is known.
    pub sketch: Option<String>,
    /// Its parts, if it is a list of known texts.
    pub items: Vec<String>,
    /// The addresses that it was fetched from.
    pub addresses: Vec<String>,
}

impl Flow {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self {
            text: Some(text.into()),
            ..Self::default()
        }
    }

    pub(crate) fn of(taint: Taint) -> Self {
        Self {
            taint,
            ..Self::default()
        }
    }

    /// The known text, or nothing.
    pub(crate) fn known(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// What this and the other have together, without their texts.
    pub(crate) fn absorb(&mut self, other: &Self) {
        self.taint |= other.taint;
        for address in &other.addresses {
            if self.addresses.len() < ADDRESSES && !self.addresses.contains(address) {
                self.addresses.push(address.clone());
            }
        }
    }

    /// This value followed by the other.
    pub(crate) fn then(mut self, other: &Self) -> Self {
        self.absorb(other);
        (self.text, self.sketch) = match (self.text.take(), &other.text) {
            (Some(text), Some(more)) if text.len() + more.len() <= TEXT_BYTES => {
                (Some(text + more), None)
            }
            (text, more) => {
                let before = text.or(self.sketch.take());
                let after = more.as_ref().or(other.sketch.as_ref());
                (None, sketch(before, after))
            }
        };
        self
    }

    /// What is left of a value that became another one: what went into it.
    pub(crate) fn forget_text(&mut self) {
        self.text = None;
        self.sketch = None;
    }

    /// The known text, or what is known of it.
    pub(crate) fn outline(&self) -> Option<&str> {
        self.text.as_deref().or(self.sketch.as_deref())
    }
}

/// Two texts behind each other of which at least one is not wholly known.
fn sketch(before: Option<String>, after: Option<&String>) -> Option<String> {
    if before.is_none() && after.is_none() {
        return None;
    }
    let mut whole = before.unwrap_or_else(|| UNKNOWN.to_owned());
    whole.push_str(after.map_or(UNKNOWN, String::as_str));
    (whole.len() <= TEXT_BYTES).then_some(whole)
}
