//! The arguments of `serve`.

use std::net::SocketAddr;

use clap::Args;

/// Serve the skills of this machine to programs and browsers, until interrupted.
///
/// Prints the address that it listens on. Nobody but programs of this machine can reach it unless --listen says so.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful serve
  skillful serve --listen 127.0.0.1:0        a free port
  curl http://127.0.0.1:7654/api/v1/skills")]
pub(crate) struct ServeArgs {
    /// The address and port; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7654")]
    pub(crate) listen: SocketAddr,
}
