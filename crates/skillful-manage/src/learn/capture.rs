//! Storing a lesson as a skill, or saying why not.

use std::path::{Path, PathBuf};

use skillful::records::key_of;
use skillful::{Library, Skill, Source};
use skillful_store::{Applied, Choice};
use skillmd::{Document, Value};

use super::describe::{describe, tidy};
use super::rows;
use super::skill::{document_of, is_learned, learned, manifest, metadata, title_of};
use super::slug::Slug;
use super::{CheckResult, LEARNED, LearnError, Learner, Lesson, UNVERIFIED, VERIFIED, similarity};
use crate::author::{
    AuthorError, Done, Made, Remark, Target, check_strictly, compose, put_document,
};
use crate::gate::Gated;
use crate::state::observe;
use crate::{Operation, limits};

/// What became of a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureOutcome {
    /// There is a new skill.
    Stored,
    /// A skill that was learned before says it from now on.
    Refreshed,
    /// It was not needed.
    Skipped(Skipped),
    /// It was not taken.
    Dropped(Dropped),
}

/// Why a lesson is not needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skipped {
    /// A person wrote a skill of its name.
    Authored,
    /// A skill of its name is part of the program.
    Bundled,
    /// It says nothing.
    Blank,
    /// A learned skill says nearly the same.
    NearDuplicate,
    /// A learned skill says exactly the same.
    Unchanged,
    /// It is too long to be one lesson.
    TooLarge,
    /// The skill that it would refresh is pinned.
    Pinned,
}

/// Why a lesson was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dropped {
    /// Its own check ran and failed.
    CheckFailed,
    /// The guard stands against it, or a person has to look at it first.
    RefusedByScan,
}

impl CaptureOutcome {
    /// The word used in every output: `stored`, `refreshed`, `skipped` or `dropped`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stored => "stored",
            Self::Refreshed => "refreshed",
            Self::Skipped(_) => "skipped",
            Self::Dropped(_) => "dropped",
        }
    }

    /// The word for the reason, where there is one.
    pub const fn reason(self) -> Option<&'static str> {
        match self {
            Self::Stored | Self::Refreshed => None,
            Self::Skipped(reason) => Some(match reason {
                Skipped::Authored => "authored",
                Skipped::Bundled => "bundled",
                Skipped::Blank => "blank",
                Skipped::NearDuplicate => "near-duplicate",
                Skipped::Unchanged => "unchanged",
                Skipped::TooLarge => "too-large",
                Skipped::Pinned => "pinned",
            }),
            Self::Dropped(reason) => Some(match reason {
                Dropped::CheckFailed => "check-failed",
                Dropped::RefusedByScan => "refused-by-scan",
            }),
        }
    }
}

/// What became of a lesson, and of which skill.
#[derive(Clone, Debug)]
pub struct Captured {
    /// What became of it.
    pub outcome: CaptureOutcome,
    /// The skill that was written, or that is why nothing was.
    pub id: Option<String>,
    /// Where that skill lies.
    pub path: Option<PathBuf>,
    /// The number of the change in the history.
    pub seq: Option<u64>,
    /// More about the reason, for people.
    pub detail: Option<String>,
    /// The digest of the skill, or of what the guard refused.
    pub digest: Option<String>,
    /// What people should know about it.
    pub remarks: Vec<Remark>,
    /// What the guard found.
    pub gated: Option<Box<Gated>>,
}

impl Captured {
    fn nothing(outcome: CaptureOutcome) -> Self {
        Self {
            outcome,
            id: None,
            path: None,
            seq: None,
            detail: None,
            digest: None,
            remarks: Vec::new(),
            gated: None,
        }
    }

    fn skipped(reason: Skipped) -> Self {
        Self::nothing(CaptureOutcome::Skipped(reason))
    }

    fn skipped_for(reason: Skipped, skill: &Skill) -> Self {
        Self {
            id: Some(skill.id.clone()),
            path: Some(skill.path.clone()),
            ..Self::skipped(reason)
        }
    }

    fn done(outcome: CaptureOutcome, done: Done) -> Self {
        Self {
            id: Some(done.id),
            path: Some(done.path),
            seq: done.seq,
            digest: done.digest,
            remarks: done.remarks,
            ..Self::nothing(outcome)
        }
    }
}

