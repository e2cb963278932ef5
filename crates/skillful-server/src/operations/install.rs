//! Installing, updating and removing: what it would do, doing it, and how what is installed stands.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;
use skillful::Snapshot;
use skillful_guard::Decision;
use skillful_manage::contract::{
    DiffDocument, InstalledDocument, OutdatedDocument, PlanDocument, RemoveDocument,
    UpdateDocument, VerifyDocument,
};
use skillful_manage::gate::Gate;
use skillful_manage::install::{
    Consent, InstallError, Installer, Plan, Proposal, UpdatePlan, UpdateWish, surroundings,
};
use skillful_manage::progress::{Progress, Silent};
use skillful_manage::source::{Selector, Source};
use skillful_manage::targets::{Reach, TargetError, WantedClients};
use skillful_manage::{ChangeError, Operation, Writer};

use super::Answer;
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};

/// What a plan is to be made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposing {
    /// Skills that are to be added.
    Add(Adding),
    /// Skills that are to be brought to their newest version.
    Update(Updating),
}

/// Skills that are to be added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Adding {
    /// Where they come from, as somebody types it.
    pub sources: Vec<String>,
    /// Which of them; empty for those that a source offers by default.
    pub skills: Vec<String>,
    /// Ids of the clients that are to have them, or `all`; empty for those that are there.
    pub clients: Vec<String>,
    /// For the user rather than for the project.
    pub global: bool,
    /// Every client gets a copy.
    pub copy: bool,
    /// Places that were changed since are replaced.
    pub discard_edits: bool,
}

/// Skills that are to be brought to their newest version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Updating {
    /// Which; empty for all.
    pub ids: Vec<String>,
    /// Those that their source has no more are taken away.
    pub prune: bool,
    /// Those of the user rather than of the project.
    pub global: bool,
    /// Places that were changed since are replaced.
    pub discard_edits: bool,
}

/// A plan that waits for a decision, with all that it needs to be carried out.
#[derive(Debug)]
pub(super) struct Prepared {
    snapshot: Arc<Snapshot>,
    wish: Proposing,
    work: Work,
    /// Holds what was fetched.
    proposal: Option<Proposal>,
}

/// A plan that was decided about.
#[derive(Debug)]
pub(super) struct Applying(Prepared);

#[derive(Debug)]
enum Work {
    Add(Plan),
    Update(UpdatePlan),
}

impl Proposing {
    /// Whether it makes sense, as far as that can be said without fetching anything.
    pub(super) fn check(&self, engine: &Engine) -> Result<(), Failure> {
        let snapshot = engine.snapshot()?;
        self.installer(&snapshot)?;
        if let Self::Add(adding) = self {
            if adding.sources.is_empty() {
                return Err(Failure::new(FailureKind::Invalid, "no source is named"));
            }
            adding.parsed(&snapshot)?;
        }
        Ok(())
    }

    /// Fetches and looks.
    pub(super) fn prepare(
        self,
        engine: &Engine,
        progress: &dyn Progress,
    ) -> Result<Prepared, Failure> {
        let snapshot = engine.snapshot()?;
        let (work, proposal) = {
            let installer = self.installer(&snapshot)?;
            match &self {
                Self::Add(adding) => {
                    let (sources, names) = adding.parsed(&snapshot)?;
                    let mut proposal = Proposal::new(&installer);
                    let mut offers = Vec::new();
                    for source in &sources {
                        let found = proposal.offers(&installer, source, &names, progress);
                        offers.extend(
                            found.map_err(|error| Failure::new(FailureKind::Unavailable, error))?,
                        );
                    }
                    let plan = installer.plan(offers, progress).map_err(failed)?;
                    (Work::Add(plan), Some(proposal))
                }
                Self::Update(updating) => {
                    let wish = UpdateWish {
                        ids: updating.ids.clone(),
                        prune: updating.prune,
                    };
                    let fetcher = installer.fetcher();
                    let plan = installer.plan_update(&wish, &fetcher, progress);
                    (Work::Update(plan.map_err(failed)?), None)
                }
            }
        };
        Ok(Prepared {
            snapshot,
            wish: self,
            work,
            proposal,
        })
    }

    fn installer<'s>(&self, snapshot: &'s Snapshot) -> Result<Installer<'s>, Failure> {
        let (global, discard_edits) = match self {
            Self::Add(adding) => (adding.global, adding.discard_edits),
            Self::Update(updating) => (updating.global, updating.discard_edits),
        };
        let mut installer = installer(snapshot, global)?;
        installer.discard_edits = discard_edits;
        if let Self::Add(adding) = self {
            installer.copy = adding.copy;
            installer.clients = match &adding.clients[..] {
                [] => WantedClients::Present,
                names if names.iter().any(|name| name == "all") => WantedClients::All,
                names => WantedClients::Named(names.to_vec()),
            };
        }
        Ok(installer)
    }
}

