//! `skillful completions`: a completion script for a shell.

use std::io::{self, Write};

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::error::{CommandError, Outcome};

pub(crate) fn run(args: &CompletionsArgs) -> Result<Outcome, CommandError> {
    // Into memory first: the generator panics when its writer fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "skillful", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Outcome::Fine)
}
