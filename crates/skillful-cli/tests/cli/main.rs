//! The command as its users meet it: one binary, one module for each area.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test ends where its helpers fail"
)]

mod adopt;
#[cfg(unix)]
mod asking;
mod author;
mod check;
mod configure;
#[cfg(unix)]
mod dependencies;
mod eligibility;
mod environment;
mod guard;
mod history;
mod hostile;
mod inspect;
mod install;
#[cfg(unix)]
mod kill;
mod learn;
mod mcp;
mod packing;
mod prompt;
mod publishing;
mod python;
mod read;
mod readme;
mod reference_library;
#[cfg(unix)]
mod reported;
mod rewrite;
mod sarif;
mod scaffold;
mod scan;
#[cfg(unix)]
mod scan_ci;
mod scan_hostile;
mod schedule;
mod search;
mod serve;
#[cfg(unix)]
mod sources;
mod status;
mod update;
mod watch;
mod yaml_readers;