impl Adding {
    fn parsed(&self, snapshot: &Snapshot) -> Result<(Vec<Source>, Vec<Selector>), Failure> {
        let invalid = |error: &dyn std::fmt::Display| Failure::new(FailureKind::Invalid, error);
        let around = surroundings(snapshot.setup());
        let sources = self
            .sources
            .iter()
            .map(|text| Source::parse(text, &around).map_err(|error| invalid(&error)));
        let names = self.skills.iter().map(|name| {
            let fault = |fault: &dyn std::fmt::Display| {
                invalid(&format_args!("`{name}` is no name of a skill: {fault}"))
            };
            Selector::parse(name).map_err(|error| fault(&error))
        });
        Ok((
            sources.collect::<Result<_, _>>()?,
            names.collect::<Result<_, _>>()?,
        ))
    }
}

impl Prepared {
    /// The document of the plan as it is.
    pub(super) fn document(&self) -> Result<Value, Failure> {
        let answer = match &self.work {
            Work::Add(plan) => Answer::of(&PlanDocument::new(plan, None, self.notes()))?.value,
            Work::Update(plan) => Answer::of(&UpdateDocument::new(plan, None))?.value,
        };
        Ok(answer)
    }

    fn notes(&self) -> &[String] {
        self.proposal.as_ref().map_or(&[], |it| &it.notes)
    }

    /// Whether a person has looked at everything that they have to look at.
    pub(super) fn decide(&self, digests: &[String]) -> Result<(), Failure> {
        let asked = self.asked();
        let missing: Vec<&(String, String)> = asked
            .iter()
            .filter(|(_, digest)| !digests.contains(digest))
            .collect();
        if !missing.is_empty() {
            let named: Vec<&str> = missing.iter().map(|(id, _)| id.as_str()).collect();
            let message = format!("a person has to look at {} first", named.join(", "));
            let failure = Failure::new(FailureKind::Refused, message);
            return Err(missing.iter().fold(failure, |failure, (id, digest)| {
                failure.hint(format!(
                    "send {digest} in `digests` once somebody has looked at {id}"
                ))
            }));
        }
        match digests
            .iter()
            .find(|it| !asked.iter().any(|(_, asked)| asked == *it))
        {
            Some(other) => {
                let message = format!("the plan asks nothing about {other}");
                Err(Failure::new(FailureKind::Conflict, message)
                    .hint("look at the plan again: it is not the one that was looked at"))
            }
            None => Ok(()),
        }
    }

    /// What a person has to say yes to, by id and digest.
    fn asked(&self) -> Vec<(String, String)> {
        match &self.work {
            Work::Add(plan) => plan
                .to_be_asked()
                .map(|skill| (skill.offer.id.clone(), skill.kept.digest().to_string()))
                .collect(),
            Work::Update(plan) => plan
                .skills
                .iter()
                .filter(|skill| skill.changes_files())
                .filter_map(|skill| {
                    let next = skill.next.as_ref()?;
                    let is_asked =
                        !next.questions.is_empty() || next.gated.decision == Decision::Ask;
                    is_asked.then(|| (next.offer.id.clone(), next.kept.digest().to_string()))
                })
                .collect(),
        }
    }

    pub(super) fn into_work(self) -> Applying {
        Applying(self)
    }
}

impl Applying {
    /// Does it: one change. What a person had to look at was looked at.
    pub(super) fn apply(self, engine: &Engine) -> Result<Value, Failure> {
        let prepared = self.0;
        let _turn = engine.turn();
        let installer = prepared.wish.installer(&prepared.snapshot)?;
        let value = match &prepared.work {
            Work::Add(plan) => {
                let applied = installer
                    .apply(plan, Consent::Given, Operation::ADD)
                    .map_err(failed)?;
                Answer::of(&PlanDocument::new(plan, Some(&applied), prepared.notes()))?.value
            }
            Work::Update(plan) => {
                let updated = installer.apply_update(plan, Consent::Given);
                let updated = updated.map_err(failed)?;
                Answer::of(&UpdateDocument::new(plan, Some(&updated)))?.value
            }
        };
        engine.system()?.rescan();
        Ok(value)
    }
}

