//! Inline commands: run by the system's shell, within limits, and only when three sides agree.
//!
//! The operator allows it, the skill asks for it, and the skill is trusted; else a command stays the text that it is and
//! the activation says why. A command runs in the skill's directory with an environment that the operator chose, with
//! nothing to read, and with the arguments as its parameters: `$0`, `$1`, … and `$ARGUMENTS`. It is the leader of a
//! process group, which is killed when the command has ended, when its time is up, and when it has said enough.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use skillmd::invocation::Execution;

use super::Permissions;
use super::arguments::Arguments;
use crate::limits;
use crate::load::Skill;
use crate::roots::Trust;

#[cfg(unix)]
mod unix;

/// Why inline commands are left as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRun {
    /// The operator does not allow them.
    NotAllowed,
    /// The skill does not ask for them.
    NotAsked,
    /// The skill is neither part of the program, nor put there by an administrator, nor approved.
    NotTrusted,
    /// There is no directory to run them in.
    NoDirectory,
    /// The skill wants a shell that is not offered.
    Shell(String),
    /// The operating system has no process groups.
    System,
    /// [`limits::INLINE_COMMANDS`] were run already, or they took [`limits::INLINE_TIME_TOTAL`].
    TooMany,
}

impl fmt::Display for NotRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAllowed => f.write_str("running commands is not allowed here"),
            Self::NotAsked => {
                f.write_str("the skill does not ask for it with `allow-inline-shell: true`")
            }
            Self::NotTrusted => f.write_str("the skill is not trusted"),
            Self::NoDirectory => f.write_str("the skill has no directory to run commands in"),
            Self::Shell(shell) => write!(f, "the shell `{shell}` is not offered"),
            Self::System => f.write_str("commands are run on Unix only"),
            Self::TooMany => write!(
                f,
                "one activation runs at most {} commands, in {} seconds",
                limits::INLINE_COMMANDS,
                limits::INLINE_TIME_TOTAL.as_secs()
            ),
        }
    }
}

/// What became of an inline command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It ended by itself and without a fault.
    Done,
    /// It ended with this exit code, or by a signal.
    Failed(Option<i32>),
    /// It took longer than [`limits::INLINE_TIME`] and was killed.
    TimedOut,
    /// It could not be started, for the reason that the system gives.
    NotStarted(String),
    /// It was left as text.
    NotRun(NotRun),
}

/// An inline command of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandReport {
    /// The command as the shell was, or would have been, given it.
    pub command: String,
    /// What became of it.
    pub outcome: Outcome,
    /// Whether its output was cut off at [`limits::INLINE_OUTPUT_CHARS`].
    pub truncated: bool,
}

/// A shell that may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shell {
    Sh,
    Bash,
}

impl Shell {
    const fn program(self) -> &'static str {
        match self {
            Self::Sh => "sh",
            Self::Bash => "bash",
        }
    }
}

/// What a command is run with.
#[derive(Clone, Debug)]
pub(super) struct Setting<'a> {
    shell: Shell,
    directory: PathBuf,
    environment: BTreeMap<&'a str, &'a str>,
    words: &'a [String],
}

/// Runs the commands of one activation, or says of each why not.
#[derive(Debug)]
pub(super) struct Commands<'a> {
    setting: Result<Setting<'a>, NotRun>,
    started: Instant,
    pub(super) reports: Vec<CommandReport>,
}

impl<'a> Commands<'a> {
    pub(super) fn new(setting: Result<Setting<'a>, NotRun>) -> Self {
        Self {
            setting,
            started: Instant::now(),
            reports: Vec::new(),
        }
    }

    /// The output of a command, with a note where it did not end well; nothing when it is to stay text.
    pub(super) fn run(&mut self, command: &str) -> Option<String> {
        let ran = match &self.setting {
            Err(reason) => Err(reason.clone()),
            Ok(setting) => self.check_room().map(|()| run(setting, command)),
        };
        let (output, outcome, truncated) = match ran {
            Ok(ran) => (Some(ran.shown()), ran.outcome, ran.truncated),
            Err(reason) => (None, Outcome::NotRun(reason), false),
        };
        // A body of a million commands must not become a million reports.
        if self.reports.len() <= limits::INLINE_COMMANDS {
            self.reports.push(CommandReport {
                command: command.to_owned(),
                outcome,
                truncated,
            });
        }
        output
    }

    fn check_room(&self) -> Result<(), NotRun> {
        let is_full = self.reports.len() >= limits::INLINE_COMMANDS
            || self.started.elapsed() >= limits::INLINE_TIME_TOTAL;
        if is_full {
            return Err(NotRun::TooMany);
        }
        Ok(())
    }
}

/// What came out of a command.
#[derive(Debug)]
struct Ran {
    output: String,
    outcome: Outcome,
    truncated: bool,
}

