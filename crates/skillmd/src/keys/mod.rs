//! The one table of keys: which key of which dialect feeds which field of the [`Manifest`](crate::manifest::Manifest),
//! which clients read it, and what it means.
//!
//! A new dialect key is one line in `table.rs`. The rows stand in order of precedence: where two keys state the same
//! fact, the upper row counts. So the standard's keys come first, then other top-level keys, then those in `metadata`.

pub(crate) mod find;
mod table;

pub use table::KEYS;

use crate::field::Field;

/// The keys that the Agent Skills standard defines (specification, "Frontmatter"), in its order.
pub const STANDARD: [&str; 6] = [
    "name",
    "description",
    "license",
    "compatibility",
    "metadata",
    "allowed-tools",
];

/// The names under which OpenClaw's block in `metadata` goes. The first that is present counts, the others do not.
pub const OPENCLAW_NAMES: [&str; 4] = ["openclaw", "clawdbot", "clawdis", "moltbot"];

/// One key of one dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Where it stands: names from the top level down, joined by dots as in TOML, quoted where a name has a dot itself.
    pub path: &'static str,
    /// Other spellings of its last name that are understood, beside kebab, snake and camel case of the same words.
    pub also: &'static [&'static str],
    /// What it feeds.
    pub field: Field,
    /// What its value looks like.
    pub shape: Shape,
    /// Ids of the clients that act on it. None of them: Skillful alone understands it.
    pub read_by: &'static [&'static str],
    /// Ids of the clients that only show it.
    pub shown_by: &'static [&'static str],
    /// What it means, in one line.
    pub meaning: &'static str,
}

/// What a key's value looks like. All of them take scalars as they are written: `1.0` is the text `1.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A scalar.
    Text,
    /// A scalar; a list in brackets is taken as it is written, brackets included.
    Verbatim,
    /// A scalar, one of these words.
    OneOf(&'static [&'static str]),
    /// `true`/`false`, `yes`/`no`, `on`/`off`, `1`/`0`, in any case.
    Flag,
    /// A flag that says the opposite of its field.
    InvertedFlag,
    /// A whole number from 1; 0 sets nothing.
    Count,
    /// A list, or a text separated by commas or blanks outside parentheses.
    Words,
    /// A list, or a text separated by commas outside parentheses.
    Phrases,
    /// As [`Shape::Words`], of operating systems.
    Platforms,
    /// A list of install specs, or one.
    Installs,
    /// As [`Shape::Phrases`], of triggers.
    Triggers,
    /// The name of a scope.
    Scope,
    /// A mapping with a schedule.
    Automation,
    /// A list of environment variables: names, or mappings.
    Variables,
    /// A list of files: paths, or mappings.
    Files,
    /// A list of mappings that declare settings.
    Settings,
    /// A set of keys and values.
    Mapping,
    /// Anything.
    Any,
}

impl Key {
    /// Whether the standard defines it.
    pub fn is_standard(&self) -> bool {
        STANDARD.contains(&self.path)
    }

    /// Whether it stands at the top level.
    pub fn is_top_level(&self) -> bool {
        self.names().nth(1).is_none()
    }

    /// The names from the top level down.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        find::names(self.path)
    }

    /// The name at the top level: the key itself, or the mapping that it stands in.
    pub fn top_level(&self) -> &'static str {
        self.names().next().unwrap_or_default()
    }

    /// Whether the client acts on it.
    pub fn is_read_by(&self, client: &str) -> bool {
        self.read_by.contains(&client)
    }

    /// Whether the client acts on it or shows it.
    pub fn is_known_to(&self, client: &str) -> bool {
        self.is_read_by(client) || self.shown_by.contains(&client)
    }
}

/// Ids of the clients that act on any of these rows, sorted, each once.
pub(crate) fn readers_of<'k>(rows: impl Iterator<Item = &'k Key>) -> Vec<&'static str> {
    let mut readers: Vec<_> = rows.flat_map(|row| row.read_by).copied().collect();
    readers.sort_unstable();
    readers.dedup();
    readers
}

/// The keys at or below a top-level name in its canonical spelling.
pub fn keys_under(top_level: &str) -> impl Iterator<Item = &'static Key> {
    KEYS.iter().filter(move |key| key.top_level() == top_level)
}

/// The canonical spelling of a top-level key that some dialect defines, whatever its spelling here; containers of
/// keys, such as `eligibility`, included.
pub fn known_top_level(key: &str) -> Option<&'static str> {
    find::root().child(key).map(|child| child.name)
}

#[cfg(test)]
mod tests;