/// Where a lesson goes.
enum Slot<'l> {
    /// Into a new skill of this name.
    New(String),
    /// Into the skill that was made of an earlier one with the same title.
    Refresh(&'l Skill),
    /// Nowhere.
    Taken(Skipped, &'l Skill),
}

impl Learner<'_> {
    /// Stores a lesson as a skill of this place. Nothing that a person wrote is touched. A lesson with the title of an
    /// earlier one takes its place; what was seen of the skill counts on only if its text stays the same.
    ///
    /// # Errors
    ///
    /// [`LearnError`] when nothing can be said about the lesson; that it is not wanted is an outcome.
    pub fn capture(&self, lesson: &Lesson) -> Result<Captured, LearnError> {
        if lesson.body.trim().is_empty() {
            return Ok(Captured::skipped(Skipped::Blank));
        }
        if lesson.is_too_large() {
            return Ok(Captured::skipped(Skipped::TooLarge));
        }
        let library = self.search();
        let root = self.root()?;
        let title = lesson.tidy_title();
        let slug = Slug::of(&title);
        let slot = slot(&library, &root, &slug, &title)?;
        let refreshed = match &slot {
            Slot::Taken(reason, skill) => return Ok(Captured::skipped_for(*reason, skill)),
            Slot::Refresh(skill) => Some(*skill),
            Slot::New(_) => None,
        };
        if let Some(like) = near_duplicate(&library, &root, lesson, refreshed) {
            return Ok(Captured::skipped_for(Skipped::NearDuplicate, like));
        }
        let id = match &slot {
            Slot::New(id) => id.clone(),
            Slot::Refresh(skill) | Slot::Taken(_, skill) => skill.id.clone(),
        };
        let compose = |tag: &str| compose_lesson(&id, &title, lesson, tag);
        let grade = match self.grade(lesson, refreshed, &compose(UNVERIFIED)?)? {
            Ok(tag) => tag,
            Err(reason) => {
                return Ok(Captured {
                    id: Some(id),
                    detail: Some(reason),
                    ..Captured::nothing(CaptureOutcome::Dropped(Dropped::CheckFailed))
                });
            }
        };
        let document = compose(grade)?;
        match refreshed {
            Some(skill) => self.refresh(skill, &document, lesson),
            None => self.store(&id, document, rows::of_lesson(lesson)),
        }
    }

    /// The tag that the lesson's check gives it, or why it failed.
    fn grade(
        &self,
        lesson: &Lesson,
        refreshed: Option<&Skill>,
        document: &Document,
    ) -> Result<Result<&'static str, String>, LearnError> {
        let Some(check) = lesson.tidy_check() else {
            return Ok(Ok(UNVERIFIED));
        };
        let result = match self.checker {
            None => CheckResult::NotRun(String::new()),
            Some(checker) => {
                let staging = self.author.data.objects().stage()?;
                put_document(&staging, document)?;
                checker.check(staging.path(), check)
            }
        };
        Ok(match result {
            CheckResult::Passed => Ok(VERIFIED),
            CheckResult::Failed(reason) => Err(reason),
            CheckResult::NotRun(_) if refreshed.is_some_and(|it| was_verified(it, document)) => {
                Ok(VERIFIED)
            }
            CheckResult::NotRun(_) => Ok(UNVERIFIED),
        })
    }

    fn store(
        &self,
        id: &str,
        document: Document,
        rows: Option<Vec<u8>>,
    ) -> Result<Captured, LearnError> {
        let made = Made {
            operation: Operation::CAPTURE,
            message: format!("learned {id}"),
            id: id.to_owned(),
            place: self.place.clone(),
            document,
            beside: rows.map(|bytes| (rows::ROWS.to_owned(), bytes)),
        };
        let done = self.author.write_new(made);
        settled(CaptureOutcome::Stored, id, done)
    }

    fn refresh(
        &self,
        skill: &Skill,
        document: &Document,
        lesson: &Lesson,
    ) -> Result<Captured, LearnError> {
        let old = document_of(skill);
        let is_same_body = old.is_some_and(|old| old.body() == document.body());
        check_strictly(document)?;
        let done = self.author.capture_again(skill, &document.to_bytes());
        let done = match done {
            Err(AuthorError::Pinned { .. }) => {
                return Ok(Captured::skipped_for(Skipped::Pinned, skill));
            }
            Ok(done) if done.seq.is_none() => {
                return match self.add_rows(skill, lesson) {
                    Some(rows) => settled(CaptureOutcome::Refreshed, &skill.id, rows),
                    None => Ok(Captured::skipped_for(Skipped::Unchanged, skill)),
                };
            }
            done => done,
        };
        let mut captured = settled(CaptureOutcome::Refreshed, &skill.id, done)?;
        if captured.outcome == CaptureOutcome::Refreshed
            && let Some(rows) = self.add_rows(skill, lesson)
        {
            // The text is taken; what the guard has against the rows is no reason to be without it.
            let rows = settled(CaptureOutcome::Refreshed, &skill.id, rows)?;
            captured.digest = rows.digest.or(captured.digest);
        }
        if captured.outcome == CaptureOutcome::Refreshed && !is_same_body {
            // What was seen was seen of another text.
            let key = key_of(skill);
            self.records.forget_usage(&key)?;
            if self.records.choose(&key, Choice::Restore)? == Applied::Changed {
                captured.remarks.push(Remark::Restored);
            }
        }
        Ok(captured)
    }
}

