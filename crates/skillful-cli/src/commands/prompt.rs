//! `skillful prompt`: the catalog of skills as a model is shown it.

use std::path::{Path, PathBuf};

use serde_json::json;
use skillful::State;
use skillful::catalog::{CatalogEntry, agentskills};
use skillmd::lint::estimate_tokens;

use crate::args::{CatalogForm, GlobalArgs, PromptArgs};
use crate::error::{CommandError, Outcome};
use crate::input::{self, World};
use crate::terminal::{print_json, print_raw};

pub(crate) fn run(global: &GlobalArgs, args: &PromptArgs) -> Result<Outcome, CommandError> {
    let entries = if args.paths.is_empty() {
        ready_skills(global)?
    } else {
        skills_at(&args.paths)?
    };
    let text = match args.form {
        CatalogForm::Agentskills => agentskills(&entries),
    };
    if args.format.is_json() {
        let included: Vec<&str> = entries.iter().map(|entry| entry.id.as_str()).collect();
        print_json(&json!({
            "version": 1,
            "text": text,
            "included": included,
            "shortened": [],
            "name_only": [],
            "omitted": [],
            "characters": text.chars().count(),
            "tokens": estimate_tokens(&text),
        }))?;
    } else {
        print_raw(&format!("{text}\n"))?;
    }
    Ok(Outcome::Fine)
}

/// Every ready skill that a model may invoke, sorted by id.
fn ready_skills(global: &GlobalArgs) -> Result<Vec<CatalogEntry>, CommandError> {
    let library = World::gather(global)?.scan()?;
    let skills = library.registry.skills().iter();
    Ok(skills
        .filter(|skill| skill.state == State::Ready)
        .filter_map(|skill| CatalogEntry::of_skill(skill))
        .collect())
}

/// Exactly these skills, in this order.
fn skills_at(paths: &[PathBuf]) -> Result<Vec<CatalogEntry>, CommandError> {
    paths
        .iter()
        .map(|path| {
            let candidate = input::one_candidate(path)?;
            CatalogEntry::of_candidate(candidate).map_err(|reason| cannot_list(path, &reason))
        })
        .collect()
}

fn cannot_list(path: &Path, reason: &str) -> CommandError {
    CommandError::failed(format_args!("{}: {reason}", path.display()))
}
