//! The command line: what can be typed, and the help that explains it.
//!
//! Only types live here. The text of `--help` is the doc comment of each type, so that help, completions and what is
//! parsed cannot drift apart.

mod accept;
mod archive;
mod author;
mod config;
mod deps;
mod history;
mod install;
mod learn;
mod mcp;
mod pack;
mod prompt;
mod publish;
mod read;
mod restore;
mod scan;
mod schedule;
mod search;
mod serve;
mod status;
mod switches;
mod update;
mod watch;
mod why;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use accept::AcceptArgs;
pub(crate) use archive::ArchiveArgs;
pub(crate) use author::{
    CreateArgs, DeleteArgs, EditArgs, Owner, PatchArgs, RemoveFileArgs, RenameArgs, SubjectArgs,
    WriteArgs, WriteFileArgs,
};
pub(crate) use config::{ConfigAction, ConfigArgs, GetArgs, PathArgs, SetArgs, UnsetArgs};
pub(crate) use deps::DepsArgs;
pub(crate) use history::{HistoryArgs, RedoArgs, UndoArgs};
pub(crate) use install::{
    AddArgs, ClientsArgs, ConsentArgs, InstallArgs, LinkArgs, ReachArgs, RemoveArgs, UnlinkArgs,
    VerifyArgs,
};
pub(crate) use learn::{
    CaptureArgs, CheckApprovalArgs, DecayArgs, LearnedAction, LearnedArgs, LearnedListArgs,
    RegradeArgs,
};
pub(crate) use mcp::McpArgs;
pub(crate) use pack::{GateArgs, PackArgs};
pub(crate) use prompt::PromptArgs;
pub(crate) use publish::{LayoutArg, PublishArgs};
pub(crate) use read::ReadArgs;
pub(crate) use restore::RestoreArgs;
pub(crate) use scan::{FailOn, ScanArgs, ScanFormat};
pub(crate) use schedule::{
    ApproveArgs, ScheduleAction, ScheduleArgs, ScheduleListArgs, WithdrawArgs, ZoneArgs,
};
pub(crate) use search::{MatchArgs, SearchArgs, TestArgs};
pub(crate) use serve::{
    ServeArgs, TokenAction, TokenArgs, TokenCreateArgs, TokenListArgs, TokenRevokeArgs,
};
pub(crate) use status::StatusArgs;
pub(crate) use switches::{DisableArgs, EnableArgs, Layer, ModeArgs, PinArgs, SwitchArgs};
pub(crate) use update::{AdoptArgs, DiffArgs, HoldArgs, OutdatedArgs, UpdateArgs};
pub(crate) use watch::WatchArgs;
pub(crate) use why::WhyArgs;

/// Every Agent Skill on this machine: which you have, which are broken, hidden or shadowed, and what to do about it.
///
/// Without a command, `skillful` prints an overview of this machine and of the project around the working directory.
#[derive(Debug, Parser)]
#[command(name = "skillful", version, propagate_version = true, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// Where to look, and how to print
    #[command(flatten)]
    pub(crate) global: GlobalArgs,

    /// What to do; without one, an overview
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  skillful                                  what this machine has and what needs attention
  skillful list --state broken              what cannot be used, with the reasons
  skillful check .claude/skills             what is wrong where, as a linter tells it
  skillful check --for codex my-skill       would Codex load it, and what would it ignore?
  skillful scan ~/Downloads/my-skill        what an attacker could be doing there
  skillful fix --dry-run my-skill           the changes that would mend it
  skillful explain yaml-unquoted-colon      what a diagnostic means and how to mend it";

