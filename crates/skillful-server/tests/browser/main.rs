//! The panel in a real browser, with the made-up machine behind it.
//!
//! Where there is no Chromium these tests pass over, and say so; with `SKILLFUL_BROWSER=required` they fail.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "in a test, a panic is the report"
)]

mod driver;
mod editing;
mod hostile;
mod installing;
mod keyboard;
mod live;
mod pages;
mod world;
