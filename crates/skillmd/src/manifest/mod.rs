//! The typed view of a skill's frontmatter: one for all dialects.
//!
//! The same fact has many places: `platforms`, `metadata.openclaw.os` and `eligibility.os` all say where a skill runs.
//! [`crate::keys`] says which key feeds which field; [`Manifest::read`] goes through a document with it, and one fault
//! costs one field. Everything here is a claim of the skill's author.

mod embedded;
mod fields;
mod group;
mod paragraph;
mod read;
mod records;
mod slot;

pub use group::{Facts, Group};
pub use paragraph::first_paragraph;

use crate::display::Display;
use crate::install::InstallSpec;
use crate::invocation::{Execution, Invocation, Scope};
use crate::node::{Node, Pair};
use crate::requirements::Requirements;
use crate::sidecar::Sidecar;

/// All that a skill says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The standard's `name`, as it is written.
    pub name: Option<String>,
    /// The standard's `description`, as it is written.
    pub description: Option<String>,
    /// The standard's `license`.
    pub license: Option<String>,
    /// The standard's `compatibility`.
    pub compatibility: Option<String>,
    /// The standard's `allowed-tools`: a claim, never a grant. Nothing = it does not say.
    pub allowed_tools: Option<Vec<String>>,
    /// The standard's `metadata`, in source order, known keys included.
    pub metadata: Vec<Pair>,
    /// When, by whom and how it is brought up.
    pub invocation: Group<Invocation>,
    /// How it wants to be run.
    pub execution: Group<Execution>,
    /// What it needs.
    pub requirements: Group<Requirements>,
    /// How to get what it needs.
    pub install: Vec<InstallSpec>,
    /// What people are shown.
    pub display: Group<Display>,
    /// What Codex is told in `agents/openai.yaml`; see [`Manifest::merge_sidecar`].
    pub sidecar: Option<Box<Sidecar>>,
}

impl Manifest {
    /// The name without surrounding blanks; nothing when it is blank.
    pub fn name(&self) -> Option<&str> {
        trimmed(self.name.as_deref())
    }

    /// The description without surrounding blanks; nothing when it is blank.
    pub fn description(&self) -> Option<&str> {
        trimmed(self.description.as_deref())
    }

    /// The description, or for a skill without one the first paragraph of its body; see [`first_paragraph`].
    pub fn description_or_first_paragraph(&self, body: &str) -> Option<String> {
        self.description()
            .map(str::to_owned)
            .or_else(|| first_paragraph(body))
    }

    /// Brings in what Codex's sidecar says. Where the frontmatter states the same fact, it counts; the whole sidecar is
    /// kept in [`Manifest::sidecar`] either way.
    pub fn merge_sidecar(&mut self, sidecar: Sidecar) {
        fn fill(slot: &mut Option<String>, text: Option<&String>) {
            if slot.is_none() {
                *slot = text.cloned();
            }
        }
        let interface = &sidecar.interface;
        fill(&mut self.display.title, interface.display_name.as_ref());
        fill(
            &mut self.display.short_description,
            interface.short_description.as_ref(),
        );
        fill(&mut self.display.icon, interface.icon_small.as_ref());
        fill(&mut self.display.color, interface.brand_color.as_ref());
        self.invocation.model_invocable = self
            .invocation
            .model_invocable
            .or(sidecar.allow_implicit_invocation);
        self.sidecar = Some(Box::new(sidecar));
    }

    /// Where the skill is offered.
    pub fn scope(&self) -> Scope {
        self.invocation.scope.unwrap_or_default()
    }

    /// Whether its author lets the model bring it up.
    pub fn is_model_invocable(&self) -> bool {
        self.invocation.model_invocable.unwrap_or(true)
    }

    /// Whether its author lets a person bring it up by name.
    pub fn is_user_invocable(&self) -> bool {
        self.invocation.user_invocable.unwrap_or(true)
    }

    /// The first value in `metadata` under exactly this key.
    pub fn metadata(&self, key: &str) -> Option<&Node> {
        self.metadata
            .iter()
            .find(|pair| pair.key == key)
            .map(|pair| &pair.value)
    }
}

fn trimmed(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests;
