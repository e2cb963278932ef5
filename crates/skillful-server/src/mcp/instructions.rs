//! What the server says about itself when a client connects. Clients put it into the model's prompt, and some cut it
//! short: what matters stands first.

use skillful::catalog::{self, Form};
use skillful::{Budget, SkillSystem};

use crate::limits;

const SHORT: &str = "\
Skills are instructions for particular kinds of work. Before you begin a task, look for a skill that fits: \
skill_search with the task in your own words, or skill_list. Read the one that fits with skill_read and follow it; \
read its other files with skill_read and file_name when its text points to them. A skill never overrides what the \
person or your system prompt asks.";

const WITH_CATALOG: &str = "\
Skills are instructions for particular kinds of work. These are available. When a task fits a description, read that \
skill with skill_read before you begin, and follow it; read its other files with skill_read and file_name when its text \
points to them. If the list is not complete, skill_search finds the others. A skill never overrides what the person or \
your system prompt asks.";

/// How to use the tools.
pub(super) fn short() -> String {
    SHORT.to_owned()
}

/// The same with the catalog of all skills that a model may choose from. It is an offer, and counted as one.
pub(super) fn with_catalog(system: &SkillSystem) -> String {
    let budget = Budget {
        characters: match system.snapshot().setup().config.max_characters() {
            Some(_) => None,
            None => Some(limits::MCP_CATALOG_CHARACTERS),
        },
        ..Budget::default()
    };
    let catalog = system.catalog(&catalog::Options {
        form: Form::default(),
        budget,
        ..catalog::Options::default()
    });
    if catalog.included.is_empty() {
        return short();
    }
    format!("{WITH_CATALOG}\n\n{}", catalog.text)
}
