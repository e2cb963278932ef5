//! The arguments of `pack`.

use std::path::PathBuf;

use clap::Args;
use skillful_manage::pack::Form;

use super::FormatArgs;

/// Pack a skill into one file: the same files give the same bytes, on every system.
///
/// Left out, and listed, is what is hidden, what tools make, and what .gitignore, .clawhubignore and .skillfulignore in
/// the skill name. A skill with errors, with links, with real keys, or that the guard calls dangerous is refused; only
/// [[guard.accept]] in your own skills.toml changes the last two.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful pack pdf-forms --output pdf-forms.skill     for clients that take uploads
  skillful pack ./pdf-forms --output pdf-forms.zip     SKILL.md at the top
  skillful pack pdf-forms --output pdf-forms.tar.gz
  skillful pack pdf-forms --output x.zip --dry-run     what would be in it")]
pub(crate) struct PackArgs {
    /// The skill's id, name, directory name, or a path to it
    #[arg(value_name = "ID")]
    pub(crate) id: String,

    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// The form of archive: zip, skill or tar.gz [default: by the file's ending]
    #[arg(long, value_name = "FORM")]
    pub(crate) format_of: Option<Form>,

    /// Replace the file if it exists
    #[arg(long)]
    pub(crate) force: bool,

    /// Write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) gate: GateArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// What may be handed to others although something speaks against it.
#[derive(Args, Clone, Debug)]
pub(crate) struct GateArgs {
    /// Take skills in which the check finds errors
    #[arg(long)]
    pub(crate) allow_invalid: bool,
}
