//! Running the checks of learned skills again. A check is a line that a stranger may have written: it runs only when a
//! person approved the skill with its files as they are, in a copy, and within limits.

use std::path::PathBuf;

use skillful::discover::Form;
use skillful::guard;
use skillful::records::approval_of;
use skillful_store::{Applied, Approval, Choice};
use skillmd::{Manifest, Reporter};

use super::skill::with_tags;
use super::{CHECK, CheckResult, LearnError, LearnedSkill, Learner, UNVERIFIED, VERIFIED};
use crate::author::{AuthorError, SKILL_MD};
use crate::objects::Staging;

/// What a check came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Grade {
    /// It passed; the skill is tagged `verified`.
    Verified,
    /// It failed once and passed then, which changes nothing.
    Flaky(String),
    /// It failed twice; the skill was put away.
    Archived(String),
    /// Nobody approved it for the skill's files as they are.
    NotApproved,
    /// It could not be run, which says nothing about the skill.
    NotRun(String),
}

impl Grade {
    /// The word used in every output.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Flaky(_) => "flaky",
            Self::Archived(_) => "archived",
            Self::NotApproved => "not-approved",
            Self::NotRun(_) => "not-run",
        }
    }

    /// Why, where there is more to say.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Verified | Self::NotApproved => None,
            Self::Flaky(reason) | Self::Archived(reason) | Self::NotRun(reason) => Some(reason),
        }
    }
}

/// A learned skill whose check was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graded {
    /// Its id.
    pub id: String,
    /// Its SKILL.md.
    pub path: PathBuf,
    /// The check.
    pub check: String,
    /// What it came to.
    pub grade: Grade,
    /// The number of the change in the history, where its tags changed.
    pub seq: Option<u64>,
}

impl Learner<'_> {
    /// Lets the check of a learned skill run from now on, for its files as they are. A person does this, after reading the
    /// line that is given back.
    ///
    /// # Errors
    ///
    /// [`LearnError`]; [`LearnError::NoCheck`] when there is none.
    pub fn approve_check(&self, id: &str) -> Result<(LearnedSkill, Applied), LearnError> {
        let skill = self.one(id)?;
        if skill.check.is_none() {
            return Err(LearnError::NoCheck(skill.id));
        }
        let library = self.search();
        let found = library.registry.at_path(&skill.path);
        let found = found.ok_or_else(|| LearnError::NotLearned(id.to_owned()))?;
        let approval = approval_of(found, self.author.now())?;
        let what = CHECK.to_owned();
        let applied = self
            .records
            .choose(&skill.key, Choice::Approve { what, approval })?;
        Ok((skill, applied))
    }

    /// Lets it run no longer.
    ///
    /// # Errors
    ///
    /// [`LearnError`].
    pub fn withdraw_check(&self, id: &str) -> Result<(LearnedSkill, Applied), LearnError> {
        let skill = self.one(id)?;
        let what = CHECK.to_owned();
        let applied = self.records.choose(&skill.key, Choice::Withdraw { what })?;
        Ok((skill, applied))
    }

    /// Runs the checks of the learned skills of this place that are not put away, or of one of them. What passes is
    /// tagged `verified`, what fails twice in a row is put away. Without a checker nothing runs.
    ///
    /// # Errors
    ///
    /// [`LearnError`]; what was graded until then stays so.
    pub fn regrade(&self, only: Option<&str>) -> Result<Vec<Graded>, LearnError> {
        let skills = match only {
            Some(id) => vec![self.one(id)?],
            None => self.list()?,
        };
        let mut graded = Vec::new();
        for skill in skills {
            if skill.archived.is_some() && only.is_none() {
                continue;
            }
            match skill.check.clone() {
                Some(check) => graded.push(self.regrade_one(&skill, check)?),
                None if only.is_some() => return Err(LearnError::NoCheck(skill.id)),
                None => {}
            }
        }
        Ok(graded)
    }

    fn regrade_one(&self, skill: &LearnedSkill, check: String) -> Result<Graded, LearnError> {
        let mut graded = Graded {
            id: skill.id.clone(),
            path: skill.path.clone(),
            check,
            grade: Grade::NotApproved,
            seq: None,
        };
        let Some(copy) = self.approved_copy(skill)? else {
            return Ok(graded);
        };
        graded.grade = self.run_twice(&copy, &graded.check);
        match &graded.grade {
            Grade::Verified => graded.seq = self.tag_verified(skill)?,
            Grade::Archived(reason) => {
                let reason = format!("its check failed twice: {reason}");
                self.put_away(&skill.key, &reason)?;
            }
            _ => {}
        }
        Ok(graded)
    }

    /// A copy of a skill to run its check in, if a person approved these very files and this very line.
    fn approved_copy(&self, skill: &LearnedSkill) -> Result<Option<Staging>, LearnError> {
        let choices = self.records.choices()?;
        let Some(approval) = choices.approval(&skill.key, CHECK) else {
            return Ok(None);
        };
        let objects = self.author.data.objects();
        let directory = skill.path.parent().unwrap_or(&skill.path);
        let directory = std::fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
        let tree = objects.put_tree(&directory)?;
        let staging = objects.stage()?;
        objects.copy_tree(&tree.digest(), staging.path())?;
        let main = staging.path().join(SKILL_MD);
        let gathered = guard::gather(&Form::Directory, &main);
        let is_same = gathered.digest.as_deref() == Some(&*approval.digest);
        let says = std::fs::read(&main)
            .ok()
            .and_then(|text| skillmd::parse(text).ok());
        let says = says.and_then(|document| {
            let mut reporter = Reporter::new(document.text());
            Manifest::read(&document, &mut reporter)
                .execution
                .check
                .clone()
        });
        Ok((is_same && says == skill.check).then_some(staging))
    }

    fn run_twice(&self, copy: &Staging, check: &str) -> Grade {
        let Some(checker) = self.checker else {
            return Grade::NotRun("nothing here runs checks".to_owned());
        };
        let run = || checker.check(copy.path(), check.trim());
        match run() {
            CheckResult::Passed => Grade::Verified,
            CheckResult::NotRun(reason) => Grade::NotRun(reason),
            CheckResult::Failed(first) => match run() {
                CheckResult::Passed => Grade::Flaky(first),
                CheckResult::NotRun(reason) => Grade::NotRun(reason),
                CheckResult::Failed(second) => Grade::Archived(second),
            },
        }
    }

    /// Tags a skill as verified. The approval follows: nothing but the tag is new.
    fn tag_verified(&self, skill: &LearnedSkill) -> Result<Option<u64>, LearnError> {
        let mut tags: Vec<String> = skill.tags.clone();
        tags.retain(|tag| tag != UNVERIFIED && tag != VERIFIED);
        let place = tags.len().min(1);
        tags.insert(place, VERIFIED.to_owned());
        if tags == skill.tags {
            return Ok(None);
        }
        let library = self.search();
        let found = library.registry.at_path(&skill.path);
        let found = found.ok_or_else(|| LearnError::NotLearned(skill.id.clone()))?;
        let Some(document) = super::skill::document_of(found) else {
            return Ok(None);
        };
        let tagged = with_tags(&document, &tags).map_err(AuthorError::from)?;
        let done = self.author.capture_again(found, &tagged.to_bytes())?;
        if let Some(digest) = done.digest {
            let approval = Approval::new(digest, self.author.now());
            let what = CHECK.to_owned();
            self.records
                .choose(&skill.key, Choice::Approve { what, approval })?;
        }
        Ok(done.seq)
    }
}
