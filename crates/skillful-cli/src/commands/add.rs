//! `skillful add`: from sources to a plan, to a question, to one change.

use skillful_manage::Operation;
use skillful_manage::contract::PlanDocument;
use skillful_manage::install::{Applied, Consent, Installer, Offer, Plan, Proposal, surroundings};
use skillful_manage::source::{Selector, Source, Surroundings};

use crate::args::{AddArgs, ConsentArgs, GlobalArgs};
use crate::ask;
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::manage::{failed, installer_for};
use crate::progress::Work;
use crate::render::plan;
use crate::terminal::{counted, print_json, stdout, warn};

pub(crate) fn run(global: &GlobalArgs, args: &AddArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let mut installer = installer_for(&world, args.reach, &args.clients)?;
    installer.discard_edits = args.consent.discard_edits;
    let names = selectors(&args.skill)?;
    let mut fetching = Fetching::new(&world, &installer);
    let mut offers = Vec::new();
    for text in &args.sources {
        let source = fetching.parse(text)?;
        offers.extend(fetching.offers(&source, &names)?);
    }
    let plan = fetching.plan(offers)?;
    let applied = decide(
        global,
        &world,
        &installer,
        &plan,
        args.consent,
        args.format.is_json(),
    )?;
    if args.format.is_json() {
        print_json(&PlanDocument::new(
            &plan,
            applied.as_ref(),
            fetching.notes(),
        ))?;
    } else {
        fetching.tell_notes();
        if let Some(applied) = &applied {
            let mut out = stdout(global.color);
            plan::write_done(&mut out, applied)?;
        }
    }
    Ok(outcome(&plan, applied.as_ref(), args.consent))
}

/// Fine when nothing was refused, and everything was done that was to be done.
pub(crate) fn outcome(plan: &Plan, applied: Option<&Applied>, consent: ConsentArgs) -> Outcome {
    let is_left_undone = !consent.dry_run
        && plan.changes_something()
        && applied.is_none_or(|applied| applied.entry.is_none());
    if plan.refused().next().is_some() || is_left_undone {
        Outcome::Found
    } else {
        Outcome::Fine
    }
}

/// Shows the plan, asks, and does it. Gives what was done; nothing when it was not to be done.
pub(crate) fn decide(
    global: &GlobalArgs,
    world: &World,
    installer: &Installer<'_>,
    plan: &Plan,
    consent: ConsentArgs,
    is_json: bool,
) -> Result<Option<Applied>, CommandError> {
    if !is_json {
        let mut out = stdout(global.color);
        plan::write(&mut out, world, plan)?;
    }
    if consent.dry_run || !plan.changes_something() {
        return Ok(None);
    }
    if !consent.yes && !is_agreed(plan, is_json)? {
        return Ok(None);
    }
    let applied = installer.apply(plan, Consent::Given, Operation::ADD);
    Ok(Some(applied.map_err(failed)?))
}

fn is_agreed(plan: &Plan, is_json: bool) -> Result<bool, CommandError> {
    let asked = plan.to_be_asked().count();
    let question = if asked > 0 {
        let skills = counted(asked, "skill");
        format!("Place them, {skills} with findings among them?")
    } else {
        "Place them?".to_owned()
    };
    let undone = "nothing was placed: there is nobody to ask";
    ask::agreed(&question, is_json, undone)
}

/// The names of `--skill`.
pub(crate) fn selectors(names: &[String]) -> Result<Vec<Selector>, CommandError> {
    let selector = |name: &String| {
        Selector::parse(name).map_err(|fault| {
            CommandError::usage(format_args!("`{name}` is no name of a skill: {fault}"))
        })
    };
    names.iter().map(selector).collect()
}

/// Sources being fetched, with a sign of life meanwhile.
pub(crate) struct Fetching<'a> {
    installer: &'a Installer<'a>,
    surroundings: Surroundings,
    proposal: Proposal,
    progress: Work,
}

impl<'a> Fetching<'a> {
    pub(crate) fn new(world: &World, installer: &'a Installer<'a>) -> Self {
        Self {
            installer,
            surroundings: surroundings(world),
            proposal: Proposal::new(installer),
            progress: Work::start(),
        }
    }

    /// What somebody typed.
    pub(crate) fn parse(&self, text: &str) -> Result<Source, CommandError> {
        Source::parse(text, &self.surroundings).map_err(CommandError::usage)
    }

    /// Fetches a source, and takes the skills that are asked for.
    pub(crate) fn offers(
        &mut self,
        source: &Source,
        names: &[Selector],
    ) -> Result<Vec<Offer>, CommandError> {
        let offers = self
            .proposal
            .offers(self.installer, source, names, &self.progress);
        offers.map_err(CommandError::failed)
    }

    /// Looks at all that was fetched.
    pub(crate) fn plan(&self, offers: Vec<Offer>) -> Result<Plan, CommandError> {
        let plan = self.installer.plan(offers, &self.progress);
        // Nothing may be drawn over the question that follows.
        self.progress.finish();
        plan.map_err(failed)
    }

    /// What is worth knowing about what was fetched.
    pub(crate) fn notes(&self) -> &[String] {
        &self.proposal.notes
    }

    pub(crate) fn tell_notes(&self) {
        for note in self.notes() {
            warn(note);
        }
    }
}
