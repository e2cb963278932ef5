//! The arguments of the verbs that write and change skills: `create`, `edit`, `patch`, `rename`, `write-file`,
//! `remove-file`, `delete`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::FormatArgs;

/// Whose skill a new one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Owner {
    /// Yours, for all projects
    User,
    /// The project's
    Project,
}

/// Who writes, and what was seen and confirmed.
#[derive(Args, Debug)]
pub(crate) struct WriteArgs {
    /// Who makes the change: `user`, `agent`, or another word for the history. Only what a user writes is trusted
    #[arg(long, value_name = "NAME", default_value = "user", value_parser = actor)]
    pub(crate) actor: String,

    /// The digest of content that you looked at, to go on where the guard asks for a look
    #[arg(long, value_name = "DIGEST")]
    pub(crate) confirm: Option<String>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// A word of lower-case letters, digits and hyphens.
pub(crate) fn actor(text: &str) -> Result<String, String> {
    let is_word = (1..=32).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if is_word {
        Ok(text.to_owned())
    } else {
        Err("a name has 1 to 32 lower-case letters, digits and hyphens".to_owned())
    }
}

/// The skill that is changed.
#[derive(Args, Debug)]
pub(crate) struct SubjectArgs {
    /// The skill's id, name, directory name, or a path to it
    #[arg(value_name = "ID")]
    pub(crate) id: String,

    /// Change it only if its files have this digest, as `read` gives it
    #[arg(long, value_name = "DIGEST")]
    pub(crate) expect_digest: Option<String>,

    #[command(flatten)]
    pub(crate) write: WriteArgs,
}

/// Write a new skill: a directory with a SKILL.md that passes the check.
///
/// The name is brought into the standard's form. The skill goes into the first --root, else into your own
/// `~/.agents/skills`. What is there is never overwritten, and the guard looks before anything is written.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful create release-notes --description \"Writes release notes. Use when a version is tagged.\"
  skillful create deploy --description \"Deploys. Use when asked to deploy.\" --body-file steps.md --in project
  skillful create lint --description \"Lints. Use after changes.\" --body \"Run it.\" --actor agent --format json")]
pub(crate) struct CreateArgs {
    /// The skill's name
    #[arg(value_name = "NAME")]
    pub(crate) name: String,

    /// What the skill does and when to use it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) description: String,

    /// Its instructions, in Markdown
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) body: Option<String>,

    /// A file with its instructions, or `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "body")]
    pub(crate) body_file: Option<PathBuf>,

    /// Whose skill it is [default: the first --root, else yours]
    #[arg(long = "in", value_enum, value_name = "OWNER", conflicts_with = "root")]
    pub(crate) owner: Option<Owner>,

    #[command(flatten)]
    pub(crate) write: WriteArgs,
}

/// Replace a skill's SKILL.md, to the byte.
///
/// Its id stays, which `rename` changes, and the new text must not have faults that the old one did not have.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful edit release-notes --file new.md
  skillful edit release-notes --file - < new.md
  skillful edit release-notes --file new.md --expect-digest sha256:… --actor agent --format json")]
pub(crate) struct EditArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,

    /// The file with the new text, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) file: PathBuf,
}

/// Replace one place of a skill's text.
///
/// The text to find must be there exactly once. All other bytes stay.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful patch release-notes --find \"three lines\" --replace \"one line\"
  skillful patch release-notes --find \" (draft)\"                         take it out
  skillful patch release-notes --file references/style.md --find we --replace you")]
pub(crate) struct PatchArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,

    /// The text to replace
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) find: String,

    /// What stands there afterwards; without it, nothing does
    #[arg(
        long,
        value_name = "TEXT",
        allow_hyphen_values = true,
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) replace: String,

    /// Another text file of the skill [default: its SKILL.md]
    #[arg(long, value_name = "PATH")]
    pub(crate) file: Option<String>,
}

/// Give a skill another name.
///
/// Its directory or file, the name in its frontmatter, links in other directories that lead to it, and what is on record
/// of it go along.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful rename notes release-notes")]
pub(crate) struct RenameArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,

    /// The new name
    #[arg(value_name = "NEW")]
    pub(crate) name: String,
}

/// Write a file of a skill beside its SKILL.md.
///
/// A skill that is a single file becomes a directory by its first one.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful write-file release-notes references/style.md --file style.md
  skillful write-file release-notes scripts/tag.sh --file - --executable < tag.sh")]
pub(crate) struct WriteFileArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,

    /// The file's path in the skill, with `/`
    #[arg(value_name = "PATH")]
    pub(crate) path: String,

    /// The file with the content, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Make it executable
    #[arg(long)]
    pub(crate) executable: bool,
}

/// Remove a file of a skill, and directories that hold nothing else.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful remove-file release-notes references/style.md")]
pub(crate) struct RemoveFileArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,

    /// The file's path in the skill, with `/`
    #[arg(value_name = "PATH")]
    pub(crate) path: String,
}

/// Delete a skill. `undo` brings it back.
///
/// A directory that holds more than the skill (other skills, a repository, hidden files, links) is left alone unless
/// --everything says that all of it is meant.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful delete release-notes
  skillful undo")]
pub(crate) struct DeleteArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,

    /// Also what is no part of the skill
    #[arg(long)]
    pub(crate) everything: bool,
}
