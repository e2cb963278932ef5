//! The arguments of `deps`.

use clap::Args;
use skillful_manage::deps::Sha256;
use skillful_manage::limits::INSTALL_TIME;
use skillmd::install::InstallKind;

use super::FormatArgs;

/// Show how the programs that a skill needs can be had, and install them.
///
/// Without --install nothing is run: the plan names each program, the exact command, and why the other ways are not
/// taken. Programs come through package managers that are there already, or as files whose SHA-256 is known. On a
/// terminal you are asked before anything is run. Exit code 1 means that something is missing and cannot be had, or
/// could not be installed.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful deps pdf-forms                         what is missing, and what would be run
  skillful deps pdf-forms --install
  skillful deps pdf-forms --install --yes         without asking, for scripts
  skillful deps pdf-forms --prefer brew
  skillful deps pdf-forms --spec install-2 --install

The managers that you prefer are set once for all:
  skillful config set install.prefer brew,uv")]
pub(crate) struct DepsArgs {
    /// The skill's id, name, directory name, or a path to it
    #[arg(value_name = "ID")]
    pub(crate) id: String,

    /// Install what is missing
    #[arg(long)]
    pub(crate) install: bool,

    /// Show what would be run, whatever else is said
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Do not ask
    #[arg(long, short)]
    pub(crate) yes: bool,

    /// Use this of the skill's install specs, whatever is missing (repeatable)
    #[arg(long, value_name = "NAME")]
    pub(crate) spec: Vec<String>,

    /// Prefer this manager (repeatable, the first ranks highest) [default: install.prefer]
    #[arg(long, value_name = "MANAGER")]
    pub(crate) prefer: Vec<InstallKind>,

    /// The SHA-256 of a download whose spec names none
    #[arg(long, value_name = "DIGEST")]
    pub(crate) sha256: Option<Sha256>,

    /// Install only if the skill's files still have this digest, as a plan showed it
    #[arg(long, value_name = "DIGEST")]
    pub(crate) digest: Option<String>,

    /// How long one step may take
    #[arg(long, value_name = "SECONDS", default_value_t = INSTALL_TIME.as_secs(), value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) timeout: u64,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
