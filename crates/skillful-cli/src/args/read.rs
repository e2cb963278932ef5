//! What `read` takes.

use std::num::NonZeroUsize;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use skillful::activate::Framing;
use skillful::part::Range;
use skillful::refusal::Invoker;

use super::FormatArgs;

/// Read a skill as an agent is given it, or one of its files.
///
/// Directories, arguments and the session's id are put in the place of their placeholders. A skill that is not ready is
/// refused with the reason. In a pipe, the content alone is printed, as it is.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful read pdf-forms                               the instructions
  skillful read fix-issue 123 \"the login page\"          with arguments
  skillful read pdf-forms --as wrapped                  with the directory and the list of files around
  skillful read pdf-forms --file references/fields.md
  skillful read pdf-forms --file assets/logo.png > logo.png
  skillful read long-skill --lines 1-200")]
pub(crate) struct ReadArgs {
    /// The skill's id, name, directory name, or a path to it
    #[arg(value_name = "ID")]
    pub(crate) id: String,

    /// What the skill is activated with, word by word; after `--` if one begins with a dash
    #[arg(value_name = "ARGUMENT", conflicts_with = "file")]
    pub(crate) words: Vec<String>,

    /// What the skill is activated with, as one text
    #[arg(
        long = "args",
        value_name = "TEXT",
        allow_hyphen_values = true,
        conflicts_with_all = ["words", "file"]
    )]
    pub(crate) text: Option<String>,

    /// Read this file of the skill instead; its path in the skill's directory
    #[arg(long, value_name = "PATH", allow_hyphen_values = true)]
    pub(crate) file: Option<String>,

    /// What stands around the text
    #[arg(
        long = "as",
        value_enum,
        value_name = "FRAMING",
        default_value_t = FramingName::Body,
        conflicts_with = "file"
    )]
    pub(crate) framing: FramingName,

    /// Leave placeholders and inline commands as they are written
    #[arg(long, conflicts_with = "file")]
    pub(crate) raw: bool,

    /// Who asks: a model is refused what only people may bring up
    #[arg(long, value_enum, value_name = "WHO", default_value_t = InvokerName::Person)]
    pub(crate) by: InvokerName,

    /// The agent whose switches in skills.toml count
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,

    /// The conversation's id, for skills that ask for it
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    pub(crate) session: Option<String>,

    /// Run the inline commands of the skill, if it asks for that: a decision to trust it
    #[arg(long, conflicts_with_all = ["file", "raw"])]
    pub(crate) allow_inline_shell: bool,

    #[command(flatten)]
    pub(crate) part: PartArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Which part of a text is wanted.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Part")]
pub(crate) struct PartArgs {
    /// Lines from A to B, counted from 1; `A-` up to the end
    #[arg(long, value_name = "A-B", conflicts_with_all = ["offset", "limit"])]
    lines: Option<Lines>,

    /// Leave out so many characters (of a binary file, bytes) at the beginning
    #[arg(long, value_name = "N")]
    offset: Option<usize>,

    /// Most characters (of a binary file, bytes)
    #[arg(long, value_name = "N")]
    limit: Option<NonZeroUsize>,
}

impl PartArgs {
    pub(crate) fn range(self) -> Range {
        match self {
            Self {
                lines: Some(Lines { first, limit }),
                ..
            } => Range::Lines {
                first: first.get(),
                limit,
            },
            Self {
                offset: None,
                limit: None,
                ..
            } => Range::Whole,
            Self { offset, limit, .. } => Range::Characters {
                offset: offset.unwrap_or_default(),
                limit: limit.map(NonZeroUsize::get),
            },
        }
    }
}

/// `A-B`, `A-` or `A`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lines {
    first: NonZeroUsize,
    limit: Option<usize>,
}

impl FromStr for Lines {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const FORM: &str = "give lines as `A-B`, `A-` or `A`, counted from 1";
        let number = |text: &str| text.parse::<NonZeroUsize>().map_err(|_| FORM);
        let (first, last) = match text.split_once('-') {
            None => (number(text)?, Some(number(text)?)),
            Some((first, "")) => (number(first)?, None),
            Some((first, last)) => (number(first)?, Some(number(last)?)),
        };
        let count = |last: NonZeroUsize| last.get().checked_sub(first.get());
        let limit = match last.map(count) {
            None => None,
            Some(Some(more)) => Some(more.saturating_add(1)),
            Some(None) => return Err("the last line lies before the first"),
        };
        Ok(Self { first, limit })
    }
}

/// What stands around the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FramingName {
    /// The instructions alone
    Body,
    /// `<skill_content>` with the directory and the list of files, as the standard's guide has it
    Wrapped,
    /// The whole file with its frontmatter
    File,
    /// Kesoku's header with the directory
    Kesoku,
}

impl From<FramingName> for Framing {
    fn from(name: FramingName) -> Self {
        match name {
            FramingName::Body => Self::Body,
            FramingName::Wrapped => Self::Wrapped,
            FramingName::File => Self::File,
            FramingName::Kesoku => Self::Kesoku,
        }
    }
}

/// Who asks for a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum InvokerName {
    /// A person, by the skill's name
    Person,
    /// A model, of its own accord
    Model,
}

impl From<InvokerName> for Invoker {
    fn from(name: InvokerName) -> Self {
        match name {
            InvokerName::Person => Self::Person,
            InvokerName::Model => Self::Model,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Option<(usize, Option<usize>)> {
        let lines: Lines = text.parse().ok()?;
        Some((lines.first.get(), lines.limit))
    }

    #[test]
    fn lines_are_given_by_the_first_and_the_last() {
        assert_eq!(lines("3-5"), Some((3, Some(3))));
        assert_eq!(lines("3-"), Some((3, None)));
        assert_eq!(lines("3"), Some((3, Some(1))));
        for wrong in ["", "-", "-3", "0-1", "5-3", "a-b", "1-2-3"] {
            assert_eq!(lines(wrong), None, "{wrong}");
        }
    }
}
