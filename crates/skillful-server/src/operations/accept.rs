//! What people look at and decide: accepting files as they are, mending them, and programs that skills need.

use std::collections::BTreeSet;
use std::time::Duration;

use skillful::check::Subject;
use skillful::contract::{AcceptDocument, AuthoredDocument};
use skillful::discover::Candidate;
use skillful::guard::{AcceptError, GUARD, gather_skill};
use skillful::mend::mend;
use skillful::records::key_of;
use skillful::scanner::Content;
use skillful::system::LifecycleError;
use skillful_manage::author::Target;
use skillful_manage::contract::DepsDocument;
use skillful_manage::deps::{self, ApplyError, Consent, HttpWeb, Places, PlanError, Wishes};
use skillful_manage::progress::Silent;
use skillful_store::{Applied, Reason, Store};

use super::Answer;
use super::author::{By, Edit};
use super::read::find;
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};

impl Engine {
    /// Accepts the files of a skill, which a person has looked at when they had this digest.
    pub fn accept(
        &self,
        id: &str,
        digest: &str,
        reason: &str,
    ) -> Result<Answer<AcceptDocument<'static>>, Failure> {
        let reason: Reason = reason
            .parse()
            .map_err(|error| Failure::new(FailureKind::Invalid, error))?;
        let system = self.system()?;
        let snapshot = system.snapshot();
        let skill = find(&snapshot, id)?;
        let applied = system
            .accept(&skill.id, digest, reason)
            .map_err(not_accepted)?;
        let outcome = match applied {
            Applied::Changed => "accepted",
            Applied::Unchanged => "already-accepted",
        };
        self.accepted(outcome, id)
    }

    /// Takes an acceptance back.
    pub fn revoke(&self, id: &str) -> Result<Answer<AcceptDocument<'static>>, Failure> {
        let system = self.system()?;
        let snapshot = system.snapshot();
        let skill = find(&snapshot, id)?;
        let applied = system.withdraw(&skill.id, GUARD).map_err(not_accepted)?;
        let outcome = match applied {
            Applied::Changed => "revoked",
            Applied::Unchanged => "not-accepted",
        };
        self.accepted(outcome, id)
    }

    fn accepted(
        &self,
        outcome: &'static str,
        id: &str,
    ) -> Result<Answer<AcceptDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let skill = find(&snapshot, id)?;
        let choices = match self.store() {
            Some(store) => store
                .choices()
                .map_err(|error| Failure::new(FailureKind::Unavailable, error))?,
            None => skillful_store::Choices::default(),
        };
        let approval = choices.approval(&key_of(skill), GUARD);
        let document = AcceptDocument::new(outcome, &skill.id, Some(&skill.path), approval);
        Ok(Answer::of(&document)?.typed())
    }

    /// Applies the fixes that diagnostics of a skill's text offer, as one change.
    pub fn fix(&self, id: &str, by: &By) -> Result<Answer<AuthoredDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let skill = find(&snapshot, id)?;
        let gathered = gather_skill(skill);
        let name = skill.path.file_name().unwrap_or_default().to_string_lossy();
        let mut files = gathered.bundle.files().iter();
        let own = files.find(|file| file.path == name);
        let Some(Content::Bytes(bytes)) = own.map(|file| &file.content) else {
            let message = format!("the text of `{}` cannot be read", skill.id);
            return Err(Failure::new(FailureKind::Refused, message));
        };
        let document = skillmd::parse(bytes.clone()).map_err(|error| {
            Failure::new(FailureKind::Refused, format_args!("the file is {error}"))
        })?;
        let subject = Subject::of(&Candidate {
            path: skill.path.clone(),
            form: skill.form.clone(),
            real_directory: None,
            content: Ok(bytes.clone()),
            notes: Vec::new(),
        });
        let mended = mend(document, &subject, &BTreeSet::new());
        if mended.applied.is_empty() {
            let mut document =
                AuthoredDocument::new("unchanged", Some(&skill.id), Some(&skill.path));
            document.digest = gathered.digest.as_deref();
            return Ok(Answer::of(&document)?.typed());
        }
        let edit = Edit::Replace {
            skill: Target::from(skill.id.clone()).expecting(gathered.digest),
            text: mended.text,
        };
        self.edit(&edit, by)
    }

    /// How the programs that a skill needs can be had.
    pub fn needs(&self, id: &str) -> Result<Answer<DepsDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let skill = find(&snapshot, id)?;
        let setup = snapshot.setup();
        let places = Places::new(&setup.host, &setup.options, false);
        let plan = deps::plan(skill, &places, &self.wishes()?).map_err(not_planned)?;
        Ok(Answer::of(&DepsDocument::new(&plan, None))?.typed())
    }

    /// Installs the programs that a skill needs, after somebody looked at the plan, which names the digest.
    pub fn install_needs(
        &self,
        id: &str,
        digest: String,
        timeout: Duration,
    ) -> Result<Answer<DepsDocument<'static>>, Failure> {
        let _turn = self.turn();
        let snapshot = self.snapshot()?;
        let skill = find(&snapshot, id)?;
        let setup = snapshot.setup();
        let places = Places::new(&setup.host, &setup.options, false);
        let plan = deps::plan(skill, &places, &self.wishes()?).map_err(not_planned)?;
        let consent = Consent { digest, timeout };
        let web = HttpWeb::new(timeout);
        let report = deps::apply(&plan, skill, &consent, &places, &web, &Silent);
        let report = report.map_err(|error| {
            let kind = match &error {
                ApplyError::Changed { .. } => FailureKind::Conflict,
                _ => FailureKind::Refused,
            };
            Failure::new(kind, error)
        })?;
        self.system()?.rescan();
        Ok(Answer::of(&DepsDocument::new(&plan, Some(&report)))?.typed())
    }

    /// The operator's preferred ways. What is no way is a fault of the configuration, which `config` tells.
    fn wishes(&self) -> Result<Wishes, Failure> {
        let snapshot = self.snapshot()?;
        let names = snapshot.setup().config.preferred_installers().iter();
        Ok(Wishes {
            prefer: names.filter_map(|name| name.parse().ok()).collect(),
            ..Wishes::default()
        })
    }
}

fn not_accepted(error: LifecycleError) -> Failure {
    match error {
        LifecycleError::LookUp(error) => error.into(),
        LifecycleError::Accept(error @ AcceptError::OtherDigest { .. }) => {
            Failure::new(FailureKind::Conflict, error).hint("look at it again: it has changed")
        }
        LifecycleError::Accept(error) => Failure::new(FailureKind::Refused, error),
        error => Failure::new(FailureKind::Unavailable, error),
    }
}

fn not_planned(error: PlanError) -> Failure {
    let kind = match error {
        PlanError::UnknownSpec { .. } => FailureKind::Invalid,
        PlanError::Changing(_) => FailureKind::Conflict,
    };
    Failure::new(kind, error)
}
