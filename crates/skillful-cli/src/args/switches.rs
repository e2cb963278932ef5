//! The arguments of `enable`, `disable`, `pin` and `mode`.

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};
use skillful::Mode;

use super::FormatArgs;

/// Which file is changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Layer {
    /// Your own
    #[default]
    User,
    /// The project's, which may only tighten what holds without it
    Project,
}

/// Which skill is switched, for whom, and in which file.
#[derive(Args, Debug)]
pub(crate) struct SwitchArgs {
    /// The skill's id, name, directory name, or a path to it
    #[arg(value_name = "ID")]
    pub(crate) id: String,

    /// For this agent alone
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) agent: Option<String>,

    /// The file to change
    #[arg(long = "in", value_enum, default_value_t, value_name = "LAYER")]
    pub(crate) layer: Layer,

    /// Also when no skill of this id is found
    #[arg(long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Bring a skill back into use.
///
/// Sets `enabled` to true, which overrules an author's `enabled: false`, and takes out a mode `disabled`. In a
/// project's file, which may only tighten, what disables the skill is taken out.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful enable pdf-forms
  skillful enable pdf-forms --agent codex
  skillful enable pdf-forms --in project")]
pub(crate) struct EnableArgs {
    #[command(flatten)]
    pub(crate) switch: SwitchArgs,
}

/// Take a skill out of use. It stays where it is.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful disable pdf-forms
  skillful disable pdf-forms --agent codex
  skillful disable pdf-forms --in project")]
pub(crate) struct DisableArgs {
    #[command(flatten)]
    pub(crate) switch: SwitchArgs,
}

/// Keep a skill's catalog entry whole when room is short.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful pin pdf-forms
  skillful pin pdf-forms --off")]
pub(crate) struct PinArgs {
    #[command(flatten)]
    pub(crate) switch: SwitchArgs,

    /// Undo it
    #[arg(long)]
    pub(crate) off: bool,
}

/// Say how a skill is brought up.
///
/// auto: by the model, with as much text as there is room for. pinned: as auto, and shortened last. name-only: the model
/// sees its name alone. manual-only: only by a person. required: as pinned, and a catalog without room for it is an
/// error. disabled: by nobody.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful mode pdf-forms manual-only
  skillful mode pdf-forms auto --agent codex")]
pub(crate) struct ModeArgs {
    #[command(flatten)]
    pub(crate) switch: SwitchArgs,

    /// auto, pinned, name-only, manual-only, required or disabled
    #[arg(value_name = "MODE")]
    pub(crate) mode: Mode,
}
