//! What `search`, `match` and `test` take.

use std::path::PathBuf;

use clap::Args;

use super::FormatArgs;

/// Find skills for a request, the best first.
///
/// Looks at names, descriptions, tags, headings and texts of all ready skills. Word forms, slips of the keyboard and
/// common words of the same meaning find each other; an exact id or name always comes first.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful search fill in a pdf form
  skillful search \"draw a flow chart\" --limit 3
  skillful search 天气预报 --json | jq -r '.results[].id'")]
pub(crate) struct SearchArgs {
    /// What is to be done, in any words
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    pub(crate) query: String,

    /// More words of it
    #[arg(value_name = "WORD")]
    pub(crate) more: Vec<String>,

    /// Most results
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10)]
    pub(crate) limit: usize,

    /// Say for each result which words count for it
    #[arg(long, help_heading = "Output")]
    pub(crate) explain: bool,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Tell which skills a message brings up by itself, without the model's choice.
///
/// A skill comes up when it is named, when its schedule fires, when the message begins with its command (`/NAME` or
/// `!NAME`) or contains one of its phrases, and when a file is touched that its `paths` are for.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful match \"/deploy production\"
  skillful match \"what is the weather\" --path src/main.rs
  skillful match --schedule nightly \"\"")]
pub(crate) struct MatchArgs {
    /// The message
    #[arg(value_name = "MESSAGE", allow_hyphen_values = true)]
    pub(crate) message: String,

    /// The skill that the caller names, such as a scheduler
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub(crate) skill: Option<String>,

    /// The schedule that fires
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub(crate) schedule: Option<String>,

    /// A file that is touched, relative to the project (repeatable)
    #[arg(long = "path", value_name = "PATH", allow_hyphen_values = true)]
    pub(crate) paths: Vec<String>,

    /// The agent's own limit of tool rounds; a skill can only lower it
    #[arg(long, value_name = "N")]
    pub(crate) rounds: Option<u32>,

    /// Let skills without triggers come up with every message, as Denkeeper does
    #[arg(long)]
    pub(crate) ambient: bool,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Test how skills are found: rows of a request, what must be offered for it, and what must not.
///
/// The rows lie beside a skill, in tests/retrieval.md, .tsv or .txt. Each request is answered from all skills of the
/// library and those at PATH; a skill is offered when it is among the first results of a search, or when the request
/// brings it up as a message does. Exit code 1 means that a row failed.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful test                        all rows of all skills
  skillful test my-skill
  skillful test --top 3 skills/ --format json

A row is a line of a Markdown table, or a line with | or tabs:
  | prompt            | must be offered | must not be offered |
  |-------------------|-----------------|---------------------|
  | fill in this form | pdf-forms       | spreadsheets        |")]
pub(crate) struct TestArgs {
    /// Skills whose rows are run: directories, files, or directories to search [default: all skills]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// How many of the first results count as offered
    #[arg(long, value_name = "N", default_value_t = skillful::retrieval::FIRST)]
    pub(crate) top: usize,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
