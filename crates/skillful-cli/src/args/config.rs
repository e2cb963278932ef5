//! The arguments of `config`.

use clap::{Args, Subcommand};

use super::{FormatArgs, Layer};

/// Show and change the configuration.
///
/// The layers are, each laid over the one before: what is built in, the machine's file, yours, the project's (which may
/// only tighten), and environment variables such as `SKILLFUL_CATALOG_MAX_TOKENS`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful config get
  skillful config set catalog.max-tokens 4000
  skillful config path")]
pub(crate) struct ConfigArgs {
    /// What to do
    #[command(subcommand)]
    pub(crate) action: ConfigAction,
}

/// What to do with the configuration.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigAction {
    /// Show what is set, and which file says so
    Get(GetArgs),
    /// Set a key; comments and all other keys stay
    Set(SetArgs),
    /// Take a key out
    Unset(UnsetArgs),
    /// Show where the files lie
    Path(PathArgs),
}

/// Show what is set, and which file says so.
///
/// With a KEY that is set its value alone is printed; with a section all keys in it. Exit code 1 means that the key is not
/// set.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful config get
  skillful config get catalog.max-tokens
  skillful config get skills.pdf-forms --format json")]
pub(crate) struct GetArgs {
    /// A key or a section, parts with dots in quotes [default: everything]
    #[arg(value_name = "KEY")]
    pub(crate) key: Option<String>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Set a key; comments and all other keys stay.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful config set catalog.max-tokens 4000
  skillful config set permissions.grants run_shell_command,read_file
  skillful config set skills.pdf-forms.mode manual-only --in project
  skillful config set values.browser.enabled true")]
pub(crate) struct SetArgs {
    /// The key, such as catalog.max-tokens or skills.ID.mode
    #[arg(value_name = "KEY")]
    pub(crate) key: String,

    /// The value: a word, a number, true or false, a list with commas, or TOML
    #[arg(value_name = "VALUE", allow_hyphen_values = true)]
    pub(crate) value: String,

    /// The file to change
    #[arg(long = "in", value_enum, default_value_t, value_name = "LAYER")]
    pub(crate) layer: Layer,

    /// Also when no skill of this id is found
    #[arg(long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Take a key out, or a whole section.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful config unset catalog.max-tokens
  skillful config unset skills.pdf-forms")]
pub(crate) struct UnsetArgs {
    /// The key or section
    #[arg(value_name = "KEY")]
    pub(crate) key: String,

    /// The file to change
    #[arg(long = "in", value_enum, default_value_t, value_name = "LAYER")]
    pub(crate) layer: Layer,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Show where the files lie.
#[derive(Args, Debug)]
pub(crate) struct PathArgs {
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
