//! The skill that is to be changed: whether it may be, and where it really lies.

use std::fs;
use std::path::{Path, PathBuf};

use skillful::discover::Form;
use skillful::guard::{self, Gathered};
use skillful::{Library, Skill, Source};
use skillful_guard::Content;

use super::{Author, AuthorError, ReadOnly, Remark};
use crate::data::DataDirectory;
use crate::hash;
use crate::state::observe;
use crate::{Digest, State};

/// Which skill is meant, and what the caller knows about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its id, name, directory name, or the absolute path of it or its directory.
    pub skill: String,
    /// The digest of its files that the caller saw. Where they have another one, nothing is done.
    pub expect_digest: Option<String>,
}

impl<T: Into<String>> From<T> for Target {
    fn from(skill: T) -> Self {
        Self {
            skill: skill.into(),
            expect_digest: None,
        }
    }
}

impl Target {
    /// The same, if its files have this digest.
    #[must_use]
    pub fn expecting(mut self, digest: Option<String>) -> Self {
        self.expect_digest = digest;
        self
    }
}

/// What lies at the place of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// The skill's own files.
    Own,
    /// A link to a tree in the store of objects, which never changes: it is replaced by a directory.
    Object(Digest),
}

/// A skill that may be changed.
#[derive(Debug)]
pub(super) struct Subject<'l> {
    pub(super) skill: &'l Skill,
    /// The directory or single file that is changed.
    pub(super) place: PathBuf,
    pub(super) base: Base,
    /// Its files as they were read.
    pub(super) gathered: Gathered,
    /// Other skills of its id.
    twins: Vec<PathBuf>,
}

impl<'l> Subject<'l> {
    /// The skill that is meant, if this author may change it.
    pub(super) fn find(
        author: &Author<'_>,
        library: &'l Library,
        target: &Target,
    ) -> Result<Self, AuthorError> {
        let skill = look_up(library, &target.skill)?;
        let (place, base) = author.may_write(skill)?;
        let main = own_file(skill, &place);
        let gathered = guard::gather(&skill.form, &main);
        if let Some(expected) = &target.expect_digest
            && gathered.digest.as_ref() != Some(expected)
        {
            return Err(AuthorError::OtherDigest {
                id: skill.id.clone(),
                expected: expected.clone(),
                found: gathered.digest,
            });
        }
        let same = real(&place);
        let others = library.registry.with_id(&skill.id).iter();
        let twins = others
            .filter(|other| real(other.form.place(&other.path)) != same)
            .map(|other| other.path.clone())
            .collect();
        Ok(Self {
            skill,
            place,
            base,
            gathered,
            twins,
        })
    }

    pub(super) fn id(&self) -> &str {
        &self.skill.id
    }

    /// Its SKILL.md, or the single file that it is.
    pub(super) fn main(&self) -> PathBuf {
        own_file(self.skill, &self.place)
    }

