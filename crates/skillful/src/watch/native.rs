//! Watching by the operating system.
//!
//! Where it watches single directories (Linux, BSD), exactly those are asked for that a survey comes by, so that nothing
//! below `node_modules` and the like costs a watch. Where it watches whole trees (macOS, Windows), the tops are asked for.
//!
//! Only what changes is asked for, not what is read: else a search of 10,000 skills would fill the queue with reports of
//! itself, lose count, and so cause the next search.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use notify::event::{EventKindMask, ModifyKind, RenameMode};
use notify::{
    Config, ErrorKind, Event, EventKind, PathOp, RecommendedWatcher, RecursiveMode,
    WatchPathConfig, Watcher,
};

use super::batch::PollingReason;
use super::inbox::{Hint, Inbox};
use super::survey::Guard;

/// Whether one watch covers a directory with all that lies below.
const WHOLE_TREES: bool = cfg!(any(target_os = "macos", windows));

#[derive(Debug)]
pub(super) struct Native {
    watcher: RecommendedWatcher,
    /// The directories that are watched.
    armed: BTreeSet<PathBuf>,
}

impl Native {
    pub(super) fn new(inbox: Arc<Inbox>) -> Result<Self, PollingReason> {
        let config = Config::default().with_event_kinds(EventKindMask::CORE);
        let handler = move |event: notify::Result<Event>| match event {
            Ok(event) => pass_on(event, &inbox),
            Err(_) => inbox.lost(),
        };
        let watcher = RecommendedWatcher::new(handler, config).map_err(|error| reason(&error))?;
        Ok(Self {
            watcher,
            armed: BTreeSet::new(),
        })
    }

    /// Watches the entries of single directories.
    pub(super) fn entries(
        &mut self,
        directories: impl IntoIterator<Item = PathBuf>,
    ) -> Result<(), PollingReason> {
        self.arm(directories, RecursiveMode::NonRecursive)
    }

    /// Watches directories. One that vanished meanwhile or may not be read is passed over: the one above tells when that
    /// changes.
    fn arm(
        &mut self,
        directories: impl IntoIterator<Item = PathBuf>,
        mode: RecursiveMode,
    ) -> Result<(), PollingReason> {
        let mut open: Vec<PathOp> = Vec::new();
        for directory in directories {
            if !self.is_covered(&directory) && self.armed.insert(directory.clone()) {
                open.push(PathOp::Watch(directory, WatchPathConfig::new(mode)));
            }
        }
        while !open.is_empty() {
            let Err(failed) = self.watcher.update_paths(open) else {
                break;
            };
            if let Some(operation) = &failed.origin {
                self.armed.remove(operation.as_path());
            }
            if !is_gone(&failed.source) {
                for operation in &failed.remaining {
                    self.armed.remove(operation.as_path());
                }
                return Err(reason(&failed.source));
            }
            open = failed.remaining;
        }
        Ok(())
    }

    fn is_covered(&self, directory: &Path) -> bool {
        WHOLE_TREES
            && directory
                .ancestors()
                .any(|above| self.armed.contains(above))
    }

    /// Ends the watching of a path and of all that lies below. After a move this must come before what was moved is
    /// watched at its new place: the operating system knows only one watch for a directory, whatever its path.
    pub(super) fn disarm(&mut self, path: &Path) {
        let below = self.armed.range(path.to_owned()..);
        let gone: Vec<PathBuf> = below
            .take_while(|directory| directory.starts_with(path))
            .cloned()
            .collect();
        for directory in gone {
            self.armed.remove(&directory);
            // One that is gone is not watched any more anyway.
            let _ = self.watcher.unwatch(&directory);
        }
    }
}

impl Guard for Native {
    fn guard(&mut self, directories: &[PathBuf]) -> Result<(), PollingReason> {
        let mode = if WHOLE_TREES {
            RecursiveMode::Recursive
        } else {
            RecursiveMode::NonRecursive
        };
        self.arm(directories.iter().cloned(), mode)
    }

    fn wants_stamps(&self) -> bool {
        false
    }
}

/// Turns an event into hints.
fn pass_on(event: Event, inbox: &Inbox) {
    if event.need_rescan() {
        inbox.lost();
    }
    let mut paths = event.paths.into_iter();
    match event.kind {
        EventKind::Access(_) => {}
        EventKind::Create(_) | EventKind::Modify(ModifyKind::Name(RenameMode::To)) => {
            paths.for_each(|path| inbox.hint(Hint::Appeared(path)));
        }
        EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(RenameMode::From)) => {
            paths.for_each(|path| inbox.hint(Hint::Vanished(path)));
        }
        EventKind::Modify(ModifyKind::Name(RenameMode::Both)) => {
            if let Some(path) = paths.next() {
                inbox.hint(Hint::Vanished(path));
            }
            paths.for_each(|path| inbox.hint(Hint::Appeared(path)));
        }
        EventKind::Modify(ModifyKind::Name(_)) => {
            paths.for_each(|path| inbox.hint(presence(path)));
        }
        _ => paths.for_each(|path| inbox.hint(Hint::Touched(path))),
    }
}

/// What became of a path of which it is only known that a name changed.
fn presence(path: PathBuf) -> Hint {
    if path.symlink_metadata().is_ok() {
        Hint::Appeared(path)
    } else {
        Hint::Vanished(path)
    }
}

fn is_gone(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::PathNotFound => true,
        ErrorKind::Io(error) => matches!(
            error.kind(),
            io::ErrorKind::NotFound
                | io::ErrorKind::NotADirectory
                | io::ErrorKind::PermissionDenied
        ),
        _ => false,
    }
}

fn reason(error: &notify::Error) -> PollingReason {
    match &error.kind {
        ErrorKind::MaxFilesWatch => PollingReason::Limit,
        ErrorKind::Io(error) if is_limit(error) => PollingReason::Limit,
        _ => PollingReason::Other(error.to_string()),
    }
}

/// Whether the process, the user or the machine has no more files, watches or memory to give.
#[cfg(unix)]
fn is_limit(error: &io::Error) -> bool {
    use rustix::io::Errno;
    [Errno::MFILE, Errno::NFILE, Errno::NOSPC, Errno::NOMEM]
        .iter()
        .any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

#[cfg(not(unix))]
fn is_limit(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::OutOfMemory
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_told_from_other_faults() {
        assert_eq!(
            reason(&notify::Error::new(ErrorKind::MaxFilesWatch)),
            PollingReason::Limit
        );
        #[cfg(unix)]
        {
            let full = io::Error::from(rustix::io::Errno::MFILE);
            assert_eq!(reason(&notify::Error::io(full)), PollingReason::Limit);
        }
        let other = reason(&notify::Error::generic("no such thing"));
        assert!(matches!(other, PollingReason::Other(_)), "{other:?}");
    }

    #[test]
    fn a_lost_event_is_remembered() {
        let inbox = Inbox::default();
        let event = Event::new(EventKind::Other).set_flag(notify::event::Flag::Rescan);
        pass_on(event, &inbox);
        assert!(inbox.wait(std::time::Instant::now()).lost);
    }
}
