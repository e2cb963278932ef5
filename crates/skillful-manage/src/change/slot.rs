//! One target of a change, with the two names beside it that the change uses: where the new content is staged, and where
//! the old one goes.
//!
//! Going forward and taking back are the same move with the states exchanged. What is done next depends on what is on
//! disk alone, so that it can go on from wherever a killed process stopped.

use std::io;
use std::path::Path;

use cap_fs_ext::DirExt;
use cap_std::fs::Permissions;
use skillful_store::journal::{ChangeId, State, Swap};

use super::error::{ChangeError, Mismatch};
use super::observer::Step;
use crate::disk;
use crate::objects::Objects;
use crate::place::Place;
use crate::tree::{Modes, make_link, sync_file};

/// What a move reports.
type Report<'a> = &'a dyn Fn(Step<'_>) -> io::Result<()>;

/// How renames are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// By an exchange in one step, where there is one.
    Exchange,
    /// In two steps, as on file systems that cannot exchange.
    TwoSteps,
}

/// A target.
#[derive(Debug)]
pub(super) struct Slot<'a> {
    pub(super) swap: &'a Swap,
    pub(super) place: Place,
    /// Beside the target: the new content before the swap; where names are exchanged, the old one afterwards.
    new: String,
    /// Beside the target: the old content, where it was moved aside.
    old: String,
    method: Method,
}

/// What became of a target that a killed process may have swapped or not.
#[derive(Debug)]
pub(super) enum Settled {
    /// It holds what it is to hold.
    Done,
    /// The same, but somebody had changed it in the moment before it was swapped: this is what was there.
    DoneOver(State),
    /// Somebody changed it. It was left alone.
    LeftAlone,
}

impl<'a> Slot<'a> {
    pub(super) fn new(
        change: &ChangeId,
        index: usize,
        swap: &'a Swap,
        place: Place,
        method: Method,
    ) -> Self {
        Self {
            swap,
            place,
            new: format!(".skillful-{change}-{index}.new"),
            old: format!(".skillful-{change}-{index}.old"),
            method,
        }
    }

    /// Puts what is to be at the target beside it. Gives how many nodes have to be brought to the disk.
    pub(super) fn stage(&self, objects: &Objects) -> Result<usize, ChangeError> {
        self.stage_as(&self.new, &self.swap.after, objects)
    }

    fn stage_as(&self, name: &str, state: &State, objects: &Objects) -> Result<usize, ChangeError> {
        let shown = self.place.path.with_file_name(name);
        let parent = &self.place.parent;
        let here = |error| ChangeError::io(&shown)(error);
        match state {
            State::Absent => Ok(0),
            State::Link { target } => {
                make_link(parent, &shown, name, target).map_err(here)?;
                Ok(1)
            }
            State::File {
                sha256, executable, ..
            } => {
                let options = Modes::Usual.create(*executable);
                let file = parent.open_with(name, &options).map_err(here)?;
                objects.copy_file(sha256, &file)?;
                drop(file);
                self.keep_mode(name, Some(*executable)).map_err(here)?;
                Ok(1)
            }
            State::Tree { digest } => {
                parent.create_dir(name).map_err(here)?;
                let to = parent.open_dir_nofollow(name).map_err(here)?;
                let tree = objects.copy_tree_into(digest, &to, &shown)?;
                self.keep_mode(name, None).map_err(here)?;
                Ok(tree.len() + 1)
            }
        }
    }

    /// What replaces a file or directory is as private as that was.
    #[cfg(unix)]
    fn keep_mode(&self, name: &str, executable: Option<bool>) -> io::Result<()> {
        use cap_std::fs::PermissionsExt;
        let parent = &self.place.parent;
        let found = match parent.symlink_metadata(&self.place.name) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        let mode = found.permissions().mode() & 0o777;
        let mode = match executable {
            Some(executable) if found.is_file() => {
                // Who may read may execute.
                let execute = if executable { (mode & 0o444) >> 2 } else { 0 };
                mode & !0o111 | execute | 0o400
            }
            None if found.is_dir() => mode | 0o700,
            _ => return Ok(()),
        };
        parent.set_permissions(name, Permissions::from_mode(mode))
    }

