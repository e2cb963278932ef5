//! The arguments of `serve` and `token`.

use std::net::SocketAddr;
use std::num::NonZeroU32;

use clap::{Args, Subcommand};
use skillful_server::http::{LogFormat, Offered, Scope};
use skillful_server::limits;

use super::FormatArgs;

/// Serve the skills of this machine to programs, agents and browsers, until interrupted.
///
/// Prints the address that it listens on. Only programs of this machine reach it, unless --listen says otherwise; then
/// everybody has to show a token.
#[derive(Args, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
#[command(after_help = "\
Examples:
  skillful serve                                  a panel at /, an interface at /api/v1, MCP at /mcp
  skillful serve --demo                           a made-up machine, to look around on
  skillful serve --listen 127.0.0.1:0             a free port
  curl http://127.0.0.1:7654/api/v1/skills
  skillful add http://127.0.0.1:7654 --skill pdf-forms

For other machines, behind a proxy that encrypts:
  skillful token create laptop --scope write
  skillful serve --require-token --allow-host skills.example.org")]
pub(crate) struct ServeArgs {
    /// The address and port; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7654")]
    pub(crate) listen: SocketAddr,

    /// Let nobody change anything, whatever token they show
    #[arg(long)]
    pub(crate) read_only: bool,

    /// Ask everybody for a token, programs of this machine as well
    #[arg(long)]
    pub(crate) require_token: bool,

    /// Answer to this name as well (repeatable)
    #[arg(long, value_name = "NAME")]
    pub(crate) allow_host: Vec<String>,

    /// Let pages of this site ask (repeatable), with its scheme
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow_origin: Vec<String>,

    /// Which ready skills others may install from here: own, all, none
    #[arg(long, value_name = "WHICH", default_value = "own")]
    pub(crate) offer: Offered,

    /// Requests a second that one client may make in the long run; twice as many may come at once
    #[arg(long, value_name = "NUMBER", default_value_t = limits::REQUESTS_PER_SECOND)]
    pub(crate) rate: NonZeroU32,

    /// No page for people at /
    #[arg(long)]
    pub(crate) no_panel: bool,

    /// No Model Context Protocol at /mcp
    #[arg(long)]
    pub(crate) no_mcp: bool,

    /// Let agents change skills and install them over /mcp
    #[arg(long, conflicts_with = "no_mcp")]
    pub(crate) allow_write: bool,

    /// Serve a made-up machine to look around on; it goes when the server ends
    #[arg(long)]
    pub(crate) demo: bool,

    /// What is told on standard error: quiet, text, json
    #[arg(
        long,
        value_name = "FORM",
        default_value = "quiet",
        help_heading = "Output"
    )]
    pub(crate) log: LogFormat,
}

/// Make, list and revoke the tokens that `serve` asks for.
///
/// As soon as there is one, nobody is answered without.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  skillful token create ci --scope read --expires 90
  skillful token list
  skillful token revoke ci")]
pub(crate) struct TokenArgs {
    #[command(subcommand)]
    pub(crate) action: TokenAction,
}

/// What to do with tokens.
#[derive(Debug, Subcommand)]
pub(crate) enum TokenAction {
    /// Make a token, and print it once
    Create(TokenCreateArgs),
    /// List the tokens
    List(TokenListArgs),
    /// Take a token away
    Revoke(TokenRevokeArgs),
}

/// Make a token, and print it once.
#[derive(Args, Debug)]
pub(crate) struct TokenCreateArgs {
    /// What to call it
    #[arg(value_name = "NAME")]
    pub(crate) name: String,

    /// How far it reaches: read, write, admin
    #[arg(long, value_name = "SCOPE", default_value = "read")]
    pub(crate) scope: Scope,

    /// After how many days it does not count any more
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub(crate) expires: Option<u32>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// List the tokens.
#[derive(Args, Debug)]
pub(crate) struct TokenListArgs {
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Take a token away.
#[derive(Args, Debug)]
pub(crate) struct TokenRevokeArgs {
    /// Which
    #[arg(value_name = "NAME")]
    pub(crate) name: String,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