/// Options that every command takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct GlobalArgs {
    /// Search only this directory (repeatable; the first ranks highest)
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        help_heading = "Where to look"
    )]
    pub(crate) root: Vec<PathBuf>,

    /// The project directory [default: the repository that holds the working directory]
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        help_heading = "Where to look"
    )]
    pub(crate) project: Option<PathBuf>,

    /// The home directory below which clients' own directories are looked for
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        env = "SKILLFUL_HOME",
        help_heading = "Where to look"
    )]
    pub(crate) home: Option<PathBuf>,

    /// The configuration file [default: skills.toml of the project]
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        help_heading = "Where to look"
    )]
    pub(crate) config: Option<PathBuf>,

    /// When to use colours
    #[arg(long, global = true, value_enum, default_value_t = ColorChoice::Auto, value_name = "WHEN", help_heading = "Output")]
    pub(crate) color: ColorChoice,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless the variable `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List every skill that was found, with its state
    List(ListArgs),
    /// Show one skill: what it says, what it holds, what is wrong with it
    Show(ShowArgs),
    /// Read a skill as an agent is given it, or one of its files
    Read(ReadArgs),
    /// Show what is known of every skill: state, needs, size, use, and where it stands in its life
    Status(StatusArgs),
    /// Install skills from a repository, an archive, a directory, a site or a hub
    Add(AddArgs),
    /// Install what skills.toml wants, as skills.lock has it
    Install(InstallArgs),
    /// Tell whether installed skills are as they were installed, file by file
    Verify(VerifyArgs),
    /// Take installed skills away from every client
    Remove(RemoveArgs),
    /// Make an installed skill known to one more client
    Link(LinkArgs),
    /// Take an installed skill from one client
    Unlink(UnlinkArgs),
    /// Accept the files of a skill as you looked at them, whatever the guard found in them
    Accept(AcceptArgs),
    /// Tell which installed skills have something newer at their source
    Outdated(OutdatedArgs),
    /// Bring installed skills to the newest version of their source
    Update(UpdateArgs),
    /// Keep an installed skill at its version
    Hold(HoldArgs),
    /// Show what was changed in installed skills
    Diff(DiffArgs),
    /// Take over skills that another tool installed
    Adopt(AdoptArgs),
    /// Put a skill away: models are not shown it any more, and nothing is deleted
    Archive(ArchiveArgs),
    /// Bring back a skill that was put away
    Restore(RestoreArgs),
    /// Find skills for a request, the best first
    Search(SearchArgs),
    /// Tell which skills a message brings up by itself
    Match(MatchArgs),
    /// Tell why a skill can be used or cannot, and what to do about it
    Why(WhyArgs),
    /// Show how the programs that a skill needs can be had, and install them
    Deps(DepsArgs),
    /// Bring a skill back into use
    Enable(EnableArgs),
    /// Take a skill out of use
    Disable(DisableArgs),
    /// Keep a skill's catalog entry whole when room is short
    Pin(PinArgs),
    /// Say how a skill is brought up
    Mode(ModeArgs),
    /// Show and change the configuration
    Config(ConfigArgs),
    /// Check skills against the standard, or against a client's rules
    Check(CheckArgs),
    /// Scan skills for what attackers do
    Scan(ScanArgs),
    /// Test how skills are found
    Test(TestArgs),
    /// Rewrite the frontmatter in its canonical form
    Fmt(FmtArgs),
    /// Apply the fixes that diagnostics offer
    Fix(FixArgs),
    /// Explain a diagnostic code, or a rule of the guard
    Explain(ExplainArgs),
    /// Make a new skill
    New(NewArgs),
    /// Write a new skill, through the guard and into the history
    Create(CreateArgs),
    /// Replace a skill's SKILL.md
    Edit(EditArgs),
    /// Replace one place of a skill's text
    Patch(PatchArgs),
    /// Give a skill another name
    Rename(RenameArgs),
    /// Write a file of a skill
    WriteFile(WriteFileArgs),
    /// Remove a file of a skill
    RemoveFile(RemoveFileArgs),
    /// Delete a skill; `undo` brings it back
    Delete(DeleteArgs),
    /// Store what an agent learned as a skill
    Capture(CaptureArgs),
    /// Look after what agents learned
    Learned(LearnedArgs),
    /// Show what was changed, when and by whom
    History(HistoryArgs),
    /// Undo a change
    Undo(UndoArgs),
    /// Make a change again that was undone
    Redo(RedoArgs),
    /// Convert a frontmatter between YAML, TOML and the strict publishing form
    Convert(ConvertArgs),
    /// Pack a skill into one file
    Pack(PackArgs),
    /// Publish skills into a directory for a web server
    Publish(PublishArgs),
    /// Print the catalog of skills for a prompt
    Prompt(PromptArgs),
    /// List the runs by the clock that skills suggest, and say which may happen
    Schedule(ScheduleArgs),
    /// Serve the skills of this machine to programs and browsers, until interrupted
    Serve(ServeArgs),
    /// Make, list and revoke the tokens that `serve` asks for
    Token(TokenArgs),
    /// Follow what happens to skills, until interrupted
    Watch(WatchArgs),
    /// Serve skills to an agent over the Model Context Protocol
    Mcp(McpArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
}

/// Text for people or JSON for programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Text,
    /// One JSON object
    Json,
}

/// The `--format` that most verbs take, and its short form.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct FormatArgs {
    /// How to print the result
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    format: Format,

    /// The same as --format json
    #[arg(long, help_heading = "Output")]
    json: bool,
}

impl FormatArgs {
    pub(crate) fn is_json(self) -> bool {
        self.json || self.format == Format::Json
    }
}

/// List every skill that was found, with its state.
///
/// Nothing is left out: what cannot be used is listed with the reason. Sorted by id, then by precedence.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful list
  skillful list --state shadowed --state broken
  skillful list --client claude-code
  skillful list --format json | jq '.skills[] | select(.state == \"broken\") | .path'")]
pub(crate) struct ListArgs {
    /// Only skills in this state (repeatable)
    #[arg(long, value_name = "STATE", value_parser = ["ready", "ineligible", "disabled", "archived", "withheld", "shadowed", "broken"])]
    pub(crate) state: Vec<String>,

    /// Only skills that this client reads (repeatable)
    #[arg(long, value_name = "ID")]
    pub(crate) client: Vec<String>,

    /// Add a digest over all files of each skill to the JSON
    #[arg(long, help_heading = "Output")]
    pub(crate) digests: bool,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Show one skill: what it says, what it holds, what is wrong with it.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful show pdf-forms
  skillful show pdf-forms --format json")]
pub(crate) struct ShowArgs {
    /// The skill's id, name, directory name, or a path to it
    #[arg(value_name = "ID")]
    pub(crate) id: String,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// How `check` reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people, with the source line
    #[default]
    Text,
    /// One JSON object
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
}

/// Check skills against the standard, or against a client's rules.
///
/// A PATH is a skill's directory, a file, or a directory that is searched for skills; `-` reads one SKILL.md from
/// standard input. Exit code 1 means that an error was found.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful check                                all skills of the project
  skillful check my-skill other/SKILL.md
  skillful check --for claude-code my-skill     Claude Code's rules instead of the standard's
  skillful check --strict --format github .     in a workflow: warnings fail, too
  skillful check - < SKILL.md

Diagnostics that a project does not want are listed in its skills.toml:
  [check]
  ignore = [\"description-no-when\"]")]
pub(crate) struct CheckArgs {
    /// Skills to check [default: the project's roots, else the working directory]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Apply the rules of a client instead of the standard's alone (repeatable)
    #[arg(long = "for", value_name = "CLIENT")]
    pub(crate) clients: Vec<String>,

    /// Fail on warnings as well
    #[arg(long)]
    pub(crate) strict: bool,

    /// Leave out diagnostics with this code (repeatable)
    #[arg(long, value_name = "CODE")]
    pub(crate) ignore: Vec<String>,

    /// How to print the result
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    pub(crate) format: CheckFormat,

    /// The same as --format json
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

/// Rewrite the frontmatter in its canonical form.
///
/// Standard keys come first, metadata last; values are quoted so that every YAML reader gets the same text. Comments
/// stay. The body is not touched.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful fmt my-skill
  skillful fmt --check .            exit code 1 when something is not in canonical form
  skillful fmt --stdin < SKILL.md")]
pub(crate) struct FmtArgs {
    /// Skills to format: directories, files, or directories to search
    #[arg(value_name = "PATH", required_unless_present = "stdin")]
    pub(crate) paths: Vec<PathBuf>,

    /// Write nothing; exit code 1 when something would change
    #[arg(long)]
    pub(crate) check: bool,

    /// Read one SKILL.md from standard input and print it formatted
    #[arg(long, conflicts_with = "paths")]
    pub(crate) stdin: bool,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Apply the fixes that diagnostics offer.
///
/// Fixes touch nothing but the place of their diagnostic. What no fix can mend is left as it is and counted.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful fix --dry-run my-skill     show the changes as a diff
  skillful fix .claude/skills
  skillful fix --code yaml-unquoted-colon .")]
pub(crate) struct FixArgs {
    /// Skills to mend: directories, files, or directories to search
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,

    /// Show the changes as a diff and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Apply only fixes of this code (repeatable)
    #[arg(long, value_name = "CODE")]
    pub(crate) code: Vec<String>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Explain a diagnostic code, or a rule of the guard.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful explain name-directory-mismatch
  skillful explain pipe-to-shell              a rule that scan reports
  skillful explain                            all codes and rules, a line each")]
pub(crate) struct ExplainArgs {
    /// The code or rule, as printed by check or scan; without one, all are listed
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Make a new skill: a directory with a SKILL.md that passes the check.
///
/// The name is brought into the standard's form (`PDF Forms` becomes `pdf-forms`). On a terminal, what is not given is
/// asked for.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful new pdf-forms --description \"Fills PDF forms. Use when a form is to be filled.\"
  skillful new \"Release notes\" --in .claude/skills")]
pub(crate) struct NewArgs {
    /// The skill's name
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// What the skill does and when to use it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) description: Option<String>,

    /// The directory to make the skill in [default: the first --root, else the working directory]
    #[arg(long = "in", value_name = "DIR")]
    pub(crate) parent: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// What `convert` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConvertTarget {
    /// YAML between lines of `---`
    Yaml,
    /// TOML between lines of `+++`
    Toml,
    /// The standard's six keys only; everything else moves under metadata
    Publish,
}

/// Convert a frontmatter between YAML, TOML and the strict publishing form.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful convert --to yaml greet.md              print it
  skillful convert --to publish my-skill --write   change it in place
  skillful convert --to toml my-skill --output greet.md")]
pub(crate) struct ConvertArgs {
    /// A skill's directory or file, or `-` for standard input
    #[arg(value_name = "PATH")]
    pub(crate) path: PathBuf,

    /// What to write
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) to: ConvertTarget,

    /// Write to this file, which must not exist
    #[arg(long, value_name = "FILE", conflicts_with = "write")]
    pub(crate) output: Option<PathBuf>,

    /// Change the file in place
    #[arg(long)]
    pub(crate) write: bool,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Print a completion script for a shell.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful completions bash > ~/.local/share/bash-completion/completions/skillful
  skillful completions fish > ~/.config/fish/completions/skillful.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}
