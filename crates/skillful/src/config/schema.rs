//! Every key of `skills.toml`: what it takes, what a project may do with it, what it means.
//!
//! All that knows keys asks this table: the reader, the environment, `config set`, the documentation's test.

use skillful_guard::Preset;

use super::path::KeyPath;
use super::value::{Kind, Value};
use crate::guard::OnLoad;
use crate::mode::Mode;

/// What a project's file may do with a key. A project comes from strangers: it can take away, and never give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectRule {
    /// Whatever it wants: the key grants nothing.
    Free,
    /// Only make it tighter than it is: see [`super::tighten`].
    Tighten,
    /// Only add an entry of its own, which stays inside the project.
    Inside,
    /// Nothing.
    Never,
}

/// One row.
#[derive(Clone, Copy, Debug)]
pub struct KeySpec {
    /// The key; `*` stands for any one segment, `**` for one or more.
    pub pattern: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// What a project may do with it.
    pub project: ProjectRule,
    /// What holds when nobody says anything.
    pub default: Option<&'static Value>,
    /// Whether the lists of all layers add up, rather than the highest counting.
    pub adds_up: bool,
    /// What it means, for people.
    pub meaning: &'static str,
}

const fn key(
    pattern: &'static str,
    kind: Kind,
    project: ProjectRule,
    meaning: &'static str,
) -> KeySpec {
    KeySpec {
        pattern,
        kind,
        project,
        default: None,
        adds_up: false,
        meaning,
    }
}

impl KeySpec {
    const fn or(mut self, default: &'static Value) -> Self {
        self.default = Some(default);
        self
    }

    const fn adding_up(mut self) -> Self {
        self.adds_up = true;
        self
    }

    /// The environment variable that sets the key, such as `SKILLFUL_CATALOG_MAX_TOKENS`; keys of single skills, roots
    /// and values have none, and neither have lists of tables.
    pub fn variable(&self) -> Option<String> {
        let name = self.pattern.to_ascii_uppercase().replace(['.', '-'], "_");
        let is_text = !matches!(self.kind, Kind::Suppressions | Kind::Acceptances);
        (is_text && !name.contains('*')).then(|| format!("SKILLFUL_{name}"))
    }
}

/// The most characters of the catalog.
pub const MAX_CHARACTERS: &str = "catalog.max-characters";
/// The most tokens of the catalog.
pub const MAX_TOKENS: &str = "catalog.max-tokens";
/// The most skills of the catalog.
pub const MAX_SKILLS: &str = "catalog.max-skills";
/// What skills may be permitted to do.
pub const GRANTS: &str = "permissions.grants";
/// Whether commands in a skill's text may be run.
pub const INLINE_SHELL: &str = "permissions.inline-shell";
/// Which tools agents have.
pub const TOOLS: &str = "host.tools";
/// Which sets of tools agents have.
pub const TOOLSETS: &str = "host.toolsets";
/// Which kinds of environment this is.
pub const ENVIRONMENTS: &str = "host.environments";
/// Which package managers are preferred.
pub const PREFER: &str = "install.prefer";
/// Which sources are trusted.
pub const TRUSTED: &str = "trust.sources";
/// How strictly skills are judged.
pub const PRESET: &str = "guard.preset";
/// Which skills are scanned before they are used.
pub const ON_LOAD: &str = "guard.on-load";
/// Which findings do not count.
pub const SUPPRESS: &str = "guard.suppress";
/// Which content is accepted whatever was found in it.
pub const ACCEPT: &str = "guard.accept";
/// Which diagnostics are not reported.
pub const IGNORED: &str = "check.ignore";

use ProjectRule::{Free, Inside, Never, Tighten};

const ENABLED: &str =
    "`false` takes the skill out of use; `true` overrules an author who switched it off";
const MODE: &str = "how the skill is brought up";
const SCOPE: &str = "where the skill is offered, whatever its author says";

