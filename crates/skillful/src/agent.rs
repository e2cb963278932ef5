//! What one agent may have of the skills: the rules of the setup, applied.
//!
//! The command, the façade and servers all ask here, so that a switch means the same wherever it is looked at.

use std::sync::Arc;

use rayon::prelude::*;
use skillmd::invocation::Scope;

use crate::activate::Permissions;
use crate::bundle::digest;
use crate::catalog::{self, Budget, Entry, Form, Hidden};
use crate::eligibility::{self, evaluate};
use crate::guard::{Care, Guard};
use crate::library::Library;
use crate::load::Skill;
use crate::matching::Candidate;
use crate::mode::Mode;
use crate::records::key_of;
use crate::registry::judge_one;
use crate::setup::Setup;
use crate::state::Standing;

/// What an approval to run a skill's inline commands is called in the records.
pub const INLINE_SHELL: &str = "inline-shell";

/// An agent as the setup sees it.
#[derive(Clone, Copy, Debug)]
pub struct Agent<'a> {
    setup: &'a Setup,
    name: Option<&'a str>,
}

/// How much a skill was used, for who has it on record.
pub type UsageOf<'a> = &'a (dyn Fn(&Skill) -> catalog::Usage + Sync);

impl Setup {
    /// The agent of this name, or any of which nothing special is said.
    pub fn agent<'a>(&'a self, name: Option<&'a str>) -> Agent<'a> {
        Agent { setup: self, name }
    }
}

impl<'a> Agent<'a> {
    /// The setup.
    pub fn setup(&self) -> &'a Setup {
        self.setup
    }

    /// Searches all roots, lets the guard look at what was found, and judges it.
    pub fn scan(&self, guard: Guard<'_>) -> Library {
        let setup = self.setup;
        let mut round = guard.round(setup);
        let search = || Library::scan(&setup.host, &setup.clients, &setup.options);
        let (mut library, ()) = rayon::join(search, || round.read_ahead());
        library.registry.inspect(|skill| round.inspection(skill));
        round.keep();
        library.registry.judge(|skill| self.judge(skill));
        library.problems.extend_from_slice(&setup.problems);
        library
    }

    /// Looks at all files of one skill before it is handed over, whether or not anything is on record, and judges it anew.
    pub fn look_closely(&self, library: &mut Library, skill: &Skill, guard: Guard<'_>) {
        let Some(skill) = library.registry.at_mut(&skill.root, &skill.path) else {
            return;
        };
        let guard = Guard {
            care: Care::Full,
            ..guard
        };
        let round = guard.round(self.setup);
        let inspection = round.look_closely(skill);
        if skill.inspection != inspection {
            Arc::make_mut(skill).inspection = inspection;
        }
        round.keep();
        judge_one(skill, |skill| self.judge(skill));
    }

    /// The state of a skill that can be read and is not shadowed.
    pub fn judge(&self, skill: &Skill) -> Standing {
        evaluate(skill, &self.setup.conditions(), self.name)
    }

    /// How the user wants a skill to be brought up.
    pub fn mode(&self, skill: &Skill) -> Mode {
        self.setup.config.switches(&skill.id, self.name).mode()
    }

    /// Why the agent's model may not see a skill in its catalog; nothing when it may.
    pub fn hidden(&self, skill: &Skill) -> Option<Hidden> {
        let has_tool = |tool: &str| self.setup.host.has_tool(tool);
        catalog::hidden(skill, self.mode(skill), self.scope(skill), has_tool)
    }

    /// Where a skill is offered: what the user says, else what its author does.
    fn scope(&self, skill: &Skill) -> Scope {
        let switches = self.setup.config.switches(&skill.id, self.name);
        skill
            .manifest
            .as_deref()
            .map_or_else(Scope::default, |it| eligibility::scope(it, &switches))
    }

    /// The catalog's entries of those skills that the model may see, in their order.
    pub fn entries(&self, skills: &[Arc<Skill>], form: Form, usage_of: UsageOf<'_>) -> Vec<Entry> {
        let entry = |skill: &Arc<Skill>| {
            if self.hidden(skill).is_some() {
                return None;
            }
            let mut entry = Entry::of_skill(skill, self.mode(skill), usage_of(skill))?;
            if form.shows_versions() {
                entry.version = catalog::version_of(skill);
            }
            Some(entry)
        };
        skills.par_iter().filter_map(entry).collect()
    }

    /// The room of a catalog: what is wanted, and where nothing is, what the configuration says.
    pub fn budget(&self, wanted: Budget) -> Budget {
        let config = &self.setup.config;
        let said = |limit: Option<u64>| limit.and_then(|limit| usize::try_from(limit).ok());
        Budget {
            entries: wanted.entries.or_else(|| said(config.max_skills())),
            characters: wanted.characters.or_else(|| said(config.max_characters())),
            tokens: wanted.tokens.or_else(|| said(config.max_tokens())),
        }
    }

    /// What the operator allows of a skill when it is activated. Inline commands take three things: that the
    /// configuration allows them at all, that the skill opts in, and that it is trusted for its place or was approved as
    /// it is now.
    pub fn permissions(&self, skill: &Skill) -> Permissions {
        let permissions = Permissions {
            mode: self.mode(skill),
            programs: self.setup.own_programs(skill),
            ..Permissions::default()
        };
        if !self.setup.config.allows_inline_shell() {
            return permissions;
        }
        let choices = self.setup.conditions().records.choices();
        let approved = |digest: String| choices.is_approved(&key_of(skill), INLINE_SHELL, &digest);
        Permissions {
            trusted: !choices.is_empty() && digest(skill).is_some_and(approved),
            ..permissions.with_inline_shell(&self.setup.host, self.setup.program_directory())
        }
    }

    /// The skills that a message can bring up, as the user's switches let them be.
    pub fn candidates<'s>(&self, skills: &'s [Arc<Skill>]) -> Vec<Candidate<'s>> {
        let candidate = |skill: &'s Arc<Skill>| {
            let mut candidate = Candidate::of_skill(skill)?;
            candidate.is_automatic &= self.mode(skill) != Mode::ManualOnly;
            Some(candidate)
        };
        skills.iter().filter_map(candidate).collect()
    }
}

#[cfg(test)]
mod tests;
