//! `skillful serve`: the skills of this machine for programs and browsers.

use std::io::Write;

use skillful_server::demo::Demo;
use skillful_server::http::{Bound, Options, ServeError, start_log};
use skillful_server::mcp::McpOptions;
use skillful_server::{Engine, Settings};

use crate::args::{GlobalArgs, ServeArgs};
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::terminal::stdout;

pub(crate) fn run(global: &GlobalArgs, args: &ServeArgs) -> Result<Outcome, CommandError> {
    start_log(args.log);
    // It lives as long as this does.
    let demo = args.demo.then(Demo::make).transpose();
    let demo = demo.map_err(CommandError::failed)?;
    let engine = match &demo {
        Some(demo) => Engine::start(demo.settings()),
        None => engine(global)?,
    };
    let server = Bound::new(engine.clone(), options(args)).map_err(|error| failed(&error))?;
    let address = server.address();
    let mut out = stdout(global.color);
    writeln!(out, "http://{address}")?;
    out.flush()?;
    let outcome = server.run();
    engine.finish();
    outcome.map_err(|error| failed(&error))?;
    Ok(Outcome::Fine)
}

fn options(args: &ServeArgs) -> Options {
    let mcp = McpOptions {
        allow_write: args.allow_write,
        ..McpOptions::default()
    };
    Options {
        listen: args.listen,
        read_only: args.read_only,
        require_token: args.require_token,
        allow_hosts: args.allow_host.clone(),
        allow_origins: args.allow_origin.clone(),
        mcp: (!args.no_mcp).then_some(mcp),
        panel: !args.no_panel,
        offered: args.offer,
        requests_per_second: args.rate,
        ..Options::default()
    }
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
    match error {
        ServeError::Listen { .. } => {
            CommandError::failed(error).hint("--listen 127.0.0.1:0 takes a free port")
        }
        ServeError::NoToken { .. } => {
            CommandError::failed(error).hint("`skillful token create NAME` makes one")
        }
        ServeError::Name { .. } => CommandError::usage(error),
        ServeError::Tokens(_) | ServeError::Run(_) => CommandError::failed(error),
    }
}
