//! What each client makes of a skill: will it load there, and what will that client ignore or read differently?
//!
//! A [`Profile`] is plain data, one row of one table, taken from the client's documentation or its sources. The checks
//! are the same for all: [`check_for`] lays a document beside a profile.

mod body;
mod check;
mod keys;
mod table;

pub use check::check_for;
pub use table::PROFILES;

use crate::document::Language;

/// The rules of one client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The stable id, as in `--for`.
    pub id: &'static str,
    /// The client's name for people.
    pub title: &'static str,
    /// The only language of frontmatter that it reads.
    pub language: Language,
    /// What a file name such as `skill.md` does.
    pub other_file_name: Response,
    /// What a byte order mark does.
    pub byte_order_mark: Response,
    /// What blank lines above the frontmatter do.
    pub blank_first: Response,
    /// What a syntax error in the frontmatter does.
    pub syntax_fault: SyntaxFault,
    /// How many bytes from the start of the file are searched for the frontmatter.
    pub frontmatter_window: Option<usize>,
    /// The largest file that is read, in bytes.
    pub file_bytes: Option<usize>,
    /// How many levels below a skills directory are searched; nothing = all, or not documented.
    pub depth: Option<usize>,
    /// What a name may look like.
    pub name_rule: NameRule,
    /// The longest name, in characters.
    pub name_chars: Option<usize>,
    /// What stands in for a missing name.
    pub missing_name: StandIn,
    /// What becomes of the name.
    pub name_use: NameUse,
    /// What a name that differs from the directory's does.
    pub other_directory: Response,
    /// Words that a name must not contain.
    pub reserved: &'static [&'static str],
    /// Keys whose text must not contain XML tags.
    pub no_tags_in: &'static [&'static str],
    /// What stands in for a missing description.
    pub missing_description: StandIn,
    /// The longest description, in characters; a longer one is refused.
    pub description_limit: Option<usize>,
    /// How many characters of the description the model is shown.
    pub description_shown: Option<usize>,
    /// What a top-level key outside the standard's six does, unless the client reads it.
    pub unknown_keys: Response,
    /// The client in the `read_by` of [`KEYS`](crate::keys::KEYS); nothing for the standard's six keys alone.
    pub keys_of: Option<&'static str>,
    /// Keys of that client which this one does not read.
    pub unread: &'static [&'static str],
    /// Whether kebab, snake and camel case of a key are one key.
    pub folds_keys: bool,
    /// How `allowed-tools` is split, where it is read.
    pub tools: ToolSyntax,
    /// Which placeholders for arguments are filled in the body.
    pub arguments: Arguments,
    /// Other variables that are filled in the body.
    pub variables: &'static [&'static str],
    /// Whether ``!`command` `` in the body can be run on loading.
    pub inline_commands: bool,
}

/// What a client does with something out of the ordinary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Response {
    /// It loads the skill all the same.
    Loads,
    /// Its documents do not say, or its documents and its sources disagree.
    Unknown,
    /// It does not load the skill.
    Skips,
}

/// What a client does with a frontmatter that is not valid YAML or TOML.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SyntaxFault {
    /// It does not load the skill.
    Skips,
    /// It falls back to reading line by line.
    Recovers,
    /// It loads the body as if there were no frontmatter.
    DropsFrontmatter,
    /// Its documents do not say.
    Unknown,
}

/// What stands in for a missing name or description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StandIn {
    /// Nothing: the skill is not loaded.
    Nothing,
    /// The directory's name.
    Directory,
    /// The first paragraph of the body.
    FirstParagraph,
    /// The empty text.
    Empty,
}

/// What a name may look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameRule {
    /// Any text.
    Any,
    /// The standard's rule with letters and digits of all scripts, as in the reference library.
    Standard,
    /// The standard's rule with `a` to `z` and `0` to `9`.
    Ascii,
    /// The standard's rule with small letters and decimal digits of all scripts (Unicode categories Ll and Nd).
    SmallLetters,
    /// A letter or digit of ASCII, then letters, digits, `.`, `_`, `-` and blanks.
    Words,
    /// Anything without `/`.
    NoSlash,
    /// Anything on one line.
    OneLine,
}

/// What becomes of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameUse {
    /// It is what the skill is called by.
    AsWritten,
    /// It is a label; the skill is called by its directory's name.
    Label,
    /// Characters that file systems refuse become `-`.
    FileSafe,
    /// It is put in lower case, and blanks become `-`.
    Hyphenated,
}

/// How a client splits `allowed-tools`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ToolSyntax {
    /// At blanks, wherever they stand.
    Blanks,
    /// At commas and blanks outside parentheses.
    CommasOrBlanks,
    /// Not documented.
    Unknown,
}

/// Which placeholders for arguments a client fills in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arguments {
    /// None.
    None,
    /// `$ARGUMENTS`.
    Whole,
    /// `$ARGUMENTS`, and `$0` for the first argument.
    FromZero,
    /// `$ARGUMENTS`, and `$1` for the first argument.
    FromOne,
}

/// No client has this id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no client is called `{id}`; {}", suggestion(.nearest))]
pub struct UnknownClient {
    /// What was asked for.
    pub id: String,
    /// Ids that may be meant, the likeliest first; at most three.
    pub nearest: Vec<&'static str>,
}

fn suggestion(nearest: &[&str]) -> String {
    if nearest.is_empty() {
        let all: Vec<_> = PROFILES.iter().map(|profile| profile.id).collect();
        return format!("there are {}", all.join(", "));
    }
    let nearest: Vec<_> = nearest.iter().map(|id| format!("`{id}`")).collect();
    format!("did you mean {}?", nearest.join(" or "))
}

/// The profile with this id. Case does not matter.
///
/// # Errors
///
/// [`UnknownClient`] with the ids that come nearest.
pub fn find(id: &str) -> Result<&'static Profile, UnknownClient> {
    PROFILES
        .iter()
        .find(|profile| profile.id.eq_ignore_ascii_case(id))
        .ok_or_else(|| UnknownClient {
            id: id.to_owned(),
            nearest: nearest(id),
        })
}

fn nearest(id: &str) -> Vec<&'static str> {
    /// How alike two ids must be, from 0 to 1.
    const ALIKE: f64 = 0.8;
    /// How many are named.
    const NEAREST: usize = 3;
    // `VS Code`, `vs-code` and `vscode` are one word.
    let letters = |text: &str| -> String {
        text.chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|letter| letter.to_ascii_lowercase())
            .collect()
    };
    let wanted = letters(id);
    let holds = |profile: &&Profile| {
        letters(profile.id).contains(&wanted) || letters(profile.title).contains(&wanted)
    };
    let holding: Vec<_> = PROFILES
        .iter()
        .filter(holds)
        .map(|profile| profile.id)
        .collect();
    if !wanted.is_empty() && !holding.is_empty() {
        return holding.into_iter().take(NEAREST).collect();
    }
    let mut ranked: Vec<_> = PROFILES
        .iter()
        .map(|profile| {
            (
                strsim::jaro_winkler(&wanted, &letters(profile.id)),
                profile.id,
            )
        })
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .collect();
    ranked.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    ranked.into_iter().map(|(_, id)| id).take(NEAREST).collect()
}

#[cfg(test)]
mod tests;
