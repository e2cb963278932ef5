//! `skillful add`: from sources to a plan, to a question, to one change.

use skillful_manage::contract::PlanDocument;
use skillful_manage::install::{Applied, Consent, Installer, Offer, Plan};
use skillful_manage::source::fetch::{FetchError, Fetched, Fetcher};
use skillful_manage::source::{Permission, Selector, Source, Surroundings};
use skillful_manage::unpack::Reason;
use skillful_manage::{Operation, Staging};

use crate::args::{AddArgs, ConsentArgs, GlobalArgs};
use crate::ask;
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::manage::{failed, fetcher, installer_for};
use crate::progress::Work;
use crate::render::plan;
use crate::terminal::{counted, print_json, stdout, warn};

pub(crate) fn run(global: &GlobalArgs, args: &AddArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let mut installer = installer_for(&world, global, args.reach, &args.clients)?;
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
        print_json(&PlanDocument::new(&plan, applied.as_ref(), &fetching.notes))?;
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
        format!("Place them, {skills} with findings or keys among them?")
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

/// Sources being fetched into private places, which go when it is dropped.
pub(crate) struct Fetching<'a> {
    installer: &'a Installer<'a>,
    surroundings: Surroundings,
    fetcher: Fetcher,
    staging: Vec<Staging>,
    progress: Work,
    /// What is worth knowing about what was fetched.
    pub(crate) notes: Vec<String>,
}

impl<'a> Fetching<'a> {
    pub(crate) fn new(world: &World, installer: &'a Installer<'a>) -> Self {
        let home = skillful::roots::home(&world.host, &world.options);
        Self {
            installer,
            surroundings: Surroundings {
                home,
                working_directory: world.host.working_directory().to_owned(),
                permission: Permission::Encrypted,
            },
            fetcher: fetcher(installer),
            staging: Vec::new(),
            progress: Work::start(),
            notes: Vec::new(),
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
        let fetched = self.fetch(source)?;
        self.notes.extend(fetched.notes.iter().cloned());
        self.notes.extend(fetched.skills.problems.iter().cloned());
        let picked = fetched.asked_for(names).map_err(CommandError::failed)?;
        let files = self.installer.files();
        Ok(picked
            .into_iter()
            .filter_map(|found| fetched.offer(found, files))
            .collect())
    }

    fn fetch(&mut self, source: &Source) -> Result<Fetched, CommandError> {
        let staging = self.installer.data.objects().stage();
        let staging = staging.map_err(CommandError::failed)?;
        let fetched = self.fetcher.fetch(source, staging.path(), &self.progress);
        self.staging.push(staging);
        fetched.map_err(|error| {
            let failure = CommandError::failed(&error);
            match error {
                FetchError::Refused {
                    reason: Reason::NameNotUtf8,
                    ..
                } => failure.hint(
                    "rename the file, or take it out of the source: no skill with it could be installed everywhere",
                ),
                _ => failure,
            }
        })
    }

    /// Looks at all that was fetched.
    pub(crate) fn plan(&self, offers: Vec<Offer>) -> Result<Plan, CommandError> {
        let plan = self.installer.plan(offers, &self.progress);
        // Nothing may be drawn over the question that follows.
        self.progress.finish();
        plan.map_err(failed)
    }

    pub(crate) fn tell_notes(&self) {
        for note in &self.notes {
            warn(note);
        }
    }
}
