//! The `skillful` command: arguments in, reports out. What it reports is decided in the crates below.

mod args;
mod ask;
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

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;
use skillful::contract::ErrorDocument;

use args::Cli;
use error::{CommandError, ErrorKind, FAILED, Outcome};
use terminal::{ERROR, GOOD};

fn main() -> ExitCode {
    match commands::run(&Cli::parse()) {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Found) => ExitCode::from(FAILED),
        Err(error) => {
            if asks_for_json(std::env::args_os()) {
                report_to_program(&error);
            }
            report(&error);
            ExitCode::from(error.exit_code())
        }
    }
}

/// Whether the command line asks for JSON, by either of the options that do.
fn asks_for_json(arguments: impl Iterator<Item = OsString>) -> bool {
    let mut is_format = false;
    for argument in arguments.skip(1) {
        if argument == "--" {
            break;
        }
        if argument == "--json" || argument == "--format=json" || is_format && argument == "json" {
            return true;
        }
        is_format = argument == "--format";
    }
    false
}

/// Gives a program that asked for one JSON object one that says why there is no other: `{"version", "error": {"message",
/// "hints"}}`. Where it has been given an object already, that one says it.
fn report_to_program(error: &CommandError) {
    if error.kind == ErrorKind::BrokenPipe || terminal::has_printed_json() {
        return;
    }
    let document = ErrorDocument::new(&error.message, &error.hints);
    // Standard error says it as well.
    let _ = terminal::print_json(&document);
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
