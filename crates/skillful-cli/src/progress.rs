//! A sign of life for work that takes longer than a moment. Only on a terminal, on standard error, and gone afterwards.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// How long work may take before anything is shown, and how often it is drawn anew.
const TICK: Duration = Duration::from_millis(250);

/// Counts finished pieces of work until it is dropped.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Begins to count; `done` says what was done with a piece, as in `checked`.
    pub(crate) fn start(done: &str) -> Self {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {pos} skills {msg}") {
            bar.set_style(style);
        }
        bar.set_message(done.to_owned());
        bar.enable_steady_tick(TICK);
        Self(bar)
    }

    /// One more is done.
    pub(crate) fn step(&self) {
        self.0.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
