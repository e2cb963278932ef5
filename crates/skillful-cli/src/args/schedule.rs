//! The arguments of `schedule`.

use clap::{Args, Subcommand};
use skillful::schedule::Zone;

use super::FormatArgs;

/// List the runs by the clock that skills suggest, and say which may happen.
///
/// Nothing runs by installing or reading a skill. What you approve is told as `due` by `skillful watch` and by agents
/// that embed Skillful, once each time. An approval holds for the skill with its files as they are; when any of them
/// changes, it needs a new one.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  skillful schedule
  skillful schedule approve daily-report
  skillful schedule approve daily-report \"0 8 * * 1-5\"     one of several
  skillful schedule withdraw daily-report
  skillful watch --json | jq 'select(.kind == \"due\")'"
)]
pub(crate) struct ScheduleArgs {
    #[command(subcommand)]
    pub(crate) action: Option<ScheduleAction>,

    #[command(flatten)]
    pub(crate) list: ScheduleListArgs,
}

/// What `schedule` does.
#[derive(Debug, Subcommand)]
pub(crate) enum ScheduleAction {
    /// List what skills suggest
    List(ScheduleListArgs),
    /// Let a skill run at a time that it suggests
    Approve(ApproveArgs),
    /// Take back an approval
    Withdraw(WithdrawArgs),
}

/// List what skills suggest, with what is approved and when it is due next.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful schedule list
  skillful schedule list --zone Europe/Berlin
  skillful schedule list --json | jq '.schedules[] | select(.approved) | {id, next}'")]
pub(crate) struct ScheduleListArgs {
    #[command(flatten)]
    pub(crate) zone: ZoneArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// The time zone that schedules count in.
#[derive(Args, Debug)]
pub(crate) struct ZoneArgs {
    /// The time zone of schedules that name none, such as Europe/Berlin
    #[arg(long, value_name = "ZONE", default_value_t)]
    pub(crate) zone: Zone,
}

/// Let a skill run at a time that it suggests, with its files as they are now.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful schedule approve daily-report
  skillful schedule approve daily-report \"0 8 * * 1-5\"")]
pub(crate) struct ApproveArgs {
    /// The skill's id, name, directory name, or a path to it
    #[arg(value_name = "ID")]
    pub(crate) id: String,

    /// The schedule, as the skill words it; needed only where it has several
    #[arg(value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub(crate) expression: Option<String>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Take back the approval of a schedule.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful schedule withdraw daily-report
  skillful schedule withdraw daily-report \"0 8 * * 1-5\"")]
pub(crate) struct WithdrawArgs {
    /// The skill's id, name, directory name, or a path to it
    #[arg(value_name = "ID")]
    pub(crate) id: String,

    /// The schedule, as the skill words it; needed only where several are approved
    #[arg(value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub(crate) expression: Option<String>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
