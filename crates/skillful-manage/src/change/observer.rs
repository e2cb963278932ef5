//! Looking on while a change is made.

use std::fmt;
use std::io;
use std::path::Path;

/// Something that a change has just done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// Every path is in the state that the change was planned for.
    Checked,
    /// The content that this path has before is kept.
    Kept(&'a Path),
    /// The places of everything that comes beside targets are on record.
    Recorded,
    /// This directory was made so that there is a place for a target.
    MadeDirectory(&'a Path),
    /// What is to be at this path lies beside it.
    Staged(&'a Path),
    /// The change is decided: from here on, a process that is killed has it completed by the next one.
    Decided,
    /// Where exchanging is impossible, the old content was moved aside, and the new one is not yet there.
    MovedAside(&'a Path),
    /// This path holds what it is to hold.
    Swapped(&'a Path),
    /// This path was read back.
    Confirmed(&'a Path),
    /// The change is in the journal, and done. Errors of an observer do not count from here on.
    Journaled,
    /// What this path held before is gone from beside it.
    Removed(&'a Path),
}

/// Is told of every step of a change.
pub trait Observer: Send {
    /// A step was done.
    ///
    /// # Errors
    ///
    /// An error stops the change and takes it back, as an error of the disk at this point would.
    fn reached(&self, step: Step<'_>) -> io::Result<()>;
}

/// Passes over everything.
pub(super) struct Nobody;

impl Observer for Nobody {
    fn reached(&self, _: Step<'_>) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Debug for dyn Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}
