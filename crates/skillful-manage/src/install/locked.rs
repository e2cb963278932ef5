//! Sources as the lock and what is wanted say them: fetching the very same again, and telling whether two are one.

use super::Installer;
use super::error::InstallError;
use super::offer::{Offer, keep};
use crate::lock::LockedSkill;
use crate::source::{Commit, GitSource, Place, Reference, Selector, Source};
use crate::wanted::WantedSkill;

impl Installer<'_> {
    /// The source of a skill at the very state that the lock names: the commit of a repository, the version of a hub.
    ///
    /// # Errors
    ///
    /// [`InstallError::Source`] when the lock holds a text that is no source.
    pub fn source_as_locked(&self, skill: &LockedSkill) -> Result<Source, InstallError> {
        let source = self.parse(&skill.id, &skill.source)?;
        Ok(match source {
            Source::Git(git) => Source::Git(at_commit(git, skill)),
            other => other,
        })
    }

    /// The source of a skill that is wanted.
    ///
    /// # Errors
    ///
    /// [`InstallError::Source`] when its text is none.
    pub fn wanted_source(&self, id: &str, wanted: &WantedSkill) -> Result<Source, InstallError> {
        self.parse(id, &wanted.source)
    }

    /// Keeps the files of a skill that was fetched anew, if they are the ones that the lock names.
    ///
    /// # Errors
    ///
    /// [`InstallError::NotAsLocked`] when they are not, or when the skill is not there any more.
    pub fn keep_as_locked(
        &self,
        skill: &LockedSkill,
        offers: &[Offer],
    ) -> Result<(), InstallError> {
        let objects = self.data.objects();
        let mut found = None;
        for offer in offers.iter().filter(|offer| offer.id == skill.id) {
            let gathered = skillful::guard::gather(&offer.form, &offer.path);
            let digest = keep(&gathered.bundle, &offer.form, &objects)?.digest();
            if digest.to_string() == skill.digest {
                objects.sync()?;
                return Ok(());
            }
            found = Some(digest.to_string());
        }
        Err(InstallError::NotAsLocked {
            id: skill.id.clone(),
            source_text: skill.source.clone(),
            locked: skill.digest.clone(),
            found,
        })
    }

    /// Whether two texts mean the same source. A person may name a repository as a whole where the lock names one skill
    /// of it.
    pub(super) fn is_same_source(&self, locked: &str, wanted: &str) -> bool {
        if locked == wanted {
            return true;
        }
        let source = |text| self.files.source(text).ok();
        match (source(locked), source(wanted)) {
            (Some(locked), Some(wanted)) if wanted.selector().is_none() => {
                without_selector(locked) == wanted
            }
            (Some(locked), Some(wanted)) => locked == wanted,
            _ => false,
        }
    }

    fn parse(&self, id: &str, text: &str) -> Result<Source, InstallError> {
        self.files
            .source(text)
            .map_err(|error| InstallError::Source {
                id: id.to_owned(),
                error: Box::new(error),
            })
    }
}

fn at_commit(mut git: GitSource, skill: &LockedSkill) -> GitSource {
    let commit = skill.resolved.commit.as_deref();
    let Some(commit) = commit.and_then(Commit::parse) else {
        return git;
    };
    let path = match git.place {
        Place::Known { path, .. } => path,
        // Where the branch ends and the path begins was decided when it was fetched.
        Place::Tail(_) => None,
    };
    if path.is_none() && git.skill.is_none() {
        git.skill = Selector::parse(&skill.id).ok();
    }
    git.place = Place::Known {
        reference: Some(Reference::Commit(commit)),
        path,
    };
    git
}

fn without_selector(source: Source) -> Source {
    match source {
        Source::Git(git) => Source::Git(GitSource { skill: None, ..git }),
        Source::Archive(mut web) => {
            web.skill = None;
            Source::Archive(web)
        }
        Source::WellKnown(mut web) => {
            web.skill = None;
            Source::WellKnown(web)
        }
        Source::Site(mut web) => {
            web.skill = None;
            Source::Site(web)
        }
        other => other,
    }
}
