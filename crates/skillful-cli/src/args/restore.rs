//! The arguments of `restore`.

use clap::Args;

use super::FormatArgs;

/// Bring back a skill that was put away.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful restore old-deploy
  skillful status --filter archived      what there is to bring back")]
pub(crate) struct RestoreArgs {
    /// The skill's id, name, directory name, or a path to it
    #[arg(value_name = "ID")]
    pub(crate) id: String,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
