//! What an update would do with each skill. Nothing is changed where a client looks.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skillful::discover::Form;
use skillful_guard::{Decision, Finding};
use skillful_store::journal::{Digest, State};

use super::fetch::{Candidate, fetch_all};
use super::standing::{Known, StandingKind, digest_of};
use super::{NextVersion, PlannedUpdate, UpdatePlan, UpdateStep, UpdateWish};
use crate::capability::{Capability, CapabilityDiff};
use crate::difference::{self, Version};
use crate::gate::Gated;
use crate::install::Installer;
use crate::install::error::InstallError;
use crate::install::hidden::secret_files;
use crate::install::offer::{Offer, keep};
use crate::install::placement::Placement;
use crate::install::plan::Refusal;
use crate::install::restore::relative_link;
use crate::lock::LockedSkill;
use crate::progress::{Progress, Step};
use crate::source::Source;
use crate::source::fetch::Fetcher;
use crate::state::observe;
use crate::targets::{self, Method};
use crate::unpack::is_device;

impl Installer<'_> {
    /// Asks the sources of the skills that are meant, fetches what changed, looks at it, and says what would be done. No
    /// other skill is touched.
    ///
    /// # Errors
    ///
    /// [`InstallError::NotInstalled`], and when the files of what is installed cannot be understood or something cannot
    /// be kept. What stands against one skill is told in its plan.
    pub fn plan_update(
        &self,
        wish: &UpdateWish,
        fetcher: &Fetcher,
        progress: &dyn Progress,
    ) -> Result<UpdatePlan, InstallError> {
        let known = self.standings(&wish.ids, fetcher, progress, false)?;
        let changed: Vec<&Known> = known.iter().filter(|it| is_to_be_fetched(it)).collect();
        let mut arrived = fetch_all(self, &changed, fetcher, progress)?;
        let mut plan = UpdatePlan {
            notes: std::mem::take(&mut arrived.notes),
            ..UpdatePlan::default()
        };
        progress.step(Step::Begin("scanning"));
        let total = known.len() as u64;
        for (done, known) in (1..).zip(&known) {
            let candidate = arrived.candidates.remove(&known.locked.id);
            plan.skills.push(self.planned(known, candidate, wish)?);
            progress.step(Step::Count { done, total });
        }
        progress.step(Step::End);
        Ok(plan)
    }

    fn planned(
        &self,
        known: &Known,
        candidate: Option<Result<Candidate, String>>,
        wish: &UpdateWish,
    ) -> Result<PlannedUpdate, InstallError> {
        let mut planned = PlannedUpdate {
            locked: known.locked.clone(),
            standing: known.standing.clone(),
            commit: known.commit.clone(),
            step: UpdateStep::Nothing,
            next: None,
            notes: Vec::new(),
        };
        let Some(candidate) = candidate else {
            let standing = &planned.standing;
            if standing.kind == StandingKind::Unreachable {
                let reason = standing.detail.clone().unwrap_or_default();
                planned.step = UpdateStep::Unreachable(reason);
            } else if standing.kind == StandingKind::Current && is_behind(known) {
                planned.step = UpdateStep::Record;
            }
            return Ok(planned);
        };
        match candidate {
            Err(reason) => {
                planned.standing.kind = StandingKind::Unreachable;
                planned.standing.detail = Some(reason.clone());
                planned.step = UpdateStep::Unreachable(reason);
            }
            Ok(Candidate::Gone) => {
                planned.standing.kind = StandingKind::Removed;
                self.plan_gone(&mut planned, wish.prune)?;
            }
            Ok(Candidate::Same { offer, moved_to }) => {
                if let Some(to) = moved_to {
                    planned
                        .notes
                        .push(format!("it lies in `{to}` of its source now"));
                }
                self.plan_next(&mut planned, *offer, None)?;
            }
            Ok(Candidate::Renamed { offer, is_guess }) => {
                let to = offer.id.clone();
                planned.standing.kind = StandingKind::Renamed;
                planned.standing.renamed_to = Some(to.clone());
                planned
                    .notes
                    .push(format!("its source calls it `{to}` now"));
                let guess = format!("`{to}` is taken for it because most of its text is the same");
                let question = is_guess.then_some(guess);
                self.plan_next(&mut planned, *offer, question)?;
            }
        }
        Ok(planned)
    }

    /// A skill that its source has no more.
    fn plan_gone(&self, planned: &mut PlannedUpdate, prune: bool) -> Result<(), InstallError> {
        planned.step = UpdateStep::Gone;
        if !prune {
            return Ok(());
        }
        planned.step = UpdateStep::Remove;
        for target in &planned.locked.targets {
            let path = self.place(&planned.locked, &target.path)?;
            let before = observe(&path)?;
            if !self.may_replace(&before, &planned.locked, &path)? {
                planned.step = UpdateStep::Refuse(Refusal::Edited { path });
                break;
            }
        }
        Ok(())
    }

    /// A skill of which the source has another version.
    fn plan_next(
        &self,
        planned: &mut PlannedUpdate,
        mut offer: Offer,
        question: Option<String>,
    ) -> Result<(), InstallError> {
        let locked = &planned.locked;
        let is_renamed = offer.id != locked.id;
        if !is_renamed {
            // What was asked for stays what is asked for.
            offer.source.clone_from(&locked.source);
        }
        let gathered = skillful::guard::gather(&offer.form, &offer.path);
        let kept = keep(&gathered.bundle, &offer.form, &self.data.objects())?;
        let trust = self.trust_of(&offer.source);
        let gated = self.gate.judge(&gathered.bundle, gathered.digest, trust);
        let before = self.before(locked)?;
        let is_same = kept.digest().to_string() == locked.digest;
        let (placements, in_the_way) = self.places(locked, &offer.id, &kept.digest())?;
        let mut questions: Vec<String> = question.into_iter().collect();
        match planned.standing.kind {
            StandingKind::TagMoved => questions.push(
                "a tag ought to stay where it is, and this one was moved to another commit"
                    .to_owned(),
            ),
            StandingKind::Rewritten => questions.push(
                "the history of the branch was rewritten, so that nobody can follow what changed"
                    .to_owned(),
            ),
            _ => {}
        }
        if gated.decision == Decision::Ask {
            questions.push("the scan has findings".to_owned());
        }
        let secrets = secret_files(&kept.tree);
        if !secrets.is_empty() && !is_same {
            questions.push(format!("files of it may hold keys: {}", secrets.join(", ")));
        }
        planned.step = step(&offer, &gated, is_same, is_renamed, in_the_way);
        if is_same && planned.standing.kind == StandingKind::Unknown {
            planned.standing.kind = StandingKind::Current;
            planned.standing.detail = None;
        } else if planned.standing.kind == StandingKind::Unknown {
            planned.standing.kind = StandingKind::Update;
            planned.standing.detail = None;
        }
        if planned.standing.latest.is_none() {
            let resolved = &offer.resolved;
            let version = resolved.version.clone().or_else(|| resolved.commit.clone());
            planned.standing.latest = version.or_else(|| Some(kept.digest().to_string()));
        }
        if planned.step == UpdateStep::Record && offer.resolved == locked.resolved {
            planned.step = UpdateStep::Nothing;
        }
        let after = Version::at(&self.data.objects().tree_path(&kept.digest()))?;
        planned.next = Some(NextVersion {
            changes: difference::between(&before.version, &after),
            capabilities: CapabilityDiff::between(&before.capabilities, &gated.capabilities),
            findings: new_findings(&before.findings, &gated),
            offer,
            kept,
            gated,
            placements,
            questions,
        });
        Ok(())
    }

    /// The version that is installed: from what is kept, else from a place where it still is as it was placed.
    fn before(&self, skill: &LockedSkill) -> Result<Before, InstallError> {
        let objects = self.data.objects();
        let mut directory = None;
        if let Some(digest) = digest_of(skill) {
            if objects.tree(&digest).is_ok() {
                directory = Some(objects.tree_path(&digest));
            } else {
                for target in &skill.targets {
                    let path = self.place(skill, &target.path)?;
                    if matches!(observe(&path), Ok(State::Tree { digest: found }) if found == digest)
                    {
                        directory = Some(path);
                        break;
                    }
                }
            }
        }
        let Some(directory) = directory else {
            return Ok(Before {
                version: Version::listed(&skill.files),
                ..Before::default()
            });
        };
        let main = skill.files.iter().map(|file| file.path.as_str());
        let main = main
            .into_iter()
            .find(|path| path.eq_ignore_ascii_case("SKILL.md"));
        let path = directory.join(main.unwrap_or("SKILL.md"));
        let gated = self
            .gate
            .look(&Form::Directory, &path, self.trust_of(&skill.source));
        Ok(Before {
            version: Version::at(&directory)?,
            capabilities: gated.capabilities,
            findings: gated.judged.findings,
        })
    }

    /// Every place of a skill with its state now and after the update, and the first that is in the way.
    fn places(
        &self,
        skill: &LockedSkill,
        id: &str,
        tree: &Digest,
    ) -> Result<(Vec<Placement>, Option<Refusal>), InstallError> {
        let old = skill.targets.iter().map(|it| self.place(skill, &it.path));
        let old = old.collect::<Result<Vec<PathBuf>, InstallError>>()?;
        let new: Vec<PathBuf> = if id == skill.id {
            old.clone()
        } else {
            old.iter().map(|path| path.with_file_name(id)).collect()
        };
        let targets = skill.targets.iter().zip(&new);
        let first = targets.clone().find(|(it, _)| it.method == Method::Copy);
        let first = first.map(|(_, path)| path.as_path());
        let object = self.data.objects().tree_path(tree);
        let mut placements = Vec::new();
        let mut in_the_way = None;
        for ((target, path), old) in targets.zip(&old) {
            let before = observe(path)?;
            let after = match (target.method, first) {
                (Method::Copy, _) => State::Tree { digest: *tree },
                (Method::Link, Some(first)) if leads_to(path, first) => before.clone(),
                (Method::Link, Some(first)) => relative_link(path, first),
                (Method::Link, None) => State::Link {
                    target: object.to_string_lossy().into_owned(),
                },
            };
            if in_the_way.is_none() {
                in_the_way = self.blocking(skill, old, path, &before, &after)?;
            }
            placements.push(Placement {
                client: target.client.as_deref().map(Arc::from),
                readers: Vec::new(),
                path: path.clone(),
                method: target.method,
                before,
                after,
            });
        }
        Ok((placements, in_the_way))
    }

    /// What stands against changing one place.
    fn blocking(
        &self,
        skill: &LockedSkill,
        old: &Path,
        path: &Path,
        before: &State,
        after: &State,
    ) -> Result<Option<Refusal>, InstallError> {
        let path = path.to_owned();
        if old != path {
            let found = observe(old)?;
            if !self.may_replace(&found, skill, old)? {
                let path = old.to_owned();
                return Ok(Some(Refusal::Edited { path }));
            }
            let is_free = before.is_absent();
            return Ok((!is_free).then_some(Refusal::Occupied { path }));
        }
        let is_fine = before == after || self.may_replace(before, skill, &path)?;
        Ok((!is_fine).then_some(Refusal::Edited { path }))
    }

    /// Whether what is at a place of a skill may be replaced: nothing, or what was put there, or anything when edits are to
    /// be discarded.
    pub(super) fn may_replace(
        &self,
        found: &State,
        skill: &LockedSkill,
        path: &Path,
    ) -> Result<bool, InstallError> {
        if found.is_absent() || self.discard_edits || self.is_as_placed(found, skill, path)? {
            return Ok(true);
        }
        // A link to an object of ours that is gone.
        let object = digest_of(skill).map(|digest| self.data.objects().tree_path(&digest));
        Ok(match (found, object) {
            (State::Link { target }, Some(object)) => *target == object.to_string_lossy(),
            _ => false,
        })
    }
}

