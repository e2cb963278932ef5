//! Files of a skill beside its own.

use std::path::Path;

use cap_fs_ext::DirExt;
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use skillful::discover::Form;
use skillful::guard::digest_of_bundle;
use skillful::records::key_of;
use skillful_guard::{Bundle, FileInput};

use super::draft::{FileEdit, SKILL_MD, new_tree};
use super::subject::Subject;
use super::text::{check_size, plain_path};
use super::{Author, AuthorError, Done, Outcome, Remark, Target};
use crate::change::Change;
use crate::error::ReadError;
use crate::state::observe;
use crate::{Operation, State, Swap, limits};

impl Author<'_> {
    /// Writes a file of a skill, new or in place of the one that is there. A skill that is a single file becomes a
    /// directory by its first one. `executable`: whether it can be run; nothing to leave that as it is.
    ///
    /// # Errors
    ///
    /// [`AuthorError`]; the path must be one that [`skillful::bundle::ResourcePath`] takes, and not that of the skill's own file.
    pub fn write_file(
        &self,
        target: &Target,
        path: &str,
        bytes: &[u8],
        executable: Option<bool>,
    ) -> Result<Done, AuthorError> {
        let library = self.search();
        let subject = Subject::find(self, &library, target)?;
        let path = resource_path(path)?;
        check_size(&path, bytes.len(), limits::WRITTEN_BYTES)?;
        let edit = FileEdit {
            executable,
            ..FileEdit::write(&path, bytes.to_vec())
        };
        if subject.is_flat() {
            return self.make_directory(&subject, &edit);
        }
        subject.refuse_case_clash(&path)?;
        subject.refuse_links(&path)?;
        let bundle = subject.bundle_with(&edit);
        let mut done = Done {
            outcome: Outcome::Unchanged,
            id: subject.id().to_owned(),
            path: subject.place.join(&path),
            seq: None,
            digest: subject.gathered.digest.clone(),
            remarks: subject.remarks(),
        };
        if bundle == subject.gathered.bundle {
            return Ok(done);
        }
        let form = &subject.skill.form;
        let (digest, remark) = subject.pass_gate(self, form, &subject.main_name(), &bundle)?;
        done.remarks.extend(remark);
        done.remarks.extend(subject.unlinked());
        let mut change = Change::new(Operation::WRITE_FILE, self.actor.clone())
            .about(subject.id())
            .saying(format!("wrote {path} in {}", subject.id()));
        change.swaps = subject.swaps(&self.data.objects(), &edit)?;
        let entry = self.commit(change, Some(key_of(subject.skill)))?;
        done.outcome = Outcome::Written;
        done.seq = Some(entry.seq);
        done.digest = digest;
        Ok(done)
    }

    /// Removes a file of a skill, and the directories that hold nothing else.
    ///
    /// # Errors
    ///
    /// [`AuthorError`]; [`AuthorError::NoFile`] when there is none.
    pub fn remove_file(&self, target: &Target, path: &str) -> Result<Done, AuthorError> {
        let library = self.search();
        let subject = Subject::find(self, &library, target)?;
        let path = resource_path(path)?;
        let files = subject.gathered.bundle.files();
        if subject.is_flat() || !files.iter().any(|file| file.path == path) {
            let id = subject.id().to_owned();
            return Err(AuthorError::NoFile { id, path });
        }
        if path == subject.main_name() {
            return Err(AuthorError::MainFile(path));
        }
        subject.refuse_links_above(&path)?;
        let edit = FileEdit::remove(&path);
        let mut change = Change::new(Operation::REMOVE_FILE, self.actor.clone())
            .about(subject.id())
            .saying(format!("removed {path} from {}", subject.id()));
        change.swaps = subject.swaps(&self.data.objects(), &edit)?;
        let bundle = subject.bundle_with(&edit);
        let entry = self.commit(change, Some(key_of(subject.skill)))?;
        let mut remarks = subject.remarks();
        remarks.extend(subject.unlinked());
        Ok(Done {
            outcome: Outcome::Removed,
            id: subject.id().to_owned(),
            path: subject.place.join(&path),
            seq: Some(entry.seq),
            digest: digest_of_bundle(&subject.skill.form, &subject.main_name(), &bundle),
            remarks,
        })
    }

    /// Makes a directory of a skill that is a single file, with one more file in it, as one change.
    fn make_directory(&self, subject: &Subject<'_>, edit: &FileEdit) -> Result<Done, AuthorError> {
        let directory = subject.place.with_file_name(&subject.skill.place_name);
        if !observe(&directory)?.is_absent() {
            return Err(AuthorError::Occupied { path: directory });
        }
        let before = subject.state_as_read(&subject.main_name(), &subject.place)?;
        let Some(text) = subject.bytes(&subject.main_name()) else {
            let id = subject.id().to_owned();
            return Err(AuthorError::Unreadable { id });
        };
        let own = FileEdit::write(SKILL_MD, text.to_vec());
        let files = [own, edit.clone()];
        let inputs = files.iter().map(|file| FileInput {
            executable: file.executable == Some(true),
            ..FileInput::regular(&*file.path, file.bytes.clone().unwrap_or_default())
        });
        let bundle = Bundle::new(inputs.collect());
        let (digest, remark) = subject.pass_gate(self, &Form::Directory, SKILL_MD, &bundle)?;
        let tree = new_tree(&self.data.objects(), &files)?;
        let change = Change::new(Operation::WRITE_FILE, self.actor.clone())
            .about(subject.id())
            .saying(format!("wrote {} in {}", edit.path, subject.id()))
            .swap(Swap::new(&subject.place, before, State::Absent))
            .swap(Swap::new(&directory, State::Absent, tree));
        let entry = self.commit(change, Some(key_of(subject.skill)))?;
        let mut remarks = subject.remarks();
        remarks.extend(remark);
        remarks.push(Remark::MadeDirectory {
            path: directory.clone(),
        });
        Ok(Done {
            outcome: Outcome::Written,
            id: subject.id().to_owned(),
            path: directory.join(&edit.path),
            seq: Some(entry.seq),
            digest,
            remarks,
        })
    }
}

