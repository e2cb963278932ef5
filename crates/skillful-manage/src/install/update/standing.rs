//! How every installed skill stands with its source: one question for each repository, however many skills and branches.

use std::collections::BTreeMap;

use rayon::prelude::*;
use skillful_store::journal::Digest;

use super::fetch::{Candidate, fetch_all};
use crate::install::error::InstallError;
use crate::install::remove::find;
use crate::install::{Files, Installer};
use crate::lock::LockedSkill;
use crate::progress::Progress;
use crate::source::fetch::git::{Asked, AskedSkill, Now, Surveyed, SurveyedSkill};
use crate::source::fetch::{FetchError, Fetcher};
use crate::source::{GitSource, Place, Reference, Repository, Source};
use crate::wanted::WantedSkill;

/// How a skill stands with its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The skill's id.
    pub id: String,
    /// What is installed: a version, a commit, or a digest.
    pub current: String,
    /// What the source has now, in the same form, as far as it is known.
    pub latest: Option<String>,
    /// What that means.
    pub kind: StandingKind,
    /// The reason, in plain words, where there is one.
    pub detail: Option<String>,
    /// The id that the source calls it by now, where that is another one.
    pub renamed_to: Option<String>,
}

/// What it means how a skill stands with its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StandingKind {
    /// It is what the source has.
    Current,
    /// The source has another version.
    Update,
    /// Somebody holds it at its version.
    Held,
    /// It was asked for at a commit.
    Pinned,
    /// The source has it no more.
    Removed,
    /// It lies elsewhere in its source.
    Moved,
    /// The source calls it otherwise.
    Renamed,
    /// The tag that it was asked for at names another commit, and it has other files there.
    TagMoved,
    /// The branch does not hold the commit any more that it was fetched at, and it has other files there.
    Rewritten,
    /// The source cannot be asked.
    Unreachable,
    /// Nobody wrote down which version it is, so that only an update can tell.
    Unknown,
}

impl StandingKind {
    /// The word used in output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Update => "update",
            Self::Held => "held",
            Self::Pinned => "pinned",
            Self::Removed => "removed",
            Self::Moved => "moved",
            Self::Renamed => "renamed",
            Self::TagMoved => "tag-moved",
            Self::Rewritten => "rewritten",
            Self::Unreachable => "unreachable",
            Self::Unknown => "unknown",
        }
    }

    /// Whether there is something to do about it.
    pub const fn is_outdated(self) -> bool {
        !matches!(self, Self::Current | Self::Held | Self::Pinned)
    }
}

/// A skill with what was found out about it.
pub(super) struct Known {
    pub(super) locked: LockedSkill,
    pub(super) source: Option<Source>,
    pub(super) standing: Standing,
    /// Whether it is held.
    pub(super) is_held: bool,
    /// The commit that the source is now.
    pub(super) commit: Option<String>,
}

