//! The arguments of `publish`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::FormatArgs;
use super::pack::GateArgs;

/// What `publish` makes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayoutArg {
    /// A site that clients of Agent Skills discovery read, 0.2.0 and 0.1
    #[default]
    WellKnown,
    /// A directory for each skill
    Tree,
}

/// Publish skills into a directory that any web server can hand out.
///
/// What others published there stays. Only what Skillful wrote there is replaced, and only while it is as it was
/// written. The index that readers begin with is replaced last.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful publish pdf-forms release-notes --to public
  skillful publish ./skills/* --to public --prune
  skillful publish pdf-forms --to public --base-url https://example.org
  skillful publish pdf-forms --to ../other/skills --as tree")]
pub(crate) struct PublishArgs {
    /// The skills' ids, names, directory names, or paths to them
    #[arg(value_name = "ID", required = true)]
    pub(crate) ids: Vec<String>,

    /// The directory: the root of the site, or what the skills' directories lie in
    #[arg(long, value_name = "DIR")]
    pub(crate) to: PathBuf,

    /// What to make
    #[arg(long = "as", value_enum, value_name = "LAYOUT", default_value_t)]
    pub(crate) layout: LayoutArg,

    /// What addresses in the index begin with [default: they are relative]
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,

    /// Take away skills that were published there earlier and are not named
    #[arg(long)]
    pub(crate) prune: bool,

    #[command(flatten)]
    pub(crate) gate: GateArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
