//! What somebody changed in installed skills: the files that were placed against those on the disk.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use skillful_store::journal::State;

use super::Installer;
use super::error::InstallError;
use super::remove::find;
use crate::difference::{self, FileChange, Version};
use crate::error::ReadError;
use crate::lock::LockedSkill;
use crate::state::observe;
use crate::targets::{self, Method};

/// One place of a skill that is not as it was placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The skill's id.
    pub id: String,
    /// The place, absolute.
    pub path: PathBuf,
    /// The place as it stands in the lock.
    pub place: String,
    /// What is there.
    pub found: FoundThere,
    /// What differs, file by file; empty where there are no files to compare.
    pub files: Vec<FileChange>,
}

/// What is at a place of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoundThere {
    /// The skill, with other files.
    Edited,
    /// A directory where a link was placed: how an edit of a linked skill looks.
    Unlinked,
    /// Nothing.
    Missing,
    /// Something else: a file, or a link to elsewhere.
    Replaced,
    /// Something that cannot be read, with the reason.
    Unreadable(String),
}

impl FoundThere {
    /// The word used in output.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Edited => "edited",
            Self::Unlinked => "unlinked",
            Self::Missing => "missing",
            Self::Replaced => "replaced",
            Self::Unreadable(_) => "unreadable",
        }
    }
}

impl Installer<'_> {
    /// Compares what was placed with what is on the disk, for these skills or for all. A place is told once, however many
    /// links lead to it.
    ///
    /// # Errors
    ///
    /// [`InstallError::NotInstalled`], and when the lock cannot be understood.
    pub fn diff(&self, ids: &[String]) -> Result<Vec<Divergence>, InstallError> {
        let lock = self.lock()?;
        let skills: Vec<&LockedSkill> = if ids.is_empty() {
            lock.skills().collect()
        } else {
            let ids: BTreeSet<&String> = ids.iter().collect();
            let found = ids.into_iter().map(|id| find(&lock, id));
            found.collect::<Result<_, _>>()?
        };
        let mut divergences = Vec::new();
        for skill in skills {
            let mut seen = BTreeSet::new();
            for target in &skill.targets {
                let path = self.place(skill, &target.path)?;
                let found = self.found_at(skill, &path, target.method, &mut seen)?;
                if let Some((found, files)) = found {
                    divergences.push(Divergence {
                        id: skill.id.clone(),
                        place: target.path.clone(),
                        path,
                        found,
                        files,
                    });
                }
            }
        }
        Ok(divergences)
    }

    fn found_at(
        &self,
        skill: &LockedSkill,
        path: &Path,
        method: Method,
        seen: &mut BTreeSet<PathBuf>,
    ) -> Result<Option<(FoundThere, Vec<FileChange>)>, InstallError> {
        let bare = |found| Ok(Some((found, Vec::new())));
        let locked = skill.digest.parse().ok();
        let (found, directory) = match observe(path) {
            Err(error) => return bare(FoundThere::Unreadable(error.to_string())),
            Ok(State::Absent) => return bare(FoundThere::Missing),
            Ok(State::Tree { digest }) if Some(digest) == locked => {
                seen.insert(targets::real(path));
                return Ok(None);
            }
            Ok(State::Tree { .. }) if method == Method::Link => {
                (FoundThere::Unlinked, path.to_owned())
            }
            Ok(State::Tree { .. }) => (FoundThere::Edited, path.to_owned()),
            Ok(State::Link { .. }) if self.leads_to(path, skill, locked.as_ref())? => {
                (FoundThere::Edited, targets::real(path))
            }
            Ok(State::Link { .. } | State::File { .. }) => return bare(FoundThere::Replaced),
        };
        if !seen.insert(targets::real(&directory)) {
            return Ok(None);
        }
        match self.files_between(skill, &directory) {
            Ok(files) if files.is_empty() && found == FoundThere::Edited => Ok(None),
            Ok(files) => Ok(Some((found, files))),
            Err(error) => bare(FoundThere::Unreadable(error.to_string())),
        }
    }

    fn files_between(
        &self,
        skill: &LockedSkill,
        directory: &Path,
    ) -> Result<Vec<FileChange>, ReadError> {
        let before = self.installed(skill);
        Ok(difference::between(&before, &Version::at(directory)?))
    }

    /// A skill as it was placed: with its bytes where they are kept and whole, else as the lock lists it.
    pub(super) fn installed(&self, skill: &LockedSkill) -> Version {
        let objects = self.data.objects();
        let kept = skill.digest.parse().ok().and_then(|digest| {
            objects.tree(&digest).ok()?;
            Version::at(&objects.tree_path(&digest)).ok()
        });
        kept.unwrap_or_else(|| Version::listed(&skill.files))
    }
}
