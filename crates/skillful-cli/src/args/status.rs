//! The arguments of `status`.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use skillful::status::Filter;

use super::FormatArgs;

/// Show what is known of every skill: state, needs, size, use, and where it stands in its life.
///
/// With IDs, all there is to say of these skills; without, a line for each. A skill that was not used for 30 days is
/// stale, unless it is pinned; the next use brings it back.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful status
  skillful status --filter needs-setup      what something is missing for
  skillful status --filter stale            what nobody used for a month
  skillful status pdf-forms                 one skill in full
  skillful status --json | jq '.skills[] | {id, lifecycle, usage}'")]
pub(crate) struct StatusArgs {
    /// Skills to show: ids, names, directory names, or paths [default: all]
    #[arg(value_name = "ID")]
    pub(crate) ids: Vec<String>,

    /// Only skills of this kind
    #[arg(long, value_name = "KIND", default_value_t = Filter::All, value_parser = filters())]
    pub(crate) filter: Filter,

    /// Add a digest over all files of each skill to the JSON
    #[arg(long, help_heading = "Output")]
    pub(crate) digests: bool,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

fn filters() -> impl TypedValueParser<Value = Filter> {
    PossibleValuesParser::new(Filter::ALL.map(Filter::as_str))
        .try_map(|word| word.parse::<Filter>())
}
