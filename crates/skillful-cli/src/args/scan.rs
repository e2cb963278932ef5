//! The arguments of `scan`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use skillful::scanner::{Category, Preset, Severity};

/// How `scan` reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScanFormat {
    /// For people, the worst first
    #[default]
    Text,
    /// One JSON object
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// A summary for a comment on a change
    Markdown,
    /// Workflow commands of GitHub Actions
    Github,
}

/// From what on a scan fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailOn {
    /// Whatever was found, it does not.
    Never,
    /// A dangerous bundle.
    Dangerous,
    /// One that needs a look.
    Caution,
    /// A dangerous bundle, or a finding at least this severe of more than low confidence.
    Severity(Severity),
}

/// Scan skills for what attackers do.
///
/// Reads every file of each skill, runs nothing and asks no network. A PATH is a skill's directory, a file, an archive, or
/// a directory that is searched for skills; one without any skill is scanned as a whole. `-` reads one text from standard
/// input: a program where its first line says so, else a SKILL.md; --name says which file it is. Without a PATH, all skills of this machine are scanned.
///
/// Exit code 1 means that a skill looks dangerous; with --strict, that one needs a look.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful scan                                   all skills that clients find on this machine
  skillful scan ~/Downloads/pdf-forms             before it is installed
  skillful scan --verbose pdf-forms               everything about the skill of this id
  skillful scan --strict --format github .        in a workflow: what needs a look fails, too
  skillful scan --write-baseline known.json .     take what is there for known
  skillful scan --baseline known.json .           report what has come since
  curl -fsS https://example.com/SKILL.md | skillful scan -
  skillful scan --name setup.ps1 - < download     a program that its first line does not tell
  skillful explain pipe-to-shell                  what a rule means and what to do")]
pub(crate) struct ScanArgs {
    /// What to scan: directories, files, archives, ids, or `-` [default: all skills of this machine]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// What the text on standard input is called, such as run.ps1 [default: what its first line says, else SKILL.md]
    #[arg(long, value_name = "FILE")]
    pub(crate) name: Option<String>,

    /// How doubt is weighed: strict, balanced or permissive [default: guard.preset of skills.toml, else balanced]
    #[arg(long, value_name = "PRESET", hide_possible_values = true, value_parser = presets())]
    pub(crate) preset: Option<Preset>,

    /// Fail on what needs a look as well; the same as --fail-on caution
    #[arg(long, conflicts_with = "fail_on")]
    pub(crate) strict: bool,

    /// When to fail: dangerous, caution, a severity, or never [default: dangerous]
    #[arg(long, value_name = "WHEN", hide_possible_values = true, value_parser = fail_on())]
    pub(crate) fail_on: Option<FailOn>,

    /// Leave out the findings that this file knows
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,

    /// Write what is found now to this file, for --baseline, and do not fail
    #[arg(long, value_name = "FILE", conflicts_with_all = ["baseline", "list_rules"])]
    pub(crate) write_baseline: Option<PathBuf>,

    /// Show only findings of this rule (repeatable); the verdict is that of all
    #[arg(long, value_name = "ID")]
    pub(crate) rule: Vec<String>,

    /// Show only findings of this category (repeatable); the verdict is that of all
    #[arg(long, value_name = "NAME", value_parser = categories())]
    pub(crate) category: Vec<Category>,

    /// List the rules, and scan nothing
    #[arg(long, conflicts_with = "paths")]
    pub(crate) list_rules: bool,

    #[command(flatten)]
    pub(crate) output: ScanOutput,
}

/// How the result of `scan` looks.
#[derive(Args, Debug)]
pub(crate) struct ScanOutput {
    /// Show everything: findings that context explains, what was accepted, what was not read, safe skills
    #[arg(long, short, help_heading = "Output")]
    pub(crate) verbose: bool,

    /// How to print the result
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    pub(crate) format: ScanFormat,

    /// The same as --format json
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

impl ScanOutput {
    /// The format, `--json` included.
    pub(crate) fn format(&self) -> ScanFormat {
        if self.json {
            ScanFormat::Json
        } else {
            self.format
        }
    }
}

impl ScanArgs {
    /// From what on the command fails.
    pub(crate) fn failure(&self) -> FailOn {
        match self.fail_on {
            Some(when) => when,
            None if self.strict => FailOn::Caution,
            None => FailOn::Dangerous,
        }
    }
}

fn presets() -> impl TypedValueParser<Value = Preset> {
    PossibleValuesParser::new(Preset::ALL.iter().map(|preset| preset.as_str()))
        .try_map(|word| word.parse::<Preset>())
}

fn categories() -> impl TypedValueParser<Value = Category> {
    PossibleValuesParser::new(Category::ALL.iter().map(|category| category.as_str())).try_map(
        |word| {
            let mut all = Category::ALL.iter().copied();
            all.find(|category| category.as_str() == word)
                .ok_or("no such category")
        },
    )
}

fn fail_on() -> impl TypedValueParser<Value = FailOn> {
    let words = ["never", "dangerous", "caution"].into_iter();
    let severities = Severity::ALL.iter().map(|severity| severity.as_str());
    PossibleValuesParser::new(words.chain(severities)).try_map(|word| {
        let mut severities = Severity::ALL.iter().copied();
        match &*word {
            "never" => Ok(FailOn::Never),
            "dangerous" => Ok(FailOn::Dangerous),
            "caution" => Ok(FailOn::Caution),
            word => severities
                .find(|severity| severity.as_str() == word)
                .map(FailOn::Severity)
                .ok_or("no such word"),
        }
    })
}
