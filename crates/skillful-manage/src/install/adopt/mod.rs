//! Taking over what other tools installed, as it lies there: nothing of the skills is moved or written.
//!
//! ```text
//! locks of other tools ─read→ Records ┐
//! clients' directories ─list→ places  ┴match→ Adoption ─adopt→ skills.lock and skills.toml, in one change
//! ```
//!
//! What those files say is foreign: a name in it is looked up among the directories that are there, and a path that
//! leads anywhere else is refused.

mod apm;
mod claude;
mod clawhub;
mod dotagents;
mod github;
mod ground;
mod hermes;
mod oci;
mod openskills;
mod origin;
mod record;
mod skillport;
mod take;
mod values;
mod vercel;

#[cfg(test)]
#[cfg(unix)]
mod tests;

use std::path::PathBuf;

use skillful_store::journal::Entry;

use crate::gate::Gated;
use crate::lock::LockedSkill;

pub use record::{Mention, ReadFault};

/// A tool that installs skills and writes down what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tool {
    /// `npx skills`, by Vercel: `.skill-lock.json` of the user, `skills-lock.json` of a project.
    Skills,
    /// `gh skill`: the frontmatter of each SKILL.md.
    Gh,
    /// openskills: `.openskills.json` in each skill.
    OpenSkills,
    /// `SkillPort`: `origins.json`.
    SkillPort,
    /// ClawHub: `.clawhub/lock.json`, and `.clawhub/origin.json` in each skill.
    ClawHub,
    /// dotagents: `agents.lock` and `agents.toml`.
    DotAgents,
    /// Hermes: `.hub/lock.json`.
    Hermes,
    /// Microsoft APM: `apm.lock.yaml`.
    Apm,
    /// skills-oci: `skills.lock.json`.
    SkillsOci,
    /// Plugins of Claude Code: they are listed, and stay with it.
    ClaudePlugins,
}

impl Tool {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Skills,
        Self::Gh,
        Self::OpenSkills,
        Self::SkillPort,
        Self::ClawHub,
        Self::DotAgents,
        Self::Hermes,
        Self::Apm,
        Self::SkillsOci,
        Self::ClaudePlugins,
    ];

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Skills => "skills",
            Self::Gh => "gh",
            Self::OpenSkills => "openskills",
            Self::SkillPort => "skillport",
            Self::ClawHub => "clawhub",
            Self::DotAgents => "dotagents",
            Self::Hermes => "hermes",
            Self::Apm => "apm",
            Self::SkillsOci => "skills-oci",
            Self::ClaudePlugins => "claude",
        }
    }

    /// The tool that a word stands for.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.as_str() == word)
    }
}

/// What to adopt.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// Only what this tool installed.
    pub tool: Option<Tool>,
    /// Only these skills, by id or by the name of their directory; all that a tool installed when there is none.
    pub ids: Vec<String>,
    /// The source of the one skill that is named, in its canonical form: for what no tool tells of.
    pub source: Option<String>,
}

/// What would be adopted.
#[derive(Clone, Debug, Default)]
pub struct Adoption {
    /// The skills, sorted by id.
    pub skills: Vec<Adoptable>,
    /// What is told of and not adopted, with the reason.
    pub refused: Vec<NotAdopted>,
    /// Files of other tools that cannot be read.
    pub faults: Vec<ReadFault>,
    /// What stays with another tool.
    pub mentions: Vec<Mention>,
}

/// A skill that can be adopted.
#[derive(Clone, Debug)]
pub struct Adoptable {
    /// The tool that installed it; nothing when nobody knows.
    pub tool: Option<Tool>,
    /// The directory with its files.
    pub directory: PathBuf,
    /// Its entry in the lock.
    pub locked: LockedSkill,
    /// What the gate says of it. It is there already: nothing is refused for it, and people should know.
    pub gated: Gated,
}

/// A skill that is not adopted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NotAdopted {
    /// Its name, as it was given.
    pub name: String,
    /// The tool that tells of it.
    pub tool: Option<Tool>,
    /// Why not.
    pub reason: NotAdoptedReason,
}

/// Why a skill is not adopted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum NotAdoptedReason {
    /// Skillful knows it already.
    #[error("it is installed by skillful already")]
    Known,
    /// The other tool names a place that it must not name.
    #[error("its place `{0}` leads out of where its skills may be")]
    Hostile(String),
    /// There is nothing of that name.
    #[error("there is no such skill here, or no more")]
    Gone,
    /// What is there is no skill.
    #[error("what is there is no skill")]
    NoSkill,
    /// What is there cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// Its source is none that Skillful can use.
    #[error("its source cannot be used: {0}")]
    Source(String),
    /// No tool tells of it.
    #[error("nobody tells where it comes from; `--source` does")]
    NoOrigin,
    /// Several directories have the name, and differ.
    #[error("there are several of this name that differ, one of them at {0}")]
    Ambiguous(String),
    /// It is a link to somewhere that a project's lock may not name.
    #[error("it lies outside of the project, at {0}")]
    Outside(String),
}

/// What was adopted.
#[derive(Clone, Debug, Default)]
pub struct Adopted {
    /// Ids of the skills.
    pub ids: Vec<String>,
    /// The entry in the history; nothing when there was nothing to do.
    pub entry: Option<Entry>,
}
