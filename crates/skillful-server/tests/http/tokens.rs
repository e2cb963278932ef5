//! Who may do what.

use serde_json::json;
use skillful_server::http::{Scope, ServeError};

use crate::server::Home;

#[test]
fn as_soon_as_there_is_a_token_everybody_needs_one() {
    let home = Home::with_demo();
    let server = home.serve();
    assert_eq!(server.get("/api/v1/skills").status, 200);
    let secret = home.token("laptop", Scope::Read);
    let answer = server.get("/api/v1/skills");
    assert_eq!(
        (answer.status, answer.kind()),
        (401, "unauthenticated".to_owned())
    );
    assert!(answer.header("www-authenticate").starts_with("Bearer"));
    for path in ["/metrics", "/.well-known/agent-skills/index.json"] {
        assert_eq!(server.get(path).status, 401, "{path}");
    }
    let mcp = server.send("POST", "/mcp", &json!({}));
    assert_eq!(mcp.status, 401);
    // Whether it lives is nobody's secret, and neither is the page that asks for a token.
    for path in [
        "/healthz",
        "/readyz",
        "/",
        "/api/v1/docs",
        "/api/v1/openapi.json",
    ] {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
    let bearer = format!("Bearer {secret}");
    let headers = [("Authorization", bearer.as_str())];
    assert_eq!(
        server.ask("GET", "/api/v1/skills", &headers, "").status,
        200
    );
    home.tokens().revoke("laptop").unwrap();
    assert_eq!(
        server.ask("GET", "/api/v1/skills", &headers, "").status,
        401
    );
}

#[test]
fn a_token_reaches_as_far_as_its_scope() {
    let home = Home::with_demo();
    let server = home.serve_with(|options| options.require_token = true);
    let scopes = [Scope::Read, Scope::Write, Scope::Admin];
    let secrets = scopes.map(|scope| format!("Bearer {}", home.token(scope.as_str(), scope)));
    let ask = |token: &str, method: &str, path: &str, body: &str| {
        let headers = [
            ("Authorization", token),
            ("Content-Type", "application/json"),
        ];
        server.ask(method, path, &headers, body).status
    };
    let allowed = |method: &str, path: &str, body: &str| {
        secrets
            .each_ref()
            .map(|token| !matches!(ask(token, method, path, body), 401 | 403))
    };
    assert_eq!(
        allowed("GET", "/api/v1/skills/demo", ""),
        [true, true, true]
    );
    assert_eq!(
        allowed("POST", "/api/v1/match", "{\"message\":\"x\"}"),
        [true, true, true]
    );
    assert_eq!(
        allowed("POST", "/api/v1/skills/demo/pin", "{}"),
        [false, true, true]
    );
    assert_eq!(allowed("POST", "/api/v1/plans", "{}"), [false, true, true]);
    assert_eq!(
        allowed("GET", "/api/v1/plans/none", ""),
        [false, true, true]
    );
    assert_eq!(
        allowed("POST", "/api/v1/skills/demo/accept", "{}"),
        [false, false, true]
    );
    assert_eq!(
        allowed("PUT", "/api/v1/config/catalog.max-tokens", "{}"),
        [false, false, true]
    );
    assert_eq!(
        allowed("POST", "/api/v1/skills/demo/deps/install", "{}"),
        [false, false, true]
    );
}

#[test]
fn a_token_that_is_not_known_or_has_expired_is_told_so() {
    let home = Home::with_demo();
    let server = home.serve();
    let (expired, _) = home.tokens().create("old", Scope::Admin, Some(0)).unwrap();
    let unknown = format!("skillful_{}", "0".repeat(64));
    for header in [
        format!("Bearer {expired}"),
        format!("Bearer {unknown}"),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        "Basic YTpi".to_owned(),
    ] {
        let answer = server.ask("GET", "/api/v1/skills", &[("Authorization", &header)], "");
        assert_eq!(answer.status, 401, "{header}");
    }
}

#[test]
fn a_server_that_only_reads_lets_nobody_write() {
    let home = Home::with_demo();
    let server = home.serve_with(|options| options.read_only = true);
    assert_eq!(server.get("/api/v1/skills").status, 200);
    let answer = server.send("POST", "/api/v1/skills/demo/pin", &json!({}));
    assert_eq!(
        (answer.status, answer.kind()),
        (403, "forbidden".to_owned())
    );
    let bearer = format!("Bearer {}", home.token("admin", Scope::Admin));
    let headers = [
        ("Authorization", bearer.as_str()),
        ("Content-Type", "application/json"),
    ];
    assert_eq!(
        server
            .ask("POST", "/api/v1/skills/demo/pin", &headers, "{}")
            .status,
        403
    );
}

#[test]
fn other_machines_are_answered_only_where_there_is_a_token() {
    let home = Home::new();
    let everywhere = "0.0.0.0:0".parse().unwrap();
    let refused = home.bound(|options| options.listen = everywhere);
    assert!(
        matches!(refused, Err(ServeError::NoToken { .. })),
        "{refused:?}"
    );
    home.token("a", Scope::Read);
    let server = home.serve_with(|options| options.listen = everywhere);
    let port = server.address.port();
    let bound = format!("127.0.0.1:{port}");
    let stream = std::net::TcpStream::connect(&bound).unwrap();
    drop(stream);
}