/// What is known of the version that is installed.
#[derive(Debug, Default)]
struct Before {
    version: Version,
    capabilities: BTreeSet<Capability>,
    findings: Vec<Finding>,
}

fn step(
    offer: &Offer,
    gated: &Gated,
    is_same: bool,
    is_renamed: bool,
    in_the_way: Option<Refusal>,
) -> UpdateStep {
    if is_same && !is_renamed {
        return UpdateStep::Record;
    }
    if is_device(&offer.id) {
        let folder = offer.id.clone();
        return UpdateStep::Refuse(Refusal::Folder { folder });
    }
    if gated.digest.is_none() {
        return UpdateStep::Refuse(Refusal::Unreadable);
    }
    if gated.decision == Decision::Deny {
        return UpdateStep::Refuse(Refusal::Dangerous);
    }
    if let Some(refusal) = in_the_way {
        return UpdateStep::Refuse(refusal);
    }
    if is_renamed {
        let to = offer.id.clone();
        return UpdateStep::Rename { to };
    }
    UpdateStep::Replace
}

/// The findings that the version before did not have; where in a file they stand does not count.
fn new_findings(before: &[Finding], gated: &Gated) -> Vec<Finding> {
    let is_known = |finding: &&Finding| {
        before.iter().any(|old| {
            (old.rule, &old.path, &old.excerpt) == (finding.rule, &finding.path, &finding.excerpt)
        })
    };
    let findings = gated.worst().into_iter();
    findings.filter(|it| !is_known(it)).cloned().collect()
}

/// Whether something newer of a source has to be fetched.
fn is_to_be_fetched(known: &Known) -> bool {
    !known.is_held
        && !matches!(
            known.standing.kind,
            StandingKind::Current | StandingKind::Pinned | StandingKind::Unreachable
        )
}

/// Whether the source has gone on, with the skill as it was.
fn is_behind(known: &Known) -> bool {
    let is_git = matches!(known.source, Some(Source::Git(_)));
    is_git && known.commit.is_some() && known.commit != known.locked.resolved.commit
}

/// Whether a link leads to another place already, whatever it says.
fn leads_to(path: &Path, first: &Path) -> bool {
    let is_link = path
        .symlink_metadata()
        .is_ok_and(|found| found.is_symlink());
    is_link && targets::real(path) == targets::real(first)
}
