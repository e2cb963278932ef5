//! `skillful prompt`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use skillful::catalog::Form;

use super::FormatArgs;

/// Print the catalog of skills for a prompt.
///
/// With PATHs, exactly these skills in this order; without, every ready skill that a model may invoke, sorted by id.
///
/// Over budget, every skill keeps its name; descriptions are shortened to the words that tell skills apart. What has no
/// room even so is counted in a note. Exit code 1 means that a skill with the mode `required` has no room.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful prompt                                   all skills, as Aleph's XML
  skillful prompt --as claude-code --max-chars 8000
  skillful prompt --max-tokens 2000 --json | jq '.shortened, .omitted'
  skillful prompt --as agentskills skills/*")]
pub(crate) struct PromptArgs {
    /// Skills to print: directories or SKILL.md files
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// The form of the catalog: an agent's own, or a common one
    #[arg(
        long = "as",
        value_name = "FORM",
        default_value = "aleph",
        value_parser = PossibleValuesParser::new(Form::ALL.map(Form::as_str)).try_map(|name| name.parse::<Form>())
    )]
    pub(crate) form: Form,

    /// The agent whose switches in skills.toml count
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,

    /// Most characters, frame and note included
    #[arg(long, value_name = "N", help_heading = "Budget")]
    pub(crate) max_chars: Option<NonZeroUsize>,

    /// Most tokens, frame and note included
    #[arg(long, value_name = "N", help_heading = "Budget")]
    pub(crate) max_tokens: Option<NonZeroUsize>,

    /// Most skills
    #[arg(long, value_name = "N", help_heading = "Budget")]
    pub(crate) max_skills: Option<NonZeroUsize>,

    /// Print the path of each skill in forms that can do without as well
    #[arg(long)]
    pub(crate) locations: bool,

    /// Count tokens with the tokenizer `o200k` instead of estimating them
    #[cfg(feature = "exact-tokens")]
    #[arg(long, help_heading = "Budget")]
    pub(crate) exact_tokens: bool,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
