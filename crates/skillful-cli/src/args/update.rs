//! The arguments of the verbs that keep skills up to date: `outdated`, `update`, `hold`, `diff` and `adopt`.

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use super::install::{InstalledArgs, OneInstalledArgs};
use super::{ConsentArgs, FormatArgs, ReachArgs};

/// Tell which installed skills have something newer at their source.
///
/// Each repository is asked once, however many skills came from it, and nothing is changed. Exit code 1 means that there
/// is something newer, or something that needs a look.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful outdated
  skillful outdated pdf-forms --global
  skillful outdated --format json | jq '.skills[] | select(.kind == \"update\") | .id'")]
pub(crate) struct OutdatedArgs {
    #[command(flatten)]
    pub(crate) installed: InstalledArgs,
}

/// Bring installed skills to the newest version of their source.
///
/// What would change is shown line by line, with what each skill could newly do and what the scan newly found. Nothing is
/// replaced before you say yes, a dangerous version not even then, and never what you edited yourself. Skills that are
/// held are passed over. One change replaces everything; `skillful undo` takes it back.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful update --dry-run             what would change
  skillful update pdf-forms
  skillful update --prune --yes         as well: take away what is gone at its source")]
pub(crate) struct UpdateArgs {
    /// Ids of installed skills; no other is touched [default: all]
    #[arg(value_name = "ID")]
    pub(crate) ids: Vec<String>,

    /// Take away skills that their source has no more
    #[arg(long)]
    pub(crate) prune: bool,

    #[command(flatten)]
    pub(crate) reach: ReachArgs,

    #[command(flatten)]
    pub(crate) consent: ConsentArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Keep an installed skill at its version, or release it.
///
/// The reason is kept in skills.toml and shown by `outdated` and `update`, which pass the skill over.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful hold pdf-forms --reason \"3.0 drops the form filler\"
  skillful hold pdf-forms --release")]
pub(crate) struct HoldArgs {
    /// Why it is not to be updated
    #[arg(long, value_name = "TEXT", required_unless_present = "release", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) reason: Option<String>,

    /// Let it be updated again
    #[arg(long, conflicts_with = "reason")]
    pub(crate) release: bool,

    #[command(flatten)]
    pub(crate) installed: OneInstalledArgs,
}

/// Show what was changed in installed skills since they were installed.
///
/// Exit code 1 means that something differs.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful diff
  skillful diff pdf-forms > my-changes.patch")]
pub(crate) struct DiffArgs {
    #[command(flatten)]
    pub(crate) installed: InstalledArgs,
}

/// Take over skills that another tool installed, as they lie there.
///
/// Only skills.lock and skills.toml are written; no skill is moved or touched. From then on `outdated`, `update`,
/// `verify` and `remove` know them. Tools: skills (npx skills), gh, openskills, skillport, clawhub, dotagents, hermes, apm,
/// skills-oci; plugins of Claude Code are listed and stay with it.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful adopt --dry-run                     what other tools installed here
  skillful adopt --from skills --global
  skillful adopt notes --source acme/skills    a skill that no tool tells of")]
pub(crate) struct AdoptArgs {
    /// Ids or directory names of skills [default: all that a tool tells of]
    #[arg(value_name = "ID")]
    pub(crate) ids: Vec<String>,

    /// Only what this tool installed
    #[arg(long = "from", value_name = "TOOL", value_parser = ["skills", "gh", "openskills", "skillport", "clawhub", "dotagents", "hermes", "apm", "skills-oci", "claude"])]
    pub(crate) tool: Option<String>,

    /// Where the one skill that is named comes from: OWNER/REPO[@SKILL], a URL, a path
    #[arg(long, value_name = "SOURCE", requires = "ids", conflicts_with = "tool")]
    pub(crate) source: Option<String>,

    /// Show what would be adopted and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) reach: ReachArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
