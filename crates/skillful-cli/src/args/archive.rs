//! The arguments of `archive`.

use clap::Args;
use skillful_store::Reason;

use super::FormatArgs;

/// Put a skill away: models are not shown it any more, and nothing is deleted.
///
/// `skillful restore` brings it back. To archive a skill twice is the same as once.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful archive old-deploy
  skillful archive old-deploy --reason \"replaced by release\"")]
pub(crate) struct ArchiveArgs {
    /// The skill's id, name, directory name, or a path to it
    #[arg(value_name = "ID")]
    pub(crate) id: String,

    /// Why, for whoever finds it later
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) reason: Option<Reason>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