    #[cfg(not(unix))]
    fn keep_mode(&self, _: &str, _: Option<bool>) -> io::Result<()> {
        Ok(())
    }

    /// Waits until what was staged is on the disk, piece by piece.
    pub(super) fn sync_staged(&self) -> Result<(), ChangeError> {
        let parent = &self.place.parent;
        let synced = match &self.swap.after {
            State::Absent | State::Link { .. } => Ok(()),
            State::File { .. } => sync_file(parent, Path::new(&self.new)),
            State::Tree { .. } => parent
                .open_dir_nofollow(&self.new)
                .and_then(|staged| crate::tree::sync_each(&staged)),
        };
        synced.map_err(ChangeError::io(&self.place.path.with_file_name(&self.new)))
    }

    /// Makes the swap. What was staged must be there.
    pub(super) fn forward(&self, report: Report<'_>) -> Result<(), ChangeError> {
        let (from, to) = (&self.swap.before, &self.swap.after);
        self.go(&self.new, &self.old, from, to, report)
    }

    /// Takes the target from one state to the other, which lies under the name `staged`. What was there ends up under
    /// `staged` or under `aside`, which is free.
    fn go(
        &self,
        staged: &str,
        aside: &str,
        from: &State,
        to: &State,
        report: Report<'_>,
    ) -> Result<(), ChangeError> {
        let (parent, name) = (&self.place.parent, self.place.name.as_str());
        let here = |error| ChangeError::io(&self.place.path)(error);
        if from.is_absent() {
            return match disk::rename_to_free(parent, staged, parent, name) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    Err(self.mismatch(from, self.place.observe()?))
                }
                result => result.map_err(here),
            };
        }
        if to.is_absent() {
            parent.rename(name, parent, aside).map_err(here)?;
            return self.check_displaced(aside, from, || {
                disk::rename_to_free(parent, aside, parent, name)
            });
        }
        if self.method == Method::Exchange && disk::exchange(parent, staged, name).map_err(here)? {
            return self.check_displaced(staged, from, || {
                disk::exchange(parent, staged, name).map(drop)
            });
        }
        let is_tree = |state: &State| matches!(state, State::Tree { .. });
        if !is_tree(from) && !is_tree(to) {
            // What is replaced in one step cannot be looked at afterwards.
            let now = self.place.observe()?;
            if now != *from {
                return Err(self.mismatch(from, now));
            }
            return parent.rename(staged, parent, name).map_err(here);
        }
        parent.rename(name, parent, aside).map_err(here)?;
        let back = || disk::rename_to_free(parent, aside, parent, name);
        self.check_displaced(aside, from, back)?;
        report(Step::MovedAside(&self.place.path)).map_err(here)?;
        disk::rename_to_free(parent, staged, parent, name).map_err(here)
    }

    /// Between looking at a target and moving it, somebody may have changed it: what was moved is looked at again, and
    /// put back if it is not what the change was made for.
    fn check_displaced(
        &self,
        displaced: &str,
        expected: &State,
        back: impl FnOnce() -> io::Result<()>,
    ) -> Result<(), ChangeError> {
        let found = self.place.observe_sibling(displaced);
        if found.as_ref().is_ok_and(|found| found == expected) {
            return Ok(());
        }
        back().map_err(ChangeError::io(&self.place.path))?;
        Err(self.mismatch(expected, found?))
    }

    /// Whether the target holds what it is to hold.
    pub(super) fn confirm(&self) -> Result<(), ChangeError> {
        let found = self.place.observe()?;
        if found == self.swap.after {
            Ok(())
        } else {
            Err(self.mismatch(&self.swap.after, found))
        }
    }

    fn mismatch(&self, expected: &State, found: State) -> ChangeError {
        ChangeError::Changed(vec![Mismatch {
            path: self.place.path.clone(),
            expected: expected.clone(),
            found,
        }])
    }

    /// Completes the swap, wherever a process that was killed left it.
    pub(super) fn settle(
        &self,
        objects: &Objects,
        report: Report<'_>,
    ) -> Result<Settled, ChangeError> {
        let Swap { before, after, .. } = self.swap;
        let now = self.place.observe()?;
        if now == *after {
            return self.displaced_by_somebody(objects);
        }
        let is_half_way = now.is_absent() && self.place.observe_sibling(&self.old)? == *before;
        if now != *before && !is_half_way {
            return Ok(Settled::LeftAlone);
        }
        if self.place.observe_sibling(&self.new)? != *after {
            self.remove(&self.new)?;
            self.stage(objects)?;
            self.sync_staged()?;
        }
        if is_half_way {
            let parent = &self.place.parent;
            disk::rename_to_free(parent, &self.new, parent, &self.place.name)
                .map_err(ChangeError::io(&self.place.path))?;
        } else {
            self.forward(report)?;
        }
        Ok(Settled::Done)
    }

    /// A process that was killed right after a move could not look at what it had moved. If that is neither the old
    /// content nor the new one, somebody changed it in the moment before: it is kept.
    fn displaced_by_somebody(&self, objects: &Objects) -> Result<Settled, ChangeError> {
        for name in [&self.new, &self.old] {
            let found = self.place.observe_sibling(name)?;
            if !found.is_absent() && found != self.swap.before && found != self.swap.after {
                objects.put(&self.place.path.with_file_name(name))?;
                return Ok(Settled::DoneOver(found));
            }
        }
        Ok(Settled::Done)
    }

    /// Takes the target back to what it held before, if it holds what the change put there. Gives false where somebody
    /// changed it; then it is left alone.
    pub(super) fn back(&self, objects: &Objects) -> Result<bool, ChangeError> {
        let Swap { before, after, .. } = self.swap;
        let now = self.place.observe()?;
        if now == *before {
            return Ok(true);
        }
        let is_half_way = now.is_absent() && self.place.observe_sibling(&self.old)? == *before;
        if now != *after && !is_half_way {
            return Ok(false);
        }
        let quiet: Report<'_> = &|_| Ok(());
        if before.is_absent() {
            self.remove(&self.new)?;
            self.go(&self.old, &self.new, after, before, quiet)?;
            return Ok(true);
        }
        let staged = self.where_old_content_is(objects)?;
        let aside = if *staged == self.new {
            &self.old
        } else {
            &self.new
        };
        self.remove(aside)?;
        if now.is_absent() {
            let parent = &self.place.parent;
            disk::rename_to_free(parent, staged, parent, &self.place.name)
                .map_err(ChangeError::io(&self.place.path))?;
        } else {
            self.go(staged, aside, after, before, quiet)?;
        }
        Ok(true)
    }

    /// The name under which the content from before lies; it is brought back from the objects if it lies nowhere.
    fn where_old_content_is(&self, objects: &Objects) -> Result<&String, ChangeError> {
        for name in [&self.new, &self.old] {
            if self.place.observe_sibling(name)? == self.swap.before {
                return Ok(name);
            }
        }
        self.remove(&self.old)?;
        self.stage_as(&self.old, &self.swap.before, objects)?;
        Ok(&self.old)
    }

    /// Removes everything of ours from beside the target.
    pub(super) fn clean(&self) -> Result<(), ChangeError> {
        self.remove(&self.new)?;
        self.remove(&self.old)
    }

    fn remove(&self, name: &str) -> Result<(), ChangeError> {
        let shown = self.place.path.with_file_name(name);
        disk::remove(&self.place.parent, name).map_err(ChangeError::io(&shown))
    }
}