/// All keys, by section.
#[rustfmt::skip] // A key is a line.
pub static KEYS: &[KeySpec] = &[
    key("skills.*.enabled", Kind::Flag, Tighten, ENABLED).or(&Value::Flag(true)),
    key("skills.*.mode", Kind::Mode, Tighten, MODE).or(&Value::Mode(Mode::Auto)),
    key("skills.*.scope", Kind::Scope, Tighten, SCOPE),
    key("skills.*.agents.*.enabled", Kind::Flag, Tighten, ENABLED).or(&Value::Flag(true)),
    key("skills.*.agents.*.mode", Kind::Mode, Tighten, MODE),
    key("skills.*.agents.*.scope", Kind::Scope, Tighten, SCOPE),
    key(MAX_CHARACTERS, Kind::Count, Tighten, "most characters of the catalog that a model is shown"),
    key(MAX_TOKENS, Kind::Count, Tighten, "most tokens of the catalog"),
    key(MAX_SKILLS, Kind::Count, Tighten, "most skills in the catalog"),
    key(GRANTS, Kind::List, Tighten, "permissions that skills may ask for, such as `run_shell_command`"),
    key(INLINE_SHELL, Kind::Flag, Tighten, "whether commands in a skill's text may be run").or(&Value::Flag(false)),
    key(TOOLS, Kind::List, Tighten, "tools that the agents on this machine have"),
    key(TOOLSETS, Kind::List, Tighten, "sets of tools that the agents have"),
    key(ENVIRONMENTS, Kind::List, Tighten, "kinds of environment that this is, such as `docker`"),
    key("values.**", Kind::Any, Never, "a value of the operator's, for skills that require one"),
    key("roots.*.path", Kind::Text, Inside, "another directory to search: absolute, below `~/`, or beside the file"),
    key("roots.*.trust", Kind::Trust, Never, "how far the directory's skills are trusted"),
    key("wanted.*.source", Kind::Text, Free, "where an installed skill comes from"),
    key("wanted.*.clients", Kind::List, Free, "the clients that it is installed for; without it, those that are there"),
    key("wanted.*.copy", Kind::Flag, Free, "whether each client gets a copy, rather than a link"),
    key("wanted.*.hold", Kind::Text, Free, "why it is not to be updated"),
    key(PREFER, Kind::List, Free, "package managers to install programs with, the preferred one first"),
    key(TRUSTED, Kind::List, Tighten, "sources whose skills are trusted"),
    key(PRESET, Kind::Preset, Tighten, "how strictly skills are judged").or(&Value::Preset(Preset::Balanced)),
    key(ON_LOAD, Kind::OnLoad, Tighten, "which skills are scanned before they are used").or(&Value::OnLoad(OnLoad::ThirdParty)),
    key(SUPPRESS, Kind::Suppressions, Never, "findings that do not count: rule and digest, each with a reason").adding_up(),
    key(ACCEPT, Kind::Acceptances, Never, "content that is accepted whatever was found in it: digests, each with a reason").adding_up(),
    key(IGNORED, Kind::Codes, Free, "diagnostics that `skillful check` does not report").adding_up(),
];

/// The section that [`crate::Clients`] reads.
pub const CLIENTS: &str = "clients";

/// How a path stands to the table.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// It is a key.
    Key(&'static KeySpec),
    /// Keys lie below it.
    Section,
    /// Nothing is known of it.
    Unknown,
}

/// What the table says of a path.
pub fn place(path: &KeyPath) -> Place {
    let segments = path.segments();
    let mut place = Place::Unknown;
    for spec in KEYS {
        match compare(spec.pattern, segments) {
            Fit::Whole => return Place::Key(spec),
            Fit::Begins => place = Place::Section,
            Fit::Not => {}
        }
    }
    place
}

/// The key of this path, if it is one.
pub fn find(path: &KeyPath) -> Option<&'static KeySpec> {
    match place(path) {
        Place::Key(spec) => Some(spec),
        Place::Section | Place::Unknown => None,
    }
}

/// The names that can stand at the end of `path`, sorted; none where any can.
pub fn siblings(path: &KeyPath) -> Vec<&'static str> {
    let Some((_, above)) = path.segments().split_last() else {
        return Vec::new();
    };
    let mut names: Vec<&str> = KEYS
        .iter()
        .filter(|spec| above.is_empty() || matches!(compare(spec.pattern, above), Fit::Begins))
        .filter_map(|spec| spec.pattern.split('.').nth(above.len()))
        .filter(|name| !name.starts_with('*'))
        .chain(above.is_empty().then_some(CLIENTS))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

enum Fit {
    Whole,
    Begins,
    Not,
}

fn compare(pattern: &str, segments: &[String]) -> Fit {
    let mut given = segments.iter();
    for part in pattern.split('.') {
        match given.next() {
            None => return Fit::Begins,
            Some(_) if part == "**" => return Fit::Whole,
            Some(segment) if part != "*" && part != segment => return Fit::Not,
            Some(_) => {}
        }
    }
    if given.next().is_none() {
        Fit::Whole
    } else {
        Fit::Not
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(path: &str) -> Place {
        place(&path.parse().unwrap())
    }

    #[test]
    fn paths_find_their_row() {
        for (path, pattern) in [
            ("skills.pdf.mode", "skills.*.mode"),
            ("skills.a.agents.b.mode", "skills.*.agents.*.mode"),
            ("values.a", "values.**"),
            ("values.a.b.c", "values.**"),
            (MAX_TOKENS, MAX_TOKENS),
        ] {
            assert_eq!(find(&path.parse().unwrap()).unwrap().pattern, pattern);
        }
        for path in [
            "skills",
            "skills.a",
            "skills.a.agents.b",
            "values",
            "catalog",
        ] {
            assert!(matches!(at(path), Place::Section), "{path}");
        }
        for path in ["other", "skills.a.colour", "catalog.max", "skills.a.mode.x"] {
            assert!(matches!(at(path), Place::Unknown), "{path}");
        }
    }

    #[test]
    fn what_could_have_been_meant() {
        let names = |path: &str| siblings(&path.parse().unwrap());
        assert_eq!(
            names("skills.x.odd"),
            ["agents", "enabled", "mode", "scope"]
        );
        assert_eq!(
            names("catalog.max"),
            ["max-characters", "max-skills", "max-tokens"]
        );
        assert!(names("odd").contains(&"permissions"));
    }

    #[test]
    fn fixed_keys_have_variables() {
        let variable = |path: &str| find(&path.parse().unwrap()).unwrap().variable();
        assert_eq!(
            variable(MAX_TOKENS).as_deref(),
            Some("SKILLFUL_CATALOG_MAX_TOKENS")
        );
        assert_eq!(variable("skills.a.mode"), None);
        assert_eq!(variable("values.a"), None);
    }
}
