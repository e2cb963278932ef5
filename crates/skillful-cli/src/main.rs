//! The `skillful` command: arguments in, reports out. What it reports is decided in the crates below.

mod args;
mod authoring;
mod commands;
mod error;
mod guard;
mod input;
mod interrupt;
mod limits;
mod lookup;
mod manage;
mod progress;
mod records;
mod render;
mod settings;
mod suggest;
mod target;
mod terminal;
mod write;

use std::process::ExitCode;

use clap::Parser;

use args::Cli;
use error::{CommandError, ErrorKind, FAILED, Outcome};
use terminal::{ERROR, GOOD};

fn main() -> ExitCode {
    match commands::run(&Cli::parse()) {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Found) => ExitCode::from(FAILED),
        Err(error) => {
            report(&error);
            ExitCode::from(error.exit_code())
        }
    }
}

/// Says on standard error what went wrong and what to do next.
fn report(error: &CommandError) {
    if error.kind == ErrorKind::BrokenPipe {
        return;
    }
    let message = terminal::printable(&error.message);
    anstream::eprintln!("{ERROR}error{ERROR:#}: {message}");
    for hint in &error.hints {
        anstream::eprintln!("{GOOD}hint{GOOD:#}: {}", terminal::printable(hint));
    }
}
