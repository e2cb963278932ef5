//! Giving a skill another id: the name of its place and the one in its frontmatter, as one change.

use std::path::{Path, PathBuf};

use skillful::Library;
use skillful::discover::Form;
use skillful::records::key_of;
use skillful_store::Key;
use skillmd::Value;
use skillmd::name::skill_id;

use super::create::refuse_reserved;
use super::draft::{FileEdit, changed_copy};
use super::subject::{Base, Subject, look_up};
use super::text::{loaded_with, parse};
use super::{Author, AuthorError, Done, Outcome, Remark, Target};
use crate::change::Change;
use crate::state::observe;
use crate::{Operation, State, Swap};

impl Author<'_> {
    /// Gives a skill another name: the id that `name` makes. Its directory or file, the name in its frontmatter, links in
    /// other directories that lead to it, and its records go along.
    ///
    /// # Errors
    ///
    /// [`AuthorError`]; [`AuthorError::Exists`] and [`AuthorError::Occupied`] where the name is taken.
    pub fn rename(&self, target: &Target, name: &str) -> Result<Done, AuthorError> {
        let new_id = skill_id(name).ok_or_else(|| AuthorError::NoName(name.to_owned()))?;
        refuse_reserved(&new_id)?;
        let library = self.search();
        let subject = Subject::find(self, &library, target)?;
        subject.refuse_root(&library)?;
        if *new_id != *subject.id()
            && let Some(other) = library.registry.get(&new_id)
        {
            return Err(AuthorError::Exists {
                id: new_id.into_owned(),
                path: other.path.clone(),
            });
        }
        let text = subject.renamed_text(&new_id)?;
        let place = subject.renamed_place(&new_id);
        let mut done = Done {
            outcome: Outcome::Unchanged,
            id: new_id.clone().into_owned(),
            path: if subject.is_flat() {
                place.clone()
            } else {
                place.join(subject.main_name())
            },
            seq: None,
            digest: None,
            remarks: subject.remarks(),
        };
        let main = subject.main_name();
        if place == subject.place && subject.bytes(&main) == Some(&*text) {
            return Ok(done);
        }
        let mut change = Change::new(Operation::RENAME, self.actor.clone())
            .about(&*new_id)
            .saying(format!("renamed {} to {new_id}", subject.id()));
        if *new_id != *subject.id() {
            change = change.about(subject.id());
        }
        change.swaps = self.moved(&subject, &place, &FileEdit::write(main, text))?;
        if place != subject.place {
            let links = move_links(&subject, &library, &place)?;
            if !links.is_empty() {
                let paths = links.iter().map(|swap| swap.path.clone()).collect();
                done.remarks.push(Remark::Links { paths });
            }
            change.swaps.extend(links);
        }
        done.remarks.extend(subject.unlinked());
        let (from, to) = keys(&subject, &new_id);
        let entry = self.commit(change, Some(from.clone()))?;
        done.remarks.extend(self.move_records(&from, &to));
        done.outcome = Outcome::Renamed;
        done.seq = Some(entry.seq);
        Ok(done)
    }

    /// The swaps that take a skill to its new place with its new text.
    fn moved(
        &self,
        subject: &Subject<'_>,
        place: &Path,
        text: &FileEdit,
    ) -> Result<Vec<Swap>, AuthorError> {
        let objects = self.data.objects();
        let stays = place == subject.place;
        if stays {
            return subject.swaps(&objects, text);
        }
        if !observe(place)?.is_absent() {
            let path = place.to_owned();
            return Err(AuthorError::Occupied { path });
        }
        let before = observe(&subject.place)?;
        let after = match (&subject.base, &subject.skill.form) {
            (Base::Object(digest), _) => {
                changed_copy(&objects, &State::Tree { digest: *digest }, Some(text))?
            }
            (Base::Own, Form::Directory) => {
                subject.state_as_read(&subject.main_name(), &subject.main())?;
                let tree = objects.put_tree(&subject.place)?.state();
                if tree != before {
                    return Err(AuthorError::Conflict(vec![subject.place.clone()]));
                }
                changed_copy(&objects, &tree, Some(text))?
            }
            (Base::Own, _) => {
                let found = subject.state_as_read(&subject.main_name(), &subject.place)?;
                let executable = matches!(
                    found,
                    State::File {
                        executable: true,
                        ..
                    }
                );
                objects.put_bytes(text.bytes.as_deref().unwrap_or_default(), executable)?
            }
        };
        Ok(vec![
            Swap::new(&subject.place, before, State::Absent),
            Swap::new(place, State::Absent, after),
        ])
    }

    /// Puts the records of a skill down to its new key. That this cannot be done does not undo the rename.
    pub(super) fn move_records(&self, from: &Key, to: &Key) -> Option<Remark> {
        let error = self.records?.rename(from, to).err()?;
        Some(Remark::RecordsLeft {
            reason: error.to_string(),
        })
    }

    /// After an undo or redo of a rename: the records go to whichever of the two ids the skill has now.
    pub(super) fn records_follow(&self, ids: &[String], places: &[PathBuf]) {
        let [one, other] = ids else {
            return;
        };
        let library = self.search();
        for (id, left) in [(one, other), (other, one)] {
            let Ok(skill) = look_up(&library, id) else {
                continue;
            };
            let is_here = |place: &PathBuf| {
                place == &skill.path || Some(place.as_path()) == skill.path.parent()
            };
            if skill.id == *id && places.iter().any(is_here) {
                let to = key_of(skill);
                let from = Key::new(left, &to.origin);
                let _ = self.move_records(&from, &to);
                return;
            }
        }
    }
}

