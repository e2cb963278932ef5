//! `skillful prompt`: the catalog of skills as a model is shown it.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use skillful::catalog::{self, Budget, Catalog, Entry, Form, Options, Usage};
use skillful::contract::CatalogDocument;
use skillful::tokens::{Estimate, TokenCounter};
use skillful::{Host, Mode, Skill};

use crate::args::{GlobalArgs, PromptArgs};
use crate::error::{CommandError, Outcome};
use crate::input::{self, World};
use crate::terminal::{print_json, print_raw, warn};

pub(crate) fn run(global: &GlobalArgs, args: &PromptArgs) -> Result<Outcome, CommandError> {
    let entries = if args.paths.is_empty() {
        visible_skills(global, args.form)?
    } else {
        skills_at(&args.paths)?
    };
    let host = Host::from_environment();
    let counter = counter(args);
    let options = Options {
        form: args.form,
        budget: budget(args),
        locations: args.locations,
        home: global.home.as_deref().or(host.home()),
        counter: &*counter,
        ..Options::default()
    };
    let catalog = catalog::render(&entries, &options);
    if args.format.is_json() {
        print_json(&CatalogDocument::from(&catalog))?;
    } else if !catalog.text.is_empty() {
        print_raw(&format!("{}\n", catalog.text))?;
    }
    Ok(outcome(&catalog))
}

fn budget(args: &PromptArgs) -> Budget {
    Budget {
        entries: args.max_skills.map(NonZeroUsize::get),
        characters: args.max_chars.map(NonZeroUsize::get),
        tokens: args.max_tokens.map(NonZeroUsize::get),
    }
}

#[cfg(feature = "exact-tokens")]
fn counter(args: &PromptArgs) -> Box<dyn TokenCounter> {
    if args.exact_tokens {
        Box::new(skillful::tokens::Exact)
    } else {
        Box::new(Estimate)
    }
}

#[cfg(not(feature = "exact-tokens"))]
fn counter(_: &PromptArgs) -> Box<dyn TokenCounter> {
    Box::new(Estimate)
}

/// A catalog without a skill that is required is printed, but it is a failure.
fn outcome(catalog: &Catalog) -> Outcome {
    if catalog.missing_required.is_empty() {
        return Outcome::Fine;
    }
    for id in &catalog.missing_required {
        warn(&format!(
            "`{id}` is required, and has no room in the catalog"
        ));
    }
    Outcome::Found
}

/// Every skill that a model may see, sorted by id.
fn visible_skills(global: &GlobalArgs, form: Form) -> Result<Vec<Entry>, CommandError> {
    let library = World::gather(global)?.scan()?;
    let skills = library.registry.skills().par_iter();
    Ok(skills
        .filter_map(|skill| visible_entry(skill, form))
        .collect())
}

fn visible_entry(skill: &Skill, form: Form) -> Option<Entry> {
    let mode = Mode::Auto;
    let scope = skill.manifest.as_ref()?.scope();
    if catalog::hidden(skill, mode, scope, |_| false).is_some() {
        return None;
    }
    let mut entry = Entry::of_skill(skill, mode, Usage::default())?;
    if form.shows_versions() {
        entry.version = catalog::version_of(skill);
    }
    Some(entry)
}

/// Exactly these skills, in this order.
fn skills_at(paths: &[PathBuf]) -> Result<Vec<Entry>, CommandError> {
    paths
        .iter()
        .map(|path| {
            let candidate = input::one_candidate(path)?;
            Entry::of_candidate(candidate).map_err(|reason| cannot_list(path, &reason))
        })
        .collect()
}

fn cannot_list(path: &Path, reason: &str) -> CommandError {
    CommandError::failed(format_args!("{}: {reason}", path.display()))
}
