//! The arguments of `capture` and `learned`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::FormatArgs;
use super::author::Owner;

/// The place that is meant.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct PlaceArgs {
    /// Whose skills [default: those of the first --root, else yours]
    #[arg(long = "in", value_enum, value_name = "OWNER", conflicts_with = "root")]
    pub(crate) owner: Option<Owner>,
}

/// Store what an agent learned as a skill, or tell why it is not needed.
///
/// What a person wrote is never touched. A lesson with the title of an earlier one takes its place. One that says nearly
/// the same as another is not stored. The guard looks at it first, as at all that agents write.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful capture --title \"Reset the widget\" --body \"Hold the button for five seconds.\" --tag hardware
  skillful capture --file lesson.md                Markdown, with title, tags and check in its frontmatter
  skillful capture --file lesson.json --in project --format json")]
pub(crate) struct CaptureArgs {
    /// A file with the lesson, Markdown or JSON, or `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["title", "body", "tag", "check", "description", "request"], required_unless_present = "body")]
    pub(crate) file: Option<PathBuf>,

    /// What it is about
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) title: Option<String>,

    /// What to do, in Markdown
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) body: Option<String>,

    /// A word to find it by (repeatable)
    #[arg(long, value_name = "WORD")]
    pub(crate) tag: Vec<String>,

    /// What somebody says who should be offered it (repeatable); `skillful test` says whether they are
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) request: Vec<String>,

    /// A command that fails when the lesson is wrong; it runs only after you approved it
    #[arg(long, value_name = "COMMAND", allow_hyphen_values = true)]
    pub(crate) check: Option<String>,

    /// What it does and when to use it [default: made from title and text]
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) description: Option<String>,

    #[command(flatten)]
    pub(crate) place: PlaceArgs,

    /// The digest of a lesson that you looked at, to go on where the guard asks for a look
    #[arg(long, value_name = "DIGEST")]
    pub(crate) confirm: Option<String>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Look after what agents learned: what it is, whether it helps, and whether it still holds.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  skillful learned
  skillful learned decay --dry-run          which skills do not help
  skillful learned approve reset-the-widget
  skillful learned regrade                  run the checks that were approved"
)]
pub(crate) struct LearnedArgs {
    #[command(subcommand)]
    pub(crate) action: Option<LearnedAction>,

    #[command(flatten)]
    pub(crate) list: LearnedListArgs,
}

/// What `learned` does.
#[derive(Debug, Subcommand)]
pub(crate) enum LearnedAction {
    /// List learned skills with what was seen of them
    List(LearnedListArgs),
    /// Put away what was read five times or more and does not help
    Decay(DecayArgs),
    /// Run the checks that were approved: what passes is verified, what fails twice is put away
    Regrade(RegradeArgs),
    /// Let the check of a skill run, for its files as they are
    Approve(CheckApprovalArgs),
    /// Let it run no longer
    Withdraw(CheckApprovalArgs),
}

/// List learned skills with what was seen of them.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful learned list
  skillful learned list --in project --format json")]
pub(crate) struct LearnedListArgs {
    #[command(flatten)]
    pub(crate) place: PlaceArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Put away what was read five times or more and does not help. Nothing is deleted.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful learned decay --dry-run
  skillful learned decay")]
pub(crate) struct DecayArgs {
    /// Only tell which skills they are
    #[arg(long)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) place: PlaceArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Run the checks that were approved.
///
/// Each runs in a copy of the skill, for ten seconds at most. One that fails once and passes then changes nothing.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful learned regrade
  skillful learned regrade reset-the-widget")]
pub(crate) struct RegradeArgs {
    /// Only this skill
    #[arg(value_name = "ID")]
    pub(crate) id: Option<String>,

    #[command(flatten)]
    pub(crate) place: PlaceArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Say whether the check of a skill may run.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful learned approve reset-the-widget
  skillful learned withdraw reset-the-widget")]
pub(crate) struct CheckApprovalArgs {
    /// The skill's id
    #[arg(value_name = "ID")]
    pub(crate) id: String,

    #[command(flatten)]
    pub(crate) place: PlaceArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
