//! `skillful serve`: the skills of this machine for programs and browsers.

use std::io::Write;

use skillful_server::http::{Bound, Options, ServeError};
use skillful_server::{Engine, Settings};

use crate::args::{GlobalArgs, ServeArgs};
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::terminal::stdout;

pub(crate) fn run(global: &GlobalArgs, args: &ServeArgs) -> Result<Outcome, CommandError> {
    let options = Options {
        listen: args.listen,
    };
    let server = Bound::new(engine(global)?, options).map_err(|error| failed(&error))?;
    let address = server.address().map_err(|error| failed(&error))?;
    let mut out = stdout(global.color);
    writeln!(out, "http://{address}")?;
    out.flush()?;
    server.run().map_err(|error| failed(&error))?;
    Ok(Outcome::Fine)
}

/// An engine for what the options say.
fn engine(global: &GlobalArgs) -> Result<Engine, CommandError> {
    // What is wrong with the options is told as by every other verb.
    World::gather(global)?;
    Ok(Engine::start(Settings {
        host: skillful::Host::from_environment(),
        options: skillful::Options {
            roots: global.root.clone(),
            project: global.project.clone(),
            home: global.home.clone(),
            extra: Vec::new(),
        },
        config: global.config.clone(),
        agent: None,
        watch: true,
    }))
}

fn failed(error: &ServeError) -> CommandError {
    let failure = CommandError::failed(error);
    match error {
        ServeError::Listen { .. } => failure.hint("--listen 127.0.0.1:0 takes a free port"),
        _ => failure,
    }
}
