//! The arguments of `why`.

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use super::FormatArgs;

/// Tell why a skill can be used or cannot, and what to do about it.
///
/// Lists every reason, not the first alone; who said what about the skill in which file; what shadows it or is shadowed
/// by it; and who may bring it up.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful why pdf-forms
  skillful why pdf-forms --agent codex
  skillful why pdf-forms --format json | jq '.blockers[].help'")]
pub(crate) struct WhyArgs {
    /// The skill's id, name, directory name, or a path to it
    #[arg(value_name = "ID")]
    pub(crate) id: String,

    /// Answer for this agent, of which skills.toml may say something of its own
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) agent: Option<String>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