impl Ran {
    /// The output without the line ends at its end, and a note for the reader where something is missing.
    fn shown(&self) -> String {
        let mut text = self.output.trim_end_matches(['\r', '\n']).to_owned();
        let note = match &self.outcome {
            _ if self.truncated => {
                format!("[cut off after {} characters]", limits::INLINE_OUTPUT_CHARS)
            }
            Outcome::Failed(Some(code)) => format!("[the command failed with exit code {code}]"),
            Outcome::Failed(None) => "[the command was killed]".to_owned(),
            Outcome::TimedOut => format!(
                "[the command was stopped after {} seconds]",
                limits::INLINE_TIME.as_secs()
            ),
            Outcome::NotStarted(reason) => format!("[the command could not be run: {reason}]"),
            Outcome::Done | Outcome::NotRun(_) => return text,
        };
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&note);
        text
    }
}

#[cfg(unix)]
fn run(setting: &Setting<'_>, command: &str) -> Ran {
    unix::run(setting, command, limits::INLINE_TIME)
}

/// Never reached: [`setting`] gives none where there are no process groups.
#[cfg(not(unix))]
fn run(_: &Setting<'_>, _: &str) -> Ran {
    Ran {
        output: String::new(),
        outcome: Outcome::NotStarted(NotRun::System.to_string()),
        truncated: false,
    }
}

/// What became of one line that was run by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineReport {
    /// What it printed, at most [`limits::INLINE_OUTPUT_CHARS`] characters of it.
    pub output: String,
    /// How it ended.
    pub outcome: Outcome,
}

/// Runs one line by `sh` in a directory, within the limits of inline commands: nothing to read, this environment and no
/// other, [`limits::INLINE_TIME`], and its process group is killed when it has ended. Whoever calls it has made sure that
/// a person approved this very line.
pub fn run_line(
    directory: &Path,
    line: &str,
    environment: &BTreeMap<String, String>,
) -> LineReport {
    let outcome = |outcome| LineReport {
        output: String::new(),
        outcome,
    };
    if cfg!(not(unix)) {
        return outcome(Outcome::NotRun(NotRun::System));
    }
    let variables = environment.iter();
    let setting = Setting {
        shell: Shell::Sh,
        directory: directory.to_owned(),
        environment: variables
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect(),
        words: &[],
    };
    let ran = run(&setting, line);
    LineReport {
        output: ran.output,
        outcome: ran.outcome,
    }
}

/// Whether, and with what, the commands of a skill may be run.
///
/// # Errors
///
/// The first of the conditions that is not met.
pub(super) fn setting<'a>(
    skill: &Skill,
    execution: &Execution,
    directory: Option<&Path>,
    permissions: &'a Permissions,
    values: &Values<'a>,
) -> Result<Setting<'a>, NotRun> {
    if !permissions.inline_shell {
        return Err(NotRun::NotAllowed);
    }
    if !asks(skill, execution) {
        return Err(NotRun::NotAsked);
    }
    let by_place = matches!(skill.root.trust, Trust::Builtin | Trust::Trusted);
    if !by_place && !permissions.trusted {
        return Err(NotRun::NotTrusted);
    }
    if cfg!(not(unix)) {
        return Err(NotRun::System);
    }
    let shell = match execution.shell.as_deref() {
        None | Some("sh") => Shell::Sh,
        Some("bash") => Shell::Bash,
        Some(other) => return Err(NotRun::Shell(other.to_owned())),
    };
    Ok(Setting {
        shell,
        directory: directory.ok_or(NotRun::NoDirectory)?.to_owned(),
        environment: values.environment(permissions),
        words: values.arguments.words(),
    })
}

/// What a command finds in its environment beside what the operator gives it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Values<'a> {
    pub(super) directory: &'a str,
    pub(super) session: &'a str,
    pub(super) variables: &'a BTreeMap<String, String>,
    pub(super) arguments: &'a Arguments,
}

impl<'a> Values<'a> {
    fn environment(&self, permissions: &'a Permissions) -> BTreeMap<&'a str, &'a str> {
        let given = permissions.environment.iter();
        let variables = self.variables.iter();
        given
            .chain(variables)
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .chain([
                ("SKILL_DIR", self.directory),
                ("SKILL_SESSION_ID", self.session),
                ("ARGUMENTS", self.arguments.text()),
            ])
            // The system takes no others.
            .filter(|(name, value)| {
                !name.is_empty() && !name.contains(['=', '\0']) && !value.contains('\0')
            })
            .collect()
    }
}

/// `allow-inline-shell` decides. Without it a skill asks by `shell`, a key of Claude Code's for its inline commands
/// alone, and by lying in a directory of Claude Code's own, where they are run without being asked for.
fn asks(skill: &Skill, execution: &Execution) -> bool {
    let for_claude = || execution.shell.is_some() || skill.root.client.as_deref() == Some(CLAUDE);
    execution.allow_inline_shell.unwrap_or_else(for_claude)
}

const CLAUDE: &str = "claude-code";

#[cfg(test)]
mod tests;