impl Learner<'_> {
    /// Adds the requests of a lesson to the rows beside a skill; nothing where none are new.
    fn add_rows(&self, skill: &Skill, lesson: &Lesson) -> Option<Result<Done, AuthorError>> {
        let text = rows::with_lesson(skill, lesson)?;
        let target = Target::from(skill.path.to_string_lossy());
        let done = self.author.write_file(&target, rows::ROWS, &text, None);
        match done {
            Ok(done) if done.seq.is_none() => None,
            done => Some(done),
        }
    }
}

/// Where a lesson of this title goes.
fn slot<'l>(
    library: &'l Library,
    root: &Path,
    slug: &Slug,
    title: &str,
) -> Result<Slot<'l>, LearnError> {
    for number in 1..=limits::LESSON_NUMBERS {
        let id = slug.numbered(number);
        let others = library.registry.with_id(&id);
        if others.is_empty() {
            let place = root.join(&id);
            if observe(&place).map_err(AuthorError::from)?.is_absent() {
                return Ok(Slot::New(id));
            }
            continue;
        }
        let mut here = learned(library, root);
        if let Some(skill) = here.find(|skill| skill.id == id && title_of(skill) == title) {
            return Ok(Slot::Refresh(skill));
        }
        // Only a name that says all of the title is the same matter.
        if number == 1 && slug.is_whole {
            if let Some(skill) = others.iter().find(|it| it.root.source == Source::Bundled) {
                return Ok(Slot::Taken(Skipped::Bundled, skill));
            }
            if let Some(skill) = others.iter().find(|it| !is_learned(it)) {
                return Ok(Slot::Taken(Skipped::Authored, skill));
            }
        }
    }
    let path = root.join(slug.numbered(limits::LESSON_NUMBERS));
    Err(AuthorError::Occupied { path }.into())
}

/// A learned skill of this place, other than the one that is refreshed, that says nearly the same.
fn near_duplicate<'l>(
    library: &'l Library,
    root: &Path,
    lesson: &Lesson,
    refreshed: Option<&Skill>,
) -> Option<&'l Skill> {
    let is_other = |skill: &&Skill| refreshed.is_none_or(|other| other.path != skill.path);
    let is_alike = |skill: &&Skill| {
        document_of(skill).is_some_and(|document| {
            similarity(document.body(), &lesson.body) >= limits::NEAR_DUPLICATE
        })
    };
    learned(library, root).filter(is_other).find(is_alike)
}

/// Whether the check of a skill passed for this very text and check.
fn was_verified(skill: &Skill, document: &Document) -> bool {
    let is_tagged = manifest(skill).is_some_and(|it| {
        let is_verified = |tag: &String| tag == VERIFIED;
        it.display.tags.iter().any(is_verified)
    });
    let check = |document: &Document| {
        let mut reporter = skillmd::Reporter::new(document.text());
        let manifest = skillmd::Manifest::read(document, &mut reporter);
        manifest.execution.check.clone()
    };
    is_tagged
        && document_of(skill)
            .is_some_and(|old| old.body() == document.body() && check(&old) == check(document))
}

/// What the guard refuses is an outcome; all else that goes wrong is an error.
fn settled(
    outcome: CaptureOutcome,
    id: &str,
    done: Result<Done, AuthorError>,
) -> Result<Captured, LearnError> {
    match done {
        Ok(done) => Ok(Captured::done(outcome, done)),
        Err(error @ (AuthorError::Dangerous(_) | AuthorError::NeedsConfirmation(_))) => {
            let detail = Some(error.to_string());
            let (AuthorError::Dangerous(gated) | AuthorError::NeedsConfirmation(gated)) = error
            else {
                return Err(error.into());
            };
            Ok(Captured {
                id: Some(id.to_owned()),
                detail,
                digest: gated.digest.clone(),
                gated: Some(gated),
                ..Captured::nothing(CaptureOutcome::Dropped(Dropped::RefusedByScan))
            })
        }
        Err(error) => Err(error.into()),
    }
}

fn compose_lesson(
    id: &str,
    title: &str,
    lesson: &Lesson,
    grade: &str,
) -> Result<Document, LearnError> {
    let given = lesson.description.as_deref().map(tidy);
    let description = given
        .filter(|description| !description.is_empty())
        .unwrap_or_else(|| describe(title, &lesson.body));
    let mut tags = vec![LEARNED.to_owned(), grade.to_owned()];
    tags.extend(lesson.tidy_tags());
    let title = if title.is_empty() { id } else { title };
    let entries = [
        ("description", Value::text(description)),
        ("metadata", metadata(title, &tags, lesson.tidy_check())),
    ];
    Ok(compose(id, entries, &lesson.body)?)
}
