//! The arguments of the verbs that place skills: `add`, `install`, `verify`, `remove`, `link` and `unlink`.

use clap::Args;

use super::FormatArgs;

/// Whose skills are meant.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct ReachArgs {
    /// The user's own skills, rather than the project's [default outside a repository]
    #[arg(long, short = 'g')]
    pub(crate) global: bool,
}

/// Installed skills, or all of them, and how to print what is found.
#[derive(Args, Clone, Debug)]
pub(crate) struct InstalledArgs {
    /// Ids of installed skills [default: all]
    #[arg(value_name = "ID")]
    pub(crate) ids: Vec<String>,

    #[command(flatten)]
    pub(crate) reach: ReachArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// One installed skill, and how to print what became of it.
#[derive(Args, Clone, Debug)]
pub(crate) struct OneInstalledArgs {
    /// The id of an installed skill
    #[arg(value_name = "ID")]
    pub(crate) id: String,

    #[command(flatten)]
    pub(crate) reach: ReachArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Which clients are meant.
#[derive(Args, Clone, Debug)]
pub(crate) struct ClientsArgs {
    /// The client to place it for (repeatable; `all` for every one) [default: those that are here]
    #[arg(long = "client", value_name = "ID")]
    pub(crate) clients: Vec<String>,

    /// Copy the files for every client, rather than linking to them
    #[arg(long)]
    pub(crate) copy: bool,
}

/// Whether to ask, and what to do about edits.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct ConsentArgs {
    /// Ask nothing: yes to everything but what is dangerous
    #[arg(long, short = 'y')]
    pub(crate) yes: bool,

    /// Show what would be done and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Replace what was changed since it was installed; `skillful undo` brings it back
    #[arg(long)]
    pub(crate) discard_edits: bool,
}

/// Install skills from a repository, an archive, a directory, a site or a hub.
///
/// The skills are fetched into a private place, scanned, and shown with what they could do and where they would go.
/// Nothing is placed before you say yes, and a dangerous skill not even then. What is there already and was not placed by
/// skillful is never touched. One change places everything; `skillful undo` takes it back.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful add acme/skills                           every skill of a GitHub repository
  skillful add acme/skills@pdf-forms                 one of them
  skillful add acme/skills/tools/pdf-forms#v2        by its path, at a tag
  skillful add https://gitlab.com/group/repo --global --client claude-code
  skillful add ./my-skills --skill notes --dry-run
  skillful add https://example.com/notes.zip --yes --format json")]
pub(crate) struct AddArgs {
    /// Where the skills are: OWNER/REPO[/PATH][@SKILL][#REF], a URL, a path, hub:NAME
    #[arg(value_name = "SOURCE", required = true)]
    pub(crate) sources: Vec<String>,

    /// Only the skill with this id, name or directory (repeatable; `*` for all, internal ones too)
    #[arg(long, short = 's', value_name = "NAME")]
    pub(crate) skill: Vec<String>,

    #[command(flatten)]
    pub(crate) reach: ReachArgs,

    #[command(flatten)]
    pub(crate) clients: ClientsArgs,

    #[command(flatten)]
    pub(crate) consent: ConsentArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Install what skills.toml wants, as skills.lock has it.
///
/// What the lock names is restored byte for byte, from the cache where it is there. What is wanted and not locked is
/// fetched and locked. With `--locked` the lock decides and is not written; with `--frozen` nothing is fetched either.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful install                  after cloning a project
  skillful install --locked --yes   in a workflow: what the lock says, or failure
  skillful install --frozen         without network")]
pub(crate) struct InstallArgs {
    /// Only what the lock says, and only from the cache; nothing but the skills is written
    #[arg(long, conflicts_with = "locked")]
    pub(crate) frozen: bool,

    /// Only what the lock says; fail when skills.toml says something else
    #[arg(long)]
    pub(crate) locked: bool,

    #[command(flatten)]
    pub(crate) reach: ReachArgs,

    #[command(flatten)]
    pub(crate) consent: ConsentArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Tell whether installed skills are as they were installed, file by file.
///
/// Exit code 1 means that something differs.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful verify
  skillful verify --global --format json")]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) reach: ReachArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Take installed skills away from every client.
///
/// Only what skillful placed goes. The files are kept, and `skillful undo` brings them back.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful remove pdf-forms
  skillful remove notes plans --global")]
pub(crate) struct RemoveArgs {
    /// Ids of installed skills
    #[arg(value_name = "ID", required = true)]
    pub(crate) ids: Vec<String>,

    #[command(flatten)]
    pub(crate) reach: ReachArgs,

    /// Take away what was changed since it was installed as well; `skillful undo` brings it back
    #[arg(long)]
    pub(crate) discard_edits: bool,

    /// For scripts: nothing is asked either way
    #[arg(long, short = 'y', hide = true)]
    pub(crate) yes: bool,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Make an installed skill known to one more client, without a download.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful link pdf-forms --client goose
  skillful link pdf-forms --client all --global")]
pub(crate) struct LinkArgs {
    #[command(flatten)]
    pub(crate) clients: ClientsArgs,

    #[command(flatten)]
    pub(crate) installed: OneInstalledArgs,
}

/// Take an installed skill from one client; the others keep it.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful unlink pdf-forms --client goose")]
pub(crate) struct UnlinkArgs {
    /// The client to take it from (repeatable)
    #[arg(long = "client", value_name = "ID", required = true)]
    pub(crate) clients: Vec<String>,

    #[command(flatten)]
    pub(crate) installed: OneInstalledArgs,

    /// Take it away even if it was changed since; `skillful undo` brings it back
    #[arg(long)]
    pub(crate) discard_edits: bool,
}