/// A path in a skill that is not its own file's.
fn resource_path(path: &str) -> Result<String, AuthorError> {
    let path = plain_path(path)?;
    if path.eq_ignore_ascii_case(SKILL_MD) {
        return Err(AuthorError::MainFile(path));
    }
    Ok(path)
}

impl Subject<'_> {
    /// Two files must not become one where case does not count.
    fn refuse_case_clash(&self, path: &str) -> Result<(), AuthorError> {
        let lower = path.to_lowercase();
        for file in self.gathered.bundle.files() {
            let clashes = file.path != path
                && common_parts(&file.path.to_lowercase(), &lower) > common_parts(&file.path, path);
            if clashes {
                return Err(AuthorError::CaseClash {
                    path: path.to_owned(),
                    other: file.path.clone(),
                });
            }
        }
        Ok(())
    }

    /// Refuses to write where a link, or something that is no file, is in the way.
    pub(super) fn refuse_links(&self, path: &str) -> Result<(), AuthorError> {
        self.walk(path, true)
    }

    /// The same for the directories above alone: a link itself may be removed.
    fn refuse_links_above(&self, path: &str) -> Result<(), AuthorError> {
        self.walk(path, false)
    }

    fn walk(&self, path: &str, file_too: bool) -> Result<(), AuthorError> {
        let read = |shown: &Path| {
            let path = shown.to_owned();
            move |source| AuthorError::Read(ReadError::Io { path, source })
        };
        let mut shown = self.place.clone();
        let mut directory =
            Dir::open_ambient_dir(&shown, ambient_authority()).map_err(read(&shown))?;
        let mut parts = path.split('/').peekable();
        while let Some(part) = parts.next() {
            shown.push(part);
            let is_last = parts.peek().is_none();
            let found = match directory.symlink_metadata(part) {
                Ok(found) => found,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
                Err(error) => return Err(read(&shown)(error)),
            };
            if is_last && !file_too {
                return Ok(());
            }
            if found.is_symlink() {
                return Err(AuthorError::Link { path: shown });
            }
            let expected = match (is_last, found.is_dir()) {
                (true, true) => Some("a file"),
                (false, false) => Some("a directory"),
                _ => None,
            };
            if let Some(expected) = expected {
                let path = shown;
                return Err(AuthorError::NotA { path, expected });
            }
            if !is_last {
                directory = directory.open_dir_nofollow(part).map_err(read(&shown))?;
            }
        }
        Ok(())
    }
}

/// With how many same parts two paths begin.
fn common_parts(a: &str, b: &str) -> usize {
    let pairs = a.split('/').zip(b.split('/'));
    pairs.take_while(|(a, b)| a == b).count()
}
