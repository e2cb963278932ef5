//! A sign of life for work that takes longer than a moment. Only on a terminal, on standard error, and gone afterwards.

use std::time::Duration;

use indicatif::{HumanBytes, ProgressBar, ProgressStyle};
use skillful_manage::progress::Step;

use crate::terminal::printable;

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

/// Shows how far a fetch or a scan has come, until it is dropped.
pub(crate) struct Work(ProgressBar);

impl Work {
    /// Begins to show it.
    pub(crate) fn start() -> Self {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(TICK);
        Self(bar)
    }
}

impl Work {
    /// Clears the line, so that something can be asked.
    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}

impl skillful_manage::progress::Progress for Work {
    fn step(&self, step: Step<'_>) {
        let prefix = || self.0.prefix();
        let message = match step {
            Step::Begin(what) => {
                self.0.set_prefix(printable(what));
                printable(what)
            }
            Step::Line(line) => format!("{}: {}", prefix(), printable(line)),
            Step::Bytes { done, total } => {
                let total = total.map(|total| format!(" of {}", HumanBytes(total)));
                let total = total.unwrap_or_default();
                format!("{}: {}{total}", prefix(), HumanBytes(done))
            }
            Step::Count { done, total } => format!("{}: {done} of {total}", prefix()),
            _ => return,
        };
        self.0.set_message(message);
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