impl Installer<'_> {
    /// Asks the sources of these skills, or of all, whether there is something newer. Sorted by id.
    ///
    /// # Errors
    ///
    /// [`InstallError::NotInstalled`], and when the files cannot be understood. What cannot be asked is told for its
    /// skills.
    pub fn outdated(
        &self,
        ids: &[String],
        fetcher: &Fetcher,
        progress: &dyn Progress,
    ) -> Result<Vec<Standing>, InstallError> {
        let known = self.standings(ids, fetcher, progress, true)?;
        Ok(known.into_iter().map(|known| known.standing).collect())
    }

    /// How these skills stand. Those that are no part of a repository are fetched to be compared, if `compare` is set.
    pub(super) fn standings(
        &self,
        ids: &[String],
        fetcher: &Fetcher,
        progress: &dyn Progress,
        compare: bool,
    ) -> Result<Vec<Known>, InstallError> {
        let lock = self.lock()?;
        let wanted = self.read_wanted()?;
        let skills: Vec<&LockedSkill> = if ids.is_empty() {
            lock.skills().collect()
        } else {
            let mut ids: Vec<&String> = ids.iter().collect();
            ids.sort();
            ids.dedup();
            let found = ids.into_iter().map(|id| find(&lock, id));
            found.collect::<Result<_, _>>()?
        };
        let mut known: Vec<Known> = skills
            .into_iter()
            .map(|skill| first_look(&self.files, skill, wanted.get(&skill.id)))
            .collect();
        self.survey(&mut known, fetcher, progress)?;
        if compare {
            self.compare(&mut known, fetcher, progress)?;
        }
        Ok(known)
    }

    /// Asks the repositories.
    fn survey(
        &self,
        known: &mut [Known],
        fetcher: &Fetcher,
        progress: &dyn Progress,
    ) -> Result<(), InstallError> {
        let questions = questions(known);
        let answers = questions.into_par_iter().map(|question| {
            let staging = self.data.objects().stage_to_look()?;
            let asked: Vec<Asked> = question.states.iter().map(|it| it.asked.clone()).collect();
            let answer = fetcher.survey(&question.repository, &asked, staging.path(), progress);
            Ok((question, answer))
        });
        let answers = answers.collect::<Result<Vec<_>, InstallError>>()?;
        for (question, answer) in answers {
            let states = match answer {
                Ok(states) => states,
                Err(error) => {
                    for state in &question.states {
                        unreachable(known, &state.skills, &error);
                    }
                    continue;
                }
            };
            for (state, answer) in question.states.iter().zip(states) {
                match answer {
                    Ok(surveyed) => note(known, &state.skills, &surveyed),
                    Err(error) => unreachable(known, &state.skills, &error),
                }
            }
        }
        Ok(())
    }

    /// Fetches what has no commits, and compares its digest; and what is not what it was in its repository, because a
    /// name stands in a file, and only files tell whether a skill is gone or called otherwise.
    fn compare(
        &self,
        known: &mut [Known],
        fetcher: &Fetcher,
        progress: &dyn Progress,
    ) -> Result<(), InstallError> {
        let is_open = |known: &&Known| match known.source {
            None => false,
            Some(Source::Git(_)) => known.may_be_renamed(),
            Some(_) => known.standing.kind == StandingKind::Unknown,
        };
        let open: Vec<&Known> = known.iter().filter(is_open).collect();
        let arrived = fetch_all(self, &open, fetcher, progress)?;
        for (id, result) in arrived.candidates {
            let Some(known) = known.iter_mut().find(|known| known.locked.id == id) else {
                continue;
            };
            let is_git = matches!(known.source, Some(Source::Git(_)));
            let latest = known.standing.latest.clone();
            match result {
                // What the repository said of itself holds.
                Err(_) | Ok(Candidate::Same { .. }) if is_git => {}
                Err(reason) => known.is(StandingKind::Unreachable, None, Some(reason)),
                Ok(Candidate::Gone) => known.is(StandingKind::Removed, latest, None),
                Ok(Candidate::Same { offer, .. }) => {
                    let gathered = skillful::guard::gather(&offer.form, &offer.path);
                    let is_same = gathered.digest.as_deref() == Some(&*known.locked.digest);
                    let latest = offer.resolved.version.clone().or(gathered.digest);
                    let kind = if is_same {
                        StandingKind::Current
                    } else {
                        StandingKind::Update
                    };
                    known.is(kind, latest, None);
                }
                Ok(Candidate::Renamed { offer, .. }) => {
                    let detail = format!("it is called `{}` now", offer.id);
                    known.is(StandingKind::Renamed, latest, Some(detail));
                    known.standing.renamed_to = Some(offer.id);
                }
            }
        }
        Ok(())
    }
}

impl Known {
    /// Whether its repository has something else in its place, or nothing, so that it may be called otherwise by now.
    fn may_be_renamed(&self) -> bool {
        use StandingKind::{Moved, Removed, Rewritten, TagMoved, Update};
        matches!(
            self.standing.kind,
            Update | Removed | Moved | TagMoved | Rewritten
        )
    }

    pub(super) fn is(
        &mut self,
        kind: StandingKind,
        latest: Option<String>,
        detail: Option<String>,
    ) {
        self.standing.latest = latest;
        if self.is_held {
            return;
        }
        self.standing.kind = kind;
        self.standing.detail = detail;
    }
}

/// What a person calls the version that is installed.
fn version(skill: &LockedSkill) -> String {
    let resolved = &skill.resolved;
    let version = resolved.version.as_ref().or(resolved.commit.as_ref());
    version.unwrap_or(&skill.digest).clone()
}

