//! What stands around a skill's text when it is handed over.
//!
//! A body is a stranger's, and the reader of a wrapped one must be able to see where it ends. So every tag in a body
//! that bears the name of one of the wrapper's loses its `<` to `&lt;`, in any case and with blanks or invisible
//! characters in between; all else stays. Names and paths in the wrapper are escaped whole.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::bundle::Resource;
use crate::part::{Part, Unit};

/// What stands around the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Framing {
    /// `<skill_content>` with the directory and the list of files, as the standard's guide for clients has it.
    #[default]
    Wrapped,
    /// The body alone.
    Body,
    /// The whole file; the frontmatter stays as it is written.
    File,
    /// Kesoku's header, which tells the reader to replace `SKILL_DIR` itself.
    Kesoku,
}

impl Framing {
    /// All framings, in the order in which they are explained.
    pub const ALL: [Self; 4] = [Self::Wrapped, Self::Body, Self::File, Self::Kesoku];

    /// The word used in every output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Wrapped => "wrapped",
            Self::Body => "body",
            Self::File => "file",
            Self::Kesoku => "kesoku",
        }
    }
}

/// A word that is no framing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a framing; the framings are wrapped, body, file, kesoku")]
pub struct UnknownFraming(pub String);

impl FromStr for Framing {
    type Err = UnknownFraming;

    fn from_str(text: &str) -> Result<Self, UnknownFraming> {
        Self::ALL
            .into_iter()
            .find(|framing| framing.as_str() == text)
            .ok_or_else(|| UnknownFraming(text.to_owned()))
    }
}

/// What a frame says about the skill.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'a> {
    pub(super) framing: Framing,
    pub(super) id: &'a str,
    pub(super) name: &'a str,
    pub(super) version: Option<&'a str>,
    pub(super) directory: Option<&'a Path>,
    /// Programs outside the search path.
    pub(super) programs: &'a BTreeMap<String, PathBuf>,
    pub(super) resources: &'a [Resource],
    /// Files that are not among the resources.
    pub(super) more_resources: usize,
}

impl Frame<'_> {
    /// The text with its frame. `part` says which part of the skill's text it is.
    pub(super) fn around(&self, text: String, part: &Part) -> String {
        match self.framing {
            Framing::Body | Framing::File => text,
            Framing::Wrapped => self.wrapped(&text, part),
            Framing::Kesoku => self.kesoku(&text),
        }
    }

    fn wrapped(&self, text: &str, part: &Part) -> String {
        let mut framed = format!("<skill_content name=\"{}\">\n", escaped(self.id));
        framed.push_str(&without_tags(text));
        if !text.ends_with('\n') {
            framed.push('\n');
        }
        framed.extend(next_part(part));
        if let Some(directory) = self.directory {
            framed.extend([
                "\nSkill directory: ",
                &escaped(&directory.to_string_lossy()),
                "\nRelative paths in this skill are relative to the skill directory.\n",
            ]);
        }
        framed.push_str(&self.programs());
        if !self.resources.is_empty() {
            framed.push_str("\n<skill_resources>\n");
            for resource in self.resources {
                framed.extend(["  <file>", &escaped(&resource.path), "</file>\n"]);
            }
            let more = self.more_resources;
            framed.extend((more > 0).then(|| format!("  (and {more} more)\n")));
            framed.push_str("</skill_resources>\n");
        }
        framed.push_str("</skill_content>\n");
        framed
    }

    /// Where the programs are that a shell does not find by itself.
    fn programs(&self) -> String {
        if self.programs.is_empty() {
            return String::new();
        }
        let mut text =
            "\nPrograms that are not on the search path; call them by their whole path:\n"
                .to_owned();
        for (name, file) in self.programs {
            let file = file.to_string_lossy();
            text.extend(["- ", &*escaped(name), ": ", &*escaped(&file), "\n"]);
        }
        text
    }

    /// Kesoku's header as its program prints it, but for the eight blanks that it puts before the body, which turn the
    /// first heading into code. A quote in the path is written so that a shell reads it.
    fn kesoku(&self, text: &str) -> String {
        let version = self.version.unwrap_or("1.0.0");
        let mut framed = format!("\n# Skill: {} (v{version})\n", self.name);
        if let Some(directory) = self.directory {
            let directory = directory.to_string_lossy().replace('\'', r"'\''");
            framed.push_str(
                "> [!IMPORTANT] You must replace the SKILL_DIR or explicitly set it as an env variable\n\
                 > mentioned in the skill instructions with the following value:\n",
            );
            // Writing to a string cannot fail.
            let _ = writeln!(framed, "> SKILL_DIR='{directory}'\n>");
        }
        framed.push_str(text);
        framed
    }
}

/// Tells the reader of a part where the next one begins; nothing at the end.
fn next_part(part: &Part) -> Option<String> {
    let Part {
        unit, start, total, ..
    } = *part;
    let next = part.next?;
    let last = next - usize::from(unit == Unit::Lines);
    let unit = unit.as_str();
    Some(format!(
        "\n[{unit} {start} to {last} of {total}; the next part begins at {next}]\n"
    ))
}

/// Text for an attribute or an element: no markup, no line breaks.
fn escaped(text: &str) -> Cow<'_, str> {
    let is_special =
        |character: char| character.is_control() || matches!(character, '<' | '>' | '&' | '"');
    if !text.contains(is_special) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            _ if character.is_control() => {
                let _ = write!(escaped, "&#{};", u32::from(character));
            }
            _ => escaped.push(character),
        }
    }
    Cow::Owned(escaped)
}

/// The names of the wrapper's tags.
const TAGS: [&str; 2] = ["skill_content", "skill_resources"];

/// The text without tags of the wrapper's: their `<` is escaped.
fn without_tags(text: &str) -> Cow<'_, str> {
    let mut safe = String::new();
    let mut copied = 0;
    for (at, _) in text.match_indices('<') {
        if text.get(at + 1..).is_some_and(is_own_tag) {
            safe.push_str(text.get(copied..at).unwrap_or_default());
            safe.push_str("&lt;");
            copied = at + 1;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    safe.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(safe)
}

/// Whether what follows a `<` makes it the opener or closer of one of the wrapper's own, as a reader may take it that
/// passes over blanks and sees no invisible characters.
fn is_own_tag(after: &str) -> bool {
    let mut seen = after
        .chars()
        .filter(|character| !is_passed_over(*character))
        .flat_map(char::to_lowercase)
        .peekable();
    seen.next_if_eq(&'/');
    TAGS.iter()
        .any(|tag| seen.clone().take(tag.len()).eq(tag.chars()))
}

/// Blanks, control characters, and what is not shown at all: zero-width characters, joiners, marks of direction,
/// selectors of variants, tags.
fn is_passed_over(character: char) -> bool {
    character.is_whitespace()
        || character.is_control()
        || matches!(
            character,
            '\u{AD}'
                | '\u{34F}'
                | '\u{61C}'
                | '\u{180B}'..='\u{180F}'
                | '\u{200B}'..='\u{200F}'
                | '\u{202A}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{FE00}'..='\u{FE0F}'
                | '\u{FEFF}'
                | '\u{E0000}'..='\u{E0FFF}'
        )
}

#[cfg(test)]
mod tests;
