//! The same server over HTTP: who may reach it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use axum::Router;
use skillful_server::mcp::{McpOptions, McpReach, McpServer, service};
use tokio::net::TcpListener;

use crate::world::World;

/// Serves until the test ends.
pub(crate) async fn serve(world: &World) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = McpServer::new(world.engine(false), McpOptions::default());
    let router = Router::new().nest_service("/mcp", service(&server, McpReach::default()));
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

/// The status and body of an answer.
fn post(address: SocketAddr, host: &str, origin: Option<&str>, body: &str) -> (u16, String) {
    let origin = origin.map_or_else(String::new, |origin| format!("Origin: {origin}\r\n"));
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: {host}\r\n{origin}Content-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    (status, answer)
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;

#[tokio::test(flavor = "multi_thread")]
async fn only_the_right_host_and_origin_are_answered() {
    let world = World::with_greet();
    let address = serve(&world).await;
    let here = address.to_string();
    let cases = [
        (&*here, None, 200),
        ("evil.example", None, 403),
        (&*here, Some("https://evil.example"), 403),
        (&*here, Some("null"), 403),
    ];
    for (host, origin, expected) in cases {
        let (status, answer) = post(address, host, origin, INITIALIZE);
        assert_eq!(status, expected, "{host} {origin:?}: {answer}");
    }
    let (_, answer) = post(address, &here, None, INITIALIZE);
    assert!(answer.contains("\"serverInfo\"") && answer.contains("io.modelcontextprotocol/skills"));
}
