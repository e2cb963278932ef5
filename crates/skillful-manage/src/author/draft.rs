//! From a change of files to the states that places are to be in: a single file is swapped by itself, and only where the
//! skill lies in the store of objects, is a single file or moves, a whole directory is.

use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use skillful::discover::Form;
use skillful::guard;
use skillful_guard::{Bundle, Content, FileInput};
use skillmd::Document;

use super::subject::{Base, Subject};
use super::{Author, AuthorError, Remark};
use crate::error::ReadError;
use crate::objects::{ObjectError, Objects, Staging};
use crate::state::observe;
use crate::{State, Swap};

/// What the standard calls a skill's own file.
pub(crate) const SKILL_MD: &str = "SKILL.md";

/// What becomes of one file of a skill.
#[derive(Clone, Debug)]
pub(super) struct FileEdit {
    /// Its path in the skill.
    pub(super) path: String,
    /// What it is to hold; nothing when it is to go.
    pub(super) bytes: Option<Vec<u8>>,
    /// Whether it is to be executable; nothing when that stays as it is.
    pub(super) executable: Option<bool>,
}

impl FileEdit {
    pub(super) fn write(path: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self {
            path: path.into(),
            bytes: Some(bytes),
            executable: None,
        }
    }

    pub(super) fn remove(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            bytes: None,
            executable: None,
        }
    }
}

impl Subject<'_> {
    /// The skill's files as they are after an edit.
    pub(super) fn bundle_with(&self, edit: &FileEdit) -> Bundle {
        let mut files = self.gathered.bundle.files().to_vec();
        let known = files.iter().position(|file| file.path == edit.path);
        let old = known.map(|index| files.remove(index));
        if let Some(bytes) = &edit.bytes {
            let was_executable = old.is_some_and(|old| old.executable);
            files.push(FileInput {
                path: edit.path.clone(),
                content: Content::Bytes(bytes.clone()),
                executable: edit.executable.unwrap_or(was_executable),
            });
        }
        Bundle::new(files)
    }

    /// Lets the guard look at an edit. Gives the new digest and what people should know.
    pub(super) fn pass_gate(
        &self,
        author: &Author<'_>,
        form: &Form,
        main: &str,
        bundle: &Bundle,
    ) -> Result<(Option<String>, Option<Remark>), AuthorError> {
        let digest = guard::digest_of_bundle(form, main, bundle);
        if digest.is_none() && self.gathered.digest.is_some() {
            let id = self.id().to_owned();
            return Err(AuthorError::Unreadable { id });
        }
        let gated = author.gate.judge(bundle, digest.clone(), author.trust);
        Ok((digest, author.decide(gated)?))
    }

    /// The swaps that make an edit where the skill lies.
    pub(super) fn swaps(
        &self,
        objects: &Objects,
        edit: &FileEdit,
    ) -> Result<Vec<Swap>, AuthorError> {
        match &self.base {
            Base::Object(digest) => {
                let staging = objects.stage()?;
                objects.copy_tree(digest, staging.path())?;
                apply(&staging, edit)?;
                let after = objects.put_tree(staging.path())?.state();
                let before = observe(&self.place)?;
                Ok(vec![Swap::new(&self.place, before, after)])
            }
            Base::Own => Ok(vec![self.swap_in_place(objects, edit)?]),
        }
    }

    fn swap_in_place(&self, objects: &Objects, edit: &FileEdit) -> Result<Swap, AuthorError> {
        let path = if self.is_flat() {
            self.place.clone()
        } else {
            self.place.join(&edit.path)
        };
        let before = self.state_as_read(&edit.path, &path)?;
        let Some(bytes) = &edit.bytes else {
            return self.removal(&path);
        };
        let was_executable = matches!(
            before,
            State::File {
                executable: true,
                ..
            }
        );
        let after = objects.put_bytes(bytes, edit.executable.unwrap_or(was_executable))?;
        Ok(Swap::new(path, before, after))
    }

    /// Removes a file, and the directories of the skill that hold nothing else.
    fn removal(&self, path: &Path) -> Result<Swap, AuthorError> {
        let mut top = path;
        while let Some(parent) = top.parent() {
            let is_alone = parent != self.place
                && parent.starts_with(&self.place)
                && std::fs::read_dir(parent).is_ok_and(|entries| entries.count() == 1);
            if !is_alone {
                break;
            }
            top = parent;
        }
        Ok(Swap::new(top, observe(top)?, State::Absent))
    }
}

/// A copy of a directory, changed in a private place and kept.
pub(super) fn changed_copy(
    objects: &Objects,
    tree: &State,
    edit: Option<&FileEdit>,
) -> Result<State, AuthorError> {
    let State::Tree { digest } = tree else {
        return Ok(tree.clone());
    };
    let staging = objects.stage()?;
    objects.copy_tree(digest, staging.path())?;
    if let Some(edit) = edit {
        apply(&staging, edit)?;
    }
    Ok(objects.put_tree(staging.path())?.state())
}

/// A directory with these files, kept.
pub(super) fn new_tree(objects: &Objects, files: &[FileEdit]) -> Result<State, AuthorError> {
    let staging = objects.stage()?;
    for file in files {
        apply(&staging, file)?;
    }
    Ok(objects.put_tree(staging.path())?.state())
}

/// Puts the text of a skill that is not written yet into a private place.
pub(crate) fn put_document(staging: &Staging, document: &Document) -> Result<(), AuthorError> {
    apply(staging, &FileEdit::write(SKILL_MD, document.to_bytes()))
}

/// Changes a file in a private place.
fn apply(staging: &Staging, edit: &FileEdit) -> Result<(), AuthorError> {
    let failed = |source| {
        let path = staging.path().join(&edit.path);
        AuthorError::Object(ObjectError::Read(ReadError::Io { path, source }))
    };
    let directory = Dir::open_ambient_dir(staging.path(), ambient_authority()).map_err(failed)?;
    let path = Path::new(&edit.path);
    match &edit.bytes {
        Some(bytes) => write(&directory, path, bytes, edit.executable).map_err(failed),
        None => remove(&directory, path).map_err(failed),
    }
}

fn write(
    directory: &Dir,
    path: &Path,
    bytes: &[u8],
    executable: Option<bool>,
) -> std::io::Result<()> {
    use std::io::Write;
    if let Some(parent) = path.parent().filter(|parent| *parent != Path::new("")) {
        directory.create_dir_all(parent)?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    let mut file = directory.open_with(path, &options)?;
    file.write_all(bytes)?;
    #[cfg(unix)]
    if let Some(executable) = executable {
        use cap_std::fs::{Permissions, PermissionsExt};
        let mode = if executable { 0o755 } else { 0o644 };
        file.set_permissions(Permissions::from_mode(mode))?;
    }
    #[cfg(not(unix))]
    let _ = executable;
    Ok(())
}

fn remove(directory: &Dir, path: &Path) -> std::io::Result<()> {
    directory.remove_file(path)?;
    let mut above = path.parent();
    while let Some(parent) = above.filter(|parent| *parent != Path::new("")) {
        if directory.remove_dir(parent).is_err() {
            break;
        }
        above = parent.parent();
    }
    Ok(())
}
