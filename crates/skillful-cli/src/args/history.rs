//! The arguments of `history`, `undo` and `redo`.

use clap::Args;

use super::FormatArgs;
use super::author::actor;

/// Show what was changed: when, by whom, and whether it was undone. The newest comes first.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful history
  skillful history release-notes
  skillful history --actor agent --limit 10
  skillful history --format json | jq '.entries[] | select(.undone | not)'")]
pub(crate) struct HistoryArgs {
    /// Only changes of this skill
    #[arg(value_name = "ID")]
    pub(crate) id: Option<String>,

    /// Only changes by this actor: `user`, `agent`, `learner`, `server`
    #[arg(long, value_name = "NAME", value_parser = actor)]
    pub(crate) actor: Option<String>,

    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) limit: usize,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Undo a change. Nothing is lost: `redo` makes it again.
///
/// Without a number, the last change of yours that is not undone; again and again, it goes further back. What was
/// changed again since is left alone.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful undo
  skillful undo 12                  the change of this number, as `skillful history` shows it
  skillful undo --actor agent       the last change that an agent made
  skillful undo --actor any         the last change, whoever made it")]
pub(crate) struct UndoArgs {
    /// The number of the change
    #[arg(value_name = "SEQ")]
    pub(crate) seq: Option<u64>,

    /// Whose last change: `user`, `agent`, `learner`, `server`, or `any`
    #[arg(long, value_name = "NAME", default_value = "user", value_parser = actor, conflicts_with = "seq")]
    pub(crate) actor: String,

    /// All changes of this transaction, as `history --format json` gives it
    #[arg(long, value_name = "ID", conflicts_with_all = ["seq", "actor"])]
    pub(crate) transaction: Option<String>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Make a change again that was undone.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful redo
  skillful redo 13                  the undo of this number")]
pub(crate) struct RedoArgs {
    /// The number of the undo [default: the last one]
    #[arg(value_name = "SEQ")]
    pub(crate) seq: Option<u64>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
