//! `skillful install`: what skills.toml wants, as skills.lock has it.

use skillful_manage::Operation;
use skillful_manage::contract::RestoreDocument;
use skillful_manage::install::{
    Consent, InstallError, Installer, Offer, Plan, Restoration, Restored,
};
use skillful_manage::lock::LockedSkill;
use skillful_manage::targets::WantedClients;

use super::add::Fetching;
use crate::args::{GlobalArgs, InstallArgs};
use crate::ask;
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::manage::{failed, installer};
use crate::render::plan;
use crate::terminal::{counted, print_json, stdout, warn};

pub(crate) fn run(global: &GlobalArgs, args: &InstallArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let mut installer = installer(&world, args.reach)?;
    installer.discard_edits = args.consent.discard_edits;
    let mut restoration = installer.plan_restore().map_err(failed)?;
    if args.frozen || args.locked {
        refuse_differences(&installer, &restoration)?;
    }
    if args.frozen && !restoration.missing.is_empty() {
        return Err(failed(InstallError::NotCached {
            ids: ids_of(&restoration),
        }));
    }
    if !restoration.missing.is_empty() && !args.consent.dry_run {
        fetch_missing(&world, &installer, &restoration.missing)?;
        restoration = installer.plan_restore().map_err(failed)?;
    }
    let is_json = args.format.is_json();
    let agreed = is_agreed(args, &restoration)?;
    let mut restored = Restored::default();
    if agreed {
        restored = installer
            .restore(&restoration, Consent::Given)
            .map_err(failed)?;
    }
    let added = if agreed && !restoration.unlocked.is_empty() {
        add_unlocked(&world, &mut installer, &restoration)?
    } else {
        Vec::new()
    };
    if is_json {
        print_json(&RestoreDocument::new(&restoration, &restored, &added))?;
    } else {
        let mut out = stdout(global.color);
        plan::write_restored(&mut out, &world, &restoration, &restored, &added)?;
    }
    let is_refused = restoration.refused().next().is_some();
    let is_left = restoration.unlocked.len() != added.len() || !restoration.missing.is_empty();
    Ok(
        if is_refused || (is_left && !args.consent.dry_run) || !agreed && !args.consent.dry_run {
            Outcome::Found
        } else {
            Outcome::Fine
        },
    )
}

fn refuse_differences(
    installer: &Installer<'_>,
    restoration: &Restoration,
) -> Result<(), CommandError> {
    let differences = restoration.differences();
    if differences.is_empty() {
        return Ok(());
    }
    Err(failed(InstallError::OutOfStep {
        wanted: installer.files().wanted.clone(),
        differences,
    }))
}

fn ids_of(restoration: &Restoration) -> Vec<String> {
    let missing = restoration.missing.iter();
    missing.map(|skill| skill.id.clone()).collect()
}

/// What the lock names was agreed to when it was locked; only findings that a person has to look at are asked about.
fn is_agreed(args: &InstallArgs, restoration: &Restoration) -> Result<bool, CommandError> {
    if args.consent.dry_run {
        return Ok(false);
    }
    let asked = restoration.to_be_asked().count();
    if args.consent.yes || asked == 0 {
        return Ok(true);
    }
    let skills = counted(asked, "skill");
    let question = format!("Place {skills} with findings?");
    let undone = "nothing was placed: there is nobody to ask about findings";
    ask::agreed(&question, args.format.is_json(), undone)
}

/// Fetches what the cache lacks, exactly as the lock has it.
fn fetch_missing(
    world: &World,
    installer: &Installer<'_>,
    missing: &[LockedSkill],
) -> Result<(), CommandError> {
    let mut fetching = Fetching::new(world, installer);
    for skill in missing {
        let source = installer.source_as_locked(skill).map_err(failed)?;
        let offers = fetching.offers(&source, &[])?;
        installer.keep_as_locked(skill, &offers).map_err(failed)?;
    }
    Ok(())
}

/// Adds what is wanted and not locked. Gives the ids of what was placed.
fn add_unlocked(
    world: &World,
    installer: &mut Installer<'_>,
    restoration: &Restoration,
) -> Result<Vec<String>, CommandError> {
    let mut placed = Vec::new();
    for (id, wanted) in &restoration.unlocked {
        installer.copy = wanted.copy;
        installer.clients = match &wanted.clients {
            Some(names) => WantedClients::Named(names.clone()),
            None => WantedClients::Present,
        };
        let mut fetching = Fetching::new(world, installer);
        let source = installer.wanted_source(id, wanted).map_err(failed)?;
        let offers = fetching.offers(&source, &[])?;
        let offers: Vec<Offer> = offers.into_iter().filter(|offer| offer.id == *id).collect();
        if offers.is_empty() {
            warn(&format!("{} has no skill `{id}`", wanted.source));
            continue;
        }
        let plan: Plan = fetching.plan(offers)?;
        for (skill, refusal) in plan.refused() {
            let id = &skill.offer.id;
            warn(&format!(
                "{id} was not placed: {refusal}; {}",
                refusal.help(id)
            ));
        }
        let applied = installer
            .apply(&plan, Consent::Given, Operation::INSTALL)
            .map_err(failed)?;
        placed.extend(applied.placed);
    }
    Ok(placed)
}