    /// What its own file is called in its bundle.
    pub(super) fn main_name(&self) -> String {
        let name = self.skill.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    pub(super) fn is_flat(&self) -> bool {
        self.skill.form == Form::File
    }

    /// The bytes of one of its files as they were read.
    pub(super) fn bytes(&self, path: &str) -> Option<&[u8]> {
        let files = self.gathered.bundle.files();
        let file = files.iter().find(|file| file.path == path)?;
        match &file.content {
            Content::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The state of one of its files, if it still is what was read.
    pub(super) fn state_as_read(&self, name: &str, path: &Path) -> Result<State, AuthorError> {
        let found = observe(path)?;
        let is_same = match (&found, self.bytes(name)) {
            (State::File { sha256, .. }, Some(bytes)) => *sha256 == hash::of(bytes),
            // What could not be read is replaced as it is now.
            (_, None) => true,
            (_, Some(_)) => false,
        };
        if is_same {
            Ok(found)
        } else {
            Err(AuthorError::Conflict(vec![path.to_owned()]))
        }
    }

    /// What people should know about the choice of this skill.
    pub(super) fn remarks(&self) -> Vec<Remark> {
        let twins = self.twins.iter().cloned();
        twins.map(|path| Remark::Twin { path }).collect()
    }

    /// Refuses a skill that is the directory which is searched: it cannot be moved without everything around it.
    pub(super) fn refuse_root(&self, library: &Library) -> Result<(), AuthorError> {
        let place = real(&self.place);
        if library.roots.iter().any(|root| root.real == place) {
            let path = self.place.clone();
            return Err(AuthorError::IsRoot { path });
        }
        Ok(())
    }

    /// The links in other directories that lead to this skill, each with what it says.
    pub(super) fn links(&self, library: &Library) -> Vec<(PathBuf, String)> {
        let place = real(&self.place);
        let mut links: Vec<(PathBuf, String)> = Vec::new();
        for other in library.registry.skills() {
            let shown = other.form.place(&other.path);
            let is_known = links.iter().any(|(path, _)| path == shown);
            if is_known || shown == self.place || !is_link(shown) || real(shown) != place {
                continue;
            }
            let target = fs::read_link(shown).ok();
            if let Some(target) = target.and_then(|target| target.to_str().map(str::to_owned)) {
                links.push((shown.to_owned(), target));
            }
        }
        links.sort();
        links
    }
}

impl Author<'_> {
    /// Whether this author may change a skill as it is.
    ///
    /// # Errors
    ///
    /// Why not: [`AuthorError::ReadOnly`], [`AuthorError::Pinned`], [`AuthorError::Link`].
    pub fn may_change(&self, skill: &Skill) -> Result<(), AuthorError> {
        self.may_write(skill).map(drop)
    }

    /// The same, with where it really lies.
    fn may_write(&self, skill: &Skill) -> Result<(PathBuf, Base), AuthorError> {
        refuse_foreign(skill)?;
        if self.is_pinned(skill)? {
            let id = skill.id.clone();
            return Err(AuthorError::Pinned { id });
        }
        if is_link(&skill.path) {
            let path = skill.path.clone();
            return Err(AuthorError::Link { path });
        }
        locate(self.data, skill)
    }
}

/// The skill that a text means: the path of one that was found, else as everywhere.
pub(super) fn look_up<'l>(library: &'l Library, text: &str) -> Result<&'l Skill, AuthorError> {
    let path = Path::new(text);
    let by_path = path.is_absolute().then(|| library.registry.at_path(path));
    match by_path.flatten() {
        Some(skill) => Ok(skill),
        None => Ok(library.registry.find(text)?),
    }
}

fn refuse_foreign(skill: &Skill) -> Result<(), AuthorError> {
    let reason = match (&skill.root.source, &skill.form) {
        (Source::Bundled, _) | (_, Form::Bundled) => ReadOnly::Bundled,
        (Source::Plugin { name }, _) => ReadOnly::Plugin(name.to_string()),
        (_, Form::Archive { .. }) => ReadOnly::Archive,
        (_, Form::Directory | Form::File) => return Ok(()),
    };
    Err(AuthorError::ReadOnly {
        id: skill.id.clone(),
        reason,
    })
}

/// Where a skill really lies, and what is there.
fn locate(data: &DataDirectory, skill: &Skill) -> Result<(PathBuf, Base), AuthorError> {
    let shown = skill.form.place(&skill.path);
    let Some(real_directory) = &skill.real_directory else {
        return Ok((shown.to_owned(), Base::Own));
    };
    let objects = DataDirectory::at(real(data.path())).objects();
    let Some(digest) = objects.tree_at(real_directory) else {
        let place = match (&skill.form, skill.path.file_name()) {
            (Form::File, Some(name)) => real_directory.join(name),
            _ => real_directory.clone(),
        };
        return Ok((place, Base::Own));
    };
    if is_link(shown) && *real_directory == objects.tree_path(&digest) {
        Ok((shown.to_owned(), Base::Object(digest)))
    } else {
        Err(AuthorError::ReadOnly {
            id: skill.id.clone(),
            reason: ReadOnly::Shared,
        })
    }
}

fn own_file(skill: &Skill, place: &Path) -> PathBuf {
    match (&skill.form, skill.path.file_name()) {
        (Form::Directory, Some(name)) => place.join(name),
        _ => place.to_owned(),
    }
}

pub(super) fn is_link(path: &Path) -> bool {
    path.symlink_metadata()
        .is_ok_and(|found| found.is_symlink())
}

/// A path without links, as far as it exists.
pub(crate) fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
