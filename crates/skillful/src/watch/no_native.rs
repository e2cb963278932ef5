//! In place of the operating system's reports, where the crate was built without them: every place is polled.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::PollingReason;
use super::inbox::Inbox;
use super::survey::Survey;

/// There is none.
#[derive(Debug)]
pub(super) enum Native {}

impl Native {
    pub(super) fn new(_: Arc<Inbox>) -> Result<Self, PollingReason> {
        Err(PollingReason::Wanted)
    }

    pub(super) fn cover(&mut self, _: &Survey) -> Result<bool, PollingReason> {
        match *self {}
    }

    pub(super) fn anchor(&mut self, _: PathBuf) -> Result<bool, PollingReason> {
        match *self {}
    }

    pub(super) fn disarm(&mut self, _: &Path) {
        match *self {}
    }

    pub(super) fn retain(&mut self, _: &BTreeSet<PathBuf>) {
        match *self {}
    }
}