fn first_look(files: &Files, skill: &LockedSkill, wanted: Option<&WantedSkill>) -> Known {
    let hold = wanted.and_then(|wanted| wanted.hold.clone());
    let source = files.source(&skill.source);
    let is_pinned = matches!(
        &source,
        Ok(Source::Git(GitSource {
            place: Place::Known {
                reference: Some(Reference::Commit(_)),
                ..
            },
            ..
        }))
    );
    let current = version(skill);
    let (kind, detail) = match (&hold, &source) {
        (Some(reason), _) => (StandingKind::Held, Some(reason.clone())),
        (None, Err(error)) => (StandingKind::Unreachable, Some(error.to_string())),
        (None, Ok(_)) if is_pinned => (StandingKind::Pinned, None),
        (None, Ok(_)) => (StandingKind::Unknown, None),
    };
    let latest = is_pinned.then(|| current.clone());
    Known {
        locked: skill.clone(),
        source: source.ok(),
        standing: Standing {
            id: skill.id.clone(),
            current,
            latest,
            kind,
            detail,
            renamed_to: None,
        },
        is_held: hold.is_some(),
        commit: None,
    }
}

/// What one repository is asked.
struct Question {
    repository: Repository,
    states: Vec<State>,
}

struct State {
    asked: Asked,
    /// Which of the skills that are known.
    skills: Vec<usize>,
}

/// One question for each repository with all its states.
fn questions(known: &[Known]) -> Vec<Question> {
    let mut questions: BTreeMap<String, Question> = BTreeMap::new();
    for (index, skill) in known.iter().enumerate() {
        let Some(Source::Git(git)) = &skill.source else {
            continue;
        };
        let place = match &git.place {
            Place::Known {
                reference: Some(Reference::Commit(_)),
                ..
            } => continue,
            Place::Known { reference, .. } => Place::Known {
                reference: reference.clone(),
                path: None,
            },
            tail @ Place::Tail(_) => tail.clone(),
        };
        let asked = AskedSkill {
            path: skill.locked.resolved.path.clone(),
            commit: skill.locked.resolved.commit.clone(),
            tree: skill.locked.resolved.tree.clone(),
        };
        let question = questions
            .entry(git.repository.url())
            .or_insert_with(|| Question {
                repository: git.repository.clone(),
                states: Vec::new(),
            });
        let known = question
            .states
            .iter_mut()
            .find(|it| it.asked.place == place);
        if let Some(state) = known {
            state.asked.skills.push(asked);
            state.skills.push(index);
        } else {
            question.states.push(State {
                asked: Asked {
                    place,
                    skills: vec![asked],
                },
                skills: vec![index],
            });
        }
    }
    questions.into_values().collect()
}

fn unreachable(known: &mut [Known], skills: &[usize], error: &FetchError) {
    for &index in skills {
        if let Some(known) = known.get_mut(index) {
            known.is(StandingKind::Unreachable, None, Some(error.to_string()));
        }
    }
}

fn note(known: &mut [Known], skills: &[usize], surveyed: &Surveyed) {
    for (&index, skill) in skills.iter().zip(&surveyed.skills) {
        let Some(known) = known.get_mut(index) else {
            continue;
        };
        let (kind, detail) = kind_of(known, surveyed, skill);
        known.commit = Some(surveyed.commit.clone());
        let latest = match kind {
            StandingKind::Current => known.standing.current.clone(),
            _ => surveyed.commit.clone(),
        };
        known.is(kind, Some(latest), detail);
    }
}

fn kind_of(
    known: &Known,
    surveyed: &Surveyed,
    skill: &SurveyedSkill,
) -> (StandingKind, Option<String>) {
    let resolved = &known.locked.resolved;
    if resolved.tree.is_none() && resolved.commit.as_ref() != Some(&surveyed.commit) {
        let detail = "nobody wrote down which version it is; `skillful update` compares it";
        return (StandingKind::Unknown, Some(detail.to_owned()));
    }
    let is_range = matches!(
        &known.source,
        Some(Source::Git(GitSource {
            place: Place::Known {
                reference: Some(Reference::Newest(_)),
                ..
            },
            ..
        }))
    );
    match &skill.now {
        Now::Same => (StandingKind::Current, None),
        Now::Gone => (StandingKind::Removed, None),
        _ if surveyed.is_tag() && !is_range && resolved.commit.is_some() => {
            let detail = format!("{} names another commit now", surveyed.name);
            (StandingKind::TagMoved, Some(detail))
        }
        _ if skill.is_rewritten => {
            let detail = "the history of the branch was rewritten".to_owned();
            (StandingKind::Rewritten, Some(detail))
        }
        Now::Changed { .. } => (StandingKind::Update, None),
        Now::Moved { to, .. } => (StandingKind::Moved, Some(format!("it lies in `{to}` now"))),
    }
}

/// The digest of a text in a lock.
pub(super) fn digest_of(skill: &LockedSkill) -> Option<Digest> {
    skill.digest.parse().ok()
}
