//! The command as its users meet it: one binary, one module for each area.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test ends where its helpers fail"
)]

mod adopt;
mod check;
mod configure;
mod eligibility;
mod environment;
mod hostile;
mod inspect;
mod install;
mod prompt;
mod python;
mod read;
mod readme;
mod reference_library;
mod rewrite;
mod scaffold;
mod schedule;
mod search;
mod status;
mod update;
mod watch;
mod yaml_readers;
