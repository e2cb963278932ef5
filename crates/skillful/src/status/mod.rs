//! Everything there is to say of every skill: state, needs, size, use, and where it stands in its life.
//!
//! ```text
//! Registry, Circumstances ─full_status→ StatusEntry … ─Filter→ what is shown
//! ```

use std::collections::HashMap;
use std::path::Path;

use rayon::prelude::*;
use skillful_store::{Archived, Records, Stage, Timestamp, Usage};

use crate::agent::Agent;
use crate::bundle::{Bundle, digest};
use crate::details::tokens;
use crate::guard::Accepted;
use crate::load::Skill;
use crate::mode::Mode;
use crate::records::key_of;
use crate::registry::Registry;

mod filter;
mod install;

pub use filter::{Filter, UnknownFilter};
pub use install::InstallOption;

/// What a skill's status depends on beside the skill.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances<'a> {
    /// The agent that is asked about, and through it the machine.
    pub agent: Agent<'a>,
    /// What is on record.
    pub records: &'a Records,
    /// The time.
    pub now: Timestamp,
    /// Whether to add digests, for which all files are read.
    pub digests: bool,
}

/// The status of one skill.
#[derive(Clone, Debug)]
pub struct StatusEntry<'a> {
    /// The skill, with its state and the reasons for it.
    pub skill: &'a Skill,
    /// By what its files are accepted as they are, whatever was found in them.
    pub accepted: Option<Accepted<'a>>,
    /// How the user wants it to be brought up.
    pub mode: Mode,
    /// The ways to get what it needs that there are on this system.
    pub install_options: Vec<InstallOption<'a>>,
    /// Whether the variable that holds its API key is set; nothing for a skill without one.
    pub api_key_set: Option<bool>,
    /// A digest over all its files, where it was asked for.
    pub digest: Option<String>,
    /// Bytes of all its files.
    pub bytes: u64,
    /// Tokens of its body, estimated.
    pub tokens: usize,
    /// The paths of the skills that it has precedence over, sorted.
    pub shadows: Vec<&'a Path>,
    /// How it was used; nothing when nothing was recorded.
    pub usage: Option<&'a Usage>,
    /// Where it stands in its life.
    pub stage: Stage,
    /// That and why it was put away.
    pub archived: Option<&'a Archived>,
    /// Whether the user pinned it, in the configuration or on record.
    pub pinned: bool,
}

/// The status of every skill, in the order of the registry: by id, then by precedence.
pub fn full_status<'a>(
    registry: &'a Registry,
    circumstances: &Circumstances<'a>,
) -> Vec<StatusEntry<'a>> {
    let shadows = Shadows::of(registry);
    registry
        .skills()
        .par_iter()
        .map(|skill| StatusEntry::of(skill, shadows.below(skill), circumstances))
        .collect()
}

/// The status of some of a registry's skills, in their order.
pub fn status_of<'a>(
    registry: &'a Registry,
    skills: impl IntoIterator<Item = &'a Skill>,
    circumstances: &Circumstances<'a>,
) -> Vec<StatusEntry<'a>> {
    let shadows = Shadows::of(registry);
    skills
        .into_iter()
        .map(|skill| StatusEntry::of(skill, shadows.below(skill), circumstances))
        .collect()
}

impl<'a> StatusEntry<'a> {
    fn of(skill: &'a Skill, shadows: Vec<&'a Path>, circumstances: &Circumstances<'a>) -> Self {
        let Circumstances {
            agent,
            records,
            now,
            digests,
        } = *circumstances;
        let host = &agent.setup().host;
        let key = key_of(skill);
        let usage = records.usage.get(&key);
        let archived = records.choices.archived(&key);
        let mode = agent.mode(skill);
        let pinned =
            records.choices.is_pinned(&key) || matches!(mode, Mode::Pinned | Mode::Required);
        let manifest = skill.manifest.as_deref();
        let primary = manifest.and_then(|manifest| manifest.requirements.primary_env.as_deref());
        let config = &agent.setup().config;
        Self {
            skill,
            accepted: Accepted::of_skill(skill, config, &records.choices),
            mode,
            install_options: manifest.map_or_else(Vec::new, |manifest| {
                InstallOption::on(host.os(), &manifest.install)
            }),
            api_key_set: primary.map(|name| host.variable(name).is_some()),
            digest: digests.then(|| digest(skill)).flatten(),
            bytes: Bundle::of(skill).bytes,
            tokens: tokens(skill),
            shadows,
            usage,
            stage: Stage::of(&usage.copied().unwrap_or_default(), archived, pinned, now),
            archived,
            pinned,
        }
    }
}

/// Who has precedence over whom.
struct Shadows<'a>(HashMap<&'a Path, Vec<&'a Path>>);

impl<'a> Shadows<'a> {
    fn of(registry: &'a Registry) -> Self {
        let mut below: HashMap<&Path, Vec<&Path>> = HashMap::new();
        for skill in registry.skills() {
            if let Some(winner) = &skill.shadowed_by {
                below.entry(winner).or_default().push(&skill.path);
            }
        }
        for paths in below.values_mut() {
            paths.sort_unstable();
        }
        Self(below)
    }

    fn below(&self, winner: &Skill) -> Vec<&'a Path> {
        self.0.get(&*winner.path).cloned().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
