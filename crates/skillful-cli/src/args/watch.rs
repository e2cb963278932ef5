//! Arguments of `watch`.

use clap::Args;

use super::{FormatArgs, ZoneArgs};

/// Follow what happens to skills, until interrupted.
///
/// Every change on disk is told as it happens: skills that appear, change, go, turn broken or can be used again, and
/// changes of the configuration. So is every run by the clock that `skillful schedule approve` allowed, when it is due;
/// whoever reads this starts it. With `--json` each event is one line of JSON with a sequence number.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful watch
  skillful watch --json | jq -r 'select(.kind == \"broken\") | .path'
  skillful watch --poll 5            for file systems that report no changes")]
pub(crate) struct WatchArgs {
    /// The agent whose switches in skills.toml count
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,

    /// Look for changes every so many seconds, instead of being told by the system
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) poll: Option<u64>,

    #[command(flatten)]
    pub(crate) zone: ZoneArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
