//! `skillful prompt`: the catalog of skills as a model is shown it.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use skillful::Skill;
use skillful::catalog::{self, Budget, Catalog, Entry, Options, Usage};
use skillful::contract::CatalogDocument;
use skillful::records::key_of;
use skillful::tokens::{Estimate, TokenCounter};

use crate::args::{GlobalArgs, PromptArgs};
use crate::error::{CommandError, Outcome};
use crate::input::{self, World};
use crate::records::now;
use crate::terminal::{print_json, print_raw, warn};

pub(crate) fn run(global: &GlobalArgs, args: &PromptArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    for problem in &world.problems {
        // A file that cannot be read may have switched something off.
        warn(&problem.to_string());
    }
    let agent = world.agent(args.agent.as_deref());
    let entries = if args.paths.is_empty() {
        visible_skills(&world, args)?
    } else {
        skills_at(&args.paths)?
    };
    let counter = counter(args);
    let options = Options {
        form: args.form,
        budget: agent.budget(wanted(args)),
        locations: args.locations,
        home: world.options.home.as_deref().or(world.host.home()),
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

fn wanted(args: &PromptArgs) -> Budget {
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

/// Every skill that the model may see, sorted by id.
fn visible_skills(world: &World, args: &PromptArgs) -> Result<Vec<Entry>, CommandError> {
    let name = args.agent.as_deref();
    let mut library = world.scan_for(name)?;
    library.registry.read_sidecars();
    let records = world.records();
    let now = now();
    let usage_of = |skill: &Skill| {
        let usage = records.usage.get(&key_of(skill));
        usage.map_or_else(Usage::default, |usage| Usage::at(now, usage))
    };
    let skills = library.registry.skills();
    Ok(world.agent(name).entries(skills, args.form, &usage_of))
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
