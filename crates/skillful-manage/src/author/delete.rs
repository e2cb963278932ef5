//! Deleting a skill. What it held stays in the store of objects, so that it can be had back.

use skillful::records::key_of;

use super::subject::{Base, Subject};
use super::{Author, AuthorError, Done, Outcome, ReadOnly, Remark, Target};
use crate::change::Change;
use crate::state::observe;
use crate::tree::{Node, Tree};
use crate::{Operation, State, Swap};

impl Author<'_> {
    /// Deletes a skill, with the links in other directories that lead to it. A directory that holds more than the skill
    /// (other skills, repositories, hidden files, links) is refused unless `everything` says that all of it is meant.
    ///
    /// # Errors
    ///
    /// [`AuthorError`]; [`AuthorError::HoldsMore`].
    pub fn delete(&self, target: &Target, everything: bool) -> Result<Done, AuthorError> {
        let library = self.search();
        let subject = Subject::find(self, &library, target)?;
        subject.refuse_root(&library)?;
        if let Base::Object(_) = subject.base {
            return Err(AuthorError::ReadOnly {
                id: subject.id().to_owned(),
                reason: ReadOnly::Installed,
            });
        }
        let before = if subject.is_flat() {
            subject.state_as_read(&subject.main_name(), &subject.place)?
        } else {
            let tree = Tree::capture(&subject.place)?;
            let entries = more_than_the_skill(&tree, &subject.main_name());
            if !entries.is_empty() && !everything {
                let path = subject.place.clone();
                return Err(AuthorError::HoldsMore { path, entries });
            }
            tree.state()
        };
        let mut change = Change::new(Operation::DELETE, self.actor.clone())
            .about(subject.id())
            .swap(Swap::new(&subject.place, before, State::Absent))
            .saying(format!("deleted {}", subject.id()));
        let mut remarks = subject.remarks();
        let links = subject.links(&library);
        if !links.is_empty() {
            let paths = links.iter().map(|(path, _)| path.clone()).collect();
            remarks.push(Remark::Links { paths });
        }
        for (path, _) in links {
            let before = observe(&path)?;
            change = change.swap(Swap::new(path, before, State::Absent));
        }
        let entry = self.commit(change, Some(key_of(subject.skill)))?;
        Ok(Done {
            outcome: Outcome::Deleted,
            id: subject.id().to_owned(),
            path: subject.main(),
            seq: Some(entry.seq),
            digest: None,
            remarks,
        })
    }
}

/// What a directory holds that is no part of the skill, each directory of it once.
fn more_than_the_skill(tree: &Tree, main: &str) -> Vec<String> {
    let mut entries: Vec<String> = Vec::new();
    for (path, node) in tree.nodes() {
        let hidden = hidden_top(path);
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_other_skill = path != main && name.eq_ignore_ascii_case("SKILL.md");
        let entry = match (hidden, node) {
            (Some(hidden), _) => hidden,
            (None, Node::Link { .. }) => path,
            _ if is_other_skill => path,
            _ => continue,
        };
        if entries.last().is_none_or(|last| last != entry) {
            entries.push(entry.to_owned());
        }
    }
    entries.sort();
    entries.dedup();
    entries
}

/// The path up to its first hidden part, where it has one.
fn hidden_top(path: &str) -> Option<&str> {
    let mut end = 0;
    for part in path.split('/') {
        let start = end;
        end += part.len();
        if part.starts_with('.') && path.get(start..end).is_some() {
            return path.get(..end);
        }
        end += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_is_no_part_of_a_skill_is_named_once() {
        let directory = tempfile::tempdir().unwrap();
        for path in [
            "SKILL.md",
            "references/a.md",
            ".git/config",
            ".git/objects/00",
            "x/.env",
            "inner/skill.md",
        ] {
            let path = directory.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
        let tree = Tree::capture(directory.path()).unwrap();
        assert_eq!(
            more_than_the_skill(&tree, "SKILL.md"),
            [".git", "inner/skill.md", "x/.env"]
        );
        assert_eq!(hidden_top("a/b"), None);
    }
}