impl Engine {
    /// Adds skills, as far as nobody has to be asked; or only plans it. What the guard has doubts about, or refuses, is an
    /// error that says what a person has to do, and nothing is placed then.
    pub fn add_unasked(
        &self,
        adding: Adding,
        is_planned_only: bool,
    ) -> Result<Answer<PlanDocument<'static>>, Failure> {
        let command = format!("skillful add {}", adding.sources.join(" "));
        let prepared = Proposing::Add(adding).prepare(self, &Silent)?;
        if is_planned_only {
            return Ok(Answer::from_value(prepared.document()?));
        }
        if let Work::Add(plan) = &prepared.work
            && let Some((skill, refusal)) = plan.refused().next()
        {
            let id = &skill.offer.id;
            let message = format!("`{id}` is not placed: {refusal}");
            return Err(Failure::new(FailureKind::Refused, message).hint(refusal.help(id)));
        }
        if prepared.asked().is_empty() {
            return Ok(Answer::from_value(prepared.into_work().apply(self)?));
        }
        let names: Vec<String> = prepared.asked().into_iter().map(|(id, _)| id).collect();
        let message = format!("a person has to look at {} first", names.join(", "));
        Err(Failure::new(FailureKind::Refused, message).hint(format!(
            "tell the person what the guard found (dry_run shows it); they decide with `{command}`"
        )))
    }

    /// What is installed.
    pub fn installed(&self, global: bool) -> Result<Answer<InstalledDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let installer = installer(&snapshot, global)?;
        let lock = installer.lock().map_err(failed)?;
        let document = InstalledDocument::new(&installer.files().lock, &lock);
        Ok(Answer::of(&document)?.typed())
    }

    /// Whether what is installed is as it was installed.
    pub fn verify(&self, global: bool) -> Result<Answer<VerifyDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let drift = installer(&snapshot, global)?.verify().map_err(failed)?;
        Ok(Answer::of(&VerifyDocument::new(&drift))?.typed())
    }

    /// Whether there is something newer. Asks the sources.
    pub fn outdated(
        &self,
        ids: &[String],
        global: bool,
    ) -> Result<Answer<OutdatedDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let installer = installer(&snapshot, global)?;
        let standings = installer.outdated(ids, &installer.fetcher(), &Silent);
        Ok(Answer::of(&OutdatedDocument::new(&standings.map_err(failed)?))?.typed())
    }

    /// What was changed in an installed skill by hand.
    pub fn diff(&self, id: &str, global: bool) -> Result<Answer<DiffDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let found = installer(&snapshot, global)?.diff(&[id.to_owned()]);
        Ok(Answer::of(&DiffDocument::new(&found.map_err(failed)?))?.typed())
    }

    /// Takes an installed skill away from every client.
    pub fn remove(
        &self,
        id: &str,
        global: bool,
        discard_edits: bool,
    ) -> Result<Answer<RemoveDocument<'static>>, Failure> {
        let _turn = self.turn();
        let snapshot = self.snapshot()?;
        let mut installer = installer(&snapshot, global)?;
        installer.discard_edits = discard_edits;
        let removed = installer.remove(&[id.to_owned()]).map_err(failed)?;
        let paths: Vec<PathBuf> = removed.paths.clone();
        self.system()?.reload(paths);
        Ok(Answer::of(&RemoveDocument::new(&removed))?.typed())
    }
}

fn installer(snapshot: &Snapshot, global: bool) -> Result<Installer<'_>, Failure> {
    let setup = snapshot.setup();
    let gate = Gate::of(&setup.config);
    let gate = gate.map_err(|error| Failure::new(FailureKind::Unavailable, error))?;
    let installer = Installer::new(setup, Reach::usual(setup, global), gate).map_err(failed)?;
    Writer::settle(&installer.data)
        .map_err(|error| Failure::new(FailureKind::Unavailable, error))?;
    Ok(installer)
}

/// An error of installing, with the way out.
#[expect(clippy::needless_pass_by_value, reason = "it stands behind `map_err`")]
fn failed(error: InstallError) -> Failure {
    let kind = match &error {
        InstallError::Target(
            TargetError::UnknownClient { .. } | TargetError::NoDirectory { .. },
        ) => FailureKind::Invalid,
        InstallError::NotInstalled { .. } => FailureKind::NotFound,
        InstallError::Edited { .. } | InstallError::Change(ChangeError::Changed(_)) => {
            FailureKind::Conflict
        }
        InstallError::NoHome | InstallError::LeadsOut(_) | InstallError::Outside { .. } => {
            FailureKind::Refused
        }
        _ => FailureKind::Unavailable,
    };
    let failure = Failure::new(kind, &error);
    match &error {
        InstallError::Target(TargetError::UnknownClient { near, .. })
        | InstallError::NotInstalled { near, .. } => match near.first() {
            Some(near) => failure.hint(format!("did you mean `{near}`?")),
            None => failure,
        },
        InstallError::Edited { .. } => failure.hint("`discard_edits` goes on all the same"),
        InstallError::Change(ChangeError::Changed(_)) => {
            failure.hint("something changed meanwhile; look again and repeat it")
        }
        _ => failure,
    }
}
