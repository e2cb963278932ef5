//! `skillful mcp`: the server for the client that started it.

use skillful::{Host, Options};
use skillful_server::http::{LogFormat, start_log};
use skillful_server::mcp::{McpOptions, McpServer, serve_stdio};
use skillful_server::{Engine, Settings};

use crate::args::{GlobalArgs, McpArgs};
use crate::error::{CommandError, Outcome};

pub(crate) fn run(global: &GlobalArgs, args: &McpArgs) -> Result<Outcome, CommandError> {
    // Standard output is the client's.
    start_log(LogFormat::Quiet);
    let engine = Engine::start(Settings {
        host: Host::from_environment(),
        options: Options {
            roots: global.root.clone(),
            project: global.project.clone(),
            home: global.home.clone(),
            extra: Vec::new(),
        },
        config: global.config.clone(),
        agent: args.agent.clone(),
        watch: true,
    });
    let options = McpOptions {
        allow_write: args.allow_write,
        instructions: args.instructions,
    };
    let server = McpServer::new(engine.clone(), options);
    let outcome = skillful_server::block_on(serve_stdio(server, skillful_server::interrupted()));
    engine.finish();
    outcome
        .map_err(CommandError::failed)?
        .map_err(CommandError::failed)?;
    Ok(Outcome::Fine)
}
