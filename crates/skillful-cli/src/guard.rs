//! The guard at work in a command: with the records of the world, and a sign of life while skills are read.

use std::sync::OnceLock;

use skillful::guard::{Care, Guard};
use skillful::{Library, Skill};
use skillful_store::{Store, StoreError};

use crate::error::CommandError;
use crate::input::World;
use crate::lookup;
use crate::progress::Progress;
use crate::records::{now, report_notices};
use crate::terminal::warn;

impl World {
    /// Does `work` with a guard. What goes wrong with the records is told, once.
    pub(crate) fn guarded<T>(&self, care: Care, work: impl FnOnce(Guard<'_>) -> T) -> T {
        let store = self.store().ok();
        let progress = OnceLock::new();
        let failure = OnceLock::new();
        let on_read = || progress.get_or_init(|| Progress::start("scanned")).step();
        let on_error = |error: StoreError| {
            let _ = failure.set(error);
        };
        let done = work(Guard {
            store: store.as_ref().map(|store| store as &dyn Store),
            now: now(),
            care,
            on_load: None,
            policy: None,
            on_read: &on_read,
            on_error: &on_error,
        });
        drop(progress);
        if let Some(error) = failure.into_inner() {
            warn(&error.to_string());
        }
        if let Some(store) = &store {
            report_notices(store);
        }
        done
    }

    /// The skill that was meant, after a look at all its files: for who is about to be handed it, or asks about it alone.
    pub(crate) fn looked_at<'l>(
        &self,
        library: &'l mut Library,
        text: &str,
        agent: Option<&str>,
    ) -> Result<&'l Skill, CommandError> {
        let skill = lookup::searched(self, library, text)?.clone();
        self.guarded(Care::Full, |guard| {
            self.agent(agent).look_closely(library, &skill, guard);
        });
        lookup::searched(self, library, text)
    }
}
