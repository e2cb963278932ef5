//! A home and a directory of skills of its own for each test, a server for them, and a client.

use std::fs;
use std::path::{Path, PathBuf};

use rmcp::model::{CallToolRequestParams, CallToolResult, ErrorData, ProtocolVersion};
use rmcp::service::{RoleClient, RunningService, ServiceError};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, ServiceExt};
use serde_json::{Value, json};
use skillful::{Host, Options};
use skillful_server::mcp::{McpOptions, McpServer};
use skillful_server::{Engine, Settings};
use tempfile::TempDir;

/// Everything of one test. Deleted when dropped.
pub(crate) struct World {
    directory: TempDir,
}

/// What a client is that does not care for notifications.
#[derive(Clone, Default)]
pub(crate) struct Silent;

impl ClientHandler for Silent {}

pub(crate) type Client<H = Silent> = RunningService<RoleClient, H>;

impl World {
    pub(crate) fn new() -> Self {
        let world = Self {
            directory: tempfile::tempdir().unwrap(),
        };
        fs::create_dir_all(world.root()).unwrap();
        fs::create_dir_all(world.home()).unwrap();
        world
    }

    /// One with a skill `greet` that has a file.
    pub(crate) fn with_greet() -> Self {
        let world = Self::new();
        world.write(
            "greet/SKILL.md",
            "---\nname: greet\ndescription: Greets people. Use when someone arrives.\n\
             argument-hint: \"[formal|casual]\"\n---\n# Greet\n\nSay hello to $ARGUMENTS.\n",
        );
        world.write("greet/references/words.md", "Hello\n");
        world
    }

    pub(crate) fn path(&self) -> PathBuf {
        fs::canonicalize(self.directory.path()).unwrap()
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.path().join("skills")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.path().join("home")
    }

    /// Writes a file below the directory of skills.
    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        write(&self.root().join(path), content)
    }

    /// A small skill.
    pub(crate) fn skill(&self, name: &str) -> PathBuf {
        let text =
            format!("---\nname: {name}\ndescription: Does {name}. Use when asked.\n---\nDo it.\n");
        self.write(&format!("{name}/SKILL.md"), text)
    }

    pub(crate) fn engine(&self, watch: bool) -> Engine {
        Engine::start(Settings {
            host: Host::new(self.path()),
            options: Options {
                roots: vec![self.root()],
                home: Some(self.home()),
                ..Options::default()
            },
            config: None,
            agent: None,
            watch,
        })
    }

    pub(crate) fn server(&self, options: McpOptions) -> McpServer {
        McpServer::new(self.engine(false), options)
    }

    /// A client of a server that only reads, by the handshake of older eras.
    pub(crate) async fn client(&self) -> Client {
        connect(self.server(McpOptions::default()), Silent).await
    }

    /// A client of a server that writes.
    pub(crate) async fn writer(&self) -> Client {
        let options = McpOptions {
            allow_write: true,
            ..McpOptions::default()
        };
        connect(self.server(options), Silent).await
    }

    /// A client of the present era.
    pub(crate) async fn present(&self) -> Client {
        discover(self.server(McpOptions::default()), Silent).await
    }
}

fn write(path: &Path, content: impl AsRef<[u8]>) -> PathBuf {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
    path.to_owned()
}

/// Connects by `initialize`.
pub(crate) async fn connect<H: ClientHandler>(server: McpServer, handler: H) -> Client<H> {
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    tokio::spawn(async move {
        let running = server.serve(ours).await.unwrap();
        let _ = running.waiting().await;
    });
    handler
        .serve_with_lifecycle(theirs, ClientLifecycleMode::Initialize)
        .await
        .unwrap()
}

/// Connects by `server/discover`.
pub(crate) async fn discover<H: ClientHandler>(server: McpServer, handler: H) -> Client<H> {
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    tokio::spawn(async move {
        let running = server.serve(ours).await.unwrap();
        let _ = running.waiting().await;
    });
    let mode = ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    };
    handler.serve_with_lifecycle(theirs, mode).await.unwrap()
}

/// Calls a tool.
pub(crate) async fn call<H: ClientHandler>(
    client: &Client<H>,
    tool: &'static str,
    arguments: Value,
) -> CallToolResult {
    let Value::Object(arguments) = arguments else {
        panic!("arguments are an object")
    };
    let params = CallToolRequestParams::new(tool).with_arguments(arguments);
    client.call_tool(params).await.unwrap()
}

/// The structured content of an answer that is none of an error.
pub(crate) async fn data<H: ClientHandler>(
    client: &Client<H>,
    tool: &'static str,
    arguments: Value,
) -> Value {
    let result = call(client, tool, arguments).await;
    assert_ne!(result.is_error, Some(true), "{}", text(&result));
    result.structured_content.unwrap_or_else(|| json!(null))
}

/// All text of an answer.
pub(crate) fn text(result: &CallToolResult) -> String {
    let texts = result.content.iter().filter_map(|block| block.as_text());
    texts.map(|block| block.text.as_str()).collect()
}

/// The error that a server answered with.
pub(crate) fn error<T: std::fmt::Debug>(result: Result<T, ServiceError>) -> ErrorData {
    match result {
        Err(ServiceError::McpError(error)) => error,
        other => panic!("not an error of the protocol: {other:?}"),
    }
}
