//! Arguments of `mcp`.

use clap::Args;

/// Serve skills to an agent over the Model Context Protocol, on standard input and output.
///
/// A client starts this by itself; there is nothing to see on a terminal. It offers tools to find, read and check skills,
/// each skill as a resource and through the Skills extension, and those that people may call as prompts. Changes on disk
/// are told as they happen. It ends when the client closes standard input. What goes wrong is told on standard error.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  claude mcp add skillful -- skillful mcp        for Claude Code
  codex mcp add skillful -- skillful mcp         for Codex
  skillful mcp --allow-write                     with tools that write and install skills
  skillful mcp --instructions                    with the catalog of skills for every conversation
  skillful mcp --root ./skills                   only the skills of one directory
  npx @modelcontextprotocol/inspector skillful mcp

docs/mcp.md has the configuration of more clients.")]
pub(crate) struct McpArgs {
    /// Offer tools that write, change and install skills as well
    #[arg(long)]
    pub(crate) allow_write: bool,

    /// Tell clients the catalog of skills when they connect
    #[arg(long)]
    pub(crate) instructions: bool,

    /// The agent whose switches in skills.toml count
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
}