fn keys(subject: &Subject<'_>, new_id: &str) -> (Key, Key) {
    let from = key_of(subject.skill);
    let to = Key::new(new_id, &from.origin);
    (from, to)
}

impl Subject<'_> {
    /// The text with the new name, where it gives one.
    fn renamed_text(&self, id: &str) -> Result<Vec<u8>, AuthorError> {
        let document = parse(self)?;
        let renamed = if document
            .get_text("name")
            .is_some_and(|name| !name.trim().is_empty())
        {
            document.with_entry_set("name", &Value::text(id))?
        } else {
            document
        };
        let bytes = renamed.to_bytes();
        let mut moved = self.skill.clone();
        moved.path = match &self.skill.form {
            Form::Directory => self.renamed_place(id).join(self.main_name()),
            _ => self.renamed_place(id),
        };
        let loaded = loaded_with(&moved, bytes.clone());
        if loaded.id == id {
            Ok(bytes)
        } else {
            Err(AuthorError::OtherId {
                id: id.to_owned(),
                found: loaded.id,
            })
        }
    }

    /// The place beside the old one that the new name gives.
    fn renamed_place(&self, id: &str) -> PathBuf {
        let name = self.place.file_name().unwrap_or_default().to_string_lossy();
        let ending = match self.skill.form {
            Form::Directory => "",
            _ => name.get(self.skill.place_name.len()..).unwrap_or(".md"),
        };
        self.place.with_file_name(format!("{id}{ending}"))
    }
}

/// Links that led to the old place lead to the new one, under the new name.
fn move_links(
    subject: &Subject<'_>,
    library: &Library,
    place: &Path,
) -> Result<Vec<Swap>, AuthorError> {
    let old_name = subject.place.file_name().unwrap_or_default();
    let new_name = place.file_name().unwrap_or_default();
    let mut swaps = Vec::new();
    for (path, target) in subject.links(library) {
        let target_path = Path::new(&target);
        if target_path.file_name() != Some(old_name) {
            return Err(AuthorError::Link { path });
        }
        let new_target = target_path.with_file_name(new_name);
        let new_path = path.with_file_name(new_name);
        let before = State::Link { target };
        let target = new_target.to_string_lossy().into_owned();
        let after = State::Link { target };
        if new_path == path {
            swaps.push(Swap::new(path, before, after));
            continue;
        }
        if !observe(&new_path)?.is_absent() {
            return Err(AuthorError::Occupied { path: new_path });
        }
        swaps.push(Swap::new(path, before, State::Absent));
        swaps.push(Swap::new(new_path, State::Absent, after));
    }
    Ok(swaps)
}
