//! Skills for any agent that speaks the Model Context Protocol, over standard input and output or over HTTP.
//!
//! ```text
//! client ─line or POST→ rmcp ─request→ Server ─run→ Engine (on a thread that may block)
//!    ↑                                    │
//!    └────────── notifications ── follow ─┴─ events of the runtime
//! ```
//!
//! One handler serves every era of the protocol that the SDK speaks: that of `server/discover`, where each request says
//! all about itself, and those that begin with `initialize`. It offers the same skills in four ways, because clients
//! differ in what they take: tools for models, resources and the Skills extension for hosts, prompts for people.

mod complete;
mod extension;
mod follow;
mod handler;
mod instructions;
mod lines;
mod origin;
mod page;
mod prompts;
mod reply;
mod resources;
mod run;
mod stdio;
mod tools;
mod uri;

use std::sync::Arc;

use rmcp::model::Tool;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::sync::Semaphore;

use crate::engine::Engine;
use crate::limits;
use follow::{Changes, Session};

pub use stdio::{StdioError, serve_stdio};

/// What a server of this protocol may do, and says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct McpOptions {
    /// Whether there are tools that change skills and install them.
    pub allow_write: bool,
    /// Whether the catalog of skills is part of the server's instructions.
    pub instructions: bool,
}

/// Who may reach a server over HTTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum McpReach {
    /// Requests with these headers alone.
    Only {
        /// The names of the server that a `Host` header may have, with or without a port; at least one.
        hosts: Vec<String>,
        /// The origins that a browser's request may come from, with scheme. A request without an origin is none of a
        /// browser's.
        origins: Vec<String>,
    },
    /// Whatever comes: who mounts it has looked at `Host` and `Origin` already.
    Checked,
}

impl Default for McpReach {
    /// This machine alone.
    fn default() -> Self {
        let origins = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];
        Self::Only {
            hosts: ["localhost", "127.0.0.1", "::1"]
                .map(str::to_owned)
                .to_vec(),
            origins: origins.map(str::to_owned).to_vec(),
        }
    }
}

/// Serves skills to one client. [`McpServer::for_client`] gives one for another client of the same server.
#[derive(Clone, Debug)]
pub struct McpServer {
    shared: Arc<Shared>,
    session: Arc<Session>,
}

#[derive(Debug)]
struct Shared {
    engine: Engine,
    options: McpOptions,
    tools: Vec<Tool>,
    /// Bounds the work that is done at once; who waits for a turn costs nothing.
    turns: Arc<Semaphore>,
    changes: Changes,
}

impl McpServer {
    /// A server for the skills of an engine.
    pub fn new(engine: Engine, options: McpOptions) -> Self {
        let shared = Shared {
            tools: tools::definitions(options.allow_write),
            turns: Arc::new(Semaphore::new(limits::MCP_CALLS)),
            changes: Changes::new(engine.clone()),
            engine,
            options,
        };
        Self {
            shared: Arc::new(shared),
            session: Arc::default(),
        }
    }

    /// The same server for one more client, which has its own subscriptions.
    #[must_use]
    pub fn for_client(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            session: Arc::default(),
        }
    }

    fn engine(&self) -> &Engine {
        &self.shared.engine
    }
}

/// The server over HTTP, to be nested into a router.
pub fn service(
    server: &McpServer,
    reach: McpReach,
) -> StreamableHttpService<McpServer, LocalSessionManager> {
    let config = StreamableHttpServerConfig::default()
        .with_max_request_body_bytes(limits::MCP_MESSAGE_BYTES);
    let config = match reach {
        McpReach::Only { hosts, origins } => config
            .with_allowed_hosts(hosts)
            .with_allowed_origins(origins)
            .enforce_origin_validation(),
        McpReach::Checked => config.disable_allowed_hosts().disable_allowed_origins(),
    };
    let server = server.clone();
    let for_client = move || Ok(server.for_client());
    StreamableHttpService::new(for_client, Arc::default(), config)
}
