//! The arguments of `accept`.

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use skillful_store::Reason;

use super::FormatArgs;

/// Accept the files of a skill as you looked at them, whatever the guard found in them.
///
/// An acceptance holds for this skill in its place with exactly these files. When any byte of any of them changes, the
/// skill is withheld until you have looked again. The digest says which files you looked at; `skillful scan`, `why` and
/// `status` print it.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful why deploy                       what was found, and the digest
  skillful accept deploy --digest sha256:… --reason \"reads our own key store, looked at with Ann\"
  skillful accept deploy --revoke")]
pub(crate) struct AcceptArgs {
    /// The skill's id, name, directory name, or a path to it
    #[arg(value_name = "ID")]
    pub(crate) id: String,

    /// The digest of the files that you looked at
    #[arg(long, value_name = "DIGEST", required_unless_present = "revoke", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) digest: Option<String>,

    /// Why they are acceptable, for whoever reads it later
    #[arg(
        long,
        value_name = "TEXT",
        required_unless_present = "revoke",
        allow_hyphen_values = true
    )]
    pub(crate) reason: Option<Reason>,

    /// Take an acceptance back
    #[arg(long, conflicts_with_all = ["digest", "reason"])]
    pub(crate) revoke: bool,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
