//! Skills that agents write from what they learned: stored, watched, and put away when they do not help.
//!
//! ```text
//! Lesson ─capture→ stored | refreshed | skipped(why) | dropped(why)
//!          reads, wins ─Wilson→ confidence ─decay→ put away          its own check ─regrade→ verified | put away
//! ```
//!
//! A learned skill is a directory with a conformant SKILL.md like any other; the tag `learned` tells it apart, beside
//! `verified` or `unverified`. What a person wrote is never touched: a lesson that would take its name is skipped.
//! Nothing is deleted: what does not help is put away, and can be brought back. A skill's check is a line for a shell, and
//! runs only after a person approved the skill with its files as they are.

mod capture;
mod describe;
mod error;
mod evidence;
mod lesson;
mod regrade;
mod similar;
mod skill;
mod slug;

use std::collections::BTreeMap;
use std::path::Path;

use skillful::activate::{Outcome, Permissions, run_line};
use skillful::{Host, Library, Setup};
use skillful_guard::Trust;
use skillful_store::Store;

use crate::Actor;
use crate::author::{Author, Where};
use crate::data::DataDirectory;
use crate::gate::Gate;

pub use capture::{CaptureOutcome, Captured, Dropped, Skipped};
pub use error::LearnError;
pub use evidence::Decayed;
pub use lesson::{Lesson, LessonError};
pub use regrade::{Grade, Graded};
use similar::similarity;
pub use skill::LearnedSkill;

/// The tag of every learned skill.
pub const LEARNED: &str = "learned";
/// The tag of one whose check passed.
pub const VERIFIED: &str = "verified";
/// The tag of one whose check did not run.
pub const UNVERIFIED: &str = "unverified";

/// What an approval to run a skill's check is called in the records.
pub const CHECK: &str = "check";

/// Stores what agents learn, and looks after it. All of it concerns one place alone.
#[derive(Debug)]
pub struct Learner<'a> {
    author: Author<'a>,
    records: &'a dyn Store,
    place: Where,
    checker: Option<&'a dyn Checker>,
}

impl<'a> Learner<'a> {
    /// A learner that stores skills in this place, and runs no checks.
    pub fn new(
        setup: &'a Setup,
        data: &'a DataDirectory,
        gate: &'a Gate,
        records: &'a dyn Store,
        place: Where,
    ) -> Self {
        let author = Author::new(setup, data, gate)
            .by(Actor::LEARNER)
            .trusting(Trust::Agent)
            .with_records(records);
        Self {
            author,
            records,
            place,
            checker: None,
        }
    }

    /// The same with something that can run checks, such as a sandbox or [`Shell`].
    #[must_use]
    pub fn with_checker(mut self, checker: &'a dyn Checker) -> Self {
        self.checker = Some(checker);
        self
    }

    /// The same after a person looked at content of this digest and said yes to it; see [`Author::confirming`].
    #[must_use]
    pub fn confirming(mut self, digest: Option<String>) -> Self {
        self.author = self.author.confirming(digest);
        self
    }

    fn search(&self) -> Library {
        self.author.search()
    }
}

/// Runs the check of a skill.
pub trait Checker: std::fmt::Debug {
    /// Runs a line in a directory that holds a copy of the skill.
    fn check(&self, directory: &Path, line: &str) -> CheckResult;
}

/// How a check ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckResult {
    /// It passed.
    Passed,
    /// It ran and failed, for this reason.
    Failed(String),
    /// It could not be run, which says nothing about the skill.
    NotRun(String),
}

/// Runs checks by the system's shell, within the limits of inline commands.
#[derive(Clone, Debug)]
pub struct Shell {
    environment: BTreeMap<String, String>,
}

impl Shell {
    /// A shell with what a program needs of a host's environment, and nothing that could be a secret.
    pub fn of(host: &Host) -> Self {
        let permissions = Permissions::default().with_inline_shell(host);
        Self {
            environment: permissions.environment,
        }
    }
}

impl Checker for Shell {
    fn check(&self, directory: &Path, line: &str) -> CheckResult {
        match run_line(directory, line, &self.environment).outcome {
            Outcome::Done => CheckResult::Passed,
            Outcome::Failed(Some(code)) => CheckResult::Failed(format!("exit code {code}")),
            Outcome::Failed(None) => CheckResult::Failed("it was killed".to_owned()),
            Outcome::TimedOut => CheckResult::Failed(format!(
                "it took longer than {} seconds",
                skillful::limits::INLINE_TIME.as_secs()
            )),
            Outcome::NotStarted(reason) => CheckResult::NotRun(reason),
            Outcome::NotRun(reason) => CheckResult::NotRun(reason.to_string()),
        }
    }
}
